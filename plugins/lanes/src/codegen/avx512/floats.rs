//! Arithmetic of floats.

use iced_x86::{Code, Register};

use super::super::inst::{Mask, Word};
use super::super::operand::{Operand, Vector};
use super::super::target::Steps;
use super::words::MOVE;
use super::{MAGNITUDE, SIGN, Writer, ZERO};
use crate::program::{Binary, Unary};

impl Writer<'_> {
    pub(super) fn unary(&mut self, op: Unary, d: Word, a: Word, to: (Mask, usize)) {
        let (lanes, vector) = to;
        let code = match op {
            Unary::Sqrt => Code::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er,
            Unary::FromSigned => Code::EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er,
            Unary::FromUnsigned => Code::EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er,
            _ => {
                let a = self.read(a, vector, Register::ZMM30);
                let (code, bits) = match op {
                    Unary::Neg => (Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, SIGN),
                    _ => (Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, MAGNITUDE),
                };
                let bits = self.every(bits);
                return self.simple(code, d, (a, bits), to);
            }
        };
        let a = self.operand(a, vector);
        let target = self.target(d, lanes, vector);
        Vector { asm: self.asm, lanes: target.lanes }.one(code, target.register, a);
        self.written(d, lanes, vector, target.register);
    }

    pub(super) fn binary(&mut self, op: Binary, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let code = match op {
            Binary::Add => Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er,
            Binary::Sub => Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er,
            Binary::Mul => Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er,
            Binary::Div => Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er,
            Binary::And => Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64,
            Binary::Or => Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64,
            Binary::Xor => Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
            Binary::MulZero | Binary::Powf => return self.mul_zero([d, a, b], to),
        };
        let (a, b) = (self.read(a, to.1, Register::ZMM30), self.operand(b, to.1));
        self.simple(code, d, (a, b), to);
    }

    /// The product, which is zero where a factor is.
    pub(super) fn mul_zero(&mut self, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let (a, b) = (self.read(a, to.1, Register::ZMM29), self.read(b, to.1, Register::ZMM31));
        let product = Register::ZMM30;
        self.vector().two(Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er, product, a, Operand::Register(b));
        let compare = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
        self.vector().two_with(compare, Register::K7, product, Operand::Register(product), 3);
        let done = self.asm.label();
        self.on_test(Register::K7);
        self.asm.branch(Code::Je_rel32_64, done);
        let zero = self.every(ZERO);
        for (factor, found) in [(a, Register::K0), (b, Register::K7)] {
            let nans = Vector { asm: self.asm, lanes: Some(Register::K7) };
            nans.two_with(compare, found, factor, zero, 0);
        }
        self.on_two(Code::VEX_Korb_kr_kr_kr, Register::K7, Register::K7, Register::K0);
        let zeros = Vector { asm: self.asm, lanes: Some(Register::K7) };
        let same = Operand::Register(product);
        zeros.two(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, product, product, same);
        self.asm.bind(done);
        self.finish(d, to);
    }

    /// The lesser or the greater one; the other one if one is `NaN`.
    pub(super) fn extreme(&mut self, is_least: bool, [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let (a, b) = (self.read(a, to.1, Register::ZMM29), self.read(b, to.1, Register::ZMM31));
        let code = if is_least {
            Code::EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae
        } else {
            Code::EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae
        };
        // The instruction gives its second operand if one is `NaN`, or both are zeros.
        self.vector().two(code, Register::ZMM30, b, Operand::Register(a));
        let compare = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
        self.vector().two_with(compare, Register::K7, a, Operand::Register(a), 3);
        let nans = Vector { asm: self.asm, lanes: Some(Register::K7) };
        nans.one(MOVE, Register::ZMM30, Operand::Register(b));
        self.finish(d, to);
    }
}
