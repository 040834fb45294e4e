/// The gradient of `rosenbrock`.
pub fn rosenbrock_gradient(x: &[f64]) -> Vec<f64> {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = rosenbrock_gradient_by::<false>(x);
    if any_nan(&found) {
        rosenbrock_gradient_by::<true>(x)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn rosenbrock_gradient_by<const STRONG: bool>(x: &[f64]) -> Vec<f64> {
    let t1 = x.len();
    let mut dx = vec![0.0; t1];
    // 4: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:4:17");
    let mut carried: f64 = if 0 < t1 { dx[0] } else { 0.0 };
    for i in 0..t2 {
        // 5: let a = 1.0 - x[i];
        let t3 = x[i];
        let t4 = 1.0 - t3;
        // 6: let b = x[i + 1] - x[i] * x[i];
        let t5 = i + 1;
        let t6 = x[t5] - t3 * t3;
        // 7: total += a * a + 100.0 * b * b;
        let t7 = 100.0 * t6 + t6 * 100.0;
        // 6: let b = x[i + 1] - x[i] * x[i];
        let t8 = mul_zero_if::<STRONG>(-t7, t3);
        let t9 = dx[t5] + t7;
        dx[t5] = t9;
        // 5: let a = 1.0 - x[i];
        dx[i] = carried + (t8 + t8 - (t4 + t4));
        carried = t9;
    }
    dx
}

/// `sub`, which fails where the result does not fit.
#[inline]
fn sub_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_sub(y) {
        Some(result) => result,
        None => fail("attempt to subtract with overflow", at),
    }
}

/// The product; if zeros are strong, zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero_if<const STRONG: bool>(x: f64, y: f64) -> f64 {
    let product = x * y;
    if STRONG && product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
    }
}

/// Whether one of these is not a number.
#[inline]
fn any_nan(values: &[f64]) -> bool {
    values.iter().fold(false, |any, x| any | x.is_nan())
}

/// Panics with the message of the program that this was made from, and the place there.
#[cold]
fn fail(message: &str, at: &str) -> ! {
    panic!("{message}, {at}")
}
