//! Linear algebra on ndarray's arrays: the computations of `nd.inv`, `nd.solve` and similar operations, for
//! plain Rust.
//!
//! - LINALG1 factorisations are those of `own.rs`, LU with partial pivoting and Cholesky; with the feature `faer-linalg`
//!   they are faer's, whose results may differ in the last digits.

#[cfg(feature = "faer-linalg")]
mod faer;
pub mod ops;
#[cfg(any(test, not(feature = "faer-linalg")))]
mod own;

use ndarray::{Array1, Array2, ArrayBase, Data, Ix1, Ix2, NdFloat};
use thiserror::Error;

#[cfg(feature = "faer-linalg")]
use self::faer::{factored, rooted};
#[cfg(not(feature = "faer-linalg"))]
use own::{factored, rooted};

/// The reason why a matrix cannot be inverted, solved or factored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum LinalgError {
    /// The numbers of rows and columns differ.
    #[error("a matrix of shape [{0}, {1}] is not square")]
    NotSquare(usize, usize),
    /// The number of right-hand sides differs from the number of rows.
    #[error("{0} rows cannot be solved for {1}")]
    Rows(usize, usize),
    /// It has no inverse, or one that overflows.
    #[error("the matrix is singular, or holds what is no number")]
    Singular,
    /// It has no Cholesky factor.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
}

/// Floats for which matrices can be factored: `f32` and `f64`.
#[cfg(not(feature = "faer-linalg"))]
pub trait Real: NdFloat {}
/// Floats for which matrices can be factored: `f32` and `f64`.
#[cfg(feature = "faer-linalg")]
pub trait Real: NdFloat + ::faer::traits::RealField {}

impl Real for f32 {}
impl Real for f64 {}

/// The inverse of a matrix.
///
/// ```
/// use ndarray::array;
/// use overdub_context::linalg::{LinalgError, inv};
///
/// assert_eq!(inv(&array![[2.0, 0.0], [0.0, 4.0]]), Ok(array![[0.5, 0.0], [0.0, 0.25]]));
/// assert_eq!(inv(&array![[1.0, 2.0], [2.0, 4.0]]), Err(LinalgError::Singular));
/// ```
///
/// # Errors
/// If it is not square, or singular.
pub fn inv<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Result<Array2<T>, LinalgError> {
    let n = square(a)?;
    solved(a, Array2::eye(n))
}

/// The `x` with `a · x = b`.
///
/// ```
/// use ndarray::array;
/// use overdub_context::linalg::solve;
///
/// assert_eq!(solve(&array![[2.0, 1.0], [0.0, 4.0]], &array![4.0, 8.0]), Ok(array![1.0, 2.0]));
/// ```
///
/// # Errors
/// If `a` is not square, singular, or has not as many rows as `b`.
pub fn solve<T: Real, S: Data<Elem = T>, S2: Data<Elem = T>>(
    a: &ArrayBase<S, Ix2>,
    b: &ArrayBase<S2, Ix1>,
) -> Result<Array1<T>, LinalgError> {
    let column = b.to_owned().insert_axis(ndarray::Axis(1));
    Ok(solve_all(a, &column)?.remove_axis(ndarray::Axis(1)))
}

/// The `x` with `a · x = b`, column by column.
///
/// # Errors
/// As for [`solve`].
pub fn solve_all<T: Real, S: Data<Elem = T>, S2: Data<Elem = T>>(
    a: &ArrayBase<S, Ix2>,
    b: &ArrayBase<S2, Ix2>,
) -> Result<Array2<T>, LinalgError> {
    let n = square(a)?;
    match b.nrows() == n {
        true => solved(a, b.as_standard_layout().into_owned()),
        false => Err(LinalgError::Rows(n, b.nrows())),
    }
}

/// The determinant of a matrix; that of an empty one is 1.
///
/// ```
/// use ndarray::array;
/// use overdub_context::linalg::det;
///
/// assert_eq!(det(&array![[0.0, 2.0], [3.0, 4.0]]), Ok(-6.0));
/// ```
///
/// # Errors
/// If it is not square.
pub fn det<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Result<T, LinalgError> {
    let n = square(a)?;
    let lu = factored(elems(a), n);
    let product = lu.diagonal().fold(T::one(), |product, x| product * x);
    Ok(if lu.is_odd { -product } else { product })
}

