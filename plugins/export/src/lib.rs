//! Functions of the IR as Rust or C that people read, vendor and ship: whatever a context made of them, with everything
//! they call. What comes out needs nothing of overdub.
//!
//! - EXPORT1 what is exported gives the same value as the interpreter, to the bit, and fails where that fails. Failed
//!   assertions, integer arithmetic and indices have the interpreter's message and place.
//! - EXPORT2 what has no counterpart is an error that names it and its place; nothing is left out.
//!
//! ```
//! use overdub_export::Export;
//!
//! let loaded = overdub_lower::Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x * x + 1.0 }")?;
//! let text = Export::new(&loaded.engine()).function(loaded.function("f")?.symbol, "f", "").rust()?;
//! assert!(text.contains("x * x + 1.0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod ast;
mod bits;
mod body;
mod build;
mod c;
mod calls;
mod checked;
mod coalesce;
mod compression;
mod constants;
mod counted;
mod derivative;
mod describe;
mod destinations;
mod error;
mod export;
mod gemm;
mod in_place;
mod lanes;
mod liveness;
mod local_names;
mod matrix;
mod names;
mod nominal;
mod options;
mod overwritten;
mod owned;
mod ownership;
pub mod packed;
mod partial;
mod places;
mod plain_first;
mod print;
mod program;
mod reducible;
mod rust;
mod scopes;
mod settings;
mod silent;
mod sites;
mod slices;
mod stack_arrays;
mod tables;
mod tape_records;
mod tape_room;
mod tape_vectors;
mod tidy;
mod unused;
mod workspace;

pub use answer::Interface;
pub use compression::{Compression, CompressionError, Products};
pub use derivative::Derivative;
pub use describe::{result_doc, result_name, static_doc};
pub use error::ExportError;
pub use export::{Export, Printed};
pub use nominal::is_boxed;
pub use options::{Arithmetic, Failures, LANES, Library, Results};
pub use ownership::is_copied;
pub use partial::with_static_arguments;
pub use print::Kernel;
