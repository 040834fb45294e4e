//! The adjoints of operations on arrays of any rank.

use overdub_context::ir::{Operand, Ty, Var};
use overdub_context::ops::{self, OpDef};

use super::primal::PathStep;
use super::reverse_sweep::{Cot, ReverseSweepBuilder};
use crate::array_ops::{DOT_ZERO, UNBROADCAST, UNDIAG, UNSLICE};
use crate::refusal::Cause;

impl ReverseSweepBuilder<'_> {
    /// Reverses an operation that is linear in whole arrays, or a product.
    pub(super) fn whole_back(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        y: Var,
        cot: Cot,
    ) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        match op.name {
            "nd.sum" => {
                let dty = self.primal.operand_dty(&args[0])?;
                let dx = if dty.as_array().is_some_and(|array| array.rank == 1) {
                    let len = self.len_of(&args[0])?;
                    self.build.op(&ops::REPEAT, [dy, len])?
                } else {
                    let shape = self.shape_of(&args[0])?;
                    self.build.op_as(&ops::ND_FULL, [shape, dy], dty)?
                };
                self.add(&args[0], dx.into())
            }
            "nd.from_diag" => {
                let dx = self.build.op(&ops::ND_DIAG, [dy])?;
                self.add(&args[0], dx.into())
            }
            "nd.dot" | "ad.dot" => self.dot_back(args, dy),
            _ => Err(Cause::NoRule(op.name)),
        }
    }

    fn rank_of(&self, operand: &Operand) -> u32 {
        let ty = operand.var().and_then(|var| self.primal.func().ty(var).as_array());
        ty.map_or(0, |array| array.rank)
    }

    /// AD3: the adjoint of a product of matrices, vectors, or one of each.
    fn dot_back(&mut self, args: &[Operand], dy: Operand) -> Result<(), Cause> {
        let ranks = [self.rank_of(&args[0]), self.rank_of(&args[1])];
        if self.is_active(&args[0]) {
            let b = self.primal(&args[1])?;
            let dx = match ranks {
                [1, 1] => self.build.op(&ops::MUL_ZERO, [b, dy.clone()])?,
                [2, 1] => self.outer(dy.clone(), b)?,
                [1, _] => self.build.op(&DOT_ZERO, [b, dy.clone()])?,
                _ => {
                    let transposed = self.build.op(&ops::ND_TRANSPOSE, [b])?;
                    self.build.op(&DOT_ZERO, [dy.clone(), transposed.into()])?
                }
            };
            self.add(&args[0], dx.into())?;
        }
        if self.is_active(&args[1]) {
            let a = self.primal(&args[0])?;
            let dx = match ranks {
                [1, 1] => self.build.op(&ops::MUL_ZERO, [a, dy])?,
                [1, 2] => self.outer(a, dy)?,
                _ => {
                    let transposed = self.build.op(&ops::ND_TRANSPOSE, [a])?;
                    self.build.op(&DOT_ZERO, [transposed.into(), dy])?
                }
            };
            self.add(&args[1], dx.into())?;
        }
        Ok(())
    }

    /// The outer product of two vectors, as a product of matrices.
    fn outer(&mut self, column: Operand, row: Operand) -> Result<Var, Cause> {
        let elem = self.build.ty(&row)?.as_array().map_or(Ty::f64(), |array| array.elem);
        let lens = [self.build.op(&ops::LEN, [column.clone()])?, self.build.op(&ops::LEN, [row.clone()])?];
        let one = Operand::from(1_usize);
        let tall = self.build.op(&ops::ARRAY, [Operand::from(lens[0]), one.clone()])?;
        let wide = self.build.op(&ops::ARRAY, [one, lens[1].into()])?;
        let matrix = Ty::array(elem, 2);
        let column = self.build.op_as(&ops::ND_RESHAPE, [column, tall.into()], matrix)?;
        let row = self.build.op_as(&ops::ND_RESHAPE, [row, wide.into()], matrix)?;
        Ok(self.build.op(&DOT_ZERO, [column, row])?)
    }

    /// Reverses an operation that moves elements of such arrays.
    pub(super) fn moved_nd(
        &mut self,
        op: &'static OpDef,
        args: &[Operand],
        y: Var,
        cot: Cot,
    ) -> Result<(), Cause> {
        let dy = self.whole_of(y, cot)?;
        let dty = self.primal.operand_dty(&args[0])?;
        let dx = match op.name {
            "nd.elems" | "nd.reshape" => {
                let shape = self.shape_of(&args[0])?;
                self.build.op_as(&ops::ND_RESHAPE, [dy, shape], dty)?
            }
            "nd.from_elems" => self.build.op(&ops::ND_ELEMS, [dy])?,
            "nd.transpose" => self.build.op(&ops::ND_TRANSPOSE, [dy])?,
            "nd.permute" => {
                let axes = &args[1..];
                let place = |axis: usize| {
                    let own = |arg: &Operand| arg.constant().and_then(|k| k.value().as_index());
                    axes.iter().position(|arg| own(arg) == Some(axis)).unwrap_or(0) as i64
                };
                let back: Vec<Operand> = (0..axes.len()).map(|axis| place(axis).into()).collect();
                self.build.op(&ops::ND_PERMUTE, [vec![dy], back].concat())?
            }
            "nd.broadcast" => {
                let shape = self.shape_of(&args[0])?;
                self.build.op_as(&UNBROADCAST, [dy, shape], dty)?
            }
            "ad.unbroadcast" => {
                let shape = self.shape_of(&args[0])?;
                self.build.op_as(&ops::ND_BROADCAST, [dy, shape], dty)?
            }
            "nd.diag" => {
                let shape = self.shape_of(&args[0])?;
                self.build.op_as(&UNDIAG, [dy, shape], dty)?
            }
            "ad.undiag" => self.build.op(&ops::ND_DIAG, [dy])?,
            "nd.slice_axis" => {
                let shape = self.shape_of(&args[0])?;
                let mut operands = vec![dy, shape, args[1].clone()];
                for arg in &args[2..] {
                    operands.push(self.primal(arg)?);
                }
                self.build.op_as(&UNSLICE, operands, dty)?
            }
            "ad.unslice" => {
                let mut operands = vec![dy, args[2].clone()];
                for arg in &args[3..] {
                    operands.push(self.primal(arg)?);
                }
                self.build.op(&ops::ND_SLICE_AXIS, operands)?
            }
            "nd.full" => {
                let dx = self.build.op(&ops::ND_SUM, [dy])?;
                return self.add(&args[1], dx.into());
            }
            "nd.get" => return self.add_step(&args[0], PathStep::At(args[1..].to_vec()), dy),
            "nd.index_axis" => {
                return self.add_step(&args[0], PathStep::Axis(args[1].clone(), args[2].clone()), dy);
            }
            "nd.set" => return self.set_at_back(args, dy),
            "nd.set_axis" => return self.set_axis_back(args, dy),
            "nd.stack" => return self.stack_back(args, dy),
            "nd.concat" => return self.concat_axis_back(args, dy),
            _ => return Err(Cause::NoRule(op.name)),
        };
        self.add(&args[0], dx.into())
    }

    /// The shape of an array of the program.
    fn shape_of(&mut self, array: &Operand) -> Result<Operand, Cause> {
        if self.rank_of(array) > 1
            && let Some(shape) = array.var().and_then(|var| self.primal.len(var))
        {
            return self.primal(&shape.into());
        }
        let array = self.primal(array)?;
        Ok(self.build.op(&ops::ND_SHAPE, [array])?.into())
    }

    fn set_at_back(&mut self, args: &[Operand], dy: Operand) -> Result<(), Cause> {
        let ([array, at @ .., x], elem) = (args, self.elem_of(&args[0])?) else {
            return Err(Cause::NoRule("nd.set"));
        };
        let at = at.iter().map(|at| self.primal(at)).collect::<Result<Vec<_>, _>>()?;
        if self.is_active(x) {
            let dx = self.build.op(&ops::ND_GET, [vec![dy.clone()], at.clone()].concat())?;
            self.add(x, dx.into())?;
        }
        if self.is_active(array) {
            let zero = self.zero_float(elem);
            let rest = self.build.op(&ops::ND_SET, [vec![dy], at, vec![zero]].concat())?;
            self.add(array, rest.into())?;
        }
        Ok(())
    }

    fn set_axis_back(&mut self, args: &[Operand], dy: Operand) -> Result<(), Cause> {
        let [array, axis, at, part] = args else { return Err(Cause::NoRule("nd.set_axis")) };
        let at = self.primal(at)?;
        let dx: Operand = self.build.op(&ops::ND_INDEX_AXIS, [dy.clone(), axis.clone(), at.clone()])?.into();
        if self.is_active(array) {
            let ty = self.build.ty(&dx)?;
            let zeros = self.helpers.zero(&mut self.build, &dx, ty)?;
            let rest = self.build.op(&ops::ND_SET_AXIS, [dy, axis.clone(), at, zeros])?;
            self.add(array, rest.into())?;
        }
        self.add(part, dx)
    }

    fn stack_back(&mut self, args: &[Operand], dy: Operand) -> Result<(), Cause> {
        for (k, part) in (0_usize..).zip(&args[1..]) {
            if self.is_active(part) {
                let dx = self.build.op(&ops::ND_INDEX_AXIS, [dy.clone(), args[0].clone(), k.into()])?;
                self.add(part, dx.into())?;
            }
        }
        Ok(())
    }

    fn concat_axis_back(&mut self, args: &[Operand], dy: Operand) -> Result<(), Cause> {
        let mut from = Operand::from(0_usize);
        for part in &args[1..] {
            let shape = self.shape_of(part)?;
            let len = self.build.op(&ops::GET, [shape, args[0].clone()])?;
            let to = self.build.op(&ops::ADD_WRAPPING, [from.clone(), len.into()])?;
            if self.is_active(part) {
                let operands = [dy.clone(), args[0].clone(), from, to.into(), Operand::from(1_i64)];
                let dx = self.build.op(&ops::ND_SLICE_AXIS, operands)?;
                self.add(part, dx.into())?;
            }
            from = to.into();
        }
        Ok(())
    }
}
