//! Differentiation among other contexts: below, above and between them, and of functions under a context; by
//! the interpreter and as machine code, compared with finite differences.

use overdub::ad::{
    Forward, Reverse, check_gradient, derivative, hessian, hvp, jacobian, jvp, linearize, prepare, vjp,
};
use overdub::lower::api::{Error, overdub_in};
use overdub::lower::{Loaded, registry};
use overdub::prelude::*;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform};
use overdub_context::engine::{Ctx, Engine, ValueOnly, WithMetadata};
use overdub_context::value::Value;
use overdub_native::Native;

#[dub]
fn inner(x: f64) -> f64 {
    x.sin()
}

#[dub]
fn cubed(x: f64) -> f64 {
    x * x * x
}

#[dub]
fn wave(x: f64, k: f64) -> f64 {
    k * inner(x) * x
}

#[dub]
fn total(xs: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in xs {
        sum += inner(*x) * x;
    }
    sum
}

#[dub]
fn both(x: f64, k: f64) -> (f64, f64) {
    (k * inner(x), x * k)
}

/// New engines for the annotated functions of this file.
fn engines() -> [Engine; 2] {
    let builder = || registry::program().engine_builder();
    [builder().build(), builder().executor(Native::new()).build()]
}

fn swapped() -> Ctx<(), ValueOnly> {
    ctx().replace("inner", "cubed")
}

fn operations() -> Ctx<usize, WithMetadata> {
    ctx_with::<usize>().when(|call| !call.can_recurse()).before(|count, _, _| *count += 1)
}

fn products() -> Ctx<usize, WithMetadata> {
    ctx_with::<usize>().when(|call| call.calls("mul")).before(|count, _, _| *count += 1)
}

/// `wave` with `cubed` in place of `inner`, in Rust.
fn plain(x: f64, k: f64) -> f64 {
    k * x * x * x * x
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-7 * (1.0 + b.abs()), "{a} and {b}");
}

#[test]
fn a_context_around_a_derivative_sees_its_calls() -> Result<(), Error> {
    for engine in engines() {
        let ((y, pullback), count) = overdub_in(&engine, (operations(), Reverse), wave, (0.5, 3.0))?;
        let (dx, dk) = pullback.call(1.0)?;
        assert_eq!(y, wave(0.5, 3.0));
        close(dx, slope(|x| wave(x, 3.0), 0.5));
        close(dk, slope(|k| wave(0.5, k), 3.0));
        let (_, alone) = overdub_in(&engine, operations(), wave, (0.5, 3.0))?;
        assert!(count > alone && alone == 3, "{count} operations with the derivative, {alone} without");

        let ((y, dy), count) = overdub_in(&engine, (operations(), Forward), wave, ((0.5, 3.0), (1.0, 0.0)))?;
        assert_eq!(y, wave(0.5, 3.0));
        close(dy, slope(|x| wave(x, 3.0), 0.5));
        assert!(count > alone, "{count} operations with the derivative, {alone} without");

        let directions = [(1.0, 0.0), (0.0, 1.0)];
        let ((_, [dx, dk]), _) =
            overdub_in(&engine, (products(), Forward::batched()), wave, ((0.5, 3.0), directions))?;
        close(dx, slope(|x| wave(x, 3.0), 0.5));
        close(dk, slope(|k| wave(0.5, k), 3.0));
    }
    Ok(())
}

#[test]
fn what_was_replaced_is_differentiated() -> Result<(), Error> {
    for engine in engines() {
        let (y, pullback) = overdub_in(&engine, (Reverse, swapped()), wave, (0.5, 3.0))?;
        let (dx, dk) = pullback.call(1.0)?;
        assert_eq!(y, plain(0.5, 3.0));
        close(dx, slope(|x| plain(x, 3.0), 0.5));
        close(dk, slope(|k| plain(0.5, k), 3.0));

        let (y, dy) = overdub_in(&engine, (Forward, swapped()), wave, ((0.5, 3.0), (1.0, 0.0)))?;
        assert_eq!(y, plain(0.5, 3.0));
        close(dy, slope(|x| plain(x, 3.0), 0.5));

        let directions = [(1.0, 0.0), (0.0, 1.0)];
        let (_, [dx, dk]) =
            overdub_in(&engine, (Forward::batched(), swapped()), wave, ((0.5, 3.0), directions))?;
        close(dx, slope(|x| plain(x, 3.0), 0.5));
        close(dk, slope(|k| plain(0.5, k), 3.0));

        let limited = Reverse::with_tape_limit(1 << 20);
        let (y, pullback) = overdub_in(&engine, (limited, swapped()), total, (&[0.5, 2.0][..],))?;
        assert_eq!(y, plain(0.5, 1.0) + plain(2.0, 1.0));
        let (dxs,) = pullback.call(1.0)?;
        close(dxs[1], slope(|x| plain(x, 1.0), 2.0));
    }
    Ok(())
}

