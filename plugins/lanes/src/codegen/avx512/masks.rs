//! Masks in mask registers, of eight bits.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::frame::Frame;
use super::super::inst::{Inst, Kind, Mask};
use super::super::operand::{Operand, Vector};
use super::super::target::Masks;
use super::{Writer, at};
use crate::program::Logic;

impl Masks for Writer<'_> {
    fn mask(&mut self, mask: Mask, vector: usize, scratch: Register) -> Register {
        match self.masks[mask as usize] {
            Loc::Register(unit) => self.mask_register(unit, vector),
            Loc::Memory => {
                let home = self.mask_home(mask, vector);
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, scratch, home));
                scratch
            }
        }
    }

    fn set_mask(&mut self, mask: Mask, vector: usize, from: Register) {
        match self.masks[mask as usize] {
            Loc::Register(unit) => {
                let to = self.mask_register(unit, vector);
                if to != from {
                    self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, to, from));
                }
            }
            Loc::Memory => {
                let home = self.mask_home(mask, vector);
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_m8_kr, home, from));
            }
        }
    }

    fn load_mask(&mut self, mask: Mask) {
        for vector in 0..self.vectors {
            if let Loc::Register(unit) = self.masks[mask as usize] {
                let (register, home) = (self.mask_register(unit, vector), self.mask_home(mask, vector));
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, register, home));
            }
        }
    }

    fn store_mask(&mut self, mask: Mask) {
        for vector in 0..self.vectors {
            if let Loc::Register(unit) = self.masks[mask as usize] {
                let (register, home) = (self.mask_register(unit, vector), self.mask_home(mask, vector));
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_m8_kr, home, register));
            }
        }
    }

    fn test(&mut self, mask: Mask) {
        let first = self.mask(mask, 0, Register::K7);
        let last = if self.vectors == 2 { self.mask(mask, 1, Register::K0) } else { first };
        self.asm.made(Instruction::with2(Code::VEX_Kortestb_kr_kr, first, last));
    }

    fn on_masks(&mut self, inst: &Inst, vector: usize) {
        let two = |code: Code| (code, Register::K7, Register::K0);
        match inst {
            Inst::Clear(to) => {
                self.on_two(Code::VEX_Kxorb_kr_kr_kr, Register::K7, Register::K7, Register::K7);
                self.set_mask(*to, vector, Register::K7);
            }
            Inst::Copy { to, from } => {
                let from = self.mask(*from, vector, Register::K7);
                self.set_mask(*to, vector, from);
            }
            Inst::MoveMask { to, from, lanes } => {
                let from = self.mask(*from, vector, Register::K7);
                if from != Register::K7 {
                    self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_km8, Register::K7, from));
                }
                self.decided(*to, *lanes, vector);
            }
            Inst::Both { to, a, b } => self.combine(two(Code::VEX_Kandb_kr_kr_kr), [*to, *a, *b], vector),
            // The first operand is the one that is negated.
            Inst::Without { to, a, b } => {
                self.combine(two(Code::VEX_Kandnb_kr_kr_kr), [*to, *b, *a], vector);
            }
            Inst::Either { to, a, b } => self.combine(two(Code::VEX_Korb_kr_kr_kr), [*to, *a, *b], vector),
            Inst::Case { to, lanes, word, is } => {
                self.broadcast(Register::ZMM29, *is);
                let word = self.read(*word, vector, Register::ZMM31);
                let lanes = self.mask(*lanes, vector, Register::K7);
                let is = Operand::Register(Register::ZMM29);
                let some = Vector { asm: self.asm, lanes: Some(lanes) };
                some.two_with(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, Register::K7, word, is, 0);
                self.set_mask(*to, vector, Register::K7);
            }
            _ => debug_assert!(false, "it is no instruction on masks"),
        }
    }

    fn bits(&mut self, mask: Register) {
        self.asm.made(Instruction::with2(Code::VEX_Kmovb_r32_kr, Register::EAX, mask));
    }

    /// Each vector has a byte of its own.
    fn placed(&mut self, vector: usize) -> usize {
        vector
    }
}

