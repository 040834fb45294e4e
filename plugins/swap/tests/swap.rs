//! What is replaced, and what is left alone.

use std::sync::Arc;

use overdub_context::engine::Engine;
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use overdub_swap::Swap;

const PROGRAM: &str = "\
fn @\"geometry::area\"(%r: f64) -> f64 {
  %s: f64 = mul %r, %r
  ret %s
}
fn @\"geometry::doubled\"(%r: f64) -> f64 {
  %a: f64 = call @\"geometry::area\"(%r)
  %d: f64 = add %a, %a
  ret %d
}
fn @f(%r: f64) -> f64 {
  %a: f64 = call @\"geometry::area\"(%r)
  %b: f64 = add %a, 1.0
  ret %b
}
";

fn engine() -> Engine {
    Engine::new(text::parse(PROGRAM).expect("the text is a program").module())
}

fn f(swap: &Swap, r: f64) -> Option<f64> {
    engine().overdub(swap, "f", vec![Value::F64(r)]).expect("the program runs").as_f64()
}

#[test]
fn an_operation_is_replaced_in_callees_too() {
    assert_eq!(f(&Swap::new().put("add", "mul"), 5.0), Some(11.0));
}

#[test]
fn a_wrapping_function_may_call_what_it_stands_for() {
    assert_eq!(f(&Swap::new().wrap("geometry::doubled", "area"), 3.0), Some(19.0));
}

#[test]
fn the_last_word_about_a_function_holds() {
    assert_eq!(f(&Swap::new().put("sub", "mul").put("add", "mul"), 5.0), Some(11.0));
}

#[test]
fn a_name_is_not_the_end_of_another_name() {
    let failure = engine().overdub(&Swap::new().put("sub", "rea"), "f", vec![Value::F64(3.0)]);
    let failure = failure.expect_err("nothing is called `rea`");
    assert!(failure.to_string().contains("`rea`"), "{failure}");
    assert!(
        failure.report().help.as_ref().is_some_and(|help| help.contains("`geometry::area`")),
        "{failure:?}"
    );
}

#[test]
fn replacing_nothing_gives_the_same_function() {
    let engine = engine();
    let plain = engine.program().func(Symbol::new("f")).expect("it can be had").expect("it is there");
    let under = engine.overdubbed(&Swap::new(), "f").expect("it can be had");
    assert!(Arc::ptr_eq(&plain, &under));
}

#[test]
fn a_function_of_other_types_is_refused() {
    let failure = engine().overdub(&Swap::new().put("len", "mul"), "f", vec![Value::F64(1.0)]);
    let message = failure.expect_err("`len` takes no floats").to_string();
    assert!(message.contains("len"), "{message}");
}
