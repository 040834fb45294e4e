//! The foundation of overdub: an SSA intermediate representation, the values it computes with, its
//! operations, and the interpreter that is the reference for every other executor.

pub mod analysis;
mod code;
pub mod codes;
pub mod edit;
pub mod engine;
mod failure;
pub mod intern;
pub mod interp;
pub mod ir;
pub mod limits;
pub mod linalg;
pub mod memo;
mod names;
pub mod ops;
pub mod path;
mod print;
pub mod run_state;
mod span;
pub mod ssa;
mod symbol;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod tuples;
mod types;
pub mod value;
pub mod verify;

pub use code::{Code, NoCode};
pub use failure::{Failure, FailureKind, Report, StackEntry};
pub use span::{Inlined, Inlining, Span};
pub use symbol::Symbol;
