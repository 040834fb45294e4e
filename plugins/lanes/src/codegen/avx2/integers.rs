//! Arithmetic of integers.

use iced_x86::{Code, Register};
use overdub_context::ir::IntTy;

use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::steps::{of_floats, spare};
use super::super::target::Steps;
use super::pool::{BELOW, HALF, SIGN};
use super::{FIRST, OTHER, RESULT, SCRATCH_MASK, Writer};
use crate::program::{Arith, Compared, Relation};

/// Among the words that code reads, the number of what is for integers of 8 bits, then of 16, and of 32.
fn width(int: IntTy) -> usize {
    int.bits().trailing_zeros() as usize - 3
}

const ADD: Code = Code::VEX_Vpaddq_ymm_ymm_ymmm256;
const SUB: Code = Code::VEX_Vpsubq_ymm_ymm_ymmm256;
const AND: Code = Code::VEX_Vpand_ymm_ymm_ymmm256;
const XOR: Code = Code::VEX_Vpxor_ymm_ymm_ymmm256;
const EQUAL: Code = Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256;
const GREATER: Code = Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256;

impl Writer<'_> {
    /// The 64 bits of a sum, a difference or a product, as a result; the first operand is in the register that is returned.
    pub(super) fn exact(&mut self, (op, int): (Arith, IntTy), a: Word, b: Word, vector: usize) -> Register {
        let (a, b) = (self.read(a, vector, FIRST), self.operand(b, vector));
        let code = match op {
            Arith::Add => ADD,
            Arith::Sub => SUB,
            // Shorter integers, extended, are in the lower halves.
            Arith::Mul if spare(int) >= 32 && int.is_signed() => Code::VEX_Vpmuldq_ymm_ymm_ymmm256,
            Arith::Mul if spare(int) >= 32 => Code::VEX_Vpmuludq_ymm_ymm_ymmm256,
            Arith::Mul => {
                self.product(a, b);
                return a;
            }
        };
        self.two(code, RESULT, a, b);
        a
    }

    /// The lower 64 bits of a product, from those of products of halves.
    fn product(&mut self, a: Register, b: Operand) {
        self.one_with(Code::VEX_Vpshufd_ymm_ymmm256_imm8, RESULT, b, 0xb1);
        self.two(Code::VEX_Vpmulld_ymm_ymm_ymmm256, RESULT, a, Operand::Register(RESULT));
        self.shifted(Code::VEX_Vpsrlq_ymm_ymm_imm8, OTHER, RESULT, 32);
        self.two(ADD, RESULT, RESULT, Operand::Register(OTHER));
        self.shifted(Code::VEX_Vpsllq_ymm_ymm_imm8, RESULT, RESULT, 32);
        self.two(Code::VEX_Vpmuludq_ymm_ymm_ymmm256, OTHER, a, b);
        self.two(ADD, RESULT, RESULT, Operand::Register(OTHER));
    }

    /// Shifts each word by a number of bits.
    pub(super) fn shifted(&mut self, code: Code, d: Register, a: Register, by: u32) {
        self.one_with(code, d, Operand::Register(a), by);
    }

    /// Wraps a result to a type.
    pub(super) fn wrap(&mut self, int: IntTy) {
        if spare(int) == 0 {
            return;
        }
        let (below, half) = (self.every(BELOW + width(int)), self.every(HALF + width(int)));
        self.two(AND, RESULT, RESULT, below);
        if int.is_signed() {
            // Moves the upper half of the numbers below zero.
            self.two(XOR, RESULT, RESULT, half);
            self.two(SUB, RESULT, RESULT, half);
        }
    }

    pub(super) fn checked(&mut self, (op, int): (Arith, IntTy), [d, a, b]: [Word; 3], to: (Mask, usize)) {
        let first = self.exact((op, int), a, b, to.1);
        let (second, result) = (self.operand(b, to.1), Operand::Register(RESULT));
        if spare(int) > 0 {
            // Shorter integers, extended, do not overflow 64 bits: the result is one of them if it has no bits above.
            let mut tested = RESULT;
            if int.is_signed() {
                tested = FIRST;
                self.two(ADD, tested, RESULT, self.every(HALF + width(int)));
            }
            self.two(AND, OTHER, tested, self.every(BELOW + width(int)));
            self.two(EQUAL, OTHER, OTHER, Operand::Register(tested));
            self.fail_unless(OTHER, to);
        } else if int.is_signed() {
            // The sign of the sum is neither that of one operand nor of the other: (a ^ s) & (b ^ s); (a ^ b) & (a ^ s) of
            // differences.
            self.two(XOR, OTHER, first, second);
            self.two(XOR, FIRST, first, result);
            if op == Arith::Add {
                // b ^ s is (a ^ b) ^ (a ^ s).
                self.two(XOR, OTHER, OTHER, Operand::Register(FIRST));
            }
            self.two(AND, OTHER, OTHER, Operand::Register(FIRST));
            self.fail_if(OTHER, to);
        } else {
            let sign = self.every(SIGN);
            self.two(XOR, FIRST, first, sign);
            match op {
                // It is less than an operand.
                Arith::Add => self.two(XOR, OTHER, RESULT, sign),
                _ => {
                    self.move_to(OTHER, second);
                    self.two(XOR, OTHER, OTHER, sign);
                }
            }
            let (greater, less) = if op == Arith::Add { (FIRST, OTHER) } else { (OTHER, FIRST) };
            self.two(GREATER, OTHER, greater, Operand::Register(less));
            self.fail_if(OTHER, to);
        }
        self.finish(d, to);
    }

    /// A condition as a result, or its opposite: then it is true.
    pub(super) fn relation(
        &mut self,
        (relation, of): (Relation, Compared),
        [a, b]: [Word; 2],
        vector: usize,
    ) -> bool {
        let (first, second) = (self.operand(a, vector), self.operand(b, vector));
        if of == Compared::Floats {
            let a = self.read(a, vector, FIRST);
            self.two_with(Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, RESULT, a, second, of_floats(relation));
            return false;
        }
        if let Relation::Eq | Relation::Ne = relation {
            let a = self.read(a, vector, FIRST);
            self.two(EQUAL, RESULT, a, second);
            return relation == Relation::Ne;
        }
        let (mut greater, mut less) = match relation {
            Relation::Gt | Relation::Le => (first, second),
            _ => (second, first),
        };
        if of == Compared::Unsigned {
            for (operand, register) in [(&mut greater, FIRST), (&mut less, SCRATCH_MASK)] {
                let from = match *operand {
                    Operand::Register(from) => from,
                    memory @ Operand::Memory(_) => {
                        self.move_to(register, memory);
                        register
                    }
                };
                self.two(XOR, register, from, self.every(SIGN));
                *operand = Operand::Register(register);
            }
        }
        let greater = match greater {
            Operand::Register(register) => register,
            memory @ Operand::Memory(_) => {
                self.move_to(FIRST, memory);
                FIRST
            }
        };
        self.two(GREATER, RESULT, greater, less);
        matches!(relation, Relation::Le | Relation::Ge)
    }
}
