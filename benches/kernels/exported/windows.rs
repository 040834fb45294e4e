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
    let mut total: f64;
    // 16: x.windows(2)
    if t1 < 2 {
        total = -0.0;
    } else {
        let t2 = sub_usize(t1, 2, "windows.rs:16:5");
        let t3 = add_usize(t2, 1, "windows.rs:16:5");
        total = -0.0;
        let mut carried: f64 = 0.0;
        // 21: .sum()
        for i in 0..t3 {
            let t4 = i + 1;
            // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
            let t5 = x[i];
            let t6 = x[t4] - t5 * t5;
            let t7 = 1.0 - t5;
            // 19: 100.0 * a * a + b * b
            let t8 = 100.0 * t6;
            let t9 = t8 + t8;
            // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
            let t10 = mul_zero_if::<STRONG>(-t9, t5);
            let t11 = 0.0 + carried + (t10 - (t7 + t7) + t10);
            dx[i] = t11;
            total += t8 * t6 + t7 * t7;
            carried = t9;
        }
        if t3 < dx.len() {
            dx[t3] = 0.0 + carried;
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
    panic!("{message}, {}", at)
}

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
