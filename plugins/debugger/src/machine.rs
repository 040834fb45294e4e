//! Runs the program from one moment to another.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overdub_context::Failure;
use overdub_context::engine::Sink;
use overdub_context::interp::{Codes, Interpreter, Journal, Mark, Marks, Output, Pause, Paused};
use overdub_context::ir::{Func, InstKind, Module, TyKind};
use overdub_context::value::Value;

use crate::derivative::Differentiated;
use crate::history::History;

/// Instructions between two looks at whether somebody wants the run to pause.
const CHUNK: u64 = 1 << 16;

/// What runs the program.
pub(crate) struct Machine {
    pub(crate) module: Arc<Module>,
    pub(crate) codes: Codes,
    pub(crate) journal: Journal,
    pub(crate) output: Option<Sink>,
    pub(crate) interrupted: Arc<AtomicBool>,
    /// Whether a run may end within what an operation calls, at a moment where nothing else stops it.
    pub(crate) stops_in_callbacks: Cell<bool>,
    /// The derivative that is computed meanwhile.
    pub(crate) differentiated: Option<Differentiated>,
}

/// What a piece of a run is run for.
pub(crate) enum For<'h> {
    /// To go on: snapshots are taken, and it can be interrupted.
    First(&'h mut History),
    /// To find something in what was run before: it can be interrupted.
    Search,
    /// To stand at a moment again.
    Again,
}

/// How a piece of a run ended.
pub(crate) enum Outcome<R> {
    /// What was looked for is here.
    Found(Paused, R),
    /// The last moment that it should run to.
    Reached(Paused),
    /// Somebody wants it to pause.
    Interrupted(Paused),
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

    /// Runs from `state` until `look` finds something at a mark, or to the moment `end`.
    pub(crate) fn advance<R>(
        &self,
        state: Paused,
        purpose: For<'_>,
        marks: Option<Marks>,
        end: u64,
        look: &mut dyn FnMut(&Paused) -> Option<R>,
    ) -> Outcome<R> {
        match &self.differentiated {
            Some(differentiated) => differentiated.during(state.steps(), || {
                let outcome = self.advance_from(state, purpose, marks, end, look);
                if let Outcome::Found(state, _) | Outcome::Reached(state) | Outcome::Interrupted(state) =
                    &outcome
                {
                    differentiated.note(state.steps());
                }
                outcome
            }),
            None => self.advance_from(state, purpose, marks, end, look),
        }
    }

    /// Runs to a moment.
    pub(crate) fn run_to(&self, moment: u64, from: &dyn Fn() -> Paused) -> Outcome<()> {
        let outcome = self.advance::<()>(from(), For::Again, None, moment, &mut |_| None);
        match outcome {
            // It is within what an operation calls, which was one step.
            Outcome::Reached(state) if state.steps() > moment => {
                self.stops_in_callbacks.set(true);
                let outcome = self.advance::<()>(from(), For::Again, None, moment, &mut |_| None);
                self.stops_in_callbacks.set(false);
                outcome
            }
            outcome => outcome,
        }
    }

    fn advance_from<R>(
        &self,
        state: Paused,
        purpose: For<'_>,
        marks: Option<Marks>,
        end: u64,
        look: &mut dyn FnMut(&Paused) -> Option<R>,
    ) -> Outcome<R> {
        let can_be_interrupted = !matches!(purpose, For::Again);
        let mut history = match purpose {
            For::First(history) => Some(history),
            For::Search | For::Again => None,
        };
        let is_interrupted = || can_be_interrupted && self.interrupted.swap(false, Ordering::Relaxed);
        let mut interp = self.interpreter();
        if let Some(marks) = marks {
            interp = interp.with_marks(marks);
        }
        // A change may have been made within what an operation calls.
        if self.stops_in_callbacks.get()
            || history.as_ref().is_some_and(|history| history.next_edit(state.steps()).is_some())
        {
            interp = interp.pausing_in_callbacks();
        }
        let mut state = state;
        loop {
            let due = history.as_ref().map_or(u64::MAX, |history| history.next_due(state.steps()));
            let edit = history.as_ref().and_then(|history| history.next_edit(state.steps()));
            let until = end.min(due).min(edit.unwrap_or(u64::MAX)).min(state.steps().saturating_add(CHUNK));
            let mut run = interp.resume(state);
            let pause = run.run_until(until);
            let before_failure = run.before_last_step();
            state = run.pause();
            // TIME3
            if let Some(history) = &history
                && pause.is_ok()
                && edit == Some(state.steps())
            {
                state = history.before(state.steps());
            }
            match pause {
                Ok(Pause::Mark) => {
                    if let Some(found) = look(&state) {
                        return Outcome::Found(state, found);
                    }
                    if is_interrupted() {
                        return Outcome::Interrupted(state);
                    }
                }
                Ok(Pause::Steps) => {
                    if let Some(history) = &mut history {
                        if let Some(differentiated) = &self.differentiated {
                            differentiated.note(state.steps());
                        }
                        history.offer(&state);
                    }
                    if state.steps() >= end {
                        return Outcome::Reached(state);
                    }
                    if is_interrupted() {
                        return Outcome::Interrupted(state);
                    }
                }
                Ok(Pause::Done(value)) => return Outcome::Done { value, moment: state.steps() },
                Err(failure) => return Outcome::Failed { failure, moment: before_failure },
            }
        }
    }
}

/// The places after instructions that make a float or an array of floats; what only moves floats makes none.
pub(crate) fn after_floats(func: &Func) -> Vec<Mark> {
    let mut found = Vec::new();
    for (block, body) in func.iter_blocks() {
        for (at, inst) in body.insts.iter().enumerate() {
            let makes = matches!(inst.kind, InstKind::Op { op, .. } if !op.is_structural());
            let ty = func.ty(inst.result);
            let elem = ty.as_array().map_or(ty, |array| array.elem);
            if makes && matches!(elem.kind(), TyKind::Float(_)) {
                found.push(Mark { block, at: at + 1 });
            }
        }
    }
    found
}
