//! Operations on bools, characters and integers of up to 64 bits.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, types};
use overdub_context::ir::{FloatTy, IntTy, Ty, TyKind};
use smallvec::smallvec;

use crate::abi::layout::{Layout, Shape};
use crate::codegen::constant_pool::memory_operand;
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::Values;

/// What a scalar is to arithmetic and comparisons.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codegen) enum Class {
    Int(IntTy),
    Float(FloatTy),
    /// A bool or a character: compared as an unsigned integer.
    Other,
}

impl Class {
    /// What values of a type are.
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
    /// An operation whose operands are all integers, or all bools or characters.
    pub(in crate::codegen) fn scalar_op(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let first = self.ty(inst.args.first()?);
        let class = Class::of(first)?;
        if let Some(words) = self.comparison(inst, class) {
            return Some(words);
        }
        let int = match class {
            Class::Int(int) => int,
            Class::Other if first == Ty::bool() => return self.logic(inst),
            _ => return None,
        };
        self.logic(inst)
            .or_else(|| self.shift(inst, int))
            .or_else(|| self.checked(inst, int))
            .or_else(|| self.division(inst, int))
            .or_else(|| self.other_int(inst, int))
    }

    fn comparison(&mut self, inst: &OpInst<'_>, class: Class) -> Option<Values> {
        let [a, b] = inst.args else { return None };
        if self.ty(a) != self.ty(b) {
            return None;
        }
        let known = ["eq", "ne", "lt", "le", "gt", "ge", "cmp", "partial_cmp"];
        if !known.contains(&inst.op.name) || (inst.op.name == "cmp" && matches!(class, Class::Float(_))) {
            return None;
        }
        let (a, b) = match class {
            Class::Float(_) => {
                let memory_operand = memory_operand(inst.op.name, inst.args);
                let [a, b] = self.floats(inst.args, memory_operand);
                if matches!(inst.op.name, "eq" | "ne") && memory_operand == Some(0) { (b, a) } else { (a, b) }
            }
            _ => (self.scalar(a), self.scalar(b)),
        };
        Some(match inst.op.name {
            "cmp" => smallvec![self.ordering(class, a, b)],
            "partial_cmp" => self.partial_cmp(class, a, b),
            name => smallvec![self.compare(name, class, a, b)],
        })
    }

    /// A comparison of two scalars.
    pub(in crate::codegen) fn compare(
        &mut self,
        name: &str,
        class: Class,
        a: ir::Value,
        b: ir::Value,
    ) -> ir::Value {
        let signed = matches!(class, Class::Int(int) if int.is_signed());
        let (float, int, unsigned) = match name {
            "eq" => (FloatCC::Equal, IntCC::Equal, IntCC::Equal),
            "ne" => (FloatCC::NotEqual, IntCC::NotEqual, IntCC::NotEqual),
            "lt" => (FloatCC::LessThan, IntCC::SignedLessThan, IntCC::UnsignedLessThan),
            "le" => (FloatCC::LessThanOrEqual, IntCC::SignedLessThanOrEqual, IntCC::UnsignedLessThanOrEqual),
            "gt" => (FloatCC::GreaterThan, IntCC::SignedGreaterThan, IntCC::UnsignedGreaterThan),
            _ => (
                FloatCC::GreaterThanOrEqual,
                IntCC::SignedGreaterThanOrEqual,
                IntCC::UnsignedGreaterThanOrEqual,
            ),
        };
        match class {
            Class::Float(_) => self.b.ins().fcmp(float, a, b),
            _ => self.b.ins().icmp(if signed { int } else { unsigned }, a, b),
        }
    }

    /// The tag of an `Ordering`: 0, 1, 2.
    fn ordering(&mut self, class: Class, a: ir::Value, b: ir::Value) -> ir::Value {
        let greater = self.compare("gt", class, a, b);
        let not_less = self.compare("ge", class, a, b);
        let sum = self.b.ins().iadd(greater, not_less);
        self.b.ins().uextend(types::I32, sum)
    }

