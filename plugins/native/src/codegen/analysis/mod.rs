//! Analyses of a function that its code generation relies on.

pub(super) mod borrow;
pub(super) mod counters;
pub(super) mod last_use;
pub(super) mod overwritten;
pub(super) mod result_placement;
pub(super) mod uniqueness;
