//! Liveness of cotangents in the reverse sweep.

use std::collections::BTreeSet;

use overdub_context::ir::{Block, Operand, TerminatorKind, Var};

use super::primal::Primal;

impl Primal {
    /// Propagates each active use back to the definition.
    pub(super) fn find_live_cotangents(&mut self) {
        let blocks = self.func().blocks.len();
        let mut live_in = vec![BTreeSet::new(); blocks];
        let mut defined = vec![BTreeSet::new(); blocks];
        let mut pending: Vec<(Var, Block)> = Vec::new();
        for (block, body) in self.func().iter_blocks().filter(|(b, _)| self.shape.returns[b.index()]) {
            for inst in body.insts.iter().filter(|inst| self.counts(inst)) {
                let operands: Vec<&Operand> = match self.split(inst.result) {
                    Some(split) => split.active_args().collect(),
                    None => inst.kind.operands().collect(),
                };
                pending.extend(operands.into_iter().filter_map(|o| self.real(o)).map(|var| (var, block)));
            }
            let Some(end) = &body.terminator else { continue };
            let returned = match &end.kind {
                TerminatorKind::Ret(result) => self.real(result),
                _ => None,
            };
            pending.extend(returned.map(|var| (var, block)));
            for target in end.kind.targets().filter(|t| self.shape.returns[t.block.index()]) {
                for (param, arg) in self.func().block(target.block).params.iter().zip(&target.args) {
                    if self.is_active(*param)
                        && let Some(var) = self.real(arg)
                    {
                        pending.push((var, block));
                        defined[block.index()].insert(var);
                    }
                }
            }
        }
        for param in self.accumulated() {
            pending.push((param, self.shape.exit));
            defined[self.shape.exit.index()].insert(param);
        }
        while let Some((var, block)) = pending.pop() {
            if self.block_of(var) == block || !live_in[block.index()].insert(var) {
                continue;
            }
            for pred in self.shape.cfg.preds(block) {
                defined[pred.index()].insert(var);
                pending.push((var, *pred));
            }
        }
        (self.live_in, self.defined_on_entry) = (live_in, defined);
    }
}
