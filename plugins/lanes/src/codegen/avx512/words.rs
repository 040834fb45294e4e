//! What steps compute words in.

use iced_x86::{Code, Register};

use super::super::allocate::Loc;
use super::super::inst::{Mask, Word};
use super::super::operand::{Operand, Vector};
use super::super::target::{Masks, Steps};
use super::Writer;

/// What a step computes its result in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) register: Register,
    /// The lanes that the last instruction writes, if they are not all.
    pub(super) lanes: Option<Register>,
}

/// Loads or moves a vector, and stores one.
pub(super) const MOVE: Code = Code::EVEX_Vmovapd_zmm_k1z_zmmm512;
pub(super) const STORE: Code = Code::EVEX_Vmovapd_zmmm512_k1z_zmm;

impl Writer<'_> {
    /// Where a step on these lanes computes a word.
    pub(super) fn target(&mut self, word: Word, lanes: Mask, vector: usize) -> Target {
        match self.words[word as usize] {
            Loc::Register(unit) => {
                let is_partly = self.is_partly(word, lanes);
                let lanes = is_partly.then(|| self.mask(lanes, vector, Register::K7));
                Target { register: self.register(unit, vector), lanes }
            }
            Loc::Memory => Target { register: Register::ZMM30, lanes: None },
        }
    }

    /// Brings what a step computed to its home, if it is kept there.
    pub(super) fn written(&mut self, word: Word, lanes: Mask, vector: usize, from: Register) {
        let home = self.home(word, vector);
        match self.words[word as usize] {
            Loc::Register(_) => {
                if self.region.words[word as usize].is_flushed {
                    self.vector().store(STORE, home, from);
                }
            }
            Loc::Memory if self.is_partly(word, lanes) => {
                // A load of what was stored in parts would wait for the cache: the whole vector is stored.
                let lanes = self.mask(lanes, vector, Register::K7);
                let old = Operand::Memory(home);
                self.move_to(Register::ZMM31, old);
                let new = Operand::Register(from);
                let some = Vector { asm: self.asm, lanes: Some(lanes) };
                some.one(MOVE, Register::ZMM31, new);
                self.vector().store(STORE, home, Register::ZMM31);
            }
            Loc::Memory => self.vector().store(STORE, home, from),
        }
    }
}