#[test]
fn the_limit_of_a_tape_is_that_of_each_run() -> Result<(), Box<dyn std::error::Error>> {
    let source = "pub fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y.sin() * x; } y }";
    let loaded = Loaded::from_source("f.rs", source)?;
    let f = loaded.function("f")?.symbol;
    let limited = ReverseTransform::new(ReverseOutput::Pullback).with_tape_limit(2000);
    for engine in [loaded.engine(), loaded.engine_builder().executor(Native::new()).build()] {
        let rounds = |n: usize| {
            let both = engine.overdub(&limited, f, vec![Value::F64(0.5), Value::from(n)]);
            both.map(drop)
        };
        for _ in 0..3 {
            rounds(100)?;
        }
        let over = rounds(1000).expect_err("the records of a thousand rounds take more");
        assert!(over.to_string().contains("2000 bytes"), "{over}");
        rounds(100)?;
    }
    Ok(())
}

#[test]
fn a_context_inside_a_derivative_keeps_its_metadata() -> Result<(), Error> {
    for engine in engines() {
        let ((y, count), pullback) = overdub_in(&engine, (Reverse, products()), wave, (0.5, 3.0))?;
        let (dx, _) = pullback.call(1.0)?;
        assert_eq!((y, count), (wave(0.5, 3.0), 2), "the products of the function alone");
        close(dx, slope(|x| wave(x, 3.0), 0.5));
        let ((y, count), dy) = overdub_in(&engine, (Forward, products()), wave, ((0.5, 3.0), (1.0, 0.0)))?;
        assert_eq!((y, count), (wave(0.5, 3.0), 2));
        close(dy, slope(|x| wave(x, 3.0), 0.5));
    }
    Ok(())
}

#[test]
fn three_layers_nest_in_any_order() -> Result<(), Error> {
    for engine in engines() {
        let ((y, pullback), count) =
            overdub_in(&engine, (products(), (Reverse, swapped())), wave, (0.5, 3.0))?;
        assert!(count >= 4);
        close(pullback.call(1.0)?.0, slope(|x| plain(x, 3.0), 0.5));
        assert_eq!(y, plain(0.5, 3.0));

        let ((y, count), pullback) =
            overdub_in(&engine, (Reverse, (products(), swapped())), wave, (0.5, 3.0))?;
        assert_eq!((y, count), (plain(0.5, 3.0), 4));
        close(pullback.call(1.0)?.0, slope(|x| plain(x, 3.0), 0.5));

        let (((y, pullback), inner), outer) =
            overdub_in(&engine, (products(), (products(), Reverse)), wave, (0.5, 3.0))?;
        assert_eq!(inner, outer);
        close(pullback.call(1.0)?.0, slope(|x| wave(x, 3.0), 0.5));
        assert_eq!(y, wave(0.5, 3.0));

        let (((y, inner), pullback), outer) =
            overdub_in(&engine, (products(), (Reverse, products())), wave, (0.5, 3.0))?;
        assert!(inner == 2 && outer >= 2);
        close(pullback.call(1.0)?.0, slope(|x| wave(x, 3.0), 0.5));
        assert_eq!(y, wave(0.5, 3.0));

        let four = (operations(), (Forward, (operations(), swapped())));
        let (((y, inner), dy), outer) = overdub_in(&engine, four, wave, ((0.5, 3.0), (1.0, 0.0)))?;
        assert!(y == plain(0.5, 3.0) && inner == 4 && outer > inner, "{y}, {inner} in {outer}");
        close(dy, slope(|x| plain(x, 3.0), 0.5));
    }
    Ok(())
}

