//! Errors in building a pattern.

/// Why a pattern cannot be built.
///
/// ```
/// use overdub_sparsity::{PatternError, SparsityPattern};
///
/// let error = SparsityPattern::new(2, 2, [(0, 5)]).unwrap_err();
/// assert_eq!(error, PatternError::EntryOutside { row: 0, col: 5, rows: 2, cols: 2 });
/// assert_eq!(error.to_string(), "the entry (0, 5) lies outside of a matrix of 2 rows and 2 columns");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// An entry is outside the matrix.
    #[error("the entry ({row}, {col}) lies outside of a matrix of {rows} rows and {cols} columns")]
    EntryOutside {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        col: usize,
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        cols: usize,
    },
    /// More rows or columns than [`SparsityPattern::MAX_SIZE`](crate::SparsityPattern::MAX_SIZE).
    #[error("a matrix of {rows} rows and {cols} columns is larger than a pattern can be")]
    TooLarge {
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        cols: usize,
    },
    /// The offsets do not delimit rows: they must begin with zero, never decrease, and end with the number of
    /// entries.
    #[error("the offset at {at} does not delimit a row of {entries} entries")]
    Offset {
        /// The index of the offset.
        at: usize,
        /// The number of entries.
        entries: usize,
    },
    /// The columns of a row are not strictly increasing.
    #[error("the columns of row {row} do not rise: {col} follows {previous}")]
    NotRising {
        /// The row.
        row: usize,
        /// The preceding column.
        previous: usize,
        /// The column that is not greater.
        col: usize,
    },
    /// Two patterns should have the same size.
    #[error("a pattern of {} by {} and one of {} by {} are to be of one size", left.0, left.1, right.0, right.1)]
    Sizes {
        /// Rows and columns of the first.
        left: (usize, usize),
        /// Rows and columns of the second.
        right: (usize, usize),
    },
    /// A pattern should be square.
    #[error("a matrix of {rows} rows and {cols} columns is not square")]
    NotSquare {
        /// The rows of the matrix.
        rows: usize,
        /// The columns of the matrix.
        cols: usize,
    },
    /// The text is not a matrix: a row has another length than the first, or an entry is not a number.
    #[error("row {row} of the matrix has {found} where {expected} is expected")]
    Text {
        /// The row, from zero.
        row: usize,
        /// What the text contains.
        found: String,
        /// What was expected.
        expected: String,
    },
}
