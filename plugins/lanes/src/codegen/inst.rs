//! What a region does with a few vectors of lanes: steps and moves of values that have no register yet.

use crate::program::{Compared, Relation, Step};

/// A word of each lane: its number among [`Region::words`].
pub(super) type Word = u32;

/// A bit of each lane: its number among [`Region::masks`].
pub(super) type Mask = u32;

/// How a value is kept while a region runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The region only reads it.
    Invariant,
    /// It is loaded before the loop, and stored when lanes leave: for those alone, so that the loop may write it for all lanes where
    /// all that stay are.
    State,
    /// It is read after it is written, within an iteration: it may be written for all lanes.
    Temporary,
    /// The same, written by several branches, each for its lanes.
    Merged,
    /// It stays in its home, and is written for the lanes of a mask.
    Memory,
}

/// A value of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Virtual {
    /// The register of the program that it is in outside of the region; none of masks of blocks.
    pub(super) home: Option<u32>,
    pub(super) kind: Kind,
    /// Whether its home is written whenever it is, since steps after the region read it.
    pub(super) is_flushed: bool,
    /// Whether steps beside the region read it.
    pub(super) is_read_outside: bool,
    /// How often it is read or written.
    pub(super) uses: u32,
    /// The first and the last instruction that mention it.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// An instruction for one group of lanes.
#[derive(Clone, Debug)]
pub(super) enum Inst {
    /// A step on words and masks of the region, for the lanes of a block.
    Step(Step, Mask),
    /// Those of `lanes` for which a comparison holds.
    Where {
        to: Mask,
        lanes: Mask,
        relation: Relation,
        of: Compared,
        a: Word,
        b: Word,
    },
    Move {
        to: Word,
        from: Word,
        lanes: Mask,
    },
    MoveMask {
        to: Mask,
        from: Mask,
        lanes: Mask,
    },
    /// No lanes.
    Clear(Mask),
    Copy {
        to: Mask,
        from: Mask,
    },
    /// The lanes that are in both.
    Both {
        to: Mask,
        a: Mask,
        b: Mask,
    },
    /// Those that are in `a` and not in `b`.
    Without {
        to: Mask,
        a: Mask,
        b: Mask,
    },
    /// Those that are in one of both, or in both.
    Either {
        to: Mask,
        a: Mask,
        b: Mask,
    },
    /// Those of `lanes` whose word is this one.
    Case {
        to: Mask,
        lanes: Mask,
        word: Word,
        is: u64,
    },
    /// Goes on at the end of a block, `Inst::End` of the same number, if it has no lanes.
    Skip {
        unless: Mask,
        block: usize,
    },
    End {
        block: usize,
    },
    /// The lanes leave for a block of the program.
    Leave(Leave),
    /// Some lanes fail if there are any.
    Fail(Mask),
}

/// Lanes that leave a region, with what they bring to the parameters of the block.
#[derive(Clone, Debug)]
pub(super) struct Leave {
    pub(super) lanes: Mask,
    pub(super) to: u32,
    pub(super) words: Vec<(Word, Word)>,
    pub(super) masks: Vec<(Mask, Mask)>,
}

/// A part of a program that is compiled.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) words: Vec<Virtual>,
    pub(super) masks: Vec<Virtual>,
    pub(super) insts: Vec<Inst>,
    /// The lanes that enter, and those that begin another iteration, if it is a loop.
    pub(super) live: Mask,
    pub(super) next: Option<Mask>,
    /// Masks of all lanes that stay in the loop.
    pub(super) staying: Vec<Mask>,
    /// The block that the loop begins with.
    pub(super) header: u32,
    /// The blocks that lanes go to, without the header.
    pub(super) exits: Vec<u32>,
}
