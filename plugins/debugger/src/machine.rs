//! Runs the program from one moment to another.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overdub_context::Failure;
use overdub_context::engine::Sink;
use overdub_context::interp::{Codes, Interpreter, Journal, Mark, Marks, Output, Pause, Paused};
use overdub_context::ir::{Func, InstKind, Module, TyKind};
use overdub_context::limits::Limit;
use overdub_context::value::Value;

use crate::delegation::{Calls, DelegatedCalls, Delegation};
use crate::derivative::Differentiated;
use crate::history::History;

/// The number of instructions that are executed between two checks for a request to pause.
const CHUNK: u64 = 1 << 16;

/// The state that running the program needs.
pub(crate) struct Machine {
    pub(crate) module: Arc<Module>,
    pub(crate) codes: Codes,
    pub(crate) journal: Journal,
    pub(crate) output: Option<Sink>,
    pub(crate) interrupted: Arc<AtomicBool>,
    /// Whether a run may end inside the callback of an operation, at a moment at which nothing else stops it.
    pub(crate) stops_in_callbacks: Cell<bool>,
    /// A run ends when a call returns and fewer calls than this are open.
    pub(crate) pauses_below: Cell<usize>,
    /// The derivative that is computed at the same time.
    pub(crate) differentiated: Option<Differentiated>,
    /// The executor that evaluates calls in which nothing stops.
    pub(crate) delegation: Option<Arc<Delegation>>,
    /// Whether every call is interpreted for now: the user paused a call in the other executor, to see its
    /// position.
    pub(crate) interprets: Cell<bool>,
}

