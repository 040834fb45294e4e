//! Type inference per instance: the scheme of rustc in small.
//!
//! A body is inferred by unification, with what is expected flowing in and obligations waiting for the variables that
//! they depend on. Methods are looked up as rustc does, traits are chosen by their impls' headers and where clauses.
//!
//! - INFER1 a body is inferred with all generic parameters of its item bound to concrete types.
//! - INFER2 programs are taken to be what rustc accepts: the errors of a wrong program are best effort, what a right one
//!   means is not. Lifetimes, borrows, visibility and coherence are not looked at.

mod bounds;
mod check;
mod constant;
mod cx;
mod defaults;
mod error;
mod fold;
mod lower_ty;
mod method;
mod named;
mod opaque;
mod path;
mod resolve;
mod scope;
mod select;
mod session;
mod show;
mod solve;
mod table;
mod ty;
mod typed;

pub use defaults::{CallTypes, Given, ListShape};
pub use error::{InferError, InferErrorKind, Result};
pub use session::{Evaluator, Types};
pub use ty::*;
pub use typed::*;
