//! Finds rows and columns that can share a product, by coloring graphs.
//!
//! A Jacobian `J` is computed by products `J·s`, one for each group of columns, or `sᵀ·J`, one for each group of rows.
//! A coloring chooses few groups from which every entry can be recovered (Gebremedhin, Manne, Pothen, *What color is
//! your Jacobian?*, SIAM Review 47, 2005).
//!
//! ```
//! use overdub_sparsity::coloring::{ColoringKind, Decompression, color, compress};
//! use overdub_sparsity::SparsityPattern;
//!
//! let pattern: SparsityPattern = "[1 0 2; 0 3 4; 5 0 0]".parse()?;
//! let coloring = color(&pattern, ColoringKind::Column)?;
//! assert_eq!(coloring.column_colors(), [1, 1, 2]);
//!
//! let values = [1.0, 2.0, 3.0, 4.0, 5.0];
//! let compressed = compress(&pattern, &coloring, &values)?;
//! assert_eq!(compressed, [1.0, 3.0, 5.0, 2.0, 4.0, 0.0]); // Column by column.
//!
//! let mut recovered = [0.0; 5];
//! Decompression::prepare(&pattern, &coloring)?.decompress(&compressed, &mut recovered)?;
//! assert_eq!(recovered, values);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - COLOR1 a color is not greater than the number of rows or columns that are colored; zero is the neutral
//!   color, that of vertices in no group.
//! - COLOR2 a coloring holds only colors: checks and decompression compute stars and trees from them, so a
//!   coloring given by hand, or read from a file, is as good as one computed here.

mod acyclic;
mod analysis;
mod check;
mod color_lists;
mod compress;
mod decompress;
mod degree_queue;
mod distance2;
mod error;
mod graph;
mod greedy;
mod groups;
mod neutral;
mod optimal;
mod order;
mod recovery;
mod result;
mod star;
mod trees;

pub use check::check_coloring;
#[cfg(feature = "png")]
pub(crate) use check::check_lengths;
pub use compress::compress;
pub use decompress::Decompression;
pub use error::{ColoringError, DecompressionError, InvalidColoring, Vertex};
pub use greedy::{GreedyColoring, color};
pub use groups::Groups;
pub use neutral::Neutral;
pub use optimal::color_optimally;
pub use order::Order;
pub use result::{Coloring, ColoringKind};
