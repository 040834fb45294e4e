//! The primal's values in the reverse sweep, by the checkpoint plan.

use overdub_context::analysis::LoopId;
use overdub_context::ir::{Block, InstKind, Operand, Ty, Var};
use overdub_context::ops;
use overdub_context::ssa::Variable;

use super::checkpoint_plan::PlannedAccess;
use super::reverse_cfg::ReverseExit;
use super::reverse_sweep::{Capture, ReverseSweepBuilder};
use crate::normalize_cfg::Edge;
use crate::refusal::Cause;

impl ReverseSweepBuilder<'_> {
    /// Updates loop counters on an edge: decrements the counter if the edge leads to the previous iteration,
    /// and starts at the last iteration if it enters a loop from its exit.
    pub(super) fn count(&mut self, block: Block, slot: Option<Edge>, to: Block) -> Result<(), Cause> {
        let primal = self.primal;
        if let Some(ReverseExit::Loop(counter)) = &primal.reverse_exits[block.index()]
            && slot == Some(counter.latch)
        {
            let variable = self.counter_of(block);
            let current = self.primal_at(&counter.param.into(), block)?;
            let op = if counter.falls { &ops::ADD_WRAPPING } else { &ops::SUB_WRAPPING };
            let before = self.build.op(op, [current, counter.step.clone()])?;
            self.build.write_variable(variable, before)?;
        }
        for id in primal.shape.loops_of(to) {
            let header = primal.shape.loops.get(id).header;
            if primal.shape.loops.contains(id, block) {
                continue;
            }
            if let Some(ReverseExit::Loop(counter)) = &primal.reverse_exits[header.index()] {
                let last = self.primal_at(&counter.param.into(), block)?;
                let variable = self.counter_of(header);
                self.build.write_variable(variable, last)?;
            }
        }
        self.known.clear();
        Ok(())
    }

    fn counter_of(&mut self, header: Block) -> Variable {
        let Some(ReverseExit::Loop(counter)) = &self.primal.reverse_exits[header.index()] else {
            unreachable!("only a header counts")
        };
        let ty = self.primal.func().ty(counter.param);
        *self.counters.entry(header).or_insert_with(|| self.build.declare_variable(ty, None))
    }

    /// Reads the recorded values that are loop-invariant in the loops that the edge enters.
    pub(super) fn read_before(&mut self, block: Block, to: Block) -> Result<(), Cause> {
        let Some(plan) = self.plan else { return Ok(()) };
        for (id, var, place) in &plan.before {
            let loops = &self.primal.shape.loops;
            if loops.contains(*id, to) && !loops.contains(*id, block) {
                let value = self.peek(*var, *place)?;
                let variable = self.before_of(*var, *id);
                self.build.write_variable(variable, value)?;
            }
        }
        Ok(())
    }

    fn before_of(&mut self, var: Var, id: LoopId) -> Variable {
        let ty = self.primal.func().ty(var);
        *self.before.entry((var, id)).or_insert_with(|| self.build.declare_variable(ty, None))
    }

    pub(super) fn capture(&mut self, capture: Capture, ty: Ty) -> Operand {
        if let Some((_, param)) = self.captures.iter().find(|(known, _)| *known == capture) {
            return (*param).into();
        }
        let name = match capture {
            Capture::Last(var) | Capture::LastIfRun(var) => self.primal.func().var_label(var).to_string(),
            Capture::Records(_) => "tape".to_owned(),
        };
        let param = self.build.param(&name, ty);
        self.captures.push((capture, param));
        param.into()
    }

    /// A value of the primal in the current reverse block.
    pub(super) fn primal(&mut self, operand: &Operand) -> Result<Operand, Cause> {
        self.primal_at(operand, self.at)
    }

    /// A value of the primal in the reverse block of `at`.
    pub(super) fn primal_at(&mut self, operand: &Operand, at: Block) -> Result<Operand, Cause> {
        let Some(var) = operand.var() else { return Ok(operand.clone()) };
        let var = self.primal.kept(var, at);
        if let Some(known) = self.known.get(&(var, at)) {
            return Ok(known.clone());
        }
        self.demands.values.insert((var, at));
        let ty = self.primal.func().ty(var);
        let value = match self.plan.map(|plan| plan.access(var, at)) {
            None => self.capture(Capture::Last(var), ty),
            Some(Some(access)) => self.value(var, at, &access.clone())?,
            Some(None) => unreachable!("the first pass asked for %{} too", var.0),
        };
        self.known.insert((var, at), value.clone());
        Ok(value)
    }

    fn value(&mut self, var: Var, at: Block, access: &PlannedAccess) -> Result<Operand, Cause> {
        let ty = self.primal.func().ty(var);
        match access {
            PlannedAccess::Last => Ok(self.capture(Capture::Last(var), ty)),
            PlannedAccess::LastIfRun => Ok(self.capture(Capture::LastIfRun(var), ty)),
            PlannedAccess::LoopCounter(header) => {
                let variable = self.counter_of(*header);
                Ok(self.build.read_variable(variable)?)
            }
            PlannedAccess::Limit(header) => self.limit(*header, at),
            PlannedAccess::InductionVar => self.recompute_induction_var(var, at),
            PlannedAccess::Recomputed => self.recompute(var, at),
            PlannedAccess::ElementOfWhole => self.element_of_whole(var, at),
            PlannedAccess::Record(_, Some(over)) => {
                let variable = self.before_of(var, *over);
                Ok(self.build.read_variable(variable)?)
            }
            PlannedAccess::Record(place, None) => match self.record.clone() {
                Some(record) if *place == at && self.record_is_of(at) => self.of_record(record, var, *place),
                _ => self.peek(var, *place),
            },
        }
    }

    /// Whether the popped record is that of `at`; on an edge to another block it belongs to a different
    /// block.
    fn record_is_of(&self, at: Block) -> bool {
        self.entered || self.at != at
    }

    fn limit(&mut self, header: Block, at: Block) -> Result<Operand, Cause> {
        let Some(ReverseExit::Loop(counter)) = self.primal.reverse_exits[header.index()].clone() else {
            unreachable!("only a header counts")
        };
        let limit = counter.limit.expect("only a counter with a limit is computed from it");
        let (init, limit) = (self.primal_at(&counter.init, at)?, self.primal_at(&limit, at)?);
        if init == Operand::from(0_usize) {
            return Ok(limit);
        }
        let runs = self.build.op(&ops::LT, [init.clone(), limit.clone()])?;
        Ok(self.build.op(&ops::SELECT, [runs.into(), limit, init])?.into())
    }

    /// Recomputes an induction variable from its initial value and the counter.
    fn recompute_induction_var(&mut self, var: Var, at: Block) -> Result<Operand, Cause> {
        let induction = self.primal.induction_var(var, at).expect("it was planned so");
        let (counter, init) = (&induction.counter, self.primal_at(&induction.init, at)?);
        let (first, current) =
            (self.primal_at(&counter.init, at)?, self.primal_at(&counter.param.into(), at)?);
        let ends = if counter.falls { [first, current] } else { [current, first] };
        let mut distance = self.build.op(&ops::SUB_WRAPPING, ends)?;
        if let Some(times) = induction.times {
            distance = self.build.op(&ops::MUL_WRAPPING, [distance.into(), times])?;
        }
        let op = if induction.falls { &ops::SUB_WRAPPING } else { &ops::ADD_WRAPPING };
        Ok(self.build.op(op, [init, distance.into()])?.into())
    }

    fn recompute(&mut self, var: Var, at: Block) -> Result<Operand, Cause> {
        let primal = self.primal;
        let Some(InstKind::Op { op, args }) = primal.inst(var).map(|inst| &inst.kind) else {
            unreachable!("only operations are computed again")
        };
        let args = args.iter().map(|arg| self.primal_at(arg, at)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.build.op_as(op, args, primal.func().ty(var))?.into())
    }

    /// Reads an element of a slice from the sliced array: the forward sweep found it there.
    fn element_of_whole(&mut self, var: Var, at: Block) -> Result<Operand, Cause> {
        let element = self.primal.element_of_whole(var).expect("it was planned so");
        let [array, from, index] = element.map(|operand| self.primal_at(&operand, at));
        let at = self.build.op(&ops::ADD_WRAPPING, [from?, index?])?;
        let ty = self.primal.func().ty(var);
        Ok(self.build.op_as(&ops::GET_UNCHECKED, [array?, at.into()], ty)?.into())
    }

    fn peek(&mut self, var: Var, place: Block) -> Result<Operand, Cause> {
        let stack = self.build.read_variable(self.stacks[&place])?;
        let record = self.build.op(&ops::STACK_PEEK, [stack])?;
        self.of_record(record.into(), var, place)
    }

    fn of_record(&mut self, record: Operand, var: Var, place: Block) -> Result<Operand, Cause> {
        let vars = &self.plan.expect("records are planned").records[&place];
        if vars.len() == 1 {
            return Ok(record);
        }
        let k = vars.iter().position(|kept| *kept == var).expect("what is planned is recorded") as i64;
        Ok(self.build.op(&ops::FIELD, [record, k.into()])?.into())
    }
}
