//! Entries that a function writes itself, compared with those from products by colors.

use overdub_ad::transform::entries::{EntriesTransform, Writing};
use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{InstKind, Ty};
use overdub_context::ops::{self, OpDef};
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_sparsity::{ColoringKind, Detector, Evaluation, SparseDerivative, color};

struct Program {
    engine: Engine,
    func: Symbol,
}

fn program(source: &str) -> Program {
    let loaded = Loaded::from_source("f.rs", source).expect("the source is valid");
    let func = loaded.function("f").expect("it is there").symbol;
    Program { engine: loaded.engine(), func }
}

fn floats(n: usize) -> Value<'static> {
    Value::floats((0..n).map(|i| 0.5 + (i as f64 * 1.7).sin()).collect::<Vec<_>>())
}

fn integers(all: &[usize]) -> Value<'static> {
    Value::from(Array::from_vec(all.to_vec()))
}

/// Checks that the Jacobian by entries equals the one by products, at `others` too.
fn holds(source: &str, inputs: &[usize], args: &[Value<'static>], others: &[Value<'static>]) -> Evaluation {
    let Program { engine, func } = program(source);
    let detector = Detector::new(&engine).with_respect_to(inputs);
    let derivative = SparseDerivative::jacobian(&detector, func, args.to_vec()).expect("it has a Jacobian");
    let pattern = derivative.pattern().clone();
    let coloring = color(&pattern, ColoringKind::Column).expect("it can be colored");
    let products = SparseDerivative::with_coloring(&detector, func, args, None, pattern, coloring)
        .expect("it has products");
    for at in [args, others] {
        let (found, expected) = (derivative.evaluate(at), products.evaluate(at));
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                for (found, expected) in found.values().iter().zip(expected.values()) {
                    let differ = (found - expected).abs();
                    assert!(differ <= 1e-12 * (1.0 + expected.abs()), "{source}: {found} for {expected}");
                }
            }
            (found, expected) => assert_eq!(found.is_err(), expected.is_err(), "{found:?} {expected:?}"),
        }
    }
    derivative.explain().clone()
}

fn written(source: &str, n: usize, entries: usize) {
    let found = holds(source, &[0], &[floats(n)], &[Value::floats(vec![-0.7; n])]);
    assert_eq!(found, Evaluation::Entries { written: entries }, "{source}");
}

fn compressed(source: &str, n: usize, reason: &str) {
    match holds(source, &[0], &[floats(n)], &[Value::floats(vec![-0.7; n])]) {
        Evaluation::Compression { because, .. } => assert!(because.contains(reason), "{because}"),
        other => panic!("{source}: {other}"),
    }
}

fn of_slice(body: &str) -> String {
    format!("pub fn f(x: &[f64]) -> Vec<f64> {{ {body} }}")
}

#[test]
fn local_terms_are_written_in_one_run() {
    written(&of_slice("x.windows(3).map(|w| w[0] * w[1] - w[2].sin()).collect()"), 7, 15);
    written(&of_slice("let mut y = vec![0.0; x.len()]; for i in 0..x.len() { y[i] = x[i] * x[i]; } y"), 4, 4);
    written(&of_slice("vec![x[0] * x[1], x[2].exp() / x[0]]"), 3, 4);
    // A branch on floats selects between formulas of the same reads.
    written(&of_slice("x.iter().map(|x| if *x > 0.0 { x * x } else { x.exp() }).collect()"), 5, 5);
}

#[test]
fn terms_that_are_added_to_an_element_are_sums() {
    let assembled = "let mut y = vec![0.0; x.len()];
        for i in 1..x.len() { let flow = x[i] * x[i - 1]; y[i] += flow; y[i - 1] -= flow; } y";
    written(&of_slice(assembled), 6, 20);
    written(&of_slice("let mut y = vec![1.0; 2]; for i in 0..x.len() { y[i % 2] += x[i] * x[0]; } y"), 4, 8);
}

#[test]
fn places_that_integers_decide_are_those_of_the_integers() {
    let source =
        "pub fn f(x: &[f64], at: &[usize]) -> Vec<f64> { at.iter().map(|i| x[*i] * x[0]).collect() }";
    let args = [floats(5), integers(&[3, 1, 4])];
    let found = holds(source, &[0], &args, &[floats(5), integers(&[3, 1, 4])]);
    assert_eq!(found, Evaluation::Entries { written: 6 });
}

#[test]
fn a_length_that_changes_is_no_shape_of_the_entries() {
    let Program { engine, func } =
        program("pub fn f(x: &[f64], k: f64) -> Vec<f64> { x.iter().map(|x| k * x).collect() }");
    let args = [floats(3), Value::F64(2.0)];
    let made = SparseDerivative::jacobian(&Detector::new(&engine), func, args.to_vec()).expect("it has one");
    assert!(matches!(made.explain(), Evaluation::Entries { written: 6 }));
    assert!(made.evaluate(&[floats(4), Value::F64(2.0)]).is_err());
}

