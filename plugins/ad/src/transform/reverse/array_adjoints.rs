//! The adjoints of operations on whole arrays, and of calls.

use overdub_context::ir::{Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::adjoint::is_float;
use super::primal::{CallPullback, SplitCall};
use super::reverse_sweep::{Cot, ReverseSweepBuilder};
use crate::cotangent::holds_array;
use crate::refusal::Cause;

impl ReverseSweepBuilder<'_> {
    pub(super) fn moved_array(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        y: Var,
        cot: Cot,
    ) -> Result<(), Cause> {
        match op.name {
            "get" | "get.unchecked" => {
                let dy = self.whole_of(y, cot)?;
                self.add_elem(&args[0], &args[1], dy)
            }
            "set" | "set.unchecked" => self.set_back(args, y, cot),
            "push" => self.push_back(args, y, cot),
            "array" => self.array_back(args, y, cot),
            "repeat" => self.repeated_back(&args[0], y, cot),
            "fill" => self.repeated_back(&args[1], y, cot),
            "swap" | "reverse" => {
                let dy = self.whole_of(y, cot)?;
                let mut operands = vec![dy];
                for at in &args[1..] {
                    operands.push(self.primal(at)?);
                }
                let dx = self.build.op(op, operands)?;
                self.add(&args[0], dx.into())
            }
            "array.rotate_left" | "array.rotate_right" => {
                let dy = self.whole_of(y, cot)?;
                let count = self.primal(&args[1])?;
                let left = *op == ops::ARRAY_ROTATE_LEFT;
                let inverse = if left { &ops::ARRAY_ROTATE_RIGHT } else { &ops::ARRAY_ROTATE_LEFT };
                let dx = self.build.op(inverse, [dy, count])?;
                self.add(&args[0], dx.into())
            }
            "concat" => self.concat_back(args, y, cot),
            "set_slice" if is_float(self.elem_of(&y.into())?) => self.set_slice_back(args, y, cot),
            "truncate" | "resize" if is_float(self.elem_of(&y.into())?) => self.resize_back(args, y, cot),
            _ => self.moved_slices(op, args, y, cot),
        }
    }

    /// Moves the cotangent of the stored element out of the array's; the replaced element gets none.
    fn set_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let elem = self.elem_of(&y.into())?;
        let dy = self.whole_of(y, cot)?;
        let at = self.primal(&args[1])?;
        if is_float(elem) {
            let dx = self.build.op(&ops::GET_UNCHECKED, [dy.clone(), at.clone()])?;
            self.add(&args[2], dx.into())?;
            return self.rest_back(&args[0], dy, at, dx.into());
        }
        let taken = self.build.op(&ops::TAKE_ELEM, [dy, at.clone()])?;
        let dx = self.build.op(&ops::FIELD, [Operand::from(taken), 0_i64.into()])?;
        self.add(&args[2], dx.into())?;
        if !self.is_active(&args[0]) {
            return Ok(());
        }
        let mut rest: Operand = self.build.op(&ops::FIELD, [Operand::from(taken), 1_i64.into()])?.into();
        let hole = self.primal.before_hole(&args[0], &args[1]);
        if hole.is_none() || !self.primal.is_read_once(&args[0]) {
            let before = self.primal(hole.unwrap_or(&args[0]))?;
            let old = self.build.op(&ops::GET_UNCHECKED, [before, at.clone()])?;
            let ty = self.build.ty(&old.into())?;
            let zero = self.helpers.zero(&mut self.build, &old.into(), ty)?;
            rest = self.build.op(&ops::SET_UNCHECKED, [rest, at, zero])?.into();
        }
        self.add(&args[0], rest)
    }

    /// Adds the cotangent `dy` of an array to that of the array before an element was set, without that element's part
    /// `dx`.
    fn rest_back(&mut self, before: &Operand, dy: Operand, at: Operand, dx: Operand) -> Result<(), Cause> {
        let Some(var) = before.var().filter(|_| self.is_active(before)) else { return Ok(()) };
        let rest = Cot::Without(dy, at, dx);
        if self.primal.view(var).is_none() && matches!(self.cot(var)?, Cot::Zero) {
            self.set(var, rest);
            return Ok(());
        }
        let rest = self.whole_of(var, rest)?;
        self.add(before, rest)
    }

    pub(super) fn is_active(&self, operand: &Operand) -> bool {
        operand.var().is_some_and(|var| self.primal.is_active(var))
    }

    fn push_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        let len = self.build.op(&ops::LEN, [dy.clone()])?;
        let last = self.build.op(&ops::SUB_WRAPPING, [Operand::from(len), 1_usize.into()])?;
        if self.is_active(&args[1]) {
            let dx = self.build.op(&ops::GET_UNCHECKED, [dy.clone(), last.into()])?;
            self.add(&args[1], dx.into())?;
        }
        if self.is_active(&args[0]) {
            let rest = self.build.op(&ops::TRUNCATE, [dy, last.into()])?;
            self.add(&args[0], rest.into())?;
        }
        Ok(())
    }

    fn array_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        for (k, arg) in (0_usize..).zip(args) {
            if self.is_active(arg) {
                let dx = self.build.op(&ops::GET_UNCHECKED, [dy.clone(), k.into()])?;
                self.add(arg, dx.into())?;
            }
        }
        Ok(())
    }

    fn concat_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        let whole = self.build.op(&ops::LEN, [dy.clone()])?;
        let first = self.len_of(&args[0])?;
        if self.is_active(&args[0]) {
            let dx = self.build.op(&ops::SLICE, [dy.clone(), 0_usize.into(), first.clone()])?;
            self.add(&args[0], dx.into())?;
        }
        if self.is_active(&args[1]) {
            let dx = self.build.op(&ops::SLICE, [dy, first, whole.into()])?;
            self.add(&args[1], dx.into())?;
        }
        Ok(())
    }

    /// The length of an array of the program.
    pub(super) fn len_of(&mut self, array: &Operand) -> Result<Operand, Cause> {
        if let Some(len) = array.var().and_then(|var| self.primal.len(var)) {
            return self.primal(&len.into());
        }
        let array = self.primal(array)?;
        Ok(self.build.op(&ops::LEN, [array])?.into())
    }

    fn set_slice_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let elem = self.elem_of(&y.into())?;
        let dy = self.whole_of(y, cot)?;
        let from = self.primal(&args[1])?;
        let len = self.len_of(&args[2])?;
        let to = self.build.op(&ops::ADD_WRAPPING, [from.clone(), len.clone()])?;
        if self.is_active(&args[2]) {
            let dx = self.build.op(&ops::SLICE, [dy.clone(), from.clone(), to.into()])?;
            self.add(&args[2], dx.into())?;
        }
        if self.is_active(&args[0]) {
            let zero = self.zero_float(elem);
            let zeros = self.build.op(&ops::REPEAT, [zero, len])?;
            let rest = self.build.op(&ops::SET_SLICE, [dy, from, zeros.into()])?;
            self.add(&args[0], rest.into())?;
        }
        Ok(())
    }

    fn resize_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let elem = self.elem_of(&y.into())?;
        let dy = self.whole_of(y, cot)?;
        let before = self.len_of(&args[0])?;
        if let Some(filled) = args.get(2).filter(|arg| self.is_active(arg)) {
            let len = self.build.op(&ops::LEN, [dy.clone()])?;
            let kept = self.build.op(&ops::MIN, [before.clone(), len.into()])?;
            let new = self.build.op(&ops::SLICE, [dy.clone(), kept.into(), len.into()])?;
            let dx = self.build.op(&ops::ND_SUM, [new])?;
            self.add(filled, dx.into())?;
        }
        if self.is_active(&args[0]) {
            let zero = self.zero_float(elem);
            let dx = self.build.op(&ops::RESIZE, [dy, before, zero])?;
            self.add(&args[0], dx.into())?;
        }
        Ok(())
    }

    /// The cotangent of the element pushed last is on top.
    pub(super) fn moved_stack(&mut self, op: &str, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        match op {
            "stack.push" => {
                let dy = self.whole_of(y, cot)?;
                let (top, rest) = self.popped(dy)?;
                self.add(&args[1], top)?;
                self.add(&args[0], rest)
            }
            "stack.pop" => {
                let whole = self.whole_of(y, cot)?;
                let top = self.build.op(&ops::FIELD, [whole.clone(), 0_i64.into()])?;
                let rest = self.build.op(&ops::FIELD, [whole, 1_i64.into()])?;
                let stack = self.build.op(&ops::STACK_PUSH, [rest, top])?;
                self.add(&args[0], stack.into())
            }
            _ => {
                let dy = self.whole_of(y, cot)?;
                let Some(var) = args[0].var() else { return Ok(()) };
                let before = self.cot(var)?;
                let before = self.whole_of(var, before)?;
                let (top, rest) = self.popped(before)?;
                let sum = self.helpers.sum(&mut self.build, &top, &dy, self.primal.dty(y)?)?;
                let stack = self.build.op(&ops::STACK_PUSH, [rest, sum])?;
                self.set(var, Cot::Whole(stack.into()));
                Ok(())
            }
        }
    }

    fn popped(&mut self, stack: Operand) -> Result<(Operand, Operand), Cause> {
        let popped = self.build.op(&ops::STACK_POP, [stack])?;
        let top = self.build.op(&ops::FIELD, [Operand::from(popped), 0_i64.into()])?;
        let rest = self.build.op(&ops::FIELD, [Operand::from(popped), 1_i64.into()])?;
        Ok((top.into(), rest.into()))
    }

    /// Reverses a call: its reverse sweep takes the cotangents of array arguments as accumulators.
    pub(super) fn back_over_call(&mut self, result: Var, split: &SplitCall, cot: Cot) -> Result<(), Cause> {
        let dy = self.whole_of(result, cot)?;
        if split.is == CallPullback::Slope {
            let slope = self.primal(&split.pullback.into())?;
            let dx = self.build.op(&ops::MUL_ZERO, [dy, slope])?;
            return split.active_args().cloned().try_for_each(|arg| self.add(&arg, dx.into()));
        }
        let mut operands = Vec::new();
        let mut handed = Vec::new();
        for arg in split.active_args() {
            let dty = self.primal.operand_dty(arg)?;
            if !split.accumulators.over(dty) {
                continue;
            }
            // An accumulator is moved into the call, unless it is a part of another cotangent or is moved already.
            let own = arg.var().filter(|var| self.primal.real(arg) == Some(*var) && !handed.contains(var));
            match own {
                Some(var) => {
                    let cot = self.cot(var)?;
                    self.set(var, Cot::Zero);
                    operands.push(self.whole_of(var, cot)?);
                    handed.push(var);
                }
                None if !holds_array(dty) => operands.push(self.plain_zero(dty)?),
                None => {
                    let value = self.primal(arg)?;
                    let ty = self.build.ty(&value)?;
                    operands.push(self.helpers.zero(&mut self.build, &value, ty)?);
                }
            }
        }
        operands.push(dy);
        let pullback = self.primal(&split.pullback.into())?;
        let tys =
            split.active_args().map(|arg| self.primal.operand_dty(arg)).collect::<Result<Vec<Ty>, _>>()?;
        let gradients = self.build.call_value(pullback, operands, Ty::tuple(tys))?;
        let mut filled = Vec::new();
        for (k, arg) in (0_i64..).zip(split.active_args().cloned().collect::<Vec<_>>()) {
            let part: Operand = self.build.op(&ops::FIELD, [Operand::from(gradients), k.into()])?.into();
            let own = arg.var().filter(|var| handed.contains(var) && !filled.contains(var));
            match own {
                Some(var) => {
                    filled.push(var);
                    self.set(var, Cot::Whole(part));
                }
                None => self.add(&arg, part)?,
            }
        }
        Ok(())
    }
}
