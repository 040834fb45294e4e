//! Rust source to the IR of overdub: `syn` → resolved items and bodies → types per instance → IR.

pub mod hir;
