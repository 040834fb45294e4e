//! Exported derivatives, compiled, equal those that the engine computes, to the bit.

mod compiled;

use overdub_ad::GradientRoute;
use overdub_ad::flatten::floats;
use overdub_context::engine::Layers;
use overdub_context::ir::Ty;
use overdub_context::value::{IntoValue, Value};
use overdub_export::{Derivative, Export, ExportError, Interface, Printed};
use overdub_lower::Loaded;

use compiled::{Outcome, c, outcomes, scalars_of_text};

type Args = Vec<Value<'static>>;

/// The types of the parameters of what is exported.
fn types(export: &Export<'_>) -> Vec<Ty> {
    let params = export.params("exported").unwrap_or_else(|error| panic!("{error}"));
    params.into_iter().map(|(_, ty)| ty).collect()
}

fn xs() -> Value<'static> {
    Value::floats(vec![0.5, -1.25, 2.0, 0.75])
}

/// The product of a vector and a matrix, its elements under a root: they are differentiated with respect to both.
const ROWS: &str = "pub fn f(w: &[f64], x: &[f64]) -> f64 {
    let columns = w.len() / x.len();
    let mut sums = vec![0.0; columns];
    for i in 0..x.len() {
        let scale = x[i];
        for j in 0..columns { sums[j] += scale * w[i * columns + j]; }
    }
    sums.iter().map(|sum| sum.sqrt()).sum()
}";

/// Numbers of which some are 0 or this less than that: so are the sums of [`ROWS`], at which a root has no slope.
fn weights(len: usize, less: f64) -> Value<'static> {
    Value::floats((0..len).map(|i| (i % 5) as f64 - less).collect::<Vec<_>>())
}

