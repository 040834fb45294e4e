//! Fast arithmetic: sums of loops are added in any order, and differ from those of the engine in the last digits alone.

mod compiled;

use overdub_ad::GradientRoute;
use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_export::{Arithmetic, Derivative, Export, Failures, Printed};
use overdub_lower::Loaded;

use compiled::outcomes;

/// Functions `f(x: &[f64], y: &[f64]) -> f64` of lists of the same length, and whether the text has a sum in any order.
const SUMS: &[(&str, bool)] = &[
    ("let mut sum = 0.0; for i in 0..x.len() { sum += x[i] * y[i]; } sum", true),
    ("let mut sum = 1.0; for i in 0..x.len() { let d = x[i] - y[i]; sum = d * d + sum; } sum.sqrt()", true),
    ("let mut sum = 1.0; for i in 0..x.len() { sum -= x[i] * 0.1 * y[i]; } sum", true),
    ("x.iter().map(|x| x * y[0]).sum::<f64>() * if y.is_empty() { 1.0 } else { y[0] }", true),
    ("let mut sum = 1.0; for i in 0..x.len() { sum -= (x[i] * 0.1).sin() * y[i]; } sum", true),
    // The order matters, or the loop has two counters, or lengthens a list, that of its records.
    ("x.iter().zip(y).map(|(x, y)| x * y).sum()", false),
    ("let mut sum = 1.0; for i in 0..x.len() { sum -= (x[i] * 0.1).sin() * y[i % 3]; } sum", false),
    ("let mut product = 1.0; for i in 0..x.len() { product *= x[i] - y[i]; } product", false),
    ("let mut sum = 0.0; for i in 0..x.len() { sum = sum * 0.5 + x[i] * y[i]; } sum", false),
    ("let (mut a, mut b) = (0.0, 0.0); for i in 0..x.len() { a += x[i]; b += a * y[i]; } b", false),
    ("let mut sum = 0.0; for i in 0..x.len() { if x[i] > y[i] { sum += x[i]; } } sum", false),
];

fn list(len: usize, seed: f64) -> Vec<f64> {
    (0..len).map(|i| (seed * (i + 1) as f64).sin()).collect()
}

/// The numbers in the debug form of a value.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    text.split(|c| !is_part(c)).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn sums_differ_in_the_last_digits_alone() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (body, is_sum) in SUMS {
        let source = format!("pub fn f(x: &[f64], y: &[f64]) -> f64 {{ {body} }}");
        let loaded = Loaded::from_source("sums.rs", &source).expect("it is a program");
        let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
        let route = GradientRoute::new(&engine, f.symbol, f.ir_ret, &|_| true);
        for len in [0, 1, 15, 16, 17, 40, 100] {
            let args = vec![Value::floats(list(len, 0.7)), Value::floats(list(len, 1.3))];
            let (value, gradient) = route.run(args.clone()).expect("it runs");
            let mut all = floats(&value);
            all.extend(gradient.iter().flat_map(floats));
            let export = Export::new(&engine).with_arithmetic(Arithmetic::Fast);
            let export =
                export.derivative(f.symbol, Derivative::ValueAndGradient, &[true; 2], "exported", "");
            let export = export.expect("it has a gradient");
            let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
            let export = export.with_main(args.into_iter().zip(types).collect(), Printed::Debug);
            let text = export.rust().expect("it is exported");
            assert_eq!(text.contains("sum_of("), *is_sum, "{text}");
            assert!(!text.contains("mul_zero"), "{text}");
            texts.push(text);
            expected.push(all);
        }
    }
    for ((expected, text), outcome) in expected.iter().zip(&texts).zip(outcomes("fast", &texts)) {
        let found = numbers(&outcome.unwrap_or_else(|message| panic!("{message}\n{text}")));
        assert_eq!(found.len(), expected.len(), "{found:?}\n{expected:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                "{found} {expected}\n{text}"
            );
        }
    }
}

