//! Gradients by source transformation, against finite differences of the program itself.

use std::sync::Arc;

use overdub_ad::transform::reverse::{Cause, ReverseOutput, ReverseTransform, reverse};
use overdub_context::interp::Interpreter;
use overdub_context::ir::{Module, TyKind};
use overdub_context::text::Printer;
use overdub_context::value::{Array, Composite, Value};
use overdub_context::verify::verify_module;
use overdub_lower::Loaded;

/// The floats in a value, in order.
fn floats(value: &Value<'_>, out: &mut Vec<f64>) {
    match value {
        Value::F64(x) => out.push(*x),
        Value::F32(x) => out.push(f64::from(*x)),
        Value::Array(array) => array.iter().for_each(|elem| floats(&elem, out)),
        Value::Composite(composite) => composite.parts.iter().for_each(|part| floats(part, out)),
        _ => {}
    }
}

/// The value with its floats replaced.
fn with_floats(value: &Value<'static>, next: &mut impl Iterator<Item = f64>) -> Value<'static> {
    match value {
        Value::F64(_) => Value::F64(next.next().expect("there are as many floats")),
        Value::Array(array) => {
            let elems: Vec<Value<'static>> =
                array.iter().map(|elem| with_floats(&elem.into_owned(), next)).collect();
            Value::from(Array::from_values(array.elem_ty(), elems).expect("the elements are of one type"))
        }
        Value::Composite(composite) => {
            let parts = composite.parts.iter().map(|part| with_floats(part, next)).collect();
            Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts }))
        }
        other => other.clone(),
    }
}

fn all_floats(values: &[Value<'_>]) -> Vec<f64> {
    let mut out = Vec::new();
    values.iter().for_each(|value| floats(value, &mut out));
    out
}

fn run(module: &Module, func: &str, args: Vec<Value<'static>>) -> Value<'static> {
    match Interpreter::new(module).run(func, args) {
        Ok(value) => value.into_owned(),
        Err(failure) => panic!("@{func}: {:?}", failure.report()),
    }
}

/// A function of a Rust source, by its name in the IR.
fn load(source: &str, func: &str) -> (Loaded, String) {
    let loaded = Loaded::from_source("case.rs", source).expect("it is Rust");
    let function = loaded.function(func).expect("it can be lowered");
    let name = function.symbol.to_string();
    (loaded, name)
}

/// The gradient by the transformation, as a list of floats; the generated functions are verified.
fn gradient(module: &Module, func: &str, args: &[Value<'static>]) -> Result<(f64, Vec<f64>), Cause> {
    let wrt: Vec<bool> = args.iter().map(|arg| !all_floats(std::slice::from_ref(arg)).is_empty()).collect();
    let reversed = reverse(&|name| module.func(name), func.into(), &wrt).map_err(|refusal| refusal.cause)?;
    assert!(matches!(reversed.seed.kind(), TyKind::Float(_)), "the tests take scalar functions");
    reversed.define(module);
    if std::env::var_os("SHOW").is_some() {
        reversed.funcs.iter().for_each(|func| println!("{}", Printer::new().func(func)));
    }
    verify_module(module).expect("what is made is valid");
    let mut with_seed = args.to_vec();
    with_seed.push(Value::F64(1.0));
    let both = run(module, &reversed.gradient, with_seed);
    let parts = &both.as_composite().expect("the value and the gradient").parts;
    Ok((parts[0].as_f64().expect("a scalar function"), all_floats(&parts[1..])))
}

/// Central differences with Richardson extrapolation.
fn differences(module: &Module, func: &str, args: &[Value<'static>]) -> Vec<f64> {
    let at = all_floats(args);
    let value = |k: usize, by: f64| {
        let mut moved = at.clone();
        moved[k] += by;
        let mut next = moved.into_iter();
        let args = args.iter().map(|arg| with_floats(arg, &mut next)).collect();
        run(module, func, args).as_f64().expect("a scalar function")
    };
    let central = |k: usize, h: f64| (value(k, h) - value(k, -h)) / (2.0 * h);
    (0..at.len())
        .map(|k| {
            let h = 1e-4 * at[k].abs().max(1.0);
            (4.0 * central(k, h / 2.0) - central(k, h)) / 3.0
        })
        .collect()
}

fn check(source: &str, func: &str, args: Vec<Value<'static>>) {
    let (loaded, name) = load(source, func);
    let module = loaded.module();
    let (value, ours) = match gradient(module, &name, &args) {
        Ok(both) => both,
        Err(cause) => panic!("refused: {cause}"),
    };
    let expected = differences(module, &name, &args);
    assert_eq!(run(module, &name, args).as_f64(), Some(value));
    assert_eq!(ours.len(), expected.len(), "{ours:?} {expected:?}");
    for (ours, expected) in ours.iter().zip(&expected) {
        assert!((ours - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{ours} is not {expected}");
    }
}

fn vector(xs: &[f64]) -> Value<'static> {
    let elems = xs.iter().copied().map(Value::F64);
    Value::from(Array::from_values(overdub_context::ir::Ty::f64(), elems).expect("floats are of one type"))
}

fn matrix(rows: &[&[f64]]) -> Value<'static> {
    let rows: Vec<Value<'static>> = rows.iter().map(|row| vector(row)).collect();
    let elem = overdub_context::ir::Ty::array(overdub_context::ir::Ty::f64(), 1);
    Value::from(Array::from_values(elem, rows).expect("rows are vectors"))
}

#[test]
fn straight_code() {
    check(
        "pub fn f(a: f64, b: f64) -> f64 { a / (a + b * b) + (a * b).sin().exp() }",
        "f",
        vec![2.0.into(), 3.0.into()],
    );
}

#[test]
fn branches() {
    let source = "pub fn f(x: f64, y: f64) -> f64 {
        let z = if x > y { (x * y).exp() } else if x > 0.0 { x.sqrt() * y } else { y };
        let w = if z > 1.0 { z.ln() } else { z * x };
        w * z
    }";
    for (x, y) in [(1.5, 0.3), (0.5, 2.0), (-1.0, 0.7), (0.2, 0.6)] {
        check(source, "f", vec![x.into(), y.into()]);
    }
}

#[test]
fn a_loop_over_a_slice() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() - 1 {
            let a = x[i + 1] - x[i] * x[i];
            let b = 1.0 - x[i];
            s += 100.0 * a * a + b * b;
        }
        s
    }";
    check(source, "f", vec![vector(&[0.3, -0.5, 1.2, 0.7])]);
}

#[test]
fn a_recurrence() {
    let source = "pub fn f(x: f64, n: usize) -> f64 {
        let mut y = x;
        for _ in 0..n { y = (y * 1.1).sin() + x; }
        y
    }";
    check(source, "f", vec![0.4.into(), Value::from(7_usize)]);
    check(source, "f", vec![0.4.into(), Value::from(0_usize)]);
}

