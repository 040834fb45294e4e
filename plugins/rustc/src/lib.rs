//! Hot functions compiled by the installed rustc, or by clang or gcc: an executor over another one, in whose place it runs
//! functions once they are compiled.
//!
//! [`Rustc`] runs a function by the executor below it until its runs have taken as long as compiling takes. Then it exports
//! the function as Rust ([`Export::dynamic_library`](overdub_export::Export::dynamic_library)), or as C
//! ([`Export::dynamic_library_in_c`](overdub_export::Export::dynamic_library_in_c)) if the [`Compiler`] is one of C, compiles that on
//! a thread of its own, and from then on calls the library. These compilers vectorise and schedule what Cranelift does not, and
//! take a second for what takes Cranelift milliseconds.
//!
//! ```
//! use overdub_context::engine::{Engine, Interpreting};
//! use overdub_context::text;
//! use overdub_context::value::Value;
//! use overdub_rustc::Rustc;
//!
//! let program = text::parse("fn @half(%x: f64) -> f64 {\n  %y: f64 = div %x, 2.0\n  ret %y\n}")?;
//! let engine = Engine::builder(program.module()).executor(Rustc::new(Interpreting::new())).build();
//! assert_eq!(engine.run("half", vec![Value::F64(3.0)])?.as_f64(), Some(1.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - TIER1 results equal those of the executor below, to the bit, with the exceptions of exported text: the sign and payload
//!   of a `NaN`.
//! - TIER2 a call that fails in a library is made again by the executor below, which says why. So a function with effects is
//!   not compiled, and neither is one that calls itself, or whose values contain others of their type: nothing counts how
//!   deeply they nest.
//! - TIER3 a run with limits is one of the executor below: libraries count nothing.
//! - TIER4 without a compiler, or where a function has no counterpart in its language, everything runs as by the executor below.
//! - TIER5 compiled libraries are kept on disk, by the text, the compiler and the processor ([`Cache`]).
//! - TIER6 calls for many elements ([`Executor::batch`](overdub_context::engine::Executor::batch)) run in
//!   [lanes](overdub_export::Export::with_lanes), if the compiler is rustc, with a library for each form of call; where one fails, or before it is compiled, the
//!   caller runs the elements in another way.

mod batch;
mod cache;
mod compiler;
mod executor;
mod library;
mod options;
mod out_slots;
mod prepared;
mod programs;
mod replaced;
mod signature;
mod worker;

pub use cache::Cache;
pub use compiler::{CompileError, Compiler};
pub use executor::Rustc;
pub use options::Language;
pub use programs::Status;
