/// The value and the gradient of `path`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn path_value_and_gradient_into(x: &[f64], dx: &mut [f64]) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = path_value_and_gradient_into_by::<false>(x, dx);
    if any_nan(dx) {
        path_value_and_gradient_into_by::<true>(x, dx)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn path_value_and_gradient_into_by<const STRONG: bool>(x: &[f64], dx: &mut [f64]) -> f64 {
    let t1 = x.len();
    zero(dx, t1, "path.rs:25:8");
    // 27: for i in 1..x.len() / 3 {
    let t2 = t1 / 3;
    let mut length: f64 = 0.0;
    let mut tape = vec![0.0; t2.saturating_sub(1)];
    for i in 1..t2 {
        // 30: step[a] = x[3 * i + a] - x[3 * (i - 1) + a];
        let t3 = mul_usize(3, i, "path.rs:30:25");
        let t4 = *elem(x, t3, "path.rs:30:23");
        let t5 = sub_usize(i, 1, "path.rs:30:45");
        let t6 = mul_usize(3, t5, "path.rs:30:40");
        let t7 = *elem(x, t6, "path.rs:30:38");
        let t8 = t4 - t7;
        let t9 = add_usize(t3, 1, "path.rs:30:25");
        let t10 = *elem(x, t9, "path.rs:30:23");
        let t11 = add_usize(t6, 1, "path.rs:30:40");
        let t12 = *elem(x, t11, "path.rs:30:38");
        let t13 = t10 - t12;
        let t14 = add_usize(t3, 2, "path.rs:30:25");
        let t15 = *elem(x, t14, "path.rs:30:23");
        let t16 = add_usize(t6, 2, "path.rs:30:40");
        let t17 = *elem(x, t16, "path.rs:30:38");
        let t18 = t15 - t17;
        // 34: square += step[a] * step[a];
        let t19 = 0.0 + t8 * t8 + t13 * t13;
        // 36: length += square.sqrt();
        let t20 = (t19 + t18 * t18).sqrt();
        tape[i - 1] = t20;
        length += t20;
    }
    // 27: for i in 1..x.len() / 3 {
    let exit = if 1 < t2 { t2 } else { 1 };
    for i2 in (1..exit).rev() {
        let t21 = tape[i2 - 1];
        // 36: length += square.sqrt();
        let t22 = 0.5 / t21;
        // 34: square += step[a] * step[a];
        let t23 = mul_usize(3, i2, "path.rs:34:23");
        let t24 = add_usize(t23, 2, "path.rs:34:23");
        let t25 = *elem(x, t24, "path.rs:34:23");
        let t26 = sub_usize(i2, 1, "path.rs:34:23");
        let t27 = mul_usize(3, t26, "path.rs:34:23");
        let t28 = add_usize(t27, 2, "path.rs:34:23");
        let t29 = *elem(x, t28, "path.rs:34:23");
        let t30 = mul_zero_if::<STRONG>(t22, t25 - t29);
        let t31 = t30 + t30;
        let t32 = add_usize(t23, 1, "path.rs:34:23");
        let t33 = *elem(x, t32, "path.rs:34:23");
        let t34 = add_usize(t27, 1, "path.rs:34:23");
        let t35 = *elem(x, t34, "path.rs:34:23");
        let t36 = mul_zero_if::<STRONG>(t22, t33 - t35);
        let t37 = t36 + t36;
        let t38 = *elem(x, t23, "path.rs:34:23");
        let t39 = *elem(x, t27, "path.rs:34:23");
        let t40 = mul_zero_if::<STRONG>(t22, t38 - t39);
        let t41 = t40 + t40;
        // 30: step[a] = x[3 * i + a] - x[3 * (i - 1) + a];
        dx[t28] -= t31;
        dx[t24] += t31;
        dx[t34] -= t37;
        dx[t32] += t37;
        dx[t27] -= t41;
        dx[t23] += t41;
    }
    length
}

/// `add`, which fails where the result does not fit.
#[inline]
fn add_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_add(y) {
        Some(result) => result,
        None => fail("attempt to add with overflow", at),
    }
}

/// `mul`, which fails where the result does not fit.
#[inline]
fn mul_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_mul(y) {
        Some(result) => result,
        None => fail("attempt to multiply with overflow", at),
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
fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {i}, {}", at)
}

/// An element, by an index that may be out of bounds.
#[inline]
fn elem<'a, T>(values: &'a [T], i: usize, at: &str) -> &'a T {
    let len = values.len();
    match values.get(i) {
        Some(value) => value,
        None => out_of_bounds(len, i, at),
    }
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
