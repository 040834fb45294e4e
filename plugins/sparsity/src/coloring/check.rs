//! Whether a coloring recovers every entry of a pattern.

use super::analysis::Analysis;
use super::{Coloring, ColoringKind, InvalidColoring};
use crate::SparsityPattern;

/// Checks that every entry of a pattern can be recovered with a coloring of its kind.
///
/// The conditions are those of Gebremedhin, Manne, Pothen, *What color is your Jacobian?*, 2005: partial
/// distance-2 colorings by rows in common, star colorings by paths of four vertices, acyclic ones by cycles.
/// With neutral vertices each entry needs an end that is not neutral, and the neighbors of a neutral vertex
/// must have different colors.
///
/// # Errors
/// An example that violates a condition; or that the number of colors is not that of the rows or columns.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind, check_coloring};
///
/// let path = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse()?;
/// let coloring = |colors| Coloring::new(ColoringKind::Star, colors, vec![]);
/// assert!(check_coloring(&path, &coloring(vec![1, 2, 3, 1])?).is_ok());
/// let error = check_coloring(&path, &coloring(vec![1, 2, 1, 2])?).unwrap_err();
/// assert_eq!(error.to_string(), "the path column 0, column 1, column 2, column 3 has two colors");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_coloring(pattern: &SparsityPattern, coloring: &Coloring) -> Result<(), InvalidColoring> {
    analysis(pattern, coloring).map(drop)
}

/// Checks a coloring; returns the analysis for kinds whose entries are recovered from a graph.
pub(super) fn analysis(
    pattern: &SparsityPattern,
    coloring: &Coloring,
) -> Result<Option<Analysis>, InvalidColoring> {
    check_lengths(pattern, coloring)?;
    match coloring.kind() {
        ColoringKind::Column => {
            let shared = |row, columns, color| InvalidColoring::SharedRow { columns, color, row };
            let lost = |row, col| InvalidColoring::NotCovered { row, col };
            check_distance2(pattern, coloring.column_colors(), shared, lost).map(|()| None)
        }
        ColoringKind::Row => {
            let shared = |col, rows, color| InvalidColoring::SharedColumn { rows, color, col };
            let lost = |col, row| InvalidColoring::NotCovered { row, col };
            check_distance2(&pattern.transpose(), coloring.row_colors(), shared, lost).map(|()| None)
        }
        _ => Analysis::new(pattern, coloring).map(Some),
    }
}

/// Checks that there is a color for each row and column that the kind colors.
pub(crate) fn check_lengths(pattern: &SparsityPattern, coloring: &Coloring) -> Result<(), InvalidColoring> {
    let kind = coloring.kind();
    let columns = if kind.colors_columns() { pattern.cols() } else { 0 };
    let rows = if kind.colors_rows() { pattern.rows() } else { 0 };
    let (found_columns, found_rows) = (coloring.column_colors().len(), coloring.row_colors().len());
    for (of, found, expected) in [("columns", found_columns, columns), ("rows", found_rows, rows)] {
        if found != expected {
            return Err(InvalidColoring::Length { kind, of, found, expected });
        }
    }
    Ok(())
}

/// Checks that the columns of each row have different colors, none of them neutral.
fn check_distance2(
    pattern: &SparsityPattern,
    colors: &[u32],
    shared: impl Fn(usize, [usize; 2], usize) -> InvalidColoring,
    lost: impl Fn(usize, usize) -> InvalidColoring,
) -> Result<(), InvalidColoring> {
    // For each color, the row where it was last seen, and the column.
    let mut last_seen = vec![(usize::MAX, 0); colors.len() + 1];
    for (row, col) in pattern.entries() {
        let color = colors[col] as usize;
        if color == 0 {
            return Err(lost(row, col));
        }
        if last_seen[color].0 == row {
            return Err(shared(row, [last_seen[color].1, col], color));
        }
        last_seen[color] = (row, col);
    }
    Ok(())
}
