//! Arithmetic and bitwise operations on bools and on integers of up to 64 bits.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, Opcode, types};
use overdub_context::ir::{IntTy, Ty};
use smallvec::smallvec;

use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::lower::comparisons::Class;
use crate::codegen::operands::Values;

/// Integer operations that may overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Arithmetic {
    Add,
    Sub,
    Mul,
}

/// The behaviour of an operation if the result does not fit its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum OnOverflow {
    /// It fails.
    Fail,
    /// It returns the result modulo 2^width.
    Wrap,
    /// It returns an option, which is `None` on overflow.
    None,
    /// It returns the result modulo 2^width, and whether it overflowed.
    Flag,
}

/// The direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Shift {
    Left,
    Right,
}

/// The result of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Division {
    Quotient,
    Remainder,
}

impl FuncCx<'_> {
    /// The type of the first operand, if it is an integer of at most 64 bits.
    fn int_operand(&self, inst: &OpInst<'_>) -> Option<IntTy> {
        match Class::of(self.ty(inst.args.first()?))? {
            Class::Int(int) => Some(int),
            Class::Float(_) | Class::Other => None,
        }
    }

    /// Whether the first operand is a bool or an integer.
    fn has_bits(&self, inst: &OpInst<'_>) -> Option<()> {
        let first = self.ty(inst.args.first()?);
        (first == Ty::bool() || matches!(Class::of(first), Some(Class::Int(_)))).then_some(())
    }

    /// `not`.
    pub(in crate::codegen) fn not(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        self.has_bits(inst)?;
        let [x] = inst.args else { return None };
        let is_bool = self.ty(x) == Ty::bool();
        let x = self.scalar(x);
        Some(smallvec![if is_bool { self.b.ins().bxor_imm_s(x, 1) } else { self.b.ins().bnot(x) }])
    }

    /// `and`, `or`, `xor`.
    pub(in crate::codegen) fn bitwise(&mut self, inst: &OpInst<'_>, opcode: Opcode) -> Option<Values> {
        self.has_bits(inst)?;
        let [x, y] = inst.args else { return None };
        let (x, y) = (self.scalar(x), self.scalar(y));
        Some(smallvec![self.binary_inst(opcode, x, y)])
    }

    /// The instruction of this opcode on two values of one type.
    pub(in crate::codegen) fn binary_inst(
        &mut self,
        opcode: Opcode,
        x: ir::Value,
        y: ir::Value,
    ) -> ir::Value {
        let ty = self.b.func.dfg.value_type(x);
        let (inst, dfg) = self.b.ins().Binary(opcode, ty, x, y);
        dfg.first_result(inst)
    }

    /// `rotate_left`, `rotate_right`.
    pub(in crate::codegen) fn rotate(&mut self, inst: &OpInst<'_>, opcode: Opcode) -> Option<Values> {
        self.int_operand(inst)?;
        let [x, count] = inst.args else { return None };
        let (x, count) = (self.scalar(x), self.scalar(count));
        Some(smallvec![self.binary_inst(opcode, x, count)])
    }

    /// `shl`, `shr`: by less than the width, or else as `on_overflow` specifies.
    pub(in crate::codegen) fn shift(
        &mut self,
        inst: &OpInst<'_>,
        direction: Shift,
        on_overflow: OnOverflow,
    ) -> Option<Values> {
        let int = self.int_operand(inst)?;
        let [x, count] = inst.args else { return None };
        if !matches!(Class::of(self.ty(count)), Some(Class::Int(_))) {
            return None;
        }
        let (x, count) = (self.scalar(x), self.scalar(count));
        if on_overflow == OnOverflow::Fail {
            let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, i64::from(int.bits()));
            self.check(fits, inst);
        }
        Some(smallvec![match (direction, int.is_signed()) {
            (Shift::Left, _) => self.b.ins().ishl(x, count),
            (Shift::Right, true) => self.b.ins().sshr(x, count),
            (Shift::Right, false) => self.b.ins().ushr(x, count),
        }])
    }

    /// Addition, subtraction or multiplication of integers.
    pub(in crate::codegen) fn int_arithmetic(
        &mut self,
        inst: &OpInst<'_>,
        op: Arithmetic,
        on_overflow: OnOverflow,
    ) -> Option<Values> {
        let int = self.int_operand(inst)?;
        let [a, b] = inst.args else { return None };
        if Class::of(self.ty(b)) != Some(Class::Int(int)) {
            return None;
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        if on_overflow == OnOverflow::Wrap {
            return Some(smallvec![match op {
                Arithmetic::Add => self.b.ins().iadd(a, b),
                Arithmetic::Sub => self.b.ins().isub(a, b),
                Arithmetic::Mul => self.b.ins().imul(a, b),
            }]);
        }
        let (result, overflow) = self.overflowing(op, int, a, b);
        Some(match on_overflow {
            OnOverflow::Flag => smallvec![result, overflow],
            OnOverflow::None => {
                let fits = self.b.ins().bxor_imm_s(overflow, 1);
                smallvec![self.b.ins().uextend(types::I32, fits), result]
            }
            OnOverflow::Fail | OnOverflow::Wrap => {
                self.check_not(overflow, inst);
                smallvec![result]
            }
        })
    }

    /// The result modulo 2^width, and whether it overflowed.
    fn overflowing(
        &mut self,
        op: Arithmetic,
        int: IntTy,
        a: ir::Value,
        b: ir::Value,
    ) -> (ir::Value, ir::Value) {
        if int.bits() < 32 {
            return self.narrow_overflowing(op, int, a, b);
        }
        let ins = self.b.ins();
        match (op, int.is_signed()) {
            (Arithmetic::Add, true) => ins.sadd_overflow(a, b),
            (Arithmetic::Sub, true) => ins.ssub_overflow(a, b),
            // Cranelift branches on a comparison directly, but would materialise the carry flag of an
            // addition first.
            (Arithmetic::Add, false) => {
                let sum = ins.iadd(a, b);
                (sum, self.b.ins().icmp(IntCC::UnsignedLessThan, sum, a))
            }
            (Arithmetic::Sub, false) => {
                let difference = ins.isub(a, b);
                (difference, self.b.ins().icmp(IntCC::UnsignedLessThan, a, b))
            }
            (Arithmetic::Mul, true) => ins.smul_overflow(a, b),
            (Arithmetic::Mul, false) => ins.umul_overflow(a, b),
        }
    }

    fn narrow_overflowing(
        &mut self,
        op: Arithmetic,
        int: IntTy,
        a: ir::Value,
        b: ir::Value,
    ) -> (ir::Value, ir::Value) {
        let (a, b) = (self.extended(int, types::I32, a), self.extended(int, types::I32, b));
        let wide = match op {
            Arithmetic::Add => self.b.ins().iadd(a, b),
            Arithmetic::Sub => self.b.ins().isub(a, b),
            Arithmetic::Mul => self.b.ins().imul(a, b),
        };
        let narrow = if int.bits() == 8 { types::I8 } else { types::I16 };
        let result = self.b.ins().ireduce(narrow, wide);
        let extended = self.extended(int, types::I32, result);
        let wrong = self.b.ins().icmp(IntCC::NotEqual, extended, wide);
        (result, wrong)
    }

    /// Extends an integer.
    pub(in crate::codegen) fn extended(&mut self, int: IntTy, to: ir::Type, x: ir::Value) -> ir::Value {
        match (int.bits() == to.bits(), int.is_signed()) {
            (true, _) => x,
            (false, true) => self.b.ins().sextend(to, x),
            (false, false) => self.b.ins().uextend(to, x),
        }
    }

    /// `div`, `rem` of integers.
    pub(in crate::codegen) fn int_division(&mut self, inst: &OpInst<'_>, output: Division) -> Option<Values> {
        let int = self.int_operand(inst)?;
        let [a, b] = inst.args else { return None };
        if Class::of(self.ty(b)) != Some(Class::Int(int)) {
            return None;
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, b, 0);
        self.check_not(zero, inst);
        if int.is_signed() {
            let least = i64::MIN >> (64 - int.bits());
            let least = self.b.ins().icmp_imm_s(IntCC::Equal, a, least);
            let minus = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let wrong = self.b.ins().band(least, minus);
            self.check_not(wrong, inst);
        }
        let (x, y) = match int.bits() < 32 {
            true => (self.extended(int, types::I32, a), self.extended(int, types::I32, b)),
            false => (a, b),
        };
        let result = match (output, int.is_signed()) {
            (Division::Quotient, true) => self.b.ins().sdiv(x, y),
            (Division::Quotient, false) => self.b.ins().udiv(x, y),
            (Division::Remainder, true) => self.b.ins().srem(x, y),
            (Division::Remainder, false) => self.b.ins().urem(x, y),
        };
        let narrow = self.b.func.dfg.value_type(a);
        Some(smallvec![if int.bits() < 32 { self.b.ins().ireduce(narrow, result) } else { result }])
    }

    /// `neg` of integers.
    pub(in crate::codegen) fn int_neg(
        &mut self,
        inst: &OpInst<'_>,
        on_overflow: OnOverflow,
    ) -> Option<Values> {
        let int = self.int_operand(inst)?;
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        if on_overflow == OnOverflow::Fail {
            let least = self.b.ins().icmp_imm_s(IntCC::Equal, x, i64::MIN >> (64 - int.bits()));
            self.check_not(least, inst);
        }
        Some(smallvec![self.b.ins().ineg(x)])
    }

    /// `min`, `max` of integers: the first operand if the signed condition holds.
    pub(in crate::codegen) fn int_extreme(&mut self, inst: &OpInst<'_>, cond: IntCC) -> Option<Values> {
        let int = self.int_operand(inst)?;
        let [a, b] = inst.args else { return None };
        if Class::of(self.ty(b)) != Some(Class::Int(int)) {
            return None;
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        let cond = if int.is_signed() { cond } else { cond.unsigned() };
        let first = self.b.ins().icmp(cond, a, b);
        Some(smallvec![self.b.ins().select(first, a, b)])
    }

    /// An integer as 64 bits, with undefined upper bits zero.
    pub(in crate::codegen) fn as_i64(&mut self, number: ir::Value) -> ir::Value {
        match self.b.func.dfg.value_type(number).bits() {
            64 => number,
            _ => self.b.ins().uextend(types::I64, number),
        }
    }
}
