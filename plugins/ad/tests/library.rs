//! Functions of `libm`, and of modules laid out like it: derivatives by formulas, values by the functions.

use overdub_ad::dual::jvp;
use overdub_ad::flatten::floats;
use overdub_ad::transform::reverse::Transformed;
use overdub_context::Failure;
use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_lower::{Function, Loaded};

fn program(source: &str) -> (Engine, Function) {
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    (loaded.engine(), f)
}

/// The value and the slope at a number, in reverse mode; checks that forward mode gives the same.
fn slope(source: &str, x: f64) -> Result<(f64, f64), Failure> {
    let (engine, f) = program(source);
    let (y, dx) = overdub_ad::gradient(&engine, f.symbol, vec![Value::F64(x)], f.ir_ret)?;
    let (_, dy) = jvp(&engine, f.symbol, vec![Value::F64(x)], vec![Value::F64(1.0)])?;
    let (backwards, forwards) = (floats(&dx[0])[0], floats(&dy)[0]);
    assert!((backwards - forwards).abs() <= 1e-14 * forwards.abs(), "{backwards} and {forwards}");
    Ok((floats(&y)[0], backwards))
}

fn value(source: &str, x: f64) -> f64 {
    let (engine, f) = program(source);
    floats(&engine.run(f.symbol, vec![Value::F64(x)]).expect("it runs"))[0]
}

/// Compares with difference quotients of the program itself, and the value with the one without a derivative.
fn agrees_with_differences(source: &str, x: f64) {
    let (y, slope) = slope(source, x).unwrap_or_else(|failure| panic!("{failure}"));
    let h = 1e-5 * x.abs();
    let quotient = (value(source, x + h) - value(source, x - h)) / (2.0 * h);
    assert!((slope - quotient).abs() <= 1e-7 * quotient.abs().max(1.0), "{slope}, not {quotient}");
    assert_eq!(y.to_bits(), value(source, x).to_bits());
}

/// A square root by Newton's method on integers, through which no derivative passes.
const ROOT: &str = "
    pub mod math { pub mod sqrt { pub fn sqrt(x: f64) -> f64 {
        let bits = x.to_bits();
        let odd = (bits >> 52) & 1;
        let mantissa = ((bits & ((1 << 52) - 1)) | (1 << 52)) as u128;
        let scaled = mantissa << (52 + 1 - odd);
        let mut root = 1_u128 << 53;
        while root * root > scaled { root = (root + scaled / root) / 2; }
        let exponent = ((bits >> 52) as i64 + odd as i64 - 1024) / 2 + 1023;
        f64::from_bits(((exponent as u64) << 52) | (root as u64 & ((1 << 52) - 1)))
    } } }";

#[test]
fn a_function_of_libm_has_the_derivative_of_its_operation() {
    let libm = format!(
        "pub mod libm {{ {ROOT} }} pub fn f(x: f64) -> f64 {{ x * libm::math::sqrt::sqrt(x * 3.0) }}"
    );
    for x in [1.7, 5.4, 77.0] {
        agrees_with_differences(&libm, x);
    }
}

#[test]
fn in_a_loop_and_behind_a_call_too() {
    let source = format!(
        "pub mod libm {{ {ROOT} }}
        fn g(x: f64) -> f64 {{ libm::math::sqrt::sqrt(x + 2.0) }}
        pub fn f(x: f64) -> f64 {{ let mut y = x; for _ in 0..4 {{ y = y * 1.5 + g(y * x); }} y }}"
    );
    agrees_with_differences(&source, 1.3);
}

#[test]
fn the_transformation_calls_it_and_applies_the_formula() {
    let source = format!(
        "pub mod libm {{ {ROOT} }}
        pub fn f(x: f64) -> f64 {{ let mut y = x; for _ in 0..3 {{ y *= libm::math::sqrt::sqrt(y + 1.0); }} y }}"
    );
    let (engine, f) = program(&source);
    let transformed = Transformed::gradient(&engine, f.symbol, &|_| true).expect("it can be transformed");
    let (_, dx) = transformed.run(vec![Value::F64(1.3)]).expect("it runs");
    let (_, dy) = jvp(&engine, f.symbol, vec![Value::F64(1.3)], vec![Value::F64(1.0)]).expect("it runs");
    assert!((floats(&dx[0])[0] - floats(&dy)[0]).abs() < 1e-12);
}

