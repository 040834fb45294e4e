/// The value and the gradient of `tree`.
pub fn tree_value_and_gradient_into(x: f64, depth: usize) -> (f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = tree_value_and_gradient_into_by::<false>(x, depth);
    if found.1.is_nan() {
        tree_value_and_gradient_into_by::<true>(x, depth)
    } else {
        found
    }
}

fn tree_value_and_gradient_into_by<const STRONG: bool>(x: f64, depth: usize) -> (f64, f64) {
    let t1: f64;
    let dx: f64;
    // 72: if depth == 0 { x.sin() } else { tree(x * 0.9, depth - 1) * tree(x + 0.1, depth - 1) + x }
    if depth == 0 {
        dx = x.cos();
        t1 = x.sin();
    } else {
        let t2 = depth - 1;
        let (t3, t4) = tree::<STRONG>(x * 0.9, t2, 1.0);
        let (t5, t6) = tree::<STRONG>(x + 0.1, t2, 1.0);
        let t7 = mul_zero_if::<STRONG>(t5, t4) * 0.9;
        dx = 1.0 + mul_zero_if::<STRONG>(t3, t6) + t7;
        t1 = t3 * t5 + x;
    }
    (t1, dx)
}

fn tree<const STRONG: bool>(x: f64, depth: usize, dx: f64) -> (f64, f64) {
    let t1: f64;
    // 72: if depth == 0 { x.sin() } else { tree(x * 0.9, depth - 1) * tree(x + 0.1, depth - 1) + x }
    let t2: f64 = if depth == 0 {
        t1 = x.sin();
        mul_zero_if::<STRONG>(dx, x.cos())
    } else {
        let t3 = depth - 1;
        let (t4, t5) = tree::<STRONG>(x * 0.9, t3, dx * 0.9);
        let (t6, t7) = tree::<STRONG>(x + 0.1, t3, dx);
        let t8 = mul_zero_if::<STRONG>(t5, t6) + mul_zero_if::<STRONG>(t7, t4);
        t1 = t4 * t6 + x;
        t8 + dx
    };
    (t1, t2)
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
