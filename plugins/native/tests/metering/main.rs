//! Steps that programs take, by the interpreter, the optimised interpreter and machine code: loops with strides, cycles of any
//! shape, recursion, and calls by the host. Each executor stops what would not end.

mod nested;

use std::sync::Arc;

use overdub_context::engine::{Executor, Interpreting};
use overdub_context::ir::Module;
use overdub_context::limits::{Cancel, Limit, Limits};
use overdub_context::text;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};
use overdub_native::Native;
use overdub_passes::Optimised;

fn stopped(what: &str, result: Result<Value<'_>, Failure>) -> Failure {
    result.map_or_else(|failure| failure, |value| panic!("{what}: it ended with {value:?}"))
}

/// A loop from `start` to `end` by a stride, which adds without a check, or with one.
fn strided(ty: &str, add: &str) -> Arc<Module> {
    let program = format!(
        "fn @f(%start: {ty}, %stride: {ty}, %end: {ty}) -> {ty} {{
  br ^loop(%start, 0_{ty})
^loop(%i: {ty}, %n: {ty}):
  %m: {ty} = add.wrapping %n, 1_{ty}
  %j: {ty} = {add} %i, %stride
  %go: bool = lt %j, %end
  br_if %go, ^loop(%j, %m), ^done
^done:
  ret %m
}}"
    );
    Arc::new(text::parse(&program).expect("it is well formed").module())
}

fn executors() -> [(&'static str, Box<dyn Executor>); 3] {
    [
        ("interpreter", Box::new(Interpreting::new())),
        ("optimised", Box::new(Optimised::new(Interpreting::new()))),
        ("machine code", Box::new(Native::new())),
    ]
}

#[test]
fn a_loop_with_a_stride_takes_its_steps() {
    for (ty, starts) in [("u64", ["0", "5"]), ("i64", ["-7", "5"]), ("usize", ["0", "90"])] {
        for (add, start) in [("add", starts[0]), ("add.wrapping", starts[1])] {
            let module = strided(ty, add);
            let number = |text: &str| match ty {
                "i64" => Value::from(text.parse::<i64>().expect("a number")),
                "u64" => Value::from(text.parse::<u64>().expect("a number")),
                _ => Value::from(text.parse::<usize>().expect("a number")),
            };
            for (what, executor) in executors() {
                let run = |steps: u64, stride: &str, end: &str| {
                    let args = vec![number(start), number(stride), number(end)];
                    Limits::default()
                        .with_steps(steps)
                        .during(|| executor.run(&module, Symbol::new("f"), args))
                };
                let what = format!("{what}, {ty}, {add}");
                for (stride, end) in [("1", "1000"), ("7", "70000"), ("1000000", "10000000000"), ("3", "1")] {
                    let rounds: i128 = {
                        let [start, stride, end] =
                            [start, stride, end].map(|text| text.parse::<i128>().expect("a number"));
                        ((end - start + stride - 1) / stride).max(1)
                    };
                    let value =
                        run(u64::MAX, stride, end).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
                    assert_eq!(value.as_int().map(|(_, n)| n), Some(rounds), "{what} by {stride} to {end}");
                    let rounds = u64::try_from(rounds).expect("it is positive");
                    if rounds > 100 {
                        // At least a step an iteration, at most ten.
                        let few = stopped(&what, run(rounds - 1, stride, end));
                        assert_eq!(few.limit(), Some(Limit::Steps(rounds - 1)), "{what} by {stride}");
                        assert!(run(10 * rounds, stride, end).is_ok(), "{what} by {stride} to {end}");
                    }
                }
            }
        }
    }
}

/// Calls that would take longer than anyone waits: the Fibonacci numbers by recursion, whose leaf calls pay nothing, the
/// same through a second function, and through a function value.
const RECURSIONS: &str = "
fn @fibonacci(%n: i64) -> i64 {
  %is_leaf: bool = lt %n, 2
  br_if %is_leaf, ^leaf, ^more
^more:
  %m: i64 = sub.wrapping %n, 1
  %k: i64 = sub.wrapping %n, 2
  %a: i64 = call @fibonacci(%m)
  %b: i64 = call @fibonacci(%k)
  %c: i64 = add.wrapping %a, %b
  ret %c
^leaf:
  ret %n
}

fn @even(%n: i64) -> i64 {
  %is_leaf: bool = lt %n, 2
  br_if %is_leaf, ^leaf, ^more
^more:
  %m: i64 = sub.wrapping %n, 1
  %a: i64 = call @odd(%m)
  ret %a
^leaf:
  ret %n
}

fn @odd(%n: i64) -> i64 {
  %is_leaf: bool = lt %n, 3
  br_if %is_leaf, ^leaf, ^more
^more:
  %a: i64 = call @even(%n)
  %b: i64 = call @even(%n)
  %c: i64 = add.wrapping %a, %b
  ret %c
^leaf:
  ret %n
}

fn @by_value(%n: i64) -> i64 {
  %is_leaf: bool = lt %n, 2
  br_if %is_leaf, ^leaf, ^more
^more:
  %code: closure @by_value() = closure
  %g: fn(i64) -> i64 = erase %code
  %a: i64 = call @through(%g, %n)
  ret %a
^leaf:
  ret %n
}

fn @through(%g: fn(i64) -> i64, %n: i64) -> i64 {
  %m: i64 = sub.wrapping %n, 1
  %a: i64 = call %g(%m)
  %b: i64 = call %g(%m)
  %c: i64 = add.wrapping %a, %b
  ret %c
}
";

#[test]
fn recursion_without_loops_takes_its_steps() {
    let module = Arc::new(text::parse(RECURSIONS).expect("it is well formed").module());
    for (what, executor) in executors() {
        for func in ["fibonacci", "even", "by_value"] {
            let run = |steps: u64, n: i64| {
                let limits = Limits::default().with_steps(steps);
                limits.during(|| executor.run(&module, Symbol::new(func), vec![Value::from(n)]))
            };
            let failure = stopped(what, run(1_000_000, 200));
            assert_eq!(failure.limit(), Some(Limit::Steps(1_000_000)), "{what}: {func}: {failure:?}");
            // Some 2000 to 8000 calls, of at most 16 instructions each.
            let few = stopped(what, run(1000, 16));
            assert_eq!(few.limit(), Some(Limit::Steps(1000)), "{what}: {func}");
            assert!(run(2_000_000, 16).is_ok(), "{what}: {func}");
        }
    }
}

/// A function that takes no steps by itself.
const LEAF: &str = "fn @leaf(%x: f64) -> f64 {
  %y: f64 = mul %x, 0.5
  ret %y
}
";

