//! The forward sweep: the primal, augmented with pushes of the values that the reverse sweep needs.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use overdub_context::ir::{
    Block, Func, FuncBuilder, Operand, Target, Terminator, TerminatorKind, Ty, TyKind, Var,
};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};
use overdub_context::{Span, Symbol};

use super::accumulators::{of_directions, signature};
use super::checkpoint_plan::CheckpointPlan;
use super::default_value::default;
use super::memory::{self, Sizes};
use super::output::ReverseOutput;
use super::primal::Primal;
use super::restored::restored;
use super::reverse_sweep::{Capture, ReverseSweep};
use super::tape_report;
use crate::TapeBound;
use crate::cotangent::{cotangent, holds_array, parts_of};
use crate::cotangent_sums::Helpers;
use crate::expr::float_constant;
use crate::float_pair::is_float;
use crate::refusal::Cause;

/// What the forward sweep is built from.
#[derive(Clone, Copy)]
pub(super) struct AugmentedPrimal<'m> {
    pub(super) primal: &'m Primal,
    pub(super) plan: &'m CheckpointPlan,
    pub(super) backward: &'m ReverseSweep,
    pub(super) bound: TapeBound,
}

pub(super) struct ForwardSweepBuilder<'m> {
    pub(super) primal: &'m Primal,
    plan: &'m CheckpointPlan,
    backward: &'m ReverseSweep,
    bound: TapeBound,
    helpers: &'m mut Helpers,
    pub(super) build: SsaBuilder,
    /// The counters of a run that measures the records in place of pushing them.
    pub(super) sizes: Option<Sizes<'m>>,
    pub(super) vars: Vec<Option<Operand>>,
    blocks: Vec<Option<Block>>,
    stacks: BTreeMap<Block, Variable>,
    if_run: HashMap<Var, Variable>,
}

/// Builds the forward sweep with this output.
pub(super) fn forward(
    augmented: AugmentedPrimal<'_>,
    helpers: &mut Helpers,
    name: Symbol,
    output: ReverseOutput,
) -> Result<Func, Cause> {
    let mut builder = ForwardSweepBuilder::new(augmented, helpers, name);
    builder.all(output)?;
    Ok(builder.build.finish()?)
}

impl<'m> ForwardSweepBuilder<'m> {
    pub(super) fn new(
        augmented: AugmentedPrimal<'m>,
        helpers: &'m mut Helpers,
        name: Symbol,
    ) -> ForwardSweepBuilder<'m> {
        let AugmentedPrimal { primal, plan, backward, bound } = augmented;
        let func = primal.func();
        let mut build = SsaBuilder::new(FuncBuilder::new(name, Ty::unit()));
        build.set_func_span(func.span);
        ForwardSweepBuilder {
            primal,
            plan,
            backward,
            bound,
            helpers,
            build,
            sizes: None,
            vars: vec![None; func.vars.len()],
            blocks: vec![None; func.blocks.len()],
            stacks: BTreeMap::new(),
            if_run: HashMap::new(),
        }
    }
}

