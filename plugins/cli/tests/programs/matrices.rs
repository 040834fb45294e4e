pub fn diagonal(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x * x * x).collect()
}

pub fn burgers(u: &[f64], dt: f64) -> Vec<f64> {
    let n = u.len();
    let mut next = u.to_vec();
    for i in 1..n - 1 {
        next[i] = u[i] - dt * u[i] * (u[i + 1] - u[i - 1]) + 0.1 * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
    }
    next
}

pub fn ring(u: &[f64]) -> Vec<f64> {
    let n = u.len();
    (0..n).map(|i| u[(i + n - 1) % n] * u[i] - 2.0 * u[i].sin() + u[(i + 1) % n]).collect()
}

pub fn arrowhead(x: &[f64]) -> Vec<f64> {
    let mut y: Vec<f64> = x.iter().map(|v| v * x[0]).collect();
    y[0] = x.iter().map(|v| v * v).sum();
    y
}

/// Two rows with many entries each: fewer rows than columns.
pub fn sums(x: &[f64], y: &[f64]) -> (f64, f64) {
    (x.iter().map(|v| v * v).sum(), y.iter().product())
}

pub struct Decay {
    pub rate: f64,
    pub parts: Vec<(f64, f64)>,
    pub steps: usize,
}

pub fn decay(model: &Decay, times: &[f64], offset: (f64, [f64; 2])) -> Vec<(f64, usize)> {
    let mut found = Vec::new();
    for (time, part) in times.iter().zip(&model.parts) {
        let mut y = part.0;
        for _ in 0..model.steps {
            y -= model.rate * y * time;
        }
        found.push((y + part.1 + offset.1[1], model.steps));
    }
    found
}

#[derive(Clone, Copy)]
pub enum Scheme {
    Upwind,
    Central { width: usize },
}

pub fn differences(u: &[f32], scheme: Scheme) -> Vec<f32> {
    match scheme {
        Scheme::Upwind => u.windows(2).map(|w| w[1] - w[0] * w[0]).collect(),
        Scheme::Central { width } => (width..u.len()).map(|i| u[i] * u[i - width]).collect(),
    }
}

pub fn blocks(rows: &[Vec<f64>], scale: f64, name: &str, flags: (bool, char, i128)) -> Vec<f64> {
    let start = if flags.0 { name.len() as f64 } else { 0.0 };
    rows.iter().map(|row| start + scale * row.iter().product::<f64>()).collect()
}

pub fn with_out(x: &[f64], out: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        out[i] = x[i] * out[i];
    }
    out[0] * x[0]
}

pub fn constant(x: &[f64]) -> Vec<f64> {
    vec![1.0; x.len() + 1]
}

pub fn positive(x: &[f64]) -> Vec<f64> {
    x.iter().filter(|x| **x > 0.0).map(|x| x * x).collect()
}

pub fn gather(x: &[f64], from: &[usize]) -> Vec<f64> {
    from.iter().map(|at| x[*at] * x[*at]).collect()
}

pub fn chosen(x: &[f64], sign: f64) -> Vec<f64> {
    x.iter().map(|x| if sign > 0.0 { x * sign } else { 1.0 }).collect()
}

pub fn chain(x: &[f64], stiffness: f64) -> f64 {
    x.windows(2).map(|w| stiffness * (w[1] - w[0] * w[0]).powi(2)).sum()
}
