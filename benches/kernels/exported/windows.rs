/// The value and the gradient of `windows`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn windows_value_and_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = windows_value_and_gradient_into_by::<false>(x, dx);
    if any_nan(dx) {
        windows_value_and_gradient_into_by::<true>(x, dx)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn windows_value_and_gradient_into_by<const STRONG: bool>(x: &[f64], dx: &mut [f64]) -> f64 {
    let t1 = x.len();
    zero(dx, t1, "windows.rs:15:8");
    // 16: x.windows(2)
    let t2 = t1 < 2;
    let mut total: f64;
    if t2 {
        total = -0.0;
    } else {
        let t3 = sub_usize(t1, 2, "windows.rs:16:5");
        let t4 = add_usize(t3, 1, "windows.rs:16:5");
        total = -0.0;
        // 21: .sum()
        for i in 0..t4 {
            let t5 = i + 1;
            // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
            let t6 = x[i];
            let t7 = x[t5] - t6 * t6;
            let t8 = 1.0 - t6;
            // 21: .sum()
            total += 100.0 * t7 * t7 + t8 * t8;
        }
    }
    if !t2 {
        let t9 = sub_usize(t1, 2, "windows.rs:15:34");
        let t10 = add_usize(t9, 1, "windows.rs:15:34");
        let mut carried: f64 = if t10 < t1 { dx[t10] } else { 0.0 };
        for i2 in (0..t10).rev() {
            // 19: 100.0 * a * a + b * b
            let t11 = x[i2];
            let t12 = 1.0 - t11;
            let t13 = i2 + 1;
            let t14 = x[t13] - t11 * t11;
            let t15 = 100.0 * t14 + t14 * 100.0;
            // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
            let t16 = mul_zero_if::<STRONG>(-t15, t11);
            let t17 = dx[i2] + (t16 - (t12 + t12) + t16);
            dx[i2] = t17;
            dx[t13] = carried + t15;
            carried = t17;
        }
    }
    total
}

/// `add`, which fails where the result does not fit.
#[inline]
fn add_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_add(y) {
        Some(result) => result,
        None => fail("attempt to add with overflow", at),
    }
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
