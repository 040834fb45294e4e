//! The assumptions of passes about integers, checked on all 8-bit integers; the oracle is Rust's arithmetic
//! on wider integers.

mod facts;
mod identities;
mod loops;
mod paths;
mod sums;
