//! Running forward: by statements, out of calls, to the next breakpoint.
//!
//! - GOAL1 a command that was interrupted is kept with all that it stops for, so that it can be continued.

use std::sync::Arc;

use overdub_context::interp::{Mark, Marks, Paused};
use overdub_context::ir::{Block, Func};

use crate::error::DebugError;
use crate::frames;
use crate::machine::{Outcome, Purpose};
use crate::points::Extra;
use crate::reverse::Interrupted;
use crate::session::Session;
use crate::stop::{Reason, Stop};

/// The number of instructions after an interruption in which a statement is searched for.
const SETTLE_STEPS: u64 = 1 << 16;

/// What a forward command stops for besides breakpoints, among the places that it checks.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// None of them.
    Breakpoint,
    /// The first, which is the start of the function.
    Entry,
    /// The first.
    Statement,
    /// The first with at most this many open calls.
    Depth(usize),
    /// The first on this line or after it with this many open calls, or with fewer.
    Line(usize, u32),
    /// The first with this many open calls.
    Return(usize),
    /// None of them, but the return of a call after which fewer than this many are open.
    Below(usize),
}

/// A forward command that was interrupted.
#[derive(Clone, Debug)]
pub(crate) struct InterruptedCommand {
    pub(crate) extra: Vec<Extra>,
    pub(crate) goal: Goal,
}

impl Goal {
    fn is_reached(&self, state: &Paused) -> bool {
        match *self {
            Goal::Breakpoint | Goal::Below(_) => false,
            Goal::Entry | Goal::Statement => true,
            Goal::Depth(depth) => state.depth() <= depth,
            Goal::Line(depth, line) => {
                let at = frames::of_source(state).next();
                let start_line = at.map_or(0, |(number, frame)| frames::span(number, &frame).line);
                state.depth() < depth || state.depth() == depth && start_line >= line
            }
            Goal::Return(depth) => state.depth() == depth,
        }
    }

    fn reason(&self) -> Reason {
        match self {
            Goal::Entry => Reason::Entry,
            _ => Reason::Step,
        }
    }
}

