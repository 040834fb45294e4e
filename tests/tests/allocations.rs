//! An empty context allocates no more than the plain call, and what hooks cost is linear in the number of calls.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use overdub_context::engine::{CallSite, Context, Empty, Engine, Hooks, Key, Layers, ValueOnly};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol, text};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The allocator counts what all threads allocate: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn allocations(run: impl Fn()) -> usize {
    // One call before, so that caches are filled.
    run();
    let region = Region::new(ALLOCATOR);
    run();
    region.change().allocations
}

#[test]
fn c3_empty_contexts_at_any_depth_allocate_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = "fn @f(%x: f64) -> f64 {\n  %y: f64 = mul %x, %x\n  ret %y\n}";
    let engine = Engine::new(text::parse(text)?.module());
    let f = Symbol::new("f");
    let plain = allocations(|| drop(engine.run(f, vec![Value::F64(3.0)])));
    fn under<L: Layers>(engine: &Engine, cx: &L, f: Symbol) -> usize {
        allocations(|| drop(engine.overdub(cx, f, vec![Value::F64(3.0)]).map(drop)))
    }
    assert!(plain > 0, "the arguments are in a vector");
    assert_eq!(under(&engine, &Empty, f), plain);
    assert_eq!(under(&engine, &(Empty, Empty), f), plain);
    assert_eq!(under(&engine, &(Empty, (Empty, Empty)), f), plain);
    Ok(())
}

/// Hooks of one kind on every call, which do nothing.
#[derive(Clone)]
struct Hooked(Hooks);

impl Context for Hooked {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Hooked>().with(&format!("{:?}", self.0))
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        self.0
    }
}

/// Hooks that see an array before it is updated in place, or the result alone, copy nothing; those that see both copy the
/// array at each update, as documented at `Context::posthook`.
#[test]
fn hooks_before_calls_and_on_results_cost_linear_memory() -> Result<(), Box<dyn std::error::Error>> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = include_str!("../cases/run/a_set_in_a_loop_fills_the_array.ir");
    let engine = Engine::new(text::parse(text.trim_start_matches("test run\n"))?.module());
    let bytes = |hooks: Hooks, n: usize| {
        let run = || engine.overdub(&Hooked(hooks), "last", vec![Value::from(n)]).map(drop);
        run()?;
        let region = Region::new(ALLOCATOR);
        run()?;
        Ok::<usize, Failure>(region.change().bytes_allocated)
    };
    for (hooks, most) in [(Hooks::PRE, 8), (Hooks::RESULT, 8), (Hooks::POST, 32)] {
        let (short, long) = (bytes(hooks, 1000)?, bytes(hooks, 4000)?);
        assert!(long < most * short, "{hooks:?}: {short} bytes for 1000 calls, {long} for 4000");
    }
    Ok(())
}
