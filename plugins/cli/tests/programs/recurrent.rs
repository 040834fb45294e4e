//! A loop whose reverse sweep needs the values of each iteration.

/// A recurrence of `n` steps.
pub fn sines(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y.sin();
    }
    y
}
