//! Where a program is stopped, and where it is not.

use overdub_context::engine::Engine;
use overdub_context::text::Parser;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};
use overdub_nan::Nan;

const NESTED: &str = "\
fn @ratio(%a: f64, %b: f64) -> f64 {
  %q: f64 = div %a, %b
  ret %q
}
fn @f(%x: f64, %y: f64) -> f64 {
  %d: f64 = sub %x, %y
  %q: f64 = call @ratio(1.0, %d)
  %z: f64 = mul %q, 0.0
  ret %z
}
";

fn run(cx: Nan, text: &str, args: Vec<Value<'static>>) -> Result<Value<'static>, Failure> {
    let program = Parser::new().file("f.ir").parse(text).expect("the text is a program");
    Engine::new(program.module()).overdub(&cx, "f", args)
}

fn floats<const N: usize>(xs: [f64; N]) -> Vec<Value<'static>> {
    xs.map(Value::F64).into()
}

#[test]
fn the_first_call_that_makes_an_infinity_is_named_with_arguments_line_and_stack() {
    let failure = run(Nan::new(), NESTED, floats([2.0, 2.0])).expect_err("1 / 0 is infinite");
    let report = failure.report();
    assert_eq!(report.message, "`div(1.0, 0.0)` makes inf out of finite numbers");
    assert_eq!((report.kind, report.span.file.as_str(), report.span.line), (FailureKind::Domain, "f.ir", 2));
    let lines: Vec<(bool, u32)> =
        report.stack.iter().map(|entry| (entry.func.starts_with("ratio"), entry.span.line)).collect();
    assert_eq!(lines, [(true, 2), (false, 7)]);
}

#[test]
fn a_nan_that_an_infinity_became_is_found_where_infinities_are_fine() {
    let failure = run(Nan::without_infinities(), NESTED, floats([2.0, 2.0])).expect_err("inf * 0 is NaN");
    assert_eq!(failure.report().message, "`mul(inf, 0.0)` makes NaN out of other numbers");
    assert_eq!(failure.report().span.line, 8);
}

#[test]
fn a_program_without_faults_gives_its_value() {
    let value = run(Nan::new(), NESTED, floats([3.0, 2.0])).expect("nothing is wrong");
    assert_eq!(value.as_f64(), Some(0.0));
}

#[test]
fn a_nan_that_was_given_is_not_a_fault() {
    let value = run(Nan::new(), NESTED, floats([f64::NAN, 2.0])).expect("it was there before");
    assert!(value.as_f64().is_some_and(f64::is_nan));
}

#[test]
fn a_nan_that_is_written_down_is_not_a_fault() {
    let text = "fn @f(%x: f64) -> f64 {\n  %y: f64 = max %x, nan\n  ret nan\n}";
    assert!(run(Nan::new(), text, floats([1.0])).expect("it is meant").as_f64().is_some_and(f64::is_nan));
}

#[test]
fn a_fault_in_an_array_is_found() {
    let text = "fn @f(%xs: [f64]) -> [f64] {\n  %ys: [f64] = ln %xs\n  ret %ys\n}";
    let failure = run(Nan::new(), text, vec![Value::floats(vec![1.0, 0.0])]).expect_err("ln 0 is infinite");
    assert_eq!(failure.report().message, "`ln([1.0, 0.0])` makes -inf out of finite numbers");
}

#[test]
fn taking_a_nan_out_of_an_array_is_not_a_fault() {
    let text = "fn @f(%xs: [f64]) -> f64 {\n  %x: f64 = get %xs, 0_usize\n  ret %x\n}";
    let value = run(Nan::new(), text, vec![Value::floats(vec![f64::NAN])]).expect("nothing is computed");
    assert!(value.as_f64().is_some_and(f64::is_nan));
}

#[test]
fn a_number_too_large_for_a_narrower_type_is_found() {
    let text = "fn @f(%x: f64) -> f32 {\n  %y: f32 = cast %x\n  ret %y\n}";
    let failure = run(Nan::new(), text, floats([1e300])).expect_err("it is infinite as an f32");
    assert_eq!(failure.report().message, "`cast(1e300)` makes inf out of finite numbers");
}

#[test]
fn a_rust_program_that_uses_infinity_as_a_bound_is_not_stopped() {
    let source = "pub fn f(xs: &[f64]) -> f64 {
        xs.iter().fold(f64::INFINITY, |least, &x| least.min(x))
    }";
    let loaded = overdub_lower::Loaded::from_source("least.rs", source).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    let engine = loaded.engine();
    let value = engine.overdub(&Nan::new(), symbol, vec![Value::floats(vec![3.0, 1.0, 2.0])]);
    assert_eq!(value.expect("nothing is wrong").as_f64(), Some(1.0));
}
