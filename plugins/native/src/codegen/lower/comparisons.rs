//! Comparisons of two scalars.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, types};
use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use overdub_context::ops;
use smallvec::smallvec;

use crate::codegen::constant_pool::memory_operand;
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::Values;

/// The class of a scalar, which decides how it is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codegen) enum Class {
    Int(IntTy),
    Float(FloatTy),
    /// A bool or a character: compared as an unsigned integer.
    Other,
}

impl Class {
    /// The class of a type.
    pub(in crate::codegen) fn of(ty: Ty) -> Option<Class> {
        match ty.kind() {
            TyKind::Int(IntTy::I128 | IntTy::U128) => None,
            TyKind::Int(int) => Some(Class::Int(*int)),
            TyKind::Float(float) => Some(Class::Float(*float)),
            TyKind::Bool | TyKind::Char => Some(Class::Other),
            _ => None,
        }
    }
}

impl FuncCx<'_> {
    /// `eq`, `lt` and so on: the condition for floats, and that for signed integers.
    pub(in crate::codegen) fn comparison(
        &mut self,
        inst: &OpInst<'_>,
        float: FloatCC,
        int: IntCC,
    ) -> Option<Values> {
        let (class, a, b) = self.compared(inst)?;
        Some(smallvec![self.compare(float, int, class, a, b)])
    }

    /// Two scalars of one type, in the order in which they are compared, and their class.
    fn compared(&mut self, inst: &OpInst<'_>) -> Option<(Class, ir::Value, ir::Value)> {
        let [a, b] = inst.args else { return None };
        let class = Class::of(self.ty(a))?;
        if self.ty(a) != self.ty(b) {
            return None;
        }
        Some(match class {
            Class::Float(_) => {
                let in_memory = memory_operand(inst.op, inst.args);
                let [a, b] = self.floats(inst.args, in_memory);
                let commutes = *inst.op == ops::EQ || *inst.op == ops::NE;
                if commutes && in_memory == Some(0) { (class, b, a) } else { (class, a, b) }
            }
            _ => (class, self.scalar(a), self.scalar(b)),
        })
    }

    /// Compares two scalars by the condition for floats, or by that for signed integers or its unsigned form.
    fn compare(&mut self, float: FloatCC, int: IntCC, class: Class, a: ir::Value, b: ir::Value) -> ir::Value {
        let signed = matches!(class, Class::Int(int) if int.is_signed());
        match class {
            Class::Float(_) => self.b.ins().fcmp(float, a, b),
            _ => self.b.ins().icmp(if signed { int } else { int.unsigned() }, a, b),
        }
    }

    /// `cmp`: the tag of an `Ordering`. Floats have no total order.
    pub(in crate::codegen) fn total_order(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        if matches!(Class::of(self.ty(inst.args.first()?))?, Class::Float(_)) {
            return None;
        }
        let (class, a, b) = self.compared(inst)?;
        Some(smallvec![self.ordering(class, a, b)])
    }

    /// The tag of an `Ordering`: 0, 1, 2.
    fn ordering(&mut self, class: Class, a: ir::Value, b: ir::Value) -> ir::Value {
        let greater = self.compare(FloatCC::GreaterThan, IntCC::SignedGreaterThan, class, a, b);
        let not_less =
            self.compare(FloatCC::GreaterThanOrEqual, IntCC::SignedGreaterThanOrEqual, class, a, b);
        let sum = self.b.ins().iadd(greater, not_less);
        self.b.ins().uextend(types::I32, sum)
    }

    /// `partial_cmp`: an optional `Ordering`, `None` if a float is NaN.
    pub(in crate::codegen) fn partial_order(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let (class, a, b) = self.compared(inst)?;
        let ordering = self.ordering(class, a, b);
        let some = match class {
            Class::Float(_) => {
                let ordered = self.b.ins().fcmp(FloatCC::Ordered, a, b);
                self.b.ins().uextend(types::I32, ordered)
            }
            _ => self.b.ins().iconst(types::I32, 1),
        };
        Some(smallvec![some, ordering])
    }
}
