//! Sixteen threads over one engine: right values, and no more bytes allocated at the end than after a while.
//!
//! Live bytes are counted by the allocator. The memory of the process would not be a measure: what the
//! system's allocator keeps for each thread grows by fragmentation long after the last leak is fixed.

use std::alloc::System;
use std::sync::Arc;

use overdub_context::engine::{CallSite, Context, Engine, Key, Method, ValueOnly, ctx_with};
use overdub_context::ir::Func;
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const THREADS: i64 = 16;

const WAVES: &str = "
fn @scaled(%k: f64, %x: f64) -> f64 {
  %s: f64 = sin %x
  %y: f64 = mul %k, %s
  ret %y
}
fn @wave(%x: f64) -> f64 {
  %s: f64 = sin %x
  ret %s
}
fn @f(%x: f64) -> f64 {
  %c: closure @scaled(f64) = closure 2.0
  %w: f64 = call @wave(%x)
  %y: f64 = call %c(%w)
  ret %y
}
";

/// Returns a constant for `sin`; each number has its own key.
#[derive(Clone, Copy)]
struct Constant(i64);

impl Context for Constant {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Constant>().with(&self.0)
    }

    fn method(&self, call: &CallSite) -> Method {
        if call.calls("sin") { Method::Constant(Value::F64(self.0 as f64)) } else { Method::Recurse }
    }
}

fn float(value: &Value<'_>) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a float, found {value:?}"))
}

fn x() -> Vec<Value<'static>> {
    vec![Value::F64(0.5)]
}

fn check(engine: &Engine, number: i64) {
    let y = engine.overdub(&Constant(number), "f", x()).expect("it does not fail");
    assert_eq!(float(&y), 2.0 * number as f64);
}

/// A new context, a context shared by all threads, one referred to by name only, a prepared one, a run inside
/// a hook of another run, or a redefined function.
fn step(engine: &Engine, named: Symbol, number: i64, thread: i64) {
    let fresh = THREADS * number + thread;
    match (number + thread) % 6 {
        0 => check(engine, fresh),
        1 => check(engine, number % 8),
        2 => assert_eq!(float(&engine.run(named, x()).expect("it runs")), -10.0),
        3 => {
            let prepared = engine.prepare(&Constant(fresh), "f");
            assert_eq!(float(&prepared.run(x()).expect("it runs")), 2.0 * fresh as f64);
        }
        4 => {
            let inside = engine.clone();
            let cx = ctx_with::<usize>().when(|call| call.calls("wave")).before(move |count, _, _| {
                check(&inside, fresh);
                *count += 1;
            });
            let (y, count) = engine.overdub(&cx, "f", x()).expect("it runs");
            assert_eq!((float(&y), count), (2.0 * 0.5_f64.sin().sin(), 1));
        }
        _ => {
            let wave: Arc<Func> =
                engine.program().func(Symbol::new("wave")).expect("it is no error").expect("it exists");
            engine.program().define(Func::clone(&wave));
            check(engine, number);
        }
    }
}

/// All threads take these steps; returns the change of the live bytes of the process when all are done.
fn crowd(engine: &Engine, named: Symbol, steps: std::ops::Range<i64>) -> isize {
    let region = Region::new(ALLOCATOR);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let steps = steps.clone();
            scope.spawn(move || steps.for_each(|number| step(engine, named, number, thread)));
        }
    });
    let change = region.change();
    let bytes = |bytes: usize| isize::try_from(bytes).expect("an allocation is at most that large");
    bytes(change.bytes_allocated) - bytes(change.bytes_deallocated)
}

/// Runs rounds of this many steps and prints the bytes that each round leaves behind.
fn soak(rounds: i64, steps: i64) {
    let module = text::parse(WAVES).unwrap_or_else(|errors| panic!("{errors}")).module();
    let engine = Engine::builder(module).contexts(32).build();
    let named = engine.nested(&Constant(-5), "f");
    let more: Vec<isize> =
        (0..rounds).map(|round| crowd(&engine, named, round * steps..(round + 1) * steps)).collect();
    println!("bytes more after each round of {steps} steps by {THREADS} threads: {more:?}");
    assert!(engine.contexts() < 100, "{}", engine.contexts());
    // The first two rounds fill the engine's caches; which contexts it keeps varies.
    let grown: isize = more[2..].iter().sum();
    let runs = (rounds - 2) * steps * THREADS;
    assert!(grown < 256 << 10, "{grown} bytes more after {runs} steps");
}

#[test]
fn sixteen_threads_over_one_engine_leave_no_byte_behind() {
    soak(6, 200);
}

#[test]
#[ignore = "it takes ten minutes: run it with --release -- --ignored --nocapture"]
fn sixteen_threads_over_one_engine_leave_no_byte_behind_for_ten_minutes() {
    soak(30, 40_000);
}
