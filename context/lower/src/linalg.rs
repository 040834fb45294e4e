//! Linear algebra as seen by programs: `overdub::linalg`, which is `overdub_context::linalg`.

crate::provide_crate!("overdub_context", include_str!("../provided/overdub_context.rs"));
crate::provide_crate!("overdub", "pub mod linalg { pub use overdub_context::linalg::*; }");
