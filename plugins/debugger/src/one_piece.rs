//! Runs in which nothing stops: evaluated as a whole by the other executor, and counted only on demand.

use overdub_context::Symbol;
use overdub_context::interp::{Marks, Paused};
use overdub_context::ir::Func;
use overdub_context::limits::{Budget, Limit};
use overdub_context::value::Value;

use crate::machine::{Outcome, Purpose};
use crate::points::Extra;
use crate::session::Session;
use crate::stepping::{Goal, InterruptedCommand};
use crate::stop::{Reason, Stop};

/// The function that a run begins with, and its arguments.
fn beginning(state: &Paused) -> Option<(&Func, Vec<Value<'static>>)> {
    let frame = state.frames().next()?;
    let func = frame.func();
    let args = func.params().iter().map(|param| frame.value(*param).cloned()).collect::<Option<_>>()?;
    Some((func, args))
}

impl Session {
    /// Runs to the end in the other executor, if there is no mark on the way. It runs from the beginning,
    /// wherever the session is, since a plain function gives the same again. `None` if that is not possible,
    /// or fails (ELSEWHERE2).
    pub(crate) fn run_in_one_piece(&mut self, marks: &Marks, extra: &[Extra]) -> Option<Stop> {
        let delegation = self.machine.delegation.clone().filter(|_| !self.machine.interprets.get())?;
        let is_metered = Budget::current().is_some_and(|budget| budget.counts_steps());
        // A recorded change requires the interpreter (TIME3).
        if is_metered || self.history.next_edit(0).is_some() {
            return None;
        }
        let begin = self.history.before(0);
        let (func, args) = beginning(&begin)?;
        if !delegation.can_run(func, &|func| !marks(func).is_empty()) {
            return None;
        }
        let name: Symbol = func.name;
        let reason = match delegation.run(name, args) {
            Ok(value) => {
                (self.ended, self.ends_uncounted) = (true, true);
                Reason::Exited(value)
            }
            Err(failure) if failure.limit() == Some(Limit::Cancelled) && self.machine.is_interrupted() => {
                self.machine.interprets.set(true);
                self.interrupted_command =
                    Some(InterruptedCommand { extra: extra.to_vec(), goal: Goal::Breakpoint });
                Reason::Interrupted
            }
            Err(_) => return None,
        };
        Some(self.stop(reason))
    }

    /// Finds the moment of the end of a run that the other executor evaluated as a whole.
    pub(crate) fn count_to_end(&mut self) {
        if !std::mem::take(&mut self.ends_uncounted) {
            return;
        }
        let begin = self.history.before(0);
        let Some((func, args)) = beginning(&begin) else { return };
        let counted =
            self.machine.delegation.as_ref().and_then(|delegation| delegation.count(func.name, args));
        let moment = counted.or_else(|| {
            let Session { machine, history, .. } = self;
            let begin = history.before(0);
            match machine.advance::<()>(begin, Purpose::First(history), None, u64::MAX, &mut |_| None) {
                Outcome::Done { moment, .. } => Some(moment),
                _ => None,
            }
        });
        let moment = moment.unwrap_or_else(|| self.history.reached.saturating_add(1));
        self.moment = moment;
        self.history.reached = self.history.reached.max(moment.saturating_sub(1));
    }
}
