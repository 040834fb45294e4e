//! Functions as machine code: typed IR compiled by Cranelift when it is first called.
//!
//! [`Native`] is an executor: what the interpreter runs, it runs, to the bit, and fails where the interpreter fails,
//! with the same message, place and call stack (but for what was inlined). As in Rust, the sign and the payload of a
//! `NaN` that an operation gives are not among the promises.
//!
//! - Tuples, structs, enums and closures lie in registers; vectors of scalars, vectors of those, of tuples, structs,
//!   enums and other vectors, and stacks of what consists of scalars, are read and written in place; other values are
//!   counted pointers.
//! - An operation without code of its own is run by its evaluator, so that compiled code is complete.
//! - Failures are status codes: nothing unwinds through compiled code.
//! - `unsafe` lives in this crate alone, each block with its reason.
//!
//! Builds with debug assertions check all that: each count that compiled code holds is recorded, each access is checked,
//! and what is wrong ends the run with a panic that says where (`docs/native_checks.md`). `.ci/memory` runs the tests in
//! that mode and under valgrind.

#[cfg(not(target_endian = "little"))]
compile_error!("words are laid out for little-endian machines");

mod abi;
mod checks;
mod codegen;
mod compiled;
mod executor;
mod prepared;
mod program;
mod runtime;
mod tiering;

pub use executor::Native;
pub use overdub_context::engine::OutSlot;
pub use overdub_context::value::Arg;
pub use prepared::{Caller, Prepared};
