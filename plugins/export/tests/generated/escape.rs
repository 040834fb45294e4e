/// The gradient of `escape`.
pub fn escape_gradient(re: f64, im: f64) -> (f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = escape_gradient_by::<false>(re, im);
    if found.0.is_nan() || found.1.is_nan() {
        escape_gradient_by::<true>(re, im)
    } else {
        found
    }
}

fn escape_gradient_by<const STRONG: bool>(re: f64, im: f64) -> (f64, f64) {
    // 5: while steps < 50 {
    let mut steps: i32 = 0;
    let mut x: f64 = 0.0;
    let mut y: f64 = 0.0;
    let mut tape: Vec<(f64, f64)> = Vec::new();
    let mut t1;
    let mut x2: f64;
    let mut y2: f64;
    'block0: {
        loop {
            t1 = steps < 50;
            if !t1 {
                break;
            }
            // 6: (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
            x2 = x * x - y * y + re;
            y2 = 2.0 * x * y + im;
            // 7: if x * x + y * y > 16.0 {
            tape.push((x, y));
            if x2 * x2 + y2 * y2 > 16.0 {
                break 'block0;
            }
            // 5: while steps < 50 {
            steps += 1;
            x = x2;
            y = y2;
        }
        x2 = x;
        y2 = y;
    }
    // 12: (x * x + y * y).ln() / f64::powi(2.0, steps)
    let t2 = 1.0 / (x2 * x2 + y2 * y2);
    let t3 = mul_zero_if::<STRONG>(1.0 / powi(2.0, steps), t2);
    let t4 = mul_zero_if::<STRONG>(t3, y2);
    let mut dy = t4 + t4;
    let t5 = mul_zero_if::<STRONG>(t3, x2);
    let mut dx = t5 + t5;
    let mut dim: f64;
    let mut dre: f64;
    if t1 {
        let t6 = tape.pop().expect("a record of each round");
        // 6: (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        let t7 = t6.1;
        let t8 = t6.0;
        let t9 = mul_zero_if::<STRONG>(-dx, t7);
        dim = 0.0 + dy;
        let t10 = mul_zero_if::<STRONG>(dy, t7) * 2.0;
        dy = mul_zero_if::<STRONG>(dy, 2.0 * t8) + t9 + t9;
        let t11 = mul_zero_if::<STRONG>(dx, t8);
        dre = 0.0 + dx;
        dx = t10 + t11 + t11;
    } else {
        // 12: (x * x + y * y).ln() / f64::powi(2.0, steps)
        dre = 0.0;
        dim = 0.0;
    }
    // 6: (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
    for _ in (0..steps).rev() {
        // 12: (x * x + y * y).ln() / f64::powi(2.0, steps)
        let t12 = tape.pop().expect("a record of each round");
        // 6: (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        let t13 = t12.1;
        let t14 = t12.0;
        let t15 = mul_zero_if::<STRONG>(-dx, t13);
        dim += dy;
        let t16 = mul_zero_if::<STRONG>(dy, t13) * 2.0;
        dy = mul_zero_if::<STRONG>(dy, 2.0 * t14) + t15 + t15;
        let t17 = mul_zero_if::<STRONG>(dx, t14);
        dre += dx;
        dx = t16 + t17 + t17;
    }
    (dre, dim)
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

/// An integer power, multiplied in one order whatever the optimiser prefers.
#[inline]
fn powi(mut x: f64, n: i32) -> f64 {
    let mut rest = n.unsigned_abs();
    let mut power = 1.0;
    loop {
        if rest & 1 == 1 {
            power *= x;
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        x *= x;
    }
    if n < 0 { 1.0 / power } else { power }
}
