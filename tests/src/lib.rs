//! Golden cases: `tests/cases/<what>/<claim>.ir` is a text, claims about it, and what comes of it.
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
//! - CASE1 a `// run:` or `// error:` line is a claim: a person wrote it, nothing rewrites it.
//! - CASE2 what stands below `// ---` is what the command puts out; `BLESS=1` rewrites it and nothing else.
//! - CASE3 an error that is not claimed is a failure, and so is a claimed one that does not happen.

mod case;
mod claim;
mod command;
mod folder;
mod rust_case;

pub use case::Case;
pub use folder::{check_folder, check_passes, files, folders};
