//! Debugging a program while its derivative is computed: the program runs on a tape, from which each float of
//! a variable gets a tangent and a cotangent.
//!
//! - DEBUGDERIV1 the program runs as it is written, on recorded numbers: the lines and variables of the
//!   primal are those of its derivative.
//! - DEBUGDERIV4 at a stop of the reverse sweep the statement of the stop has been reversed, and so have all
//!   after it.
//! - DEBUGDERIV2 the tape is as long as the run has progressed: when a run begins again, the tape is what it
//!   was there. Runs are repeated to the bit, so it is a prefix of the longest tape so far, which is kept.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use overdub_ad::flatten::floats;
use overdub_ad::tape::{RewindableRecording, entries_of, plain, with_entries};
use overdub_context::engine::Engine;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::error::DebugError;

/// The bytes that a tape may take.
const TAPE_BYTES: usize = 2 << 30;

/// The derivative that is computed while a program is debugged.
#[derive(Clone, PartialEq, Debug)]
pub enum Derivative {
    /// The gradient of a function that returns a float: by a forward sweep, then a reverse sweep.
    Gradient,
    /// The derivative along a direction, which has a number for each float of the arguments, in order.
    Jvp(Vec<f64>),
}

/// The sweep of a derivative in which a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sweep {
    /// The program runs.
    Forward,
    /// Its statements are reversed from the last one to the first, and cotangents are propagated.
    Reverse,
}

/// The state of the derivative of a run.
pub(crate) struct Differentiated {
    pub(crate) derivative: Derivative,
    ret: Ty,
    args: Vec<Value<'static>>,
    tapes: Mutex<Tapes>,
    /// The number of tape entries at moments from which runs may begin.
    lens: Mutex<BTreeMap<u64, usize>>,
    pub(crate) finished: Option<Finished>,
    /// Whether the run is in the reverse sweep.
    pub(crate) is_reverse: bool,
}

/// The tape of the run at present, and the longest one so far, if that is longer (DEBUGDERIV2).
struct Tapes {
    current: RewindableRecording,
    longest: Option<RewindableRecording>,
}

impl Tapes {
    /// Sets the tape of the run to the first `entries` entries.
    fn restore_entries(&mut self, entries: usize) {
        let longest = self.longest.as_ref().map_or(0, RewindableRecording::entries);
        if self.current.entries() < entries
            && let Some(longest) = &self.longest
        {
            self.current = longest.clone();
        } else if self.current.entries() > entries.max(longest) {
            self.longest = Some(self.current.clone());
        }
        self.current.rewind(entries);
    }
}

/// A forward sweep that has ended.
pub(crate) struct Finished {
    /// The value that the function returned.
    pub(crate) value: Value<'static>,
    /// That value under the domain.
    result: Value<'static>,
    /// The entries of its floats, with their cotangents.
    seeds: Vec<(u32, f64)>,
    tape: RewindableRecording,
}

