//! The checkpoint plan: for each value of the primal that the reverse sweep needs, whether it is captured at
//! the return, counted, recomputed or recorded.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::primal::Primal;
use super::recomputation::Recomputation;
use super::reverse_cfg::ReverseExit;
use crate::rules::{Rule, rule};

/// How the reverse block of a block accesses a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlannedAccess {
    /// Its last value, captured where the function returns.
    Last,
    /// Its last value, captured where the function returns, if the defining block ran.
    LastIfRun,
    /// The counter of the loop with this header.
    LoopCounter(Block),
    /// The final value of the counter of the loop with this header.
    Limit(Block),
    /// An induction variable, computed as a linear function of the counter of its loop.
    InductionVar,
    /// Recomputed from its operands.
    Recomputed,
    /// An element of a slice, read again from the sliced array.
    ElementOfWhole,
    /// Read from the record of this block; if a loop is given, read once before that loop, which does not
    /// contain the block.
    Record(Block, Option<LoopId>),
}

/// The plan: the access for each value and block that needs it.
#[derive(Default)]
pub(super) struct CheckpointPlan {
    pub(super) access: HashMap<(Var, Block), PlannedAccess>,
    /// The values that each block records.
    pub(super) records: BTreeMap<Block, Vec<Var>>,
    /// The values that blocks which may not run define.
    pub(super) if_run: BTreeSet<Var>,
    /// The recorded values that are read once before a loop is reversed.
    pub(super) before: BTreeSet<(LoopId, Var, Block)>,
    /// The blocks whose predecessor is selected by a condition that is recomputed.
    pub(super) by_condition: BTreeSet<Block>,
}

/// The values that the reverse sweep needs.
#[derive(Default)]
pub(super) struct Demands {
    pub(super) values: BTreeSet<(Var, Block)>,
    /// The blocks for which it needs to know the predecessor.
    pub(super) pred_numbers: BTreeSet<Block>,
}

impl CheckpointPlan {
    pub(super) fn new(primal: &Primal, demands: &Demands, recomputation: Recomputation) -> CheckpointPlan {
        Planner::new(primal, recomputation).plan(demands)
    }

    pub(super) fn access(&self, var: Var, at: Block) -> Option<&PlannedAccess> {
        self.access.get(&(var, at))
    }

    /// The recorded values, and the blocks that need them.
    pub(super) fn recorded_values(&self) -> BTreeSet<(Var, Block)> {
        let is_record = |access: &PlannedAccess| matches!(access, PlannedAccess::Record(..));
        self.access.iter().filter(|(_, access)| is_record(access)).map(|(needed, _)| *needed).collect()
    }

    /// The type of a block's record: that of the value itself if there is only one.
    pub(super) fn record_ty(&self, primal: &Primal, place: Block) -> Ty {
        match self.records[&place].as_slice() {
            [only] => primal.func().ty(*only),
            vars => Ty::tuple(vars.iter().map(|var| primal.func().ty(*var))),
        }
    }
}

pub(super) struct Planner<'p> {
    pub(super) primal: &'p Primal,
    pub(super) recomputation: Recomputation,
    pub(super) plan: CheckpointPlan,
    pub(super) recorded: BTreeMap<Var, BTreeSet<Block>>,
    /// The block that records an initial value of a loop, for each value and block that needs it.
    pub(super) before: HashMap<(Var, Block), Block>,
    pub(super) edited: Vec<bool>,
    /// The blocks that the reverse sweep jumps over.
    pub(super) jumped: Vec<bool>,
    /// The values of a cut, and the blocks that need them: those are recorded. Without it, a value is recorded where it is not cheap
    /// to recompute.
    pub(super) chosen: Option<BTreeSet<(Var, Block)>>,
}