impl Session {
    /// Runs to the first statement of the function, without a breakpoint.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn start(&mut self) -> Result<Stop, DebugError> {
        self.start_checked = true;
        if self.moment == 0 && self.focus_marks().is_at_position(&self.state) {
            return Ok(self.stop(Reason::Entry));
        }
        self.forward(vec![self.focus_marks()], Goal::Entry)
    }

    /// Continues the command that was interrupted, as if it had not been.
    ///
    /// ```
    /// use overdub_debugger::{Command, Reason, Session, Source};
    /// use std::sync::atomic::Ordering;
    /// let text = "fn f() -> u64 {\n    let mut i = 0;\n    while i < 100_000 { i += 1; }\n    i\n}";
    /// let mut session = Session::open(&Source::text("f.rs", text), "f", vec![])?;
    /// session.break_at_line("f.rs", 4)?;
    /// session.interrupter().store(true, Ordering::Relaxed);
    /// let stop = session.run(Command::Continue)?;
    /// assert!(matches!(stop.reason, Reason::Interrupted));
    /// let stop = session.resume()?;
    /// assert!(matches!(stop.reason, Reason::Breakpoint(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no command was interrupted, or the session has moved since.
    pub fn resume(&mut self) -> Result<Stop, DebugError> {
        let InterruptedCommand { extra, goal } =
            self.interrupted_command.take().ok_or(DebugError::NotInterrupted)?;
        let stop = self.forward(extra, goal)?;
        self.settle_sweeps(stop)
    }

    /// Runs to the next statement of the source, at which all variables have their values, if it comes soon:
    /// an interruption may be anywhere. If there is none, the position is that of the interruption, or a
    /// little after it.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_to_statement(&mut self) -> Result<Stop, DebugError> {
        let end = self.moment.saturating_add(SETTLE_STEPS);
        let interprets = self.machine.interprets.get();
        let mut stop = self.forward_to(vec![Extra::Focus(Arc::new([]))], Goal::Statement, end)?;
        if matches!(stop.reason, Reason::Step) {
            stop.reason = Reason::Interrupted;
            self.machine.interprets.set(interprets);
        }
        self.settle_sweeps(stop)
    }

    pub(crate) fn step_in(&mut self) -> Result<Stop, DebugError> {
        self.forward(vec![self.focus_marks()], Goal::Statement)
    }

    pub(crate) fn next(&mut self) -> Result<Stop, DebugError> {
        self.forward(vec![Extra::OpenCalls], Goal::Depth(self.state.depth()))
    }

    pub(crate) fn until(&mut self, line: u32) -> Result<Stop, DebugError> {
        self.forward(vec![Extra::OpenCalls], Goal::Line(self.state.depth(), line))
    }

    pub(crate) fn finish(&mut self) -> Result<Stop, DebugError> {
        if self.ended {
            return Err(DebugError::Ended);
        }
        let depth = self.state.depth();
        let mut open = frames::of_source(&self.state);
        let inner = open.next().map(|(number, _)| number);
        let Some((number, caller)) = open.next() else {
            drop(open);
            return self.forward(Vec::new(), Goal::Breakpoint);
        };
        let inner = inner.unwrap_or(0);
        if (inner..number).any(|frame| self.state.is_called_by_operation(frame)) {
            // The operation continues, and may make other calls.
            drop(open);
            return self.forward(Vec::new(), Goal::Below(depth - inner));
        }
        let return_mark = Mark { block: caller.block(), at: caller.at() + 1 };
        let (func, to) = (caller.func().name, depth - number);
        drop(open);
        self.forward(vec![Extra::Place(func, return_mark)], Goal::Return(to))
    }

    pub(crate) fn restart(&mut self, frame: usize) -> Result<Stop, DebugError> {
        let (number, view) = frames::frame(&self.state, frame)?;
        let (func, depth) = (view.func().name, self.state.depth() - number);
        // The first moment of the call is the last one at which such a call began.
        let marks: Marks =
            Arc::new(
                move |of: &Func| {
                    if of.name == func { vec![Mark { block: Block::ENTRY, at: 0 }] } else { vec![] }
                },
            );
        let call_start = match self.search_backwards(marks, |state| (state.depth() == depth).then_some(())) {
            Ok(call_start) => call_start,
            Err(Interrupted) => return Ok(self.stop(Reason::Interrupted)),
        };
        let call_moment = call_start.map_or(0, |(moment, ())| moment);
        self.goto(call_moment)?;
        Ok(self.stop(Reason::Step))
    }

    /// Runs until a breakpoint is hit, or the goal is reached at one of the additional places.
    pub(crate) fn forward(&mut self, extra: Vec<Extra>, goal: Goal) -> Result<Stop, DebugError> {
        self.forward_to(extra, goal, u64::MAX)
    }

    /// As [`Session::forward`], but not beyond a moment.
    fn forward_to(&mut self, extra: Vec<Extra>, goal: Goal, end: u64) -> Result<Stop, DebugError> {
        self.interrupted_command = None;
        self.points.hits.clear();
        if self.ended {
            return Err(DebugError::Ended);
        }
        if let Some(failure) = self.pending.take() {
            self.ended = true;
            return Ok(self.stop(Reason::Failed(failure)));
        }
        let extra: Vec<Extra> = extra.iter().map(|extra| extra.for_calls(&self.state)).collect();
        let marks = self.marks(&extra);
        if !std::mem::replace(&mut self.start_checked, true)
            && let Some(reason) = self.points.hit(&self.state, &mut self.logs)
        {
            return Ok(self.stop(reason));
        }
        if let Goal::Breakpoint = goal
            && end == u64::MAX
            && let Some(stop) = self.run_in_one_piece(&marks, &extra)
        {
            return Ok(stop);
        }
        if let Goal::Below(calls) = goal {
            self.machine.pauses_below.set(calls);
        }
        let Session { machine, history, state: current, points, logs, .. } = self;
        // A placeholder while the state is moved into the run.
        let state = std::mem::replace(current, history.before(0));
        let outcome = machine.advance(state, Purpose::First(history), Some(marks), end, &mut |state| {
            if let Some(reason) = points.hit(state, logs) {
                return Some(reason);
            }
            let at_extra = extra.iter().any(|extra| extra.is_at_position(state));
            (at_extra && goal.is_reached(state)).then(|| goal.reason())
        });
        self.machine.pauses_below.set(0);
        let reason = match outcome {
            Outcome::Found(state, reason) => {
                self.stop_at(state);
                reason
            }
            Outcome::Returned(state) => {
                self.stop_at(state);
                Reason::Step
            }
            Outcome::Reached(state) | Outcome::Interrupted(state) => {
                self.stop_at(state);
                self.interrupted_command = Some(InterruptedCommand { extra, goal });
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
        if !matches!(reason, Reason::Interrupted) {
            self.machine.interprets.set(false);
        }
        let stop = self.stop(reason);
        self.points.list.retain(|point| !point.temporary || !stop.breakpoints.contains(&point.id));
        Ok(stop)
    }
}
