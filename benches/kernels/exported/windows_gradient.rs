/// The gradient of `windows`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn windows_gradient(x: &[f64], dx: &mut [f64]) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    windows_gradient_by::<false>(x, dx);
    if any_nan(dx) {
        windows_gradient_by::<true>(x, dx);
    }
}

#[allow(clippy::manual_range_contains, clippy::needless_range_loop)]
fn windows_gradient_by<const STRONG: bool>(x: &[f64], dx: &mut [f64]) {
    let t1 = x.len();
    zero(dx, t1, "windows.rs:15:8");
    // 16: x.windows(2)
    if t1 >= 2 {
        let t2 = sub_usize(t1, 2, "windows.rs:16:5");
        let t3 = add_usize(t2, 1, "windows.rs:16:5");
        let mut carried: f64 = 0.0;
        // 21: .sum()
        let x_part = long_span(x, 0, t3.saturating_add(1));
        let dx_part = long_span_mut(dx, 0, t3);
        if !STRONG && x_part.len() == t3.saturating_add(1) && dx_part.len() == t3 {
            for i in 0..t3 {
                // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
                let t4 = x_part[i];
                let t5 = 1.0 - t4;
                // 19: 100.0 * a * a + b * b
                let t6 = 100.0 * (x_part[i + 1] - t4 * t4);
                let t7 = t6 + t6;
                // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
                let t8 = mul_zero_if::<STRONG>(-t7, t4);
                let t9 = 0.0 + carried + (t8 - (t5 + t5) + t8);
                dx_part[i] = t9;
                carried = t7;
            }
        } else {
            // 21: .sum()
            for i2 in 0..t3 {
                let t10 = i2 + 1;
                // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
                let t11 = x[i2];
                let t12 = 1.0 - t11;
                // 19: 100.0 * a * a + b * b
                let t13 = 100.0 * (x[t10] - t11 * t11);
                let t14 = t13 + t13;
                // 18: let (a, b) = (w[1] - w[0] * w[0], 1.0 - w[0]);
                let t15 = mul_zero_if::<STRONG>(-t14, t11);
                let t16 = 0.0 + carried + (t15 - (t12 + t12) + t15);
                dx[i2] = t16;
                carried = t14;
            }
        }
        if t3 < dx.len() {
            dx[t3] = 0.0 + carried;
        }
    }
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

/// The elements of a list from `start`, or none if there are not `len` of them.
#[inline]
fn span<T>(values: &[T], start: usize, len: usize) -> &[T] {
    let rest = values.get(start..).unwrap_or_default();
    rest.get(..len).unwrap_or_default()
}

/// The elements of a list from `start`, or none if there are not `len` of them.
#[inline]
fn span_mut<T>(values: &mut [T], start: usize, len: usize) -> &mut [T] {
    let rest = values.get_mut(start..).unwrap_or_default();
    rest.get_mut(..len).unwrap_or_default()
}

/// The elements of a list from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing.
#[inline]
fn long_span<T>(values: &[T], start: usize, len: usize) -> &[T] {
    if len < 16 {
        return &[];
    }
    span(values, start, len)
}

/// The elements of a list from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing.
#[inline]
fn long_span_mut<T>(values: &mut [T], start: usize, len: usize) -> &mut [T] {
    if len < 16 {
        return &mut [];
    }
    span_mut(values, start, len)
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
