//! Golden cases: `tests/cases/<what>/<claim>.ir` is a text, claims about it, and the output of its command.
//!
//! ```text
//! test parse
//! fn @f(%x: f64) -> f64 {
//!   %y: _ = sin %x
//!   ret %y
//! }
//! // run: @f(0.0) == 0.0
//! // ---
//! // fn @f(%x: f64) -> f64 {
//! //   %y: f64 = sin %x
//! //   ret %y
//! // }
//! ```
//!
//! A case of Rust source is a `.rs` file whose first line is `// test lower NAME` or `// test grad NAME`.
//!
//! - CASE1 a `// run:` or `// error:` line is a claim: it is written by a person, and never rewritten.
//! - CASE2 the part below `// ---` is the output of the command; `BLESS=1` rewrites it and nothing else.
//! - CASE3 an error that is not claimed is a failure, and so is a claimed one that does not happen.

mod case;
mod claim;
mod command;
mod folder;
mod rust_case;

pub use case::Case;
pub use folder::{check_folder, check_passes, files, folders};
