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
    same_length(dx, t1, "rosenbrock.rs:4:8");
    // 6: for i in 0..x.len() - 1 {
    let t2 = sub_usize(t1, 1, "rosenbrock.rs:6:17");
    let mut sum2: f64 = 0.0;
    let mut carried: f64 = 0.0;
    zero_from(dx, t2);
    for i in 0..t2 {
        // 7: let a = x[i + 1] - x[i] * x[i];
        let t3 = x[i];
        let t4 = x[i + 1] - t3 * t3;
        // 8: let b = 1.0 - x[i];
        let t5 = 1.0 - t3;
        // 9: sum += 100.0 * a * a + b * b;
        let t6 = 100.0 * t4;
        let t7 = t6 + t6;
        // 7: let a = x[i + 1] - x[i] * x[i];
        let t8 = mul_zero_if::<STRONG>(-t7, t3);
        let t9 = 0.0 + carried + (t8 - (t5 + t5) + t8);
        dx[i] = t9;
        sum2 += t6 * t4 + t5 * t5;
        carried = t7;
    }
    if t2 < dx.len() {
        dx[t2] = 0.0 + carried;
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

/// Zeros the elements of a slice from a place on, if there are any.
#[inline]
fn zero_from(slice: &mut [f64], from: usize) {
    if let Some(rest) = slice.get_mut(from..) {
        rest.fill(0.0);
    }
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