/// Functions called `f`, with what is exported differently in each.
fn cases() -> Vec<(&'static str, Args)> {
    let one = || vec![Value::F64(0.7)];
    vec![
        ("pub fn f(x: f64) -> f64 { (x * x).sin() / (1.0 + x.exp()) }", one()),
        // A function that calls itself, beside an argument that holds no floats.
        (
            "fn down(x: f64, n: usize) -> f64 { if n == 0 { x.exp() } else { x * 0.5 + down(x * 0.99, n - 1) } }
            pub fn f(x: f64, n: usize) -> f64 { down(x, n) }",
            vec![Value::F64(-2.5), Value::from(300_usize)],
        ),
        // Powers, which optimisers multiply in other orders.
        ("pub fn f(x: f64, n: i32) -> f64 { x.powi(3) * (1.0 - x).powi(n) * x.powi(7) }", vec![Value::F64(0.37), Value::from(11_i32)]),
        // A counted loop, an array updated in place.
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut total = 0.0;
                for i in 0..x.len() - 1 { total += (1.0 - x[i]).powi(2) + 100.0 * (x[i + 1] - x[i] * x[i]).powi(2); }
                total
            }",
            vec![xs()],
        ),
        // A tape, and a loop that is left in its middle: the reverse sweep enters its loop there.
        (
            "pub fn f(re: f64, im: f64) -> f64 {
                let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
                while steps < 50 {
                    (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
                    if x * x + y * y > 16.0 { break; }
                    steps += 1;
                }
                (x * x + y * y).ln() / f64::powi(2.0, steps)
            }",
            vec![Value::F64(0.4), Value::F64(0.45)],
        ),
        // Nested loops, labels, an early return.
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut total = 0.0;
                'rows: for i in 0..x.len() {
                    for j in 0..x.len() {
                        if x[i] * x[j] > 3.9 { continue 'rows; }
                        if total > 100.0 { return total * x[0]; }
                        total += x[i] * x[j] * x[j];
                    }
                    total *= 1.5;
                }
                total
            }",
            vec![xs()],
        ),
        // Vectors of vectors, mutation, swaps.
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut m: Vec<Vec<f64>> = (0..3).map(|i| x.iter().map(|v| v * (i as f64 + 1.0)).collect()).collect();
                m.swap(0, 2);
                for k in 0..3 { let d = m[k][k]; for j in 0..x.len() { m[k][j] /= d + 5.0; } }
                m.iter().flatten().sum()
            }",
            vec![xs()],
        ),
        // Structs and enums.
        (
            "pub struct Point { pub x: f64, pub y: f64 }
            pub enum Shape { Circle(f64), Box { corner: Point, scale: f64 }, Nothing }
            fn area(shape: &Shape) -> f64 {
                match shape {
                    Shape::Circle(r) => 3.0 * r * r,
                    Shape::Box { corner, scale } => corner.x * corner.y * scale,
                    Shape::Nothing => 0.0,
                }
            }
            pub fn f(x: f64) -> f64 {
                let shapes = [Shape::Circle(x), Shape::Nothing, Shape::Box { corner: Point { x, y: x * x }, scale: x.cos() }];
                shapes.iter().map(area).sum()
            }",
            one(),
        ),
        // A recursive enum, boxes.
        (
            "pub enum Expr { X, Number(f64), Add(Box<Expr>, Box<Expr>), Mul(Box<Expr>, Box<Expr>) }
            fn eval(expr: &Expr, x: f64) -> f64 {
                match expr {
                    Expr::X => x,
                    Expr::Number(n) => *n,
                    Expr::Add(a, b) => eval(a, x) + eval(b, x),
                    Expr::Mul(a, b) => eval(a, x) * eval(b, x),
                }
            }
            pub fn f(x: f64) -> f64 {
                let square = Expr::Mul(Box::new(Expr::X), Box::new(Expr::X));
                eval(&Expr::Add(Box::new(square), Box::new(Expr::Number(2.5))), x)
            }",
            one(),
        ),
        // Recursion: the pullbacks of inner calls are function values.
        (
            "pub fn f(x: f64, n: u64) -> f64 { if n == 0 { x } else { f(x.sin(), n - 1) * x + f(x, n - 1) } }",
            vec![Value::F64(0.5), Value::from(4_u64)],
        ),
        // A recursive function of slices, whose pullback takes cotangents of vectors.
        (
            "fn sum(x: &[f64], out: &mut Vec<f64>) -> f64 {
                if x.len() < 2 { out.push(x[0]); return x[0] * x[0]; }
                let (a, b) = x.split_at(x.len() / 2);
                sum(a, out) * sum(b, out) + out[0]
            }
            pub fn f(x: &[f64]) -> f64 { let mut out = vec![1.0]; sum(x, &mut out) + out[2] * out[3] }",
            vec![xs()],
        ),
        // Sums of rows by a factor, which may be zero or infinite as may be the cotangents.
        (ROWS, vec![weights(40, 0.0), Value::floats(vec![1.5, 0.0])]),
        (ROWS, vec![weights(80, 0.0), Value::floats(vec![1.5, 0.5, -0.0, -1.5])]),
        (ROWS, vec![weights(40, 1.0), Value::floats(vec![1.5, f64::INFINITY])]),
        (ROWS, vec![weights(60, 1.0), Value::floats(vec![f64::NAN, 0.0, 2.0])]),
        // Sorting, text that is no result.
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut sorted = x.to_vec();
                sorted.sort_by(|a, b| b.partial_cmp(a).unwrap());
                assert!(sorted[0] >= sorted[1], \"{} before {:?}\", sorted[0], sorted);
                sorted[0] * sorted[1] + sorted[3].abs()
            }",
            vec![xs()],
        ),
        // Elements that a round stores for the next one to load: upwards, downwards, of no elements, not in each round.
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut y = x.to_vec();
                for i in 0..y.len() - 1 { y[i] = y[i] * 2.0 + x[i]; y[i + 1] = y[i + 1] * x[i] + 1.0; }
                for i in (0..y.len() - 1).rev() { y[i + 1] = y[i + 1].sin() * x[i]; y[i] += x[i] * x[i]; }
                y.iter().sum()
            }",
            vec![xs()],
        ),
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut y = vec![1.0; x.len()];
                for i in 1..x.len() { y[i - 1] = y[i - 1] * x[i]; y[i] = y[i - 1] + y[i] * x[0]; }
                y.iter().sum()
            }",
            vec![Value::floats(Vec::new())],
        ),
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut y = vec![0.5; x.len() + 2];
                for i in 0..x.len() {
                    y[i] = y[i] * x[i];
                    if x[i] > 0.0 { y[i + 1] = y[i + 1] + x[i]; }
                    y[i + 2] = y[i + 2] * x[i];
                }
                y.iter().sum()
            }",
            vec![xs()],
        ),
        (
            "pub fn f(x: &[f64]) -> f64 {
                let mut y = x.to_vec();
                for i in 0..x.len() { if i > 0 { y[i] = y[i - 1] * x[i] + 1.0; } else { y[i] = x[i] * 2.0; } }
                y.iter().sum()
            }",
            vec![xs()],
        ),
        // A factor that is zero where the other is infinite.
        ("pub fn f(x: f64) -> f64 { if x > 0.0 { (x - 0.7).sqrt() * 0.0 + x } else { x } }", one()),
    ]
}