#[test]
fn what_is_not_local_is_compressed_and_says_why() {
    compressed(
        &of_slice("let mut s = 0.0; x.iter().map(|x| { s += x; s }).collect()"),
        4,
        "a loop carries what it read from one round to the next",
    );
    compressed(&of_slice("let mut y = vec![x[0]; 3]; for i in 1..3 { y[i] = x[i] * y[i - 1]; } y"), 3, "");
    compressed(
        &of_slice("let k = if x[0] > 0.0 { 1 } else { 2 }; vec![x[k] * x[0]]"),
        3,
        "floats decide which element is read",
    );
    compressed(
        &of_slice("let mut y = vec![0.0; 3]; if x[0] > 0.0 { y[0] = x[1]; } else { y[1] = x[0]; } y"),
        3,
        "floats decide which element is written",
    );
    compressed(
        &of_slice(
            "let mut y = Vec::new(); for x in x { if *x > 0.6 { y.push(*x); } } let n = y.len(); vec![x[n]]",
        ),
        5,
        "floats decide which element is read",
    );
    compressed(
        &of_slice("let mut y = vec![0.0; 2]; for i in 0..x.len() { y[i % 2] = x[i]; } y"),
        4,
        "element 0 of the result is written twice",
    );
    compressed(
        &of_slice("let mut y = vec![0.0; 2]; for i in 0..x.len() { y[i % 2] = 2.0 * y[i % 2] + x[i]; } y"),
        4,
        "an element that was written is changed by more than an addition",
    );
}

/// The number of multiplications in the function that writes the entries.
fn multiplications(source: &str, cx: &EntriesTransform) -> usize {
    let Program { engine, func } = program(source);
    let made = engine.prepare(cx, func).func().expect("it has entries");
    let insts = made.iter_blocks().flat_map(|(_, body)| &body.insts);
    let is_product = |op: &OpDef| [&ops::MUL, &ops::MUL_ZERO].iter().any(|product| **product == *op);
    insts.filter(|inst| matches!(&inst.kind, InstKind::Op { op, .. } if is_product(op))).count()
}

#[test]
fn derivatives_are_accumulated_from_the_side_with_less_to_do() {
    let counts = |source: &str| {
        let forwards = EntriesTransform::new(Writing::Set);
        [&forwards, &forwards.clone().in_few_operations()].map(|cx| multiplications(source, cx))
    };
    // Backwards: one number with ten reads.
    let product = (1..10).fold("w[0]".to_owned(), |product, at| format!("({product} * w[{at}]).sin()"));
    let source = of_slice(&format!("x.windows(10).map(|w| {product}).collect()"));
    written(&source, 12, 30);
    let [forwards, few] = counts(&source);
    assert!(2 * few < forwards, "{few} {forwards}");
    // From both sides: eight reads, two numbers between, four numbers written.
    let source = of_slice(
        "let mut y = vec![0.0; 4];
        for i in 0..x.len() - 7 {
            let (p, q, r) = (x[i], x[i + 1], x[i + 2] / x[i + 3]);
            let (a, b) = if p > 0.0 { (q.sin() * r, 1.0) } else { (r, p * q * r) };
            let c = ((a + x[i + 4]) * x[i + 5]).exp();
            let d = ((b + x[i + 6]) * x[i + 7]).exp();
            y[0] += c * d; y[1] += c / d; y[2] += (c + d).sin(); y[3] += (c - d) * c;
        }
        y",
    );
    written(&source, 9, 64);
    let [forwards, few] = counts(&source);
    assert!(few < forwards, "{few} {forwards}");
}

#[test]
fn entries_that_are_no_products_are_not_checked() {
    let source = of_slice("x.windows(2).map(|w| w[0] * w[1] + w[0].cos()).collect()");
    let forwards = EntriesTransform::new(Writing::Set);
    let few = forwards.clone().in_few_operations();
    assert_eq!(multiplications(&source, &few), multiplications(&source, &forwards));
    written(&source, 5, 8);
}

