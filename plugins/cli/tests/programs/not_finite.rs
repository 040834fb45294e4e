pub fn norm(x: &[f64]) -> f64 {
    let sum: f64 = x.iter().map(|v| v * v).sum();
    sum.sqrt()
}

pub fn loss(x: &[f64], scale: f64) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += (v - 1.0).ln() * scale;
    }
    total + norm(x)
}
