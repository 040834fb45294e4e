//! Operations on scalar floats, with results equal to the evaluators' to the bit.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, Opcode, types};
use overdub_context::ir::{FloatTy, Ty};
use smallvec::smallvec;

use crate::codegen::constant_pool::{is_x86, memory_operand};
use crate::codegen::func_cx::FuncCx;
use crate::codegen::lower::OpInst;
use crate::codegen::lower::comparisons::Class;
use crate::codegen::operands::Values;
use crate::runtime::float_functions::{self, Callable, FloatFunction};
use crate::runtime::libcalls::libcall;

/// Higher powers are computed by a call.
const HIGHEST_POWER: u32 = 32;

/// A mask of all bits but the sign.
pub(in crate::codegen) const REST: f64 = f64::from_bits(!SIGN.to_bits());

/// The sign bit.
pub(in crate::codegen) const SIGN: f64 = -0.0;

/// How an operation changes the sign of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Sign {
    Flip,
    Clear,
}

/// Which one of two floats is the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::codegen) enum Extreme {
    Min,
    Max,
}

impl FuncCx<'_> {
    /// The type of the operands, if all are scalar floats of one type.
    fn float_operands(&self, inst: &OpInst<'_>) -> Option<FloatTy> {
        let ty = self.ty(inst.args.first()?);
        let Some(Class::Float(float)) = Class::of(ty) else { return None };
        inst.args.iter().all(|arg| self.ty(arg) == ty).then_some(float)
    }

    /// An operation on one float that is one instruction.
    pub(in crate::codegen) fn float_unary(&mut self, inst: &OpInst<'_>, opcode: Opcode) -> Option<Values> {
        self.float_operands(inst)?;
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        let ty = self.b.func.dfg.value_type(x);
        let (made, dfg) = self.b.ins().Unary(opcode, ty, x);
        Some(smallvec![dfg.first_result(made)])
    }

    /// `neg`, `abs`: by a mask that stays in a register, since Cranelift rematerialises its own in each iteration.
    pub(in crate::codegen) fn float_sign(&mut self, inst: &OpInst<'_>, change: Sign) -> Option<Values> {
        let float = self.float_operands(inst)?;
        if float != FloatTy::F64 || !is_x86(self.isa) {
            let opcode = if change == Sign::Flip { Opcode::Fneg } else { Opcode::Fabs };
            return self.float_unary(inst, opcode);
        }
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        Some(smallvec![match change {
            Sign::Flip => {
                let sign = self.f64_constant(SIGN);
                self.b.ins().bxor(x, sign)
            }
            Sign::Clear => {
                let rest = self.f64_constant(REST);
                self.b.ins().band(x, rest)
            }
        }])
    }

    /// `floor`, `ceil` and so on: an instruction if the machine has it, else a call.
    pub(in crate::codegen) fn rounding(&mut self, inst: &OpInst<'_>, opcode: Opcode) -> Option<Values> {
        if self.has_rounding() { self.float_unary(inst, opcode) } else { self.named_float_function(inst) }
    }

    /// `recip`.
    pub(in crate::codegen) fn recip(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let float = self.float_operands(inst)?;
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        let one = match float {
            FloatTy::F32 => self.b.ins().f32const(1.0),
            FloatTy::F64 => self.f64_constant(1.0),
        };
        Some(smallvec![self.b.ins().fdiv(one, x)])
    }

    /// `is_nan`.
    pub(in crate::codegen) fn is_nan(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        self.float_operands(inst)?;
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        Some(smallvec![self.b.ins().fcmp(FloatCC::Unordered, x, x)])
    }

    /// `to_bits`.
    pub(in crate::codegen) fn lower_to_bits(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let float = self.float_operands(inst)?;
        let [x] = inst.args else { return None };
        let x = self.scalar(x);
        let bits = if float == FloatTy::F32 { types::I32 } else { types::I64 };
        Some(smallvec![self.b.ins().bitcast(bits, MemFlagsData::new(), x)])
    }

    /// Whether rounding is an instruction.
    fn has_rounding(&self) -> bool {
        !is_x86(self.isa)
            || self
                .isa
                .isa_flags()
                .iter()
                .any(|flag| flag.name == "has_sse41" && flag.as_bool() == Some(true))
    }

    /// The operands of an operation on two floats, and which of them may be a memory operand.
    fn float_pair(&mut self, inst: &OpInst<'_>) -> Option<([ir::Value; 2], Option<usize>)> {
        self.float_operands(inst)?;
        let [_, _] = inst.args else { return None };
        let in_memory = memory_operand(inst.op, inst.args);
        Some((self.floats(inst.args, in_memory), in_memory))
    }

    /// An operation on two floats that is one instruction.
    pub(in crate::codegen) fn float_binary(&mut self, inst: &OpInst<'_>, opcode: Opcode) -> Option<Values> {
        let ([x, y], in_memory) = self.float_pair(inst)?;
        let commutes = matches!(opcode, Opcode::Fadd | Opcode::Fmul);
        let (x, y) = if commutes && in_memory == Some(0) { (y, x) } else { (x, y) };
        Some(smallvec![self.binary_inst(opcode, x, y)])
    }

    /// `mul.zero`.
    pub(in crate::codegen) fn float_mul_zero(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let ([x, y], _) = self.float_pair(inst)?;
        Some(smallvec![self.product_or_zero(x, y)])
    }

    /// `min`, `max`.
    pub(in crate::codegen) fn float_extreme(&mut self, inst: &OpInst<'_>, of: Extreme) -> Option<Values> {
        let ([x, y], in_memory) = self.float_pair(inst)?;
        let (x, y) = if in_memory == Some(1) { (y, x) } else { (x, y) };
        let either = self.extreme(of, x, y);
        // A constant operand, which is a number, comes first.
        Some(smallvec![if in_memory.is_some() { either } else { self.number_of(x, y, either) }])
    }

    /// The product, or 0 if a factor is 0: the factors are tested only if the product is NaN.
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
        let selected = self.b.ins().select(is_zero, zero, product);
        self.b.ins().jump(after, &[BlockArg::Value(selected)]);
        self.b.switch_to_block(after);
        result
    }

    /// The lesser or the greater of two floats; the first if they are equal or unordered. This form matches
    /// Cranelift's rule for the single instruction.
    fn extreme(&mut self, of: Extreme, x: ir::Value, y: ir::Value) -> ir::Value {
        let second = match of {
            Extreme::Min => self.b.ins().fcmp(FloatCC::LessThan, y, x),
            Extreme::Max => self.b.ins().fcmp(FloatCC::LessThan, x, y),
        };
        self.b.ins().select(second, y, x)
    }

    /// The result of `min` and `max`: the operand that is a number; if both are equal, the first, as in
    /// rustc's code.
    fn number_of(&mut self, x: ir::Value, y: ir::Value, either: ir::Value) -> ir::Value {
        let is_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
        self.b.ins().select(is_nan, y, either)
    }

    /// A function of floats, called by its address.
    pub(in crate::codegen) fn float_function(
        &mut self,
        inst: &OpInst<'_>,
        function: FloatFunction,
    ) -> Option<Values> {
        let float = self.float_operands(inst)?;
        self.call_of_floats(inst, function(float))
    }

    /// An operation that is itself a function of floats, called by its address.
    pub(in crate::codegen) fn named_float_function(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let float = self.float_operands(inst)?;
        self.call_of_floats(inst, float_functions::of_op(inst.op, float)?)
    }

    fn call_of_floats(&mut self, inst: &OpInst<'_>, Callable { libcall, arity }: Callable) -> Option<Values> {
        if arity != inst.args.len() || inst.ret != self.ty(&inst.args[0]) {
            return None;
        }
        let args: Values = inst.args.iter().map(|arg| self.scalar(arg)).collect();
        let ty = self.b.func.dfg.value_type(args[0]);
        Some(smallvec![self.libcall(libcall, &args, Some(ty)).expect("it gives a float")])
    }

    /// `powi`: by multiplications if the power is a small constant.
    pub(in crate::codegen) fn powi(&mut self, inst: &OpInst<'_>) -> Option<Values> {
        let [x, n] = inst.args else { return None };
        let Some(Class::Float(float)) = Class::of(self.ty(x)) else { return None };
        if self.ty(n) != Ty::i32() {
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
        let (powi, ty) = match float {
            FloatTy::F32 => (libcall!(float_functions::powi32), types::F32),
            FloatTy::F64 => (libcall!(float_functions::powi64), types::F64),
        };
        Some(smallvec![self.libcall(powi, &[x, n], Some(ty)).expect("it gives a float")])
    }

    /// A power by squaring, multiplying in the order of the library.
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
