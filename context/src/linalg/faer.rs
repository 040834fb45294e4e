//! The factorisations, implemented by faer.

use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::{MatMut, MatRef, Side};

use super::Real;

/// `P·A = L·U`.
pub(super) struct Lu<T> {
    lu: PartialPivLu<T>,
    /// Whether the rows were swapped an odd number of times.
    pub(super) is_odd: bool,
}

/// The factors of a matrix.
pub(super) fn factored<T: Real>(a: Vec<T>, n: usize) -> Lu<T> {
    let lu = MatRef::from_row_major_slice(&a, n, n).partial_piv_lu();
    let (rows, _) = lu.P().arrays();
    Lu { is_odd: is_odd(rows), lu }
}

/// Whether a permutation is an odd number of swaps.
fn is_odd(rows: &[usize]) -> bool {
    let mut seen = vec![false; rows.len()];
    let mut swaps = 0;
    for start in 0..rows.len() {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            swaps += usize::from(rows[at] != start);
            at = rows[at];
        }
    }
    swaps % 2 == 1
}

impl<T: Real> Lu<T> {
    /// The diagonal of `U`.
    pub(super) fn diagonal(&self) -> impl Iterator<Item = T> {
        let upper = self.lu.U();
        (0..upper.nrows()).map(move |k| upper[(k, k)])
    }

    /// Replaces right-hand sides, in row-major order with this number of columns, by the solutions. They are not finite
    /// where `A` is singular.
    pub(super) fn solve(&self, b: &mut [T], columns: usize) {
        let rows = b.len().checked_div(columns).unwrap_or(0);
        self.lu.solve_in_place(MatMut::from_row_major_slice_mut(b, rows, columns));
    }
}

/// The lower triangular factor `L` with `L·Lᵀ = A`, if there is one.
pub(super) fn rooted<T: Real>(a: Vec<T>, n: usize) -> Option<Vec<T>> {
    let llt = MatRef::from_row_major_slice(&a, n, n).llt(Side::Lower).ok()?;
    let lower = llt.L();
    let elem = |at: usize| if at % n > at / n { T::zero() } else { lower[(at / n, at % n)] };
    let l: Vec<T> = (0..n * n).map(elem).collect();
    l.iter().all(|x| x.is_finite()).then_some(l)
}
