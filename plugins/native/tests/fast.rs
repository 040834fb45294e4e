//! Fast functions give the same bits in the interpreter and in machine code, for numbers and for arrays.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::text;
use overdub_context::value::{Array, Value};
use overdub_native::Native;
use overdub_passes::Optimised;

const PROGRAM: &str = "
fn @one(%x: f64) -> f64 {
  %a: f64 = exp %x
  %b: f64 = ln %a
  %c: f64 = sin %b
  %d: f64 = cos %c
  %p: f64 = powf %a, %d
  %e: f64 = add %p, %a
  ret %e
}
fn @narrow(%x: f32) -> f32 {
  %a: f32 = sin %x
  %b: f32 = exp %a
  %c: f32 = powf %b, %x
  ret %c
}
fn @all(%x: [f64]) -> [f64] {
  %a: [f64] = exp %x
  %b: [f64] = ln %a
  %c: [f64] = sin %b
  %d: [f64] = cos %c
  %p: [f64] = powf %a, %d
  %e: [f64] = add %p, %a
  ret %e
}
";

#[test]
fn executors_with_fast_functions_agree_to_the_bit() {
    let module = Arc::new(text::parse(PROGRAM).expect("it is well formed").module());
    let interpreted = Optimised::new(Interpreting::new()).with_fast_functions();
    let executors: [&dyn Executor; 4] = [
        &interpreted,
        &Native::new().with_fast_functions(),
        &Native::new().without_optimising().with_fast_functions(),
        // This one interprets, because the functions run only once.
        &Native::auto().with_fast_functions(),
    ];
    let x: Vec<f64> = (0..1000).map(|k| f64::from(k) * 0.37 - 180.0).collect();
    let run = |executor: &dyn Executor, name: &str, arg: Value<'static>| {
        executor.run(&module, Symbol::new(name), vec![arg]).expect("it does not fail")
    };
    let ones = |executor: &dyn Executor| {
        let of = |x: &f64| run(executor, "one", Value::F64(*x)).as_f64().expect("a float");
        Value::from(Array::from_vec(x.iter().map(of).collect::<Vec<f64>>()))
    };
    let expected = ones(executors[0]);
    for executor in executors {
        assert!(ones(executor).same(&expected));
        assert!(run(executor, "all", Value::from(Array::from_vec(x.clone()))).same(&expected));
        let narrow = |executor| run(executor, "narrow", Value::F32(0.7));
        assert!(narrow(executor).same(&narrow(executors[0])));
    }
    let std = run(&Interpreting::new(), "all", Value::from(Array::from_vec(x.clone())));
    assert!(!std.same(&expected), "they are other functions");
}
