//! Recomputation: which values of the primal the reverse sweep computes again rather than read from a record.
//!
//! - PLAN2 values that a few cheap operations compute from available values are not recorded.
//! - PLAN3 nor are values of a loop that a few cheap operations compute from numbers of the loops around it: these are recorded instead,
//!   once for all rounds of the inner loop.

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, InstKind, Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::checkpoint_plan::{PlannedAccess, Planner};
use super::primal::Primal;

/// The cost of reading an element of a slice again from the sliced array.
pub(super) const COST_OF_ELEMENT: u32 = 2;

/// Which values are recomputed rather than recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recomputation {
    /// Those that take no longer than a record of them.
    Cheap,
    /// All that some hundred operations compute, whatever they cost: for a reverse sweep whose operations do not count, but
    /// whose data flow does.
    Most,
}

impl Recomputation {
    /// The highest cost of recomputing a value; a float addition costs 1.
    fn budget(self) -> u32 {
        match self {
            Recomputation::Cheap => 8,
            Recomputation::Most => 200,
        }
    }

    /// The cost of recomputing an operation, if it is allowed.
    pub(super) fn cost_of(self, op: &'static OpDef) -> Option<u32> {
        match self {
            Recomputation::Cheap => cheap_cost(op),
            // It did not fail in the forward sweep, so it does not fail now.
            Recomputation::Most if op.effects.reads || op.effects.writes || op.effects.allocates => None,
            Recomputation::Most => Some(1),
        }
    }
}

impl Planner<'_> {
    /// How a value is recomputed, if that is cheap, and from what.
    pub(super) fn recomputed(&self, var: Var, at: Block) -> Option<(PlannedAccess, Vec<Var>)> {
        if self.is_recorded(var, at) {
            return None;
        }
        let (within, most) = (self.loop_of(var, at), self.recomputation.budget());
        if self.cost_of_operation(within, var, at, most).is_some() {
            let operands = self.primal.inst(var)?.kind.operands().filter_map(Operand::var).collect();
            return Some((PlannedAccess::Recomputed, operands));
        }
        self.cost_of_element(within, var, at, most)?;
        let operands = self.primal.element_of_whole(var)?;
        Some((PlannedAccess::ElementOfWhole, operands.iter().filter_map(Operand::var).collect()))
    }

    /// The operation that recomputes a value, by its cost and operands, whatever these cost.
    pub(super) fn operation(&self, var: Var, at: Block) -> Option<(u32, Vec<Operand>)> {
        if let Some(element) = self.primal.element_of_whole(var)
            && !self.is_edited(&element[0], at)
        {
            return Some((COST_OF_ELEMENT, element.to_vec()));
        }
        let InstKind::Op { op, args } = &self.primal.inst(var)?.kind else { return None };
        (!self.is_of_edited(op, args, at)).then_some(())?;
        Some((self.recomputation.cost_of(op)?, args.clone()))
    }

    /// The innermost loop of a value, if the block where it is needed is in it.
    fn loop_of(&self, var: Var, at: Block) -> Option<LoopId> {
        let loops = &self.primal.shape.loops;
        loops.innermost(self.primal.block_of(var)).filter(|id| loops.contains(*id, at))
    }

    /// The cost of recomputing a value, if that is allowed.
    pub(super) fn cost(&self, operand: &Operand, at: Block) -> Option<u32> {
        let within = operand.var().and_then(|var| self.loop_of(var, at));
        self.cost_within(within, operand, at, self.recomputation.budget())
    }

    /// The same, but from numbers that are there anyway.
    pub(super) fn cost_outside(&self, operand: &Operand, at: Block) -> Option<u32> {
        self.cost_within(None, operand, at, self.recomputation.budget())
    }

    /// The cost of recomputing a value, if it does not exceed `most`; of a value of a loop, from numbers of the loops around it
    /// (PLAN3).
    fn cost_within(&self, within: Option<LoopId>, operand: &Operand, at: Block, most: u32) -> Option<u32> {
        let var = match operand.var() {
            Some(var) => self.primal.kept(var, at),
            None => return Some(0),
        };
        if self.is_available(var, at) || self.free(var, at).is_some() {
            return Some(0);
        }
        if let Some(induction) = self.primal.induction_var(var, at) {
            // The initial value is recorded once for all iterations, if at all.
            let of_init = self.cost_within(within, &induction.init, at, most).unwrap_or(0);
            return Some(2 + of_init).filter(|cost| *cost <= most);
        }
        let again = self.cost_of_operation(within, var, at, most);
        again.or_else(|| self.cost_of_element(within, var, at, most)).or_else(|| {
            let is_around = |id: LoopId| !self.primal.shape.loops.contains(id, self.primal.block_of(var));
            let is_number = self.primal.func().ty(var).is_number();
            (is_number && most > 0 && within.is_some_and(is_around)).then_some(1)
        })
    }

    fn cost_of_operation(&self, within: Option<LoopId>, var: Var, at: Block, most: u32) -> Option<u32> {
        let InstKind::Op { op, args } = &self.primal.inst(var)?.kind else { return None };
        if self.is_of_edited(op, args, at) {
            return None;
        }
        self.cost_of(self.recomputation.cost_of(op)?, args, (within, at, most))
    }

    /// The cost of reading an element of a slice again from the sliced array.
    fn cost_of_element(&self, within: Option<LoopId>, var: Var, at: Block, most: u32) -> Option<u32> {
        let element = self.primal.element_of_whole(var).filter(|[array, ..]| !self.is_edited(array, at))?;
        self.cost_of(COST_OF_ELEMENT, &element, (within, at, most))
    }

    /// The cost of an operation and its operands.
    fn cost_of(
        &self,
        own_cost: u32,
        args: &[Operand],
        (within, at, most): (Option<LoopId>, Block, u32),
    ) -> Option<u32> {
        let mut left = most.checked_sub(own_cost)?;
        for arg in args {
            left = left.checked_sub(self.cost_within(within, arg, at, left)?)?;
        }
        Some(most - left)
    }

    /// Whether an operation reads an element of an array that is edited.
    fn is_of_edited(&self, op: &'static OpDef, args: &[Operand], at: Block) -> bool {
        let is_get = [&ops::GET, &ops::GET_UNCHECKED].contains(&op);
        args.first().is_some_and(|array| is_get && self.is_edited(array, at))
    }

    fn is_edited(&self, array: &Operand, at: Block) -> bool {
        array.var().is_some_and(|array| self.edited[self.primal.kept(array, at).index()])
    }
}

