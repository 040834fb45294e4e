//! The operation that appends an entry to the tape of the current run.

use std::sync::Arc;

use overdub_context::engine::Engine;
use overdub_context::ir::Ty;
use overdub_context::limits::ExtraBytes;
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol, run_state};

use super::{BlockPullback, Tape};
use crate::float_pair::is_float;

/// What operations that record need of the current run; its state, in the words of `run_state`.
struct Recording {
    tape: Tape,
    recorder: Recorder,
    /// The part of the run's memory limit that is charged for the tape.
    extra: ExtraBytes,
}

/// The growth of a tape in bytes between two checks of the run's memory limit.
const ACCOUNTED: usize = 1 << 16;

impl Recording {
    /// The tape, after it is charged to the memory limit of its run.
    fn charged(&mut self) -> Result<&mut Tape, Failure> {
        let (bytes, charged) = (self.tape.bytes(), self.extra.own_bytes());
        if bytes < charged || bytes >= charged + ACCOUNTED {
            self.extra.set(bytes)?;
        }
        Ok(&mut self.tape)
    }
}

/// How the current run records.
#[derive(Clone)]
pub(crate) struct Recorder {
    /// The engine of the run.
    pub(crate) engine: Engine,
    /// Runs a function on a tape of its own, and maps cotangents of its result to those of its arguments.
    pub(crate) pull: Pull,
}

/// Maps a function, its arguments and cotangents of its result to the cotangents of the arguments' floats.
pub(crate) type Pull =
    Arc<dyn Fn(&Engine, Symbol, Vec<Value<'static>>, &[f64]) -> Result<Vec<f64>, Failure> + Send + Sync>;

/// The recorder of the current run of this thread.
///
/// # Errors
/// If none is being recorded.
pub(crate) fn recorder() -> Result<Recorder, Failure> {
    run_state::access(|recording: &mut Recording| Ok(recording.recorder.clone()))
        .unwrap_or_else(not_recording)
}

/// Appends an entry; takes for each operand its entry and the partial derivative with respect to it, in turn.
pub(crate) static RECORD: OpDef = OpDef {
    name: "ad.record",
    arity: Arity::AtLeast(2),
    ty: steps_and_partials,
    effects: Effects { fails: true, allocates: true, ..Effects::PURE },
    eval: record,
    doc: "Records an entry: for each operand its entry, followed by the partial derivative in it.",
};

fn steps_and_partials(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let fits = tys
        .args
        .chunks(2)
        .all(|pair| matches!(pair, [step, partial] if *step == Ty::i64() && is_float(*partial)));
    if fits { Ok(Ty::i64()) } else { Err(TypeFault::takes("steps and partial derivatives, in turn")) }
}

fn record<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let edges = args.chunks(2).map(|pair| match pair {
        [Value::Int(step), Value::F64(partial)] => (step.bits() as u32, *partial),
        [Value::Int(step), Value::F32(partial)] => (step.bits() as u32, f64::from(*partial)),
        _ => (0, 0.0),
    });
    if edges.clone().all(|(step, _)| step == 0) {
        return Ok(Value::from(0_i64));
    }
    let is_single = matches!(args.get(1), Some(Value::F32(_)));
    let push = |recording: &mut Recording| {
        let tape = recording.charged()?;
        if is_single {
            tape.note_single();
        }
        tape.push(edges)
    };
    run_state::access(push).unwrap_or_else(not_recording).map(|step| Value::from(i64::from(step)))
}

fn not_recording<R>() -> Result<R, Failure> {
    Err(Failure::new(FailureKind::Host, "a step is recorded outside of a recording"))
}

/// Appends a block of entries with a pullback of its own, and returns the first; 0 if all operands are
/// constants.
pub(crate) fn record_block(sources: Vec<u32>, count: usize, pullback: BlockPullback) -> Result<u32, Failure> {
    if sources.iter().all(|source| *source == 0) {
        return Ok(0);
    }
    run_state::access(|recording: &mut Recording| recording.charged()?.push_block(sources, count, pullback))
        .unwrap_or_else(not_recording)
}

/// The number of entries of the tape of the current run of this thread; 0 if none is being recorded.
pub(crate) fn recorded_len() -> usize {
    run_state::access(|recording: &mut Recording| recording.tape.len()).unwrap_or(0)
}

/// Runs `f` with a tape, and returns the tape.
pub(crate) fn recording<R>(tape: Tape, recorder: Recorder, f: impl FnOnce() -> R) -> (Tape, R) {
    let (recording, result) = run_state::with(Recording { tape, recorder, extra: ExtraBytes::nothing() }, f);
    (recording.tape, result)
}
