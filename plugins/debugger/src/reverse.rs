//! Going back: to the last moment before the current one at which something held.

use std::sync::Arc;

use overdub_context::interp::{Mark, Marks, Paused};
use overdub_context::ir::Func;

use crate::breakpoint::Kind;
use crate::error::DebugError;
use crate::frames;
use crate::lines;
use crate::machine::{Outcome, Purpose};
use crate::points::Extra;
use crate::session::Session;
use crate::stop::{Reason, Stop};

/// A search that was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interrupted;

impl Session {
    /// The last moment before the current one at which `check` returned something at one of the marks: each
    /// piece between two snapshots is run again, the last one first.
    pub(crate) fn search_backwards<R>(
        &mut self,
        marks: Marks,
        mut check: impl FnMut(&Paused) -> Option<R>,
    ) -> Result<Option<(u64, R)>, Interrupted> {
        self.count_to_end();
        let mut end = self.moment;
        while self.history.last_before(end).is_some() {
            self.fill_before(end, &marks)?;
            let Some(begin) = self.history.last_before(end) else { break };
            let state = self.history.before(begin);
            let mut found = None;
            // A run does not pause at its start.
            if is_marked(&state, &marks) {
                found = check(&state).map(|what| (begin, what));
            }
            let purpose = Purpose::Search(&self.history);
            let outcome =
                self.machine.advance::<()>(state, purpose, Some(marks.clone()), end, &mut |state| {
                    if state.steps() < end
                        && let Some(what) = check(state)
                    {
                        found = Some((state.steps(), what));
                    }
                    None
                });
            debug_assert!(!matches!(outcome, Outcome::Found(..)));
            if matches!(outcome, Outcome::Interrupted(_)) {
                return Err(Interrupted);
            }
            if found.is_some() {
                return Ok(found);
            }
            end = begin;
        }
        Ok(None)
    }

    /// Takes snapshots in the stretch before a moment, if there are few: because a call ran in the other
    /// executor and is now examined, or because some were dropped.
    fn fill_before(&mut self, end: u64, marks: &Marks) -> Result<(), Interrupted> {
        if !self.history.has_gap_before(end) {
            return Ok(());
        }
        let Some(begin) = self.history.last_before(end) else { return Ok(()) };
        let state = self.history.before(begin);
        let Session { machine, history, .. } = self;
        // The marks keep calls from running in the other executor, but nothing is checked yet.
        let outcome =
            machine.advance::<()>(state, Purpose::Fill(history), Some(marks.clone()), end, &mut |_| None);
        if matches!(outcome, Outcome::Interrupted(_)) { Err(Interrupted) } else { Ok(()) }
    }

    fn statements(&self, extra: Extra) -> Marks {
        Arc::new(move |func: &Func| extra.marks(func))
    }

    /// Moves to the result of a search, or, if it was interrupted, stays at the previous position.
    fn moved_to(&mut self, found: Result<Option<(u64, Reason)>, Interrupted>) -> Result<Stop, DebugError> {
        self.points.hits.clear();
        let Ok(found) = found else { return Ok(self.stop(Reason::Interrupted)) };
        self.start_checked = found.is_some();
        let (moment, reason) = found.unwrap_or((0, Reason::Start));
        self.replay(moment);
        Ok(self.stop(reason))
    }

    pub(crate) fn reverse_step(&mut self) -> Result<Stop, DebugError> {
        let marks = self.statements(self.focus_marks());
        let found = self.search_backwards(marks, |_| Some(Reason::Step));
        self.moved_to(found)
    }

    pub(crate) fn reverse_next(&mut self) -> Result<Stop, DebugError> {
        if self.frames().is_empty() {
            return self.reverse_step();
        }
        // As for `next`: other calls are stepped over, at any speed.
        let depth = self.state.depth();
        let marks = self.statements(Extra::OpenCalls.for_calls(&self.state));
        let found = self.search_backwards(marks, |state| (state.depth() <= depth).then_some(Reason::Step));
        self.moved_to(found)
    }

