//! The blocks of a loop, and the variables that go in and out of it.

use std::collections::BTreeSet;

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, Inst, Operand, Var};

use super::super::primal::Primal;
use crate::normalize_cfg::{Edge, NormalizedCfg, target};

/// A loop with the blocks that only fail, and are entered from it.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) header: Block,
    /// The edge on which the loop is entered.
    pub(super) entry: Edge,
    /// The blocks of the loop, and those that only fail.
    pub(super) blocks: BTreeSet<Block>,
    /// The blocks that only fail; others may enter them too.
    failing: BTreeSet<Block>,
    /// The edges that leave it.
    pub(super) exits: Vec<Edge>,
    /// The variables that are defined outside and used inside; not the initial state.
    pub(super) invariants: Vec<Var>,
    /// The views that are defined outside and used inside (CHUNK4).
    views: BTreeSet<Var>,
    /// The variables that are defined inside and used outside, other than on the edges that leave it.
    pub(super) used_outside: BTreeSet<Var>,
}

impl Region {
    /// The region of a loop from which the function can return.
    pub(super) fn of(shape: &NormalizedCfg, primal: &Primal, id: LoopId) -> Option<Region> {
        let header = shape.loops.get(id).header;
        let within = |block: Block| shape.loops.contains(id, block);
        let mut entries = shape.incoming[header.index()].iter().filter(|edge| !within(edge.from));
        let entry = *entries.next()?;
        let inside = shape.cfg.reverse_postorder().iter().copied().filter(|block| within(*block));
        let mut blocks: BTreeSet<Block> = inside.collect();
        let (mut exits, mut pending) = (Vec::new(), Vec::new());
        for &from in &blocks {
            for (at, target) in shape.func.terminator(from).kind.targets().enumerate() {
                match shape.returns[target.block.index()] {
                    _ if within(target.block) => {}
                    true => exits.push(Edge { from, at }),
                    false => pending.push(target.block),
                }
            }
        }
        let mut failing = BTreeSet::new();
        while let Some(block) = pending.pop() {
            if failing.insert(block) {
                pending.extend(shape.cfg.succs(block));
            }
        }
        blocks.extend(&failing);
        let mut region = Region {
            header,
            entry,
            blocks,
            failing,
            exits,
            invariants: Vec::new(),
            views: BTreeSet::new(),
            used_outside: BTreeSet::new(),
        };
        region.find_invariants(shape, primal);
        Some(region)
    }

    fn find_invariants(&mut self, shape: &NormalizedCfg, primal: &Primal) {
        let mut pending: Vec<Var> = Vec::new();
        for &block in &self.blocks {
            let body = shape.func.block(block);
            let operands = body.insts.iter().flat_map(|inst| inst.kind.operands());
            let operands = operands.chain(body.terminator.iter().flat_map(|end| end.kind.operands()));
            pending.extend(operands.filter_map(Operand::var));
        }
        let mut invariants = BTreeSet::new();
        while let Some(var) = pending.pop() {
            if self.blocks.contains(&primal.block_of(var)) || self.views.contains(&var) {
                continue;
            }
            match read_of(shape, primal, var) {
                Some(inst) => {
                    self.views.insert(var);
                    pending.extend(inst.kind.operands().filter_map(Operand::var));
                }
                None => drop(invariants.insert(var)),
            }
        }
        self.invariants = invariants.into_iter().collect();
    }

    /// The reads of the views that are defined outside, in the order of their definitions.
    pub(super) fn views<'s>(&self, shape: &'s NormalizedCfg) -> Vec<&'s Inst> {
        reads(shape, &self.views)
    }

    /// Adds the variables of the region among `vars` to those that are used outside. Of a view, which is read again
    /// outside, the operands are used; returns the views.
    pub(super) fn use_outside(
        &mut self,
        shape: &NormalizedCfg,
        primal: &Primal,
        vars: impl IntoIterator<Item = Var>,
    ) -> BTreeSet<Var> {
        let (mut pending, mut views): (Vec<Var>, _) = (vars.into_iter().collect(), BTreeSet::new());
        while let Some(var) = pending.pop() {
            if !self.defines(primal, var) || views.contains(&var) {
                continue;
            }
            match read_of(shape, primal, var) {
                Some(inst) => {
                    views.insert(var);
                    pending.extend(inst.kind.operands().filter_map(Operand::var));
                }
                None => drop(self.used_outside.insert(var)),
            }
        }
        views
    }

    /// The variables of the region that the chunk returns: those that are used outside, then those that each edge out of
    /// the loop passes on.
    pub(super) fn returned(&self, shape: &NormalizedCfg, primal: &Primal) -> Vec<Vec<Var>> {
        let passed = self.exits.iter().map(|edge| {
            let vars = target(&shape.func, *edge).args.iter().filter_map(Operand::var);
            vars.filter(|var| self.defines(primal, *var)).collect()
        });
        [self.used_outside.iter().copied().collect()].into_iter().chain(passed).collect()
    }

    /// Whether a variable is defined in the loop.
    pub(super) fn defines(&self, primal: &Primal, var: Var) -> bool {
        let block = primal.block_of(var);
        self.blocks.contains(&block) && !self.failing.contains(&block)
    }
}

/// The instruction that reads a view.
fn read_of<'s>(shape: &'s NormalizedCfg, primal: &Primal, var: Var) -> Option<&'s Inst> {
    if !primal.is_active(var) || primal.view(var).is_none() {
        return None;
    }
    shape.func.block(primal.block_of(var)).insts.iter().find(|inst| inst.result == var)
}

/// The instructions that define these variables, in order.
pub(super) fn reads<'s>(shape: &'s NormalizedCfg, vars: &BTreeSet<Var>) -> Vec<&'s Inst> {
    let order = shape.cfg.reverse_postorder().iter();
    let insts = order.flat_map(|block| &shape.func.block(*block).insts);
    insts.filter(|inst| vars.contains(&inst.result)).collect()
}
