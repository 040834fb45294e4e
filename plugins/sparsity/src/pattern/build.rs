//! Patterns from lists of entries, from rows, and from offsets.

use super::{PatternError, SparsityPattern};

impl SparsityPattern {
    /// The pattern of a matrix with these numbers of rows and columns, with entries in any order. Duplicates
    /// count once.
    ///
    /// # Errors
    /// If an entry is outside the matrix, or the matrix is too large.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let pattern = SparsityPattern::new(2, 2, [(1, 1), (0, 0), (1, 1)])?;
    /// assert_eq!(pattern, SparsityPattern::diagonal(2)?);
    /// assert!(SparsityPattern::new(2, 2, [(2, 0)]).is_err());
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn new(
        rows: usize,
        cols: usize,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, PatternError> {
        check_size(rows, cols)?;
        let mut places: Vec<(u32, u32)> = Vec::new();
        for (row, col) in entries {
            if row >= rows || col >= cols {
                return Err(PatternError::EntryOutside { row, col, rows, cols });
            }
            places.push((row as u32, col as u32));
        }
        if !places.is_sorted() {
            places.sort_unstable();
        }
        places.dedup();
        let mut offsets = vec![0; rows + 1];
        places.iter().for_each(|&(row, _)| offsets[row as usize + 1] += 1);
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        Ok(Self { cols, offsets, columns: places.into_iter().map(|(_, col)| col).collect() })
    }

    /// The pattern whose rows have entries in these columns, in any order.
    ///
    /// # Errors
    /// If a column is not less than `cols`, or the matrix is too large.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let pattern = SparsityPattern::from_rows(3, [vec![2, 0], vec![], vec![1]])?;
    /// assert_eq!(pattern.to_string(), "[1 0 1; 0 0 0; 0 1 0]");
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn from_rows(
        cols: usize,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = usize>>,
    ) -> Result<Self, PatternError> {
        check_size(0, cols)?;
        let (mut offsets, mut columns, mut sorted) = (vec![0], Vec::new(), Vec::new());
        let mut outside = None;
        for (row, of_row) in rows.into_iter().enumerate() {
            for col in of_row {
                if col >= cols {
                    outside = outside.or(Some((row, col)));
                } else {
                    sorted.push(col as u32);
                }
            }
            sorted.sort_unstable();
            sorted.dedup();
            columns.append(&mut sorted);
            offsets.push(columns.len());
        }
        let rows = offsets.len() - 1;
        check_size(rows, cols)?;
        match outside {
            Some((row, col)) => Err(PatternError::EntryOutside { row, col, rows, cols }),
            None => Ok(Self { cols, offsets, columns }),
        }
    }

    /// The pattern of compressed rows: row `i` has entries in `columns[offsets[i]..offsets[i + 1]]`, in
    /// increasing order.
    ///
    /// # Errors
    /// If the offsets do not delimit rows, columns are not increasing, or one is not less than `cols`.
    ///
    /// ```
    /// use overdub_sparsity::SparsityPattern;
    ///
    /// let pattern = SparsityPattern::from_offsets(3, vec![0, 2, 3], vec![0, 2, 1])?;
    /// assert_eq!(pattern.to_string(), "[1 0 1; 0 1 0]");
    /// assert!(SparsityPattern::from_offsets(3, vec![0, 2, 3], vec![2, 0, 1]).is_err());
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn from_offsets(cols: usize, offsets: Vec<usize>, columns: Vec<u32>) -> Result<Self, PatternError> {
        let entries = columns.len();
        check_size(offsets.len().saturating_sub(1), cols)?;
        if offsets.first() != Some(&0) {
            return Err(PatternError::Offset { at: 0, entries });
        }
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(PatternError::Offset { at: at + 1, entries });
        }
        if offsets.last() != Some(&entries) {
            return Err(PatternError::Offset { at: offsets.len() - 1, entries });
        }
        let pattern = Self { cols, offsets, columns };
        (0..pattern.rows()).try_for_each(|row| pattern.check_row(row))?;
        Ok(pattern)
    }

    /// The pattern with entries on the diagonal.
    ///
    /// # Errors
    /// If the matrix is too large.
    ///
    /// ```
    /// assert_eq!(overdub_sparsity::SparsityPattern::diagonal(2)?.to_string(), "[1 0; 0 1]");
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn diagonal(size: usize) -> Result<Self, PatternError> {
        check_size(size, size)?;
        Ok(Self { cols: size, offsets: (0..=size).collect(), columns: (0..size as u32).collect() })
    }

    /// The pattern without entries.
    ///
    /// # Errors
    /// If the matrix is too large.
    ///
    /// ```
    /// assert_eq!(overdub_sparsity::SparsityPattern::empty(2, 3)?.to_string(), "[0 0 0; 0 0 0]");
    /// # Ok::<(), overdub_sparsity::PatternError>(())
    /// ```
    pub fn empty(rows: usize, cols: usize) -> Result<Self, PatternError> {
        check_size(rows, cols)?;
        Ok(Self { cols, offsets: vec![0; rows + 1], columns: Vec::new() })
    }

    /// Checks CSR2 for a row.
    fn check_row(&self, row: usize) -> Result<(), PatternError> {
        let of_row = self.row(row);
        if let Some(pair) = of_row.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(PatternError::NotRising { row, previous: pair[0] as usize, col: pair[1] as usize });
        }
        match of_row.last() {
            Some(&col) if col as usize >= self.cols => {
                let (rows, cols) = (self.rows(), self.cols);
                Err(PatternError::EntryOutside { row, col: col as usize, rows, cols })
            }
            _ => Ok(()),
        }
    }
}

/// Checks CSR3 for a matrix.
fn check_size(rows: usize, cols: usize) -> Result<(), PatternError> {
    if rows > SparsityPattern::MAX_SIZE || cols > SparsityPattern::MAX_SIZE {
        return Err(PatternError::TooLarge { rows, cols });
    }
    Ok(())
}
