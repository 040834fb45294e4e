//! The values of a region, and how each is kept.

use super::super::inst::{Kind, Mask, Virtual, Word};
use super::super::parts::edges;
use super::super::usage::Spots;
use super::Builder;
use crate::program::{Access, Edge};

impl Builder<'_> {
    pub(super) fn contains(&self, (block, step): (usize, usize)) -> bool {
        let steps = self.program.blocks.get(block).map_or(0, |block| block.steps.len());
        self.parts.iter().any(|part| part.contains(block, step, steps))
    }

    pub(super) fn stays(&self, edge: &Edge) -> bool {
        self.is_loop && self.parts.iter().any(|part| part.block == edge.to as usize)
    }

    /// How a register is kept that other blocks may read; `moves` gives what an edge writes.
    pub(super) fn kind(&self, spots: &Spots, writes: impl Fn(&Edge) -> bool) -> Kind {
        let written: Vec<_> = spots.writes.iter().filter(|spot| self.contains(**spot)).collect();
        if written.is_empty() {
            return Kind::Invariant;
        }
        let is_read_outside = spots.reads.iter().any(|spot| !self.contains(*spot));
        if !self.is_loop {
            return if is_read_outside || spots.writes.len() > 1 { Kind::Memory } else { Kind::Temporary };
        }
        let leaves = |(block, step): &(usize, usize)| {
            let block = &self.program.blocks[*block];
            *step == block.steps.len()
                && edges(&block.exit).iter().all(|edge| !writes(edge) || !self.stays(edge))
        };
        match written.len() {
            _ if written.iter().all(|spot| leaves(spot)) => Kind::Memory,
            _ if is_read_outside || written.len() < spots.writes.len() => Kind::State,
            1 => Kind::Temporary,
            _ => Kind::Merged,
        }
    }

    pub(super) fn virtual_of(&self, home: Option<u32>, kind: Kind) -> Virtual {
        let at = self.region.insts.len();
        let first = if self.is_loop && matches!(kind, Kind::State | Kind::Invariant) { 0 } else { at };
        Virtual { home, kind, is_flushed: false, is_read_outside: false, uses: 0, first, last: at }
    }

    pub(super) fn word(&mut self, register: u32, access: Access) -> Word {
        let is_shared = (register as usize) < self.program.shared;
        let known = if is_shared { self.shared.get(&register) } else { self.locals.get(&register) };
        let word = match known {
            Some(word) if is_shared || access == Access::Read => *word,
            _ => {
                let kind = match access {
                    _ if is_shared => {
                        let writes = |edge: &Edge| edge.words.iter().any(|(to, _)| *to == register);
                        self.kind(&self.usage.words[register as usize], writes)
                    }
                    Access::Read => Kind::Invariant,
                    Access::Write => Kind::Temporary,
                };
                let outside = |spot: &(usize, usize)| !self.contains(*spot);
                let is_read_outside = self.usage.words[register as usize].reads.iter().any(outside);
                let value = Virtual { is_read_outside, ..self.virtual_of(Some(register), kind) };
                self.region.words.push(value);
                let word = self.region.words.len() as Word - 1;
                if is_shared {
                    self.shared.insert(register, word)
                } else {
                    self.locals.insert(register, word)
                };
                word
            }
        };
        touch(&mut self.region.words[word as usize], self.region.insts.len());
        word
    }

    pub(super) fn mask(&mut self, register: u32) -> Mask {
        let mask = match self.masks.get(&register) {
            Some(mask) => *mask,
            None => {
                let writes = |edge: &Edge| edge.masks.iter().any(|(to, _)| *to == register);
                let kind = self.kind(&self.usage.masks[register as usize], writes);
                self.region.masks.push(self.virtual_of(Some(register), kind));
                let mask = self.region.masks.len() as Mask - 1;
                self.masks.insert(register, mask);
                mask
            }
        };
        self.touch_mask(mask)
    }

    /// A new mask that no register of the program has.
    pub(super) fn fresh(&mut self) -> Mask {
        self.region.masks.push(Virtual { first: usize::MAX, ..self.virtual_of(None, Kind::Merged) });
        self.region.masks.len() as Mask - 1
    }

    pub(super) fn touch_mask(&mut self, mask: Mask) -> Mask {
        touch(&mut self.region.masks[mask as usize], self.region.insts.len());
        mask
    }
}

pub(super) fn touch(value: &mut Virtual, at: usize) {
    value.uses += 1;
    value.first = value.first.min(at);
    value.last = value.last.max(at);
}
