//! Instructions on vectors.

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

use super::asm::Asm;

/// What an instruction reads last: a register, or memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

/// An instruction, and the lanes that it writes, if they are not all.
pub(super) struct Vector<'a> {
    pub(super) asm: &'a mut Asm,
    pub(super) lanes: Option<Register>,
}

impl Vector<'_> {
    fn put(self, made: Result<Instruction, IcedError>) {
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
    pub(super) fn store(self, code: Code, to: MemoryOperand, from: Register) {
        self.put(Instruction::with2(code, to, from));
    }
}
