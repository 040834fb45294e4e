//! Snapshots of the run, from which earlier moments are reached by running again.
//!
//! - SNAPSHOT1 the first one is kept, so that every moment can be reached, and those after changes that cannot be made again
//!   (CHANGE1); where the memory limit is passed, every second of the others goes, and they are taken further apart from then
//!   on.

use overdub_context::interp::Paused;

use crate::edits::{Edit, Edits};
use crate::error::DebugError;

/// Instructions between two snapshots at first.
const SPACING: u64 = 1 << 16;

/// What the history holds, for users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryInfo {
    /// The last moment that was reached.
    pub reached: u64,
    /// How many snapshots there are.
    pub snapshots: usize,
    /// How many of them were given up for the memory limit; what they held is run again where it is asked for.
    pub given_up: usize,
    /// Instructions between two snapshots now.
    pub spacing: u64,
    /// What the snapshots, and changes of the user's, take, in bytes.
    pub bytes: usize,
    /// What they may take.
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
    given_up: usize,
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
            given_up: 0,
            reached: 0,
        };
        history.add(start.copy(), true);
        history
    }

    /// The moment at which the next snapshot is due, for a run at `moment`: what is run again has its snapshots, and gets
    /// more only where they are far apart.
    pub(crate) fn next_due(&self, moment: u64) -> u64 {
        let mut at = self.snapshots.partition_point(|snapshot| snapshot.state.steps() <= moment);
        let mut due = self.due_after(at);
        while let Some(next) = self.snapshots.get(at).filter(|next| next.state.steps() <= due) {
            at += 1;
            due = due.max(next.state.steps().saturating_add(self.spacing));
        }
        due
    }

    /// When one is due after the snapshots before this one.
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

    /// Forgets what came after this state, which has just been changed by the user, and remembers the change.
    ///
    /// # Errors
    /// Where there is no room for it; all is as it was then.
    pub(crate) fn branch(&mut self, state: &Paused, edit: Edit) -> Result<(), DebugError> {
        let moment = state.steps();
        let mut edits = self.edits.clone();
        edits.forget_after(moment);
        // Of the snapshots that stay, the first one and those of changes that are nowhere else.
        let kept = |snapshot: &&Snapshot| snapshot.pinned && snapshot.state.steps() < moment;
        let last = self.snapshots.iter().rfind(kept).map(|last| &last.state);
        let mut bytes: usize = self.snapshots.iter().filter(kept).map(|snapshot| snapshot.bytes).sum();
        // Where it takes the place of the first one or of one that is kept for good, so is this.
        let is_pinned = last.is_none()
            || !edit.is_repeatable()
            || self.snapshots.iter().any(|of| of.pinned && of.state.steps() == moment);
        if is_pinned {
            edits.forget_at(moment);
            bytes += state.bytes_beside(last);
        } else {
            edits.add(moment, edit);
        }
        bytes += edits.bytes();
        // What the program takes where it begins was never asked for.
        if last.is_some() && bytes > self.limit {
            return Err(DebugError::HistoryFull { bytes, limit: self.limit });
        }
        self.edits = edits;
        self.snapshots.retain(|snapshot| snapshot.state.steps() < moment);
        self.reached = moment;
        self.add(state.copy(), is_pinned);
        Ok(())
    }

    /// The moment of the next change of the user's, for a run at `moment`.
    pub(crate) fn next_edit(&self, moment: u64) -> Option<u64> {
        let pinned = self.snapshots.iter().filter(|snapshot| snapshot.pinned);
        let pinned = pinned.map(|snapshot| snapshot.state.steps()).find(|edit| *edit > moment);
        pinned.into_iter().chain(self.edits.next(moment)).min()
    }

    /// Makes the changes of the user's of the moment that a run has come to.
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
        let bytes = state.bytes_beside(at.checked_sub(1).map(|last| &self.snapshots[last].state));
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

    /// Gives up every second snapshot; says whether there was one to give up.
    fn thin_out(&mut self) -> bool {
        let before = self.snapshots.len();
        let mut keep = false;
        self.snapshots.retain(|snapshot| {
            keep = !keep || snapshot.pinned;
            keep
        });
        self.given_up += before - self.snapshots.len();
        for at in 0..self.snapshots.len() {
            let last = at.checked_sub(1).map(|last| &self.snapshots[last].state);
            self.snapshots[at].bytes = self.snapshots[at].state.bytes_beside(last);
        }
        self.spacing = self.spacing.saturating_mul(2);
        self.snapshots.len() < before
    }

    /// Sets what the snapshots may take, in bytes.
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
            given_up: self.given_up,
            spacing: self.spacing,
            bytes: self.bytes(),
            limit: self.limit,
        }
    }
}
