pub struct Weights {
    pub by: f64,
    pub more: Vec<f32>,
}

pub enum Kind {
    Plain,
    Scaled(f64),
}

pub fn ratio(a: f64, b: f64) -> f64 {
    a / (a.abs() + b * b)
}

pub fn weighed(weights: &Weights, n: u8, kinds: &[Kind]) -> f64 {
    let mut sum = weights.by.powi(n as i32);
    for (kind, more) in kinds.iter().zip(&weights.more) {
        sum += match kind {
            Kind::Plain => f64::from(*more),
            Kind::Scaled(by) => by * f64::from(*more),
        };
    }
    sum
}

pub fn staircase(x: f64) -> f64 {
    (x * 1e8).floor() / 1e8
}
