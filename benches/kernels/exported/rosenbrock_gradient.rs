/// The gradient of `rosenbrock`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn rosenbrock_gradient(x: &[f64], dx: &mut [f64]) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    rosenbrock_gradient_by::<false>(x, dx);
    if any_nan(dx) {
        rosenbrock_gradient_by::<true>(x, dx);
    }
}

#[allow(clippy::manual_range_contains, clippy::needless_range_loop)]
fn rosenbrock_gradient_by<const STRONG: bool>(x: &[f64], dx: &mut [f64]) {
    let t1 = x.len();
    same_length(dx, t1, "rosenbrock.rs:4:8");
    // 6: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:6:17");
    let mut carried: f64 = 0.0;
    zero_from(dx, t2);
    let x_part = long_span(x, 0, t2.saturating_add(1));
    let dx_part = long_span_mut(dx, 0, t2);
    if !STRONG && x_part.len() == t2.saturating_add(1) && dx_part.len() == t2 {
        for i in 0..t2 {
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t3 = x_part[i];
            // 8: let b = 1.0 - x[i];
            let t4 = 1.0 - t3;
            // 9: sum += 100.0 * a * a + b * b;
            let t5 = 100.0 * (x_part[i + 1] - t3 * t3);
            let t6 = t5 + t5;
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t7 = mul_zero_if::<STRONG>(-t6, t3);
            let t8 = 0.0 + carried + (t7 - (t4 + t4) + t7);
            dx_part[i] = t8;
            carried = t6;
        }
    } else {
        // 6: for i in 0..x.len() - 1 {
        for i2 in 0..t2 {
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t9 = x[i2];
            // 8: let b = 1.0 - x[i];
            let t10 = 1.0 - t9;
            // 9: sum += 100.0 * a * a + b * b;
            let t11 = 100.0 * (x[i2 + 1] - t9 * t9);
            let t12 = t11 + t11;
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t13 = mul_zero_if::<STRONG>(-t12, t9);
            let t14 = 0.0 + carried + (t13 - (t10 + t10) + t13);
            dx[i2] = t14;
            carried = t12;
        }
    }
    if t2 < dx.len() {
        dx[t2] = 0.0 + carried;
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

/// Zeros the elements of a slice from a place on, if there are any.
#[inline]
fn zero_from(slice: &mut [f64], from: usize) {
    if let Some(rest) = slice.get_mut(from..) {
        rest.fill(0.0);
    }
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

/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
}