#[test]
fn calls_of_small_functions_by_the_host_take_steps() {
    let module = Arc::new(text::parse(LEAF).expect("it is well formed").module());
    for (what, executor) in executors() {
        let call = || executor.run(&module, Symbol::new("leaf"), vec![Value::F64(3.0)]);
        let limits = Limits::default().with_steps(1000);
        let ran = limits.during(|| (0..10_000).take_while(|_| call().is_ok()).count());
        assert!((100..=1001).contains(&ran), "{what}: {ran}");
        let cancel = Cancel::new();
        let stopped_by = Limits::default().with_cancel(cancel.clone()).during(|| {
            assert!(call().is_ok(), "{what}");
            cancel.cancel();
            call()
        });
        assert_eq!(stopped(what, stopped_by).limit(), Some(Limit::Cancelled), "{what}");
    }
}

/// A cycle with two entries, which is no natural loop.
const IRREDUCIBLE: &str = "
fn @f(%x: f64, %first: bool) -> f64 {
  br_if %first, ^one(%x), ^two(%x)
^one(%y: f64):
  %a: f64 = min %y, 1000.0
  br ^two(%a)
^two(%z: f64):
  %b: f64 = mul %z, 1.0000001
  %go: bool = ge %b, 0.0
  br_if %go, ^one(%b), ^done
^done:
  ret %b
}
";

#[test]
fn a_cycle_that_is_no_natural_loop_is_stopped() {
    let module = Arc::new(text::parse(IRREDUCIBLE).expect("it is well formed").module());
    for (what, executor) in executors() {
        for first in [true, false] {
            let run = |x: f64| {
                let limits = Limits::default().with_steps(100_000);
                limits.during(|| {
                    executor.run(&module, Symbol::new("f"), vec![Value::F64(x), Value::from(first)])
                })
            };
            assert_eq!(stopped(what, run(1.0)).limit(), Some(Limit::Steps(100_000)), "{what}: {first}");
            assert!(run(-1.0).is_ok(), "{what}: {first}");
        }
    }
}

#[test]
fn a_loop_whose_stride_leads_nowhere_is_stopped() {
    let (half, most) = (1_u64 << 63, u64::MAX);
    let endless = [(0, 0, 10), (1, half, most), (1, 0, most), (0, most - 1, most), (2, half - 2, most)];
    for (what, executor) in executors() {
        let module = strided("u64", "add.wrapping");
        for (start, stride, end) in endless {
            let args = [start, stride, end].map(Value::from).to_vec();
            let limits = Limits::default().with_steps(3_000_000);
            let failure = stopped(what, limits.during(|| executor.run(&module, Symbol::new("f"), args)));
            assert_eq!(failure.limit(), Some(Limit::Steps(3_000_000)), "{what}: {start} {stride} {end}");
        }
        let module = strided("i64", "add");
        for stride in [0, -3] {
            let args = [5, stride, 10_i64].map(Value::from).to_vec();
            let limits = Limits::default().with_steps(3_000_000);
            let failure = stopped(what, limits.during(|| executor.run(&module, Symbol::new("f"), args)));
            assert_eq!(failure.limit(), Some(Limit::Steps(3_000_000)), "{what}: {stride}");
        }
    }
}
