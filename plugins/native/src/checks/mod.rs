//! The checking mode: each count that compiled code holds is recorded, and each step is checked against the record.
//!
//! It is on where debug assertions are, which is where tests and fuzzing run, and with the feature `checked`; elsewhere
//! nothing of it is compiled. What it finds ends the run with a panic that names the function, the block, the operation
//! and the counted block.
//!
//! - K1 each counted word has a holder: a frame of compiled code, rows, the constants of a compiled function, or a pool of
//!   free memory. A holder gives away only what it holds.
//! - K2 a function takes over the words of its parameters from the frame of its caller, and hands over those of its result;
//!   when it returns or fails, its frame holds nothing else (G2).
//! - K3 a word that is read is held by the frame at hand, by rows or by constants, or was lent to the frame by a value
//!   that holds it; a block is written only where its count is 1 and nobody else sees its buffer.
//! - K4 a block that is freed is overwritten and kept for a while, so that its address is not used again; a pooled buffer
//!   is overwritten too, and must not have changed when it is used again.
//! - K5 the count of a block is at least the number of the words that hold it.
//! - K6 what the host gives is of its declared type, as deep as that says, and has no holes; only what an operation of a
//!   context gives may have some inside, since the operation that it stands for may.

mod access;
pub(crate) mod fault_injection;
pub(crate) mod hooks;
mod host_types;
mod ledger;
mod quarantine;
mod shared_holders;
#[cfg(test)]
mod tests;

use std::fmt;

use overdub_context::ir::Block;
use overdub_context::{Span, Symbol};

pub(crate) use access::{Access, Elements, buffers_changed, vector};
pub(crate) use host_types::{Holes, type_of};
pub(crate) use ledger::{Scope, fault, lease, pooled, unpooled};
pub(crate) use shared_holders::{Holding, buffer_freed, buffer_made, buffer_moved};

use crate::abi::layout::Counted;

/// Whether the mode is compiled in.
pub(crate) const ON: bool = cfg!(any(debug_assertions, feature = "checked"));

/// What freed memory is filled with.
pub(crate) const POISON: u64 = 0xfff8_dead_dead_dbdb;

/// The holder of counted words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    /// The frame of compiled code at hand, or the host code that called it.
    Frame,
    /// Rows, by the address of their buffer.
    Packed(usize),
    /// The constants of compiled functions.
    Constants,
    /// Memory that is free for the next user.
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

/// Records that the holder at hand has one more count of a word.
#[inline(always)]
pub(crate) fn gained(counted: Counted, word: u64) {
    if ON {
        ledger::gained(counted, word);
    }
}

/// Records that the holder at hand gives a count of a word away; says whether it may.
#[inline(always)]
pub(crate) fn lost(counted: Counted, word: u64) -> bool {
    !ON || ledger::lost(counted, word)
}

/// Checks that a word that is read is one of a live block; says whether it is.
#[inline(always)]
pub(crate) fn seen(counted: Counted, word: u64) -> bool {
    !ON || ledger::seen(counted, word)
}

/// Frees a tape that has no owner any more.
#[inline(always)]
pub(crate) fn drop_tape(tape: Box<crate::runtime::tape::Tape>) {
    if ON {
        quarantine::bury_tape(tape);
    } else {
        drop(tape);
    }
}

/// Drops a value that compiled code gave up: what nobody else holds is overwritten and kept for a while (K4).
#[inline(always)]
pub(crate) fn drop_value(value: overdub_context::value::Value<'static>) {
    if ON {
        quarantine::bury(value);
    } else {
        drop(value);
    }
}
