/// The value and the gradient of `sines`.
pub fn sines_value_and_gradient(x: f64, n: usize) -> (f64, f64) {
    // 17: for _ in 0..n {
    let mut y = x;
    let mut tape: Vec<f64> = Vec::new();
    for _ in 0..n {
        // 18: y = y.sin() * 1.1 + 0.5 * y;
        tape.push(y);
        y = y.sin() * 1.1 + 0.5 * y;
    }
    // 17: for _ in 0..n {
    let mut dy: f64 = 1.0;
    for _ in (0..n).rev() {
        let t1 = tape.pop().expect("a record of each round");
        // 18: y = y.sin() * 1.1 + 0.5 * y;
        let t2 = mul_zero(dy * 1.1, t1.cos());
        dy = dy * 0.5 + t2;
    }
    (y, dy)
}

/// The product, but zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero(x: f64, y: f64) -> f64 {
    let product = x * y;
    if product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}
