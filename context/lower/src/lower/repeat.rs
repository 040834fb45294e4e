//! `[value; N]`: copies of one value, or as many values of a constant.

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops;
use overdub_context::value::{Array, Value};

use super::constant::holds_cell;
use super::cx::FnCx;
use super::error::Lowered;
use crate::hir::ExprId;
use crate::infer;

/// Up to this length the elements are computed one after the other, without a loop.
const UNROLLED: usize = 8;

impl FnCx<'_> {
    /// An array of `len` elements. What is not `Copy` is a constant here, and each element a value of its own: `[const {
    /// Cell::new(0) }; 3]` has three cells.
    pub(super) fn repeat(&mut self, elem: ExprId, len: usize, ty: infer::Ty) -> Lowered<Operand> {
        let elem_ty = self.typed.exprs[elem.index()];
        let array = self.lowering.ty(ty)?;
        if len < 2 || self.lowering.types.is_copy(elem_ty) || !holds_cell(array) {
            let span = self.build.span();
            let value = self.value(elem)?;
            self.build.set_span(span);
            return self.op(&ops::REPEAT, vec![value, Operand::from(len)]);
        }
        let mut elems =
            self.constant(Value::Array(Array::empty(self.lowering.ty(elem_ty)?).into()), array)?;
        if len <= UNROLLED {
            for _ in 0..len {
                let value = self.value(elem)?;
                elems = self.op(&ops::PUSH, vec![elems, value])?;
            }
            return Ok(elems);
        }
        let (header, body, exit) = (self.build.new_block(), self.build.new_block(), self.build.new_block());
        let (made, count) =
            (self.build.declare_variable(array, None), self.build.declare_variable(Ty::usize(), None));
        self.build.write_variable(made, elems)?;
        self.build.write_variable(count, 0_usize)?;
        self.jump(header)?;
        self.build.switch_to(header)?;
        let at: Operand = self.build.read_variable(count)?;
        let is_open = self.op(&ops::LT, vec![at.clone(), Operand::from(len)])?;
        self.branch(is_open, body, exit)?;
        self.enter(body)?;
        let value = self.value(elem)?;
        let elems = self.build.read_variable(made)?;
        let elems = self.op(&ops::PUSH, vec![elems, value])?;
        self.build.write_variable(made, elems)?;
        let next = self.op(&ops::ADD, vec![at, Operand::from(1_usize)])?;
        self.build.write_variable(count, next)?;
        self.jump(header)?;
        self.build.seal_block(header);
        self.enter(exit)?;
        Ok(self.build.read_variable(made)?)
    }
}
