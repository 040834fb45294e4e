//! Snapshots of the run, from which earlier moments are reached by running again.
//!
//! - SNAPSHOT1 the first snapshot is kept, so that every moment can be reached, and so are those after
//!   changes that cannot be made again (CHANGE1). When the memory limit is exceeded, every second one of the
//!   others is dropped, and from then on they are taken less often.

use overdub_context::interp::Paused;

use crate::edits::{Edit, Edits};
use crate::error::DebugError;

/// The initial number of instructions between two snapshots.
const SPACING: u64 = 1 << 16;

/// The contents of the history, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryInfo {
    /// The last moment that was reached.
    pub reached: u64,
    /// The number of snapshots.
    pub snapshots: usize,
    /// The number of snapshots that were dropped because of the memory limit; what they held is run again on
    /// demand.
    pub dropped: usize,
    /// The current number of instructions between two snapshots.
    pub spacing: u64,
    /// The bytes that the snapshots, and the user's changes, take.
    pub bytes: usize,
    /// The bytes that they may take.
    pub limit: usize,
}

struct Snapshot {
    state: Paused,
    bytes: usize,
    pinned: bool,
}

/// The snapshots, in the order of their moments.
pub(crate) struct History {
    snapshots: Vec<Snapshot>,
    edits: Edits,
    spacing: u64,
    limit: usize,
    dropped: usize,
    /// The last moment that was reached.
    pub(crate) reached: u64,
}

impl History {
    pub(crate) fn new(start: &Paused, limit: usize) -> History {
        let mut history = History {
            snapshots: Vec::new(),
            edits: Edits::default(),
            spacing: SPACING,
            limit,
            dropped: 0,
            reached: 0,
        };
        history.add(start.copy(), true);
        history
    }

    /// The moment at which the next snapshot is due, for a run at `moment`: a part that is run again has
    /// snapshots, and gets more only where they are far apart.
    pub(crate) fn next_due(&self, moment: u64) -> u64 {
        let mut at = self.snapshots.partition_point(|snapshot| snapshot.state.steps() <= moment);
        let mut due = self.due_after(at);
        while let Some(next) = self.snapshots.get(at).filter(|next| next.state.steps() <= due) {
            at += 1;
            due = due.max(next.state.steps().saturating_add(self.spacing));
        }
        due
    }

    /// The moment at which a snapshot is due after those before index `at`.
    fn due_after(&self, at: usize) -> u64 {
        let last = at.checked_sub(1).map_or(0, |last| self.snapshots[last].state.steps());
        last.saturating_add(self.spacing)
    }

    /// Takes a snapshot, if one is due.
    pub(crate) fn offer(&mut self, state: &Paused) {
        let moment = state.steps();
        self.reached = self.reached.max(moment);
        let at = self.snapshots.partition_point(|snapshot| snapshot.state.steps() <= moment);
        let next = self.snapshots.get(at).map_or(u64::MAX, |next| next.state.steps());
        if moment >= self.due_after(at) && moment < next {
            self.insert(at, state.copy(), false);
        }
    }

    /// Forgets what came after this state, which the user has just changed, and records the change.
    ///
    /// # Errors
    /// If there is no room for the change; the history is then unchanged.
    pub(crate) fn branch(&mut self, state: &Paused, edit: Edit) -> Result<(), DebugError> {
        let moment = state.steps();
        let mut edits = self.edits.clone();
        edits.forget_after(moment);
        // Of the remaining snapshots, only the first one and those of changes that are recorded nowhere else
        // are permanent.
        let is_kept = |snapshot: &&Snapshot| snapshot.pinned && snapshot.state.steps() < moment;
        let last = self.snapshots.iter().rfind(is_kept).map(|last| &last.state);
        let mut bytes: usize = self.snapshots.iter().filter(is_kept).map(|snapshot| snapshot.bytes).sum();
        // A snapshot that replaces a permanent one is permanent as well.
        let is_pinned = last.is_none()
            || !edit.is_repeatable()
            || self.snapshots.iter().any(|of| of.pinned && of.state.steps() == moment);
        if is_pinned {
            edits.forget_at(moment);
            bytes += state.bytes_not_shared_with(last);
        } else {
            edits.add(moment, edit);
        }
        bytes += edits.bytes();
        // The memory of the program at its start does not count, since it was not requested.
        if last.is_some() && bytes > self.limit {
            return Err(DebugError::HistoryFull { bytes, limit: self.limit });
        }
        self.edits = edits;
        self.snapshots.retain(|snapshot| snapshot.state.steps() < moment);
        self.reached = moment;
        self.add(state.copy(), is_pinned);
        Ok(())
    }

