//! Lanes that leave a region.

use iced_x86::{Code, Instruction, Register};

use super::inst::{Inst, Leave};
use super::target::{Groups, Masks, Steps, Target};
use super::writer::{Writer, at};

impl<T> Writer<'_, T>
where
    Self: Target,
{
    pub(super) fn leave(&mut self, leave: &Leave) {
        for vector in 0..self.vectors {
            leave.words.iter().for_each(|(to, from)| self.copy(*to, *from, leave.lanes, vector));
            for (to, from) in &leave.masks {
                let inst = Inst::MoveMask { to: *to, from: *from, lanes: leave.lanes };
                self.on_masks(&inst, vector);
            }
            let lanes = self.mask(leave.lanes, vector, Self::SCRATCH_MASK);
            self.wait(leave.to, vector, lanes);
        }
    }

    /// Counts the lanes that left a loop; the last iteration is the one in which as many have left as may.
    fn count(&mut self, leave: &Leave) {
        for vector in 0..self.vectors {
            let lanes = self.mask(leave.lanes, vector, Self::SCRATCH_MASK);
            self.bits(lanes);
            self.asm.made(Instruction::with2(Code::Popcnt_r32_rm32, Register::EAX, Register::EAX));
            self.asm.made(Instruction::with2(Code::Sub_r32_rm32, Register::R9D, Register::EAX));
        }
        let more = self.asm.label();
        self.asm.made(Instruction::with2(Code::Cmp_rm32_imm8, Register::R9D, 0));
        self.asm.branch(Code::Jg_rel32_64, more);
        self.asm.made(Instruction::with2(Code::Mov_r32_imm32, Register::R11D, 1));
        self.asm.bind(more);
    }

    pub(super) fn rare_ways(&mut self) {
        for (begin, leave, back) in std::mem::take(&mut self.rare) {
            self.asm.bind(begin);
            self.leave(leave);
            self.save(leave.lanes, false);
            self.count(leave);
            self.asm.branch(Code::Jmp_rel32_64, back);
        }
    }

    /// Adds lanes to those that wait for a block.
    pub(super) fn wait(&mut self, block: u32, vector: usize, lanes: Register) {
        self.bits(lanes);
        let byte = self.placed(vector);
        let waiting = at(Register::RDX, block as usize * 8 + byte);
        self.asm.made(Instruction::with2(Code::Or_rm8_r8, waiting, Register::AL));
    }
}
