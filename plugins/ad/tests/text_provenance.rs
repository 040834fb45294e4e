//! Floats that are formatted as text: parsing the text loses no derivative silently.

use overdub_ad::dual::jvp;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};
use overdub_lower::Loaded;

const LOST: &str = "a derivative is lost where a float that was made text is read from it";

/// The derivatives of a function of a float in every mode, with the mode's name.
fn all_modes(
    engine: &Engine,
    f: Symbol,
    ret: overdub_context::ir::Ty,
    x: f64,
) -> Vec<(&'static str, Result<f64, Failure>)> {
    let args = || vec![Value::F64(x)];
    let float = |value: &Value<'static>| overdub_ad::flatten::floats(value)[0];
    vec![
        ("reverse", overdub_ad::gradient(engine, f, args(), ret).map(|(_, dx)| float(&dx[0]))),
        ("forward", jvp(engine, f, args(), args_of(1.0)).map(|(_, dy)| float(&dy))),
        (
            "recorded",
            overdub_ad::tape::record(engine, f, args())
                .and_then(|back| back.pullback.pull(&[1.0]))
                .map(|dx| float(&dx[0])),
        ),
        ("second", overdub_ad::hessian(engine, f, args(), ret).map(|found| found.gradient[0])),
    ]
}

fn args_of(x: f64) -> Vec<Value<'static>> {
    vec![Value::F64(x)]
}

#[test]
fn a_derivative_that_text_loses_is_an_error_at_its_line_in_every_mode() {
    for source in [
        "pub fn f(x: f64) -> f64 {\n    let s = format!(\"{x:?}\");\n    s.parse::<f64>().unwrap() * x\n}",
        // Through a call that is not inlined, and with other text around it.
        "pub fn f(x: f64) -> f64 { g(&format!(\"-{x}\"), x, 3) }\nfn g(s: &str, x: f64, n: u32) -> f64 {\n    if n == 0 { s.parse::<f64>().unwrap() } else { g(s, x, n - 1) }\n}",
        // Through an iterator over its characters.
        "pub fn f(x: f64) -> f64 {\n    let s = format!(\"{:e}\", 2.0 * x);\n    s.chars().filter(|c| *c != '+').collect::<String>().parse().unwrap_or(0.0)\n}",
        // Next to text that is constant.
        "pub fn f(x: f64) -> f64 {\n    let words = [\"1.5\".to_string(), x.to_string()];\n    words.iter().map(|w| w.parse::<f64>().unwrap()).product::<f64>() * x\n}",
    ] {
        let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
        for (mode, found) in all_modes(&loaded.engine(), f.symbol, f.ir_ret, 2.7) {
            let Err(failure) = found else { panic!("{mode} gives {found:?}: {source}") };
            assert_eq!(failure.report().message, LOST, "{mode}: {source}");
            assert_eq!(overdub_lower::user_span(failure.report()).line, 3, "{mode}: {source}");
        }
    }
}

#[test]
fn text_that_is_shown_compared_or_constant_loses_nothing() {
    for (source, dx) in [
        ("pub fn f(x: f64) -> f64 { println!(\"{x:?} {x}\"); \"2.5\".parse::<f64>().unwrap() * x }", 2.5),
        ("pub fn f(x: f64) -> f64 { assert!(x > 0.0, \"bad {x}\"); x * x.to_string().len() as f64 }", 3.0),
        (
            "pub fn f(x: f64) -> f64 { if x.to_string().parse::<f64>().unwrap() > 1.0 { x * x } else { x } }",
            5.4,
        ),
        (
            "pub fn f(x: f64) -> f64 { \"1.5,2.25;3\".split([',', ';']).map(|w| { println!(\"{x}\"); w.parse::<f64>().unwrap() * x }).sum() }",
            6.75,
        ),
        // Rounded text is a step function.
        ("pub fn f(x: f64) -> f64 { format!(\"{x:.1}\").parse::<f64>().unwrap() * x }", 2.7),
    ] {
        let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
        for (mode, found) in all_modes(&loaded.engine(), f.symbol, f.ir_ret, 2.7) {
            let found = found.unwrap_or_else(|failure| panic!("{mode}: {failure}: {source}"));
            assert!((found - dx).abs() < 1e-12, "{mode} gives {found}, not {dx}: {source}");
        }
    }
}

#[test]
fn time_is_a_constant_to_derivatives() {
    let source = "use std::time::*;
pub fn f(x: f64) -> f64 {
    let t = Instant::now();
    let mut y = x;
    while t.elapsed() < Duration::from_micros(300) {
        y = y * 1.0;
    }
    y * x + (t.elapsed().as_secs_f64() * 0.0)
}";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    for (mode, found) in all_modes(&loaded.engine(), f.symbol, f.ir_ret, 2.0) {
        let found = found.unwrap_or_else(|failure| panic!("{mode}: {failure}"));
        assert!((found - 4.0).abs() < 1e-12, "{mode} gives {found}");
    }
}

#[test]
fn a_window_whose_size_is_its_capacity_has_derivatives() {
    let source = "pub fn f(x: f64) -> f64 {
    let mut w = Vec::with_capacity(2);
    let mut sum = 0.0;
    for k in 0..5 {
        if w.len() == w.capacity() { w.remove(0); }
        w.push(x * k as f64);
        sum += w.iter().product::<f64>();
    }
    sum
}";
    // 0 + 0 x^2 + 2 x^2 + 6 x^2 + 12 x^2
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    for (mode, found) in all_modes(&loaded.engine(), f.symbol, f.ir_ret, 1.5) {
        let found = found.unwrap_or_else(|failure| panic!("{mode}: {failure}"));
        assert!((found - 60.0).abs() < 1e-12, "{mode} gives {found}");
    }
}