    /// The moment of the next change by the user, for a run at `moment`.
    pub(crate) fn next_edit(&self, moment: u64) -> Option<u64> {
        let pinned = self.snapshots.iter().filter(|snapshot| snapshot.pinned);
        let pinned = pinned.map(|snapshot| snapshot.state.steps()).find(|edit| *edit > moment);
        pinned.into_iter().chain(self.edits.next(moment)).min()
    }

    /// Makes the user's changes of the moment that a run has reached.
    pub(crate) fn edit(&self, state: &mut Paused) {
        let moment = state.steps();
        let pinned = self.snapshots.iter().find(|of| of.pinned && of.state.steps() == moment);
        match pinned {
            Some(snapshot) if moment > 0 => *state = snapshot.state.copy(),
            _ => self.edits.apply(state),
        }
    }

    fn add(&mut self, state: Paused, pinned: bool) {
        self.insert(self.snapshots.len(), state, pinned);
    }

    fn insert(&mut self, at: usize, state: Paused, pinned: bool) {
        let bytes = state.bytes_not_shared_with(at.checked_sub(1).map(|last| &self.snapshots[last].state));
        self.snapshots.insert(at, Snapshot { state, bytes, pinned });
        while self.bytes() > self.limit && self.thin_out() {}
    }

    /// Whether more snapshots belong between the last one before a moment and that moment.
    pub(crate) fn has_gap_before(&self, moment: u64) -> bool {
        let last = self.last_before(moment).unwrap_or(0);
        moment.saturating_sub(last) > self.spacing.saturating_mul(2)
    }

    fn bytes(&self) -> usize {
        self.snapshots.iter().map(|snapshot| snapshot.bytes).sum::<usize>() + self.edits.bytes()
    }

    /// Drops every second snapshot; returns whether there was one to drop.
    fn thin_out(&mut self) -> bool {
        let before = self.snapshots.len();
        let mut keep = false;
        self.snapshots.retain(|snapshot| {
            keep = !keep || snapshot.pinned;
            keep
        });
        self.dropped += before - self.snapshots.len();
        for at in 0..self.snapshots.len() {
            let last = at.checked_sub(1).map(|last| &self.snapshots[last].state);
            self.snapshots[at].bytes = self.snapshots[at].state.bytes_not_shared_with(last);
        }
        self.spacing = self.spacing.saturating_mul(2);
        self.snapshots.len() < before
    }

    /// Sets the bytes that the snapshots may take.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        while self.bytes() > self.limit && self.thin_out() {}
    }

    /// A copy of the last snapshot that is not after `moment`.
    pub(crate) fn before(&self, moment: u64) -> Paused {
        let after = self.snapshots.partition_point(|snapshot| snapshot.state.steps() <= moment);
        self.snapshots[after.saturating_sub(1)].state.copy()
    }

    /// The moment of the last snapshot that is before `moment`.
    pub(crate) fn last_before(&self, moment: u64) -> Option<u64> {
        let after = self.snapshots.partition_point(|snapshot| snapshot.state.steps() < moment);
        Some(self.snapshots[after.checked_sub(1)?].state.steps())
    }

    pub(crate) fn info(&self) -> HistoryInfo {
        HistoryInfo {
            reached: self.reached,
            snapshots: self.snapshots.len(),
            dropped: self.dropped,
            spacing: self.spacing,
            bytes: self.bytes(),
            limit: self.limit,
        }
    }
}
