//! The adjoint of an instruction, by the rule of its operation.
//!
//! Products with cotangents keep zero, whatever the other factor is (AD3).

use overdub_context::ir::{FuncBuilder, Inst, InstKind, Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::reverse_sweep::ReverseSweepBuilder;
use crate::Expr;
use crate::activity::of_library;
use crate::cotangent_sums::Helpers;
use crate::expr::is_finite_nonzero;
use crate::float_pair::is_float;
use crate::refusal::Cause;
use crate::rules::{Application, Cot, Cotangents, Factored, Library, Moves, PathStep, Rule, rule};

impl ReverseSweepBuilder<'_> {
    /// Reverses an instruction: propagates its result's cotangent to its operands.
    pub(super) fn reverse_inst(&mut self, inst: &Inst) -> Result<(), Cause> {
        let cot = self.cot(inst.result)?;
        self.set(inst.result, Cot::Zero);
        if let Cot::Zero = cot {
            return Ok(());
        }
        if let Some(split) = self.primal.split(inst.result) {
            return self.reverse_call(inst.result, split, cot);
        }
        let (InstKind::Op { args, .. } | InstKind::Call { args, .. }) = &inst.kind else {
            return Err(Cause::Call);
        };
        if let Some(library) = of_library(self.primal.func(), inst) {
            return self.reverse_library(library, args, inst.result, cot);
        }
        let InstKind::Op { op, .. } = &inst.kind else { return Err(Cause::Call) };
        match rule(op) {
            Some(Rule::Partials(partials)) if is_float(self.primal.func().ty(inst.result)) => {
                let dy = self.value_of(inst.result, cot)?;
                self.partials(args, (inst.result, None), partials.factored(args.len()), dy)
            }
            Some(Rule::Parts(parts)) if args.iter().all(|arg| self.float_of(arg).is_some()) => {
                let operands: Vec<Expr> = (0..args.len()).map(Expr::operand).collect();
                for (k, part) in (0_i64..).zip(parts(&operands)) {
                    if let Some(dy) = self.part(&cot, k)? {
                        let partials = Factored { common: None, rest: part.partials };
                        self.partials(args, (inst.result, Some(k)), partials, dy)?;
                    }
                }
                Ok(())
            }
            Some(Rule::Cast) => match self.float_of(&args[0]) {
                Some(from) => {
                    let dy = self.value_of(inst.result, cot)?;
                    let dx = self.build.op_as(&ops::CAST, [dy], from)?;
                    self.add(&args[0], dx.into())
                }
                None => Ok(()),
            },
            Some(Rule::Moves(moves)) => self.moved(moves, op, args, inst.result, cot),
            Some(Rule::ArrayOp(rule)) => match rule.moves() {
                Some(moves) => self.moved(moves, op, args, inst.result, cot),
                None => Err(Cause::NoRule(op.name)),
            },
            _ => Err(Cause::NoRule(op.name)),
        }
    }

    /// Reverses a call of a library function, by components of its result.
    fn reverse_library(&mut self, library: Library, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        for component in library.components() {
            let Some(partials) = component.partials() else { continue };
            let dy = match component.field {
                Some(k) => self.part(&cot, k)?,
                None => Some(self.value_of(y, cot.clone())?),
            };
            if let Some(dy) = dy {
                self.partials(args, (y, component.field), partials.factored(args.len()), dy)?;
            }
        }
        Ok(())
    }

    fn moved(
        &mut self,
        moves: &Moves,
        op: &'static OpDef,
        args: &[Operand],
        y: Var,
        cot: Cot,
    ) -> Result<(), Cause> {
        let dty = self.primal.dty(y)?;
        moves.pull(self, &Application { op, args, y, dty }, cot)
    }

    fn float_of(&self, operand: &Operand) -> Option<Ty> {
        Some(self.primal.ty(operand)).filter(|ty| is_float(*ty))
    }

    /// Propagates the cotangent `dy` of a result, or of a field of it, to the operands.
    fn partials(
        &mut self,
        args: &[Operand],
        result: (Var, Option<i64>),
        Factored { common, rest }: Factored,
        mut dy: Operand,
    ) -> Result<(), Cause> {
        let float = args.iter().find_map(|arg| self.float_of(arg)).unwrap_or(Ty::f64());
        let is_active = |arg: &Operand| arg.var().is_some_and(|var| self.primal.is_active(var));
        let mut active: Vec<_> = args.iter().zip(rest).filter(|(arg, _)| is_active(arg)).collect();
        active.retain(|(_, partial)| partial.as_float() != Some(0.0));
        // ROW3
        if let Some(common) = common.filter(|_| !active.is_empty()) {
            dy = self.product(&common, args, result, (float, dy))?;
        }
        for (arg, partial) in active {
            match partial.as_float() {
                Some(1.0) => self.add(arg, dy.clone())?,
                Some(-1.0) => self.subtract(arg, dy.clone())?,
                _ => {
                    let dx = self.product(&partial, args, result, (float, dy.clone()))?;
                    self.add(arg, dx)?;
                }
            }
        }
        Ok(())
    }

    /// A cotangent times a partial derivative, or a factor of it.
    fn product(
        &mut self,
        partial: &Expr,
        args: &[Operand],
        result: (Var, Option<i64>),
        (float, dy): (Ty, Operand),
    ) -> Result<Operand, Cause> {
        let factor = self.factor(partial, args, result, float)?;
        let op = if is_finite_nonzero(&factor) { &ops::MUL } else { &ops::MUL_ZERO };
        Ok(self.build.op(op, [dy, factor])?.into())
    }

    /// Evaluates a partial derivative from the operands and the result that it mentions, and from what the primal computed of
    /// them: where it has both the sine and the cosine of an angle, each is the derivative of the other.
    fn factor(
        &mut self,
        partial: &Expr,
        args: &[Operand],
        (result, field): (Var, Option<i64>),
        float: Ty,
    ) -> Result<Operand, Cause> {
        let mut args = args.to_vec();
        let partial = self.primal.by_computed(partial, &mut args, self.at);
        let mut operands = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            operands.push(if partial.mentions(k) { self.primal(arg)? } else { Operand::unit() });
        }
        let mut y = if partial.mentions_result() { self.primal(&result.into())? } else { Operand::unit() };
        if let Some(k) = field.filter(|_| partial.mentions_result()) {
            y = self.build.op(&ops::FIELD, [y, k.into()])?.into();
        }
        Ok(partial.emit(&mut self.build, &operands, &y, float)?)
    }
}

