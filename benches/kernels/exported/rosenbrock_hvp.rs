/// The product of the Hessian with a direction of `rosenbrock`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn rosenbrock_hvp_into(x: &[f64], dx: &[f64], hx: &mut [f64]) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    rosenbrock_hvp_into_by::<false>(x, dx, hx);
    if any_nan(hx) {
        rosenbrock_hvp_into_by::<true>(x, dx, hx);
    }
}

#[allow(clippy::manual_range_contains, clippy::needless_range_loop)]
fn rosenbrock_hvp_into_by<const STRONG: bool>(x: &[f64], dx: &[f64], hx: &mut [f64]) {
    let t1 = x.len();
    same_length(hx, t1, "rosenbrock.rs:4:8");
    // 6: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:6:17");
    let mut carried: f64 = 0.0;
    zero_from(hx, t2);
    let x_part = long_span(x, 0, t2.saturating_add(1));
    let dx_part = long_span(dx, 0, t2.saturating_add(1));
    let hx_part = long_span_mut(hx, 0, t2);
    if !STRONG
        && x_part.len() == t2.saturating_add(1)
        && dx_part.len() == t2.saturating_add(1)
        && hx_part.len() == t2
    {
        for i in 0..t2 {
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t3 = x_part[i];
            let t4 = dx_part[i];
            let t5 = mul_zero_if::<STRONG>(t4, t3);
            // 9: sum += 100.0 * a * a + b * b;
            let t6 = 100.0 * (x_part[i + 1] - t3 * t3);
            let t7 = (dx_part[i + 1] - (t5 + t5)) * 100.0;
            let t8 = t7 + t7;
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t9 = mul_zero_if::<STRONG>(t4, -(t6 + t6));
            let t10 = mul_zero_if::<STRONG>(-t8, t3) + t9;
            let t11 = t10 - (-t4 - t4) + t10;
            hx_part[i] = 0.0 + carried + t11;
            carried = t8;
        }
    } else {
        // 6: for i in 0..x.len() - 1 {
        for i2 in 0..t2 {
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t12 = i2 + 1;
            let t13 = x[i2];
            let t14 = dx[i2];
            let t15 = mul_zero_if::<STRONG>(t14, t13);
            // 9: sum += 100.0 * a * a + b * b;
            let t16 = 100.0 * (x[t12] - t13 * t13);
            let t17 = (dx[t12] - (t15 + t15)) * 100.0;
            let t18 = t17 + t17;
            // 7: let a = x[i + 1] - x[i] * x[i];
            let t19 = mul_zero_if::<STRONG>(t14, -(t16 + t16));
            let t20 = mul_zero_if::<STRONG>(-t18, t13) + t19;
            let t21 = t20 - (-t14 - t14) + t20;
            hx[i2] = 0.0 + carried + t21;
            carried = t18;
        }
    }
    if t2 < hx.len() {
        hx[t2] = 0.0 + carried;
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