impl Differentiated {
    /// The derivative of a function that returns `ret`.
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        ret: Ty,
        args: Vec<Value<'static>>,
        derivative: Derivative,
    ) -> Result<Differentiated, DebugError> {
        let first = match ret.kind() {
            TyKind::Tuple(parts) => parts.first().copied().unwrap_or(ret),
            _ => ret,
        };
        if derivative == Derivative::Gradient && !matches!(first.kind(), TyKind::Float(_)) {
            return Err(DebugError::Usage(format!("`{func}` returns no float: it has no gradient")));
        }
        let count: usize = args.iter().map(|arg| floats(arg).len()).sum();
        if let Derivative::Jvp(direction) = &derivative
            && direction.len() != count
        {
            let got = direction.len();
            return Err(DebugError::Usage(format!(
                "the arguments of `{func}` hold {count} floats, the direction has {got}"
            )));
        }
        let recording = RewindableRecording::new(engine, func, args.clone(), TAPE_BYTES);
        let recording = recording.map_err(|failure| DebugError::Failed(failure.report().message.clone()))?;
        let lens = Mutex::new(BTreeMap::from([(0, recording.entries())]));
        let tapes = Mutex::new(Tapes { current: recording, longest: None });
        Ok(Differentiated { derivative, ret, args, tapes, lens, finished: None, is_reverse: false })
    }

    pub(crate) fn sweep(&self) -> Sweep {
        if self.is_reverse { Sweep::Reverse } else { Sweep::Forward }
    }

    /// The function in the module of the engine, and its arguments under the domain.
    pub(crate) fn entry(&self) -> (Symbol, Vec<Value<'static>>) {
        let tapes = self.tapes();
        (tapes.current.func(), tapes.current.args().to_vec())
    }

    fn tapes(&self) -> MutexGuard<'_, Tapes> {
        self.tapes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entries_at(&self, moment: u64) -> usize {
        let lens = self.lens.lock().unwrap_or_else(PoisonError::into_inner);
        debug_assert!(lens.contains_key(&moment), "runs begin where the tape was noted");
        lens.range(..=moment).next_back().map_or(0, |(_, entries)| *entries)
    }

    /// Runs a piece that begins at a moment (DEBUGDERIV2).
    pub(crate) fn during<R>(&self, from: u64, run: impl FnOnce() -> R) -> R {
        let entries = self.entries_at(from);
        let mut tapes = self.tapes();
        tapes.restore_entries(entries);
        tapes.current.during(run)
    }

    /// Records the length of the tape at a moment from which a run may begin; called from within
    /// [`Differentiated::during`].
    pub(crate) fn note(&self, moment: u64) {
        let mut lens = self.lens.lock().unwrap_or_else(PoisonError::into_inner);
        lens.insert(moment, RewindableRecording::reached());
    }

    /// Ends the forward sweep with this value under the domain; returns the plain value.
    pub(crate) fn finish(&mut self, result: Value<'static>) -> Result<Value<'static>, Failure> {
        let value = plain(&result, self.ret)?;
        let first = [1.0].into_iter().chain(std::iter::repeat(0.0));
        let seeds = entries_of(&result).into_iter().zip(first).collect();
        let tape = self.tapes().current.clone();
        self.finished = Some(Finished { value: value.clone(), result, seeds, tape });
        Ok(value)
    }

    /// The cotangents of the arguments, or the tangent of the result: the outcome of the whole run.
    pub(crate) fn outcome(&self) -> Result<Vec<Value<'static>>, Failure> {
        let Some(finished) = &self.finished else { return Ok(Vec::new()) };
        match &self.derivative {
            Derivative::Gradient => {
                let cotangents = finished.tape.cotangents(&finished.seeds, 0)?;
                // The entries of the arguments come first.
                let mut cotangents_of_args = cotangents.into_iter().skip(1);
                self.args
                    .iter()
                    .map(|arg| overdub_ad::flatten::with_floats(arg, &mut cotangents_of_args))
                    .collect()
            }
            Derivative::Jvp(direction) => {
                let tangents = finished.tape.tangents(direction)?;
                Ok(vec![with_entries(&finished.result, &finished.value, &tangents)?])
            }
        }
    }

    /// The tangents of all entries at a moment, if the derivative is along a direction.
    pub(crate) fn tangents(&self, moment: u64) -> Option<Vec<f64>> {
        match &self.derivative {
            Derivative::Jvp(direction) => {
                let entries = self.entries_at(moment);
                let mut tapes = self.tapes();
                // A search may have moved the tape.
                tapes.restore_entries(entries);
                tapes.current.tangents(direction).ok()
            }
            Derivative::Gradient => None,
        }
    }

    /// The cotangents of all entries when the reverse sweep is at a moment.
    pub(crate) fn cotangents(&self, moment: u64) -> Option<Vec<f64>> {
        let finished = self.finished.as_ref().filter(|_| self.is_reverse)?;
        finished.tape.cotangents(&finished.seeds, self.entries_at(moment)).ok()
    }
}
