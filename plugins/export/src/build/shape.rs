//! The shape of the control flow: which blocks follow others, and which are written where they are branched to.

use hashbrown::HashMap;
use overdub_context::analysis::{Cfg, Dominators, LoopNest};
use overdub_context::ir::{Block, Operand, TerminatorKind};

use crate::body::Body;

/// The control flow of a body.
#[derive(Clone, Copy)]
pub(super) struct Shape<'b> {
    pub(super) body: &'b Body,
    pub(super) cfg: &'b Cfg,
    pub(super) dominators: &'b Dominators,
    pub(super) loops: &'b LoopNest,
}

impl Shape<'_> {
    /// Decides which blocks follow others (BUILD1); the rest is written where it is branched to.
    pub(super) fn placed(&self) -> HashMap<(Block, bool), Vec<Block>> {
        let mut placed: HashMap<(Block, bool), Vec<Block>> = HashMap::new();
        for &block in self.cfg.reverse_postorder() {
            let Some(idom) = self.dominators.idom(block) else { continue };
            let left = self.loop_left(idom, block);
            if let Some(header) = left {
                if self.is_written_at_branch(block, header) {
                    continue;
                }
                placed.entry((header, true)).or_default().push(block);
            } else if self.forward_preds(block) > 1 && !self.is_short_failure(block) {
                placed.entry((idom, false)).or_default().push(block);
            }
        }
        placed
    }

    /// The header of the outermost loop that contains `from` but not `to`.
    pub(super) fn loop_left(&self, from: Block, to: Block) -> Option<Block> {
        let mut at = self.loops.innermost(from);
        let mut header = None;
        while let Some(id) = at {
            if !self.loops.contains(id, to) {
                header = Some(self.loops.get(id).header);
            }
            at = self.loops.get(id).parent;
        }
        header
    }

    pub(super) fn forward_preds(&self, block: Block) -> usize {
        let edges = self.cfg.preds(block).iter().filter(|&&pred| !self.dominators.dominates(block, pred));
        edges
            .map(|&pred| {
                let targets = self.body.block(pred).terminator.kind.targets();
                targets.filter(|target| target.block == block).count()
            })
            .sum()
    }

    /// Whether a block outside of a loop is written inside of it: it ends the function, and only one branch other
    /// than that of the header leads to it.
    pub(super) fn is_written_at_branch(&self, block: Block, header: Block) -> bool {
        if self.is_short_failure(block) {
            return true;
        }
        let code = self.body.block(block);
        matches!(code.terminator.kind, TerminatorKind::Ret(_) | TerminatorKind::Fail(_))
            && self.forward_preds(block) == 1
            && self.cfg.preds(block) != [header]
            && code.nodes.len() <= 8
    }

    /// Whether a block only fails with a constant message: it is repeated at each branch.
    pub(super) fn is_short_failure(&self, block: Block) -> bool {
        let code = self.body.block(block);
        matches!(&code.terminator.kind, TerminatorKind::Fail(Operand::Const(_)))
            && code.nodes.is_empty()
            && code.params.is_empty()
    }
}
