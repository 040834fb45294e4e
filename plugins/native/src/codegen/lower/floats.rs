//! Operations on scalar floats, to the bit as the evaluators compute them.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use overdub_context::ir::{FloatTy, Ty};
use smallvec::smallvec;

use crate::codegen::constant_pool::{is_x86, memory_operand};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::lower::integers::Class;
use crate::codegen::operands::Values;
use crate::runtime::libcalls;

/// Higher powers are the library's to compute.
const HIGHEST_POWER: u32 = 32;

/// All bits of a float but its sign.
pub(in crate::codegen) const REST: f64 = f64::from_bits(!SIGN.to_bits());

/// The sign of a float.
pub(in crate::codegen) const SIGN: f64 = -0.0;

impl FuncCx<'_> {
    /// An operation whose operands are scalar floats.
    pub(in crate::codegen) fn float_op(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let ty = self.ty(inst.args.first()?);
        let Some(Class::Float(float)) = Class::of(ty) else { return None };
        if inst.op.name == "powi" {
            return self.powi(inst, float);
        }
        if inst.args.iter().any(|arg| self.ty(arg) != ty) {
            return None;
        }
        match *inst.args {
            [ref x] => self.unary(inst, float, x),
            [_, _] => self.binary(inst),
            _ => None,
        }
        .or_else(|| self.function(inst, float))
    }

    fn unary(
        &mut self,
        inst: &OpInst<'_>,
        float: FloatTy,
        x: &overdub_context::ir::Operand,
    ) -> Option<Values> {
        let known =
            ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "round_ties_even", "recip", "is_nan", "to_bits"];
        if !known.contains(&inst.op.name) {
            return None;
        }
        let rounds = matches!(inst.op.name, "floor" | "ceil" | "trunc" | "round_ties_even");
        if rounds && !self.has_rounding() {
            return None;
        }
        let x = self.scalar(x);
        Some(smallvec![match inst.op.name {
            // By a mask that stays in its register: Cranelift would make its own anew in each round of a loop.
            "neg" if float == FloatTy::F64 && is_x86(self.isa) => {
                let sign = self.f64_constant(SIGN);
                self.b.ins().bxor(x, sign)
            }
            "neg" => self.b.ins().fneg(x),
            "abs" if float == FloatTy::F64 && is_x86(self.isa) => {
                let rest = self.f64_constant(REST);
                self.b.ins().band(x, rest)
            }
            "abs" => self.b.ins().fabs(x),
            "sqrt" => self.b.ins().sqrt(x),
            "floor" => self.b.ins().floor(x),
            "ceil" => self.b.ins().ceil(x),
            "trunc" => self.b.ins().trunc(x),
            "round_ties_even" => self.b.ins().nearest(x),
            "recip" => {
                let one = match float {
                    FloatTy::F32 => self.b.ins().f32const(1.0),
                    FloatTy::F64 => self.f64_constant(1.0),
                };
                self.b.ins().fdiv(one, x)
            }
            "is_nan" => self.b.ins().fcmp(FloatCC::Unordered, x, x),
            _ => {
                let bits = if float == FloatTy::F32 { types::I32 } else { types::I64 };
                self.b.ins().bitcast(bits, MemFlagsData::new(), x)
            }
        }])
    }

    /// Whether rounding is an instruction and no call.
    fn has_rounding(&self) -> bool {
        !is_x86(self.isa)
            || self
                .isa
                .isa_flags()
                .iter()
                .any(|flag| flag.name == "has_sse41" && flag.as_bool() == Some(true))
    }

    fn binary(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        if !matches!(inst.op.name, "add" | "sub" | "mul" | "mul.zero" | "div" | "min" | "max" | "copysign") {
            return None;
        }
        let memory_operand = memory_operand(inst.op.name, inst.args);
        let [x, y] = self.floats(inst.args, memory_operand);
        let (x, y) = match (inst.op.name, memory_operand) {
            ("add" | "mul", Some(0)) | ("min" | "max", Some(1)) => (y, x),
            _ => (x, y),
        };
        Some(smallvec![match inst.op.name {
            "add" => self.b.ins().fadd(x, y),
            "sub" => self.b.ins().fsub(x, y),
            "mul" => self.b.ins().fmul(x, y),
            "mul.zero" => self.product_or_zero(x, y),
            "div" => self.b.ins().fdiv(x, y),
            "copysign" => self.b.ins().fcopysign(x, y),
            name => {
                let either = self.extreme(name, x, y);
                // A constant that is a number comes first.
                if memory_operand.is_some() { either } else { self.number_of(x, y, either) }
            }
        }])
    }

    /// The product, which is 0 where a factor is, whatever the other one: only where it is not a number has that to be
    /// asked.
    fn product_or_zero(&mut self, x: ir::Value, y: ir::Value) -> ir::Value {
        let product = self.b.ins().fmul(x, y);
        let ty = self.b.func.dfg.value_type(x);
        let zero = if ty == types::F32 { self.b.ins().f32const(0.0) } else { self.b.ins().f64const(0.0) };
        let is_number = self.b.ins().fcmp(FloatCC::Ordered, product, product);
        let (strange, after) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(strange);
        let result = self.b.append_block_param(after, ty);
        self.b.ins().brif(is_number, after, &[BlockArg::Value(product)], strange, &[]);
        self.b.switch_to_block(strange);
        let [x_is_zero, y_is_zero] = [x, y].map(|factor| self.b.ins().fcmp(FloatCC::Equal, factor, zero));
        let is_zero = self.b.ins().bor(x_is_zero, y_is_zero);
        let made = self.b.ins().select(is_zero, zero, product);
        self.b.ins().jump(after, &[BlockArg::Value(made)]);
        self.b.switch_to_block(after);
        result
    }

    /// The lesser or the greater one of two floats: the first if they are equal, or if one of them is not a number. Written so
    /// that Cranelift knows the one instruction that does it.
    fn extreme(&mut self, name: &str, x: ir::Value, y: ir::Value) -> ir::Value {
        let second = match name {
            "min" => self.b.ins().fcmp(FloatCC::LessThan, y, x),
            _ => self.b.ins().fcmp(FloatCC::LessThan, x, y),
        };
        self.b.ins().select(second, y, x)
    }

    /// What `min` and `max` give: the operand that is a number; of equal ones the first, as rustc's code has it.
    fn number_of(&mut self, x: ir::Value, y: ir::Value, either: ir::Value) -> ir::Value {
        let is_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
        self.b.ins().select(is_nan, y, either)
    }

    /// A function of the library, called by its address.
    fn function(&mut self, inst: &OpInst<'_>, float: FloatTy) -> Option<Values> {
        let (address, arity) = match float {
            FloatTy::F32 => libcalls::f32_function(inst.op.name),
            FloatTy::F64 => libcalls::f64_function(inst.op.name),
        }?;
        if arity != inst.args.len() || inst.ret != self.layout(&inst.args[0]).ty {
            return None;
        }
        let args: Values = inst.args.iter().map(|arg| self.scalar(arg)).collect();
        let ty = self.b.func.dfg.value_type(args[0]);
        Some(smallvec![self.libcall(address, &args, Some(ty)).expect("it gives a float")])
    }

    /// A fast function on a float, called by its address.
    pub(in crate::codegen) fn fast_function(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [arg] = inst.args else { return None };
        let Some(Class::Float(float)) = Class::of(self.ty(arg)) else { return None };
        let address = libcalls::fast_function(inst.op, float)?;
        let x = self.scalar(arg);
        let ty = self.b.func.dfg.value_type(x);
        Some(smallvec![self.libcall(address, &[x], Some(ty)).expect("it gives a float")])
    }

    fn powi(&mut self, inst: &OpInst<'_>, float: FloatTy) -> Option<Values> {
        let [x, n] = inst.args else { return None };
        if self.layout(n).ty != Ty::i32() {
            return None;
        }
        if let Some((_, known)) = n.constant().and_then(|n| n.value().as_int())
            && let Ok(known) = i32::try_from(known)
            && known.unsigned_abs() <= HIGHEST_POWER
        {
            let x = self.scalar(x);
            return Some(smallvec![self.known_power(x, known)]);
        }
        let (x, n) = (self.scalar(x), self.scalar(n));
        let (address, ty) = match float {
            FloatTy::F32 => (libcalls::powi32 as *const u8, types::F32),
            FloatTy::F64 => (libcalls::powi64 as *const u8, types::F64),
        };
        Some(smallvec![self.libcall(address, &[x, n], Some(ty)).expect("it gives a float")])
    }

    /// A power by squaring, in the order in which the library multiplies.
    fn known_power(&mut self, x: ir::Value, n: i32) -> ir::Value {
        let one = match self.b.func.dfg.value_type(x) {
            types::F32 => self.b.ins().f32const(1.0),
            _ => self.f64_constant(1.0),
        };
        let (mut left, mut square, mut power) = (n.unsigned_abs(), x, None);
        loop {
            if left & 1 == 1 {
                power = Some(match power {
                    None => square,
                    Some(power) => self.b.ins().fmul(power, square),
                });
            }
            left /= 2;
            if left == 0 {
                break;
            }
            square = self.b.ins().fmul(square, square);
        }
        let power = power.unwrap_or(one);
        if n < 0 { self.b.ins().fdiv(one, power) } else { power }
    }
}
