//! The pullback of a recorded run.

use std::sync::Arc;

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{Nominal, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use super::{Recorder, is_tracked};
use crate::custom::ActiveRules;
use crate::domain_call::{DomainCall, checked};
use crate::dual::Duals;
use crate::flatten;
use crate::float_pair::pair_value;
use crate::wengert_list::{self, Tape, recording};

/// The default limit of a tape, in bytes.
pub const TAPE_LIMIT: usize = 8 << 30;

/// A function's result, and its pullback.
#[derive(Clone, Debug)]
pub struct TapeVjp {
    /// What the function returned.
    pub value: Value<'static>,
    /// Maps cotangents of the result to cotangents of the arguments.
    pub pullback: TapePullback,
}

/// Maps cotangents of a result to cotangents of the arguments, which have the shape of their values. A clone
/// shares the tape.
#[derive(Clone, Debug)]
pub struct TapePullback(Arc<TapeRun>);

#[derive(Debug)]
struct TapeRun {
    tape: Tape,
    args: Vec<Value<'static>>,
    arguments: usize,
    /// The tape entry of each float of the result.
    outputs: Vec<u32>,
}

impl TapePullback {
    /// The cotangents of the arguments, for a cotangent of the result that is given by its floats in order.
    ///
    /// # Errors
    /// If their number is not the number of floats of the result.
    pub fn pull(&self, cotangents: &[f64]) -> Result<Vec<Value<'static>>, Failure> {
        checked(self.0.outputs.len(), cotangents.len())?;
        let mut found = self.pull_floats(cotangents)?.into_iter();
        self.0.args.iter().map(|arg| flatten::with_floats(arg, &mut found)).collect()
    }

    /// The cotangents of all floats of the arguments in order.
    pub(crate) fn pull_floats(&self, cotangents: &[f64]) -> Result<Vec<f64>, Failure> {
        self.0.tape.pull(&self.seeds(cotangents), self.0.arguments)
    }

    /// The sums of the absolute values of the terms of each cotangent.
    #[cfg(feature = "check")]
    pub(crate) fn magnitudes(&self, cotangents: &[f64]) -> Result<Vec<f64>, Failure> {
        self.0.tape.magnitudes(&self.seeds(cotangents), self.0.arguments)
    }

    /// Whether a part of the run computed in single precision.
    #[cfg(feature = "check")]
    pub(crate) fn computes_in_single(&self) -> bool {
        self.0.tape.has_single()
    }

    fn seeds(&self, cotangents: &[f64]) -> Vec<(u32, f64)> {
        self.0.outputs.iter().copied().zip(cotangents.iter().copied()).collect()
    }

    /// The tangents of the floats of the result along tangents of those of the arguments, in order.
    pub(crate) fn push_floats(&self, directions: &[f64]) -> Result<Vec<f64>, Failure> {
        let tangents = self.0.tape.push_forward(directions)?;
        Ok(self.0.outputs.iter().map(|step| tangents[*step as usize]).collect())
    }

    /// The number of floats of the result.
    pub fn outputs(&self) -> usize {
        self.0.outputs.len()
    }

    /// The bytes of the tape.
    pub fn tape_bytes(&self) -> usize {
        self.0.tape.bytes()
    }
}

/// Runs a function on a tape: its value and its pullback.
///
/// # Errors
/// If the program fails, a function has no derivative, or the tape exceeds its limit.
///
/// ```
/// use overdub_ad::tape::record;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(a: f64, b: f64) -> f64 { a / (a + b * b) }")?;
/// let f = loaded.function("f")?.symbol;
/// let recorded = record(&loaded.engine(), f, [2.0, 3.0].map(Value::F64).into())?;
/// assert_eq!(recorded.value.as_f64(), Some(2.0 / 11.0));
/// let cotangents = recorded.pullback.pull(&[1.0])?;
/// assert!((cotangents[0].as_f64().unwrap() - 9.0 / 121.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
) -> Result<TapeVjp, Failure> {
    record_limited(engine, func, args, TAPE_LIMIT)
}

/// As [`record`], with a limit on the tape in bytes.
///
/// # Errors
/// As [`record`].
pub fn record_limited(
    engine: &Engine,
    func: impl Into<Symbol>,
    args: Vec<Value<'static>>,
    limit: usize,
) -> Result<TapeVjp, Failure> {
    record_active(engine, func.into(), args, limit, &|_| true)
}

/// As [`record_limited`]. Floats of the arguments that are not in `wrt`, by their number, are constants.
pub(crate) fn record_active(
    engine: &Engine,
    func: Symbol,
    args: Vec<Value<'static>>,
    limit: usize,
    wrt: &dyn Fn(usize) -> bool,
) -> Result<TapeVjp, Failure> {
    record_in(engine, &(), (func, args), limit, wrt, Ok)
}