#[test]
fn a_function_under_a_context_is_differentiated_as_any_other() -> Result<(), Error> {
    let wave = under(swapped(), wave);
    assert_eq!(run(wave.clone(), (0.5, 3.0))?, plain(0.5, 3.0));
    let (dx, dk) = gradient(wave.clone(), (0.5, 3.0))?;
    close(dx, slope(|x| plain(x, 3.0), 0.5));
    close(dk, slope(|k| plain(0.5, k), 3.0));
    let (y, (dx, _)) = value_and_gradient(wave.clone(), (0.5, 3.0))?;
    assert_eq!(y, plain(0.5, 3.0));
    close(dx, slope(|x| plain(x, 3.0), 0.5));
    let (_, (dx, _)) = vjp(wave.clone(), (0.5, 3.0), 2.0)?;
    close(dx, 2.0 * slope(|x| plain(x, 3.0), 0.5));
    let (_, dy) = jvp(wave.clone(), (0.5, 3.0), (1.0, 0.0))?;
    close(dy, slope(|x| plain(x, 3.0), 0.5));
    let curved = hessian(wave.clone(), (0.5, 3.0))?;
    close(curved[[0, 0]], 12.0 * 3.0 * 0.25);
    let along = hvp(wave.clone(), (0.5, 3.0), (1.0, 0.0))?;
    close(along.0, 12.0 * 3.0 * 0.25);
    let (_, linear) = linearize(wave.clone(), (0.5, 3.0))?;
    close(linear.call((1.0, 0.0))?, slope(|x| plain(x, 3.0), 0.5));
    let prepared = prepare(wave.clone());
    close(prepared.gradient((0.5, 3.0))?.0, slope(|x| plain(x, 3.0), 0.5));
    let slopes = jacobian(under(swapped(), both), (0.5, 3.0))?;
    close(slopes[[0, 0]], slope(|x| 3.0 * x * x * x, 0.5));
    assert_eq!(derivative(under(swapped(), inner), 0.5)?, derivative(inner, 0.5)?);
    check_gradient(wave).over((0.1..2.0, 0.1..2.0)).run();
    Ok(())
}

#[test]
fn a_function_under_a_context_runs_under_others() -> Result<(), Error> {
    for engine in engines() {
        let swapped = under(swapped(), wave);
        assert_eq!(overdub_in(&engine, products(), swapped.clone(), (0.5, 3.0))?, (plain(0.5, 3.0), 4));
        let (y, pullback) = overdub_in(&engine, Reverse, under(products(), wave), (0.5, 3.0))?;
        assert_eq!(y, wave(0.5, 3.0));
        close(pullback.call(1.0)?.0, slope(|x| wave(x, 3.0), 0.5));
    }
    Ok(())
}

#[test]
fn a_replacement_in_the_code_of_a_derivative_is_no_derivative_of_the_replaced() -> Result<(), Error> {
    // The pitfall that guide/contexts.md warns of.
    let cx = ctx().replace("sin", "cos");
    let (_, dy) = overdub((cx.clone(), Forward), inner, ((0.5,), (1.0,)))?;
    close(dy, 0.5_f64.cos());
    let (_, dy) = overdub((Forward, cx), inner, ((0.5,), (1.0,)))?;
    close(dy, -0.5_f64.sin());
    Ok(())
}

#[test]
fn a_host_method_that_goes_on_is_differentiated_as_the_call() -> Result<(), Error> {
    let host = || {
        ctx().method("sin", |call| {
            let args = call.take_args();
            call.recurse(args)
        })
    };
    for engine in engines() {
        let (y, dy) = overdub_in(&engine, (Forward, host()), wave, ((0.5, 3.0), (1.0, 0.0)))?;
        assert_eq!(y, wave(0.5, 3.0));
        close(dy, slope(|x| wave(x, 3.0), 0.5));
        let (y, pullback) = overdub_in(&engine, (Reverse, host()), wave, (0.5, 3.0))?;
        assert_eq!(y, wave(0.5, 3.0));
        close(pullback.call(1.0)?.0, slope(|x| wave(x, 3.0), 0.5));
    }
    Ok(())
}
