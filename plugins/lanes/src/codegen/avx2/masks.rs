//! Masks as vectors of which the signs count.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::frame::Frame;
use super::super::inst::{Inst, Kind, Mask};
use super::super::operand::Operand;
use super::super::target::{Masks, Steps};
use super::super::writer::at;
use super::pool::ONES;
use super::{FIRST, OTHER, RESULT, SCRATCH_MASK, Writer};
use crate::program::Logic;

const AND: Code = Code::VEX_Vandpd_ymm_ymm_ymmm256;
/// The first operand is the one that is negated.
const WITHOUT: Code = Code::VEX_Vandnpd_ymm_ymm_ymmm256;
const OR: Code = Code::VEX_Vorpd_ymm_ymm_ymmm256;
const XOR: Code = Code::VEX_Vxorpd_ymm_ymm_ymmm256;

/// Where a mask is.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Register(Register),
    /// A vector of the frame.
    Frame(MemoryOperand),
    /// Bits of a byte: the mask of the program.
    Bits(MemoryOperand),
}

impl Masks for Writer<'_> {
    fn mask(&mut self, mask: Mask, vector: usize, scratch: Register) -> Register {
        match self.mask_operand(mask, vector, scratch) {
            Operand::Register(register) => register,
            slot @ Operand::Memory(_) => {
                self.move_to(scratch, slot);
                scratch
            }
        }
    }

    fn set_mask(&mut self, mask: Mask, vector: usize, from: Register) {
        match self.spot(mask, vector) {
            Spot::Register(to) => self.move_to(to, Operand::Register(from)),
            Spot::Frame(slot) => self.store(slot, from),
            Spot::Bits(home) => {
                self.asm.made(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 15));
                self.placed(vector);
                self.replace_bits(home, from, vector);
            }
        }
    }

    fn load_mask(&mut self, mask: Mask) {
        for vector in 0..self.vectors {
            if let Spot::Register(register) = self.spot(mask, vector) {
                self.load_bits(register, self.home_bits(mask), vector);
            }
        }
    }

    fn store_mask(&mut self, mask: Mask) {
        for vector in 0..self.vectors {
            if let Spot::Register(register) = self.spot(mask, vector) {
                self.asm.made(Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 15));
                self.placed(vector);
                self.replace_bits(self.home_bits(mask), register, vector);
            }
        }
    }

    fn test(&mut self, mask: Mask) {
        let mut all = self.mask(mask, 0, SCRATCH_MASK);
        if self.vectors == 2 {
            let more = self.mask_operand(mask, 1, OTHER);
            self.two(OR, SCRATCH_MASK, all, more);
            all = SCRATCH_MASK;
        }
        self.asm.made(Instruction::with2(Code::VEX_Vmovmskpd_r32_ymm, Register::EAX, all));
        self.asm.made(Instruction::with2(Code::Test_rm32_r32, Register::EAX, Register::EAX));
    }

    fn on_masks(&mut self, inst: &Inst, vector: usize) {
        match inst {
            Inst::Clear(to) => {
                self.two(XOR, RESULT, RESULT, Operand::Register(RESULT));
                self.set_mask(*to, vector, RESULT);
            }
            Inst::Copy { to, from } => {
                let from = self.mask(*from, vector, RESULT);
                self.set_mask(*to, vector, from);
            }
            Inst::MoveMask { to, from, lanes } => {
                let from = self.mask(*from, vector, RESULT);
                self.decided(*to, *lanes, vector, from);
            }
            Inst::Both { to, a, b } => self.combine(AND, [*to, *a, *b], vector),
            Inst::Without { to, a, b } => self.combine(WITHOUT, [*to, *b, *a], vector),
            Inst::Either { to, a, b } => self.combine(OR, [*to, *a, *b], vector),
            Inst::Case { to, lanes, word, is } => {
                self.broadcast(RESULT, *is);
                let word = self.operand(*word, vector);
                self.two(Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256, RESULT, RESULT, word);
                self.holds_for(false, (*to, Some(*lanes)), vector);
            }
            _ => debug_assert!(false, "it is no instruction on masks"),
        }
    }

    fn bits(&mut self, mask: Register) {
        self.asm.made(Instruction::with2(Code::VEX_Vmovmskpd_r32_ymm, Register::EAX, mask));
    }

    /// Both vectors of a group are in one byte.
    fn placed(&mut self, vector: usize) -> usize {
        self.shift(Code::VEX_Shlx_r32_rm32_r32);
        if vector == 1 {
            self.asm.made(Instruction::with2(Code::Shl_rm32_imm8, Register::EAX, 4));
        }
        0
    }
}

