/// The value and the gradient of `rosenbrock`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn rosenbrock_value_and_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = rosenbrock_value_and_gradient_into_by::<false>(x, dx);
    if any_nan(dx) {
        rosenbrock_value_and_gradient_into_by::<true>(x, dx)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn rosenbrock_value_and_gradient_into_by<const STRONG: bool>(x: &[f64], dx: &mut [f64]) -> f64 {
    let t1 = x.len();
    zero(dx, t1, "rosenbrock.rs:4:8");
    // 6: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:6:17");
    let mut carried: f64 = if 0 < t1 { dx[0] } else { 0.0 };
    let mut sum2: f64 = 0.0;
    for i in 0..t2 {
        // 7: let a = x[i + 1] - x[i] * x[i];
        let t3 = i + 1;
        let t4 = x[i];
        let t5 = x[t3] - t4 * t4;
        // 8: let b = 1.0 - x[i];
        let t6 = 1.0 - t4;
        // 9: sum += 100.0 * a * a + b * b;
        let t7 = 100.0 * t5;
        let t8 = t7 + t5 * 100.0;
        // 7: let a = x[i + 1] - x[i] * x[i];
        let t9 = mul_zero_if::<STRONG>(-t8, t4);
        dx[i] = carried + (t9 - (t6 + t6) + t9);
        carried = dx[t3] + t8;
        dx[t3] = carried;
        sum2 += t7 * t5 + t6 * t6;
    }
    sum2
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

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {at}")
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
