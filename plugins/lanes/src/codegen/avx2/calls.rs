//! What calls of functions need.

use iced_x86::{MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::frame::Frame;
use super::super::inst::Mask;
use super::super::operand::Operand;
use super::super::target::{Calls, Steps};
use super::super::writer::at;
use super::Writer;

/// Where a register is kept.
fn slot(register: Register) -> MemoryOperand {
    at(Register::RCX, Frame::VECTORS + (register as usize - Register::YMM0 as usize) * 64)
}

impl Calls for Writer<'_> {
    fn register_of(&self, mask: Mask, vector: usize) -> Option<Register> {
        match self.masks[mask as usize] {
            Loc::Register(unit) => Some(self.register(unit, vector)),
            Loc::Memory => None,
        }
    }

    fn keep(&mut self, register: Register) {
        self.store(slot(register), register);
    }

    fn restore(&mut self, register: Register) {
        self.move_to(register, Operand::Memory(slot(register)));
    }
}
