//! Our gradient compared with a hand-written one, and with the differentiated program itself.

use std::hint::black_box;
use std::time::{Duration, Instant};

use overdub_ad::transform::reverse::Transformed;
use overdub_context::engine::Engine;
use overdub_lower::Loaded;
use overdub_native::{Arg, Native, OutSlot};
use overdub_passes::Optimising;

/// Any error ends the benchmark.
pub(crate) type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The kind of work that a row measures: for scalar loops the gradient is compared with the primal, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    ScalarLoop,
    Program,
}

/// What the exported texts are called among others that do the same.
pub(crate) const EXPORTED: &str = "exported";
pub(crate) const GRADIENT_ALONE: &str = "exported, gradient alone";

/// A measured gradient.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ours: Duration,
    pub(crate) hand_gradient: Duration,
    pub(crate) hand_primal: Duration,
    /// Other crates that do the same, and their times.
    pub(crate) peers: Vec<(&'static str, Duration)>,
}

/// Uses a computed value, so that computing it is not optimised away.
pub(crate) fn seen<T>(value: T) {
    black_box(value);
}

/// Does the same work in several ways, in turns for about a second, and returns the fastest run of each: what
/// disturbs one way also disturbs its neighbours.
pub(crate) fn fastest<const N: usize>(mut candidates: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    let begin = Instant::now();
    let mut iterations = 0;
    while iterations < 3 || begin.elapsed() < Duration::from_millis(900) {
        for (candidate, best) in candidates.iter_mut().zip(&mut best) {
            let start = Instant::now();
            let mut runs = 0_u32;
            // Work that takes less than the resolution of the clock is run several times.
            while runs == 0 || start.elapsed() < Duration::from_micros(20) {
                for _ in 0..8_u32.saturating_sub(u32::from(runs == 0) * 7) {
                    candidate();
                    runs += 1;
                }
            }
            *best = (*best).min(start.elapsed() / runs);
        }
        iterations += 1;
    }
    best
}

/// A program, ready to be differentiated and run as machine code.
pub(crate) struct Program {
    pub(crate) loaded: Loaded,
    pub(crate) engine: Engine,
}

impl Program {
    pub(crate) fn new(file: &str, source: &str) -> Fallible<Program> {
        let loaded = Loaded::from_source(file, source)?;
        let engine =
            Engine::builder(loaded.shared_module()).executor(Native::new()).optimizer(Optimising).build();
        Ok(Program { loaded, engine })
    }

    /// The value and the gradient of a function with respect to its first `N` arguments; `active` has a place
    /// of the shape of each.
    pub(crate) fn gradient<const N: usize>(
        &self,
        func: &str,
        active: [GradientPlace; N],
    ) -> Fallible<Gradient> {
        let function = self.loaded.function(func)?;
        let transformed = Transformed::gradient(&self.engine, function.symbol, &|at| at < N)?;
        Ok(Gradient { transformed, values: vec![0.0], places: active.into() })
    }

    /// The same of a function that returns `count` floats, and the gradient of each of them.
    pub(crate) fn gradients<const N: usize>(
        &self,
        func: &str,
        count: usize,
        active: impl Fn() -> [GradientPlace; N],
    ) -> Fallible<Gradient> {
        let function = self.loaded.function(func)?;
        let transformed = Transformed::gradients(&self.engine, function.symbol, &|at| at < N, None)?;
        let places = (0..count).flat_map(|_| active()).collect();
        Ok(Gradient { transformed, values: vec![0.0; count], places })
    }
}

/// An argument.
#[derive(Clone, Copy)]
pub(crate) enum In<'a> {
    Floats(&'a [f64]),
    Counts(&'a [usize]),
    Float(f64),
    Count(usize),
}

impl<'a> In<'a> {
    pub(crate) fn arg(self) -> Arg<'a> {
        match self {
            In::Floats(xs) => Arg::slice(xs),
            In::Counts(ns) => Arg::slice(ns),
            In::Float(x) => Arg::scalar(x),
            In::Count(n) => Arg::scalar(n),
        }
    }
}

