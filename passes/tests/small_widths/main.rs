//! What passes assume of integers, checked on all 8-bit integers: the oracle is Rust's own arithmetic on wider ones.

mod identities;
mod loops;
mod paths;
mod sums;
