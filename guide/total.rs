//! A function to follow through the house: see `inside.md`.

/// Σ xᵖ
pub fn total(xs: &[f64], p: f64) -> f64 {
    let mut sum = 0.0;
    for x in xs {
        sum += x.powf(p);
    }
    sum
}
