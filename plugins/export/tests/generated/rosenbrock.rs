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

#[allow(clippy::manual_range_contains, clippy::needless_range_loop)]
fn rosenbrock_gradient_by<const STRONG: bool>(x: &[f64]) -> Vec<f64> {
    let t1 = x.len();
    let mut dx = vec![0.0; t1];
    // 4: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:4:17");
    let mut carried: f64 = 0.0;
    let x_part = long_span(x, 0, t2.saturating_add(1));
    let dx_part = long_span_mut(&mut dx, 0, t2);
    if !STRONG && x_part.len() == t2.saturating_add(1) && dx_part.len() == t2 {
        for i in 0..t2 {
            // 5: let a = 1.0 - x[i];
            let t3 = x_part[i];
            let t4 = 1.0 - t3;
            // 7: total += a * a + 100.0 * b * b;
            let t5 = 100.0 * (x_part[i + 1] - t3 * t3);
            let t6 = t5 + t5;
            // 6: let b = x[i + 1] - x[i] * x[i];
            let t7 = mul_zero_if::<STRONG>(-t6, t3);
            // 5: let a = 1.0 - x[i];
            let t8 = 0.0 + carried + (t7 + t7 - (t4 + t4));
            dx_part[i] = t8;
            carried = t6;
        }
    } else {
        // 4: for i in 0..x.len() - 1 {
        for i2 in 0..t2 {
            // 5: let a = 1.0 - x[i];
            let t9 = x[i2];
            let t10 = 1.0 - t9;
            // 7: total += a * a + 100.0 * b * b;
            let t11 = 100.0 * (x[i2 + 1] - t9 * t9);
            let t12 = t11 + t11;
            // 6: let b = x[i + 1] - x[i] * x[i];
            let t13 = mul_zero_if::<STRONG>(-t12, t9);
            // 5: let a = 1.0 - x[i];
            let t14 = 0.0 + carried + (t13 + t13 - (t10 + t10));
            dx[i2] = t14;
            carried = t12;
        }
    }
    if t2 < dx.len() {
        dx[t2] = 0.0 + carried;
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
