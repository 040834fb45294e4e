//! Compiled code of contexts without owners is freed; the code of those with owners remains valid.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use overdub_context::engine::{CallSite, Context, Engine, Key, Method, ValueOnly, ctx_with};
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use overdub_native::Native;

const WAVES: &str = "
fn @scaled(%k: f64, %x: f64) -> f64 {
  %s: f64 = sin %x
  %y: f64 = mul %k, %s
  ret %y
}
fn @f(%x: f64) -> f64 {
  %c: closure @scaled(f64) = closure 2.0
  %e: fn(f64) -> f64 = erase %c
  %y: f64 = call %e(%x)
  ret %y
}
";

fn engine(contexts: usize) -> Engine {
    let module = text::parse(WAVES).unwrap_or_else(|errors| panic!("{errors}")).module();
    Engine::builder(module).contexts(contexts).executor(Native::new()).build()
}

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

fn check(engine: &Engine, number: i64) {
    let value = engine.overdub(&Constant(number), "f", vec![Value::F64(0.5)]).expect("it does not fail");
    assert_eq!(float(&value), 2.0 * number as f64);
}

/// Locked by each test: code that another test compiles meanwhile would be measured as a leak.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes of executable memory that belongs to no file, which is compiled code.
fn executable() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let code = maps.lines().filter(|line| line.contains("r-xp") && line.split_whitespace().count() == 5);
    let bytes = code.filter_map(|line| {
        let (from, to) = line.split(' ').next()?.split_once('-')?;
        Some(usize::from_str_radix(to, 16).ok()? - usize::from_str_radix(from, 16).ok()?)
    });
    bytes.sum()
}

#[test]
fn machine_code_of_contexts_made_anew_takes_flat_memory() {
    let _alone = alone();
    let engine = engine(8);
    let prepared = engine.prepare(&Constant(-3), "f");
    (0..40).for_each(|number| check(&engine, number));
    let before = executable();
    (40..240).for_each(|number| check(&engine, number));
    let after = executable();
    assert!(before > 0, "there is compiled code");
    // Each context has two functions of at least a page.
    assert!(after < before + 40 * 4096, "from {before} to {after} bytes of code");
    assert!(engine.contexts() <= 10, "{}", engine.contexts());
    let value = prepared.run(vec![Value::F64(0.5)]).expect("what is prepared stays");
    assert_eq!(float(&value), -6.0);
}

#[test]
fn sixteen_threads_over_one_engine_get_right_values_by_machine_code() {
    let _alone = alone();
    let engine = engine(16);
    let nested = engine.nested(&Constant(-5), "f");
    let prepared = engine.prepare(&Constant(-6), "f");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for thread in 0..16_i64 {
            let (engine, prepared, done) = (&engine, &prepared, &done);
            scope.spawn(move || {
                for number in 0.. {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let x = || vec![Value::F64(0.5)];
                    match (number + thread) % 5 {
                        0 => check(engine, 1_000 * number + thread),
                        1 => check(engine, number % 4),
                        2 => {
                            assert_eq!(float(&engine.run(nested, x()).expect("it runs")), -10.0);
                            assert_eq!(float(&prepared.run(x()).expect("it runs")), -12.0);
                        }
                        3 => {
                            let inside = engine.clone();
                            let cx = ctx_with::<usize>().when(|call| call.calls("sin")).before(
                                move |count, _, _| {
                                    check(&inside, number);
                                    *count += 1;
                                },
                            );
                            let (y, count) = engine.overdub(&cx, "f", x()).expect("it runs");
                            assert_eq!((float(&y), count), (2.0 * 0.5_f64.sin(), 1));
                        }
                        _ => {
                            let func = engine.program().func(Symbol::new("scaled"));
                            let func = func.expect("it can be had").expect("it is there");
                            engine.program().define(overdub_context::ir::Func::clone(&func));
                            check(engine, number);
                        }
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_secs(3));
        done.store(true, Ordering::Relaxed);
    });
    assert!(engine.contexts() < 64, "{}", engine.contexts());
    // Contexts with hooks and the engine hold each other: new contexts evict them.
    (0..64).for_each(|number| check(&engine, -number - 10));
}
