//! Which locals hold a value at a place in the statements.

use crate::ast::{Local, Stmt, StmtKind};
use crate::bits::Bits;

/// Which locals may hold a value, and which may hold none.
#[derive(Clone)]
pub(super) struct State {
    pub(super) held: Bits,
    pub(super) gone: Bits,
}

impl State {
    /// Returns whether something was added.
    pub(super) fn union(&mut self, other: &State) -> bool {
        let held = self.held.union(&other.held);
        self.gone.union(&other.gone) || held
    }

    pub(super) fn set(&mut self, local: Local) {
        self.held.insert(local.0 as usize);
        self.gone.remove(local.0 as usize);
    }

    pub(super) fn clear(&mut self, local: Local) {
        self.held.remove(local.0 as usize);
        self.gone.insert(local.0 as usize);
    }
}

/// The state where two paths meet, of which one may not exist.
pub(super) fn joined(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.union(&b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// The number of locals that are assigned in a list, and of its `return`s.
pub(super) fn assignments(list: &[Stmt]) -> usize {
    let of = |stmt: &Stmt| {
        let own = match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.len(),
            StmtKind::Return(_) => 1,
            _ => 0,
        };
        own + stmt.lists().into_iter().map(|inner| assignments(inner)).sum::<usize>()
    };
    list.iter().map(of).sum()
}
