//! Calls of functions of floats and vectors of floats, which machine code enters directly after some, give what runs give.

mod counting;

use std::sync::Arc;

use overdub_context::engine::Executor;
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use overdub_native::{Arg, Caller, Native, OutSlot};

use counting::allocations;

/// More calls than are made before the thunk for direct calls is compiled.
const CALLS: usize = 300;

const PROGRAM: &str = "
fn @scaled(%xs: [f64], %k: f64, %at: f64) -> (f64, [f64], f64) {
  %n: usize = len %xs
  %ys: [f64] = repeat 0.0, %n
  br ^loop(0_usize, %ys)
^loop(%i: usize, %zs: [f64]):
  %c: bool = lt %i, %n
  br_if %c, ^body, ^done
^body:
  %x: f64 = get %xs, %i
  %y: f64 = mul %x, %k
  %next: [f64] = set %zs, %i, %y
  %j: usize = add %i, 1_usize
  br ^loop(%j, %next)
^done:
  %index: usize = cast %at
  %found: f64 = get %zs, %index
  %all: (f64, [f64], f64) = tuple %found, %zs, %k
  ret %all
}

fn @same(%xs: [f64], %ys: [f64]) -> ([f64], [f64]) {
  %both: ([f64], [f64]) = tuple %ys, %xs
  ret %both
}

fn @deep(%x: f64, %n: f64) -> f64 {
  %done: bool = le %n, 0.0
  br_if %done, ^end, ^more
^end:
  ret %x
^more:
  %m: f64 = sub %n, 1.0
  %y: f64 = call @deep(%x, %m)
  %z: f64 = add %y, 1.0
  ret %z
}
";

fn caller(func: &str) -> Caller {
    let module = Arc::new(text::parse(PROGRAM).expect("it is well formed").module());
    Native::new().prepare(&module, Symbol::new(func)).expect("it compiles").caller()
}

/// Calls `scaled`: what it writes, or its failure with the call stack.
fn scaled(caller: &mut Caller, xs: &[f64], at: f64, room: usize) -> Result<(f64, Vec<f64>, f64), String> {
    let (mut found, mut ys, mut k) = (-1.0, vec![-1.0; room], -1.0);
    let outs = &mut [OutSlot::F64(&mut found), OutSlot::F64s(&mut ys), OutSlot::F64(&mut k)];
    let called = caller.call(&[Arg::slice(xs), Arg::F64(0.5), Arg::F64(at)], outs);
    called.map_err(|failure| format!("{failure:?}"))?;
    Ok((found, ys, k))
}

#[test]
fn direct_calls_write_the_results_of_runs_and_allocate_nothing() {
    let mut caller = caller("scaled");
    for round in 0..CALLS {
        let x = round as f64;
        let (xs, mut found, mut ys, mut k) = ([x, 1.0, 4.0], 0.0, [-1.0; 3], 0.0);
        let outs = &mut [OutSlot::F64(&mut found), OutSlot::F64s(&mut ys), OutSlot::F64(&mut k)];
        let before = allocations();
        caller.call(&[Arg::slice(&xs), Arg::F64(0.5), Arg::F64(2.0)], outs).expect("it runs");
        let allocated = allocations() - before;
        assert!(round < CALLS - 50 || allocated == 0, "{allocated} allocations in round {round}");
        assert_eq!((found, ys, k), (2.0, [0.5 * x, 0.5, 2.0], 0.5));
    }
}

#[test]
fn direct_calls_fail_as_the_first_call_does_and_the_next_one_runs() {
    let mut caller = caller("scaled");
    let xs = [2.0, 4.0];
    let failure = scaled(&mut caller, &xs, 7.0, 2);
    assert!(failure.as_ref().is_err_and(|failure| failure.contains("index")), "{failure:?}");
    let misfit = scaled(&mut caller, &xs, 0.0, 3);
    assert!(misfit.as_ref().is_err_and(|failure| failure.contains("does not fit")), "{misfit:?}");
    for _ in 0..CALLS {
        assert_eq!(scaled(&mut caller, &xs, 1.0, 2), Ok((2.0, vec![1.0, 2.0], 0.5)));
    }
    for _ in 0..3 {
        assert_eq!(scaled(&mut caller, &xs, 7.0, 2), failure);
        assert_eq!(scaled(&mut caller, &xs, 0.0, 3), misfit);
        assert_eq!(scaled(&mut caller, &xs, 0.0, 2), Ok((1.0, vec![1.0, 2.0], 0.5)));
        assert_eq!(scaled(&mut caller, &[], 0.0, 0), scaled(&mut self::caller("scaled"), &[], 0.0, 0));
    }
}

