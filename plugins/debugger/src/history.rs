//! Snapshots of the run, from which earlier moments are reached by running again.
//!
//! - SNAPSHOT1 the first one and those at changes of the user are kept, so that every moment can be reached; where the
//!   memory limit is passed, every second of the others goes, and they are taken further apart from then on.

use overdub_context::interp::Paused;

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
    /// What the snapshots take, in bytes.
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
    spacing: u64,
    limit: usize,
    given_up: usize,
    /// The last moment that was reached.
    pub(crate) reached: u64,
}

impl History {
    pub(crate) fn new(start: &Paused, limit: usize) -> History {
        let mut history = History { snapshots: Vec::new(), spacing: SPACING, limit, given_up: 0, reached: 0 };
        history.add(start.copy(), true);
        history
    }

    /// The moment at which the next snapshot is due, for a run at `moment`.
    pub(crate) fn next_due(&self, moment: u64) -> u64 {
        let last = self.snapshots.last().map_or(0, |last| last.state.steps());
        // What is run again has its snapshots.
        if moment < last { last.max(self.reached) } else { last }.saturating_add(self.spacing)
    }

    /// Takes a snapshot, if one is due.
    pub(crate) fn offer(&mut self, state: &Paused) {
        self.reached = self.reached.max(state.steps());
        let last = self.snapshots.last().map_or(0, |last| last.state.steps());
        if state.steps() >= last.saturating_add(self.spacing) {
            self.add(state.copy(), false);
        }
    }

    /// Forgets what came after this state, which the user changed.
    pub(crate) fn branch(&mut self, state: &Paused) {
        let moment = state.steps();
        self.snapshots.retain(|snapshot| snapshot.state.steps() < moment);
        self.add(state.copy(), true);
        self.reached = moment;
    }

    /// The moment of the next change of the user's, for a run at `moment`: its snapshot is what the run goes on from.
    pub(crate) fn next_edit(&self, moment: u64) -> Option<u64> {
        let edits = self.snapshots.iter().filter(|snapshot| snapshot.pinned);
        edits.map(|snapshot| snapshot.state.steps()).find(|edit| *edit > moment)
    }

    fn add(&mut self, state: Paused, pinned: bool) {
        let bytes = state.bytes_beside(self.snapshots.last().map(|last| &last.state));
        self.snapshots.push(Snapshot { state, bytes, pinned });
        while self.bytes() > self.limit && self.thin_out() {}
    }

    fn bytes(&self) -> usize {
        self.snapshots.iter().map(|snapshot| snapshot.bytes).sum()
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
