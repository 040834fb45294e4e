//! Patterns as pictures.
//!
//! ```
//! use overdub_sparsity::{SparsityPattern, picture};
//!
//! let tridiagonal: SparsityPattern = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse()?;
//! assert_eq!(picture::braille(&tridiagonal, 40), "⠻⣦\n4 × 4, 10 entries, density 62.5 %, bandwidth 1\n");
//! # Ok::<(), overdub_sparsity::PatternError>(())
//! ```

#[cfg(feature = "png")]
mod bitmap;
mod braille;
#[cfg(feature = "png")]
mod image;

pub use braille::braille;
#[cfg(feature = "png")]
pub use image::{PictureError, png};
