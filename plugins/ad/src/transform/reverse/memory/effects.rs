//! Which code may run again in the reverse sweep: code without effects, and that reads nothing that may change.

use hashbrown::HashSet;
use overdub_context::Symbol;
use overdub_context::ir::{Callee, Func, Inst, InstKind};

use crate::activity::of_library;
use crate::transform::Names;

/// Decides whether instructions may run again.
pub(super) struct Repeatable<'n> {
    names: Names<'n>,
    /// The functions that were found repeatable, or are being examined.
    seen: HashSet<Symbol>,
}

impl<'n> Repeatable<'n> {
    pub(super) fn new(names: Names<'n>) -> Repeatable<'n> {
        Repeatable { names, seen: HashSet::new() }
    }

    /// Whether an instruction has the same result whenever it runs on the same operands, and no effect.
    pub(super) fn inst(&mut self, func: &Func, inst: &Inst) -> bool {
        match &inst.kind {
            InstKind::Const(_) => true,
            InstKind::Op { op, .. } => !op.effects.reads && !op.effects.writes && !op.effects.allocates,
            InstKind::Call { .. } if of_library(func, inst).is_some() => true,
            InstKind::Call { callee: Callee::Func(name), .. } => self.func(*name),
            InstKind::Call { .. } | InstKind::Overdub { .. } => false,
        }
    }

    fn func(&mut self, name: Symbol) -> bool {
        if self.seen.contains(&name) {
            return true;
        }
        let Some(func) = (self.names.lookup)(name) else { return false };
        self.seen.insert(name);
        let repeats = func.blocks.iter().flat_map(|body| &body.insts).all(|inst| self.inst(&func, inst));
        if !repeats {
            // Some were found repeatable because they call this one.
            self.seen.clear();
        }
        repeats
    }
}
