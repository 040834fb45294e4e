//! An empty context allocates no more than the plain call.

use std::alloc::System;

use overdub_context::engine::{Empty, Engine, Layers};
use overdub_context::value::Value;
use overdub_context::{Symbol, text};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations(run: impl Fn()) -> usize {
    // One call before, so that caches are filled.
    run();
    let region = Region::new(ALLOCATOR);
    run();
    region.change().allocations
}

#[test]
fn c3_empty_contexts_at_any_depth_allocate_nothing() -> Result<(), Box<dyn std::error::Error>> {
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
