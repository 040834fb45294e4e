//! Rust source to the IR of overdub: `syn` → resolved items and bodies → types per instance → IR.

pub mod error;
pub(crate) mod expand;
pub mod hir;
pub mod infer;
pub mod lang;
mod loaded;
pub mod lower;
mod prelude;
mod program;
pub(crate) mod resolve;
pub(crate) mod source;

pub use error::{LookupError, ResolveError};
pub use loaded::{Function, FunctionError, Loaded, PRELUDE, Param, user_span};
pub use program::{Program, SelfHead};