#[test]
fn a_loop_of_unknown_length() {
    let source = "pub fn f(a: f64) -> f64 {
        let mut x = a;
        while (x * x - a).abs() > 1e-9 { x = 0.5 * (x + a / x); }
        x
    }";
    check(source, "f", vec![2.0.into()]);
}

#[test]
fn zipped_iterators() {
    let source = "pub fn f(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y.iter()).map(|(a, b)| a * b.exp()).sum::<f64>()
    }";
    check(source, "f", vec![vector(&[0.3, -0.5, 1.2]), vector(&[2.0, 0.1])]);
}

#[test]
fn array_writes() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() { y[i] = if x[i] > 0.0 { x[i] * x[i] } else { 0.0 }; }
        for i in 1..x.len() { y[i] = y[i] * y[i - 1] + y[i]; }
        y.iter().sum()
    }";
    check(source, "f", vec![vector(&[1.7, 2.1, -1.5, -0.1, 3.1])]);
}

#[test]
fn an_argument_changed_in_place() {
    let source = "pub fn f(x: Vec<f64>) -> f64 {
        let mut x = x;
        let n = x.len();
        for k in 0..3 {
            for i in 1..n { x[i] = x[i - 1] * x[i] + (k as f64) * x[i].sin(); }
        }
        x[n - 1] * x[0]
    }";
    check(source, "f", vec![vector(&[1.1, 0.6, -0.5, 0.9])]);
}

#[test]
fn nested_vectors() {
    let source = "pub fn f(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
        let n = a.len();
        let mut c = vec![vec![0.0; n]; n];
        for i in 0..n { for j in 0..n {
            let mut s = 0.0;
            for k in 0..n { s += a[i][k] * b[k][j]; }
            c[i][j] = s;
        } }
        let mut t = 0.0;
        for i in 0..n { t += c[i][i] * c[i][(i + 1) % n]; }
        t
    }";
    let (a, b) = (matrix(&[&[1.0, 2.0], &[0.5, -1.0]]), matrix(&[&[0.3, 1.0], &[2.0, 1.5]]));
    check(source, "f", vec![a, b]);
}

