//! Rust source to the IR of overdub: `syn` → resolved items and bodies → types per instance → IR.

pub mod error;
pub mod hir;
pub mod infer;
pub mod lang;
mod program;

pub use error::{LookupError, ResolveError};
pub use program::{Program, SelfHead};
