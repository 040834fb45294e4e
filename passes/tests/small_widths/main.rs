//! What passes hold true of integers, tried on all numbers of 8 bits: the oracle is Rust's own arithmetic on wider ones.

mod identities;
mod loops;
mod paths;
mod sums;
