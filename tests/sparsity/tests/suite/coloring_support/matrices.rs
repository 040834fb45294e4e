//! Matrices to color.

use overdub_sparsity::SparsityPattern;

/// The pattern of a text that is known to be well formed.
pub(crate) fn pattern(text: &str) -> SparsityPattern {
    text.parse().expect("the matrix is well-formed")
}

/// A symmetric matrix with entries up to a distance from the diagonal.
pub(crate) fn band(size: usize, half_width: usize) -> SparsityPattern {
    let row = |row: usize| row.saturating_sub(half_width)..(row + half_width + 1).min(size);
    SparsityPattern::from_rows(size, (0..size).map(row)).expect("the entries lie inside")
}

/// A diagonal with a full last row and column.
pub(crate) fn arrow(size: usize) -> SparsityPattern {
    let entries = (0..size).flat_map(|at| [(at, at), (size - 1, at), (at, size - 1)]);
    SparsityPattern::new(size, size, entries).expect("the entries lie inside")
}

/// The 5-point Laplacian on a square grid.
pub(crate) fn laplacian(side: usize) -> SparsityPattern {
    let row = |at: usize| {
        let (x, y) = (at % side, at / side);
        let near = [(y > 0, at.wrapping_sub(side)), (x > 0, at.wrapping_sub(1)), (true, at)];
        let far = [(x + 1 < side, at + 1), (y + 1 < side, at + side)];
        near.into_iter().chain(far).filter(|near| near.0).map(|near| near.1)
    };
    SparsityPattern::from_rows(side * side, (0..side * side).map(row)).expect("the entries lie inside")
}

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// A matrix in which each position has an entry with a probability in thousandths.
    pub(crate) fn matrix(&mut self, rows: usize, cols: usize, thousandths: usize) -> SparsityPattern {
        let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let entries: Vec<_> = places.filter(|_| self.below(1000) < thousandths).collect();
        SparsityPattern::new(rows, cols, entries).expect("the entries lie inside")
    }

    /// A random permutation of the numbers below `len`.
    pub(crate) fn permutation(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        for last in (1..len).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// A full first and last row and column.
pub(crate) fn frame(rows: usize, cols: usize) -> SparsityPattern {
    let of_rows = (0..cols).flat_map(|col| [(0, col), (rows - 1, col)]);
    let of_columns = (0..rows).flat_map(|row| [(row, 0), (row, cols - 1)]);
    SparsityPattern::new(rows, cols, of_rows.chain(of_columns)).expect("the entries lie inside")
}

/// A square matrix with its rows and columns permuted.
pub(crate) fn permuted(pattern: &SparsityPattern, order: &[usize]) -> SparsityPattern {
    let entries = pattern.entries().map(|(row, col)| (order[row], order[col]));
    SparsityPattern::new(pattern.rows(), pattern.cols(), entries).expect("the entries lie inside")
}
