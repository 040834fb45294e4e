//! The values to record: a minimum cut of the data flow from what cannot be recomputed to what the reverse sweep needs.
//!
//! ```text
//! %a: f64 = add %y, 1.0                        record %y
//! %b: f64 = mul %y, 2.0        =>
//! record %a, %b
//! ```
//!
//! After Moses and others, *Reverse-mode automatic differentiation and optimization of GPU kernels via Enzyme*, SC 2021.
//!
//! - CUT1 a value is an edge, whose capacity is the price of its record. The source leads to what cannot be recomputed, and to other
//!   values with the price of their operation as capacity; what the reverse sweep needs leads to the sink. So the values on the sink's
//!   side are available, and those whose edge is cut are recorded.
//! - CUT2 a byte of a record has the price of an addition: a loop that repeats five operations in place of 16 bytes takes 12.9 ns
//!   rather than 13.1 for each iteration while its records fit into a cache, and 28 rather than 54 when they do not.
//! - CUT3 the prices are multiplied by an estimate of how often a block runs: a loop has 16 iterations, and a block that some of them
//!   skip runs in half of them.
//! - CUT4 the number of a block's predecessor can be computed from the condition that decides between two of them.
//! - CUT5 the plan by the cut is taken if it has fewer bytes and a lower price by this estimate, and no path through an iteration or the
//!   function records more bytes. Otherwise this is tried for each loop alone.

use std::collections::{BTreeMap, BTreeSet};

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, Operand, Var};

use super::checkpoint_plan::{CheckpointPlan, Demands, Planner};
use super::memory::fixed_bytes;
use super::minimum_cut::{Network, NodeId, UNBOUNDED};
use super::primal::Primal;
use super::recomputation::Recomputation;
use super::reverse_cfg::ReverseExit;

/// The price of a record whose size is not known: more than that of any number.
const UNKNOWN: u64 = 1 << 16;

/// The greatest number of loops that are planned one by one.
const MOST_LOOPS: usize = 16;

/// A value in the data flow.
#[derive(Default)]
struct Node {
    /// The reverse blocks that may need it.
    at: BTreeSet<Block>,
    /// The values that it is recomputed from, if it can be, and the blocks for which it is.
    from: Option<BTreeSet<(Var, Block)>>,
    /// The price of its operation in all these blocks.
    operation: u64,
}

/// The values that the reverse sweep needs, and those that they can be recomputed from.
struct Dataflow<'p> {
    planner: &'p Planner<'p>,
    nodes: BTreeMap<Var, Node>,
    needed: BTreeSet<(Var, Block)>,
    pending: Vec<(Var, Block)>,
}

impl CheckpointPlan {
    /// The plan that records the values of a minimum cut, or this one (CUT5).
    pub(super) fn by_cut(primal: &Primal, demands: &Demands, plan: CheckpointPlan) -> CheckpointPlan {
        let mut chosen = plan.recorded_values();
        if chosen.is_empty() {
            return plan;
        }
        let mut planner = Planner::new(primal, Recomputation::Cheap);
        let cut = planner.cut(demands, &chosen.iter().map(|(var, _)| *var).collect());
        let mut with = |chosen: &BTreeSet<(Var, Block)>| {
            planner.chosen = Some(chosen.clone());
            planner.plan(demands)
        };
        let by_cut = with(&cut);
        if by_cut.is_less(&plan, primal) {
            return by_cut;
        }
        // CUT5: each loop alone.
        let loop_of = |var: Var| primal.shape.loops.innermost(primal.block_of(var));
        let loops: BTreeSet<Option<LoopId>> = cut.iter().map(|(var, _)| loop_of(*var)).collect();
        let mut least = plan;
        for id in loops.into_iter().take(MOST_LOOPS) {
            let of_others = chosen.iter().filter(|(var, _)| loop_of(*var) != id);
            let of_loop = cut.iter().filter(|(var, _)| loop_of(*var) == id);
            let changed = of_others.chain(of_loop).copied().collect();
            let by_cut = with(&changed);
            if by_cut.is_less(&least, primal) {
                (least, chosen) = (by_cut, changed);
            }
        }
        least
    }
}

impl Planner<'_> {
    /// The values of a minimum cut, and the blocks that need them, without those that are cheap to recompute from the others;
    /// `recorded` are those that the plan records without it.
    fn cut(&mut self, demands: &Demands, recorded: &BTreeSet<Var>) -> BTreeSet<(Var, Block)> {
        let flow = Dataflow::of(self, demands);
        let cut = flow.network(recorded).cut();
        let mut cut: Vec<(Var, Block)> = cut.into_iter().collect();
        cut.sort_by_key(|(var, at)| (self.primal.position(*var), *at));
        self.chosen = Some(BTreeSet::new());
        for (var, at) in cut {
            if self.recomputed(var, at).is_none() {
                self.chosen.get_or_insert_default().insert((var, at));
            }
        }
        self.chosen.take().unwrap_or_default()
    }

    /// The price of the records of a value for these blocks (CUT2, CUT3).
    fn price_of_record(&self, var: Var, blocks: &[Block], recorded: &BTreeSet<Var>) -> u64 {
        let bytes = match fixed_bytes(self.primal.func().ty(var)) {
            Some(bytes) => bytes as u64,
            None if recorded.contains(&var) => UNKNOWN,
            None => return UNBOUNDED,
        };
        let places: BTreeSet<Block> = self.places(var, blocks).into_iter().collect();
        bytes * places.into_iter().map(|place| self.primal.runs(place)).sum::<u64>()
    }
}