impl Writer<'_> {
    pub(super) fn mask_register(&self, unit: u8, vector: usize) -> Register {
        Register::K1 + (unit as usize * self.vectors + vector) as u32
    }

    /// Where a mask is that has no register: in its home, or in the frame.
    fn mask_home(&self, mask: Mask, vector: usize) -> MemoryOperand {
        match self.region.masks[mask as usize].home {
            Some(home) => at(Register::RSI, home as usize * 8 + vector),
            None => {
                let all = &self.region.masks[..mask as usize];
                let slot = all.iter().filter(|mask| mask.home.is_none()).count();
                at(Register::RCX, Frame::SPILLED + slot * 8 + vector)
            }
        }
    }

    /// The register that a mask has.
    pub(super) fn held(&self, mask: Mask, vector: usize) -> Option<Register> {
        match self.masks[mask as usize] {
            Loc::Register(unit) => Some(self.mask_register(unit, vector)),
            Loc::Memory => None,
        }
    }

    pub(super) fn on_two(&mut self, code: Code, to: Register, a: Register, b: Register) {
        self.asm.made(Instruction::with3(code, to, a, b));
    }

    /// Writes a condition, which is in `k7`, for the lanes of a block.
    pub(super) fn decided(&mut self, to: Mask, lanes: Mask, vector: usize) {
        if matches!(self.region.masks[to as usize].kind, Kind::Temporary) {
            return self.set_mask(to, vector, Register::K7);
        }
        let lanes = self.mask(lanes, vector, Register::K0);
        self.on_two(Code::VEX_Kandb_kr_kr_kr, Register::K7, Register::K7, lanes);
        match self.masks[to as usize] {
            Loc::Register(unit) => {
                let register = self.mask_register(unit, vector);
                self.on_two(Code::VEX_Kandnb_kr_kr_kr, register, lanes, register);
                self.on_two(Code::VEX_Korb_kr_kr_kr, register, register, Register::K7);
            }
            Loc::Memory => {
                // The bits of other lanes, by way of a general register: both scratch masks are in use.
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_r32_kr, Register::EAX, lanes));
                self.asm.made(Instruction::with1(Code::Not_rm32, Register::EAX));
                let home = self.mask_home(to, vector);
                self.asm.made(Instruction::with2(Code::And_r8_rm8, Register::AL, home));
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_r32, Register::K0, Register::EAX));
                self.on_two(Code::VEX_Korb_kr_kr_kr, Register::K7, Register::K7, Register::K0);
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_m8_kr, home, Register::K7));
            }
        }
    }

    pub(super) fn logic(&mut self, op: Logic, [to, a, b]: [Mask; 3], lanes: Mask, vector: usize) {
        let (a, b) = (self.mask(a, vector, Register::K7), self.mask(b, vector, Register::K0));
        match op {
            Logic::And => self.on_two(Code::VEX_Kandb_kr_kr_kr, Register::K7, a, b),
            Logic::Or => self.on_two(Code::VEX_Korb_kr_kr_kr, Register::K7, a, b),
            Logic::Xor => self.on_two(Code::VEX_Kxorb_kr_kr_kr, Register::K7, a, b),
            Logic::Not => self.asm.made(Instruction::with2(Code::VEX_Knotb_kr_kr, Register::K7, a)),
        }
        self.decided(to, lanes, vector);
    }

    pub(super) fn select_mask(&mut self, [to, on, a, b]: [Mask; 4], lanes: Mask, vector: usize) {
        let (on, other) = (self.mask(on, vector, Register::K7), self.mask(b, vector, Register::K0));
        // The second first, while the condition is there.
        self.on_two(Code::VEX_Kandnb_kr_kr_kr, Register::K0, on, other);
        let a = match self.masks[a as usize] {
            Loc::Register(unit) => self.mask_register(unit, vector),
            Loc::Memory => {
                // There are two scratch masks: the condition is joined with memory by a general register.
                let home = self.mask_home(a, vector);
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_r32_kr, Register::EAX, on));
                self.asm.made(Instruction::with2(Code::And_r8_rm8, Register::AL, home));
                self.asm.made(Instruction::with2(Code::VEX_Kmovb_kr_r32, Register::K7, Register::EAX));
                Register::K7
            }
        };
        if a != Register::K7 {
            self.on_two(Code::VEX_Kandb_kr_kr_kr, Register::K7, on, a);
        }
        self.on_two(Code::VEX_Korb_kr_kr_kr, Register::K7, Register::K7, Register::K0);
        self.decided(to, lanes, vector);
    }

    fn combine(
        &mut self,
        (code, first, second): (Code, Register, Register),
        [to, a, b]: [Mask; 3],
        vector: usize,
    ) {
        let (a, b) = (self.mask(a, vector, first), self.mask(b, vector, second));
        let to_register = self.held(to, vector).unwrap_or(Register::K7);
        self.on_two(code, to_register, a, b);
        self.set_mask(to, vector, to_register);
    }
}