impl Primal {
    /// For an element of a slice, the sliced array, the start of the slice, and the index in the slice.
    pub(super) fn element_of_whole(&self, var: Var) -> Option<[Operand; 3]> {
        let InstKind::Op { op, args } = &self.inst(var)?.kind else { return None };
        let [slice, index] = &args[..] else { return None };
        if ![&ops::GET, &ops::GET_UNCHECKED].contains(op) {
            return None;
        }
        let InstKind::Op { op, args } = &self.inst(slice.var()?)?.kind else { return None };
        let [array, from, to] = &args[..] else { return None };
        let are_usize = [from, to, index].iter().all(|index| self.ty(index) == Ty::usize());
        (*op == &ops::SLICE && are_usize).then(|| [array.clone(), from.clone(), index.clone()])
    }
}

/// The cost of recomputing an operation, if it is cheap.
fn cheap_cost(op: &'static OpDef) -> Option<u32> {
    const ONE: &[&OpDef] = &[
        &ops::ADD,
        &ops::SUB,
        &ops::MUL,
        &ops::NEG,
        &ops::ABS,
        &ops::MIN,
        &ops::MAX,
        &ops::ADD_WRAPPING,
        &ops::SUB_WRAPPING,
        &ops::MUL_WRAPPING,
        &ops::LT,
        &ops::LE,
        &ops::GT,
        &ops::GE,
        &ops::EQ,
        &ops::NE,
        &ops::AND,
        &ops::OR,
        &ops::NOT,
        &ops::XOR,
        &ops::CAST,
        &ops::SELECT,
        &ops::DUP,
        &ops::FIELD,
        &ops::CAPTURED,
        &ops::TAG,
        &ops::LEN,
        &ops::GET,
        &ops::GET_UNCHECKED,
    ];
    const SOME: &[&OpDef] = &[&ops::DIV, &ops::REM, &ops::SLICE];
    match op {
        op if ONE.contains(&op) => Some(1),
        op if SOME.contains(&op) => Some(4),
        _ => None,
    }
}
