//! Where words are, and how they get there.

use iced_x86::{MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::inst::{Kind, Mask, Word};
use super::vectors::Operand;
use super::{OTHER, RESULT, SCRATCH_MASK, Writer, at};

impl Writer<'_> {
    fn home(&self, word: Word, vector: usize) -> MemoryOperand {
        let home = self.region.words[word as usize].home.unwrap_or(0) as usize;
        at(Register::RDI, home * 512 + vector * 32)
    }

    pub(super) fn operand(&self, word: Word, vector: usize) -> Operand {
        match self.words[word as usize] {
            Loc::Register(unit) => Operand::Register(self.register(unit, vector)),
            Loc::Memory => Operand::Memory(self.home(word, vector)),
        }
    }

    /// The register of a word, which is loaded into the given one if it has none.
    pub(super) fn read(&mut self, word: Word, vector: usize, scratch: Register) -> Register {
        match self.operand(word, vector) {
            Operand::Register(register) => register,
            memory @ Operand::Memory(_) => {
                self.move_to(scratch, memory);
                scratch
            }
        }
    }

    pub(super) fn load(&mut self, word: Word) {
        for vector in 0..self.vectors {
            if let Loc::Register(unit) = self.words[word as usize] {
                let (register, home) = (self.register(unit, vector), self.home(word, vector));
                self.move_to(register, Operand::Memory(home));
            }
        }
    }

    /// Whether a word is written for some lanes alone.
    fn is_partly(&self, word: Word, lanes: Mask) -> bool {
        match self.region.words[word as usize].kind {
            Kind::State => {
                // Its home has what lanes had when they left.
                self.words[word as usize] == Loc::Memory || !self.region.staying.contains(&lanes)
            }
            Kind::Merged | Kind::Memory => true,
            Kind::Invariant | Kind::Temporary => false,
        }
    }

    /// Stores the state of some lanes that leave a loop.
    pub(super) fn save(&mut self, lanes: Mask, is_over: bool) {
        let region = self.region;
        for vector in 0..self.vectors {
            let lanes = self.mask(lanes, vector, SCRATCH_MASK);
            for (number, value) in region.words.iter().enumerate() {
                let is_saved = value.kind == Kind::State && (is_over || value.is_read_outside);
                if let (Loc::Register(unit), true) = (self.words[number], is_saved) {
                    let (register, home) = (self.register(unit, vector), self.home(number as Word, vector));
                    self.store_some(home, register, lanes);
                }
            }
        }
    }

    /// Stores some lanes: the whole vector, since a load of what was stored in parts would wait for the cache.
    fn store_some(&mut self, to: MemoryOperand, from: Register, lanes: Register) {
        self.move_to(OTHER, Operand::Memory(to));
        self.blend(OTHER, OTHER, Operand::Register(from), lanes);
        self.store(to, OTHER);
    }

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

    /// Moves a word for some lanes.
    pub(super) fn copy(&mut self, to: Word, from: Word, lanes: Mask, vector: usize) {
        if to == from {
            return;
        }
        match self.words[to as usize] {
            Loc::Register(unit) => {
                let (register, from) = (self.register(unit, vector), self.operand(from, vector));
                if self.is_partly(to, lanes) {
                    let lanes = self.mask(lanes, vector, SCRATCH_MASK);
                    self.blend(register, register, from, lanes);
                } else {
                    self.move_to(register, from);
                }
            }
            Loc::Memory => {
                let from = self.read(from, vector, RESULT);
                self.written(to, lanes, vector, from);
            }
        }
    }
}
