//! Derivatives of functions under contexts that are created for each call leave no memory behind.

use std::alloc::System;

use overdub_ad::transform::reverse::Transformed;
use overdub_ad::{gradient, hessian, jacobian};
use overdub_context::Symbol;
use overdub_context::engine::{Context, Engine, ValueOnly, ctx};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of contexts without owners that the engine keeps.
const KEPT: usize = 16;

const X: f64 = 0.5;

/// Replaces sines by cosines, under a key that no other context has.
fn fresh(number: usize) -> impl Context<Metadata = (), Outcome = ValueOnly> {
    ctx().when(move |call| number < usize::MAX && call.calls("sin")).replace("sin", "cos")
}

fn close(got: Option<f64>, expected: f64) {
    let got = got.expect("it is a float");
    assert!((got - expected).abs() < 1e-12, "{got} instead of {expected}");
}

/// A derivative of `x cos x`, by another function each time.
fn derive(engine: &Engine, wave: Symbol, number: usize) {
    let (slope, curvature) = (X.cos() - X * X.sin(), -2.0 * X.sin() - X * X.cos());
    let cx = fresh(number);
    let x = || vec![Value::F64(X)];
    let held = engine.nested_guarded(&cx, wave);
    match number % 5 {
        0 => close(
            gradient(engine, held.name(), x(), Ty::f64()).expect("it has a gradient").1[0].as_f64(),
            slope,
        ),
        1 => close(jacobian(engine, held.name(), x()).expect("it has one").rows[0].first().copied(), slope),
        2 => close(
            hessian(engine, held.name(), x(), Ty::f64()).expect("it has one").rows[0].first().copied(),
            curvature,
        ),
        3 => {
            let transformed =
                Transformed::pullback(engine, held.name(), &|_| true, None).expect("it has a pullback");
            drop(held);
            let (y, pullback) = transformed.split(x()).expect("it runs");
            drop(transformed);
            close(y.as_f64(), X * X.cos());
            close(pullback.pull(&[1.0]).expect("it runs")[0].as_f64(), slope);
        }
        _ => close(engine.run(held.name(), x()).expect("it runs").as_f64(), X * X.cos()),
    }
}

/// The number of bytes that are allocated in addition.
fn live(region: &Region<'_, System>) -> isize {
    let change = region.change();
    let bytes = |bytes: usize| isize::try_from(bytes).expect("a process has fewer");
    bytes(change.bytes_allocated) - bytes(change.bytes_deallocated)
}

/// Memory rises with each context and falls when the engine frees the older half of those that it keeps, so
/// the minimum over many calls must not grow.
#[test]
fn derivatives_under_fresh_contexts_take_flat_memory() {
    const CALLS: usize = 600;
    let source = "pub fn wave(x: f64) -> f64 { x.sin() * x }";
    let loaded = overdub::lower::Loaded::from_source("wave.rs", source).expect("it is Rust");
    let wave = loaded.function("wave").expect("it is there").symbol;
    let engine = loaded.engine_builder().contexts(KEPT).build();
    let region = Region::new(ALLOCATOR);
    let mut least = [isize::MAX; 3];
    for number in 0..CALLS {
        derive(&engine, wave, number);
        let third = &mut least[3 * number / CALLS];
        *third = live(&region).min(*third);
    }
    let [_, before, after] = least;
    println!("at least {before} bytes in the second third of the calls, {after} in the last one");
    assert!(after < before + (100 << 10), "from {before} to {after} bytes");
}