/// Functions of `x: &[f64]`, all positive, and the elementary functions of ours that the text of their gradients calls.
const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "let mut y = vec![0.0; x.len()]; for i in 0..x.len() { y[i] = (x[i] * 0.5).exp(); } y[0] + y[1]",
        &["exp"],
    ),
    ("let mut s = 0.0; for i in 0..x.len() { s += (1.0 + (-x[i]).exp()).ln(); } s", &["exp", "ln"]),
    ("let mut y = x.to_vec(); for y in y.iter_mut() { *y = (*y - 1.0).tanh(); } y[0] * y[1]", &["tanh"]),
    ("let mut y = x.to_vec(); for y in y.iter_mut() { *y = y.powf(1.7); } y[0] * y[1]", &["powf"]),
    ("let mut s = 0.0; for i in 0..x.len() { s += x[i].sin() + x[i].cos() * x[i].sqrt(); } s", &[]),
    // Each round needs the one before, so it is not vectorised.
    ("let mut s = 0.5; for i in 0..x.len() { s = (s * x[i]).tanh(); } s", &[]),
];

#[test]
fn elementary_functions_in_loops_are_vectorisable() {
    let (mut texts, mut expected) = (Vec::new(), Vec::new());
    for (body, ours) in FUNCTIONS {
        let source = format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}");
        let loaded = Loaded::from_source("functions.rs", &source).expect("it is a program");
        let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
        let route = GradientRoute::new(&engine, f.symbol, f.ir_ret, &|_| true);
        for len in [2, 16, 101] {
            let args =
                vec![Value::floats((0..len).map(|i| 0.1 + (i * i % 37) as f64 * 0.2).collect::<Vec<f64>>())];
            let (value, gradient) = route.run(args.clone()).expect("it runs");
            let mut all = floats(&value);
            all.extend(gradient.iter().flat_map(floats));
            let text_of = |arithmetic| {
                let export = Export::new(&engine).with_arithmetic(arithmetic);
                let derivative = Derivative::ValueAndGradient;
                let export = export.derivative(f.symbol, derivative, &[true], "exported", "");
                let export = export.expect("it has a gradient");
                let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
                let args = args.clone().into_iter().zip(types).collect();
                export.with_main(args, Printed::Debug).rust().expect("it is exported")
            };
            let text = text_of(Arithmetic::Fast);
            for name in ["exp", "ln", "tanh", "sin", "cos", "powf"] {
                let is_ours = ["fast", "near", "branchless"]
                    .iter()
                    .any(|kind| text.contains(&format!("fn {name}_{kind}(")));
                assert_eq!(is_ours, ours.contains(&name), "{name}\n{text}");
            }
            let exact = text_of(Arithmetic::Exact);
            assert!(!exact.contains("_fast(") && !exact.contains("_branchless("));
            texts.push(text);
            expected.push(all);
        }
    }
    for ((expected, text), outcome) in expected.iter().zip(&texts).zip(outcomes("functions", &texts)) {
        let found = numbers(&outcome.unwrap_or_else(|message| panic!("{message}\n{text}")));
        assert_eq!(found.len(), expected.len(), "{found:?}\n{expected:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-13 * expected.abs().max(1.0),
                "{found} {expected}\n{text}"
            );
        }
    }
}

#[test]
fn a_sum_of_missing_elements_fails_as_before() {
    let source = "pub fn f(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() { sum += x[n + i] * x[i]; }
        for i in 0..x.len() { sum += x[i] / (12 / (n + i)) as f64; }
        sum
    }";
    let loaded = Loaded::from_source("sums.rs", source).expect("it is a program");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("it is there"));
    let texts = [0_usize, 1].map(|n| {
        let export = Export::new(&engine).with_arithmetic(Arithmetic::Fast).with_failures(Failures::Result);
        let export = export.function(f.symbol, "exported", "");
        let types = export.params("exported").expect("it is there").into_iter().map(|(_, ty)| ty);
        let args = [Value::floats(vec![1.0; 20]), Value::from(n)].into_iter().zip(types).collect();
        export.with_main(args, Printed::Debug).rust().expect("it is exported")
    });
    let found = outcomes("fast failures", &texts);
    let expected = ["attempt to divide by zero, sums.rs:4:", "the len is 20 but the index is 20, sums.rs:3:"];
    for (outcome, expected) in found.into_iter().zip(expected) {
        let message = outcome.expect_err("it fails");
        assert!(message.contains(expected), "{message}");
    }
}
