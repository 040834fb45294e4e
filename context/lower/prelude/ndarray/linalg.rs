//! Products of vectors and matrices.

use crate::data::from_elems;
use crate::dim::*;
use crate::numbers::LinalgScalar;
use crate::{Array, Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Data, DataMut};

pub trait Dot<Rhs: ?Sized> {
    type Output;
    fn dot(&self, rhs: &Rhs) -> Self::Output;
}

/// The matrix product of numbers, computed as in ndarray.
#[op("nd.dot")]
fn product<A>(a: &Array2<A>, b: &Array2<A>) -> Array2<A>;

fn misfit(m: usize, k: usize, k2: usize, n: usize) -> ! {
    panic!("ndarray: inputs {m} × {k} and {k2} × {n} are not compatible for matrix multiplication")
}

/// Eight elements at a time if both are contiguous, otherwise one at a time.
fn inner<A: LinalgScalar>(a: &ArrayView1<'_, A>, b: &ArrayView1<'_, A>) -> A {
    assert!(a.len() == b.len(), "assertion failed: self.len() == rhs.len()");
    let n = a.len();
    if let (Some(xs), Some(ys)) = (a.as_slice(), b.as_slice()) {
        return unrolled(xs, ys, n);
    }
    let mut sum = A::zero();
    for i in 0..n {
        sum = sum + a[i] * b[i];
    }
    sum
}

fn unrolled<A: LinalgScalar>(xs: &[A], ys: &[A], n: usize) -> A {
    let (mut p0, mut p1, mut p2, mut p3) = (A::zero(), A::zero(), A::zero(), A::zero());
    let (mut p4, mut p5, mut p6, mut p7) = (A::zero(), A::zero(), A::zero(), A::zero());
    let mut i = 0;
    while i + 8 <= n {
        p0 = p0 + xs[i] * ys[i];
        p1 = p1 + xs[i + 1] * ys[i + 1];
        p2 = p2 + xs[i + 2] * ys[i + 2];
        p3 = p3 + xs[i + 3] * ys[i + 3];
        p4 = p4 + xs[i + 4] * ys[i + 4];
        p5 = p5 + xs[i + 5] * ys[i + 5];
        p6 = p6 + xs[i + 6] * ys[i + 6];
        p7 = p7 + xs[i + 7] * ys[i + 7];
        i += 8;
    }
    let mut sum = A::zero();
    sum = sum + (p0 + p4);
    sum = sum + (p1 + p5);
    sum = sum + (p2 + p6);
    sum = sum + (p3 + p7);
    while i < n {
        sum = sum + xs[i] * ys[i];
        i += 1;
    }
    sum
}

fn times_vector<A: LinalgScalar>(a: &ArrayView2<'_, A>, x: &ArrayView1<'_, A>) -> Array1<A> {
    let ((m, k), n) = (a.dim(), x.len());
    if k != n {
        misfit(m, k, n, 1);
    }
    let mut result = Vec::new();
    for row in a.outer_iter() {
        result.push(inner(&row, x) * A::one());
    }
    from_elems(result, vec![m])
}

impl<A: LinalgScalar, S: Data<Elem = A>, S2: Data<Elem = A>> Dot<ArrayBase<S2, Ix1>> for ArrayBase<S, Ix1> {
    type Output = A;

    fn dot(&self, rhs: &ArrayBase<S2, Ix1>) -> A {
        inner(&self.view(), &rhs.view())
    }
}

impl<A: LinalgScalar, S: Data<Elem = A>, S2: Data<Elem = A>> Dot<ArrayBase<S2, Ix2>> for ArrayBase<S, Ix1> {
    type Output = Array<A, Ix1>;

    fn dot(&self, rhs: &ArrayBase<S2, Ix2>) -> Array<A, Ix1> {
        times_vector(&rhs.t(), &self.view())
    }
}

impl<A: LinalgScalar, S: Data<Elem = A>, S2: Data<Elem = A>> Dot<ArrayBase<S2, Ix1>> for ArrayBase<S, Ix2> {
    type Output = Array<A, Ix1>;

    fn dot(&self, rhs: &ArrayBase<S2, Ix1>) -> Array<A, Ix1> {
        times_vector(&self.view(), &rhs.view())
    }
}

impl<A: LinalgScalar, S: Data<Elem = A>, S2: Data<Elem = A>> Dot<ArrayBase<S2, Ix2>> for ArrayBase<S, Ix2> {
    type Output = Array<A, Ix2>;

    fn dot(&self, rhs: &ArrayBase<S2, Ix2>) -> Array<A, Ix2> {
        let ((m, k), (k2, n)) = (self.dim(), rhs.dim());
        if k != k2 {
            misfit(m, k, k2, n);
        }
        product(&self.to_owned(), &rhs.to_owned())
    }
}

impl<A, S: Data<Elem = A>, D: Dimension> ArrayBase<S, D> {
    pub fn dot<Rhs: ?Sized>(&self, rhs: &Rhs) -> <Self as Dot<Rhs>>::Output
    where
        Self: Dot<Rhs>,
    {
        Dot::dot(self, rhs)
    }
}

pub fn general_mat_mul<A: LinalgScalar, S1: Data<Elem = A>, S2: Data<Elem = A>, S3: DataMut<Elem = A>>(
    alpha: A,
    a: &ArrayBase<S1, Ix2>,
    b: &ArrayBase<S2, Ix2>,
    beta: A,
    c: &mut ArrayBase<S3, Ix2>,
) {
    let ab = a.dot(b);
    c.zip_mut_with(&ab, |x, y| *x = *x * beta + alpha * *y);
}

pub fn general_mat_vec_mul<A: LinalgScalar, S1: Data<Elem = A>, S2: Data<Elem = A>, S3: DataMut<Elem = A>>(
    alpha: A,
    a: &ArrayBase<S1, Ix2>,
    x: &ArrayBase<S2, Ix1>,
    beta: A,
    y: &mut ArrayBase<S3, Ix1>,
) {
    let ax = times_vector(&a.view(), &x.view());
    y.zip_mut_with(&ax, |x, y| *x = *x * beta + *y * alpha);
}

pub fn kron<A: LinalgScalar, S1: Data<Elem = A>, S2: Data<Elem = A>>(
    a: &ArrayBase<S1, Ix2>,
    b: &ArrayBase<S2, Ix2>,
) -> Array<A, Ix2> {
    let ((m, n), (p, q)) = (a.dim(), b.dim());
    Array::from_shape_fn((m * p, n * q), |(i, j)| a[[i / p, j / q]] * b[[i % p, j % q]])
}
