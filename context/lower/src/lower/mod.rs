//! Lowering from resolved, typed Rust to IR functions, one per instance, lowered when first called.
//!
//! - LOWER1 the evaluation order is rustc's.
//! - LOWER2 an unsupported construct is an error only of the function that contains it.

mod abi;
mod body;
mod call;
mod cloning;
mod constant;
mod control;
mod cx;
mod debug_points;
mod default_memory;
mod discriminant;
mod drop_elaboration;
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
mod or_patterns;
mod pattern;
mod place;
mod pointer;
mod program_uses;
mod read_modify_write;
mod regroup;
mod repeat;
mod same_place;
mod session;
mod shim;
mod storage;
mod temporary_lifetimes;
mod transmute;
mod tys;
mod union_fields;

pub use entry::without_entry;
pub use error::LowerError;
pub use session::{LoweredFuncs, Lowering, PassedBy, Signature};
