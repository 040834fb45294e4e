//! The blocks that record values.
//!
//! - RECORDED1 values of a block are recorded on a stack of that block, one record per execution. The reverse block pops a
//!   record per execution, so the top is always the right one.
//! - RECORDED2 a value that several blocks of its loop need is recorded once, in the nearest block of that loop that dominates them: no
//!   loop inside repeats the record, and paths that do not get there push none. A value that is needed in a loop around its own is
//!   recorded in the blocks of that loop that need it, or before the loops inside that do.
//! - RECORDED3 the reverse sweep does not jump over a block that records, since it pops each record: nor over one that needs a value.

use std::collections::BTreeMap;

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, Var};

use super::checkpoint_plan::{PlannedAccess, Planner};
use super::default_value::has_default;

impl Planner<'_> {
    /// Chooses the block that records each value.
    pub(super) fn place(&mut self) {
        for (var, blocks) in std::mem::take(&mut self.recorded) {
            let (defined, has_default) = (self.primal.block_of(var), has_default(self.primal.func().ty(var)));
            let mut others = Vec::new();
            for at in blocks {
                let access = if has_default && !self.primal.shape.share_loop(defined, at) {
                    self.plan.if_run.insert(var);
                    PlannedAccess::LastIfRun
                } else if let Some(entered) = self.before.get(&(var, at)).copied() {
                    self.record(var, entered, at)
                } else {
                    others.push(at);
                    continue;
                };
                self.plan.access.insert((var, at), access);
            }
            for (at, place) in others.iter().zip(self.places(var, &others)) {
                let access = self.record(var, place, *at);
                self.plan.access.insert((var, *at), access);
            }
        }
    }

    /// The blocks that record a value for each of these blocks.
    pub(super) fn places(&self, var: Var, blocks: &[Block]) -> Vec<Block> {
        let (shape, defined) = (&self.primal.shape, self.primal.block_of(var));
        let loop_of =
            |at: Block| shape.loops_of(defined).into_iter().find(|id| shape.loops.contains(*id, at));
        let mut by_loop: BTreeMap<Option<LoopId>, Vec<Block>> = BTreeMap::new();
        blocks.iter().for_each(|at| by_loop.entry(loop_of(*at)).or_default().push(*at));
        let place = |at: &Block| match loop_of(*at) {
            None => defined,
            Some(id) => self.place_in(id, defined, &by_loop[&Some(id)], *at),
        };
        blocks.iter().map(place).collect()
    }

    /// The block of a loop that records a value for one of these blocks of it (RECORDED2, RECORDED3).
    fn place_in(&self, id: LoopId, defined: Block, blocks: &[Block], at: Block) -> Block {
        let dominators = &self.primal.shape.dominators;
        // The nearest block of the loop that dominates these.
        let nearest = |blocks: &[Block]| {
            let above = std::iter::successors(blocks.first().copied(), |block| dominators.idom(*block));
            let mut above = above.take_while(|block| dominators.dominates(defined, *block));
            let is_in_loop = |block: Block| self.primal.shape.loops.innermost(block) == Some(id);
            let dominates = |block: Block| blocks.iter().all(|at| dominators.dominates(block, *at));
            let found = above.find(|block| is_in_loop(*block) && dominates(*block));
            found.filter(|block| blocks.contains(block) || !self.jumped[block.index()])
        };
        if self.primal.shape.loops.innermost(defined) == Some(id) {
            return nearest(blocks).unwrap_or(if self.jumped[defined.index()] { at } else { defined });
        }
        let places = blocks.iter().filter_map(|block| nearest(&[*block]));
        let before = places.filter(|place| dominators.dominates(*place, at));
        before.min_by_key(|place| self.primal.shape.cfg.position(*place)).unwrap_or(at)
    }

    fn record(&mut self, var: Var, place: Block, at: Block) -> PlannedAccess {
        let shape = &self.primal.shape;
        let record = self.plan.records.entry(place).or_default();
        if !record.contains(&var) {
            record.push(var);
        }
        let outside = |id: &LoopId| !shape.loops.contains(*id, place);
        let over = shape.loops_of(at).into_iter().rfind(outside);
        self.plan.before.extend(over.map(|id| (id, var, place)));
        PlannedAccess::Record(place, over)
    }
}
