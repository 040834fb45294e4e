//! The quarantine of freed blocks, which are overwritten and kept, so that no other block reuses their address
//! (CHECKMODE4).

use std::collections::VecDeque;

use overdub_context::value::{Array, Value};

/// The capacity in blocks.
const MOST: usize = 512;

/// The capacity in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The freed blocks of a run, the oldest first.
pub(super) struct Quarantine {
    blocks: VecDeque<QuarantinedBlock>,
    bytes: usize,
}

/// A block without an owner, which was overwritten.
pub(crate) enum Dead {
    /// The only owner of a block, and whether the block is unchanged since.
    Value(Value<'static>, fn(&Value<'static>) -> bool),
    Other(Box<dyn Overwritten>),
}

/// A block of a kind that no value holds.
pub(crate) trait Overwritten {
    /// The size of the block in bytes.
    fn bytes(&self) -> usize;

    /// Whether it is unchanged since it was overwritten.
    fn is_unchanged(&self) -> bool;
}

impl Dead {
    fn bytes(&self) -> usize {
        match self {
            Dead::Value(value, _) => value.as_array().map_or(0, Array::bytes),
            Dead::Other(block) => block.bytes(),
        }
    }

    fn is_unchanged(&self) -> bool {
        match self {
            Dead::Value(value, is_unchanged) => is_unchanged(value),
            Dead::Other(block) => block.is_unchanged(),
        }
    }
}

struct QuarantinedBlock {
    word: u64,
    block: Dead,
    bytes: usize,
    /// The site that freed it.
    by: usize,
}

impl Quarantine {
    pub(super) fn new() -> Quarantine {
        Quarantine { blocks: VecDeque::with_capacity(MOST), bytes: 0 }
    }

    /// The site that freed a block, if it is in quarantine.
    pub(super) fn freed_by(&self, word: u64) -> Option<usize> {
        self.blocks.iter().rev().find(|entry| entry.word == word).map(|entry| entry.by)
    }

    /// Adds a block; returns the oldest one if the quarantine is full.
    pub(super) fn add(&mut self, word: u64, block: Dead, by: usize) -> Option<Dead> {
        let bytes = block.bytes();
        if bytes > MOST_BYTES - self.bytes {
            return Some(block);
        }
        let oldest = if self.blocks.len() == MOST { self.blocks.pop_front() } else { None };
        self.bytes -= oldest.as_ref().map_or(0, |entry| entry.bytes);
        self.bytes += bytes;
        self.blocks.push_back(QuarantinedBlock { word, block, bytes, by });
        oldest.map(|entry| entry.block)
    }

    /// Frees all blocks; returns those that were written since, with the sites that freed them.
    pub(super) fn clear(&mut self) -> Vec<(u64, usize)> {
        self.bytes = 0;
        let changed = self.blocks.iter().filter(|entry| !entry.block.is_unchanged());
        let changed = changed.map(|entry| (entry.word, entry.by)).collect();
        self.blocks.clear();
        changed
    }
}
