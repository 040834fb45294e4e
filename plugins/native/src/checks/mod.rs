//! The checking mode, a sanitizer for compiled code: every reference count that compiled code holds is recorded in a
//! ledger, and every step is checked against it.
//!
//! It is on in builds with debug assertions, as in tests and fuzzing, and with the feature `checked`; elsewhere
//! none of it is compiled. A fault ends the run with a panic that names the function, the block, the operation and
//! the counted block.
//!
//! - CHECKMODE1 (H2) each counted word has a holder: a frame of compiled code, packed elements, the constants of a
//!   compiled function, or the pool. A holder gives away only what it holds.
//! - CHECKMODE2 (H3, GEN2) a function takes over the words of its parameters from its caller's frame and hands over
//!   those of its result; when it returns, its frame holds nothing else.
//! - CHECKMODE3 (H5, H8) a word that is read is held by the current frame, by packed elements or by constants, or
//!   was lent to the frame; a block is written only if its count is 1 and its buffer has no other owner.
//! - CHECKMODE4 a freed block is overwritten and quarantined, so that its address is not reused soon; a pooled
//!   buffer is overwritten too, and must be unchanged when it is reused.
//! - CHECKMODE5 (H2) the count of a block is at least the number of words that hold it.
//! - CHECKMODE6 (H11, H16) what the host returns is of its declared type and has no holes, except inside the result
//!   of an operation of a context, since the operation that it replaces may leave some.

mod access;
mod counts;
pub(crate) mod fault_injection;
mod ledger;
#[cfg(test)]
mod memcheck;
mod quarantine;
mod shared_holders;
#[cfg(test)]
mod tests;

use std::fmt;

use overdub_context::ir::Block;
use overdub_context::{Span, Symbol};

pub(crate) use access::{Access, Elements, buffers_changed, rows, tape, vector};
pub(crate) use ledger::{LedgerScope, enter, fault, lease, leave_frame, lend, pooled, quarantine, unpooled};
pub(crate) use quarantine::{Dead, Overwritten};
pub(crate) use shared_holders::{
    Holding, buffer_allocated, buffer_freed, buffer_moved, row_moved_out, row_put,
};

use crate::abi::layout::Counted;

/// Whether the mode is compiled in.
pub(crate) const ON: bool = cfg!(any(debug_assertions, feature = "checked"));

/// The pattern that overwrites freed memory.
pub(crate) const POISON: u64 = 0xfff8_dead_dead_dbdb;

/// The holder of counted words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    /// The current frame of compiled code, or the host code that called it.
    Frame,
    /// Packed elements, by the address of their allocation.
    Packed(usize),
    /// The constants of compiled functions.
    Constants,
    /// The pool of free buffers.
    Pool,
}

/// An instruction of compiled code, for messages.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Site {
    pub(crate) func: Symbol,
    pub(crate) block: Block,
    pub(crate) what: &'static str,
    pub(crate) span: Span,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`@{}`, block {}, `{}` at {}", self.func, self.block.index(), self.what, self.span)
    }
}

/// Records that the current holder gains a count of a word.
#[inline(always)]
pub(crate) fn gained(counted: Counted, word: u64) {
    if ON {
        ledger::gained(counted, word);
    }
}

/// Records that the current holder gives up a count of a word; returns whether it held one.
#[inline(always)]
pub(crate) fn lost(counted: Counted, word: u64) -> bool {
    !ON || ledger::lost(counted, word)
}

/// Checks that a word that is read is that of a live block.
#[inline(always)]
pub(crate) fn seen(counted: Counted, word: u64) -> bool {
    !ON || ledger::seen(counted, word)
}