#[test]
fn a_zero_that_meets_an_infinity_is_zero() {
    let source = of_slice("x.windows(2).map(|w| (w[0] * w[1]).sqrt() + w[0]).collect()");
    let zeros = Value::floats(vec![0.0; 4]);
    let found = holds(&source, &[0], &[Value::floats(vec![2.0; 4])], std::slice::from_ref(&zeros));
    assert_eq!(found, Evaluation::Entries { written: 6 });
    let Program { engine, func } = program(&source);
    let made =
        SparseDerivative::jacobian(&Detector::new(&engine), func, vec![floats(4)]).expect("it has one");
    let found = made.evaluate(&[zeros]).expect("zeros are in its domain");
    assert_eq!(found.to_dense(), [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
}

/// Checks that the Hessian as it is evaluated equals the one by products, at another input too.
fn hessian(source: &str, args: &[Value<'static>]) -> Evaluation {
    let Program { engine, func } = program(source);
    let detector = Detector::new(&engine).with_respect_to([0]);
    let derivative =
        SparseDerivative::hessian(&detector, func, args.to_vec(), Ty::f64()).expect("it has one");
    let pattern = derivative.pattern().clone();
    let coloring = color(&pattern, ColoringKind::Star).expect("it can be colored");
    let products = SparseDerivative::with_coloring(&detector, func, args, Some(Ty::f64()), pattern, coloring)
        .expect("it has products");
    let mut other = args.to_vec();
    other[0] = Value::floats(vec![-0.7; other[0].as_array().expect("an array").len()]);
    for at in [args, &other] {
        let [found, expected] = [&derivative, &products].map(|of| of.evaluate(at).expect("it has values"));
        for (found, expected) in found.values().iter().zip(expected.values()) {
            let is_same = found == expected || found.is_nan() && expected.is_nan();
            let differ = (found - expected).abs();
            assert!(is_same || differ <= 1e-11 * (1.0 + expected.abs()), "{source}: {found} for {expected}");
        }
    }
    derivative.explain().clone()
}

#[test]
fn hessians_of_sums_of_small_terms_are_written_in_one_run() {
    let of = |body: &str| format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}");
    let rosenbrock = "let mut s = 0.0;
        for i in 0..x.len() - 1 { let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]); s += a * a + 100.0 * b * b; } s";
    for (source, written) in [
        (of(rosenbrock), 20),
        (of("x.iter().map(|x| x * x * x).sum()"), 6),
        // The reverse sweep recomputes what it would otherwise read from a tape.
        (of("x.windows(2).map(|w| (w[1] - w[0]).powi(3)).sum()"), 20),
        (of("x.windows(2).map(|w| (w[1] * w[0]).sin() / (1.0 + w[0].exp())).sum()"), 20),
        // Which terms there are may depend on integers.
        (of("(0..x.len()).map(|i| if i % 2 == 0 { x[i].exp() } else { x[i] * x[i - 1] }).sum()"), 9),
        (of("let mut s = 0.0; for i in 1..x.len() { s += x[0] * x[i] * x[i]; } s"), 15),
    ] {
        assert_eq!(hessian(&source, &[floats(6)]), Evaluation::Entries { written }, "{source}");
    }
    let by_index = "pub fn f(x: &[f64], at: &[usize], k: f64) -> f64 {
        at.iter().map(|i| (x[*i] * x[0] * k).cos()).sum() }";
    let found = hessian(by_index, &[floats(5), integers(&[3, 1, 4]), Value::F64(0.5)]);
    assert_eq!(found, Evaluation::Entries { written: 12 });
}

#[test]
fn hessians_that_are_not_local_are_compressed_and_say_why() {
    for (body, reason) in [
        ("x.iter().product()", "a loop keeps what it computed for another one"),
        (
            "let mut y = x[0]; for v in x { y = (y * v).sin(); } y",
            "a loop keeps what it computed for another one",
        ),
    ] {
        let source = format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}");
        match hessian(&source, &[floats(4)]) {
            Evaluation::Compression { because, .. } => assert!(because.contains(reason), "{body}: {because}"),
            other => panic!("{body}: {other}"),
        }
    }
    let Program { engine, func } = program("pub fn f(x: &[f64], y: &[f64]) -> f64 { x[0] * x[0] * y[0] }");
    let args = vec![floats(2), floats(2)];
    let of_two =
        SparseDerivative::hessian(&Detector::new(&engine), func, args, Ty::f64()).expect("it has one");
    let why = of_two.explain().to_string();
    assert!(why.contains("its Hessian is one in several arguments"), "{why}");
}

#[test]
fn zeros_that_meet_infinities_in_hessians_are_those_of_products() {
    // At zero the term is skipped by its factor, though its derivatives are infinite.
    let source = "pub fn f(x: &[f64], k: &[f64]) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += k[i] * x[i].sqrt() + x[i] * x[i]; } s }";
    let args = [Value::floats(vec![0.0, 4.0, 0.0]), Value::floats(vec![0.0, 1.0, 2.0])];
    assert_eq!(hessian(source, &args), Evaluation::Entries { written: 3 });
}
