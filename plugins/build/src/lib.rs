//! Derivatives of a crate's functions, written as plain Rust by its build script.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), overdub_build::Error> {
//!     overdub_build::Derivatives::new().gradient("model::loss").hvp("model::loss").write()
//! }
//! ```
//!
//! ```ignore
//! // src/lib.rs
//! pub mod model;
//!
//! pub mod derivatives {
//!     include!(concat!(env!("OUT_DIR"), "/derivatives.rs"));
//! }
//! ```
//!
//! - SCRIPT1 the crate is read as cargo builds it: with the features that are on, and with its dependencies in the
//!   versions of `Cargo.lock`. Other `cfg`s are those of a program that overdub runs: of 64-bit Linux, with assertions.
//! - SCRIPT2 the build script runs again when a file changes that was read, and at no other time.
//! - SCRIPT3 what cannot be written is an error at its place in the source. The file is complete or as it was.

mod derivatives;
mod error;
mod files;
mod function;
mod manifest;
mod output;
mod package;
mod report;
mod types;
mod visibility;

pub use derivatives::Derivatives;
pub use error::{Cause, Error};
pub use function::Function;
pub use manifest::Target;
pub use overdub_export::{Arithmetic, Derivative, Failures, LANES, Library, Results};
pub use package::{Package, Reading};
pub use types::TypePaths;
