//! Gradients of the functions of a few lines.

/// What a round adds to the element of the next one is carried there in a variable: with two updates of the slice in each round
/// rustc's code for AVX-512 takes six times as long.
pub(crate) fn rosenbrock(x: &[f64], dx: &mut [f64]) -> f64 {
    let last = x.len() - 1;
    let (mut sum, mut carried) = (0.0, 0.0);
    for i in 0..last {
        let (a, b) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        sum += 100.0 * a * a + b * b;
        dx[i] = carried - 400.0 * a * x[i] - 2.0 * b;
        carried = 200.0 * a;
    }
    dx[last] = carried;
    sum
}

/// The product of the Hessian with a direction `v`.
pub(crate) fn rosenbrock_product(x: &[f64], v: &[f64], product: &mut [f64]) {
    product.fill(0.0);
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let da = v[i + 1] - 2.0 * x[i] * v[i];
        // In this order rustc vectorises it; in the other one it takes four times as long.
        product[i] += 2.0 * v[i] - 400.0 * (da * x[i] + a * v[i]);
        product[i + 1] += 200.0 * da;
    }
}

pub(crate) fn path(x: &[f64], dx: &mut [f64]) -> f64 {
    let mut length = 0.0;
    dx.fill(0.0);
    for i in 1..x.len() / 3 {
        let (from, to) = (3 * (i - 1), 3 * i);
        let step = [x[to] - x[from], x[to + 1] - x[from + 1], x[to + 2] - x[from + 2]];
        let distance = (step[0] * step[0] + step[1] * step[1] + step[2] * step[2]).sqrt();
        length += distance;
        for a in 0..3 {
            let slope = step[a] / distance;
            dx[to + a] += slope;
            dx[from + a] -= slope;
        }
    }
    length
}

pub(crate) fn sines(x: f64, n: usize, tape: &mut Vec<f64>) -> (f64, f64) {
    tape.clear();
    let mut y = x;
    for _ in 0..n {
        let (sin, cos) = y.sin_cos();
        tape.push(cos);
        y = sin * 1.1 + 0.5 * y;
    }
    (y, tape.iter().rev().fold(1.0, |dy, cos| dy * (cos * 1.1 + 0.5)))
}

pub(crate) fn total(x: &[f64], dx: &mut [f64]) -> f64 {
    dx.fill(1.0);
    x.iter().sum()
}

pub(crate) fn trace(a: &[f64], b: &[f64], n: usize, da: &mut [f64], db: &mut [f64]) -> f64 {
    let mut trace = 0.0;
    for i in 0..n {
        for k in 0..n {
            let (from, to) = (i * n + k, k * n + i);
            trace += a[from] * b[to];
            da[from] = b[to];
            db[to] = a[from];
        }
    }
    trace
}

pub(crate) fn tree(x: f64, depth: usize) -> (f64, f64) {
    if depth == 0 {
        let (sin, cos) = x.sin_cos();
        return (sin, cos);
    }
    let (l, dl) = tree(x * 0.9, depth - 1);
    let (r, dr) = tree(x + 0.1, depth - 1);
    (l * r + x, 0.9 * dl * r + l * dr + 1.0)
}
