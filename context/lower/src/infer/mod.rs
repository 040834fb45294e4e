//! Type inference per instance: the scheme of rustc in small.
//!
//! - I1 a body is inferred with all generic parameters of its item bound to concrete types.

mod error;
mod ty;
mod typed;

pub use error::{InferError, InferErrorKind, Result};
pub use ty::*;
pub use typed::*;
