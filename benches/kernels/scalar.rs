//! Loops that the benchmark compiles twice: ahead of time by rustc, and at run time by overdub.

/// Rosenbrock's function over a slice.
pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        sum += a * a + 100.0 * b * b;
    }
    sum
}

/// A recurrence with a sine.
pub(crate) fn sines(n: usize) -> f64 {
    let mut x: f64 = 0.5;
    for _ in 0..n {
        x = (x * 1.7).sin() + 0.1 * x;
    }
    x
}

/// Newton's iteration for square roots, many times.
pub(crate) fn newton(n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        let a = 1.0 + k as f64;
        let mut x = a;
        let mut rounds = 0;
        while (x * x - a).abs() > 1e-9 * a && rounds < 50 {
            x = 0.5 * (x + a / x);
            rounds += 1;
        }
        sum += x;
    }
    sum
}

/// Data-dependent branches.
pub(crate) fn branchy(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for &v in x {
        if v < -0.5 {
            sum += v * v;
        } else if v < 0.5 {
            sum -= 3.0 * v;
        } else if sum > 100.0 {
            sum *= 0.5;
        } else {
            sum += 1.0 / v;
        }
    }
    sum
}

/// 3×3 matrix-vector products, one after the other.
pub(crate) fn matvec(n: usize) -> f64 {
    // Its rows add up to one, so the vectors neither grow nor shrink.
    let m = [[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]];
    let (mut x, mut y, mut z) = (1.0, 2.0, 3.0);
    for _ in 0..n {
        let a = m[0][0] * x + m[0][1] * y + m[0][2] * z;
        let b = m[1][0] * x + m[1][1] * y + m[1][2] * z;
        let c = m[2][0] * x + m[2][1] * y + m[2][2] * z;
        x = a;
        y = b;
        z = c;
    }
    x + y + z
}

/// A dot product by index.
pub(crate) fn dot_by_index(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

/// A dot product by an iterator chain.
pub(crate) fn dot_by_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// A linear congruential generator.
pub(crate) fn lcg(n: usize) -> u64 {
    let mut state: u64 = 12345;
    let mut sum: u64 = 0;
    for _ in 0..n {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        sum ^= state >> 33;
    }
    sum
}

/// The number of primes below a number.
pub(crate) fn sieve(n: usize) -> usize {
    let mut composite = vec![false; n];
    let mut count = 0;
    let mut i = 2;
    while i < n {
        if !composite[i] {
            count += 1;
            let mut j = i * i;
            while j < n {
                composite[j] = true;
                j += i;
            }
        }
        i += 1;
    }
    count
}

/// Recursion.
pub(crate) fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

/// An elementwise loop into a vector.
pub(crate) fn axpy(a: f64, x: &[f64], mut y: Vec<f64>) -> Vec<f64> {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
    y
}