#[test]
fn a_gradient_equals_that_of_the_engine() {
    check_gradients(|export| export.rust(), |texts| Some(outcomes("gradients", texts)));
}

#[test]
fn a_gradient_in_c_equals_that_of_the_engine() {
    check_gradients(|export| export.c(), |texts| c::outcomes("gradients", texts));
}

fn check_gradients(
    language: fn(&Export<'_>) -> Result<String, ExportError>,
    outcomes: fn(&[String]) -> Option<Vec<Outcome>>,
) {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (source, args) in cases() {
        let loaded =
            Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let (engine, f) = (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")));
        let route = GradientRoute::new(&engine, f.symbol, f.ir_ret, &|_| true);
        let (value, gradient) =
            route.run(args.clone()).unwrap_or_else(|failure| panic!("{failure}\n{source}"));
        let mut numbers = floats(&value);
        numbers.extend(gradient.iter().flat_map(floats));
        expected.push((source, numbers));
        let wrt = vec![true; args.len()];
        let export =
            Export::new(&engine).derivative(f.symbol, Derivative::ValueAndGradient, &wrt, "exported", "");
        let export = export.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let types = types(&export);
        let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
        texts.push(language(&export).unwrap_or_else(|error| panic!("{error}\n{source}")));
    }
    let Some(outcomes) = outcomes(&texts) else { return };
    for (((source, numbers), text), outcome) in expected.iter().zip(&texts).zip(outcomes) {
        let output = outcome.unwrap_or_else(|message| panic!("{message}\n{text}"));
        let numbers: Vec<String> = numbers
            .iter()
            .map(|x| if x.is_nan() { "NaN".to_owned() } else { format!("{:x}", x.to_bits()) })
            .collect();
        assert_eq!(scalars_of_text(&output, Ty::f64()), numbers, "{output}\n{source}\n{text}");
    }
}

#[test]
fn tangents_products_and_pullbacks_have_their_own_parameters() {
    let source = "pub fn f(x: &[f64], scale: f64) -> f64 { x[0] * x[0] * x[1] * scale }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let (engine, f) =
        (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol);
    let floats = |values: &[f64]| Value::floats(values.to_vec());
    let primal = || vec![floats(&[3.0, 5.0]), Value::F64(2.0)];
    let with = |more: Vec<Value<'static>>| primal().into_iter().chain(more).collect::<Args>();
    let cases: [(Derivative, &[bool], Args, &str); 9] = [
        (Derivative::Gradient, &[true, true], primal(), "([60.0, 18.0], 45.0)"),
        (Derivative::Gradient, &[true, false], primal(), "[60.0, 18.0]"),
        (Derivative::Jvp, &[true, true], with(vec![floats(&[1.0, 0.0]), Value::F64(1.0)]), "(90.0, 105.0)"),
        (Derivative::Vjp, &[true, true], with(vec![Value::F64(2.0)]), "(90.0, [120.0, 36.0], 90.0)"),
        (Derivative::Jacobian, &[true, true], primal(), "[[60.0, 18.0, 45.0]]"),
        (Derivative::Jacobian, &[false, true], primal(), "[[45.0]]"),
        (Derivative::Hvp, &[true, false], with(vec![floats(&[1.0, 0.0])]), "[20.0, 12.0]"),
        (Derivative::Hessian, &[true, false], primal(), "[[20.0, 12.0], [12.0, 0.0]]"),
        (
            Derivative::Hessian,
            &[true, true],
            primal(),
            "[[20.0, 12.0, 30.0], [12.0, 0.0, 9.0], [30.0, 9.0, 0.0]]",
        ),
    ];
    let mut texts = Vec::new();
    for (derivative, wrt, args, _) in &cases {
        let export = Export::new(&engine).derivative(f, *derivative, wrt, "exported", "");
        let export = export.unwrap_or_else(|error| panic!("{error}"));
        let types = types(&export);
        assert_eq!(types.len(), args.len(), "{derivative:?}");
        let export = export.with_main(args.iter().cloned().zip(types).collect(), Printed::Debug);
        texts.push(export.rust().unwrap_or_else(|error| panic!("{error}")));
    }
    for ((derivative, .., expected), outcome) in cases.iter().zip(outcomes("products", &texts)) {
        assert_eq!(outcome.as_deref(), Ok(*expected), "{derivative:?}");
    }
}

#[test]
fn a_jacobian_equals_that_of_the_engine() {
    let floats = |values: &[f64]| Value::floats(values.to_vec());
    // Narrow: by forward mode; wide: by reverse mode, in one sweep where there are few rows; structs, and what holds no floats.
    let cases = [
        (
            "pub fn f(r: f64, t: f64) -> (f64, f64, f64) { (r * t.cos(), r * t.sin(), r) }",
            vec![Value::F64(2.0), Value::F64(0.5)],
        ),
        (
            "pub fn f(x: &[f64]) -> (f64, usize, f64) { (x[0] * x[1], x.len(), x[2].exp()) }",
            vec![floats(&[1.0, 2.0, 3.0])],
        ),
        (
            "pub fn f(x: &[f64], n: usize) -> Vec<[f64; 2]> { x.windows(n).map(|w| [w[0] * w[1], w[1].sin()]).collect() }",
            vec![floats(&[1.0, 2.0, 3.0]), 2_usize.into_value()],
        ),
        (
            "pub fn f(x: &[f64], k: f64) -> ((f64, usize), f64) {
                let mut sums = (0.0, 0.0);
                for (i, x) in x.iter().enumerate() {
                    if *x > 0.0 { sums.0 += (x * k).sin() } else { sums.1 -= x * x * k * sums.0 }
                    if i == 6 { break; }
                }
                ((sums.0, x.len()), sums.1)
            }",
            vec![floats(&[1.0, 2.0, -3.0, 0.5, -0.25, 0.0, 4.0, 9.0, 1.0]), Value::F64(0.5)],
        ),
        (
            "pub fn f(a: f64, x: &[f64]) -> Vec<f64> { x.iter().map(|x| a * x * x).collect() }",
            vec![Value::F64(3.0), floats(&[])],
        ),
    ];
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (source, args) in cases {
        let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
        let engine = loaded.engine();
        let rows =
            overdub_ad::jacobian(&engine, f, args.clone()).unwrap_or_else(|error| panic!("{error}")).rows;
        expected.push(format!("{rows:?}"));
        let wrt = vec![true; args.len()];
        let export = Export::new(&engine).derivative(f, Derivative::Jacobian, &wrt, "exported", "");
        let export = export.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let types = types(&export);
        let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
        texts.push(export.rust().unwrap_or_else(|error| panic!("{error}\n{source}")));
    }
    for (expected, outcome) in expected.into_iter().zip(outcomes("jacobians", &texts)) {
        // The signs of zeros depend on the mode.
        let unsigned = |text: String| text.replace("-0.0,", "0.0,").replace("-0.0]", "0.0]");
        assert_eq!(outcome.map(unsigned), Ok(unsigned(expected)));
    }
}

#[test]
fn a_hessian_has_the_bits_of_that_of_the_engine() {
    let floats = |values: &[f64]| Value::floats(values.to_vec());
    // A tuple of floats, what holds no floats, a loop, calls, no floats at all, and a last value besides the result.
    let cases = [
        (
            "pub fn f(p: (f64, f64), n: usize, x: &[f64]) -> f64 { (p.0 * x[n]).sin() * p.1.exp() + x[0] * x[0] }",
            vec![
                Value::tuple([Value::F64(0.3), Value::F64(-0.2)]),
                1_usize.into_value(),
                floats(&[1.5, 2.0]),
            ],
        ),
        (
            "fn g(x: f64) -> f64 { x.tanh() }\npub fn f(x: &[f64]) -> f64 { \
             let mut s = 0.0; for i in 1..x.len() { s += g(x[i] * x[i - 1]).powi(3) / (1.0 + s * s); } s }",
            vec![floats(&[0.1, -0.7, 1.3, 2.0])],
        ),
        (
            "pub fn f(a: f32, x: &[f64]) -> f64 { x.iter().map(|x| a as f64 * x).sum() }",
            vec![Value::F32(0.1), floats(&[])],
        ),
    ];
    let (mut texts, mut in_c, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for (source, args) in cases {
        let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
        let found = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
        let engine = loaded.engine();
        let hessian = overdub_ad::hessian(&engine, found.symbol, args.clone(), found.ir_ret);
        expected.push(format!("{:?}", hessian.unwrap_or_else(|error| panic!("{error}")).rows));
        let wrt = vec![true; args.len()];
        let export = Export::new(&engine).derivative(found.symbol, Derivative::Hessian, &wrt, "exported", "");
        let export = export.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let export = export.with_source(|_, line| source.lines().nth(line as usize - 1).map(str::to_owned));
        let types = types(&export);
        let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
        texts.push(export.rust().unwrap_or_else(|error| panic!("{error}\n{source}")));
        in_c.push(export.c().unwrap_or_else(|error| panic!("{error}\n{source}")));
    }
    let in_c = c::outcomes("hessians", &in_c).unwrap_or_default();
    for (expected, outcome) in
        expected.iter().cycle().zip(outcomes("hessians", &texts).into_iter().chain(in_c))
    {
        assert_eq!(outcome.as_ref(), Ok(expected));
    }
}

#[test]
fn a_failure_has_the_message_and_the_line_of_the_program() {
    let cases = [
        (
            "pub fn f(x: &[f64], n: usize) -> f64 {\n    x[n]\n}",
            "index out of bounds: the len is 2 but the index is 7, case.rs:2:",
        ),
        (
            "pub fn f(x: &[f64], n: usize) -> f64 {\n\n    x[0] * (n - 8) as f64\n}",
            "attempt to subtract with overflow, case.rs:3:",
        ),
        (
            "pub fn f(x: &[f64], n: usize) -> f64 {\n    assert!(n < 5, \"{n} is too much\");\n    x[0]\n}",
            "7 is too much, case.rs:2:",
        ),
        (
            "pub fn f(x: &[f64], n: usize) -> f64 {\n    x[1..n].iter().sum()\n}",
            "range end index 7 out of range for slice of length 2, case.rs:2:",
        ),
    ];
    let (mut texts, mut in_c) = (Vec::new(), Vec::new());
    for (source, _) in cases {
        let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
        let engine = loaded.engine();
        let export = Export::new(&engine).function(f, "exported", "");
        let types = types(&export);
        let args = vec![Value::floats(vec![1.0, 2.0]), 7_usize.into_value()];
        let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
        texts.push(export.rust().unwrap_or_else(|error| panic!("{error}")));
        in_c.push(export.c().unwrap_or_else(|error| panic!("{error}")));
    }
    let in_c = c::outcomes("failures", &in_c).unwrap_or_default();
    let cases = cases.into_iter().cycle();
    for ((source, expected), outcome) in cases.zip(outcomes("failures", &texts).into_iter().chain(in_c)) {
        let message = outcome.expect_err(source);
        assert!(message.contains(expected), "`{expected}` is not in `{message}`");
    }
}

#[test]
fn what_has_no_counterpart_is_named_with_its_place() {
    let source = "use std::cell::Cell;\nuse std::rc::Rc;\npub fn f(x: f64) -> f64 {\n    \
                  let cells: Vec<Rc<Cell<f64>>> = (0..3).map(|_| Rc::new(Cell::new(x))).collect();\n    \
                  cells[1].set(2.0);\n    cells.iter().map(|cell| cell.get()).sum()\n}";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let engine = loaded.engine();
    let export = Export::new(&engine).function(f, "exported", "");
    for text in [export.rust(), export.c()] {
        match text {
            Err(ExportError::Unsupported { construct, span, .. }) => {
                assert!(construct.contains("cell") || construct.contains("ref f64"), "{construct}");
                assert!(span.is_known());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_context_that_changes_nothing_leaves_a_function_to_export() {
    let source = "pub fn f(x: f64) -> f64 { x * x }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let swapped = overdub_context::engine::ctx().replace("sin", "cos");
    let (under, _) = swapped.specialize(&engine, f);
    let text = Export::new(&engine).function(under, "exported", "").rust();
    assert!(text.unwrap_or_else(|error| panic!("{error}")).contains("x * x"));
}

#[test]
fn derivatives_with_respect_to_different_arguments_are_different_functions() {
    let source = "pub fn f(x: f64, y: f64) -> f64 { x * y * y }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let both = Export::new(&engine)
        .derivative(f, Derivative::Gradient, &[true, false], "of_x", "")
        .and_then(|export| export.derivative(f, Derivative::Gradient, &[false, true], "of_y", ""))
        .and_then(|export| export.rust())
        .unwrap_or_else(|error| panic!("{error}"));
    let main = "fn main() { println!(\"{:?}\", (of_x(3.0, 5.0), of_y(3.0, 5.0))); }\n";
    assert_eq!(outcomes("arguments", &[format!("{both}\n{main}")])[0].as_deref(), Ok("(25.0, 30.0)"));
    let twice = Export::new(&engine).function(f, "one", "").function(f, "two", "").rust();
    assert_eq!(twice, Err(ExportError::Twice(f)));
}

#[test]
fn products_in_loops_are_plain_first_unless_that_would_show() {
    let text = |source: &str, derivative: Derivative| {
        let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
        let (engine, f) = (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")));
        let wrt = vec![true; f.params.len()];
        let export = Export::new(&engine).derivative(f.symbol, derivative, &wrt, "exported", "");
        export.and_then(|export| export.rust()).unwrap_or_else(|error| panic!("{error}"))
    };
    let is_plain_first = |text: &str| {
        let both = text.contains("exported_by::<false>(") && text.contains("exported_by::<true>(");
        assert_eq!(both, text.contains("mul_zero_if::<STRONG>("), "{text}");
        both
    };
    for derivative in [Derivative::Gradient, Derivative::ValueAndGradient, Derivative::Vjp, Derivative::Hvp] {
        assert!(is_plain_first(&text(ROWS, derivative)), "{derivative:?}");
    }
    // What a program calls has no parameter, even where it computes the value by a gradient.
    let loaded = Loaded::from_source("case.rs", ROWS).unwrap_or_else(|error| panic!("{error}"));
    let (engine, f) = (loaded.engine(), loaded.function("f").unwrap_or_else(|error| panic!("{error}")));
    let interface = Interface::new([("w".to_owned(), false), ("x".to_owned(), false)], Ty::f64());
    let args = [weights(4, 1.0), weights(2, 0.0)].map(|value| (value, Ty::array(Ty::f64(), 1)));
    let export =
        Export::new(&engine).derivative(f.symbol, Derivative::Hessian, &[true, true], "exported", "");
    let export = export.map(|export| export.with_main(args.to_vec(), Printed::Json(interface)));
    let program = export.and_then(|export| export.rust()).unwrap_or_else(|error| panic!("{error}"));
    assert!(program.contains("fn answer(w: &[f64], x: &[f64]) -> String {"), "{program}");
    outcomes("hessian_as_json", &[program]).remove(0).unwrap_or_else(|message| panic!("{message}"));
    // Without loops, with an effect, and with products of its own with strong zeros, there is one way.
    let straight = "pub fn f(x: f64, y: f64) -> f64 { (x * y).sqrt() * x }";
    assert!(!is_plain_first(&text(straight, Derivative::Gradient)));
    let prints = "pub fn f(x: &[f64]) -> f64 { let mut s = 0.0; for x in x { println!(\"{x}\"); s += x.sqrt() * s; } s }";
    let printing = text(prints, Derivative::Gradient);
    assert!(printing.contains("mul_zero(") && !is_plain_first(&printing), "{printing}");
}

#[test]
fn a_derivative_with_respect_to_nothing_is_refused() {
    let source = "pub fn f(x: f64, n: usize) -> f64 { x * n as f64 }";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let engine = loaded.engine();
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    for derivative in [
        Derivative::Gradient,
        Derivative::ValueAndGradient,
        Derivative::Gradients,
        Derivative::ValueAndGradients,
        Derivative::Jvp,
        Derivative::Vjp,
        Derivative::Hvp,
        Derivative::Jacobian,
        Derivative::Hessian,
    ] {
        let refused = Export::new(&engine).derivative(f, derivative, &[false, true], "exported", "").err();
        assert!(
            matches!(refused, Some(ExportError::Unsupported { .. } | ExportError::Load { .. })),
            "{derivative:?}"
        );
    }
}

#[test]
fn statements_nest_as_deeply_as_the_source() {
    let depth = 700;
    let mut source = "pub fn f(x: f64, n: f64) -> f64 { let mut y = x;".to_owned();
    (0..depth).for_each(|level| source.push_str(&format!(" if n > {level}.5 {{ y = y * 1.0001 + x;")));
    source.push_str(&"}".repeat(depth));
    source.push_str(" y }");
    let loaded = Loaded::from_source("case.rs", &source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let engine = loaded.engine();
    let export = Export::new(&engine).function(f, "exported", "");
    for text in [export.rust(), export.c()] {
        assert!(text.unwrap_or_else(|error| panic!("{error}")).contains(&format!("{}.5", depth - 1)));
    }
}

/// Each is the derivative of the other.
#[test]
fn the_sine_and_the_cosine_of_an_angle_are_computed_once() {
    let source = "pub fn f(x: f64, angle: f64) -> f64 {
        let (sin, cos) = (angle.sin(), angle.cos());
        if x > 0.0 { x * cos - sin } else { x * sin * cos }
    }
    pub fn sine(x: f64, angle: f64) -> f64 { x * angle.sin() + if x > 0.0 { angle.cos() } else { 1.0 } }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is a program");
    let engine = loaded.engine();
    // In the second function only one side computes the cosine.
    for (name, sines, cosines) in [("f", 1, 1), ("sine", 1, 2)] {
        let f = loaded.function(name).expect("it is there").symbol;
        let export = Export::new(&engine);
        let export = export.derivative(f, Derivative::ValueAndGradient, &[true, true], "exported", "");
        let text = export.expect("it has a gradient").rust().expect("it is exported");
        let count = |of: &str| text.matches(of).count();
        assert_eq!((count(".sin()"), count(".cos()")), (sines, cosines), "{text}");
    }
}
