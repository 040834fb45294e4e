//! Checks of one point: the derivatives against finite differences, between engines, and of repeated calls.

use overdub_context::engine::Engine;
use overdub_context::value::{IntoValue, Value};
use overdub_context::{Failure, Symbol};
use overdub_lower::api::{Arguments, Callable, Target, engine};

use super::compiled::Compiled;
use super::function_under_test::FunctionUnderTest;
use super::{Mismatch, RemadeAll, Tally};
use crate::custom::ByRules;
use crate::flatten::{floats, with_floats};
use crate::shape::owned_values;
use crate::tape::TapePullback;
use crate::transform::reverse::Transformed;
use crate::{dual, tape};

/// Checks the derivatives of a function at one point.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::check_at;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { (x * y).sin() + x.sqrt() }
///
/// let tally = check_at(f, (2.0, 3.0)).expect("the derivatives are right");
/// assert_eq!(tally.agreed, 2);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// The mismatch that was found.
pub fn check_at<'a, F, Args, Forms>(func: F, args: Args) -> Result<Tally, Mismatch>
where
    F: Callable<Args> + for<'x> Callable<Args::At<'x>, Output: IntoValue<'x>>,
    Args: Arguments<'a> + RemadeAll<Forms>,
{
    let target = Callable::<Args>::target(&func).map_err(Mismatch::None)?.in_engine(engine());
    let values = target.transfer(args).map_err(Mismatch::None)?.values;
    let subject = FunctionUnderTest::of_target(&target);
    let compiled = Compiled::new::<F, Args, Forms>(func);
    let point = Point {
        engine: engine(),
        subject: &subject,
        tolerance: TOLERANCE,
        allocations: None,
        compiled: Some(&compiled),
    };
    point.check(owned_values(&target, values))
}

/// The default tolerance, relative to the derivative, for differences with a small error estimate.
pub const TOLERANCE: f64 = 1e-6;

/// As [`check_at`], for untyped values under any engine: `all` that the function takes, captures first.
///
/// # Errors
/// The mismatch that was found.
pub fn check_point(
    engine: &Engine,
    target: &Target,
    all: Vec<Value<'static>>,
    tolerance: f64,
) -> Result<Tally, Mismatch> {
    let subject = FunctionUnderTest::of_target(target);
    Point { engine, subject: &subject, tolerance, allocations: None, compiled: None }.check(all)
}

/// As [`check_point`], for a function in IR: all its results and all its arguments are compared.
///
/// ```
/// use overdub_ad::check::{TOLERANCE, check_func};
/// use overdub_context::{engine::Engine, text};
///
/// let module = text::parse("fn @f(%x: f64) -> f64 {\n  %y: f64 = sin %x\n  ret %y\n}")?.module();
/// let tally = check_func(&Engine::new(module), "f", vec![0.5.into()], TOLERANCE)?;
/// assert_eq!(tally.agreed, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The mismatch that was found.
pub fn check_func(
    engine: &Engine,
    func: impl Into<Symbol>,
    all: Vec<Value<'static>>,
    tolerance: f64,
) -> Result<Tally, Mismatch> {
    let subject = FunctionUnderTest::of_func(engine, func.into())?;
    Point { engine, subject: &subject, tolerance, allocations: None, compiled: None }.check(all)
}

/// Returns the number of allocations that this process, or this thread, has made so far.
pub(super) type Allocations = fn() -> usize;

fn checked(point: &Point<'_>, all: Vec<Value<'static>>) -> Result<Tally, Mismatch> {
    let Point { engine, subject, .. } = *point;
    let expected = match point.run(all.clone()) {
        Ok(expected) => expected,
        // A run that a limit stopped shows nothing about the function.
        Err(failure) if failure.limit().is_some_and(|limit| !limit.is_of_calls()) => {
            return Err(Mismatch::Stopped(failure.into()));
        }
        Err(failure) => return point.failing(all, failure),
    };
    let outputs = floats(&expected);
    if outputs.iter().any(|y| !y.is_finite()) {
        return Ok(Tally::passed_over("the result is not finite".to_owned()));
    }
    let recorded = tape::record(engine, subject.symbol, all.clone()).map_err(none)?;
    let result = subject.result(recorded.value.clone());
    for (expected, differentiated) in outputs.iter().copied().zip(floats(&result)) {
        if expected.to_bits() != differentiated.to_bits() {
            return Err(Mismatch::Value { expected, differentiated });
        }
    }
    // A function of doubles may compute with singles inside.
    let mut in_single = subject.clone();
    in_single.is_single = true;
    let point = match recorded.pullback.computes_in_single() {
        true => &Point { subject: &in_single, ..*point },
        false => point,
    };
    let weights = weights(outputs.len());
    let places = subject.places(&all);
    let (found, recorded) = point.pulled(&recorded.pullback, &weights, &places)?;
    let (cross_checked, transformed) = point.cross_check(all.clone(), &found, &weights, &places)?;
    point.both_modes(&all, &found, &weights)?;
    let tally = point.differences(&all, &found, (&outputs, &weights), &places)?;
    Ok(Tally { cross_checked, allocations: recorded.max(transformed), ..tally })
}

