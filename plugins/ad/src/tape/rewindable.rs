//! A recording of a run that is stopped and rewound: the tape is truncated with it.

use std::fmt;
use std::sync::Arc;

use overdub_context::engine::{Engine, Layers, Lift};
use overdub_context::ir::Ty;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::pullback::{full, recorder_for, tracked};
use super::{Recorder, is_tracked};
use crate::domain_call::DomainCall;
use crate::flatten;
use crate::wengert_list::{self, Tape, recorded_len, recording};

/// A run on a tape that a driver advances in pieces and may repeat, such as a debugger.
///
/// ```
/// use overdub_ad::tape::{RewindableRecording, entries_of};
/// use overdub_context::engine::Engine;
/// use overdub_context::value::Value;
///
/// let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x * x * x }")?;
/// let engine = Engine::new(loaded.shared_module());
/// let f = loaded.function("f")?.symbol;
/// let mut recording = RewindableRecording::new(&engine, f, vec![Value::F64(2.0)], 1 << 20)?;
/// let (func, args) = (recording.func(), recording.args().to_vec());
/// let result = recording.during(|| engine.run(func, args))?;
/// let [output] = entries_of(&result)[..] else { panic!("it returns one float") };
/// // Each entry after the argument's: `x * x` and `x * x * x`.
/// assert_eq!(recording.tangents(&[1.0])?[1..], [1.0, 4.0, 12.0]);
/// assert_eq!(recording.cotangents(&[(output, 1.0)], 1)?[1..], [12.0, 2.0, 1.0]);
/// // The reverse sweep has come to before the last product.
/// assert_eq!(recording.cotangents(&[(output, 1.0)], 3)?[1..], [4.0, 2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct RewindableRecording {
    tape: Tape,
    recorder: wengert_list::Recorder,
    func: Symbol,
    args: Vec<Value<'static>>,
    inputs: usize,
    /// Keeps the code of the function alive.
    _specialized: Arc<<Lift as Layers>::Specialized>,
}

impl RewindableRecording {
    /// Prepares a function with arguments, each float of which gets an entry, in order from 1 on. The tape
    /// may take `limit` bytes.
    ///
    /// # Errors
    /// If there is no such function, or it has no derivative.
    pub fn new(
        engine: &Engine,
        func: Symbol,
        args: Vec<Value<'static>>,
        limit: usize,
    ) -> Result<RewindableRecording, Failure> {
        let cx = Recorder.context();
        let mapped = DomainCall::new(engine, &cx, func)?;
        let mut inputs = 0;
        let args = mapped.lift(args, &mut |x, ty| {
            inputs += 1;
            tracked(x, ty, u32::try_from(inputs).map_err(|_| full())?.into())
        })?;
        let (func, specialized) = mapped.into_specialized();
        let recorder = recorder_for(engine);
        Ok(RewindableRecording {
            tape: Tape::new(inputs, limit),
            recorder,
            func,
            args,
            inputs,
            _specialized: specialized.into(),
        })
    }

    /// The function under the domain of recorded numbers, in the module of the engine.
    pub fn func(&self) -> Symbol {
        self.func
    }

    /// The arguments under the domain.
    pub fn args(&self) -> &[Value<'static>] {
        &self.args
    }

    /// The number of floats of the arguments: their entries come first, from 1 on.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Runs `run`, which records on the tape.
    pub fn during<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let tape = std::mem::replace(&mut self.tape, Tape::new(0, 0));
        let (tape, result) = recording(tape, self.recorder.clone(), run);
        self.tape = tape;
        result
    }

    /// The number of entries so far, including that of constants; to be called by the code that is recorded.
    pub fn reached() -> usize {
        recorded_len()
    }

    /// The number of entries so far, including that of constants.
    pub fn entries(&self) -> usize {
        self.tape.len()
    }

    /// Truncates the tape to this many entries.
    pub fn rewind(&mut self, entries: usize) {
        self.tape.truncate(entries.max(self.inputs + 1));
    }

    /// The tangents of all entries, along tangents of the floats of the arguments.
    ///
    /// # Errors
    /// If their number is not that of the floats, or a custom rule of the program fails.
    pub fn tangents(&self, directions: &[f64]) -> Result<Vec<f64>, Failure> {
        crate::domain_call::checked(self.inputs, directions.len())?;
        self.tape.push_forward(directions)
    }

    /// The cotangents of all entries, for those in `of`, at the point at which the reverse sweep has reached
    /// the entry `from`: those of earlier entries are the sums of what later entries have propagated.
    ///
    /// # Errors
    /// If a custom rule of the program fails.
    pub fn cotangents(&self, of: &[(u32, f64)], from: usize) -> Result<Vec<f64>, Failure> {
        self.tape.cotangents(of, from.max(self.inputs + 1))
    }
}

impl fmt::Debug for RewindableRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RewindableRecording")
            .field("func", &self.func)
            .field("entries", &self.entries())
            .finish_non_exhaustive()
    }
}

/// The entries of the floats of a value under the domain, in order; 0 for a float that depends on no
/// argument.
pub fn entries_of(value: &Value<'_>) -> Vec<u32> {
    let mut found = Vec::new();
    flatten::each_pair(value, &is_tracked, &mut |pair| {
        let step = pair.get(1).and_then(Value::as_int).and_then(|(_, step)| u32::try_from(step).ok());
        found.push(step.unwrap_or(0));
    });
    found
}

/// The plain form, of this type, of a value under the domain.
///
/// # Errors
/// If the value is not of that type.
pub fn plain(value: &Value<'static>, ty: Ty) -> Result<Value<'static>, Failure> {
    flatten::without_attachments(value.clone(), ty)
}

/// `without_attachments`, the plain form of `value`, with each float replaced by the element of `of_entries` at its tape
/// entry: a tangent or a cotangent.
///
/// # Errors
/// If `without_attachments` is not the plain form of `value`.
pub fn with_entries(
    value: &Value<'static>,
    primal: &Value<'static>,
    of_entries: &[f64],
) -> Result<Value<'static>, Failure> {
    let of =
        |entry: u32| if entry == 0 { 0.0 } else { of_entries.get(entry as usize).copied().unwrap_or(0.0) };
    flatten::with_floats(primal, &mut entries_of(value).into_iter().map(of))
}
