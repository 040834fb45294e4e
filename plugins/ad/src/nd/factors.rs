//! Rules for inverses, solutions and factorisations of matrices: Rust that rustc checks, lowered by overdub
//! when they are needed.
//!
//! - Each `…_vjp` returns the result and its pullback, a closure; each `…_jvp` the result and its tangent.
//!   They are differentiated again as any program.

use ndarray::{Array1, Array2};
use overdub_context::linalg::{Real, ops};

/// `dA = -Yᵀ·dY·Yᵀ`
pub fn inv_vjp<A: Real>(a: &Array2<A>) -> (Array2<A>, impl Fn(&Array2<A>) -> Array2<A>) {
    let y = ops::inv(a);
    let y_transposed = ops::transpose(&y);
    (y, move |dy| ops::neg(&ops::dot(&ops::dot(&y_transposed, dy), &y_transposed)))
}

/// `dY = -Y·dA·Y`
pub fn inv_jvp<A: Real>(a: &Array2<A>, da: &Array2<A>) -> (Array2<A>, Array2<A>) {
    let y = ops::inv(a);
    let dy = ops::neg(&ops::dot(&ops::dot(&y, da), &y));
    (y, dy)
}

/// `db = A⁻ᵀ·dx`, `dA = -db·xᵀ`
pub fn solve_vjp<A: Real>(
    a: &Array2<A>,
    b: &Array1<A>,
) -> (Array1<A>, impl Fn(&Array1<A>) -> (Array2<A>, Array1<A>)) {
    let x = ops::solve(a, b);
    let (x_copy, a_transposed) = (x.clone(), ops::transpose(a));
    (x, move |dx| {
        let db = ops::solve(&a_transposed, dx);
        (ops::neg(&ops::outer(&db, &x_copy)), db)
    })
}

/// `dx = A⁻¹·(db - dA·x)`
pub fn solve_jvp<A: Real>(
    a: &Array2<A>,
    b: &Array1<A>,
    da: &Array2<A>,
    db: &Array1<A>,
) -> (Array1<A>, Array1<A>) {
    let x = ops::solve(a, b);
    let dx = ops::solve(a, &ops::sub_vector(db, &ops::apply(da, &x)));
    (x, dx)
}

/// `dB = A⁻ᵀ·dX`, `dA = -dB·Xᵀ`
pub fn solve_all_vjp<A: Real>(
    a: &Array2<A>,
    b: &Array2<A>,
) -> (Array2<A>, impl Fn(&Array2<A>) -> (Array2<A>, Array2<A>)) {
    let x = ops::solve_all(a, b);
    let (x_transposed, a_transposed) = (ops::transpose(&x), ops::transpose(a));
    (x, move |dx| {
        let db = ops::solve_all(&a_transposed, dx);
        (ops::neg(&ops::dot(&db, &x_transposed)), db)
    })
}

/// `dX = A⁻¹·(dB - dA·X)`
pub fn solve_all_jvp<A: Real>(
    a: &Array2<A>,
    b: &Array2<A>,
    da: &Array2<A>,
    db: &Array2<A>,
) -> (Array2<A>, Array2<A>) {
    let x = ops::solve_all(a, b);
    let dx = ops::solve_all(a, &ops::sub(db, &ops::dot(da, &x)));
    (x, dx)
}

/// `dA = dy·cofactors(A)`, also where `A` is singular.
pub fn det_vjp<A: Real>(a: &Array2<A>) -> (A, impl Fn(A) -> Array2<A>) {
    let y = ops::det(a);
    let a_copy = a.clone();
    (y, move |dy| ops::scale(&cofactors(&a_copy), dy))
}

/// `dy = Σ cofactors(A)·dA`
pub fn det_jvp<A: Real>(a: &Array2<A>, da: &Array2<A>) -> (A, A) {
    (ops::det(a), ops::sum(&ops::times(&cofactors(a), da)))
}

/// `dA = dy·A⁻ᵀ`
pub fn ln_det_vjp<A: Real>(a: &Array2<A>) -> (A, impl Fn(A) -> Array2<A>) {
    let y = ops::ln_det(a);
    let a_copy = a.clone();
    (y, move |dy| ops::scale(&ops::transpose(&ops::inv(&a_copy)), dy))
}

/// `dy = Σ A⁻ᵀ·dA`
pub fn ln_det_jvp<A: Real>(a: &Array2<A>, da: &Array2<A>) -> (A, A) {
    (ops::ln_det(a), ops::sum(&ops::times(&ops::transpose(&ops::inv(a)), da)))
}

/// `S = L⁻ᵀ·Φ(Lᵀ·dL)·L⁻¹`; only the lower triangle is read, which represents both: `dA = 2 Φ(S + Sᵀ) / 2`
pub fn cholesky_vjp<A: Real>(a: &Array2<A>) -> (Array2<A>, impl Fn(&Array2<A>) -> Array2<A>) {
    let l = ops::cholesky(a);
    let l_transposed = ops::transpose(&l);
    (l, move |dl| {
        let half = ops::solve_all(&l_transposed, &lower(&ops::dot(&l_transposed, dl)));
        let s = ops::solve_all(&l_transposed, &ops::transpose(&half));
        lower(&ops::sub(&s, &ops::neg(&ops::transpose(&s))))
    })
}

/// `dL = L·Φ(L⁻¹·dA·L⁻ᵀ)`
pub fn cholesky_jvp<A: Real>(a: &Array2<A>, da: &Array2<A>) -> (Array2<A>, Array2<A>) {
    let l = ops::cholesky(a);
    let half = lower(da);
    let symmetric = ops::sub(&half, &ops::neg(&ops::transpose(&half)));
    let right = ops::transpose(&ops::solve_all(&l, &symmetric));
    let dl = ops::dot(&l, &lower(&ops::solve_all(&l, &right)));
    (l, dl)
}

/// `Φ`: the lower triangle with half of the diagonal.
fn lower<A: Real>(a: &Array2<A>) -> Array2<A> {
    let (shape, mut elems) = (ops::shape(a), ops::elems(a));
    let (n, two) = (shape[1], A::one() + A::one());
    for i in 0..shape[0] {
        elems[i * n + i] /= two;
        for j in i + 1..n {
            elems[i * n + j] = A::zero();
        }
    }
    ops::matrix(elems, shape)
}

/// The derivative of the determinant in each element.
fn cofactors<A: Real>(a: &Array2<A>) -> Array2<A> {
    let (det, inverse) = (ops::det(a), ops::transpose(&ops::inv(a)));
    let elems = ops::elems(&inverse);
    // Only where it is neither singular nor overflows.
    if det != A::zero() && elems.iter().all(|x| x.is_finite()) {
        return ops::scale(&inverse, det);
    }
    let (shape, elems) = (ops::shape(a), ops::elems(a));
    let n = shape[0];
    let mut found = Vec::with_capacity(n * n);
    for at in 0..n * n {
        let mut left = Vec::with_capacity((n - 1) * (n - 1));
        for (k, x) in elems.iter().enumerate() {
            if k / n != at / n && k % n != at % n {
                left.push(*x);
            }
        }
        let minor = ops::det(&ops::matrix(left, vec![n - 1, n - 1]));
        found.push(if (at / n + at % n) % 2 == 0 { minor } else { -minor });
    }
    ops::matrix(found, shape)
}
