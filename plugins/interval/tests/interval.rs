//! Bounds contain what the program computes, are tight if possible, and nothing undecided is guessed.

use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};
use overdub_interval::{Interval, bounds};

fn program(source: &str) -> (Engine, Symbol) {
    let loaded = overdub_lower::Loaded::from_source("f.rs", source).expect("it is Rust");
    (loaded.engine(), loaded.function("f").expect("there is an `f`").symbol)
}

fn of(source: &str, args: &[(f64, f64)]) -> Result<Interval, Failure> {
    let (engine, f) = program(source);
    bounds(&engine, f, args.iter().map(|&(lo, hi)| Interval::new(lo, hi).expect("it is an interval")))
}

fn message(result: Result<Interval, Failure>) -> String {
    match result {
        Ok(bounds) => panic!("it gave {bounds}"),
        Err(failure) => failure.report().message.clone(),
    }
}

#[test]
fn the_bounds_of_each_function_hold_its_values_all_over_the_interval() {
    let everywhere = (-2.5, 3.5);
    let positive = (0.1, 3.0);
    let unit = (-0.9, 0.8);
    let cases = [
        ("-x", everywhere),
        ("x.abs()", everywhere),
        ("x * x", everywhere),
        ("x * x * x - x", everywhere),
        ("1.0 / (x.powi(2) + 1.0)", everywhere),
        ("x.sin()", everywhere),
        ("x.cos()", everywhere),
        ("x.exp()", everywhere),
        ("x.exp2()", everywhere),
        ("x.exp_m1()", everywhere),
        ("x.cbrt()", everywhere),
        ("x.sinh()", everywhere),
        ("x.cosh()", everywhere),
        ("x.tanh()", everywhere),
        ("x.asinh()", everywhere),
        ("x.atan()", everywhere),
        ("x.powi(2)", everywhere),
        ("x.powi(3)", everywhere),
        ("x.floor()", everywhere),
        ("x.ceil()", everywhere),
        ("x.round()", everywhere),
        ("x.trunc()", everywhere),
        ("x.max(1.0)", everywhere),
        ("x.min(1.0)", everywhere),
        ("x.hypot(2.0)", everywhere),
        ("x.mul_add(x, x)", everywhere),
        ("x.sqrt()", positive),
        ("x.ln()", positive),
        ("x.ln_1p()", positive),
        ("x.log2()", positive),
        ("x.log10()", positive),
        ("x.recip()", positive),
        ("x.powi(-2)", positive),
        ("x.powf(1.5)", positive),
        ("x.powf(-0.5)", positive),
        ("x.powf(3.0)", everywhere),
        ("(x + 2.0).acosh()", positive),
        ("x.asin()", unit),
        ("x.acos()", unit),
        ("x.atanh()", unit),
        ("x.tan()", unit),
    ];
    for (body, (lo, hi)) in cases {
        let (engine, f) = program(&format!("pub fn f(x: f64) -> f64 {{ {body} }}"));
        let bounds = bounds(&engine, f, [Interval::new(lo, hi).expect("it is an interval")]);
        let bounds = bounds.unwrap_or_else(|failure| panic!("{body}: {failure}"));
        for i in 0..=50 {
            let x = lo + (hi - lo) * f64::from(i) / 50.0;
            let y = engine.run(f, vec![Value::F64(x)]).expect("it runs").as_f64().expect("it is a float");
            assert!(bounds.holds(y), "{body} at {x} is {y}, not in {bounds}");
        }
    }
}

#[test]
fn a_sum_that_is_not_exact_has_its_exact_value_between_neighbours() {
    let sum = of("pub fn f(x: f64) -> f64 { x + 0.2 }", &[(0.1, 0.1)]).expect("it has bounds");
    // 0.1 + 0.2 is rounded up to 0.30000000000000004.
    assert_eq!((sum.lo(), sum.hi()), (0.3, 0.1 + 0.2));
}

#[test]
fn exact_arithmetic_stays_a_point() {
    let y = of("pub fn f(x: f64) -> f64 { (x * 3.0 - 1.5) / 0.25 + (x * x).sqrt() }", &[(2.0, 2.0)]);
    assert_eq!(y.expect("it has bounds"), Interval::point(20.0).expect("it is a number"));
}

#[test]
fn extremes_inside_the_interval_are_found() {
    let sin = of("pub fn f(x: f64) -> f64 { x.sin() }", &[(1.0, 2.0)]).expect("it has bounds");
    assert_eq!((sin.hi(), sin.lo() > 0.84), (1.0, true));
    let square = of("pub fn f(x: f64) -> f64 { x.powi(2) }", &[(-1.0, 2.0)]).expect("it has bounds");
    assert_eq!((square.lo(), square.hi()), (0.0, 4.0));
}

#[test]
fn a_loop_over_an_array_has_bounds() {
    let source = "pub fn f(x: f64) -> f64 {
        let xs = [x, 2.0 * x, 3.0 * x];
        let mut sum = 0.0;
        for x in xs.iter() { sum += x * x; }
        sum
    }";
    let sum = of(source, &[(1.0, 2.0)]).expect("it has bounds");
    assert_eq!((sum.lo(), sum.hi()), (14.0, 56.0));
}

#[test]
fn a_comparison_that_holds_for_all_numbers_is_decided() {
    let source = "pub fn f(x: f64) -> f64 { if x > 0.5 { x } else { -x } }";
    assert_eq!(of(source, &[(1.0, 2.0)]).expect("it has bounds").lo(), 1.0);
    assert_eq!(of(source, &[(-1.0, 0.5)]).expect("it has bounds").hi(), 1.0);
}

#[test]
fn a_comparison_of_intervals_that_overlap_is_refused() {
    let source = "pub fn f(x: f64) -> f64 { if x > 0.5 { x } else { -x } }";
    let failure = of(source, &[(0.0, 1.0)]).expect_err("it may be either");
    assert_eq!(failure.report().message, "`[0.0, 1.0] > [0.5, 0.5]` is undecided");
    assert_eq!((failure.report().span.file.as_str(), failure.report().span.line), ("f.rs", 1));
}

#[test]
fn what_is_not_defined_everywhere_is_refused() {
    let root = of("pub fn f(x: f64) -> f64 { x.sqrt() }", &[(-1.0, 1.0)]);
    assert_eq!(message(root), "the square root of [-1.0, 1.0], which reaches below zero");
    let quotient = of("pub fn f(x: f64) -> f64 { 1.0 / x }", &[(-1.0, 1.0)]);
    assert_eq!(message(quotient), "division by [-1.0, 1.0], which holds zero");
    let log = of("pub fn f(x: f64) -> f64 { x.ln() }", &[(-1.0, 1.0)]);
    assert_eq!(message(log), "`ln` is not defined on all of [-1.0, 1.0]");
}

#[test]
fn what_needs_one_number_is_refused_where_there_are_more() {
    let source = "pub fn f(x: f64) -> f64 { (x as i64) as f64 }";
    assert_eq!(of(source, &[(2.0, 2.0)]).expect("it is one number").lo(), 2.0);
    assert!(message(of(source, &[(2.0, 2.5)])).starts_with("[2.0, 2.5] is not one number"));
}