#[test]
fn recursion() {
    let source = "pub fn f(x: f64) -> f64 { if x < 1.0 { 1.0 } else { x * f(x - 1.0) } }";
    check(source, "f", vec![4.5.into()]);
    check(source, "f", vec![0.5.into()]);
    let source = "pub fn f(x: &[f64], i: usize) -> f64 { if i == x.len() { 0.0 } else { x[i] * x[i] * f(x, i + 1) + x[0] } }";
    check(source, "f", vec![vector(&[0.5, 2.0, 3.0]), Value::from(0_usize)]);
}

#[test]
fn recursion_in_one_number_keeps_slopes_and_no_closures() {
    let source = "pub fn f(x: f64, n: usize) -> f64 {
        if n == 0 { x.sin() } else { f(x * 0.9, n - 1) * f(x + 0.1, n - 1) + x }
    }";
    check(source, "f", vec![0.3.into(), Value::from(5_usize)]);
    let loaded = overdub_lower::Loaded::from_source("case.rs", source).expect("it is Rust");
    let f = loaded.function("f").expect("it is there").symbol;
    let refusal = loaded
        .engine()
        .overdubbed(&ReverseTransform::new(ReverseOutput::Gradient), f)
        .expect("it is followed");
    let text = Printer::new().func(&refusal).to_string();
    assert!(text.contains("Tangent10") && !text.contains("closure"), "{text}");
}

#[test]
fn nested_loops_with_breaks() {
    let source = "pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        'outer: for i in 0..n {
            let mut j = 0;
            while j < i {
                s = s * x * 0.7 + (j as f64).sin() * s * 0.2 + 0.1;
                if s > 2.5 { break 'outer; }
                if s < -0.4 { s = -s * 0.1; break; }
                if j % 2 == 1 { j += 2; continue; }
                j += 1;
            }
            s = s.sin() * 1.5;
        }
        s
    }";
    for x in [0.3, 1.1, -0.7, 1.9] {
        for n in [0_usize, 1, 3, 6] {
            check(source, "f", vec![x.into(), Value::from(n)]);
        }
    }
}

#[test]
fn structs_and_tuples() {
    let source = "pub struct P { pub a: f64, pub b: f64, pub n: i64 }
    fn step(p: P, x: f64) -> P { P { a: p.b * x, b: p.a + p.b.sin(), n: p.n + 1 } }
    pub fn f(x: f64, y: f64) -> f64 {
        let mut p = P { a: x, b: y, n: 0 };
        while p.n < 5 { p = step(p, x); }
        let (q, r) = (p.a * p.b, p.b);
        q + r * y
    }";
    check(source, "f", vec![0.7.into(), 1.3.into()]);
}

#[test]
fn early_returns() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let mut p = 1.0;
        for (i, v) in x.iter().enumerate() {
            if *v < 0.0 { return p * v * (i as f64 + 1.0); }
            p *= v + p;
        }
        p
    }";
    check(source, "f", vec![vector(&[0.5, 2.0, 3.0])]);
    check(source, "f", vec![vector(&[0.5, 2.0, -3.0, 1.0])]);
    check(source, "f", vec![vector(&[])]);
}

#[test]
fn enums_and_options() {
    let source = "pub enum Shape { Circle(f64), Rect { w: f64, h: f64 }, Empty }
    fn grow(s: &Shape, by: f64) -> Shape {
        match s { Shape::Circle(r) => Shape::Rect { w: *r * by, h: r.sin() }, Shape::Rect { w, h } => Shape::Circle(w * h + by), Shape::Empty => Shape::Empty }
    }
    fn area(s: &Shape) -> f64 { match s { Shape::Circle(r) => 3.14 * r * r, Shape::Rect { w, h } => w * h, Shape::Empty => 0.5 } }
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = if n == 3 { Shape::Empty } else { Shape::Circle(x) };
        for i in 0..n { s = grow(&s, x + i as f64); }
        let first: Option<f64> = if n > 1 { Some(x * 3.0) } else { None };
        area(&s) + first.unwrap_or(x * 0.5)
    }
    pub fn g(s: &Shape, x: f64) -> f64 { area(s) * x }";
    for n in [0_usize, 1, 2, 3, 4] {
        check(source, "f", vec![0.7.into(), Value::from(n)]);
    }
}

