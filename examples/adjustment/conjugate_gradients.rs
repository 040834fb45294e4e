//! A damped Gauss-Newton step, by conjugate gradients.

use overdub::sparsity::SparseMatrix;

/// Solves `(JᵀJ + λ·diag(JᵀJ)) s = −Jᵀr` by conjugate gradients, which only need products.
pub(crate) fn step(j: &SparseMatrix, r: &[f64], lambda: f64) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cols = j.pattern().cols();
    let entries = || j.pattern().entries().zip(j.values());
    let transposed = |y: &[f64]| {
        let mut x = vec![0.0; cols];
        entries().for_each(|((row, col), value)| x[col] += value * y[row]);
        x
    };
    let mut diagonal = vec![1e-12; cols];
    entries().for_each(|((_, col), value)| diagonal[col] += value * value);
    let mut s = vec![0.0; cols];
    let mut rest: Vec<f64> = transposed(r).iter().map(|x| -x).collect();
    let scaled = |rest: &[f64]| rest.iter().zip(&diagonal).map(|(x, d)| x / d).collect::<Vec<_>>();
    let (mut along, mut size) = (scaled(&rest), dot(&rest, &scaled(&rest)));
    let enough = 1e-12 * size;
    for _ in 0..300 {
        if size <= enough {
            break;
        }
        let mut pushed = transposed(&j.product(&along));
        pushed.iter_mut().zip(&diagonal).zip(&along).for_each(|((y, d), x)| *y += lambda * d * x);
        let length = size / dot(&along, &pushed);
        s.iter_mut().zip(&along).for_each(|(s, x)| *s += length * x);
        rest.iter_mut().zip(&pushed).for_each(|(rest, y)| *rest -= length * y);
        let (before, preconditioned) = (size, scaled(&rest));
        size = dot(&rest, &preconditioned);
        along.iter_mut().zip(&preconditioned).for_each(|(x, z)| *x = z + size / before * *x);
    }
    s
}