fn none(failure: Failure) -> Mismatch {
    Mismatch::None(failure.into())
}

/// Irregular numbers near 1; if there is only one, it is 1.
fn weights(count: usize) -> Vec<f64> {
    (0..count).map(|k| 1.0 + 0.5 * (k as f64 * 1.7).sin()).collect()
}

/// A direction in which no component is zero.
pub(super) fn direction(count: usize) -> Vec<f64> {
    (0..count).map(|k| 0.6 + 0.4 * (1.0 + k as f64 * 2.3).sin()).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).filter(|(a, b)| **a != 0.0 && **b != 0.0).map(|(a, b)| a * b).sum()
}

/// A gradient, and for each derivative the rounding error that remains if the terms of its sum cancel.
pub(super) struct Gradient {
    pub(super) gradient: Vec<f64>,
    pub(super) rounding: Vec<f64>,
}

/// The rounding error relative to the sum of the terms' sizes, in double and in single precision.
const ROUNDING: (f64, f64) = (1e3 * f64::EPSILON, 1e2 * f32::EPSILON as f64);

/// The point at which a function is checked, and how.
pub(super) struct Point<'e> {
    pub(super) engine: &'e Engine,
    pub(super) subject: &'e FunctionUnderTest,
    pub(super) tolerance: f64,
    pub(super) allocations: Option<Allocations>,
    /// The function as compiled by rustc, if there is one.
    pub(super) compiled: Option<&'e Compiled<'e>>,
}

