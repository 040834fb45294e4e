//! Sparse matrices: only the entries of a pattern are stored.

use std::fmt;
use std::sync::Arc;

use crate::SparsityPattern;

/// The values of a sparse matrix, in the order of its pattern's entries: row by row.
#[derive(Clone, PartialEq)]
pub struct SparseMatrix {
    pattern: Arc<SparsityPattern>,
    values: Vec<f64>,
}

impl SparseMatrix {
    pub(crate) fn new(pattern: Arc<SparsityPattern>, values: Vec<f64>) -> SparseMatrix {
        SparseMatrix { pattern, values }
    }

    /// The pattern of its entries.
    pub fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }

    /// The values of the entries, row by row: with the pattern's offsets and columns, compressed sparse rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entry at a position; 0 if the pattern has none there.
    pub fn get(&self, row: usize, col: usize) -> f64 {
        self.pattern.index_of(row, col).map_or(0.0, |at| self.values[at])
    }

    /// The columns and values of a row's entries.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let values = self.values[self.pattern.row_range(row)].iter();
        self.pattern.row(row).iter().zip(values).map(|(col, value)| (*col as usize, *value))
    }

    /// The rows, zeros included.
    pub fn to_dense(&self) -> Vec<Vec<f64>> {
        let dense = |row: usize| {
            let mut all = vec![0.0; self.pattern.cols()];
            self.row(row).for_each(|(col, value)| all[col] = value);
            all
        };
        (0..self.pattern.rows()).map(dense).collect()
    }

    /// The product with a vector; columns beyond the vector's end are ignored.
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        let sum = |row: usize| self.row(row).filter_map(|(col, value)| Some(value * x.get(col)?)).sum();
        (0..self.pattern.rows()).map(sum).collect()
    }
}

impl fmt::Debug for SparseMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparseMatrix").field("pattern", &self.pattern).finish_non_exhaustive()
    }
}