/// The part of the reverse sweep that is visible to rules.
impl Cotangents for ReverseSweepBuilder<'_> {
    fn build(&mut self) -> &mut FuncBuilder {
        &mut self.build
    }

    fn helpers(&mut self) -> &mut Helpers {
        self.helpers
    }

    fn ty(&self, operand: &Operand) -> Ty {
        self.primal.ty(operand)
    }

    fn definition(&self, operand: &Operand) -> Option<&Inst> {
        self.primal.inst(operand.var()?)
    }

    fn is_read_once(&self, operand: &Operand) -> bool {
        self.primal.is_read_once(operand)
    }

    fn is_active(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.primal.is_active(var))
    }

    fn primal(&mut self, operand: &Operand) -> Result<Operand, Cause> {
        ReverseSweepBuilder::primal(self, operand)
    }

    fn len(&self, operand: &Operand) -> Option<Operand> {
        self.primal.len(operand.var()?).map(Operand::from)
    }

    fn cot(&mut self, var: Var) -> Result<Cot, Cause> {
        ReverseSweepBuilder::cot(self, self.primal.holder(var))
    }

    fn set(&mut self, var: Var, cot: Cot) {
        ReverseSweepBuilder::set(self, self.primal.holder(var), cot);
    }

    fn value_of(&mut self, var: Var, cot: Cot) -> Result<Operand, Cause> {
        ReverseSweepBuilder::value_of(self, var, cot)
    }

    fn part(&mut self, cot: &Cot, k: i64) -> Result<Option<Operand>, Cause> {
        match cot {
            Cot::Zero => Ok(None),
            // Only an array has this cotangent.
            Cot::Without(..) => Err(Cause::NoRule(ops::FIELD.name)),
            Cot::Value(value) => Ok(Some(self.build.op(&ops::FIELD, [value.clone(), k.into()])?.into())),
            Cot::Parts(parts) => match &parts[k as usize] {
                Cot::Value(value) => Ok(Some(value.clone())),
                _ => Ok(None),
            },
        }
    }

    fn add(&mut self, operand: &Operand, value: Operand) -> Result<(), Cause> {
        ReverseSweepBuilder::add(self, operand, value)
    }

    fn add_step(&mut self, operand: &Operand, step: PathStep, value: Operand) -> Result<(), Cause> {
        self.add_at(operand, Some(step), value)
    }

    fn add_without(&mut self, to: &Operand, array: Operand, at: Operand, dx: Operand) -> Result<(), Cause> {
        let Some(var) = to.var().filter(|var| self.primal.is_active(*var)) else { return Ok(()) };
        let var = self.primal.holder(var);
        let rest = Cot::Without(array, at, dx);
        if self.primal.view(var).is_none() && matches!(self.cot(var)?, Cot::Zero) {
            self.set(var, rest);
            return Ok(());
        }
        let rest = self.value_of(var, rest)?;
        self.add(to, rest)
    }

    fn zero(&mut self, value: &Operand, ty: Ty) -> Result<Operand, Cause> {
        self.helpers.zero(&mut self.build, value, ty)
    }

    fn sum(&mut self, a: &Operand, b: &Operand, dty: Ty) -> Result<Operand, Cause> {
        self.helpers.sum(&mut self.build, a, b, dty)
    }
}
