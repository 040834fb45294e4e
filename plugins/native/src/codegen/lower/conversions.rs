//! Casts between scalars, `from_bits`, `select`, and operations that return their operand.

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use overdub_context::ir::{FloatTy, IntTy, Operand, Ty};
use smallvec::smallvec;

use crate::abi::layout::{Layout, LayoutKind};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::operands::Values;

impl FuncCx<'_> {
    /// `from_bits`.
    pub(in crate::codegen) fn lower_from_bits(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [x] = inst.args else { return None };
        let to = if inst.ret == Ty::f64() { types::F64 } else { types::F32 };
        let x = self.scalar(x);
        Some(smallvec![self.b.ins().bitcast(to, MemFlagsData::new(), x)])
    }

    /// `select` of values that are not counted.
    pub(in crate::codegen) fn select(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [cond, a, b] = inst.args else { return None };
        if self.layout(a).is_counted() {
            return None;
        }
        let cond = self.scalar(cond);
        let (a, b) = (self.read(a), self.read(b));
        Some(a.into_iter().zip(b).map(|(a, b)| self.b.ins().select(cond, a, b)).collect())
    }

    /// `dup`, `black_box`: the operand itself.
    pub(in crate::codegen) fn same_value(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [x] = inst.args else { return None };
        Some(self.take(x, inst.last[0]))
    }

    /// `cast` between scalars.
    pub(in crate::codegen) fn cast(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [x] = inst.args else { return None };
        self.cast_to(x, inst.ret)
    }

    fn cast_to(&mut self, x: &Operand, to: Ty) -> Option<Values> {
        let (from, to) = (self.layout(x), Layout::of(to));
        if from.ty == to.ty {
            return Some(self.read(x)).filter(|_| !from.is_counted());
        }
        let is_scalar = |shape: &LayoutKind| {
            matches!(shape, LayoutKind::Bool | LayoutKind::Char | LayoutKind::Int(_) | LayoutKind::Float(_))
        };
        if !is_scalar(&from.shape) || !is_scalar(&to.shape) {
            return None;
        }
        let counts = x.var().is_some_and(|var| self.counters.contains(&var));
        let x = self.scalar(x);
        Some(smallvec![match (&from.shape, &to.shape) {
            (LayoutKind::Float(_), LayoutKind::Float(_)) => self.float_to_float(&to.shape, x),
            (LayoutKind::Float(_), to) => self.float_to_int(to, x),
            (_, to @ LayoutKind::Float(_)) if counts => self.b.ins().fcvt_from_sint(float_ty(to), x),
            (from, LayoutKind::Float(_)) => self.int_to_float(from, &to.shape, x),
            (from, to) => self.int_to_int(from, to, x),
        }])
    }

    fn int_to_int(&mut self, from: &LayoutKind, to: &LayoutKind, x: ir::Value) -> ir::Value {
        let to = match to {
            LayoutKind::Int(int) => int_ty(*int),
            _ => types::I32,
        };
        let has = self.b.func.dfg.value_type(x);
        let signed = matches!(from, LayoutKind::Int(int) if int.is_signed());
        match (to.bits().cmp(&has.bits()), signed) {
            (std::cmp::Ordering::Equal, _) => x,
            (std::cmp::Ordering::Less, _) => self.b.ins().ireduce(to, x),
            (std::cmp::Ordering::Greater, true) => self.b.ins().sextend(to, x),
            (std::cmp::Ordering::Greater, false) => self.b.ins().uextend(to, x),
        }
    }

    fn int_to_float(&mut self, from: &LayoutKind, to: &LayoutKind, x: ir::Value) -> ir::Value {
        let LayoutKind::Int(int) = *from else { unreachable!("the caller matched an integer") };
        let to = float_ty(to);
        let wide = if int.bits() < 32 { types::I32 } else { int_ty(int) };
        let x = self.extended(int, wide, x);
        // A zero-extended integer is not negative; the signed conversion is cheaper.
        if int.is_signed() || int.bits() < 32 {
            self.b.ins().fcvt_from_sint(to, x)
        } else {
            self.b.ins().fcvt_from_uint(to, x)
        }
    }

    fn float_to_int(&mut self, to: &LayoutKind, x: ir::Value) -> ir::Value {
        let LayoutKind::Int(int) = *to else { unreachable!("the caller matched an integer") };
        if int.bits() >= 32 {
            let to = int_ty(int);
            return if int.is_signed() {
                self.b.ins().fcvt_to_sint_sat(to, x)
            } else {
                self.b.ins().fcvt_to_uint_sat(to, x)
            };
        }
        let wide = self.b.ins().fcvt_to_sint_sat(types::I32, x);
        let (least, most) = match int.is_signed() {
            true => (-(1_i64 << (int.bits() - 1)), (1_i64 << (int.bits() - 1)) - 1),
            false => (0, (1_i64 << int.bits()) - 1),
        };
        let least = self.b.ins().iconst(types::I32, least & 0xffff_ffff);
        let most = self.b.ins().iconst(types::I32, most);
        let wide = self.b.ins().smax(wide, least);
        let wide = self.b.ins().smin(wide, most);
        self.b.ins().ireduce(int_ty(int), wide)
    }

    fn float_to_float(&mut self, to: &LayoutKind, x: ir::Value) -> ir::Value {
        match to {
            LayoutKind::Float(FloatTy::F32) => self.b.ins().fdemote(types::F32, x),
            _ => self.b.ins().fpromote(types::F64, x),
        }
    }
}

fn int_ty(int: IntTy) -> ir::Type {
    ir::Type::int(int.bits() as u16).expect("an integer type has a register")
}

fn float_ty(shape: &LayoutKind) -> ir::Type {
    if matches!(shape, LayoutKind::Float(FloatTy::F32)) { types::F32 } else { types::F64 }
}
