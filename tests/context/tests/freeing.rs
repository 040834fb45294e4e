//! Contexts are freed: what was made for one that nobody holds goes, what somebody holds stays right.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use overdub_context::engine::{CallSite, Context, Engine, Key, Method, ValueOnly, ctx, ctx_with};
use overdub_context::value::Value;
use overdub_context::{Failure, text};

/// `wave` computes a sine; `by_closure` returns a closure that does, `held` keeps one in a struct.
const WAVES: &str = "
struct Held { f: closure @scaled(f64) }
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
  %h: Held = struct %c
  %g: closure @scaled(f64) = field %h, 0
  %w: f64 = call @wave(%x)
  %y: f64 = call %g(%w)
  ret %y
}
fn @made() -> closure @scaled(f64) {
  %c: closure @scaled(f64) = closure 3.0
  ret %c
}
";

fn engine(contexts: usize) -> Engine {
    let module = text::parse(WAVES).unwrap_or_else(|errors| panic!("{errors}")).module();
    Engine::builder(module).contexts(contexts).build()
}

/// Multiplies by this what `sin` gives; a key for each number.
#[derive(Clone, Copy)]
struct Scale(i64);

impl Context for Scale {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Scale>().with(&self.0)
    }

    fn method(&self, call: &CallSite) -> Method {
        if call.calls("sin") { Method::Constant(Value::F64(self.0 as f64)) } else { Method::Recurse }
    }
}

impl Scale {
    /// What `f` gives under it.
    fn of_f(self) -> f64 {
        2.0 * self.0 as f64
    }
}

fn float(value: &Value<'_>) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a float, found {value:?}"))
}

fn f(engine: &Engine, cx: Scale) -> f64 {
    float(&engine.overdub(&cx, "f", vec![Value::F64(0.5)]).expect("it does not fail"))
}

/// Makes a context of its own for each of these numbers and runs it.
fn others(engine: &Engine, numbers: std::ops::Range<i64>) {
    for number in numbers {
        assert_eq!(f(engine, Scale(number)), Scale(number).of_f());
    }
}

/// Held by tests that take much memory: what another one takes would count as leaked by the one that measures.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes of memory that the process takes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// Runs `count` fresh contexts, by a closure and by a key, and says how much memory they take at the end more
/// than after the first tenth, and how long a run takes.
fn fresh(engine: &Engine, count: i64) -> (usize, Duration) {
    let begun = Instant::now();
    let mut after_a_tenth = 0;
    for number in 0..count {
        if number == count / 10 {
            after_a_tenth = resident();
        }
        if number % 2 == 0 {
            assert_eq!(f(engine, Scale(number)), Scale(number).of_f());
        } else {
            let wanted = number % 3 == 0;
            let cx = ctx_with::<usize>().when(move |call| wanted && call.calls("sin"));
            let cx = cx.before(|count, _, _| *count += 1);
            let (_, sines) = engine.overdub(&cx, "f", vec![Value::F64(0.5)]).expect("it does not fail");
            assert_eq!(sines, if wanted { 2 } else { 0 });
        }
    }
    let per_run = begun.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
    (resident().saturating_sub(after_a_tenth), per_run)
}

#[test]
fn contexts_made_anew_take_flat_memory() {
    let _alone = alone();
    let engine = engine(64);
    let (more, _) = fresh(&engine, 4_000);
    assert!(engine.contexts() <= 65, "{}", engine.contexts());
    assert!(more < 8 << 20, "{more} bytes more; a context takes some 7 kB");
}

#[test]
#[ignore = "it takes minutes: run it with --release -- --ignored --nocapture"]
fn a_million_contexts_made_anew_take_flat_memory() {
    let _alone = alone();
    let engine = engine(1024);
    let (more, per_run) = fresh(&engine, 1_000_000);
    println!("{} kB more at the end than after 100 000, {per_run:?} a run", more >> 10);
    assert!(more < 8 << 20, "{more} bytes more");
}

#[test]
fn a_prepared_function_keeps_its_context() -> Result<(), Failure> {
    let engine = engine(4);
    let prepared = engine.prepare(&Scale(-7), "f");
    others(&engine, 0..40);
    assert_eq!(float(&prepared.run(vec![Value::F64(0.5)])?), Scale(-7).of_f());
    others(&engine, 40..80);
    assert_eq!(float(&prepared.run(vec![Value::F64(0.5)])?), Scale(-7).of_f());
    Ok(())
}

