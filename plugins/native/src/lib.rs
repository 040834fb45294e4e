//! Machine code: an executor that compiles typed IR with Cranelift when a function is first called.
//!
//! [`Native`] gives the results of the interpreter, to the bit, and the same failures: message, location and call
//! stack (except for inlined calls). As in Rust, the sign and payload of a `NaN` are unspecified.
//!
//! - Tuples, structs, enums and closures are held in registers, one component each (`abi`). Vectors of scalars,
//!   vectors of packed elements, and stacks of scalar records are read and written in place (`values`). Other
//!   values are reference-counted pointers.
//! - An operation without a lowering (`codegen`) is run by its evaluator, so every function can be compiled.
//! - Failures are status codes: nothing unwinds through compiled code.
//! - `unsafe` occurs in this crate alone, each block with its reason.
//!
//! Builds with debug assertions check this at run time (`checks`): every reference count that compiled code holds is
//! recorded, every access is checked, and a fault ends the run with a panic that names its location
//! (`docs/native_checks.md`). `.ci/memory` runs the tests in that mode and under valgrind.

#[cfg(not(target_endian = "little"))]
compile_error!("words are laid out for little-endian machines");

mod abi;
mod buffer_pool;
mod checks;
mod codegen;
mod compiled;
mod executor;
mod prepared;
mod program;
mod programs;
mod runtime;
mod side_tables;
mod tiering;
mod values;

pub use executor::Native;
pub use overdub_context::engine::OutSlot;
pub use overdub_context::value::Arg;
pub use prepared::{Caller, Prepared};