    fn partial_cmp(&mut self, class: Class, a: ir::Value, b: ir::Value) -> Values {
        let ordering = self.ordering(class, a, b);
        let some = match class {
            Class::Float(_) => {
                let ordered = self.b.ins().fcmp(FloatCC::Ordered, a, b);
                self.b.ins().uextend(types::I32, ordered)
            }
            _ => self.b.ins().iconst(types::I32, 1),
        };
        smallvec![some, ordering]
    }

    fn logic(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let is_bool = self.ty(inst.args.first()?) == Ty::bool();
        Some(smallvec![match (inst.op.name, inst.args) {
            ("not", [x]) => {
                let x = self.scalar(x);
                if is_bool { self.b.ins().bxor_imm_s(x, 1) } else { self.b.ins().bnot(x) }
            }
            ("and" | "or" | "xor", [x, y]) => {
                let (x, y) = (self.scalar(x), self.scalar(y));
                match inst.op.name {
                    "and" => self.b.ins().band(x, y),
                    "or" => self.b.ins().bor(x, y),
                    _ => self.b.ins().bxor(x, y),
                }
            }
            _ => return None,
        }])
    }

    fn shift(&mut self, inst: &OpInst<'_>, int: IntTy) -> Option<Values> {
        let [x, count] = inst.args else { return None };
        let left = match inst.op.name {
            "shl" | "shl.wrapping" => true,
            "shr" | "shr.wrapping" => false,
            "rotate_left" | "rotate_right" => {
                let (x, count) = (self.scalar(x), self.scalar(count));
                let left = inst.op.name == "rotate_left";
                let rotated = if left { self.b.ins().rotl(x, count) } else { self.b.ins().rotr(x, count) };
                return Some(smallvec![rotated]);
            }
            _ => return None,
        };
        if !matches!(Class::of(self.ty(count)), Some(Class::Int(_))) {
            return None;
        }
        let (x, count) = (self.scalar(x), self.scalar(count));
        if !inst.op.name.ends_with("wrapping") {
            let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, i64::from(int.bits()));
            self.check(fits, inst);
        }
        Some(smallvec![match (left, int.is_signed()) {
            (true, _) => self.b.ins().ishl(x, count),
            (false, true) => self.b.ins().sshr(x, count),
            (false, false) => self.b.ins().ushr(x, count),
        }])
    }

    /// Addition, subtraction, multiplication in their ways to treat what does not fit.
    fn checked(&mut self, inst: &OpInst<'_>, int: IntTy) -> Option<Values> {
        let (name, way) = inst.op.name.split_once('.').unwrap_or((inst.op.name, ""));
        if !matches!(name, "add" | "sub" | "mul") {
            return None;
        }
        let [a, b] = inst.args else { return None };
        if Class::of(self.ty(b)) != Some(Class::Int(int)) {
            return None;
        }
        if !matches!(way, "" | "wrapping" | "checked" | "overflowing") {
            return None;
        }
        let (a, b) = (self.scalar(a), self.scalar(b));
        if way == "wrapping" {
            return Some(smallvec![match name {
                "add" => self.b.ins().iadd(a, b),
                "sub" => self.b.ins().isub(a, b),
                _ => self.b.ins().imul(a, b),
            }]);
        }
        let (result, wrong) = self.overflowing(name, int, a, b);
        Some(match way {
            "overflowing" => smallvec![result, wrong],
            "checked" => {
                let fits = self.b.ins().bxor_imm_s(wrong, 1);
                smallvec![self.b.ins().uextend(types::I32, fits), result]
            }
            _ => {
                self.check_not(wrong, inst);
                smallvec![result]
            }
        })
    }

    /// The result modulo the type's width, and whether that changed it.
    fn overflowing(&mut self, name: &str, int: IntTy, a: ir::Value, b: ir::Value) -> (ir::Value, ir::Value) {
        if int.bits() < 32 {
            return self.narrow_overflowing(name, int, a, b);
        }
        let ins = self.b.ins();
        match (name, int.is_signed()) {
            ("add", true) => ins.sadd_overflow(a, b),
            ("sub", true) => ins.ssub_overflow(a, b),
            // Cranelift branches by a comparison at once, but asks twice for what an addition says of itself.
            ("add", false) => {
                let sum = ins.iadd(a, b);
                (sum, self.b.ins().icmp(IntCC::UnsignedLessThan, sum, a))
            }
            ("sub", false) => {
                let difference = ins.isub(a, b);
                (difference, self.b.ins().icmp(IntCC::UnsignedLessThan, a, b))
            }
            (_, true) => ins.smul_overflow(a, b),
            (_, false) => ins.umul_overflow(a, b),
        }
    }

    fn narrow_overflowing(
        &mut self,
        name: &str,
        int: IntTy,
        a: ir::Value,
        b: ir::Value,
    ) -> (ir::Value, ir::Value) {
        let (a, b) = (self.extended(int, types::I32, a), self.extended(int, types::I32, b));
        let wide = match name {
            "add" => self.b.ins().iadd(a, b),
            "sub" => self.b.ins().isub(a, b),
            _ => self.b.ins().imul(a, b),
        };
        let narrow = if int.bits() == 8 { types::I8 } else { types::I16 };
        let result = self.b.ins().ireduce(narrow, wide);
        let back = self.extended(int, types::I32, result);
        let wrong = self.b.ins().icmp(IntCC::NotEqual, back, wide);
        (result, wrong)
    }

    /// An integer in a wider register.
    pub(in crate::codegen) fn extended(&mut self, int: IntTy, to: ir::Type, x: ir::Value) -> ir::Value {
        match (int.bits() == to.bits(), int.is_signed()) {
            (true, _) => x,
            (false, true) => self.b.ins().sextend(to, x),
            (false, false) => self.b.ins().uextend(to, x),
        }
    }

    fn division(&mut self, inst: &OpInst<'_>, int: IntTy) -> Option<Values> {
        let is_rem = match inst.op.name {
            "div" => false,
            "rem" => true,
            _ => return None,
        };
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
        let result = match (is_rem, int.is_signed()) {
            (false, true) => self.b.ins().sdiv(x, y),
            (false, false) => self.b.ins().udiv(x, y),
            (true, true) => self.b.ins().srem(x, y),
            (true, false) => self.b.ins().urem(x, y),
        };
        let narrow = self.b.func.dfg.value_type(a);
        Some(smallvec![if int.bits() < 32 { self.b.ins().ireduce(narrow, result) } else { result }])
    }

    fn other_int(&mut self, inst: &OpInst<'_>, int: IntTy) -> Option<Values> {
        match (inst.op.name, inst.args) {
            ("neg", [x]) => {
                let x = self.scalar(x);
                let least = self.b.ins().icmp_imm_s(IntCC::Equal, x, i64::MIN >> (64 - int.bits()));
                self.check_not(least, inst);
                Some(smallvec![self.b.ins().ineg(x)])
            }
            ("neg.wrapping", [x]) => {
                let x = self.scalar(x);
                Some(smallvec![self.b.ins().ineg(x)])
            }
            ("min" | "max", [a, b]) if Class::of(self.ty(b)) == Some(Class::Int(int)) => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                let name = if inst.op.name == "min" { "lt" } else { "gt" };
                let first = self.compare(name, Class::Int(int), a, b);
                Some(smallvec![self.b.ins().select(first, a, b)])
            }
            _ => None,
        }
    }

    /// An integer as 64 bits, its own bits the lowest.
    pub(in crate::codegen) fn as_i64(&mut self, number: ir::Value) -> ir::Value {
        match self.b.func.dfg.value_type(number).bits() {
            64 => number,
            _ => self.b.ins().uextend(types::I64, number),
        }
    }
}

impl Layout {
    /// Whether it is that of `Option`s of a type.
    pub(in crate::codegen) fn is_enum(&self) -> bool {
        matches!((&self.shape, self.ty.kind()), (Shape::Enum(..), TyKind::Enum(_)))
    }
}
