//! The algorithms of `overdub_context::linalg` in scalar steps, in the same order: dual and recorded numbers
//! go through each step.

use ndarray::{Array1, Array2};
use overdub_context::linalg::{Real, ops};

/// The number of rows of a square matrix.
fn side(shape: &[usize]) -> usize {
    assert!(shape[0] == shape[1], "a matrix of shape [{}, {}] is not square", shape[0], shape[1]);
    shape[0]
}

/// The LU factors row by row, the source of each row, and whether the number of row swaps is odd.
fn factored<A: Real>(a: &Array2<A>) -> (Vec<A>, Vec<usize>, bool) {
    let (n, mut lu) = (side(&ops::shape(a)), ops::elems(a));
    let (mut rows, mut is_odd) = (Vec::with_capacity(n), false);
    for k in 0..n {
        rows.push(k);
    }
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if lu[i * n + k].abs() > lu[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            for j in 0..n {
                lu.swap(k * n + j, pivot * n + j);
            }
            rows.swap(k, pivot);
            is_odd = !is_odd;
        }
        let upper = lu[k * n + k];
        if upper == A::zero() {
            continue;
        }
        for i in k + 1..n {
            let factor = lu[i * n + k] / upper;
            lu[i * n + k] = factor;
            for j in k + 1..n {
                lu[i * n + j] = lu[i * n + j] - factor * lu[k * n + j];
            }
        }
    }
    (lu, rows, is_odd)
}

/// Solves for the columns of a row-major matrix; empty if there is no solution.
fn solved<A: Real>(a: &Array2<A>, b: &[A], columns: usize) -> Vec<A> {
    let (lu, rows, _) = factored(a);
    let n = rows.len();
    assert!(n * columns == b.len(), "{} rows cannot be solved for {}", n, b.len() / columns);
    let mut x = Vec::with_capacity(b.len());
    for i in 0..n {
        for j in 0..columns {
            x.push(b[rows[i] * columns + j]);
        }
    }
    for i in 0..n {
        for k in 0..i {
            for j in 0..columns {
                x[i * columns + j] = x[i * columns + j] - lu[i * n + k] * x[k * columns + j];
            }
        }
    }
    let mut is_finite = true;
    for back in 0..n {
        let i = n - 1 - back;
        for k in i + 1..n {
            for j in 0..columns {
                x[i * columns + j] = x[i * columns + j] - lu[i * n + k] * x[k * columns + j];
            }
        }
        for j in 0..columns {
            x[i * columns + j] = x[i * columns + j] / lu[i * n + i];
            is_finite = is_finite && x[i * columns + j].is_finite();
        }
    }
    if !is_finite {
        x.fill(A::zero() / A::zero());
    }
    x
}

pub fn solve<A: Real>(a: &Array2<A>, b: &Array1<A>) -> Array1<A> {
    ops::vector(solved(a, &ops::elems_of_vector(b), 1))
}

pub fn solve_all<A: Real>(a: &Array2<A>, b: &Array2<A>) -> Array2<A> {
    let shape = ops::shape(b);
    ops::matrix(solved(a, &ops::elems(b), shape[1]), shape)
}

pub fn inv<A: Real>(a: &Array2<A>) -> Array2<A> {
    let shape = ops::shape(a);
    let n = side(&shape);
    let mut eye = vec![A::zero(); n * n];
    for i in 0..n {
        eye[i * n + i] = A::one();
    }
    ops::matrix(solved(a, &eye, n), shape)
}

pub fn det<A: Real>(a: &Array2<A>) -> A {
    let (lu, rows, is_odd) = factored(a);
    let n = rows.len();
    let mut product = A::one();
    for k in 0..n {
        product = product * lu[k * n + k];
    }
    if product == A::zero() {
        let polynomial = without_division(&ops::elems(a), n);
        return overdub::ad::stop_gradient(product) + (polynomial - overdub::ad::stop_gradient(polynomial));
    }
    if is_odd { -product } else { product }
}

/// Bird's determinant, by sums and products only: it has derivatives at points where a division has none.
fn without_division<A: Real>(a: &[A], n: usize) -> A {
    let mut x = a.to_vec();
    for _ in 1..n {
        // Elements below the diagonal are dropped; those on it are the sum of the elements after them.
        let mut below = A::zero();
        for back in 0..n {
            let i = n - 1 - back;
            let own = x[i * n + i];
            x[i * n + i] = -below;
            below = below + own;
        }
        let mut next = Vec::with_capacity(n * n);
        for at in 0..n * n {
            let mut sum = A::zero();
            for k in at / n..n {
                sum = sum + x[at / n * n + k] * a[k * n + at % n];
            }
            next.push(sum);
        }
        x = next;
    }
    if n % 2 == 0 { -x[0] } else { x[0] }
}

pub fn ln_det<A: Real>(a: &Array2<A>) -> A {
    let (lu, rows, _) = factored(a);
    let n = rows.len();
    let mut sum = A::zero();
    for k in 0..n {
        sum = sum + lu[k * n + k].abs().ln();
    }
    sum
}

pub fn cholesky<A: Real>(a: &Array2<A>) -> Array2<A> {
    let (shape, elems) = (ops::shape(a), ops::elems(a));
    let n = side(&shape);
    let mut l = vec![A::zero(); n * n];
    for i in 0..n {
        for j in 0..i + 1 {
            let mut sum = elems[i * n + j];
            for k in 0..j {
                sum = sum - l[i * n + k] * l[j * n + k];
            }
            if i != j {
                l[i * n + j] = sum / l[j * n + j];
            } else if sum > A::zero() && sum.is_finite() {
                l[i * n + i] = sum.sqrt();
            } else {
                return ops::matrix(vec![A::zero() / A::zero(); n * n], shape);
            }
        }
    }
    ops::matrix(l, shape)
}
