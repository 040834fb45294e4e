//! Going forward: by statements, out of calls, to the next breakpoint.

use std::sync::Arc;

use overdub_context::interp::{Mark, Marks, Paused};
use overdub_context::ir::{Block, Func};

use crate::error::DebugError;
use crate::frames;
use crate::machine::Outcome;
use crate::points::Extra;
use crate::session::{Reason, Session, Stop};

impl Session {
    /// Runs to the first statement of the function, without a breakpoint.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn start(&mut self) -> Result<Stop, DebugError> {
        self.begun = true;
        if self.moment == 0 && self.everywhere().is_here(&self.now) {
            return Ok(self.stop(Reason::Entry));
        }
        let mut stop = self.step_in()?;
        if matches!(stop.reason, Reason::Step) {
            stop.reason = Reason::Entry;
        }
        Ok(stop)
    }

    pub(crate) fn step_in(&mut self) -> Result<Stop, DebugError> {
        self.forward(&[self.everywhere()], &mut |_| true)
    }

    pub(crate) fn next(&mut self) -> Result<Stop, DebugError> {
        let depth = self.now.depth();
        self.forward(&[Extra::OpenCalls], &mut |state| state.depth() <= depth)
    }

    pub(crate) fn until(&mut self, line: u32) -> Result<Stop, DebugError> {
        let depth = self.now.depth();
        self.forward(&[Extra::OpenCalls], &mut |state| {
            let at = frames::of_source(state).next();
            let here = at.map_or(0, |(number, frame)| frames::span(number, &frame).line);
            state.depth() < depth || state.depth() == depth && here >= line
        })
    }

    pub(crate) fn finish(&mut self) -> Result<Stop, DebugError> {
        if self.ended {
            return Err(DebugError::Ended);
        }
        let depth = self.now.depth();
        let mut open = frames::of_source(&self.now);
        let inner = open.next().map(|(number, _)| number);
        let Some((number, caller)) = open.next() else {
            drop(open);
            return self.forward(&[], &mut |_| false);
        };
        let back = Mark { block: caller.block(), at: caller.at() + 1 };
        let (func, to) = (caller.func().name, depth - number);
        drop((open, inner));
        self.forward(&[Extra::Place(func, back)], &mut |state| state.depth() == to)
    }

    pub(crate) fn restart(&mut self, frame: usize) -> Result<Stop, DebugError> {
        let (number, view) = frames::frame(&self.now, frame)?;
        let (func, depth) = (view.func().name, self.now.depth() - number);
        // The call's first moment is the last one at which it began.
        let marks: Marks =
            Arc::new(
                move |of: &Func| {
                    if of.name == func { vec![Mark { block: Block::ENTRY, at: 0 }] } else { vec![] }
                },
            );
        let begun = self.search_back(marks, |state| (state.depth() == depth).then_some(()));
        let began = begun.map_or(0, |(moment, ())| moment);
        self.goto(began)?;
        Ok(self.stop(Reason::Step))
    }

    /// Runs until a breakpoint is hit, or `wants` to stop at one of the further places.
    pub(crate) fn forward(
        &mut self,
        extra: &[Extra],
        wants: &mut dyn FnMut(&Paused) -> bool,
    ) -> Result<Stop, DebugError> {
        if self.ended {
            return Err(DebugError::Ended);
        }
        if let Some(failure) = self.pending.take() {
            self.ended = true;
            return Ok(self.stop(Reason::Failed(failure)));
        }
        let marks = self.marks(extra);
        let extra: Vec<Extra> = extra.iter().map(|extra| extra.for_calls(&self.now)).collect();
        if !std::mem::replace(&mut self.begun, true)
            && let Some(reason) = self.points.hit(&self.now, &mut self.logs)
        {
            return Ok(self.stop(reason));
        }
        let Session { machine, history, now, points, logs, .. } = self;
        // What stays while the run is somewhere else.
        let state = std::mem::replace(now, history.before(0));
        let outcome = machine.advance(state, Some(history), Some(marks), u64::MAX, &mut |state| {
            if let Some(reason) = points.hit(state, logs) {
                return Some(reason);
            }
            let here = extra.iter().any(|extra| extra.is_here(state));
            (here && wants(state)).then_some(Reason::Step)
        });
        let reason = match outcome {
            Outcome::Found(state, reason) => {
                self.stand(state);
                reason
            }
            Outcome::Reached(state) | Outcome::Interrupted(state) => {
                self.stand(state);
                Reason::Interrupted
            }
            Outcome::Done { value, moment } => {
                self.moment = moment;
                self.history.reached = self.history.reached.max(moment.saturating_sub(1));
                self.ended = true;
                Reason::Exited(value)
            }
            Outcome::Failed { failure, moment } => {
                self.replay(moment);
                self.pending = Some(failure.clone());
                Reason::Failure(failure)
            }
        };
        if let Reason::Breakpoint(id) = reason {
            self.points.list.retain(|point| point.id != id || !point.temporary);
        }
        Ok(self.stop(reason))
    }
}