#[test]
fn what_is_laid_out_as_libm_is_held_against_the_operation() {
    let copy = format!("{ROOT} pub fn f(x: f64) -> f64 {{ math::sqrt::sqrt(x * 3.0) }}");
    agrees_with_differences(&copy, 1.7);
    let other = "pub mod math { pub mod log { pub fn log(x: f64) -> f64 { x.log2() } } }
        pub fn f(x: f64) -> f64 { math::log::log(x) }";
    let failure = slope(other, 3.0).expect_err("it is another logarithm");
    assert!(failure.report().message.contains("its derivative is unknown"), "{failure}");
}

#[test]
fn a_remainder_by_long_division_is_held_against_its_formula() {
    // The quotient is rounded, so it is a step function: written with integers here, as in the library.
    let source = "pub mod math { pub mod remainder { pub fn remainder(x: f64, y: f64) -> f64 {
            let (mut left, by) = ((x * 1073741824.0) as i64, (y * 1073741824.0) as i64);
            while left > by / 2 { left -= by; }
            left as f64 / 1073741824.0
        } } }
        pub fn f(x: f64) -> f64 { math::remainder::remainder(x * x, x) }";
    // The remainder of 6.25 by 2.5 is -1.25 or 1.25: this is a point next to it.
    let (y, slope) = slope(source, 2.75).expect("it has one");
    assert_eq!((y, slope), (7.5625 - 3.0 * 2.75, 2.0 * 2.75 - 3.0));
}

#[test]
fn a_function_of_other_types_is_looked_into() {
    let source =
        "pub mod libm { pub mod math { pub mod round { pub fn round(x: f64, k: f64) -> f64 { x * k } } } }
        pub fn f(x: f64) -> f64 { libm::math::round::round(x, 3.0) }";
    agrees_with_differences(source, 1.7);
}

#[test]
fn functions_that_are_no_operations_have_formulas_of_their_own() {
    for (name, body, at) in [
        ("erf", "let t = 2.0 / 3.141592653589793f64.sqrt() * (x - x * x * x / 3.0); t", 1e-3),
        ("exp10", "(x * 10.0f64.ln()).exp()", 0.7),
    ] {
        let source = format!(
            "pub mod libm {{ pub mod math {{ pub mod {name} {{ pub fn {name}(x: f64) -> f64 {{ {body} }} }} }} }}
            pub fn f(x: f64) -> f64 {{ libm::math::{name}::{name}(x) }}"
        );
        let (_, slope) = slope(&source, at).unwrap_or_else(|failure| panic!("{failure}"));
        let h = 1e-6;
        let quotient = (value(&source, at + h) - value(&source, at - h)) / (2.0 * h);
        assert!((slope - quotient).abs() <= 1e-6 * quotient.abs(), "{name}: {slope}, not {quotient}");
    }
}

#[test]
fn rounding_by_a_sum_is_a_step() {
    // As in the exponential function: the remainder of rounding varies, the rounded part does not.
    let reduced = "pub fn f(x: f64) -> f64 {
        let magic = 6755399441055744.0;
        let whole = (x + magic) - magic;
        let rest = x - whole;
        rest.exp() * 2.5_f64.powi(whole as i32)
    }";
    agrees_with_differences(reduced, 3.3);
    let by_bits = "pub fn f(x: f64) -> f64 {
        let magic = f64::from_bits(0x4338000000000000) / 256.0;
        let bits = (x + magic).to_bits();
        let z = x - (f64::from_bits(bits) - magic);
        z.sin() + (bits as u32 % 7) as f64
    }";
    agrees_with_differences(by_bits, 0.3);
    // Adding a number that is merely large does not round.
    assert_eq!(slope("pub fn f(x: f64) -> f64 { (x + 1000.0) - 1000.0 }", 2.5).expect("it has one").1, 1.0);
}
