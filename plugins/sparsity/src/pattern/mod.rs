//! Which entries of a matrix can be other than zero.
//!
//! - CSR1 there is one more offset than rows; offsets begin with zero, never decrease, and end with the
//!   number of entries.
//! - CSR2 the columns of a row are strictly increasing and less than the number of columns.
//! - CSR3 neither rows nor columns exceed [`SparsityPattern::MAX_SIZE`], so that an index of either fits a
//!   `u32`.
//!
//! Columns take four bytes, not eight: a pattern of ten million entries in a million rows is 48 MB.

mod algebra;
mod build;
mod error;
pub mod matrix_market;
mod text;

pub use error::PatternError;

/// A set of positions in a matrix, stored as compressed rows.
///
/// Rows and columns count from zero.
///
/// ```
/// use overdub_sparsity::SparsityPattern;
///
/// let pattern = SparsityPattern::new(2, 3, [(1, 2), (0, 0), (1, 0)])?;
/// assert_eq!(pattern.to_string(), "[1 0 0; 1 0 1]");
/// assert!(pattern.contains(1, 2) && !pattern.contains(0, 2));
/// # Ok::<(), overdub_sparsity::PatternError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SparsityPattern {
    cols: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
}

impl SparsityPattern {
    /// The greatest number of rows, and of columns, that a pattern can have.
    pub const MAX_SIZE: usize = u32::MAX as usize;

    /// The number of rows of the matrix.
    ///
    /// ```
    /// assert_eq!(overdub_sparsity::SparsityPattern::diagonal(3)?.rows(), 3);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of columns of the matrix.
    ///
    /// ```
    /// assert_eq!(overdub_sparsity::SparsityPattern::diagonal(3)?.cols(), 3);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The columns of the entries of a row, in increasing order. A row outside the matrix has none.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 0 0]".parse()?;
    /// assert_eq!(pattern.row(0), [0, 2]);
    /// assert!(pattern.row(1).is_empty() && pattern.row(7).is_empty());
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.row_range(row)]
    }

    /// The indices of the entries of a row among [`entries`](Self::entries).
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 1]".parse()?;
    /// assert_eq!(pattern.row_range(1), 2..4);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn row_range(&self, row: usize) -> std::ops::Range<usize> {
        match self.offsets.get(row..).and_then(|rest| rest.first_chunk()) {
            Some(&[start, end]) => start..end,
            None => self.len()..self.len(),
        }
    }

    /// The row and the column of each entry, row by row.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 0]".parse()?;
    /// assert_eq!(pattern.entries().collect::<Vec<_>>(), [(0, 0), (0, 2), (1, 1)]);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        (0..self.rows()).flat_map(|row| self.row(row).iter().map(move |&col| (row, col as usize)))
    }

    /// The index of the first entry of each row, and at the end the number of entries.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 0]".parse()?;
    /// assert_eq!(pattern.offsets(), [0, 2, 3]);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The column of each entry, row by row.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 0]".parse()?;
    /// assert_eq!(pattern.columns(), [0, 2, 1]);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The number of entries.
    ///
    /// ```
    /// assert_eq!("[1 0 1; 0 1 0]".parse::<overdub_sparsity::SparsityPattern>()?.len(), 3);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no entries.
    ///
    /// ```
    /// assert!("[0 0; 0 0]".parse::<overdub_sparsity::SparsityPattern>()?.is_empty());
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The index of a position among the [`entries`](Self::entries), if it is an entry.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 0]".parse()?;
    /// assert_eq!((pattern.index_of(1, 1), pattern.index_of(1, 2)), (Some(2), None));
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn index_of(&self, row: usize, col: usize) -> Option<usize> {
        let col = u32::try_from(col).ok()?;
        let range = self.row_range(row);
        Some(range.start + self.columns[range].binary_search(&col).ok()?)
    }

    /// Whether there is an entry at a position.
    ///
    /// ```
    /// assert!(overdub_sparsity::SparsityPattern::diagonal(3)?.contains(2, 2));
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, row: usize, col: usize) -> bool {
        self.index_of(row, col).is_some()
    }
}
