//! How high is a point above the valley of Rosenbrock, easy to find and hard to follow? Plain Rust, nothing of ours in it.

/// Σ 100·(x_{i+1} − x_i²)² + (1 − x_i)²
pub fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| term(w[0], w[1])).sum()
}

fn term(here: f64, next: f64) -> f64 {
    100.0 * (next - here * here).powi(2) + (1.0 - here).powi(2)
}

fn main() {
    println!("{}", rosenbrock(&[1.0, 2.0, 0.5]));
}