/// The purpose of running a piece.
pub(crate) enum Purpose<'h> {
    /// To progress: snapshots are taken, and the run can be interrupted.
    First(&'h mut History),
    /// To search what was run before; the run can be interrupted.
    Search(&'h History),
    /// To take snapshots in what was run before; the run can be interrupted.
    Fill(&'h mut History),
    /// To restore a moment.
    Restore(&'h History),
}

impl Purpose<'_> {
    fn history(&self) -> &History {
        match self {
            Purpose::First(history) | Purpose::Fill(history) => history,
            Purpose::Search(history) | Purpose::Restore(history) => history,
        }
    }

    /// Takes a snapshot, if one is due; returns whether one may have been taken.
    fn offer(&mut self, state: &Paused) -> bool {
        match self {
            Purpose::First(history) | Purpose::Fill(history) => {
                history.offer(state);
                true
            }
            Purpose::Search(_) | Purpose::Restore(_) => false,
        }
    }

    fn next_due(&self, moment: u64) -> u64 {
        match self {
            Purpose::First(history) | Purpose::Fill(history) => history.next_due(moment),
            Purpose::Search(_) | Purpose::Restore(_) => u64::MAX,
        }
    }
}

/// The way in which a piece of a run ended.
pub(crate) enum Outcome<R> {
    /// Something was found in this state.
    Found(Paused, R),
    /// The run reached its last moment.
    Reached(Paused),
    /// A pause was requested.
    Interrupted(Paused),
    /// The call out of which it should run has returned.
    Returned(Paused),
    /// The program ended.
    Done { value: Value<'static>, moment: u64 },
    /// The program failed in the instruction at a moment.
    Failed { failure: Failure, moment: u64 },
}

impl Machine {
    /// An interpreter of the program.
    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        let output = |sink: &Option<Sink>| match sink.clone() {
            Some(sink) => Output::To(Box::new(move |text: &str| {
                (sink.lock().unwrap_or_else(std::sync::PoisonError::into_inner))(text);
            })),
            None => Output::default(),
        };
        let interp =
            Interpreter::sharing(&self.module, self.codes.clone()).with_journal(self.journal.clone());
        interp.with_output(output(&self.output)).with_errors(output(&self.output))
    }

    /// Runs from `state` until `check` returns something at a mark, or to the moment `end`.
    pub(crate) fn advance<R>(
        &self,
        state: Paused,
        purpose: Purpose<'_>,
        marks: Option<Marks>,
        end: u64,
        check: &mut dyn FnMut(&Paused) -> Option<R>,
    ) -> Outcome<R> {
        match &self.differentiated {
            Some(differentiated) => differentiated.during(state.steps(), || {
                let outcome = self.advance_from(state, purpose, marks, end, check);
                if let Outcome::Found(state, _)
                | Outcome::Reached(state)
                | Outcome::Interrupted(state)
                | Outcome::Returned(state) = &outcome
                {
                    differentiated.note(state.steps());
                }
                outcome
            }),
            None => self.advance_from(state, purpose, marks, end, check),
        }
    }

    /// Whether the user has requested a pause since the last call of this function.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
    }

    /// The delegate of a piece of a run, if there is one besides the interpreter.
    fn calling(&self, marks: Option<Marks>) -> Option<Arc<DelegatedCalls>> {
        let delegation = self.delegation.as_ref().filter(|_| !self.interprets.get())?;
        Some(Arc::new(DelegatedCalls::new(delegation, marks)))
    }

    /// Runs to a moment from the last snapshot that is not after it.
    pub(crate) fn run_to(&self, moment: u64, history: &History) -> Outcome<()> {
        let restore = || {
            let state = history.before(moment);
            self.advance::<()>(state, Purpose::Restore(history), None, moment, &mut |_| None)
        };
        match restore() {
            // The moment is inside a callback of an operation, which was one step.
            Outcome::Reached(state) if state.steps() > moment => {
                self.stops_in_callbacks.set(true);
                let outcome = restore();
                self.stops_in_callbacks.set(false);
                outcome
            }
            outcome => outcome,
        }
    }

    fn advance_from<R>(
        &self,
        state: Paused,
        purpose: Purpose<'_>,
        marks: Option<Marks>,
        end: u64,
        check: &mut dyn FnMut(&Paused) -> Option<R>,
    ) -> Outcome<R> {
        let mut purpose = purpose;
        let is_first = matches!(purpose, Purpose::First(_));
        let pauses_below = if is_first { self.pauses_below.get() } else { 0 };
        let can_be_interrupted = !matches!(purpose, Purpose::Restore(_));
        // A change may have been made inside a callback of an operation.
        let has_edits = purpose.history().next_edit(state.steps()).is_some_and(|edit| edit <= end);
        let is_interrupted = || can_be_interrupted && self.is_interrupted();
        let calling = self.calling(marks.clone());
        let mut interp = self.interpreter();
        if let Some(marks) = marks {
            interp = interp.with_marks(marks);
        }
        if let Some(calling) = &calling {
            interp = interp.with_delegate(calling.clone());
        }
        if self.stops_in_callbacks.get() || pauses_below > 0 || has_edits {
            interp = interp.pausing_in_callbacks();
        }
        let mut state = state;
        loop {
            let (due, edit) = (purpose.next_due(state.steps()), purpose.history().next_edit(state.steps()));
            let until = end.min(due).min(edit.unwrap_or(u64::MAX)).min(state.steps().saturating_add(CHUNK));
            if let Some(calling) = &calling {
                // A change may have been made inside a call.
                calling.evaluate(match (is_first, edit) {
                    (true, None) => Calls::All,
                    _ => Calls::Known(edit.unwrap_or(u64::MAX).min(end)),
                });
            }
            let mut run = interp.resume(state).pausing_below(pauses_below);
            let pause = run.run_until(until);
            let before_failure = run.before_last_step();
            state = run.pause();
            // The user's change is made again (TIME3).
            if pause.is_ok() && edit == Some(state.steps()) {
                purpose.history().edit(&mut state);
            }
            match pause {
                Ok(Pause::Mark) => {
                    if let Some(found) = check(&state) {
                        return Outcome::Found(state, found);
                    }
                    if is_interrupted() {
                        return Outcome::Interrupted(state);
                    }
                }
                Ok(Pause::Steps) => {
                    if purpose.offer(&state)
                        && let Some(differentiated) = &self.differentiated
                    {
                        differentiated.note(state.steps());
                    }
                    if state.steps() >= end {
                        return Outcome::Reached(state);
                    }
                    if is_interrupted() {
                        return Outcome::Interrupted(state);
                    }
                }
                Ok(Pause::Returned) => return Outcome::Returned(state),
                Ok(Pause::Done(value)) => return Outcome::Done { value, moment: state.steps() },
                Err(failure) => {
                    if !calling.as_ref().is_some_and(|calling| calling.take_failure()) {
                        return Outcome::Failed { failure, moment: before_failure };
                    }
                    // The other executor's failure is repeated in the interpreter (ELSEWHERE2).
                    let history = purpose.history();
                    let begin = history.before(before_failure);
                    let restore = Purpose::Restore(history);
                    state = match self.advance_from::<()>(begin, restore, None, before_failure, &mut |_| None)
                    {
                        Outcome::Reached(state) => state,
                        // There is nothing before the failure.
                        _ => history.before(before_failure),
                    };
                    if failure.limit() == Some(Limit::Cancelled) && is_interrupted() {
                        self.interprets.set(true);
                        return Outcome::Interrupted(state);
                    }
                }
            }
        }
    }
}

/// The places after instructions that compute a float or an array of floats; instructions that move floats do
/// not.
pub(crate) fn after_floats(func: &Func) -> Vec<Mark> {
    let mut found = Vec::new();
    for (block, body) in func.iter_blocks() {
        for (at, inst) in body.insts.iter().enumerate() {
            let computes = matches!(inst.kind, InstKind::Op { op, .. } if !op.is_structural());
            let ty = func.ty(inst.result);
            let elem = ty.as_array().map_or(ty, |array| array.elem);
            if computes && matches!(elem.kind(), TyKind::Float(_)) {
                found.push(Mark { block, at: at + 1 });
            }
        }
    }
    found
}
