//! What code is told beside the registers of the program: the lanes, when a loop is left, where arrays are, and room for masks.

use super::calls::Group;

/// The words that code reads and writes; it begins with the fields that are named here, in bytes from its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Frame(Vec<Line>);

/// A line of the cache, as vectors do not lie across two.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u64; 8]);

impl Frame {
    /// The lanes that enter.
    pub(super) const LANES: usize = 0;
    /// The most iterations of a loop in one call.
    pub(super) const ROUNDS: usize = 8;
    /// A group leaves a loop when as many lanes have left as it had at first, shifted right by this.
    pub(super) const SHIFT: usize = 16;
    /// The address of a list with the address and the length of each array.
    pub(super) const ARRAYS: usize = 24;
    /// The address of a list with the addresses of the rows and of the depths of each stack.
    pub(super) const STACKS: usize = 32;
    /// The address of the steps that code calls functions for.
    pub(super) const CALLED: usize = 40;
    /// What such a function is given (CODECALL1).
    pub(super) const GROUP: usize = 64;
    /// Vector registers that are kept across a call, by their numbers, and mask registers.
    pub(super) const VECTORS: usize = Frame::GROUP + size_of::<Group>();
    pub(super) const MASKS: usize = Frame::VECTORS + 32 * 64;
    /// Masks that have no register.
    pub(super) const SPILLED: usize = Frame::MASKS + 8 * 8;

    /// A frame with room for masks in this many words.
    pub(super) fn new(spilled: usize) -> Frame {
        Frame(vec![Line([0; 8]); Frame::SPILLED / 64 + spilled.div_ceil(8)])
    }

    pub(super) fn set(&mut self, field: usize, word: u64) -> *mut u64 {
        self.0[field / 64].0[field % 64 / 8] = word;
        self.0.as_mut_ptr().cast()
    }
}
