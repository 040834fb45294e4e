//! Operations on whole arrays, as derivatives see them.
//!
//! - N1 what moves elements about, and what is linear, has rules of its own where arrays stay whole ([`linear`]); all else
//!   is [expanded](expand) into what it does element by element, and differentiated as any program.

mod expand;
pub(crate) mod linear;
mod texts;

pub(crate) use expand::{Keeps, expanded};
