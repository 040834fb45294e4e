//! The adjoints of operations that insert into, remove from, sort, copy within or repeat vectors.

use overdub_context::Symbol;
use overdub_context::ir::{FuncBuilder, InstKind, Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::adjoint::is_float;
use super::cotangent_sums::Helpers;
use super::reverse_sweep::{Cot, ReverseSweepBuilder};
use crate::cotangent::{cotangent, parts_of};
use crate::refusal::Cause;
use crate::sort::SCATTER;

impl ReverseSweepBuilder<'_> {
    pub(super) fn moved_slices(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        y: Var,
        cot: Cot,
    ) -> Result<(), Cause> {
        match op.name {
            "pop" => self.pop_back(args, y, cot),
            "insert" => self.insert_back(args, y, cot),
            "remove" | "swap_remove" => self.remove_back(op, args, y, cot),
            "copy_within" if is_float(self.elem_of(&y.into())?) => self.copy_within_back(args, y, cot),
            // Undoes the permutation.
            "gather" if self.is_order(&args[1]) => {
                let dy = self.whole_of(y, cot)?;
                let order = self.primal(&args[1])?;
                let dx = self.build.op(&SCATTER, [dy, order])?;
                self.add(&args[0], dx.into())
            }
            "ad.scatter" => {
                let dy = self.whole_of(y, cot)?;
                let order = self.primal(&args[1])?;
                let dx = self.build.op(&ops::GATHER, [dy, order])?;
                self.add(&args[0], dx.into())
            }
            _ => self.moved_nd(op, args, y, cot),
        }
    }

    /// Whether an operand is a permutation of a vector's indices.
    fn is_order(&self, places: &Operand) -> bool {
        let inst = places.var().and_then(|var| self.primal.inst(var));
        matches!(inst.map(|inst| &inst.kind), Some(InstKind::Op { op, .. }) if *op == &ops::SORT_ORDER)
    }

    /// The cotangent of a repeated element is the sum over all its copies.
    pub(super) fn repeated_back(&mut self, x: &Operand, y: Var, cot: Cot) -> Result<(), Cause> {
        if !self.is_active(x) {
            return Ok(());
        }
        let (dy, elem) = (self.whole_of(y, cot)?, self.elem_of(&y.into())?);
        if is_float(elem) {
            let dx = self.build.op(&ops::ND_SUM, [dy])?;
            return self.add(x, dx.into());
        }
        let (value, ty) = (self.primal(x)?, self.primal.func().ty(x.var().ok_or(Cause::NoRule("repeat"))?));
        let zero = self.helpers.zero(&mut self.build, &value, ty)?;
        let sum = self.helpers.sum_of_elems(elem)?;
        let dx = self.build.call(sum, [dy, zero], elem)?;
        self.add(x, dx.into())
    }

    /// `(last, rest) = pop xs`: the cotangent of the last element is pushed again, if there was an element.
    fn pop_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let (last, rest) = (self.part(&cot, 0)?, self.part(&cot, 1)?);
        let ty = self.primal.func().ty(y);
        let (option, vector) = match parts_of(ty).as_slice() {
            [option, vector] => (*option, *vector),
            _ => return Err(Cause::NoRule("pop")),
        };
        let before = self.len_of(&args[0])?;
        let rest = match rest {
            Some(rest) => rest,
            None => {
                let value = self.primal(&y.into())?;
                let rest = self.build.op(&ops::FIELD, [value, 1_i64.into()])?;
                self.helpers.zero(&mut self.build, &rest.into(), vector)?
            }
        };
        let last = match last {
            Some(last) => last,
            None => self.plain_zero(cotangent(option)?)?,
        };
        let (pushed, dty) = self.helpers.unpopped(option, vector)?;
        let dx = self.build.call(pushed, [last, rest, before], dty)?;
        self.add(&args[0], dx.into())
    }

    fn insert_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let (dy, at) = (self.whole_of(y, cot)?, self.primal(&args[1])?);
        let removed = self.build.op(&ops::REMOVE, [dy, at])?;
        if self.is_active(&args[2]) {
            let dx = self.build.op(&ops::FIELD, [Operand::from(removed), 0_i64.into()])?;
            self.add(&args[2], dx.into())?;
        }
        if self.is_active(&args[0]) {
            let rest = self.build.op(&ops::FIELD, [Operand::from(removed), 1_i64.into()])?;
            self.add(&args[0], rest.into())?;
        }
        Ok(())
    }

    /// `(elem, rest) = remove xs, i`, and `swap_remove`, where the last element replaces the removed one.
    fn remove_back(&mut self, op: &'static OpDef, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let (elem, rest) = (self.part(&cot, 0)?, self.part(&cot, 1)?);
        let tys = parts_of(self.primal.func().ty(y));
        let part = |this: &mut Self, found: Option<Operand>, k: usize| match found {
            Some(found) => Ok::<_, Cause>(found),
            None => {
                let value = this.primal(&y.into())?;
                let value = this.build.op(&ops::FIELD, [value, (k as i64).into()])?;
                this.helpers.zero(&mut this.build, &value.into(), tys[k])
            }
        };
        let (elem, rest) = (part(self, elem, 0)?, part(self, rest, 1)?);
        let at = self.primal(&args[1])?;
        let dx = if *op == ops::REMOVE {
            self.build.op(&ops::INSERT, [rest, at, elem])?
        } else {
            let last = self.build.op(&ops::LEN, [rest.clone()])?;
            let longer = self.build.op(&ops::PUSH, [rest, elem])?;
            self.build.op(&ops::SWAP, [longer.into(), at, last.into()])?
        };
        self.add(&args[0], dx.into())
    }

    /// The cotangents of the copies are added to their sources; the overwritten elements get zero.
    fn copy_within_back(&mut self, args: &[Operand], y: Var, cot: Cot) -> Result<(), Cause> {
        let (dy, elem) = (self.whole_of(y, cot)?, self.elem_of(&y.into())?);
        let [from, to, dest] = [&args[1], &args[2], &args[3]].map(|at| self.primal(at));
        let (from, to, dest) = (from?, to?, dest?);
        let len = self.build.op(&ops::SUB_WRAPPING, [to.clone(), from.clone()])?;
        let end = self.build.op(&ops::ADD_WRAPPING, [dest.clone(), len.into()])?;
        let copies = self.build.op(&ops::SLICE, [dy.clone(), dest.clone(), end.into()])?;
        let zero = self.zero_float(elem);
        let zeros = self.build.op(&ops::REPEAT, [zero, len.into()])?;
        let rest = self.build.op(&ops::SET_SLICE, [dy, dest, zeros.into()])?;
        let own = self.build.op(&ops::SLICE, [Operand::from(rest), from.clone(), to])?;
        let sum = self.build.op(&ops::ADD, [own, copies])?;
        let dx = self.build.op(&ops::SET_SLICE, [Operand::from(rest), from, sum.into()])?;
        self.add(&args[0], dx.into())
    }
}

