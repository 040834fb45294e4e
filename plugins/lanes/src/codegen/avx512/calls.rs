//! What calls of functions need.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::frame::Frame;
use super::super::inst::Mask;
use super::super::operand::Operand;
use super::super::target::{Calls, Steps};
use super::words::MOVE;
use super::{Writer, at};

/// Where a mask register is kept, if it is one, or else a vector register.
fn slot(register: Register) -> (bool, MemoryOperand) {
    let number = register as usize;
    match number.checked_sub(Register::K0 as usize).filter(|number| *number < 8) {
        Some(mask) => (true, at(Register::RCX, Frame::MASKS + mask * 8)),
        None => (false, at(Register::RCX, Frame::VECTORS + (number - Register::ZMM0 as usize) * 64)),
    }
}

impl Calls for Writer<'_> {
    fn register_of(&self, mask: Mask, vector: usize) -> Option<Register> {
        match self.masks[mask as usize] {
            Loc::Register(unit) => Some(self.mask_register(unit, vector)),
            Loc::Memory => None,
        }
    }

    fn keep(&mut self, register: Register) {
        match slot(register) {
            (true, slot) => self.asm.made(Instruction::with2(Code::VEX_Kmovb_m8_kr, slot, register)),
            (false, slot) => self.store_whole(slot, register),
        }
    }

    fn restore(&mut self, register: Register) {
        match slot(register) {
            (true, slot) => self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, register, slot)),
            (false, slot) => self.vector().one(MOVE, register, Operand::Memory(slot)),
        }
    }
}
