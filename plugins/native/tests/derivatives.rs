//! Prepared gradients as machine code allocate nothing, and are equal to other gradients.

use std::alloc::System;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub::ad::{hvp, prepare, rule};
use overdub::prelude::*;
use overdub_lower::api::Backend;
use overdub_native::Native;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

overdub_lower::__private::inventory::submit! {
    Backend(|builder| builder.executor(Native::new()))
}

#[dub]
fn chain(x: &[f64], stiffness: f64, rounds: usize) -> f64 {
    let mut energy = 0.0;
    for _ in 0..rounds {
        for i in 1..x.len() {
            energy += stiffness * (x[i] - x[i - 1]).powi(2);
        }
    }
    energy
}

#[dub]
fn element(x: &[f64], at: usize) -> f64 {
    x[at].sin()
}

#[dub]
fn counted(x: &[f64]) -> f64 {
    x[0] * tick(x[1])
}

#[dub]
fn tick(x: f64) -> f64 {
    x
}

/// How often the derivative of `tick` was computed.
static TICKS: AtomicUsize = AtomicUsize::new(0);

#[dub]
fn recurrence(x: f64, rounds: usize) -> f64 {
    let mut y = x;
    for _ in 0..rounds {
        y = y.sin() + 0.1 * y;
    }
    y
}

/// A single test, since allocations are counted for the process.
#[test]
fn a_prepared_gradient_gives_what_any_gives_and_allocates_nothing() -> Result<(), Box<dyn std::error::Error>>
{
    let f = prepare(chain);
    let (x, mut slope, mut by_stiffness) = ([0.5, 2.0, -1.0], [0.0; 3], 0.0);
    for round in 0..4 {
        let region = Region::new(ALLOCATOR);
        let energy = f.gradient_into((&x[..], 3.0, 2), (&mut slope[..], &mut by_stiffness, ()))?;
        let allocated = region.change().allocations;
        assert!(round == 0 || allocated == 0, "{allocated} allocations");
        assert_eq!(energy, chain(&x, 3.0, 2));
        assert_eq!((slope.to_vec(), by_stiffness, ()), gradient(chain, (&x[..], 3.0, 2))?);
    }
    // A derivative that is not wanted is not written.
    let mut alone = 0.0;
    f.gradient_into((&x[..], 3.0, 2), ((), &mut alone, ()))?;
    assert_eq!(alone, by_stiffness);

    let by_chain = prepare(chain).with_respect_to(["x"]);
    for round in 0..3 {
        let region = Region::new(ALLOCATOR);
        by_chain.gradient_into((&x[..], 3.0, 2), (&mut slope[..], (), ()))?;
        let allocated = region.change().allocations;
        assert!(round == 0 || allocated == 0, "{allocated} allocations");
    }
    // An inactive argument gets zeros if a buffer is given for it.
    by_chain.gradient_into((&x[..], 3.0, 2), (&mut slope[..], &mut by_stiffness, ()))?;
    assert_eq!(by_stiffness, 0.0);
    let unknown = prepare(chain).with_respect_to(["y"]);
    assert!(unknown.gradient_into((&x[..], 3.0, 2), (&mut slope[..], (), ())).is_err());

    // Products with the Hessian; after some calls, machine code is entered directly.
    let (along, mut product, mut of_stiffness) = ([1.0, -0.5, 2.0], [0.0; 3], 0.0);
    let expected = hvp(chain, (&x[..], 3.0, 2), (&along[..], 0.5, ()))?;
    for round in 0..300 {
        let region = Region::new(ALLOCATOR);
        let places = (&mut product[..], &mut of_stiffness, ());
        f.hvp_into((&x[..], 3.0, 2), (&along[..], 0.5, ()), places)?;
        let allocated = region.change().allocations;
        assert!(round < 250 || allocated == 0, "{allocated} allocations");
        assert_eq!((product.to_vec(), of_stiffness, ()), expected);
    }
    let places = (&mut product[..], &mut of_stiffness, ());
    let misfit = f.hvp_into((&x[..], 3.0, 2), (&along[..2], 0.5, ()), places);
    let other = hvp(chain, (&x[..], 3.0, 2), (&along[..2], 0.5, ()));
    let (misfit, other) = (misfit.expect_err("it has three"), other.expect_err("it has three"));
    assert_eq!(misfit.message(), other.message());

    let misfit = f.gradient_into((&x[..], 3.0, 2), (&mut slope[..2], (), ())).expect_err("it has three");
    assert!(misfit.message().contains("a buffer of 2 numbers"), "{misfit}");
    let g = prepare(element);
    let (mut called, mut told) = (slope, slope);
    g.gradient_into((&x[..], 1), (&mut called[..], ()))?;
    assert_eq!(called, [0.0, 2.0_f64.cos(), 0.0]);
    let failed = g.gradient_into((&x[..], 3), (&mut told[..], ())).expect_err("there are three");
    assert_eq!(failed.message(), gradient(element, (&x[..], 3)).expect_err("there are three").message());

    // A buffer that does not fit is found after the run, which is not repeated.
    rule("tick")
        .reverse(|_: (f64,), _: f64, dy: f64| {
            TICKS.fetch_add(1, Ordering::Relaxed);
            (dy,)
        })
        .register()?;
    let ticking = prepare(counted);
    ticking.gradient_into((&x[..],), (&mut slope[..],))?;
    let ticks = TICKS.load(Ordering::Relaxed);
    let misfit = ticking.gradient_into((&x[..],), (&mut slope[..2],)).expect_err("it has three");
    assert!(misfit.message().contains("a buffer of 2 numbers"), "{misfit}");
    assert_eq!((ticks, TICKS.load(Ordering::Relaxed)), (1, 2));

    // The records of the reverse sweep reuse the memory of the previous call.
    let h = prepare(recurrence);
    let mut dx = 0.0;
    for round in 0..3 {
        let region = Region::new(ALLOCATOR);
        h.gradient_into((0.3, 100), (&mut dx, ()))?;
        let allocated = region.change().allocations;
        assert!(round == 0 || allocated == 0, "{allocated} allocations");
        assert_eq!((dx, ()), gradient(recurrence, (0.3, 100))?);
    }
    Ok(())
}
