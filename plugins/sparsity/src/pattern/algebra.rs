//! Patterns as sets of positions: transposition, union, comparison, measures.

use super::{PatternError, SparsityPattern};

impl SparsityPattern {
    /// The pattern with rows and columns exchanged, in time linear in its size.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[1 0 1; 0 1 0]".parse()?;
    /// assert_eq!(pattern.transpose().to_string(), "[1 0; 0 1; 1 0]");
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn transpose(&self) -> Self {
        self.transpose_moving(|_, _| {})
    }

    /// The transposed pattern, with the index in this one of each of its entries.
    pub(crate) fn transpose_with_origins(&self) -> (Self, Vec<usize>) {
        let mut origins = vec![0; self.len()];
        let transposed = self.transpose_moving(|from, to| origins[to] = from);
        (transposed, origins)
    }

    /// The transposed pattern; calls `moved` with the index of each entry in this pattern and in the
    /// transposed one.
    fn transpose_moving(&self, mut moved: impl FnMut(usize, usize)) -> Self {
        let mut next = vec![0; self.cols + 1];
        self.columns.iter().for_each(|&col| next[col as usize + 1] += 1);
        for col in 0..self.cols {
            next[col + 1] += next[col];
        }
        let offsets = next.clone();
        let mut columns = vec![0; self.len()];
        for (index, (row, col)) in self.entries().enumerate() {
            columns[next[col]] = row as u32;
            moved(index, next[col]);
            next[col] += 1;
        }
        Self { cols: self.rows(), offsets, columns }
    }

    /// The pattern with the entries of both.
    ///
    /// # Errors
    /// If their sizes differ.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let (a, b): (SparsityPattern, SparsityPattern) = ("[1 0; 0 0]".parse()?, "[1 1; 0 0]".parse()?);
    /// assert_eq!(a.union(&b)?, b);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn union(&self, other: &Self) -> Result<Self, PatternError> {
        let (left, right) = (self.size(), other.size());
        if left != right {
            return Err(PatternError::Sizes { left, right });
        }
        let mut offsets = Vec::with_capacity(self.offsets.len());
        let mut columns = Vec::with_capacity(self.len().max(other.len()));
        offsets.push(0);
        for row in 0..self.rows() {
            merge(self.row(row), other.row(row), &mut columns);
            offsets.push(columns.len());
        }
        Ok(Self { cols: self.cols, offsets, columns })
    }

    /// Whether the patterns have the same size, and the other has every entry of this one.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let (a, b): (SparsityPattern, SparsityPattern) = ("[1 0; 0 0]".parse()?, "[1 1; 0 0]".parse()?);
    /// assert!(a.is_subset_of(&b) && !b.is_subset_of(&a));
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn is_subset_of(&self, other: &Self) -> bool {
        self.size() == other.size() && self.first_missing(other).is_none()
    }

    /// The row and the column of the first entry of this pattern that the other lacks.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let (a, b): (SparsityPattern, SparsityPattern) = ("[1 0; 0 0]".parse()?, "[1 1; 0 0]".parse()?);
    /// assert_eq!((a.first_missing(&b), b.first_missing(&a)), (None, Some((0, 1))));
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn first_missing(&self, other: &Self) -> Option<(usize, usize)> {
        (0..self.rows()).find_map(|row| {
            let mut others = other.row(row).iter().peekable();
            let missing = self.row(row).iter().find(|&col| {
                while others.next_if(|other| *other < col).is_some() {}
                others.next_if_eq(&col).is_none()
            });
            missing.map(|&col| (row, col as usize))
        })
    }

    /// Whether the matrix is square, and has an entry at `(j, i)` wherever it has one at `(i, j)`.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// assert!("[0 1; 1 1]".parse::<SparsityPattern>()?.is_symmetric());
    /// assert!(!"[0 1; 0 1]".parse::<SparsityPattern>()?.is_symmetric());
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.rows() == self.cols && *self == self.transpose()
    }

    /// The pattern united with its transpose.
    ///
    /// # Errors
    /// If the pattern is not square.
    ///
    /// ```
    /// let pattern: overdub_sparsity::SparsityPattern = "[0 1; 0 1]".parse()?;
    /// assert_eq!(pattern.symmetrized()?.to_string(), "[0 1; 1 1]");
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn symmetrized(&self) -> Result<Self, PatternError> {
        let (rows, cols) = self.size();
        if rows != cols {
            return Err(PatternError::NotSquare { rows, cols });
        }
        self.union(&self.transpose())
    }

    /// The fraction of positions that have entries; zero for a matrix without positions.
    ///
    /// ```
    /// assert_eq!(overdub_sparsity::SparsityPattern::diagonal(4)?.density(), 0.25);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn density(&self) -> f64 {
        let places = self.rows() as f64 * self.cols as f64;
        if places == 0.0 { 0.0 } else { self.len() as f64 / places }
    }

    /// The distance of the farthest entry from the diagonal: the greatest `|i − j|`, zero if there are no
    /// entries.
    ///
    /// ```
    /// assert_eq!("[1 0 0; 1 1 0; 1 0 1]".parse::<overdub_sparsity::SparsityPattern>()?.bandwidth(), 2);
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    #[must_use]
    pub fn bandwidth(&self) -> usize {
        let ends = (0..self.rows()).filter_map(|row| {
            let (first, last) = (*self.row(row).first()?, *self.row(row).last()?);
            Some(row.abs_diff(first as usize).max(row.abs_diff(last as usize)))
        });
        ends.max().unwrap_or(0)
    }

    /// The numbers of rows and columns.
    fn size(&self) -> (usize, usize) {
        (self.rows(), self.cols)
    }
}

/// Appends the union of two increasing lists, in increasing order.
fn merge(left: &[u32], right: &[u32], into: &mut Vec<u32>) {
    let mut right = right.iter().copied().peekable();
    for &col in left {
        while let Some(before) = right.next_if(|other| *other < col) {
            into.push(before);
        }
        right.next_if_eq(&col);
        into.push(col);
    }
    into.extend(right);
}
