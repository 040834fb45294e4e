//! The products that a coloring requires, of a matrix with known values.

use super::check::check_lengths;
use super::{Coloring, DecompressionError};
use crate::SparsityPattern;

/// The compressed matrix, from the values of the entries: the products consecutively, first `J·s` for each
/// group of columns, each with a number for each row, then `sᵀ·J` for each group of rows, each with a number
/// for each column.
///
/// Differentiation computes these products from the program; this function is only needed for tests.
///
/// # Errors
/// If values or colors are not as many as entries, rows or columns.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind, compress};
///
/// let coloring = Coloring::new(ColoringKind::Row, vec![], vec![1, 1, 2])?;
/// let compressed = compress(&"[1 0 3; 0 2 0; 4 5 0]".parse()?, &coloring, &[1.0, 3.0, 2.0, 4.0, 5.0])?;
/// assert_eq!(compressed, [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compress(
    pattern: &SparsityPattern,
    coloring: &Coloring,
    values: &[f64],
) -> Result<Vec<f64>, DecompressionError> {
    check_lengths(pattern, coloring)?;
    if values.len() != pattern.len() {
        let (found, expected) = (values.len(), pattern.len());
        return Err(DecompressionError::Length { of: "entries'", found, expected });
    }
    let mut compressed = zeros(compressed_len(pattern, coloring))?;
    let (by_columns, by_rows) = compressed.split_at_mut(coloring.column_count() * pattern.rows());
    for ((row, col), value) in pattern.entries().zip(values) {
        if let Some(&color @ 1..) = coloring.column_colors().get(col) {
            by_columns[(color as usize - 1) * pattern.rows() + row] += value;
        }
        if let Some(&color @ 1..) = coloring.row_colors().get(row) {
            by_rows[(color as usize - 1) * pattern.cols() + col] += value;
        }
    }
    Ok(compressed)
}

/// The number of values of a compressed matrix.
pub(super) fn compressed_len(pattern: &SparsityPattern, coloring: &Coloring) -> usize {
    let by_columns = coloring.column_count().saturating_mul(pattern.rows());
    by_columns.saturating_add(coloring.row_count().saturating_mul(pattern.cols()))
}

fn zeros(len: usize) -> Result<Vec<f64>, DecompressionError> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| DecompressionError::Memory { values: len })?;
    values.resize(len, 0.0);
    Ok(values)
}
