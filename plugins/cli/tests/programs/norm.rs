pub fn square(x: f64) -> f64 {
    x * x
}

pub fn norm(xs: &[f64]) -> f64 {
    let mut sum = 0.0;
    for &x in xs {
        sum += square(x);
    }
    sum.sqrt()
}

pub fn mean_log(xs: &[f64]) -> f64 {
    xs.iter().map(|x| x.ln()).sum::<f64>() / xs.len() as f64
}

pub fn normalise(xs: &mut [f64]) {
    let n = norm(xs);
    for x in xs.iter_mut() {
        *x /= n;
    }
}

pub fn third(xs: &[f64]) -> f64 {
    xs[2]
}

pub fn cubed(x: f64) -> f64 {
    square(x) * x
}
