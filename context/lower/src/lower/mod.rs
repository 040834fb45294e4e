//! From resolved Rust and its types to IR functions, one per instance, made when they are first called.
//!
//! - LOWER1 evaluation order is rustc's.
//! - LOWER2 what cannot be lowered is an error of the function that contains it alone.

mod abi;
mod body;
mod call;
mod cloning;
mod constant;
mod control;
mod cx;
mod debug_points;
mod default_memory;
mod drop_scopes;
mod entry;
mod error;
mod expr;
mod format;
mod glue;
mod layout;
mod literal;
mod matching;
mod missing;
mod named;
mod needs_drop;
mod object;
mod operator;
mod pattern;
mod place;
mod pointer;
mod session;
mod shim;
mod temporary_lifetimes;
mod tys;

pub use error::LowerError;
pub use session::{LoweredFuncs, Lowering, PassedBy, Signature};
