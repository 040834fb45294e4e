//! Calls of a prepared function allocate nothing, and give the results and failures of runs.

mod counting;

use std::sync::Arc;

use overdub_context::engine::Executor;
use overdub_context::value::{Array, Value};
use overdub_context::{Symbol, text};
use overdub_native::{Arg, Native, OutSlot};

use counting::allocations;

const PROGRAM: &str = "
fn @dot(%xs: [f64], %ys: [f64], %k: i64) -> (f64, i64, [f64]) {
  %n: usize = len %xs
  br ^loop(0_usize, 0.0)
^loop(%i: usize, %s: f64):
  %c: bool = lt %i, %n
  br_if %c, ^body, ^done
^body:
  %x: f64 = get %xs, %i
  %y: f64 = get %ys, %i
  %p: f64 = mul %x, %y
  %t: f64 = add %s, %p
  %j: usize = add %i, 1_usize
  br ^loop(%j, %t)
^done:
  %m: i64 = neg %k
  %all: (f64, i64, [f64]) = tuple %s, %m, %ys
  ret %all
}
";

#[test]
fn a_prepared_call_gives_what_a_run_gives_and_allocates_nothing() {
    let module = Arc::new(text::parse(PROGRAM).expect("it is well formed").module());
    let native = Native::new();
    let mut caller = native.prepare(&module, Symbol::new("dot")).expect("it compiles").caller();
    let (xs, ys) = ([1.0, 2.0, 3.0], [0.5, 0.25, 4.0]);
    let vector = |x: &[f64]| Value::from(Array::from_vec(x.to_vec()));
    let args = vec![vector(&xs), vector(&ys), Value::from(7_i64)];
    let expected = native.run(&module, Symbol::new("dot"), args).expect("it runs");
    for round in 0..4 {
        let (mut dot, mut minus, mut copy) = (0.0, 0, [0.0; 3]);
        let before = allocations();
        let outs = &mut [OutSlot::F64(&mut dot), OutSlot::Int(&mut minus), OutSlot::F64s(&mut copy)];
        caller.call(&[Arg::slice(&xs), Arg::slice(&ys), Arg::scalar(7_i64)], outs).expect("it runs");
        let allocated = allocations() - before;
        assert!(round == 0 || allocated == 0, "{allocated} allocations");
        let got = Value::tuple([Value::F64(dot), Value::from(minus), vector(&copy)]);
        assert!(got.same(&expected), "{got} instead of {expected}");
    }
}

#[test]
fn what_does_not_fit_is_said_and_the_next_call_goes_on() {
    let module = Arc::new(text::parse(PROGRAM).expect("it is well formed").module());
    let mut caller = Native::new().prepare(&module, Symbol::new("dot")).expect("it compiles").caller();
    let (mut dot, mut minus, mut copy) = (0.0, 0, [0.0; 2]);
    let mut call = |xs: &[f64], last: Option<Arg<'static>>, copied: usize| {
        let args: Vec<_> = [Arg::slice(xs), Arg::slice(&[1.0, 1.0])].into_iter().chain(last).collect();
        let outs =
            &mut [OutSlot::F64(&mut dot), OutSlot::Int(&mut minus), OutSlot::F64s(&mut copy[..copied])];
        caller.call(&args, outs).map_err(|failure| failure.to_string())
    };
    let refused = |result: Result<(), String>, why: &str| {
        let error = result.expect_err("it does not fit");
        assert!(error.contains(why), "{error}");
    };
    refused(call(&[1.0; 3], Some(Arg::scalar(1_i64)), 2), "the len is 2 but the index is 2");
    refused(call(&[1.0; 2], Some(Arg::scalar(1.0)), 2), "argument 3");
    refused(call(&[1.0; 2], None, 2), "takes 3 arguments, got 2");
    refused(call(&[1.0; 2], Some(Arg::scalar(1_i64)), 1), "does not fit");
    assert_eq!(call(&[1.0; 2], Some(Arg::scalar(1_i64)), 2), Ok(()));
    assert_eq!((dot, minus, copy), (2.0, -1, [1.0, 1.0]));
}
