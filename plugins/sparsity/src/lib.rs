//! Sparse derivatives: which entries of a Jacobian or Hessian can be other than zero, and how to compute only those.
//!
//! ```
//! use overdub_sparsity::SparsityPattern;
//!
//! let pattern: SparsityPattern = "[1 0 2; 0 3 4; 5 0 0]".parse()?;
//! assert_eq!((pattern.rows(), pattern.cols(), pattern.len()), (3, 3, 5));
//! assert_eq!(pattern.row(1), [1, 2]);
//! # Ok::<(), overdub_sparsity::PatternError>(())
//! ```

pub mod api;
pub mod coloring;
pub mod detect;
mod entries;
mod evaluation;
mod matrix;
pub mod pattern;
pub mod picture;
mod products;
mod slots;
mod sparse;
mod sparse_error;
#[cfg(feature = "faer")]
mod to_faer;
#[cfg(feature = "sprs")]
mod to_sprs;

/// The crate of the matrices that [`SparseMatrix::to_faer`] returns.
#[cfg(feature = "faer")]
pub use faer;
/// The crate of the matrices that [`SparseMatrix::as_sprs`] returns.
#[cfg(feature = "sprs")]
pub use sprs;

pub use coloring::{Coloring, ColoringKind, Decompression, GreedyColoring, check_coloring, color};
pub use detect::{DetectError, Detector};
pub use evaluation::Evaluation;
pub use matrix::SparseMatrix;
pub use pattern::{PatternError, SparsityPattern};
pub use slots::{EntrySlots, Matrix, NoSlots};
pub use sparse::SparseDerivative;
pub use sparse_error::SparseError;
