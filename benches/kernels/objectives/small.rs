//! Functions of a few lines, to be differentiated: ordinary Rust, compiled by rustc too.

/// Rosenbrock's valley.
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        sum += 100.0 * a * a + b * b;
    }
    sum
}

/// The same by an iterator.
pub fn windows(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| {
            let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
            100.0 * a * a + b * b
        })
        .sum()
}

/// The length of the path through points in space: loops over arrays of three numbers.
pub fn path(x: &[f64]) -> f64 {
    let mut length = 0.0;
    for i in 1..x.len() / 3 {
        let mut step = [0.0; 3];
        for a in 0..3 {
            step[a] = x[3 * i + a] - x[3 * (i - 1) + a];
        }
        let mut square = 0.0;
        for a in 0..3 {
            square += step[a] * step[a];
        }
        length += square.sqrt();
    }
    length
}

/// A recurrence of `n` steps.
pub fn sines(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y.sin() * 1.1 + 0.5 * y;
    }
    y
}

/// A sum by a loop.
pub fn total(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v;
    }
    sum
}

/// The trace of the product of two matrices of `n` rows.
pub fn trace(a: &[f64], b: &[f64], n: usize) -> f64 {
    let mut trace = 0.0;
    for i in 0..n {
        for k in 0..n {
            trace += a[i * n + k] * b[k * n + i];
        }
    }
    trace
}

/// A function that calls itself.
pub fn tree(x: f64, depth: usize) -> f64 {
    if depth == 0 { x.sin() } else { tree(x * 0.9, depth - 1) * tree(x + 0.1, depth - 1) + x }
}

/// A loop that reads and writes an array.
pub fn smoothed(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] = 0.5 * y[i - 1] + y[i].sin();
    }
    y[y.len() - 1]
}
