//! The adjoint of each scalar and structural operation.
//!
//! Products with cotangents keep zero, whatever the other factor is (AD3).

use overdub_context::ir::{Inst, InstKind, Operand, Ty, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::reverse_sweep::{Cot, ReverseSweepBuilder};
use crate::Expr;
use crate::activity::of_library;
use crate::cotangent::{cotangent, holds_array, parts_of};
use crate::expr::{float_constant, keeps_zero};
use crate::refusal::Cause;
use crate::rules::{Rule, rule};

impl ReverseSweepBuilder<'_> {
    /// Reverses an instruction: its result's cotangent is propagated to its operands.
    pub(super) fn back_over(&mut self, inst: &Inst) -> Result<(), Cause> {
        let cot = self.cot(inst.result)?;
        self.set(inst.result, Cot::Zero);
        if let Cot::Zero = cot {
            return Ok(());
        }
        if let Some(split) = self.primal.split(inst.result) {
            return self.back_over_call(inst.result, split, cot);
        }
        let (InstKind::Op { args, .. } | InstKind::Call { args, .. }) = &inst.kind else {
            return Err(Cause::Call);
        };
        if let Some(Rule::Partials(partials)) = of_library(self.primal.func(), inst) {
            let dy = self.whole_of(inst.result, cot)?;
            return self.partials(args, inst.result, &partials.of(args.len()), dy);
        }
        let InstKind::Op { op, .. } = &inst.kind else { return Err(Cause::Call) };
        match rule(op) {
            Some(Rule::Partials(partials)) if is_float(self.primal.func().ty(inst.result)) => {
                let dy = self.whole_of(inst.result, cot)?;
                self.partials(args, inst.result, &partials.of(args.len()), dy)
            }
            Some(Rule::Parts(parts)) if args.iter().all(|arg| self.float_of(arg).is_some()) => {
                let operands: Vec<Expr> = (0..args.len()).map(Expr::operand).collect();
                for (k, part) in (0_i64..).zip(parts(&operands)) {
                    if let Some(dy) = self.part(&cot, k)? {
                        self.partials(args, inst.result, &part.partials, dy)?;
                    }
                }
                Ok(())
            }
            Some(Rule::Cast) => match (self.float_of(&args[0]), op) {
                (Some(from), _) => {
                    let dy = self.whole_of(inst.result, cot)?;
                    let dx = self.build.op_as(&ops::CAST, [dy], from)?;
                    self.add(&args[0], dx.into())
                }
                (None, _) => Ok(()),
            },
            Some(Rule::Moves) => self.moved(op, args, inst.result, cot),
            Some(Rule::Whole(_)) => self.whole_back(op, args, inst.result, cot),
            _ => Err(Cause::NoRule(op.name)),
        }
    }

    fn float_of(&self, operand: &Operand) -> Option<Ty> {
        let ty = match operand {
            Operand::Var(var) => self.primal.func().ty(*var),
            Operand::Const(constant) => constant.scalar_ty()?,
        };
        is_float(ty).then_some(ty)
    }

    fn partials(
        &mut self,
        args: &[Operand],
        result: Var,
        partials: &[Expr],
        dy: Operand,
    ) -> Result<(), Cause> {
        let float = args.iter().find_map(|arg| self.float_of(arg)).unwrap_or(Ty::f64());
        for (arg, partial) in args.iter().zip(partials) {
            if !arg.var().is_some_and(|var| self.primal.is_active(var)) {
                continue;
            }
            match partial.as_float() {
                Some(0.0) => continue,
                Some(1.0) => self.add(arg, dy.clone())?,
                Some(-1.0) => self.subtract(arg, dy.clone())?,
                _ => {
                    let factor = self.factor(partial, args, result, float)?;
                    let op = if keeps_zero(&factor) { &ops::MUL } else { &ops::MUL_ZERO };
                    let dx = self.build.op(op, [dy.clone(), factor])?;
                    self.add(arg, dx.into())?;
                }
            }
        }
        Ok(())
    }

    /// Evaluates a partial derivative from the operands and the result that it mentions.
    fn factor(&mut self, partial: &Expr, args: &[Operand], result: Var, float: Ty) -> Result<Operand, Cause> {
        let mut operands = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            operands.push(if partial.mentions(k) { self.primal(arg)? } else { Operand::unit() });
        }
        let y = if partial.mentions_result() { self.primal(&result.into())? } else { Operand::unit() };
        Ok(partial.emit(&mut self.build, &operands, &y, float)?)
    }

    /// A part of a cotangent, if it is not zero.
    pub(super) fn part(&mut self, cot: &Cot, k: i64) -> Result<Option<Operand>, Cause> {
        match cot {
            Cot::Zero => Ok(None),
            // It is an array.
            Cot::Without(..) => Err(Cause::NoRule(ops::FIELD.name)),
            Cot::Whole(value) => Ok(Some(self.build.op(&ops::FIELD, [value.clone(), k.into()])?.into())),
            Cot::Parts(parts) => match &parts[k as usize] {
                Cot::Whole(value) => Ok(Some(value.clone())),
                _ => Ok(None),
            },
        }
    }

    /// Reverses an operation that moves values.
    fn moved(&mut self, op: &'static OpDef, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        match op.name {
            "tuple" | "struct" | "closure" => {
                for (k, arg) in (0_i64..).zip(args) {
                    if let Some(part) = self.part(&cot, k)? {
                        self.add(arg, part)?;
                    }
                }
                Ok(())
            }
            "field" | "captured" => {
                let dy = self.whole_of(y, cot)?;
                self.add_field(&args[0], constant_index(&args[1])?, dy)
            }
            "with_field" => self.with_field(args, y, cot),
            "take.field" => self.take_field_back(args, y, cot),
            "take.elem" => self.take_elem_back(args, y, cot),
            "dup" | "black_box" | "with_room" => {
                let dy = self.whole_of(y, cot)?;
                self.add(&args[0], dy)
            }
            "select" => self.select(args, y, cot),
            "variant" | "payload" | "with_payload" | "take.payload" => self.moved_enum(op.name, args, y, cot),
            "stack.new" => Ok(()),
            "stack.push" | "stack.pop" | "stack.peek" => self.moved_stack(op.name, args, y, cot),
            _ => self.moved_array(op, args, y, cot),
        }
    }

    fn with_field(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let k = constant_index(&args[1])?;
        let tys = parts_of(self.primal.dty(y)?);
        for (at, ty) in (0_i64..).zip(&tys) {
            if *ty == Ty::unit() {
                continue;
            }
            if let Some(part) = self.part(&cot, at)? {
                if at == k {
                    self.add(&args[2], part)?;
                } else {
                    self.add_field(&args[0], at, part)?;
                }
            }
        }
        Ok(())
    }

    /// `(part, rest) = take.field whole, k`: the part's cotangent fills the hole.
    fn take_field_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let k = constant_index(&args[1])?;
        let part = self.part(&cot, 0)?;
        let rest = self.part(&cot, 1)?;
        let dty = parts_of(self.primal.dty(y)?).get(1).copied().unwrap_or(Ty::unit());
        if let Some(rest) = rest {
            for (at, ty) in (0_i64..).zip(parts_of(dty)) {
                if at != k && ty != Ty::unit() {
                    let other = self.build.op(&ops::FIELD, [rest.clone(), at.into()])?;
                    self.add_field(&args[0], at, other.into())?;
                }
            }
        }
        match part {
            Some(part) => self.add_field(&args[0], k, part),
            None => Ok(()),
        }
    }

    /// `(elem, rest) = take.elem whole, i`
    fn take_elem_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let (elem, rest) = (self.part(&cot, 0)?, self.part(&cot, 1)?);
        let at = &args[1];
        let Some(rest) = rest else {
            return match elem {
                Some(elem) => self.add_elem(&args[0], at, elem),
                None => Ok(()),
            };
        };
        let whole = match elem {
            Some(elem) => {
                let at = self.primal(at)?;
                self.build.op(&ops::SET_UNCHECKED, [rest, at, elem])?.into()
            }
            None => {
                // The element was dropped: its zero fills the hole.
                let elem_ty = self.primal.func().ty(y);
                let elem_ty = parts_of(elem_ty).first().copied().unwrap_or(Ty::unit());
                let value = self.primal(&args[0])?;
                let at = self.primal(at)?;
                let value = self.build.op(&ops::GET_UNCHECKED, [value, at.clone()])?;
                let zero = self.helpers.zero(&mut self.build, &value.into(), elem_ty)?;
                self.build.op(&ops::SET_UNCHECKED, [rest, at, zero])?.into()
            }
        };
        self.add(&args[0], whole)
    }

    fn select(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        let dty = self.primal.dty(y)?;
        if holds_array(dty) {
            return Err(Cause::Type(self.primal.func().ty(y)));
        }
        let cond = self.primal(&args[0])?;
        let zero = self.plain_zero(dty)?;
        if args[1].var().is_some_and(|var| self.primal.is_active(var)) {
            let dx = self.build.op(&ops::SELECT, [cond.clone(), dy.clone(), zero.clone()])?;
            self.add(&args[1], dx.into())?;
        }
        if args[2].var().is_some_and(|var| self.primal.is_active(var)) {
            let dx = self.build.op(&ops::SELECT, [cond, zero, dy])?;
            self.add(&args[2], dx.into())?;
        }
        Ok(())
    }

    /// The type of an operand's floats, if it is a float.
    pub(super) fn zero_float(&self, ty: Ty) -> Operand {
        float_constant(0.0, ty)
    }

    /// The type of the elements of an operand's cotangent.
    pub(super) fn elem_of(&self, operand: &Operand) -> Result<Ty, Cause> {
        let ty = operand.var().map_or(Ty::unit(), |var| self.primal.func().ty(var));
        let dty = cotangent(ty)?;
        Ok(dty.as_array().map_or(Ty::unit(), |array| array.elem))
    }
}

pub(super) fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

fn constant_index(operand: &Operand) -> Result<i64, Cause> {
    let index = operand.constant().and_then(|k| k.value().as_index());
    index.map(|k| k as i64).ok_or(Cause::NoRule("field"))
}