    pub(crate) fn reverse_finish(&mut self) -> Result<Stop, DebugError> {
        let depth = self.state.depth();
        let caller = frames::of_source(&self.state).nth(1).map(|(number, _)| depth - number);
        let Some(caller) = caller.filter(|_| !self.frames().is_empty()) else {
            return self.moved_to(Ok(None));
        };
        let marks = self.statements(Extra::OpenCalls.for_calls(&self.state));
        let found = self.search_backwards(marks, |state| (state.depth() <= caller).then_some(Reason::Step));
        self.moved_to(found)
    }

    pub(crate) fn reverse_continue(&mut self) -> Result<Stop, DebugError> {
        let marks = self.marks(&[]);
        // The search borrows the session, and `look` the breakpoints.
        let mut points = self.take_points();
        let mut stopping = Vec::new();
        let found = self.search_backwards(marks, |state| {
            let hits = (0..points.list.len()).filter_map(|at| {
                let reason = points.hit_of(at, state)?;
                let point = &points.list[at];
                let number = point.moments.partition_point(|&hit| hit <= state.steps()) as u64;
                let counts = point.hits.is_none_or(|hits| hits.holds(number));
                (counts && point.log.is_none()).then_some((point.id, reason))
            });
            let (ids, reasons): (Vec<usize>, Vec<Reason>) = hits.unzip();
            let reason = reasons.into_iter().next()?;
            stopping = ids;
            Some(reason)
        });
        self.points = points;
        let mut stop = self.moved_to(found)?;
        self.refresh_watched();
        if !matches!(stop.reason, Reason::Interrupted | Reason::Start) {
            stop.breakpoints = stopping;
        }
        Ok(stop)
    }

    /// The last moment before the current one at which a line was about to run, if there is one.
    ///
    /// # Errors
    /// If there is no code at the line or after it, or the search was interrupted.
    pub fn last_at_line(&mut self, file: &str, line: u32) -> Result<Option<u64>, DebugError> {
        let none = || DebugError::NoCode { file: file.to_owned(), line };
        let (file, line) = self.lines.bind(file, line).ok_or_else(none)?;
        let marks: Marks = Arc::new(move |func: &Func| lines::on_line(func, file, line));
        match self.search_backwards(marks, |_| Some(())) {
            Ok(found) => Ok(found.map(|(moment, ())| moment)),
            Err(Interrupted) => Err(DebugError::Interrupted),
        }
    }

    /// Goes back to the last statement that changed a variable, element or field of a call: `x`, `xs[3]`,
    /// `point.x`.
    ///
    /// # Errors
    /// If there is no such variable, element or field.
    pub fn last_write(&mut self, frame: usize, path: &str) -> Result<Stop, DebugError> {
        let (_, view) = frames::frame(&self.state, frame)?;
        let current = self.place(frame, path)?;
        let func = view.func().name;
        let marks = self.statements(Extra::Focus(Arc::new([])));
        // The last statement before which the value was different is the one that wrote it.
        let found = self.search_backwards(marks, |state| {
            let frame = frames::of_source(state).find(|(_, frame)| frame.func().name == func);
            let then = frame.and_then(|(_, frame)| frames::path_value(&frame, path));
            then.is_none_or(|then| !then.same(&current)).then_some(Reason::LastWrite)
        });
        self.moved_to(found)
    }

    /// Sets the current values of watched places as those from which the next change is reported.
    fn refresh_watched(&mut self) {
        let moment = self.moment;
        for point in &mut self.points.list {
            if let Kind::Data(watched) = &mut point.kind {
                let frame =
                    frames::of_source(&self.state).find(|(_, frame)| frame.func().name == watched.func);
                watched.last = frame
                    .and_then(|(_, frame)| frames::path_value(&frame, &watched.text))
                    .map(|value| (moment, value));
            }
        }
    }
}

fn is_marked(state: &Paused, marks: &Marks) -> bool {
    state
        .frames()
        .next()
        .is_some_and(|frame| marks(frame.func()).contains(&Mark { block: frame.block(), at: frame.at() }))
}
