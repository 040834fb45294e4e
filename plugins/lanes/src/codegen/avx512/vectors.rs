//! The instructions of AVX-512 on registers and memory.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::asm::Asm;

/// What an instruction reads last: a register, or memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

/// A vector register.
pub(super) fn zmm(number: usize) -> Register {
    const ALL: [Register; 32] = [
        Register::ZMM0,
        Register::ZMM1,
        Register::ZMM2,
        Register::ZMM3,
        Register::ZMM4,
        Register::ZMM5,
        Register::ZMM6,
        Register::ZMM7,
        Register::ZMM8,
        Register::ZMM9,
        Register::ZMM10,
        Register::ZMM11,
        Register::ZMM12,
        Register::ZMM13,
        Register::ZMM14,
        Register::ZMM15,
        Register::ZMM16,
        Register::ZMM17,
        Register::ZMM18,
        Register::ZMM19,
        Register::ZMM20,
        Register::ZMM21,
        Register::ZMM22,
        Register::ZMM23,
        Register::ZMM24,
        Register::ZMM25,
        Register::ZMM26,
        Register::ZMM27,
        Register::ZMM28,
        Register::ZMM29,
        Register::ZMM30,
        Register::ZMM31,
    ];
    ALL[number]
}

/// A mask register.
pub(super) fn mask(number: usize) -> Register {
    const ALL: [Register; 8] = [
        Register::K0,
        Register::K1,
        Register::K2,
        Register::K3,
        Register::K4,
        Register::K5,
        Register::K6,
        Register::K7,
    ];
    ALL[number]
}

/// An instruction, and the lanes that it writes, if they are not all.
pub(super) struct Vector<'a> {
    pub(super) asm: &'a mut Asm,
    pub(super) lanes: Option<Register>,
}

impl Vector<'_> {
    fn put(self, made: Result<Instruction, iced_x86::IcedError>) {
        let lanes = self.lanes;
        self.asm.made(made.map(|mut instruction| {
            if let Some(lanes) = lanes {
                instruction.set_op_mask(lanes);
            }
            instruction
        }));
    }

    /// `d = op a`.
    pub(super) fn one(self, code: Code, d: Register, a: Operand) {
        let made = match a {
            Operand::Register(a) => Instruction::with2(code, d, a),
            Operand::Memory(a) => Instruction::with2(code, d, a),
        };
        self.put(made);
    }

    /// `d = op a` with a number.
    pub(super) fn one_with(self, code: Code, d: Register, a: Operand, number: u32) {
        let made = match a {
            Operand::Register(a) => Instruction::with3(code, d, a, number),
            Operand::Memory(a) => Instruction::with3(code, d, a, number),
        };
        self.put(made);
    }

    /// `d = a op b`.
    pub(super) fn two(self, code: Code, d: Register, a: Register, b: Operand) {
        let made = match b {
            Operand::Register(b) => Instruction::with3(code, d, a, b),
            Operand::Memory(b) => Instruction::with3(code, d, a, b),
        };
        self.put(made);
    }

    /// `d = a op b` with a number.
    pub(super) fn two_with(self, code: Code, d: Register, a: Register, b: Operand, number: u32) {
        let made = match b {
            Operand::Register(b) => Instruction::with4(code, d, a, b, number),
            Operand::Memory(b) => Instruction::with4(code, d, a, b, number),
        };
        self.put(made);
    }

    /// Stores a register.
    pub(super) fn store(self, to: MemoryOperand, from: Register) {
        self.put(Instruction::with2(Code::EVEX_Vmovapd_zmmm512_k1z_zmm, to, from));
    }
}