/// The network of a data flow.
struct RecordNetwork {
    network: Network,
    source: NodeId,
    sink: NodeId,
    records: Vec<RecordEdge>,
}

/// The edge of a record of a value.
struct RecordEdge {
    start: NodeId,
    end: NodeId,
    /// The value, and the blocks for which it is recorded.
    of: Vec<(Var, Block)>,
}

impl RecordNetwork {
    fn record(&mut self, of: Vec<(Var, Block)>, price: u64) -> (NodeId, NodeId) {
        let (start, end) = (self.network.node(), self.network.node());
        self.network.edge(start, end, price);
        self.records.push(RecordEdge { start, end, of });
        (start, end)
    }

    /// The values whose edges a minimum cut crosses.
    fn cut(self) -> BTreeSet<(Var, Block)> {
        let available = self.network.sink_side(self.source, self.sink);
        let is_cut = |edge: &RecordEdge| available[edge.end.index()] && !available[edge.start.index()];
        self.records.into_iter().filter(is_cut).flat_map(|edge| edge.of).collect()
    }
}

impl Primal {
    /// An estimate of how often a block runs (CUT3).
    pub(super) fn runs(&self, block: Block) -> u64 {
        let shape = &self.shape;
        let always = shape.loops.innermost(block).is_none_or(|id| {
            shape.loops.get(id).latches.iter().all(|latch| shape.dominators.dominates(block, *latch))
        });
        (1 << (4 * shape.loops.depth(block).min(8))) * if always { 2 } else { 1 }
    }
}

impl<'p> Dataflow<'p> {
    fn of(planner: &'p Planner<'_>, demands: &Demands) -> Dataflow<'p> {
        let mut flow =
            Dataflow { planner, nodes: BTreeMap::new(), needed: BTreeSet::new(), pending: Vec::new() };
        for (var, at) in &demands.values {
            let needed = flow.reach(*var, *at);
            flow.needed.extend(needed);
        }
        for block in &demands.pred_numbers {
            if let Some(ReverseExit::ByPredecessor(number, decided)) =
                &planner.primal.reverse_exits[block.index()]
            {
                let needed = flow.reach(*number, *block);
                flow.needed.extend(needed);
                // CUT4
                if let Some(decided) = decided {
                    flow.recompute(*number, *block, 1, std::slice::from_ref(&decided.cond));
                }
            }
        }
        while let Some((var, at)) = flow.pending.pop() {
            if let Some((cost, operands)) = planner.operation(var, at) {
                flow.recompute(var, at, cost, &operands);
            }
        }
        flow
    }

    /// The network (CUT1, CUT4).
    fn network(&self, recorded: &BTreeSet<Var>) -> RecordNetwork {
        let mut network = Network::default();
        let (source, sink) = (network.node(), network.node());
        let mut records = RecordNetwork { network, source, sink, records: Vec::new() };
        let price = |var: Var, blocks: &[Block]| self.planner.price_of_record(var, blocks, recorded);
        let mut ends: BTreeMap<(Var, Block), NodeId> = BTreeMap::new();
        let mut starts = Vec::new();
        for (var, node) in &self.nodes {
            let blocks: Vec<Block> = node.at.iter().copied().collect();
            let of_all = blocks.iter().map(|at| (*var, *at)).collect();
            let (start, end) = records.record(of_all, price(*var, &blocks));
            records.network.edge(source, start, if node.from.is_some() { node.operation } else { UNBOUNDED });
            starts.push((start, &node.from));
            for at in blocks {
                let end = if node.from.is_some() {
                    end
                } else {
                    let (start_at, end_at) = records.record(vec![(*var, at)], price(*var, &[at]));
                    records.network.edge(end, start_at, UNBOUNDED);
                    end_at
                };
                ends.insert((*var, at), end);
            }
        }
        for (start, from) in starts {
            from.iter().flatten().for_each(|operand| records.network.edge(ends[operand], start, UNBOUNDED));
        }
        self.needed.iter().for_each(|needed| records.network.edge(ends[needed], sink, UNBOUNDED));
        records
    }

    /// The node of a value in a reverse block, unless it is available there without a record.
    fn reach(&mut self, var: Var, at: Block) -> Option<(Var, Block)> {
        let primal = self.planner.primal;
        let var = primal.kept(var, at);
        let is_available = self.planner.free(var, at).is_some()
            || primal.induction_var(var, at).is_some()
            || !primal.shape.share_loop(primal.block_of(var), at);
        if is_available {
            return None;
        }
        if self.nodes.entry(var).or_default().at.insert(at) {
            self.pending.push((var, at));
        }
        Some((var, at))
    }

    fn recompute(&mut self, var: Var, at: Block, cost: u32, operands: &[Operand]) {
        let operands = operands.iter().filter_map(Operand::var);
        let from: Vec<_> = operands.filter_map(|operand| self.reach(operand, at)).collect();
        let price = u64::from(cost) * self.planner.primal.runs(at);
        let node = self.nodes.entry(var).or_default();
        node.from.get_or_insert_default().extend(from);
        node.operation += price;
    }
}
