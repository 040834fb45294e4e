//! Type inference per instance: a small version of rustc's scheme.
//!
//! A body is inferred by unification; expected types are propagated downwards, and obligations wait for the
//! variables that they depend on. Methods are looked up as in rustc; traits are selected by the headers and
//! where clauses of their impls.
//!
//! - INFER1 a body is inferred with all generic parameters of its item bound to concrete types.
//! - INFER2 programs are assumed to be accepted by rustc: errors for invalid programs are best effort, the
//!   meaning of valid ones is exact. Lifetimes, borrows, visibility and coherence are not checked.

mod anonymous;
mod bounds;
mod callable;
mod check;
mod constant;
mod cx;
mod defaults;
mod error;
mod fold;
mod lower_ty;
mod memo;
mod method;
mod named;
mod opaque;
mod parts;
mod path;
mod project;
mod resolve;
mod scope;
mod select;
mod session;
mod show;
mod solve;
mod table;
mod ty;
mod type_names;
mod typed;

pub use defaults::{CallHints, CallTypes, ListShape};
pub use error::{InferError, InferErrorKind, Result};
pub use session::{Constant, Evaluator, Types};
pub use ty::*;
pub use typed::*;
