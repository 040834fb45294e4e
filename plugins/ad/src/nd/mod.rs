//! Operations on whole arrays, as derivatives see them.
//!
//! - N1 what moves elements about, and what is linear, has rules of its own where arrays stay whole ([`linear`]); those of
//!   matrices inverted, solved and factored are [Rust](factors); all else is [expanded](expand) into what it does element by
//!   element, and differentiated as any program.

mod expand;
// Rustc checks it; what runs is its text, lowered.
#[allow(clippy::type_complexity, dead_code, unreachable_pub)]
mod factors;
pub(crate) mod linear;
mod loops;
mod rust_rules;
mod source_text;

pub(crate) use expand::{KeepWhole, expanded};
pub(crate) use rust_rules::{ArrayRule, array_rule, called};