#[test]
fn a_name_that_was_given_away_keeps_its_context() -> Result<(), Failure> {
    let engine = engine(4);
    let nested = engine.nested(&Scale(-7), "f");
    let name = engine.prepare(&ctx().when(|_| true).replace("sin", "cos"), "f").name();
    let made = engine.overdubbed(&ctx().when(|_| true).constant("sin", 8.0), "f").expect("it can be had");
    others(&engine, 0..40);
    assert_eq!(float(&engine.run(nested, vec![Value::F64(0.5)])?), Scale(-7).of_f());
    assert_eq!(float(&engine.run(name, vec![Value::F64(0.5)])?), 2.0 * 0.5_f64.cos().cos());
    assert_eq!(float(&engine.run(made.name, vec![Value::F64(0.5)])?), 16.0);
    Ok(())
}

#[test]
fn a_closure_that_a_run_returned_keeps_its_context() -> Result<(), Failure> {
    let engine = engine(4);
    let plain = engine.overdub(&Scale(-7), "made", vec![])?;
    let log = ctx_with::<usize>().when(|call| call.calls("sin")).before(|count, _, _| *count += 1);
    let (hooked, _) = engine.overdub(&log, "made", vec![])?;
    drop(log);
    others(&engine, 0..40);
    assert_eq!(float(&engine.call(&plain, vec![Value::F64(0.5)])?), -21.0);
    assert_eq!(float(&engine.call(&hooked, vec![Value::F64(0.5)])?), 3.0 * 0.5_f64.sin());
    Ok(())
}

#[test]
fn a_label_that_is_given_again_has_types_of_its_own() -> Result<(), Failure> {
    // The struct holds a closure, which holds a handle under a context with hooks, and none under the other.
    let engine = engine(2);
    for round in 0..20 {
        let cx = ctx_with::<usize>().when(move |_| round % 2 == 0).before(|count, _, _| *count += 1);
        let (y, _) = engine.overdub(&cx, "f", vec![Value::F64(0.5)])?;
        assert_eq!(float(&y), 2.0 * 0.5_f64.sin().sin());
        let cx = ctx().when(move |_| round % 2 == 0).replace("sin", "cos");
        let y = engine.overdub(&cx, "f", vec![Value::F64(0.5)])?;
        let expected = if round % 2 == 0 { 2.0 * 0.5_f64.cos().cos() } else { 2.0 * 0.5_f64.sin().sin() };
        assert_eq!(float(&y), expected);
    }
    Ok(())
}

#[test]
fn a_context_that_is_forgotten_is_freed_when_nobody_holds_it() -> Result<(), Failure> {
    let engine = engine(1000);
    others(&engine, 0..10);
    let prepared = engine.prepare(&Scale(3), "f");
    (0..10).for_each(|number| engine.forget(&Scale(number)));
    assert_eq!(engine.contexts(), 1, "the prepared one");
    assert_eq!(float(&prepared.run(vec![Value::F64(0.5)])?), Scale(3).of_f());
    assert_eq!(f(&engine, Scale(3)), Scale(3).of_f());
    Ok(())
}

#[test]
fn a_run_keeps_its_context_while_it_is_forgotten_and_others_come() -> Result<(), Failure> {
    let engine = engine(4);
    let (inside, dropped) = (engine.clone(), Arc::new(AtomicU64::new(0)));
    let counted = dropped.clone();
    let cx = ctx().when(|call| call.calls("wave")).before(move |(), _, _| {
        let from = i64::try_from(counted.fetch_add(40, Ordering::Relaxed)).expect("it is small");
        others(&inside, from..from + 40);
    });
    assert_eq!(float(&engine.overdub(&cx, "f", vec![Value::F64(0.5)])?), 2.0 * 0.5_f64.sin().sin());
    assert_eq!(dropped.load(Ordering::Relaxed), 40);
    Ok(())
}

#[test]
fn what_plugins_attach_goes_with_the_functions_that_it_was_made_of() {
    let engine = engine(64);
    let size = || {
        let func = engine.module().func("wave".into()).expect("it loads").expect("it is there");
        func.blocks.iter().map(|block| block.insts.len()).sum::<usize>()
    };
    let attached = || engine.attached("size of `wave`", size);
    assert_eq!((attached(), attached()), (1, 1));
    let longer =
        text::parse("fn @wave(%x: f64) -> f64 {\n  %s: f64 = sin %x\n  %c: f64 = cos %s\n  ret %c\n}");
    let longer = longer.expect("it is read").module();
    engine.program().define(longer.func("wave".into()).expect("it loads").expect("it is there"));
    assert_eq!(attached(), 2, "it was redefined");

    // Keys of other types, or of other values, are others; and there are not more and more of them.
    assert_eq!(engine.attached(1_u8, || "of a byte"), "of a byte");
    assert_eq!(engine.attached(1_u8, || 7), 7);
    let value = Arc::new(());
    for key in 0..10_000_u64 {
        engine.attached(key, || value.clone());
    }
    assert!(Arc::strong_count(&value) < 1000, "{}", Arc::strong_count(&value));
    let weak = Arc::downgrade(&value);
    drop((value, engine));
    assert!(weak.upgrade().is_none(), "an engine keeps nothing when it is dropped");
}
