//! Errors of a matrix to be colored, of a coloring, and of a compressed matrix.

use super::ColoringKind;

/// A row or a column of a matrix.
///
/// ```
/// use overdub_sparsity::coloring::Vertex;
///
/// assert_eq!(Vertex::Column(3).to_string(), "column 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Vertex {
    /// A row, counted from zero.
    Row(usize),
    /// A column, counted from zero.
    Column(usize),
}

impl std::fmt::Display for Vertex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::Column(col) => write!(f, "column {col}"),
        }
    }
}

/// Why no coloring was found.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, color};
///
/// let error = color(&"[1 1; 0 1]".parse()?, ColoringKind::Star).unwrap_err();
/// assert_eq!(error.to_string(), "the matrix is not symmetric: (0, 1) has no mirror image");
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColoringError {
    /// A symmetric coloring of a matrix that is not square.
    #[error("a matrix of {rows} rows and {cols} columns is not symmetric")]
    NotSquare {
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        cols: usize,
    },
    /// A symmetric coloring of a matrix that is not symmetric.
    #[error("the matrix is not symmetric: ({row}, {col}) has no mirror image")]
    NotSymmetric {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        col: usize,
    },
    /// The rows and columns together, or the entries, are more than a graph of this kind can have.
    #[error("{found} {of} are more than the {most} of a {kind} coloring")]
    TooLarge {
        /// The kind of the coloring.
        kind: ColoringKind,
        /// Which of them there are too many of.
        of: &'static str,
        /// Their number.
        found: usize,
        /// The greatest number that is possible.
        most: usize,
    },
    /// The list of orders to try is empty.
    #[error("no order of vertices is given")]
    NoOrder,
    /// An optimal coloring of a kind for which none is computed.
    #[error("an optimal {kind} coloring is not supported, only of columns or rows")]
    NotSupported {
        /// The kind of the coloring.
        kind: ColoringKind,
    },
    /// The search for an optimal coloring was abandoned.
    #[error("no proof within {limit} steps: the least number of colors is from {least} to {found}")]
    Limit {
        /// The number of steps that were allowed.
        limit: u64,
        /// A lower bound of the number of colors.
        least: usize,
        /// The number of colors of the best coloring found.
        found: usize,
    },
}

/// Why entries cannot be recovered with a coloring.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind, check_coloring};
///
/// let coloring = Coloring::new(ColoringKind::Column, vec![1, 2, 1], vec![])?;
/// let error = check_coloring(&"[1 1 0; 1 0 1]".parse()?, &coloring).unwrap_err();
/// assert_eq!(error.to_string(), "columns 0 and 2 have color 1, and both have entries in row 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidColoring {
    /// The matrix has no coloring of this kind.
    #[error(transparent)]
    Matrix(#[from] ColoringError),
    /// There is not one color for each column, or each row.
    #[error("{found} {of} are colored where a {kind} coloring has {expected}")]
    Length {
        /// The kind of the coloring.
        kind: ColoringKind,
        /// Rows or columns.
        of: &'static str,
        /// The number of colors.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A color that is greater than the number of rows or columns.
    #[error("color {color} is greater than the number {vertices} of what is colored")]
    ColorTooLarge {
        /// The color.
        color: usize,
        /// The number of rows or columns.
        vertices: usize,
    },
    /// Two columns of one color have entries in the same row, although their entries must be alone there.
    #[error("columns {} and {} have color {color}, and both have entries in row {row}", columns[0], columns[1])]
    SharedRow {
        /// The two columns.
        columns: [usize; 2],
        /// Their color.
        color: usize,
        /// The row.
        row: usize,
    },
    /// Two rows of one color have entries in the same column, although their entries must be alone there.
    #[error("rows {} and {} have color {color}, and both have entries in column {col}", rows[0], rows[1])]
    SharedColumn {
        /// The two rows.
        rows: [usize; 2],
        /// Their color.
        color: usize,
        /// The column.
        col: usize,
    },
    /// No product contains an entry, because its row and column are neutral or not colored.
    #[error("no product contains the entry ({row}, {col}): what it could be read from is neutral")]
    NotCovered {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        col: usize,
    },
    /// Two adjacent vertices have the same color.
    #[error("columns {} and {} are adjacent, and both have color {color}", columns[0], columns[1])]
    Adjacent {
        /// The two columns.
        columns: [usize; 2],
        /// Their color.
        color: usize,
    },
    /// A path of four vertices has two colors, which a star coloring forbids.
    #[error("the path {}, {}, {}, {} has two colors", path[0], path[1], path[2], path[3])]
    TwoColoredPath {
        /// The path.
        path: [Vertex; 4],
    },
    /// A cycle has two colors, which an acyclic coloring forbids.
    #[error("the cycle {} has two colors", list(cycle))]
    TwoColoredCycle {
        /// The vertices along the cycle, each once.
        cycle: Vec<Vertex>,
    },
}

/// Why a matrix was not compressed or decompressed.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, Decompression, color};
///
/// let pattern = "[1 0; 0 1]".parse()?;
/// let plan = Decompression::prepare(&pattern, &color(&pattern, ColoringKind::Column)?)?;
/// let error = plan.decompress(&[1.0], &mut [0.0; 2]).unwrap_err();
/// assert_eq!(error.to_string(), "1 compressed values where there are 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecompressionError {
    /// The coloring does not fit the pattern.
    #[error(transparent)]
    Coloring(#[from] InvalidColoring),
    /// A slice has the wrong length.
    #[error("{found} {of} values where there are {expected}")]
    Length {
        /// The compressed values or those of the entries.
        of: &'static str,
        /// The length given.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// There is no memory for the compressed matrix.
    #[error("there is no memory for {values} compressed values")]
    Memory {
        /// The number of its values.
        values: usize,
    },
}

fn list(vertices: &[Vertex]) -> String {
    vertices.iter().map(Vertex::to_string).collect::<Vec<_>>().join(", ")
}