/// As [`record_active`], with contexts around. `read` turns value and pullback into what the contexts return.
pub(crate) fn record_in<O: Layers, X>(
    engine: &Engine,
    enclosing: &O,
    (func, args): (Symbol, Vec<Value<'static>>),
    limit: usize,
    wrt: &dyn Fn(usize) -> bool,
    read: impl FnOnce(TapeVjp) -> Result<X, Failure>,
) -> Result<O::Of<X>, Failure> {
    let cx = (enclosing.clone(), Recorder.context());
    let mapped = DomainCall::new(engine, &cx, func)?;
    let (ran, extra_bytes) = recorded(&mapped, args, limit, &mut |x, ty, step| {
        let is_active = usize::try_from(step - 1).is_ok_and(wrt);
        tracked(x, ty, if is_active { step } else { 0 })
    })?;
    mapped.close(ran, |result| {
        let pullback = TapePullback(Arc::new(extra_bytes.of(&result)));
        read(TapeVjp { value: flatten::without_attachments(result, mapped.primal_ret)?, pullback })
    })
}

/// Runs a function on a tape of dual numbers: the pullback of the value and its tangent along a direction. The floats
/// of the result come in pairs, each with its tangent.
pub(crate) fn record_over_duals(
    engine: &Engine,
    func: Symbol,
    args: Vec<Value<'static>>,
    direction: &[f64],
) -> Result<TapeVjp, Failure> {
    let cx = (Recorder.context(), Duals::ONE.context());
    let mapped = DomainCall::new(engine, &cx, func)?;
    let mut direction = direction.iter().copied();
    let (ran, extra_bytes) = recorded(&mapped, args, TAPE_LIMIT, &mut |x, ty, step| {
        let Some([number, tangent]) = ty.as_nominal().and_then(Nominal::fields) else { return Ok(x) };
        let dx = flatten::constant(float_of_type(&x, direction.next().unwrap_or(0.0)), tangent.ty)?;
        Ok(pair_value(ty, tracked(x, number.ty, step)?, dx))
    })?;
    mapped.close(ran, |result| {
        let pullback = TapePullback(Arc::new(extra_bytes.of(&result)));
        Ok(TapeVjp { value: flatten::without_attachments(result, mapped.primal_ret)?, pullback })
    })
}

fn float_of_type(x: &Value<'_>, number: f64) -> Value<'static> {
    match x {
        Value::F32(_) => Value::F32(number as f32),
        _ => Value::F64(number),
    }
}

pub(super) fn tracked(x: Value<'static>, ty: Ty, step: i64) -> Result<Value<'static>, Failure> {
    Ok(pair_value(ty, x, Value::from(step)))
}

/// Makes the recorded form of an argument's float, from its number, the type, and its entry.
type Track<'t> = &'t mut dyn FnMut(Value<'static>, Ty, i64) -> Result<Value<'static>, Failure>;

/// The value under the domain, and what is needed to end the run.
type Ran<L> = (Value<'static>, <L as Layers>::Open);

fn recorded<L: Layers>(
    mapped: &DomainCall<'_, L>,
    args: Vec<Value<'static>>,
    limit: usize,
    track: Track<'_>,
) -> Result<(Ran<L>, TapeRun), Failure> {
    let mut arguments = 0;
    let lifted = mapped.lift(args.clone(), &mut |x, ty| {
        arguments += 1;
        let step = u32::try_from(arguments).map_err(|_| full())?;
        track(x, ty, i64::from(step))
    })?;
    let recorder = recorder_for(mapped.engine);
    let (tape, ran) = recording(Tape::new(arguments, limit), recorder, || mapped.run(lifted));
    Ok((ran?, TapeRun { tape, args, arguments, outputs: Vec::new() }))
}

/// How a run records, which takes derivatives of its checkpoints by the rules in whose scope it is.
pub(super) fn recorder_for(engine: &Engine) -> wengert_list::Recorder {
    let rules = ActiveRules::current();
    let pull: wengert_list::Pull =
        Arc::new(move |engine, func, args, cotangents| rules.during(|| pull(engine, func, args, cotangents)));
    wengert_list::Recorder { engine: engine.clone(), pull }
}

/// Runs a function on a tape, and pulls back cotangents of its result.
fn pull(
    engine: &Engine,
    func: Symbol,
    args: Vec<Value<'static>>,
    cotangents: &[f64],
) -> Result<Vec<f64>, Failure> {
    record(engine, func, args)?.pullback.pull_floats(cotangents)
}

impl TapeRun {
    /// The run, with the tape entries of its result's floats.
    fn of(mut self, result: &Value<'_>) -> TapeRun {
        flatten::each_pair(result, &is_tracked, &mut |pair| {
            let step = pair.get(1).and_then(Value::as_int).and_then(|(_, step)| u32::try_from(step).ok());
            self.outputs.push(step.unwrap_or(0));
        });
        self
    }
}

#[cold]
pub(super) fn full() -> Failure {
    Failure::new(FailureKind::MemoryLimit, "the arguments hold more floats than a tape has places for")
}
