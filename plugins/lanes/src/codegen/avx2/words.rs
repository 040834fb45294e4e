//! What steps compute words in.

use iced_x86::Register;

use super::super::allocate::Loc;
use super::super::inst::{Mask, Word};
use super::super::operand::Operand;
use super::super::target::{Masks, Steps};
use super::{RESULT, SCRATCH_MASK, Writer};

impl Writer<'_> {
    /// The register in which a step on these lanes computes a word.
    pub(super) fn target(&self, word: Word, lanes: Mask, vector: usize) -> Register {
        match self.words[word as usize] {
            Loc::Register(unit) if !self.is_partly(word, lanes) => self.register(unit, vector),
            _ => RESULT,
        }
    }

    /// Brings what a step computed to where it is kept.
    pub(super) fn written(&mut self, word: Word, lanes: Mask, vector: usize, from: Register) {
        let home = self.home(word, vector);
        let is_partly = self.is_partly(word, lanes);
        let lanes = if is_partly { self.mask(lanes, vector, SCRATCH_MASK) } else { SCRATCH_MASK };
        match self.words[word as usize] {
            Loc::Register(unit) => {
                let register = self.register(unit, vector);
                if is_partly {
                    self.blend(register, register, Operand::Register(from), lanes);
                } else {
                    self.move_to(register, Operand::Register(from));
                }
                if self.region.words[word as usize].is_flushed {
                    self.store(home, register);
                }
            }
            Loc::Memory if is_partly => self.store_some(home, from, lanes),
            Loc::Memory => self.store(home, from),
        }
    }
}
