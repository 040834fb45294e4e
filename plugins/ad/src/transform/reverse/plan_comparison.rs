//! Whether a checkpoint plan records less than another one, on each path.

use std::collections::BTreeSet;

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, InstKind, Var};

use super::checkpoint_plan::{CheckpointPlan, PlannedAccess};
use super::memory::fixed_bytes;
use super::primal::Primal;
use super::recomputation::{COST_OF_ELEMENT, Recomputation};

/// What an execution of a block costs.
#[derive(Clone, Copy, Default)]
struct BlockCost {
    /// The bytes that it records, of values whose types have a size.
    bytes: i64,
    /// The price of these, and of the operations that its reverse block repeats (CUT2).
    price: i64,
}

impl CheckpointPlan {
    /// Whether this plan records fewer bytes than another one and has a lower price, by an estimate of how often each block runs,
    /// and no path through a loop or the function records more.
    pub(super) fn is_less(&self, other: &CheckpointPlan, primal: &Primal) -> bool {
        if !self.unsized_records(primal).is_subset(&other.unsized_records(primal)) {
            return false;
        }
        let costs = self.costs(primal).into_iter().zip(other.costs(primal));
        let more: Vec<BlockCost> = costs
            .map(|(cost, other)| BlockCost {
                bytes: cost.bytes - other.bytes,
                price: cost.price - other.price,
            })
            .collect();
        let total = |of: &dyn Fn(&BlockCost) -> i64| -> i128 {
            let blocks = primal.func().iter_blocks().zip(&more);
            blocks.map(|((block, _), cost)| i128::from(of(cost)) * i128::from(primal.runs(block))).sum()
        };
        if total(&|cost| cost.bytes) >= 0 || total(&|cost| cost.price) >= 0 {
            return false;
        }
        let loops = primal.shape.loops.iter().map(|(id, _)| Some(id));
        let mut regions = loops.chain([None]);
        regions.all(|region| primal.most_on_a_path(region, &|block| more[block.index()].bytes) <= 0)
    }

    /// The records of values whose sizes are not known, and their blocks.
    fn unsized_records(&self, primal: &Primal) -> BTreeSet<(Block, Var)> {
        let records = self.records.iter().flat_map(|(place, vars)| vars.iter().map(|var| (*place, *var)));
        records.filter(|(_, var)| fixed_bytes(primal.func().ty(*var)).is_none()).collect()
    }

    fn costs(&self, primal: &Primal) -> Vec<BlockCost> {
        let mut costs = vec![BlockCost::default(); primal.func().blocks.len()];
        for (place, vars) in &self.records {
            let bytes: usize = vars.iter().filter_map(|var| fixed_bytes(primal.func().ty(*var))).sum();
            costs[place.index()].bytes += bytes as i64;
            costs[place.index()].price += bytes as i64;
        }
        for ((var, at), access) in &self.access {
            let cost = match (access, primal.inst(*var).map(|inst| &inst.kind)) {
                (PlannedAccess::Recomputed, Some(InstKind::Op { op, .. })) => {
                    Recomputation::Cheap.cost_of(op).unwrap_or_default()
                }
                (PlannedAccess::ElementOfWhole, _) => COST_OF_ELEMENT,
                _ => 0,
            };
            costs[at.index()].price += i64::from(cost);
        }
        costs
    }
}

impl Primal {
    /// The greatest sum on a path through an iteration of a loop, or through the function, without the loops inside.
    fn most_on_a_path(&self, region: Option<LoopId>, of_block: &dyn Fn(Block) -> i64) -> i64 {
        let shape = &self.shape;
        let is_inside = |block: Block| {
            shape.returns[block.index()] && region.is_none_or(|id| shape.loops.contains(id, block))
        };
        let header = region.map_or(Block::ENTRY, |id| shape.loops.get(id).header);
        let mut sums: Vec<Option<i64>> = vec![None; self.func().blocks.len()];
        let mut most = i64::MIN;
        for &block in shape.cfg.reverse_postorder().iter().filter(|block| is_inside(**block)) {
            let before = shape.cfg.preds(block).iter().filter_map(|pred| sums[pred.index()]).max();
            let before = if block == header { 0 } else { before.unwrap_or_default() };
            let own = if shape.loops.innermost(block) == region { of_block(block) } else { 0 };
            sums[block.index()] = Some(before + own);
            let leaves = |to: &Block| *to == header || shape.returns[to.index()] && !is_inside(*to);
            if block == shape.exit || shape.cfg.succs(block).iter().any(leaves) {
                most = most.max(before + own);
            }
        }
        most
    }
}