impl<'p> Planner<'p> {
    pub(super) fn new(primal: &'p Primal, recomputation: Recomputation) -> Planner<'p> {
        Planner {
            primal,
            recomputation,
            plan: CheckpointPlan::default(),
            recorded: BTreeMap::new(),
            before: HashMap::new(),
            edited: edited(primal),
            jumped: primal.jumped(),
            chosen: None,
        }
    }

    pub(super) fn plan(&mut self, demands: &Demands) -> CheckpointPlan {
        self.all(demands);
        self.place();
        self.before.clear();
        std::mem::take(&mut self.plan)
    }

    fn all(&mut self, demands: &Demands) {
        let mut values: Vec<(Var, Block)> = demands.values.iter().copied().collect();
        for block in &demands.pred_numbers {
            if let Some(ReverseExit::ByPredecessor(pred_number, decided)) =
                &self.primal.reverse_exits[block.index()]
            {
                match decided.as_ref().map(|decided| &decided.cond) {
                    Some(cond) if self.cost(cond, *block).is_some() => {
                        self.plan.by_condition.insert(*block);
                        values.extend(cond.var().map(|var| (var, *block)));
                    }
                    _ => values.push((*pred_number, *block)),
                }
            }
        }
        values.sort_by_key(|(var, block)| (self.primal.position(*var), *block));
        for (var, block) in values {
            self.demand(var, block);
        }
    }

    fn demand(&mut self, var: Var, at: Block) {
        let var = self.primal.kept(var, at);
        if self.plan.access.contains_key(&(var, at)) {
            return;
        }
        if let Some(access) = self.free(var, at) {
            self.plan.access.insert((var, at), access.clone());
            if let PlannedAccess::Limit(header) = access
                && let Some(ReverseExit::Loop(counter)) = &self.primal.reverse_exits[header.index()]
            {
                let ends = [Some(counter.init.clone()), counter.limit.clone()];
                ends.iter().flatten().filter_map(Operand::var).for_each(|var| self.demand(var, at));
            }
            return;
        }
        if let Some(induction) = self.primal.induction_var(var, at) {
            self.plan.access.insert((var, at), PlannedAccess::InductionVar);
            self.demand(induction.counter.param, at);
            for initial in [&induction.init, &induction.counter.init] {
                self.demand_of_before(initial, at, induction.counter.entry.from);
            }
            return;
        }
        if let Some((access, operands)) = self.recomputed(var, at) {
            self.plan.access.insert((var, at), access);
            operands.into_iter().for_each(|operand| self.demand(operand, at));
            return;
        }
        self.recorded.entry(var).or_default().insert(at);
    }

    /// Demands an initial value of a loop: if it has to be recorded, it is recorded where the loop is
    /// entered.
    fn demand_of_before(&mut self, initial: &Operand, at: Block, entered: Block) {
        let Some(var) = initial.var() else { return };
        if self.cost(initial, at).is_none() {
            self.before.insert((self.primal.kept(var, at), at), entered);
        }
        self.demand(var, at);
    }

    /// Whether a value is recorded for a block; for any block, if no values are chosen.
    pub(super) fn is_recorded(&self, var: Var, at: Block) -> bool {
        self.recorded.get(&var).is_some_and(|blocks| self.chosen.is_none() || blocks.contains(&at))
    }

    /// Whether a value is recorded for a block, or is chosen for it.
    pub(super) fn is_available(&self, var: Var, at: Block) -> bool {
        let is_chosen = self.chosen.as_ref().is_some_and(|chosen| chosen.contains(&(var, at)));
        is_chosen || self.is_recorded(var, at)
    }

    /// An access without any cost, if there is one.
    pub(super) fn free(&self, var: Var, at: Block) -> Option<PlannedAccess> {
        let shape = &self.primal.shape;
        let defined = self.primal.block_of(var);
        if !shape.share_loop(defined, at) && shape.dominators.dominates(defined, shape.exit) {
            return Some(PlannedAccess::Last);
        }
        let Some(ReverseExit::Loop(counter)) = &self.primal.reverse_exits[defined.index()] else {
            return None;
        };
        if counter.param != var {
            return None;
        }
        // No inner loop contains the header of a loop.
        let of_header = shape.loops.innermost(defined).filter(|id| shape.loops.get(*id).header == defined);
        if of_header.is_some_and(|id| shape.loops.contains(id, at)) {
            return Some(PlannedAccess::LoopCounter(defined));
        }
        let limit = counter.limit.as_ref()?;
        let known = |operand: &Operand| self.cost_outside(operand, at).is_some();
        (known(limit) && known(&counter.init)).then_some(PlannedAccess::Limit(defined))
    }
}

/// For each array, whether it is updated in place on a path to the exit that does not redefine it: recording
/// such an array would force a copy.
fn edited(primal: &Primal) -> Vec<bool> {
    let mut edited = vec![false; primal.func().vars.len()];
    let mut edit = |block: Block, operand: &Operand| {
        if let Some(var) = operand.var()
            && !edited[var.index()]
        {
            edited[var.index()] = is_array(primal.func().ty(var)) && survives_to_exit(primal, var, block);
        }
    };
    for (block, body) in primal.func().iter_blocks() {
        for inst in &body.insts {
            match &inst.kind {
                InstKind::Op { op, .. } if reads(op) => {}
                kind => kind.operands().for_each(|operand| edit(block, operand)),
            }
        }
        let targets = body.terminator.iter().flat_map(|end| end.kind.targets());
        targets.flat_map(|target| &target.args).for_each(|operand| edit(block, operand));
    }
    edited
}

fn is_array(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Array(_))
}

/// Whether some path from a block to the exit does not redefine a variable.
fn survives_to_exit(primal: &Primal, var: Var, block: Block) -> bool {
    let (shape, def_block) = (&primal.shape, primal.block_of(var));
    let mut seen = vec![false; primal.func().blocks.len()];
    let mut pending = vec![block];
    while let Some(next) = pending.pop() {
        if next == shape.exit {
            return true;
        }
        let onwards = shape.cfg.succs(next).iter().copied().filter(|to| *to != def_block);
        pending.extend(onwards.filter(|to| !std::mem::replace(&mut seen[to.index()], true)));
    }
    false
}

/// Whether an operation leaves its operands unchanged.
fn reads(op: &'static OpDef) -> bool {
    match rule(op) {
        Some(Rule::Moves(moves)) => moves.reads(),
        Some(Rule::ArrayOp(_)) => true,
        _ => [&ops::LEN, &ops::ND_SHAPE].contains(&op),
    }
}
