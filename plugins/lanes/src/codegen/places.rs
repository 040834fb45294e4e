//! Where words are: in registers, or in their homes.

use iced_x86::{MemoryOperand, Register};

use super::allocate::Loc;
use super::inst::{Kind, Mask, Word};
use super::operand::Operand;
use super::target::{Groups, Masks, Steps, Target};
use super::writer::{Writer, at};

impl<T> Writer<'_, T>
where
    Self: Target,
{
    /// The vector register of a value.
    pub(super) fn register(&self, unit: u8, vector: usize) -> Register {
        Self::vector_register(unit as usize * self.vectors + vector)
    }

    pub(super) fn home(&self, word: Word, vector: usize) -> MemoryOperand {
        let home = self.region.words[word as usize].home.unwrap_or(0) as usize;
        at(Register::RDI, home * 512 + vector * Self::BYTES)
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
    pub(super) fn is_partly(&self, word: Word, lanes: Mask) -> bool {
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
            let lanes = self.mask(lanes, vector, Self::SCRATCH_MASK);
            for (number, value) in region.words.iter().enumerate() {
                let is_saved = value.kind == Kind::State && (is_over || value.is_read_outside);
                if let (Loc::Register(unit), true) = (self.words[number], is_saved) {
                    let (register, home) = (self.register(unit, vector), self.home(number as Word, vector));
                    self.store_some(home, register, lanes);
                }
            }
        }
    }
}