#[test]
fn trees() {
    let source = "pub enum Tree { Leaf(f64), Node(Box<Tree>, f64, Box<Tree>) }
    fn grow(x: f64, depth: usize) -> Tree {
        if depth == 0 { Tree::Leaf(x.sin()) } else {
            Tree::Node(Box::new(grow(x * 0.9, depth - 1)), x * x, Box::new(grow(x + 0.3, depth - 1)))
        }
    }
    fn fold(t: &Tree) -> f64 { match t { Tree::Leaf(x) => x * x, Tree::Node(l, w, r) => fold(l) * w + fold(r) } }
    pub fn f(x: f64, depth: usize) -> f64 { fold(&grow(x, depth)) }";
    check(source, "f", vec![0.7.into(), Value::from(3_usize)]);
}

#[test]
fn closures() {
    let source = "fn integrate(f: &dyn Fn(f64) -> f64, n: usize) -> f64 { (0..n).map(|i| f(i as f64 / n as f64)).sum::<f64>() }
    fn deep(g: impl Fn(f64) -> f64 + Copy, x: f64, n: usize) -> f64 { if n == 0 { g(x) } else { deep(g, g(x), n - 1) } }
    pub fn f(x: f64, y: f64) -> f64 { deep(move |z| z.sin() * x + y, y, 4) }
    pub fn h(x: f64) -> f64 { integrate(&|t| (t * x).exp(), 5) }";
    check(source, "f", vec![0.7.into(), 0.2.into()]);
}

#[test]
fn growing_vectors() {
    let source = "pub fn f(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        for a in x { v.push(a * a); v.push(a.sin()); }
        v.swap(0, 1);
        v.reverse();
        let n = v.len();
        v.truncate(n - 1);
        let w: Vec<f64> = v.iter().map(|a| a * 2.0).collect();
        let mut s = 0.0;
        for (a, b) in v.iter().zip(w.iter()) { s = s * a + b; }
        s
    }";
    check(source, "f", vec![vector(&[0.5, 1.2, -0.3])]);
}

#[test]
fn fields_with_vectors() {
    let source = "pub struct M { pub data: Vec<f64>, pub cols: usize, pub scale: f64 }
    impl M { fn at(&self, i: usize, j: usize) -> f64 { self.data[i * self.cols + j] * self.scale }
        fn set(&mut self, i: usize, j: usize, x: f64) { let c = self.cols; self.data[i * c + j] = x; } }
    pub fn f(m: &M, x: f64) -> f64 {
        let mut n = M { data: m.data.clone(), cols: m.cols, scale: x };
        for i in 0..2 { for j in 0..2 { let v = m.at(i, j) * n.at(j, i); n.set(i, j, v); } }
        n.at(0, 1) * n.at(1, 0) + n.at(1, 1)
    }
    pub fn g(a: f64, b: f64) -> f64 { let m = M { data: vec![a, b, a * b, 2.0], cols: 2, scale: a }; f(&m, b) }";
    check(source, "g", vec![0.5.into(), 1.7.into()]);
}

#[test]
fn vectors_in_structs_in_vectors() {
    let source = "#[derive(Clone)] pub struct Body { pub mass: f64, pub at: [f64; 2], pub speed: [f64; 2] }
    fn step(bodies: &mut [Body], dt: f64) {
        for i in 0..bodies.len() { for j in i + 1..bodies.len() { for k in 0..2 {
            let d = bodies[i].at[k] - bodies[j].at[k];
            let (mi, mj) = (bodies[i].mass, bodies[j].mass);
            bodies[i].speed[k] -= d * mj * dt;
            bodies[j].speed[k] += d * mi * dt;
        } } }
        for body in bodies.iter_mut() { for (x, v) in body.at.iter_mut().zip(body.speed) { *x += dt * v; } }
    }
    pub fn f(a: f64, b: f64, dt: f64) -> f64 {
        let mut bodies = vec![Body { mass: a, at: [b, a], speed: [a * b, 0.1] }, Body { mass: b, at: [0.0, 1.0], speed: [a, b] }];
        for _ in 0..3 { step(&mut bodies, dt); }
        bodies.iter().map(|body| body.mass * body.at.iter().sum::<f64>()).sum()
    }";
    check(source, "f", vec![0.5.into(), 1.3.into(), 0.1.into()]);
}
