//! Values that were kept: where the reverse sweep reads them in place of those computed again.
//!
//! - RESTORED1 the result of `ad.restored` has no cotangent of its own: it is that of the computed value, so sums have the terms, and the
//!   order, that they have without it.
//! - RESTORED2 the result is the kept value. So is the computed one, in the reverse blocks of blocks that are reached only after it was
//!   read: the derivative of `tanh` takes its result, which is kept.

use hashbrown::HashMap;
use overdub_context::ir::{Block, Func, InstKind, Operand, Var};

use super::primal::Primal;
use crate::annotations::RESTORED;

/// The values of a function that were kept.
#[derive(Default)]
pub(super) struct Restored {
    /// For each result of `ad.restored`, the kept value.
    kept: HashMap<Var, Var>,
    /// For each of these results, the computed value.
    holders: HashMap<Var, Var>,
    /// For each computed value, the blocks that read what was kept of it, and that value.
    computed: HashMap<Var, Vec<(Block, Var)>>,
}

/// The computed and the kept value, if an instruction restores one.
pub(super) fn restored(kind: &InstKind) -> Option<(&Operand, &Operand)> {
    match kind {
        InstKind::Op { op, args } if **op == RESTORED => Some((args.first()?, args.get(1)?)),
        _ => None,
    }
}

impl Restored {
    pub(super) fn of(func: &Func) -> Restored {
        let mut found = Restored::default();
        for (block, body) in func.iter_blocks() {
            for inst in &body.insts {
                let Some((computed, kept)) = restored(&inst.kind) else { continue };
                let Some(kept) = kept.var() else { continue };
                found.kept.insert(inst.result, kept);
                if let Some(computed) = computed.var() {
                    found.holders.insert(inst.result, computed);
                    found.computed.entry(computed).or_default().push((block, kept));
                }
            }
        }
        found
    }
}

impl Primal {
    /// The variable whose value a variable has in the reverse block of `at` (RESTORED2).
    pub(super) fn kept(&self, var: Var, at: Block) -> Var {
        if let Some(kept) = self.restored.kept.get(&var) {
            return *kept;
        }
        let places = self.restored.computed.get(&var).map_or(&[] as &[_], Vec::as_slice);
        let place = places.iter().find(|(block, _)| self.shape.dominators.dominates(*block, at));
        place.map_or(var, |(_, kept)| *kept)
    }

    /// Whether the cotangent of a variable is that of another one (RESTORED1).
    pub(super) fn is_held(&self, var: Var) -> bool {
        self.restored.holders.contains_key(&var)
    }

    /// The variable that holds the cotangent of a variable (RESTORED1).
    pub(super) fn holder(&self, mut var: Var) -> Var {
        while let Some(computed) = self.restored.holders.get(&var) {
            var = *computed;
        }
        var
    }
}