/// The destination of a derivative.
pub(crate) enum GradientPlace {
    Float(f64),
    Floats(Vec<f64>),
}

impl GradientPlace {
    /// A place for the derivative of a slice of this many floats.
    pub(crate) fn floats(count: usize) -> GradientPlace {
        GradientPlace::Floats(vec![0.0; count])
    }

    fn out(&mut self) -> OutSlot<'_> {
        match self {
            GradientPlace::Float(x) => OutSlot::F64(x),
            GradientPlace::Floats(xs) => OutSlot::F64s(xs),
        }
    }

    fn found(&self) -> &[f64] {
        match self {
            GradientPlace::Float(x) => std::slice::from_ref(x),
            GradientPlace::Floats(xs) => xs,
        }
    }
}

/// A gradient that is ready to run; it stores its results in places of its own.
pub(crate) struct Gradient {
    transformed: Transformed,
    values: Vec<f64>,
    places: Vec<GradientPlace>,
}

/// The greatest number of arguments, and of values and derivatives, of any row.
const PLACES: usize = 8;

impl Gradient {
    pub(crate) fn run(&mut self, args: &[In<'_>]) -> Fallible<()> {
        let mut spare = [0.0; PLACES];
        let mut outs = spare.each_mut().map(OutSlot::F64);
        let count = self.values.len() + self.places.len();
        let slots =
            self.values.iter_mut().map(OutSlot::F64).chain(self.places.iter_mut().map(GradientPlace::out));
        outs.iter_mut().zip(slots).for_each(|(out, slot)| *out = slot);
        let mut passed = [Arg::Unit; PLACES];
        passed.iter_mut().zip(args).for_each(|(passed, arg)| *passed = arg.arg());
        let called = self.transformed.call(&passed[..args.len()], &mut outs[..count]);
        Ok(called.ok_or("it is no machine code")??)
    }

    /// The values, and the derivatives.
    pub(crate) fn found(&self) -> Vec<f64> {
        self.values.iter().chain(self.places.iter().flat_map(GradientPlace::found)).copied().collect()
    }

    /// Checks the gradient, and measures it.
    pub(crate) fn row(
        mut self,
        (name, kind): (&str, Kind),
        args: &[In<'_>],
        expected: &[f64],
        mut hand_gradient: impl FnMut(),
        mut hand_primal: impl FnMut(),
    ) -> Fallible<Row> {
        self.run(args)?;
        check(name, &self.found(), expected)?;
        let mut ours = || seen(self.run(black_box(args)).is_ok());
        let [ours, hand_gradient, hand_primal] = fastest([&mut ours, &mut hand_gradient, &mut hand_primal]);
        Ok(Row { name: name.to_owned(), kind, ours, hand_gradient, hand_primal, peers: Vec::new() })
    }
}

/// Checks that a value and derivatives equal those of another implementation.
pub(crate) fn check(name: &str, found: &[f64], expected: &[f64]) -> Fallible<()> {
    if found.len() != expected.len() {
        return Err(format!("{name}: {} numbers, expected {}", found.len(), expected.len()).into());
    }
    let size = expected.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let differ = (found - expected).abs();
        if differ.is_nan() || differ > 1e-9 * expected.abs() + 1e-10 * size {
            return Err(format!("{name}: number {at} is {found}, expected {expected}").into());
        }
    }
    Ok(())
}

/// The ratio of our time to another.
pub(crate) fn ratio(ours: Duration, other: Duration) -> f64 {
    ours.as_secs_f64() / other.as_secs_f64().max(1e-12)
}

/// The geometric mean of ratios.
pub(crate) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for ratio in ratios {
        sum += ratio.ln();
        count += 1.0;
    }
    (sum / count.max(1.0)).exp()
}