/// The logarithm of the magnitude of the determinant: minus infinity where that is 0.
///
/// ```
/// use ndarray::array;
/// use overdub_context::linalg::ln_det;
///
/// assert_eq!(ln_det(&array![[0.0, 2.0], [3.0, 4.0]]), Ok(3.0_f64.ln() + 2.0_f64.ln()));
/// ```
///
/// # Errors
/// If it is not square.
pub fn ln_det<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Result<T, LinalgError> {
    let n = square(a)?;
    let lu = factored(elems(a), n);
    Ok(lu.diagonal().fold(T::zero(), |sum, x| sum + x.abs().ln()))
}

/// The lower triangle `l` with `l · lᵀ = a`, of which only the lower triangle is read.
///
/// ```
/// use ndarray::array;
/// use overdub_context::linalg::cholesky;
///
/// assert_eq!(cholesky(&array![[4.0, 2.0], [2.0, 10.0]]), Ok(array![[2.0, 0.0], [1.0, 3.0]]));
/// ```
///
/// # Errors
/// If `a` is not square, or not positive definite.
pub fn cholesky<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Result<Array2<T>, LinalgError> {
    let n = square(a)?;
    rooted(elems(a), n).map(|l| matrix(l, n)).ok_or(LinalgError::NotPositiveDefinite)
}

fn square<T, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Result<usize, LinalgError> {
    match a.dim() {
        (rows, columns) if rows == columns => Ok(rows),
        (rows, columns) => Err(LinalgError::NotSquare(rows, columns)),
    }
}

fn elems<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>) -> Vec<T> {
    a.iter().copied().collect()
}

fn matrix<T>(elems: Vec<T>, columns: usize) -> Array2<T> {
    let rows = elems.len().checked_div(columns).unwrap_or(0);
    Array2::from_shape_vec((rows, columns), elems).expect("as many elements as places")
}

/// Solves `a · x = b` for right-hand sides in row-major order.
fn solved<T: Real, S: Data<Elem = T>>(a: &ArrayBase<S, Ix2>, b: Array2<T>) -> Result<Array2<T>, LinalgError> {
    let ((n, columns), elems) = (b.dim(), elems(a));
    let (mut x, _) = b.into_raw_vec_and_offset();
    factored(elems, n).solve(&mut x, columns);
    if x.iter().all(|x| x.is_finite()) {
        Ok(Array2::from_shape_vec((n, columns), x).expect("as many elements as places"))
    } else {
        Err(LinalgError::Singular)
    }
}

#[cfg(all(test, feature = "faer-linalg"))]
mod tests {
    use super::own;
    use ndarray::Array2;
    use proptest::prelude::*;

    fn close(ours: &[f64], theirs: &[f64]) {
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() <= 1e-9 * (1.0 + theirs.abs()), "{ours}, not {theirs}");
        }
    }

    proptest! {
        #![proptest_config(overdub_context::testing::cases(256))]

        #[test]
        fn faer_factors_as_the_textbook_does(elems in prop::collection::vec(-1.0..1.0f64, 36)) {
            let a = Array2::from_shape_vec((6, 6), elems).expect("as many") + 3.0 * Array2::<f64>::eye(6);
            let (elems, b) = (super::elems(&a), super::elems(&a.t()));
            let mut solved = [b.clone(), b];
            let (theirs, ours) = (super::factored(elems.clone(), 6), own::factored(elems, 6));
            theirs.solve(&mut solved[0], 6);
            ours.solve(&mut solved[1], 6);
            close(&solved[0], &solved[1]);
            let product = |diagonal: Vec<f64>, is_odd: bool| {
                diagonal.iter().product::<f64>() * if is_odd { -1.0 } else { 1.0 }
            };
            let dets = [
                product(theirs.diagonal().collect(), theirs.is_odd),
                product(ours.diagonal().collect(), ours.is_odd),
            ];
            close(&dets[..1], &dets[1..]);
            let square = super::elems(&a.dot(&a.t()));
            let roots = [super::rooted(square.clone(), 6), own::rooted(square, 6)].map(|l| l.expect("it has one"));
            close(&roots[0], &roots[1]);
        }
    }
}
