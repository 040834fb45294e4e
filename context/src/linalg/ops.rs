//! Linear algebra as total functions of owned matrices, each of which is one operation of a program.
//!
//! - LINOP1 if the result does not exist (the operand is singular, or not positive definite), all its
//!   elements are NaN; testing the first one suffices.
//! - LINOP2 shapes that do not fit panic, as ndarray's own functions do.

use ndarray::{Array1, Array2};

use super::{LinalgError, Real};

/// Makes a result total (LINOP1, LINOP2).
fn total<T: Real>(found: Result<Array2<T>, LinalgError>, shape: (usize, usize)) -> Array2<T> {
    match found {
        Err(LinalgError::Singular | LinalgError::NotPositiveDefinite) => Array2::from_elem(shape, T::nan()),
        found => found.unwrap_or_else(|error| panic!("{error}")),
    }
}

/// The inverse of a square matrix.
pub fn inv<T: Real>(a: &Array2<T>) -> Array2<T> {
    total(super::inv(a), a.dim())
}

/// The `x` with `a · x = b`.
pub fn solve<T: Real>(a: &Array2<T>, b: &Array1<T>) -> Array1<T> {
    let column = b.clone().insert_axis(ndarray::Axis(1));
    solve_all(a, &column).remove_axis(ndarray::Axis(1))
}

/// The `x` with `a · x = b`, column by column.
pub fn solve_all<T: Real>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    total(super::solve_all(a, b), b.dim())
}

/// The determinant of a square matrix.
pub fn det<T: Real>(a: &Array2<T>) -> T {
    super::det(a).unwrap_or_else(|error| panic!("{error}"))
}

/// The logarithm of the magnitude of the determinant.
pub fn ln_det<T: Real>(a: &Array2<T>) -> T {
    super::ln_det(a).unwrap_or_else(|error| panic!("{error}"))
}

/// The lower triangle `l` with `l · lᵀ = a`.
pub fn cholesky<T: Real>(a: &Array2<T>) -> Array2<T> {
    total(super::cholesky(a), a.dim())
}

/// The elements of a matrix, in row-major order.
pub fn elems<T: Real>(a: &Array2<T>) -> Vec<T> {
    super::elems(a)
}

/// The matrix of these elements, in row-major order; its shape is two numbers.
pub fn matrix<T: Real>(elems: Vec<T>, shape: Vec<usize>) -> Array2<T> {
    Array2::from_shape_vec((shape[0], shape[1]), elems).unwrap_or_else(|error| panic!("{error}"))
}

/// The vector of these elements.
pub fn vector<T: Real>(elems: Vec<T>) -> Array1<T> {
    Array1::from_vec(elems)
}

/// The elements of a vector.
pub fn elems_of_vector<T: Real>(a: &Array1<T>) -> Vec<T> {
    a.to_vec()
}

/// The numbers of rows and columns of a matrix.
pub fn shape<T: Real>(a: &Array2<T>) -> Vec<usize> {
    a.shape().to_vec()
}

/// The product of two matrices.
pub fn dot<T: Real>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    a.dot(b)
}

/// The product of a matrix and a vector.
pub fn apply<T: Real>(a: &Array2<T>, x: &Array1<T>) -> Array1<T> {
    a.dot(x)
}

/// The outer product of two vectors.
pub fn outer<T: Real>(a: &Array1<T>, b: &Array1<T>) -> Array2<T> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])
}

/// The transpose of a matrix.
pub fn transpose<T: Real>(a: &Array2<T>) -> Array2<T> {
    a.t().as_standard_layout().into_owned()
}

/// A matrix times a number.
pub fn scale<T: Real>(a: &Array2<T>, x: T) -> Array2<T> {
    a * x
}

/// The elementwise product of two matrices.
pub fn times<T: Real>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    a * b
}

/// The sum of the elements of a matrix.
pub fn sum<T: Real>(a: &Array2<T>) -> T {
    a.sum()
}

/// The negated matrix.
pub fn neg<T: Real>(a: &Array2<T>) -> Array2<T> {
    a.mapv(|x| -x)
}

/// The difference of two matrices.
pub fn sub<T: Real>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    a - b
}

/// The difference of two vectors.
pub fn sub_vector<T: Real>(a: &Array1<T>, b: &Array1<T>) -> Array1<T> {
    a - b
}
