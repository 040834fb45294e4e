/// Memory that functions use again: for one call after the other.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    tape: Vec<f64>,
}

/// The value and the gradient of `sines`.
pub fn sines_value_and_gradient_into(x: f64, n: usize, workspace: &mut Workspace) -> (f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = sines_value_and_gradient_into_by::<false>(x, n, workspace);
    if found.1.is_nan() {
        sines_value_and_gradient_into_by::<true>(x, n, workspace)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn sines_value_and_gradient_into_by<const STRONG: bool>(
    x: f64,
    n: usize,
    workspace: &mut Workspace,
) -> (f64, f64) {
    // 44: for _ in 0..n {
    let mut y = x;
    let tape = filled(&mut workspace.tape, 0.0, n);
    for i in 0..n {
        // 45: y = y.sin() * 1.1 + 0.5 * y;
        tape[i] = y.cos();
        y = y.sin() * 1.1 + 0.5 * y;
    }
    // 44: for _ in 0..n {
    let mut dy: f64 = 1.0;
    for i2 in (0..n).rev() {
        let t1 = tape[i2];
        // 45: y = y.sin() * 1.1 + 0.5 * y;
        dy = dy * 0.5 + mul_zero_if::<STRONG>(dy * 1.1, t1);
    }
    (y, dy)
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

/// A vector of the workspace with copies of a value.
fn filled<T: Clone>(list: &mut Vec<T>, value: T, len: usize) -> &mut [T] {
    list.clear();
    list.resize(len, value);
    list
}