impl ForwardSweepBuilder<'_> {
    fn all(&mut self, output: ReverseOutput) -> Result<(), Cause> {
        let func = self.primal.func();
        self.params();
        let mut onto = Vec::new();
        if output == ReverseOutput::Accumulate {
            for param in self.primal.accumulated() {
                let dty = self.primal.dty(param)?;
                onto.push(self.build.param(&format!("d{}", func.var_label(param)), dty).into());
            }
        }
        let seed = match output {
            ReverseOutput::Vjp | ReverseOutput::Accumulate => {
                self.build.param("dy", cotangent(func.ret)?).into()
            }
            ReverseOutput::Gradient => one_of(func.ret)?,
            ReverseOutput::Sweeps | ReverseOutput::Pullback | ReverseOutput::Gradients => Operand::unit(),
        };
        // What a checkpointed part records is dropped at its end.
        let counts = output == ReverseOutput::Accumulate && self.bound != TapeBound::Unbounded;
        let before = if counts { Some(self.build.op(&tape_report::KEPT, [] as [Operand; 0])?) } else { None };
        self.declare()?;
        // Zeros are created at the entry: between two loops they would evict the loops' values from
        // registers.
        let zeros = match output {
            ReverseOutput::Sweeps => Vec::new(),
            ReverseOutput::Accumulate => onto,
            ReverseOutput::Pullback | ReverseOutput::Vjp | ReverseOutput::Gradient => self.zeros()?,
            ReverseOutput::Gradients => {
                let mut zeros = Vec::new();
                for _ in 0..self.backward.directions {
                    zeros.extend(self.zeros()?);
                }
                zeros
            }
        };
        for &block in self.primal.shape.cfg.reverse_postorder() {
            self.block(block)?;
            self.finish_block(block)?;
            if block == self.primal.shape.exit {
                self.end(output, &seed, &zeros, before)?;
            }
        }
        Ok(())
    }

    /// Copies the parameters.
    pub(super) fn params(&mut self) {
        let func = self.primal.func();
        self.blocks[0] = Some(Block::ENTRY);
        for param in func.params() {
            let new = self.build.param(&func.var_label(*param).to_string(), func.ty(*param));
            self.vars[param.index()] = Some(new.into());
        }
    }

    /// Declares empty stacks for the records, and default values for variables whose block may not run.
    fn declare(&mut self) -> Result<(), Cause> {
        for place in self.plan.records.keys() {
            let ty = Ty::stack(self.plan.record_ty(self.primal, *place));
            let stack = self.build.declare_variable(ty, Some("tape"));
            let empty = self.build.op_as(&ops::STACK_NEW, [] as [Operand; 0], ty)?;
            self.build.write_variable(stack, empty)?;
            self.stacks.insert(*place, stack);
        }
        for var in &self.plan.if_run {
            let ty = self.primal.func().ty(*var);
            let variable = self.build.declare_variable(ty, None);
            let default_value = default(&mut self.build, ty)?;
            self.build.write_variable(variable, default_value)?;
            self.if_run.insert(*var, variable);
        }
        Ok(())
    }

    /// Copies a block, up to the record at its end.
    pub(super) fn block(&mut self, block: Block) -> Result<(), Cause> {
        let primal = self.primal;
        let body = primal.func().block(block);
        let new = self.block_of(block);
        if block != Block::ENTRY {
            self.build.switch_to(new)?;
        }
        for param in &body.params {
            self.note(*param)?;
        }
        for inst in &body.insts {
            self.build.set_span(inst.span);
            if self.sizes.is_some() && self.measure_inner(inst)? {
                continue;
            }
            if let Some((_, kept)) = restored(&inst.kind) {
                self.vars[inst.result.index()] = Some(self.mapped(kept));
                self.note(inst.result)?;
                continue;
            }
            let mut kind = inst.kind.clone();
            kind.operands_mut().for_each(|operand| *operand = self.mapped(operand));
            let ty = primal.func().ty(inst.result);
            let result = self.build.inst(kind, ty)?;
            self.name(inst.result, result);
            self.vars[inst.result.index()] = Some(result.into());
            self.note(inst.result)?;
        }
        Ok(())
    }

    /// Records the values of a block, and copies its terminator unless it returns.
    pub(super) fn finish_block(&mut self, block: Block) -> Result<(), Cause> {
        let primal = self.primal;
        if primal.shape.returns[block.index()] {
            self.record(block)?;
        }
        let end = primal.func().terminator(block);
        if !matches!(end.kind, TerminatorKind::Ret(_)) {
            self.terminate(end)?;
        }
        Ok(())
    }

    fn name(&mut self, var: Var, new: Var) {
        if let Some(name) = self.primal.func().vars[var.index()].name {
            self.build.name_var(new, &name);
        }
    }

    fn note(&mut self, var: Var) -> Result<(), Cause> {
        if let Some(variable) = self.if_run.get(&var) {
            let value = self.mapped(&var.into());
            self.build.write_variable(*variable, value)?;
        }
        Ok(())
    }

    fn record(&mut self, block: Block) -> Result<(), Cause> {
        let Some(vars) = self.plan.records.get(&block) else { return Ok(()) };
        if self.sizes.is_some() {
            return self.measure(block, vars);
        }
        let values: Vec<Operand> = vars.iter().map(|var| self.mapped(&(*var).into())).collect();
        let record = match values.as_slice() {
            [only] => only.clone(),
            _ => self.build.op(&ops::TUPLE, values)?.into(),
        };
        let counted_by = match self.bound {
            TapeBound::Unbounded => None,
            TapeBound::Limit(bytes) => Some((&tape_report::HOLD, bytes)),
            TapeBound::Memory(bytes) => Some((&memory::STORE, bytes)),
        };
        if let Some((op, limit)) = counted_by {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let place = self.place_of(block);
            let counted = self.counted(vars, &record)?;
            self.build.op(op, [counted, limit.into(), Operand::from(place.as_str())])?;
        }
        let stack = self.build.read_variable(self.stacks[&block])?;
        let pushed = self.build.op(&ops::STACK_PUSH, [stack, record])?;
        Ok(self.build.write_variable(self.stacks[&block], pushed)?)
    }

    /// What of a record is counted: of the reverse sweep of a loop that is checkpointed, what it keeps itself.
    fn counted(&mut self, vars: &[Var], record: &Operand) -> Result<Operand, Cause> {
        let loops: Vec<_> = vars.iter().map(|var| self.primal.kept_for_loop(*var)).collect();
        if loops.iter().all(Option::is_none) {
            return Ok(record.clone());
        }
        let mut parts = Vec::new();
        for (var, kept) in vars.iter().zip(loops) {
            match kept {
                None => parts.push(self.mapped(&(*var).into())),
                Some(kept) => parts.extend(kept.iter().map(|operand| self.mapped(operand))),
            }
        }
        Ok(self.build.op(&ops::TUPLE, parts)?.into())
    }

    /// The places of the loops around a block, the outermost first, separated by `;`; that of the block, if it is in none.
    fn place_of(&self, block: Block) -> String {
        let (shape, func) = (&self.primal.shape, self.primal.func());
        let loops = shape.loops_of(block).into_iter().rev();
        let mut spans: Vec<Span> = loops.map(|id| span_of(func, shape.loops.get(id).header)).collect();
        if spans.is_empty() {
            spans.push(span_of(func, block));
        }
        let mut places: Vec<String> = spans.into_iter().map(tape_report::place).collect();
        places.dedup();
        places.join(";")
    }

    fn terminate(&mut self, end: &Terminator) -> Result<(), Cause> {
        self.build.set_span(end.span);
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            *operand = self.mapped(operand);
        }
        for target in kind.targets_mut() {
            let args = target.args.iter().map(|arg| self.mapped(arg)).collect();
            *target = Target { block: self.block_of(target.block), args };
        }
        Ok(self.build.terminate(kind)?)
    }

    fn block_of(&mut self, block: Block) -> Block {
        if let Some(new) = self.blocks[block.index()] {
            return new;
        }
        let body = self.primal.func().block(block);
        let new = match body.name {
            Some(name) => self.build.named_block(&name),
            None => self.build.new_block(),
        };
        self.blocks[block.index()] = Some(new);
        for param in &body.params {
            let value = self.build.block_param(new, self.primal.func().ty(*param));
            self.name(*param, value);
            self.vars[param.index()] = Some(value.into());
        }
        new
    }

    pub(super) fn mapped(&self, operand: &Operand) -> Operand {
        match operand.var() {
            Some(var) => self.vars[var.index()].clone().expect("V1: a definition dominates its uses"),
            None => operand.clone(),
        }
    }

    fn end(
        &mut self,
        output: ReverseOutput,
        seed: &Operand,
        zeros: &[Operand],
        before: Option<Var>,
    ) -> Result<(), Cause> {
        let func = self.primal.func();
        let Some(Terminator { kind: TerminatorKind::Ret(result), span }) =
            &func.block(self.primal.shape.exit).terminator
        else {
            unreachable!("NORM1: the exit returns")
        };
        self.build.set_span(*span);
        let y = self.mapped(result);
        let mut captured = Vec::new();
        for capture in &self.backward.captures {
            captured.push(match capture {
                Capture::Last(var) => self.mapped(&(*var).into()),
                Capture::LastIfRun(var) => self.build.read_variable(self.if_run[var])?,
                Capture::Records(place) => self.build.read_variable(self.stacks[place])?,
            });
        }
        let params: Vec<Ty> = func.param_tys().collect();
        let (pullback_params, pullback_ret) =
            signature(&params, &self.primal.wrt, func.ret, self.primal.accumulators)?;
        let second = match output {
            ReverseOutput::Sweeps => {
                let closure = self.closure(captured)?;
                self.build.op_as(&ops::ERASE, [closure], Ty::func(pullback_params, pullback_ret))?
            }
            ReverseOutput::Pullback => {
                captured.extend_from_slice(zeros);
                self.closure(captured)?
            }
            ReverseOutput::Vjp | ReverseOutput::Gradient => {
                captured.extend_from_slice(zeros);
                let seeds_whole_result = output == ReverseOutput::Vjp || is_float(func.ret);
                captured.push(if seeds_whole_result {
                    seed.clone()
                } else {
                    self.first_of(&y, seed.clone())?
                });
                self.build.call(self.backward.func.name, captured, pullback_ret)?
            }
            ReverseOutput::Gradients => {
                captured.extend_from_slice(zeros);
                let directions = self.backward.directions;
                for direction in 0..directions {
                    captured.push(self.unit_cotangent(func.ret, direction)?);
                }
                let ret = of_directions(directions, pullback_ret);
                self.build.call(self.backward.func.name, captured, ret)?
            }
            ReverseOutput::Accumulate => {
                captured.extend_from_slice(zeros);
                captured.push(seed.clone());
                let gradients = self.build.call(self.backward.func.name, captured, pullback_ret)?;
                if let Some(before) = before {
                    self.build.op(&tape_report::KEEP, [before])?;
                }
                self.build.set_ret(pullback_ret);
                return Ok(self.build.ret(gradients)?);
            }
        };
        let both = self.build.op(&ops::TUPLE, [y, second.into()])?;
        let ty = self.build.ty(&both.into())?;
        self.build.set_ret(ty);
        Ok(self.build.ret(both)?)
    }

    /// The cotangent of a result whose first part has the cotangent `seed`, and whose other parts have zero.
    fn first_of(&mut self, y: &Operand, seed: Operand) -> Result<Operand, Cause> {
        let mut parts = vec![seed];
        for (k, ty) in (0_i64..).zip(parts_of(self.primal.func().ret)).skip(1) {
            let part = self.build.op(&ops::FIELD, [y.clone(), k.into()])?;
            parts.push(self.helpers.zero(&mut self.build, &part.into(), ty)?);
        }
        Ok(self.build.op(&ops::TUPLE, parts)?.into())
    }

    /// The cotangent of a result of this type that is one for the float of this number, and zero for the others.
    fn unit_cotangent(&mut self, ret: Ty, number: usize) -> Result<Operand, Cause> {
        let mut next = 0;
        self.unit_part(cotangent(ret)?, number, &mut next)
    }

    fn unit_part(&mut self, dty: Ty, number: usize, next: &mut usize) -> Result<Operand, Cause> {
        match dty.kind() {
            TyKind::Float(_) => {
                *next += 1;
                Ok(float_constant(if *next == number + 1 { 1.0 } else { 0.0 }, dty))
            }
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.unit_part(*part, number, next));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(self.build.op(&ops::TUPLE, parts)?.into())
            }
            _ => Ok(Operand::unit()),
        }
    }

    fn closure(&mut self, captures: Vec<Operand>) -> Result<Var, Cause> {
        let tys = captures.iter().map(|capture| self.build.ty(capture)).collect::<Result<Vec<_>, _>>()?;
        let ty = Ty::closure(self.backward.func.name, tys);
        Ok(self.build.op_as(&ops::CLOSURE, captures, ty)?)
    }

    /// The zero cotangents that the reverse sweep accumulates into.
    fn zeros(&mut self) -> Result<Vec<Operand>, Cause> {
        let mut zeros = Vec::new();
        for param in self.primal.accumulated() {
            let ty = self.primal.func().ty(param);
            debug_assert!(self.primal.dty(param).is_ok_and(holds_array));
            let value = self.mapped(&param.into());
            zeros.push(self.helpers.zero(&mut self.build, &value, ty)?);
        }
        Ok(zeros)
    }
}

/// The place of a block in the source, in the function itself and not in a callee that was inlined; that of the function,
/// if the block has none.
pub(super) fn span_of(func: &Func, block: Block) -> Span {
    let body = func.block(block);
    let spans = body.insts.iter().map(|inst| inst.span).chain(body.terminator.iter().map(|end| end.span));
    let outermost_spans = spans.map(|mut span| {
        while let Some(inlined) = span.inlined() {
            span = inlined.call;
        }
        span
    });
    outermost_spans.into_iter().find(|span| span.is_known()).unwrap_or(func.span)
}

/// The cotangent 1 of a float, or of the float that a tuple begins with.
fn one_of(ret: Ty) -> Result<Operand, Cause> {
    let first = if is_float(ret) { Some(ret) } else { parts_of(ret).first().copied() };
    first.filter(|ty| is_float(*ty)).map(|ty| float_constant(1.0, ty)).ok_or(Cause::Type(ret))
}