impl Point<'_> {
    pub(super) fn check(&self, all: Vec<Value<'static>>) -> Result<Tally, Mismatch> {
        checked(self, all)
    }

    /// The allocations of a call of `pull`, if they are counted; fails unless a second call allocates as
    /// often.
    fn allocated(&self, pull: impl Fn() -> Result<(), Mismatch>) -> Result<Option<usize>, Mismatch> {
        let Some(count) = self.allocations else { return Ok(None) };
        let once = || {
            let before = count();
            pull()?;
            Ok(count() - before)
        };
        let (first, second) = (once()?, once()?);
        if first == second { Ok(Some(first)) } else { Err(Mismatch::Allocates { first, second }) }
    }

    /// The function's own result, without the last values of `&mut` parameters.
    pub(super) fn run(&self, all: Vec<Value<'static>>) -> Result<Value<'static>, Failure> {
        let value = self.engine.overdub(&ByRules::new(), self.subject.symbol, all)?;
        Ok(self.subject.result(value))
    }

    /// Checks that the derivative fails at a point where the function fails.
    fn failing(&self, all: Vec<Value<'static>>, failure: Failure) -> Result<Tally, Mismatch> {
        let reason = failure.to_string();
        match tape::record(self.engine, self.subject.symbol, all) {
            Ok(_) => Err(Mismatch::NoFailure(failure.into())),
            Err(_) => Ok(Tally::passed_over(reason)),
        }
    }

    /// The gradient of the weighted sum of the results, and the allocations of the pullback. Checks that a
    /// second call gives the same, and that doubled weights double it.
    fn pulled(
        &self,
        pullback: &TapePullback,
        weights: &[f64],
        places: &[String],
    ) -> Result<(Gradient, Option<usize>), Mismatch> {
        let pull = |factor: f64| {
            let mut seeds: Vec<f64> = weights.iter().map(|weight| weight * factor).collect();
            seeds.resize(pullback.outputs(), 0.0);
            pullback.pull_floats(&seeds).map_err(none)
        };
        let (gradient, repeated, twice) = (pull(1.0)?, pull(1.0)?, pull(2.0)?);
        for (number, first) in gradient.iter().copied().enumerate() {
            let place = || places.get(number).cloned().unwrap_or_default();
            let (second, twice) = (repeated[number], twice[number]);
            if first.to_bits() != second.to_bits() {
                return Err(Mismatch::Repeats { place: place(), first, second });
            }
            if first.is_finite() && (twice - 2.0 * first).abs() > 1e-12 * twice.abs() {
                return Err(Mismatch::Linear { place: place(), once: first, twice });
            }
        }
        let allocated = self.allocated(|| pull(1.0).map(drop))?;
        let mut seeds = weights.to_vec();
        seeds.resize(pullback.outputs(), 0.0);
        let sizes = pullback.magnitudes(&seeds).map_err(none)?;
        let part = if self.subject.is_single { ROUNDING.1 } else { ROUNDING.0 };
        let rounding = sizes.iter().map(|size| if size.is_finite() { part * size } else { 0.0 }).collect();
        Ok((Gradient { gradient, rounding }, allocated))
    }

    /// Checks the reverse transformation against the tape. Returns 1 and its allocations, or 0 if the
    /// function cannot be transformed.
    fn cross_check(
        &self,
        all: Vec<Value<'static>>,
        Gradient { gradient, rounding: noise }: &Gradient,
        weights: &[f64],
        places: &[String],
    ) -> Result<(usize, Option<usize>), Mismatch> {
        let captures = self.subject.captures;
        let wrt = |at: usize| at >= captures;
        let transformation = Transformed::pullback(self.engine, self.subject.symbol, &wrt, None);
        let Ok(rewritten) = transformation else { return Ok((0, None)) };
        let (value, pullback) = rewritten.split(all).map_err(none)?;
        let mut seeds = weights.to_vec();
        seeds.resize(floats(&value).len(), 0.0);
        let found = pullback.pull(&seeds).map_err(none)?;
        let transformed: Vec<f64> = found.iter().flat_map(floats).collect();
        let captured = self.subject.captured;
        let tolerance = if self.subject.is_single { 1e-4 } else { 1e-9 };
        let size = gradient.iter().filter(|g| g.is_finite()).fold(0.0, |size: f64, g| size.max(g.abs()));
        for number in captured..gradient.len() {
            let (recorded, transformed) = (gradient[number], transformed[number]);
            let near = (recorded - transformed).abs() <= tolerance * size + noise[number];
            if recorded.is_finite() && !near {
                let place = places.get(number).cloned().unwrap_or_default();
                return Err(Mismatch::Engines { place, recorded, transformed });
            }
        }
        Ok((1, self.allocated(|| pullback.pull(&seeds).map(drop).map_err(none))?))
    }

    /// The dot-product identity: forward and reverse mode agree along a direction.
    fn both_modes(
        &self,
        all: &[Value<'static>],
        Gradient { gradient, rounding: roundings }: &Gradient,
        weights: &[f64],
    ) -> Result<(), Mismatch> {
        let direction_floats = direction(gradient.len());
        let mut parts = direction_floats.iter().copied();
        let tangents = all.iter().map(|value| with_floats(value, &mut parts)).collect::<Result<_, _>>();
        let (_, dy) = tangents
            .and_then(|tangents| dual::jvp(self.engine, self.subject.symbol, all.to_vec(), tangents))
            .map_err(none)?;
        let dy = self.subject.result(dy);
        let (forward, reverse) = (dot(&floats(&dy), weights), dot(gradient, &direction_floats));
        let size: f64 = gradient
            .iter()
            .zip(&direction_floats)
            .map(|(g, v)| (g * v).abs())
            .filter(|part| part.is_finite())
            .sum();
        let rounding: f64 = roundings.iter().zip(&direction_floats).map(|(roundings, v)| roundings * v).sum();
        let agree = (forward - reverse).abs() <= 1e-9 * size + rounding + 1e-300;
        // At a pole the modes may give infinities or NaNs of different kinds.
        if agree
            || !forward.is_finite()
            || !reverse.is_finite()
            || self.subject.is_single && (forward - reverse).abs() <= 1e-4 * size
        {
            return Ok(());
        }
        Err(Mismatch::Modes { reverse, forward })
    }
}