#[test]
fn other_types_than_expected_are_refused_by_direct_calls_too() {
    let mut caller = caller("scaled");
    let xs = [2.0, 4.0];
    for _ in 0..CALLS {
        scaled(&mut caller, &xs, 1.0, 2).expect("it runs");
    }
    let (mut found, mut ys, mut k, mut int) = (0.0, [0.0; 2], 0.0, 0);
    let mut refused = |args: &[Arg<'_>], why: &str| {
        let outs = &mut [OutSlot::F64(&mut found), OutSlot::F64s(&mut ys), OutSlot::F64(&mut k)];
        let failure = caller.call(args, outs).expect_err("it does not fit").to_string();
        assert!(failure.contains(why), "{failure}");
    };
    refused(&[Arg::F64(1.0), Arg::F64(0.5), Arg::F64(1.0)], "argument 1");
    refused(&[Arg::slice(&xs), Arg::F32(0.5), Arg::F64(1.0)], "argument 2");
    refused(&[Arg::slice(&[1.0_f32]), Arg::F64(0.5), Arg::F64(1.0)], "a slice is not one of F64");
    refused(&[Arg::slice(&xs), Arg::F64(0.5)], "takes 3 arguments, got 2");
    let args = [Arg::slice(&xs), Arg::F64(0.5), Arg::F64(1.0)];
    let outs = &mut [OutSlot::Int(&mut int), OutSlot::F64s(&mut ys), OutSlot::F64(&mut k)];
    assert!(caller.call(&args, outs).is_err());
    // Some parts are not wanted.
    let outs = &mut [OutSlot::Unwanted, OutSlot::F64s(&mut ys), OutSlot::Unwanted];
    assert!(caller.call(&args, outs).is_ok());
    assert_eq!((found, ys, k, int), (0.0, [1.0, 2.0], 0.0, 0));
}

#[test]
fn vectors_that_were_not_computed_in_their_slots_are_copied_there() {
    let mut caller = caller("same");
    for round in 0..CALLS {
        let (xs, ys) = ([round as f64, 1.0], [2.0, 3.0, 4.0]);
        let (mut first, mut second) = ([0.0; 3], [0.0; 2]);
        let outs = &mut [OutSlot::F64s(&mut first), OutSlot::F64s(&mut second)];
        caller.call(&[Arg::slice(&xs), Arg::slice(&ys)], outs).expect("it runs");
        assert_eq!((first, second), (ys, xs));
    }
}

#[test]
fn direct_calls_of_recursive_functions_have_enough_stack_and_depth() {
    let module = Arc::new(text::parse(PROGRAM).expect("it is well formed").module());
    let native = Native::new();
    let mut caller = native.prepare(&module, Symbol::new("deep")).expect("it compiles").caller();
    let text = |result: Result<Value<'_>, overdub_context::Failure>| match result {
        Ok(value) => value.to_string(),
        Err(failure) => format!("fails: {failure}"),
    };
    let run = |n: f64| text(native.run(&module, Symbol::new("deep"), vec![Value::F64(0.0), Value::F64(n)]));
    let mut call = |n: f64| {
        let mut y = 0.0;
        text(caller.call(&[Arg::F64(0.0), Arg::F64(n)], &mut [OutSlot::F64(&mut y)]).map(|()| Value::F64(y)))
    };
    for _ in 0..CALLS {
        assert_eq!(call(3.0), "3.0");
    }
    assert_eq!(call(50_000.0), run(50_000.0));
    let failure = run(1e9);
    assert!(failure.starts_with("fails"), "{failure}");
    assert_eq!(call(1e9), failure);
    assert_eq!(call(3.0), "3.0");
}
