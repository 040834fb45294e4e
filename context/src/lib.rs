//! The ground floor of overdub: an SSA intermediate representation, the values it computes with, its
//! operations, and the interpreter that is the reference for every other executor.

mod span;
mod symbol;

pub use span::Span;
pub use symbol::Symbol;