impl Writer<'_> {
    fn spot(&self, mask: Mask, vector: usize) -> Spot {
        let value = &self.region.masks[mask as usize];
        match (self.masks[mask as usize], self.target.slots[mask as usize]) {
            (Loc::Register(unit), _) => Spot::Register(self.register(unit, vector)),
            (Loc::Memory, Some(slot)) => {
                Spot::Frame(at(Register::RCX, Frame::SPILLED + (slot * self.vectors + vector) * 32))
            }
            (Loc::Memory, None) => Spot::Bits(at(Register::RSI, value.home.unwrap_or(0) as usize * 8)),
        }
    }

    /// The vector of a mask, which is made in the given register if there is none.
    fn mask_operand(&mut self, mask: Mask, vector: usize, scratch: Register) -> Operand {
        match self.spot(mask, vector) {
            Spot::Register(register) => Operand::Register(register),
            Spot::Frame(slot) => Operand::Memory(slot),
            Spot::Bits(home) => {
                self.load_bits(scratch, home, vector);
                Operand::Register(scratch)
            }
        }
    }

    fn load_bits(&mut self, to: Register, home: MemoryOperand, vector: usize) {
        self.asm.made(Instruction::with2(Code::Movzx_r32_rm8, Register::EAX, home));
        self.shift(Code::VEX_Shrx_r32_rm32_r32);
        self.spread(to, vector);
    }

    /// Shifts `eax` by the place of a group of one vector in its byte.
    pub(super) fn shift(&mut self, code: Code) {
        if self.vectors == 1 {
            self.asm.made(Instruction::with3(code, Register::EAX, Register::EAX, Register::R8D));
        }
    }

    /// Replaces the bits of a byte that are set in `eax` by those of a mask, which has no others.
    fn replace_bits(&mut self, home: MemoryOperand, by: Register, vector: usize) {
        self.asm.made(Instruction::with1(Code::Not_rm32, Register::EAX));
        self.asm.made(Instruction::with2(Code::And_rm8_r8, home, Register::AL));
        self.bits(by);
        self.placed(vector);
        self.asm.made(Instruction::with2(Code::Or_rm8_r8, home, Register::AL));
    }

    fn home_bits(&self, mask: Mask) -> MemoryOperand {
        at(Register::RSI, self.region.masks[mask as usize].home.unwrap_or(0) as usize * 8)
    }

    /// Writes a condition for the lanes of a block.
    pub(super) fn decided(&mut self, to: Mask, lanes: Mask, vector: usize, from: Register) {
        if self.region.masks[to as usize].kind == Kind::Temporary {
            return self.set_mask(to, vector, from);
        }
        let lanes = self.mask(lanes, vector, SCRATCH_MASK);
        match self.spot(to, vector) {
            Spot::Register(register) => self.blend(register, register, Operand::Register(from), lanes),
            Spot::Frame(slot) => {
                self.move_to(OTHER, Operand::Memory(slot));
                self.blend(OTHER, OTHER, Operand::Register(from), lanes);
                self.store(slot, OTHER);
            }
            Spot::Bits(home) => {
                self.two(AND, OTHER, from, Operand::Register(lanes));
                self.bits(lanes);
                self.placed(vector);
                self.replace_bits(home, OTHER, vector);
            }
        }
    }

    pub(super) fn logic(&mut self, op: Logic, [to, a, b]: [Mask; 3], lanes: Mask, vector: usize) {
        let a = self.mask(a, vector, FIRST);
        let (code, b) = match op {
            Logic::And => (AND, self.mask_operand(b, vector, OTHER)),
            Logic::Or => (OR, self.mask_operand(b, vector, OTHER)),
            Logic::Xor => (XOR, self.mask_operand(b, vector, OTHER)),
            Logic::Not => (XOR, self.every(ONES)),
        };
        self.two(code, RESULT, a, b);
        self.decided(to, lanes, vector, RESULT);
    }

    pub(super) fn select_mask(&mut self, [to, on, a, b]: [Mask; 4], lanes: Mask, vector: usize) {
        let (b, a) = (self.mask(b, vector, FIRST), self.mask_operand(a, vector, OTHER));
        let on = self.mask(on, vector, SCRATCH_MASK);
        self.blend(RESULT, b, a, on);
        self.decided(to, lanes, vector, RESULT);
    }

    pub(super) fn fail_if(&mut self, is: Register, lanes: (Mask, usize)) {
        let lanes = self.mask_operand(lanes.0, lanes.1, SCRATCH_MASK);
        self.one(Code::VEX_Vtestpd_ymm_ymmm256, is, lanes);
        self.asm.branch(Code::Jne_rel32_64, self.fail);
    }

    pub(super) fn fail_unless(&mut self, is: Register, lanes: (Mask, usize)) {
        let lanes = self.mask_operand(lanes.0, lanes.1, SCRATCH_MASK);
        // The carry is that of lanes in the second operand that are not in the first.
        self.one(Code::VEX_Vtestpd_ymm_ymmm256, is, lanes);
        self.asm.branch(Code::Jae_rel32_64, self.fail);
    }

    /// Writes a condition that is a result, or its opposite, for the lanes of a block.
    pub(super) fn holds(&mut self, is_opposite: bool, (to, lanes): (Mask, Mask), vector: usize) {
        if self.region.masks[to as usize].kind == Kind::Temporary {
            return self.holds_for(is_opposite, (to, None), vector);
        }
        if is_opposite {
            let ones = self.every(ONES);
            self.two(XOR, RESULT, RESULT, ones);
        }
        self.decided(to, lanes, vector, RESULT);
    }

    /// Writes all of a mask: a condition that is a result, or its opposite, of the lanes of another mask if there is one.
    pub(super) fn holds_for(&mut self, is_opposite: bool, (to, lanes): (Mask, Option<Mask>), vector: usize) {
        let register = match self.spot(to, vector) {
            Spot::Register(register) => register,
            _ => RESULT,
        };
        let (code, other) = match (lanes, is_opposite) {
            (None, false) => return self.set_mask(to, vector, RESULT),
            (None, true) => (XOR, self.every(ONES)),
            (Some(lanes), false) => (AND, self.mask_operand(lanes, vector, SCRATCH_MASK)),
            (Some(lanes), true) => (WITHOUT, self.mask_operand(lanes, vector, SCRATCH_MASK)),
        };
        self.two(code, register, RESULT, other);
        self.set_mask(to, vector, register);
    }

    fn combine(&mut self, code: Code, [to, a, b]: [Mask; 3], vector: usize) {
        let (a, b) = (self.mask(a, vector, FIRST), self.mask_operand(b, vector, OTHER));
        let register = match self.spot(to, vector) {
            Spot::Register(register) => register,
            _ => RESULT,
        };
        self.two(code, register, a, b);
        self.set_mask(to, vector, register);
    }
}
