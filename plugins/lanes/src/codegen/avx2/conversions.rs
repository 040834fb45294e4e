//! Floats as integers, and integers as floats, for which there are no instructions: halves of 32 bits are converted by adding what
//! moves them to the low bits of a float, or from there.

use iced_x86::Code;
use overdub_context::ir::IntTy;

use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::steps::spare;
use super::super::target::Steps;
use super::pool::{ONES, SHIFTED, SIGN, TWO_32, TWO_52, TWO_84, TWO_84_52, TWO_84_63_52, TWO_MINUS_32};
use super::{FIRST, OTHER, RESULT, SCRATCH_MASK, Writer};

const ADD: Code = Code::VEX_Vaddpd_ymm_ymm_ymmm256;
const SUB: Code = Code::VEX_Vsubpd_ymm_ymm_ymmm256;
const MUL: Code = Code::VEX_Vmulpd_ymm_ymm_ymmm256;
const ROUND: Code = Code::VEX_Vroundpd_ymm_ymmm256_imm8;
const COMPARE: Code = Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8;
const DOWN: u32 = 0b1001;
const TOWARDS_ZERO: u32 = 0b1011;

impl Writer<'_> {
    /// An integer as the nearest float: the upper half as the low bits of a float from 2^84 on, without 2^84 + 2^52, is exact, and so
    /// is the lower half with 2^52; their sum is rounded once. Signed integers are those from 2^63 less 2^63.
    pub(super) fn float_of(&mut self, is_signed: bool, d: Word, a: Word, to: (Mask, usize)) {
        let mut a = self.read(a, to.1, FIRST);
        if is_signed {
            self.two(Code::VEX_Vpxor_ymm_ymm_ymmm256, FIRST, a, self.every(SIGN));
            a = FIRST;
        }
        self.shifted(Code::VEX_Vpsrlq_ymm_ymm_imm8, OTHER, a, 32);
        self.two(Code::VEX_Vpor_ymm_ymm_ymmm256, OTHER, OTHER, self.every(TWO_84));
        self.two(SUB, OTHER, OTHER, self.every(if is_signed { TWO_84_63_52 } else { TWO_84_52 }));
        self.two_with(Code::VEX_Vpblendd_ymm_ymm_ymmm256_imm8, RESULT, a, self.every(TWO_52), 0xaa);
        self.two(ADD, RESULT, OTHER, Operand::Register(RESULT));
        self.finish(d, to);
    }

    /// A float as the nearest integer of a type towards zero; a `NaN` is 0.
    pub(super) fn as_int(&mut self, int: IntTy, d: Word, a: Word, to: (Mask, usize)) {
        let a = self.read(a, to.1, FIRST);
        let bits = int.bits().min(64) as i32;
        let is_wide = spare(int) == 0;
        // The greatest of 64 bits are no floats: `most` is the next power of two there.
        let (least, most) = if int.is_signed() {
            (-(2_f64.powi(bits - 1)), 2_f64.powi(bits - 1) - 1.0)
        } else {
            (0.0, 2_f64.powi(bits) - 1.0)
        };
        self.broadcast(RESULT, least.to_bits());
        self.two(Code::VEX_Vmaxpd_ymm_ymm_ymmm256, RESULT, a, Operand::Register(RESULT));
        if !is_wide {
            self.broadcast(OTHER, most.to_bits());
            self.two(Code::VEX_Vminpd_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(OTHER));
        }
        self.one_with(ROUND, RESULT, Operand::Register(RESULT), TOWARDS_ZERO);
        if is_wide {
            self.halves_to_int();
            self.broadcast(OTHER, most.to_bits());
            self.two_with(COMPARE, OTHER, a, Operand::Register(OTHER), 0x1d);
            let mut greatest = self.every(ONES);
            if int.is_signed() {
                self.broadcast(SCRATCH_MASK, i64::MAX as u64);
                greatest = Operand::Register(SCRATCH_MASK);
            }
            self.blend(RESULT, RESULT, greatest, OTHER);
        } else {
            self.low_bits();
        }
        self.two_with(COMPARE, OTHER, a, Operand::Register(a), 7);
        self.two(Code::VEX_Vandpd_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(OTHER));
        self.finish(d, to);
    }

    /// A whole number of up to 51 bits as an integer.
    fn low_bits(&mut self) {
        self.two(ADD, RESULT, RESULT, self.every(SHIFTED));
        self.two(Code::VEX_Vpsubq_ymm_ymm_ymmm256, RESULT, RESULT, self.every(SHIFTED));
    }

    /// A whole number of up to 64 bits as an integer. All is exact: the lower half is what the upper one leaves.
    fn halves_to_int(&mut self) {
        self.two(MUL, OTHER, RESULT, self.every(TWO_MINUS_32));
        self.one_with(ROUND, OTHER, Operand::Register(OTHER), DOWN);
        self.two(MUL, SCRATCH_MASK, OTHER, self.every(TWO_32));
        self.two(SUB, RESULT, RESULT, Operand::Register(SCRATCH_MASK));
        self.low_bits();
        self.two(ADD, OTHER, OTHER, self.every(SHIFTED));
        // What moved it is shifted out.
        self.shifted(Code::VEX_Vpsllq_ymm_ymm_imm8, OTHER, OTHER, 32);
        self.two(Code::VEX_Vpaddq_ymm_ymm_ymmm256, RESULT, RESULT, Operand::Register(OTHER));
    }
}