impl Helpers {
    /// The function that gives the cotangent of a vector before `pop`, from that of the last element, that of the rest,
    /// and the length before.
    fn unpopped(&mut self, option: Ty, vector: Ty) -> Result<(Symbol, Ty), Cause> {
        let (option, dty) = (cotangent(option)?, cotangent(vector)?);
        let name = Symbol::new(&format!("unpopped{{{dty}}}"));
        if !self.has(name) {
            // `Some` is the second variant, and a cotangent's first one is zero.
            let (field, elem) = self.field_of_enum(option, 2, 0)?;
            let mut build = FuncBuilder::new(name, dty);
            let last = build.param("last", option);
            let rest = build.param("rest", dty);
            let before = build.param("before", Ty::usize());
            let (had, empty) = (build.new_block(), build.new_block());
            let some = build.op(&ops::GT, [Operand::from(before), 0_usize.into()])?;
            build.br_if(some, had.into(), empty.into())?;
            build.switch_to(had)?;
            let elem = build.call(field, [last], elem)?;
            let longer = build.op(&ops::PUSH, [rest, elem])?;
            build.ret(longer)?;
            build.switch_to(empty)?;
            build.ret(rest)?;
            self.funcs.insert(name, build.finish()?);
        }
        Ok((name, dty))
    }
}
