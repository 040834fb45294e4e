//! Host methods for every call: what they go on to is what the program does by itself, whatever contexts are around.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{
    CallSite, Context, Engine, HostCall, Interpreting, Method, ValueOnly, WithMetadata, ctx, ctx_with,
};
use overdub_context::interp::Limits;
use overdub_context::testing::{MAX_STEPS, programs};
use overdub_context::value::Value;
use overdub_context::verify::verify_module;
use overdub_context::{Failure, FailureKind};
use proptest::prelude::*;

use crate::programs::{F_BY_TIMES, engine, float, floats, ints};

/// Makes every call by a host method that goes on with the arguments as they are; counts those calls.
#[derive(Clone)]
struct HostAll;

impl Context for HostAll {
    type Metadata = usize;
    type Outcome = WithMetadata;

    fn metadata(&self) -> usize {
        0
    }

    fn method(&self, _: &CallSite) -> Method {
        Method::Host
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, usize>) -> Result<Value<'a>, Failure> {
        *call.metadata() += 1;
        let args = call.take_args();
        call.recurse(args)
    }
}

/// Makes every call by a host method, outside of the context.
#[derive(Clone)]
struct FallBack;

impl Context for FallBack {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn method(&self, _: &CallSite) -> Method {
        Method::Host
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, ()>) -> Result<Value<'a>, Failure> {
        let args = call.take_args();
        call.fallback(args)
    }
}

/// A closure with two captures, called by a function, by an operation, and as an erased function value.
const CLOSURES: &str = "
fn @by(%up: bool, %k: f64, %a: f64, %b: f64) -> Ordering {
  %ka: f64 = mul %k, %a
  %kb: f64 = mul %k, %b
  br_if %up, ^up, ^down
^up:
  %o: Ordering = total_cmp %ka, %kb
  ret %o
^down:
  %p: Ordering = total_cmp %kb, %ka
  ret %p
}
fn @first(%f: closure @scaled(f64, f64), %x: f64) -> f64 {
  %k: f64 = captured %f, 1
  %y: f64 = call %f(%x)
  %z: f64 = sub %y, %k
  ret %z
}
fn @scaled(%k: f64, %shift: f64, %x: f64) -> f64 {
  %s: f64 = sin %x
  %y: f64 = mul %k, %s
  %z: f64 = add %y, %shift
  ret %z
}
fn @f(%x: f64, %xs: [f64]) -> f64 {
  %c: closure @scaled(f64, f64) = closure 2.0, 0.25
  %y: f64 = call @first(%c, %x)
  %e: fn(f64) -> f64 = erase %c
  %z: f64 = call %e(%y)
  %by: closure @by(bool, f64) = closure true, -1.0
  %sorted: [f64] = sort_by %xs, %by
  %last: f64 = get %sorted, 2
  %r: f64 = div %z, %last
  ret %r
}
";

fn closures() -> (Engine, impl Fn() -> Vec<Value<'static>>, f64) {
    let engine = engine(CLOSURES);
    let args = || vec![Value::F64(0.5), Value::floats(vec![4.0, 1.5, 8.0])];
    let plain = engine.run("f", args()).expect("it does not fail");
    (engine, args, float(&plain))
}

#[test]
fn a_host_method_for_every_call_runs_programs_with_closures() -> Result<(), Failure> {
    let (engine, args, plain) = closures();
    let (value, calls) = engine.overdub(&HostAll, "f", args())?;
    assert_eq!(float(&value), plain);
    assert!(calls > 15, "{calls}");
    assert_eq!(float(&engine.overdub(&(HostAll, HostAll), "f", args())?.0.0), plain);
    assert_eq!(float(&engine.overdub(&(HostAll, (HostAll, HostAll)), "f", args())?.0.0.0), plain);
    Ok(())
}

