/// The value and the gradient of `total`.
#[allow(clippy::needless_range_loop)]
pub fn total_value_and_gradient(x: &[f64]) -> (f64, Vec<f64>) {
    let t1 = x.len();
    let mut dx = vec![0.0; t1];
    // 36: for v in x {
    let mut sum2: f64 = 0.0;
    for i in 0..t1 {
        dx[i] += 1.0;
        sum2 += x[i];
    }
    (sum2, dx)
}
