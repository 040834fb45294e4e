//! Arithmetic of integers, and floats as integers.

use iced_x86::{Code, Register};
use overdub_context::ir::IntTy;

use super::super::inst::{Mask, Word};
use super::super::operand::{Operand, Vector};
use super::super::steps::spare;
use super::super::target::{Masks, Steps};
use super::words::MOVE;
use super::{ABOVE, HALF, Writer};
use crate::program::Arith;

impl Writer<'_> {
    /// The 64 bits of a sum, a difference or a product, in `zmm30`; the first operand is in the register that is returned.
    pub(super) fn exact(&mut self, op: Arith, a: Word, b: Word, vector: usize) -> Register {
        let code = match op {
            Arith::Add => Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64,
            Arith::Sub => Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64,
            Arith::Mul => Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64,
        };
        let (a, b) = (self.read(a, vector, Register::ZMM29), self.operand(b, vector));
        self.vector().two(code, Register::ZMM30, a, b);
        a
    }

    /// Wraps what is in `zmm30` to a type.
    pub(super) fn wrap(&mut self, int: IntTy) {
        let spare = spare(int);
        if spare == 0 {
            return;
        }
        let back = if int.is_signed() {
            Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8
        } else {
            Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8
        };
        let now = Register::ZMM30;
        let from = Operand::Register(now);
        self.vector().one_with(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, now, from, spare);
        self.vector().one_with(back, now, from, spare);
    }

    pub(super) fn checked(&mut self, (op, int): (Arith, IntTy), [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let (lanes, vector) = to;
        let sum = Operand::Register(Register::ZMM30);
        let first = self.exact(op, a, b, vector);
        let compare = Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;
        if spare(int) > 0 {
            // Shorter integers, extended, do not overflow 64 bits: the result is one of them if it has no bits above.
            let width = int.bits().trailing_zeros() as usize - 3;
            let (mut tested, above) = (Register::ZMM30, self.every(ABOVE + width));
            if int.is_signed() {
                let half = self.every(HALF + width);
                tested = Register::ZMM31;
                self.vector().two(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, tested, Register::ZMM30, half);
            }
            let lanes = self.mask(lanes, vector, Register::K7);
            let some = Vector { asm: self.asm, lanes: Some(lanes) };
            some.two(Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64, Register::K7, tested, above);
        } else if int.is_signed() {
            // The sign of the sum is neither that of one operand nor of the other: (a ^ s) & (b ^ s); (a ^ b) & (a ^ s) of
            // differences, as truth tables of b, a and s.
            let second = self.operand(b, vector);
            self.move_to(Register::ZMM31, second);
            let table = if op == Arith::Add { 0x42 } else { 0x24 };
            let code = Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8;
            self.vector().two_with(code, Register::ZMM31, first, sum, table);
            let signs = Operand::Register(Register::ZMM31);
            self.vector().one(Code::EVEX_Vpmovq2m_kr_zmm, Register::K7, signs);
            let lanes = self.mask(lanes, vector, Register::K0);
            self.on_two(Code::VEX_Kandb_kr_kr_kr, Register::K7, Register::K7, lanes);
        } else {
            let (x, y) = match op {
                // It is less than an operand.
                Arith::Add => (Register::ZMM30, Operand::Register(first)),
                _ => (first, self.operand(b, vector)),
            };
            let lanes = self.mask(lanes, vector, Register::K7);
            let some = Vector { asm: self.asm, lanes: Some(lanes) };
            some.two_with(compare, Register::K7, x, y, 1);
        }
        self.fail_if_any();
        self.finish(d, to);
    }

    /// A float as the nearest integer of a type towards zero; a `NaN` is 0.
    pub(super) fn as_int(&mut self, int: IntTy, d: Word, a: Word, to: (Mask, usize)) {
        let vector = to.1;
        let a = self.read(a, vector, Register::ZMM29);
        let wide = spare(int) == 0;
        let (least, most): (f64, f64) = match (int.is_signed(), int.bits().min(64)) {
            (true, bits) => (-(2_f64.powi(bits as i32 - 1)), 2_f64.powi(bits as i32 - 1) - 1.0),
            (false, bits) => (0.0, 2_f64.powi(bits as i32) - 1.0),
        };
        // The greatest of 64 bits are no floats: `most` is the next power of two there.
        self.broadcast(Register::ZMM31, least.to_bits());
        let bound = Operand::Register(Register::ZMM31);
        self.vector().two(Code::EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae, Register::ZMM30, a, bound);
        self.broadcast(Register::ZMM31, most.to_bits());
        if !wide {
            let now = Register::ZMM30;
            self.vector().two(Code::EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae, now, now, bound);
        }
        let code = if int.is_signed() {
            Code::EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae
        } else {
            // What is too large becomes the greatest one.
            Code::EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae
        };
        self.vector().one(code, Register::ZMM30, Operand::Register(Register::ZMM30));
        let compare = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
        if wide && int.is_signed() {
            self.vector().two_with(compare, Register::K7, a, bound, 0x1d);
            self.broadcast(Register::ZMM31, i64::MAX as u64);
            let large = Vector { asm: self.asm, lanes: Some(Register::K7) };
            large.one(MOVE, Register::ZMM30, bound);
        }
        self.vector().two_with(compare, Register::K7, a, Operand::Register(a), 3);
        let nans = Vector { asm: self.asm, lanes: Some(Register::K7) };
        let same = Operand::Register(Register::ZMM30);
        nans.two(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, Register::ZMM30, Register::ZMM30, same);
        self.finish(d, to);
    }
}
