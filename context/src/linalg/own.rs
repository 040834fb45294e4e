//! Factorisations of matrices in row-major order.
//!
//! Each follows the order of the textbook, with the inner loop along a row; results depend on that order, so
//! it is fixed.

use super::Real;

/// `P·A = L·U`: below the diagonal the factors of `L`, whose diagonal is 1; the rest is `U`.
pub(super) struct Lu<T> {
    n: usize,
    factors: Vec<T>,
    /// The row of `A` from which each row comes.
    rows: Vec<usize>,
    /// Whether the rows were swapped an odd number of times.
    pub(super) is_odd: bool,
}

/// The factors of a matrix, each pivot the first of the largest magnitude in its column.
pub(super) fn factored<T: Real>(mut a: Vec<T>, n: usize) -> Lu<T> {
    let mut rows: Vec<usize> = (0..n).collect();
    let mut is_odd = false;
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            rows.swap(k, pivot);
            is_odd = !is_odd;
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let upper = &above[k * n..];
        // A column of zeros needs no elimination.
        if upper[k] == T::zero() {
            continue;
        }
        for row in below.chunks_exact_mut(n) {
            let factor = row[k] / upper[k];
            row[k] = factor;
            for (x, y) in row[k + 1..].iter_mut().zip(&upper[k + 1..]) {
                *x -= factor * *y;
            }
        }
    }
    Lu { n, factors: a, rows, is_odd }
}

impl<T: Real> Lu<T> {
    /// The diagonal of `U`.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = T> {
        (0..self.n).map(|k| self.factors[k * self.n + k])
    }

    /// Replaces right-hand sides, in row-major order with this number of columns, by the solutions. They are not finite
    /// where `A` is singular.
    pub(super) fn solve(&self, b: &mut [T], columns: usize) {
        let n = self.n;
        let mut x = Vec::with_capacity(b.len());
        self.rows.iter().for_each(|row| x.extend_from_slice(&b[row * columns..(row + 1) * columns]));
        for i in 0..n {
            for k in 0..i {
                self.subtract(&mut x, (i, k), columns);
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                self.subtract(&mut x, (i, k), columns);
            }
            let pivot = self.factors[i * n + i];
            x[i * columns..(i + 1) * columns].iter_mut().for_each(|x| *x /= pivot);
        }
        b.copy_from_slice(&x);
    }

    /// Subtracts the multiple of row `k` from row `i`.
    fn subtract(&self, x: &mut [T], (i, k): (usize, usize), columns: usize) {
        let factor = self.factors[i * self.n + k];
        for j in 0..columns {
            let y = x[k * columns + j];
            x[i * columns + j] -= factor * y;
        }
    }
}

/// The lower triangular factor `L` with `L·Lᵀ = A`, if there is one.
pub(super) fn rooted<T: Real>(a: Vec<T>, n: usize) -> Option<Vec<T>> {
    let mut l = vec![T::zero(); n * n];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= l[i * n + k] * l[j * n + k];
            }
            if i != j {
                l[i * n + j] = sum / l[j * n + j];
            } else if sum > T::zero() && sum.is_finite() {
                l[i * n + i] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(l)
}
