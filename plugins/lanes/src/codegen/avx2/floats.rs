//! Arithmetic of floats.

use iced_x86::{Code, Instruction, Register};

use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::target::Steps;
use super::pool::{MAGNITUDE, SIGN};
use super::{FIRST, OTHER, RESULT, SCRATCH_MASK, Writer};
use crate::program::{Binary, Unary};

/// What comparisons are told: for equal numbers, and if one is `NaN`.
const EQUAL: u32 = 0;
const UNORDERED: u32 = 3;

impl Writer<'_> {
    pub(super) fn unary(&mut self, op: Unary, d: Word, a: Word, to: (Mask, usize)) {
        let (lanes, vector) = to;
        match op {
            Unary::FromSigned => self.float_of(true, d, a, to),
            Unary::FromUnsigned => self.float_of(false, d, a, to),
            Unary::Sqrt => {
                let (target, a) = (self.target(d, lanes, vector), self.operand(a, vector));
                self.one(Code::VEX_Vsqrtpd_ymm_ymmm256, target, a);
                self.written(d, lanes, vector, target);
            }
            _ => {
                let a = self.read(a, vector, FIRST);
                let (code, bits) = match op {
                    Unary::Neg => (Code::VEX_Vxorpd_ymm_ymm_ymmm256, SIGN),
                    _ => (Code::VEX_Vandpd_ymm_ymm_ymmm256, MAGNITUDE),
                };
                self.simple(code, d, (a, self.every(bits)), to);
            }
        }
    }

    pub(super) fn binary(&mut self, op: Binary, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let code = match op {
            Binary::Add => Code::VEX_Vaddpd_ymm_ymm_ymmm256,
            Binary::Sub => Code::VEX_Vsubpd_ymm_ymm_ymmm256,
            Binary::Mul => Code::VEX_Vmulpd_ymm_ymm_ymmm256,
            Binary::Div => Code::VEX_Vdivpd_ymm_ymm_ymmm256,
            Binary::And => Code::VEX_Vpand_ymm_ymm_ymmm256,
            Binary::Or => Code::VEX_Vpor_ymm_ymm_ymmm256,
            Binary::Xor => Code::VEX_Vpxor_ymm_ymm_ymmm256,
            Binary::MulZero | Binary::Powf => return self.mul_zero([d, a, b], to),
        };
        let (a, b) = (self.read(a, to.1, FIRST), self.operand(b, to.1));
        self.simple(code, d, (a, b), to);
    }

    /// The product, which is zero where a factor is.
    fn mul_zero(&mut self, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let (a, b) = (self.read(a, to.1, FIRST), self.operand(b, to.1));
        let compare = Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8;
        self.two(Code::VEX_Vmulpd_ymm_ymm_ymmm256, RESULT, a, b);
        self.two_with(compare, OTHER, RESULT, Operand::Register(RESULT), UNORDERED);
        let done = self.asm.label();
        self.asm.made(Instruction::with2(Code::VEX_Vmovmskpd_r32_ymm, Register::EAX, OTHER));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
        self.asm.branch(Code::Je_rel32_64, done);
        let (zero, found) = (SCRATCH_MASK, FIRST);
        self.two(Code::VEX_Vxorpd_ymm_ymm_ymmm256, zero, zero, Operand::Register(zero));
        self.two_with(compare, found, a, Operand::Register(zero), EQUAL);
        self.two_with(compare, zero, zero, b, EQUAL);
        self.two(Code::VEX_Vorpd_ymm_ymm_ymmm256, found, found, Operand::Register(zero));
        self.two(Code::VEX_Vandpd_ymm_ymm_ymmm256, found, found, Operand::Register(OTHER));
        self.two(Code::VEX_Vandnpd_ymm_ymm_ymmm256, RESULT, found, Operand::Register(RESULT));
        self.asm.bind(done);
        self.finish(d, to);
    }

    /// The lesser or the greater one; the other one if one is `NaN`.
    pub(super) fn extreme(&mut self, is_least: bool, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let other = self.operand(b, to.1);
        let (a, b) = (self.read(a, to.1, FIRST), self.read(b, to.1, RESULT));
        let code = if is_least { Code::VEX_Vminpd_ymm_ymm_ymmm256 } else { Code::VEX_Vmaxpd_ymm_ymm_ymmm256 };
        // The instruction gives its second operand if one is `NaN`, or both are zeros.
        self.two(code, RESULT, b, Operand::Register(a));
        self.two_with(Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, OTHER, a, Operand::Register(a), UNORDERED);
        self.blend(RESULT, RESULT, other, OTHER);
        self.finish(d, to);
    }
}
