//! Derivatives of operations on whole arrays.
//!
//! - NDRULE1 operations that move elements, and linear ones, have rules on whole arrays ([`array_ops`](crate::array_ops)); inverses,
//!   solutions and factorisations have [Rust](factors); all others are [expanded](expand) into loops over elements, and
//!   differentiated like any program.

mod expand;
// This module is checked by rustc; overdub lowers and runs its text.
#[allow(clippy::type_complexity, dead_code, unreachable_pub)]
mod factors;
mod loops;
mod rust_rules;
mod source_text;

pub(crate) use expand::{KeepArrayOps, expanded};
pub(crate) use rust_rules::{ArrayRule, array_rule, called};