#[test]
fn a_host_method_for_every_call_may_fall_back() -> Result<(), Failure> {
    let (engine, args, plain) = closures();
    assert_eq!(float(&engine.overdub(&FallBack, "f", args())?), plain);
    Ok(())
}

#[test]
fn a_context_around_sees_the_operations_that_a_host_method_goes_on_to() -> Result<(), Failure> {
    let (engine, args, _) = closures();
    let replace = ctx().replace("sin", "cos");
    let expected = float(&engine.overdub(&replace, "f", args())?);
    assert_eq!(float(&engine.overdub(&(replace, HostAll), "f", args())?.0), expected);

    let count = ctx_with::<usize>().when(|call| call.calls("sin")).before(|count, _, _| *count += 1);
    let (_, plain) = engine.overdub(&count, "f", args())?;
    let (_, hosted) = engine.overdub(&(count, HostAll), "f", args())?;
    assert_eq!((plain, hosted), (2, 2));
    Ok(())
}

#[test]
fn a_host_method_may_hand_on_another_value_for_a_constant() -> Result<(), Failure> {
    let engine = engine("fn @f(%x: f64) -> f64 {\n %y: f64 = mul %x, 0.3\n ret %y\n}");
    let cx = ctx().method("mul", |call| {
        let (x, k) = (float(&call.args()[0]), float(&call.args()[1]));
        call.recurse(vec![Value::F64(x), Value::F64(2.0 * k)])
    });
    assert_eq!(float(&engine.overdub(&cx, "f", floats([2.0]))?), 1.2);
    let around = (ctx_with::<usize>().before(|count, _, _| *count += 1), cx);
    assert_eq!(float(&engine.overdub(&around, "f", floats([2.0]))?.0), 1.2);
    Ok(())
}

#[test]
fn what_a_host_method_gives_is_of_the_type_of_the_call() {
    let cx = ctx().method("times", |_| Ok(Value::floats(vec![1.0])));
    let failure = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3])).expect_err("it is no number");
    assert_eq!(failure.kind(), FailureKind::Type);
    assert_eq!(
        failure.report().message,
        "the host method for `times` gives a value of type `[f64]`, not `i64`"
    );
    assert!(failure.report().span.is_known());
}

fn silent(program: &overdub_context::testing::Program) -> Engine {
    let limits = Limits { steps: Some(40 * MAX_STEPS), memory: Some(1 << 28), ..Limits::default() };
    let silent = Interpreting::new().with_limits(limits).printing(Arc::new(Mutex::new(|_: &str| ())));
    Engine::builder(program.module()).executor(silent).build()
}

type Shown = Result<String, (FailureKind, String)>;

fn shown<T>(result: Result<T, Failure>, value: impl Fn(&T) -> &Value<'static>) -> Shown {
    let result = result.map(|all| format!("{:?}", value(&all)));
    result.map_err(|failure| (failure.kind(), failure.report().message.clone()))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(64))]

    #[test]
    fn a_host_method_for_every_call_changes_no_result(program in programs()) {
        let engine = silent(&program);
        let pass_on = ctx_with::<usize>().before(|calls, _, _| *calls += 1);
        let args = || program.args();
        let plain = shown(engine.run("main", args()), |value| value);
        let all = [
            shown(engine.overdub(&HostAll, "main", args()), |all| &all.0),
            shown(engine.overdub(&(HostAll, HostAll), "main", args()), |all| &all.0.0),
            shown(engine.overdub(&(HostAll, pass_on.clone()), "main", args()), |all| &all.0.0),
            shown(engine.overdub(&(pass_on, HostAll), "main", args()), |all| &all.0.0),
        ];
        for hosted in all {
            match (&plain, &hosted) {
                // Functions have other names.
                (Ok(plain), Ok(_)) if plain.contains('@') => {}
                (plain, hosted) => prop_assert_eq!(plain, hosted),
            }
        }
        if let Err(error) = verify_module(&engine.module()) {
            prop_assert!(false, "{error}");
        }
    }
}
