//! Where words are, and how they get there.

use iced_x86::{Code, MemoryOperand, Register};

use super::super::allocate::Loc;
use super::super::inst::{Kind, Mask, Word};
use super::vectors::{Operand, Vector};
use super::{Writer, at};

/// What a step computes its result in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) register: Register,
    /// The lanes that the last instruction writes, if they are not all.
    pub(super) lanes: Option<Register>,
}

impl Writer<'_> {
    fn home(&self, word: Word, vector: usize) -> MemoryOperand {
        let home = self.region.words[word as usize].home.unwrap_or(0) as usize;
        at(Register::RDI, home * 512 + vector * 64)
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
                self.vector().one(Code::EVEX_Vmovapd_zmm_k1z_zmmm512, scratch, memory);
                scratch
            }
        }
    }

    pub(super) fn load(&mut self, word: Word) {
        for vector in 0..self.vectors {
            if let Loc::Register(unit) = self.words[word as usize] {
                let (register, home) = (self.register(unit, vector), self.home(word, vector));
                self.vector().one(Code::EVEX_Vmovapd_zmm_k1z_zmmm512, register, Operand::Memory(home));
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
            let lanes = self.mask(lanes, vector, Register::K7);
            for (number, value) in region.words.iter().enumerate() {
                let is_saved = value.kind == Kind::State && (is_over || value.is_read_outside);
                if let (Loc::Register(unit), true) = (self.words[number], is_saved) {
                    let (register, home) = (self.register(unit, vector), self.home(number as Word, vector));
                    Vector { asm: self.asm, lanes: Some(lanes) }.store(home, register);
                }
            }
        }
    }

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
                    self.vector().store(home, from);
                }
            }
            Loc::Memory if self.is_partly(word, lanes) => {
                // A load of what was stored in parts would wait for the cache: the whole vector is stored.
                let lanes = self.mask(lanes, vector, Register::K7);
                let old = Operand::Memory(home);
                self.vector().one(Code::EVEX_Vmovapd_zmm_k1z_zmmm512, Register::ZMM31, old);
                let new = Operand::Register(from);
                let some = Vector { asm: self.asm, lanes: Some(lanes) };
                some.one(Code::EVEX_Vmovapd_zmm_k1z_zmmm512, Register::ZMM31, new);
                self.vector().store(home, Register::ZMM31);
            }
            Loc::Memory => self.vector().store(home, from),
        }
    }

    /// Moves a word for some lanes.
    pub(super) fn copy(&mut self, to: Word, from: Word, lanes: Mask, vector: usize) {
        if to == from {
            return;
        }
        match self.words[to as usize] {
            Loc::Register(_) => {
                let from = self.operand(from, vector);
                let target = self.target(to, lanes, vector);
                let some = Vector { asm: self.asm, lanes: target.lanes };
                some.one(Code::EVEX_Vmovapd_zmm_k1z_zmmm512, target.register, from);
            }
            Loc::Memory => {
                let from = self.read(from, vector, Register::ZMM30);
                self.written(to, lanes, vector, from);
            }
        }
    }
}
