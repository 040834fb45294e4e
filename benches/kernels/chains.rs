//! Iterator chains, each next to the equivalent loop; overdub compiles both.

pub fn squares_chain(x: &[f64], _: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}
pub fn squares_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

pub fn dot_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
pub fn dot_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len().min(y.len()) {
        sum += x[i] * y[i];
    }
    sum
}

pub fn roots_chain(x: &[f64], _: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.0).map(|v| v.sqrt()).sum()
}
pub fn roots_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            sum += x[i].sqrt();
        }
    }
    sum
}

pub fn weighted_chain(x: &[f64], _: &[f64]) -> f64 {
    x.iter().enumerate().map(|(i, v)| i as f64 * v).sum()
}
pub fn weighted_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += i as f64 * x[i];
    }
    sum
}

pub fn steps_chain(x: &[f64], _: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).abs()).sum()
}
pub fn steps_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += (x[i + 1] - x[i]).abs();
    }
    sum
}

pub fn largest_chain(x: &[f64], _: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}
pub fn largest_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    most
}

pub fn both_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().chain(y).map(|v| 2.0 * v).sum()
}
pub fn both_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += 2.0 * x[i];
    }
    for i in 0..y.len() {
        sum += 2.0 * y[i];
    }
    sum
}

pub fn every_third_chain(x: &[f64], _: &[f64]) -> f64 {
    (0..x.len()).step_by(3).map(|i| x[i] * x[i]).sum()
}
pub fn every_third_loop(x: &[f64], _: &[f64]) -> f64 {
    let (mut sum, mut i) = (0.0, 0);
    while i < x.len() {
        sum += x[i] * x[i];
        i += 3;
    }
    sum
}

pub fn doubled_chain(x: &[f64], _: &[f64]) -> f64 {
    let doubled: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
    doubled[x.len() / 2]
}
pub fn doubled_loop(x: &[f64], _: &[f64]) -> f64 {
    let mut doubled = Vec::with_capacity(x.len());
    for i in 0..x.len() {
        doubled.push(2.0 * x[i]);
    }
    doubled[x.len() / 2]
}
