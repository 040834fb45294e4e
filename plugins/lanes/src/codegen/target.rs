//! What an instruction set does: its groups of lanes, its masks, its steps, and how it keeps registers across calls.

use iced_x86::{MemoryOperand, Register};

use super::inst::{Inst, Mask, Word};
use super::operand::Operand;
use crate::program::{Compared, Relation, Step};

/// The groups of a target.
pub(super) trait Groups {
    /// The bytes of a vector.
    const BYTES: usize;
    /// Where a mask is brought that has no register.
    const SCRATCH_MASK: Register;

    /// The vector register of a number.
    fn vector_register(number: usize) -> Register;

    /// Goes to the first group.
    fn begin_groups(&mut self);

    /// Brings the lanes of the group to `eax`, and tests whether there are any.
    fn group(&mut self);

    /// Goes to the next group.
    fn advance(&mut self);

    /// Makes the lanes in `eax` those that enter the region.
    fn enter_lanes(&mut self);
}

/// The masks of a target.
pub(super) trait Masks {
    /// The register of a mask, which is loaded into the given one if it has none.
    fn mask(&mut self, mask: Mask, vector: usize, scratch: Register) -> Register;

    /// Writes a mask for all lanes.
    fn set_mask(&mut self, mask: Mask, vector: usize, from: Register);

    fn load_mask(&mut self, mask: Mask);

    fn store_mask(&mut self, mask: Mask);

    /// Sets the flag for zero unless lanes of a group are in a mask.
    fn test(&mut self, mask: Mask);

    /// Brings the bits of a mask to `eax`, from the lowest one on.
    fn bits(&mut self, mask: Register);

    /// Moves bits of `eax` to where a vector's are in a byte of a mask, and says which byte of the group that is.
    fn placed(&mut self, vector: usize) -> usize;

    /// An instruction that mentions masks alone, or masks and a word.
    fn on_masks(&mut self, inst: &Inst, vector: usize);
}

/// The steps of a target.
pub(super) trait Steps {
    /// Where the result of a step is brought before it is written.
    const RESULT: Register;

    fn step(&mut self, step: &Step, lanes: Mask, vector: usize);

    /// Writes the result of a step for some lanes.
    fn finish(&mut self, d: Word, to: (Mask, usize));

    /// Stores all of a vector register.
    fn store_whole(&mut self, to: MemoryOperand, from: Register);

    /// Writes all of a mask: those of the lanes for which a comparison holds.
    fn holds_where(
        &mut self,
        to: Mask,
        lanes: Mask,
        relation: (Relation, Compared),
        words: [Word; 2],
        vector: usize,
    );

    /// Moves a vector to a register.
    fn move_to(&mut self, to: Register, from: Operand);

    /// Stores a vector for the lanes in a mask register.
    fn store_some(&mut self, to: MemoryOperand, from: Register, lanes: Register);

    /// Moves a word for some lanes.
    fn copy(&mut self, to: Word, from: Word, lanes: Mask, vector: usize);
}

/// What a target needs for calls of functions (CODECALL1).
pub(super) trait Calls {
    /// The register of a mask.
    fn register_of(&self, mask: Mask, vector: usize) -> Option<Register>;

    /// Stores a register of a vector or of a mask in the frame.
    fn keep(&mut self, register: Register);

    /// Loads it from there.
    fn restore(&mut self, register: Register);
}

/// All that a target has.
pub(super) trait Target: Groups + Masks + Steps + Calls {}

impl<W: Groups + Masks + Steps + Calls> Target for W {}
