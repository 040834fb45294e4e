//! A gradient of ours beside one written by hand, and beside what it is the gradient of.

use std::hint::black_box;
use std::time::{Duration, Instant};

use overdub_ad::reverse::{Gives, Transform};
use overdub_ad::whole::floats;
use overdub_context::engine::{Engine, Prepared};
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimising;

/// Whatever goes wrong ends the benchmark.
pub(crate) type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// What kind of work a row measures: of scalar loops the gradient is held against the primal, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    ScalarLoop,
    Program,
}

/// A measured gradient.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ours: Duration,
    pub(crate) hand_gradient: Duration,
    pub(crate) hand_primal: Duration,
}

/// Takes what was computed, so that it has to be.
pub(crate) fn seen<T>(value: T) {
    black_box(value);
}

/// The same work done in several ways, in turns for about a second, and the fastest run of each: what disturbs one
/// way disturbs its neighbours, too.
pub(crate) fn fastest<const N: usize>(mut ways: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 3 || begin.elapsed() < Duration::from_millis(900) {
        for (way, best) in ways.iter_mut().zip(&mut best) {
            let own = Instant::now();
            let mut runs = 0_u32;
            // What takes less than the clock's grain is run several times.
            while runs == 0 || own.elapsed() < Duration::from_micros(20) {
                for _ in 0..8_u32.saturating_sub(u32::from(runs == 0) * 7) {
                    way();
                    runs += 1;
                }
            }
            *best = (*best).min(own.elapsed() / runs);
        }
        rounds += 1;
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

    /// The value and the gradient of a function in its first `wanted` arguments.
    pub(crate) fn gradient(&self, func: &str, wanted: usize) -> Fallible<Gradient> {
        let function = self.loaded.function(func)?;
        let wanted = (0..function.params.len()).map(|at| at < wanted).collect();
        let cx = Transform::new(Gives::Gradient).with_respect_to(wanted);
        self.engine.overdubbed(&cx, function.symbol)?;
        Ok(Gradient(self.engine.prepare(&cx, function.symbol)))
    }
}

/// A gradient, ready to run.
pub(crate) struct Gradient(Prepared<Transform>);

impl Gradient {
    pub(crate) fn run(&self, args: &[Value<'static>]) -> Fallible<Value<'static>> {
        let mut all = args.to_vec();
        all.push(Value::F64(1.0));
        Ok(self.0.run(all)?)
    }

    /// Checks what it computes, and measures it.
    pub(crate) fn row(
        &self,
        (name, kind): (&str, Kind),
        args: &[Value<'static>],
        expected: &[f64],
        mut hand_gradient: impl FnMut(),
        mut hand_primal: impl FnMut(),
    ) -> Fallible<Row> {
        check(name, &floats(&self.run(args)?), expected)?;
        let mut ours = || seen(self.run(black_box(args)));
        let [ours, hand_gradient, hand_primal] = fastest([&mut ours, &mut hand_gradient, &mut hand_primal]);
        Ok(Row { name: name.to_owned(), kind, ours, hand_gradient, hand_primal })
    }
}

/// Whether a value and derivatives are those that somebody else found.
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

/// Ours over another.
pub(crate) fn ratio(ours: Duration, other: Duration) -> f64 {
    ours.as_secs_f64() / other.as_secs_f64().max(1e-12)
}

/// The geometric mean.
pub(crate) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for ratio in ratios {
        sum += ratio.ln();
        count += 1.0;
    }
    (sum / count.max(1.0)).exp()
}
