//! The instructions of AVX2 on registers and memory.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::operand::Operand;
use super::Writer;
use super::pool::SHIFTS;

/// The low half of a vector register.
pub(super) fn xmm(register: Register) -> Register {
    Register::XMM0 + (register as u32 - Register::YMM0 as u32)
}

impl Writer<'_> {
    /// `d = op a`.
    pub(super) fn one(&mut self, code: Code, d: Register, a: Operand) {
        self.vector().one(code, d, a);
    }

    /// `d = op a` with a number.
    pub(super) fn one_with(&mut self, code: Code, d: Register, a: Operand, number: u32) {
        self.vector().one_with(code, d, a, number);
    }

    /// `d = a op b`.
    pub(super) fn two(&mut self, code: Code, d: Register, a: Register, b: Operand) {
        self.vector().two(code, d, a, b);
    }

    /// `d = a op b` with a number.
    pub(super) fn two_with(&mut self, code: Code, d: Register, a: Register, b: Operand, number: u32) {
        self.vector().two_with(code, d, a, b, number);
    }

    pub(super) fn store(&mut self, to: MemoryOperand, from: Register) {
        self.vector().store(Code::VEX_Vmovapd_ymmm256_ymm, to, from);
    }

    /// `b` for the lanes of a mask, `a` for others.
    pub(super) fn blend(&mut self, d: Register, a: Register, b: Operand, mask: Register) {
        let code = Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm;
        self.asm.made(match b {
            Operand::Register(b) => Instruction::with4(code, d, a, b, mask),
            Operand::Memory(b) => Instruction::with4(code, d, a, b, mask),
        });
    }

    /// A word that code reads, for all lanes.
    pub(super) fn every(&self, number: usize) -> Operand {
        Operand::Memory(MemoryOperand::with_base_displ(Register::RIP, number as i64 * 32))
    }

    /// The same word for all lanes.
    pub(super) fn broadcast(&mut self, to: Register, word: u64) {
        self.asm.made(Instruction::with2(Code::Mov_r64_imm64, Register::RAX, word));
        self.asm.made(Instruction::with2(Code::VEX_Vmovq_xmm_rm64, xmm(to), Register::RAX));
        self.one(Code::VEX_Vpbroadcastq_ymm_xmmm64, to, Operand::Register(xmm(to)));
    }

    /// The mask of four bits of `eax`, from a multiple of four on.
    pub(super) fn spread(&mut self, to: Register, vector: usize) {
        self.asm.made(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, xmm(to), Register::EAX));
        self.one(Code::VEX_Vpbroadcastq_ymm_xmmm64, to, Operand::Register(xmm(to)));
        let shifts = self.every(SHIFTS + vector);
        self.two(Code::VEX_Vpsllvq_ymm_ymm_ymmm256, to, to, shifts);
    }
}
