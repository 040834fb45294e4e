/// `logistic` of one element.
pub fn logistic(x: f64, r: f64) -> (f64, f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = logistic_by::<false>(x, r);
    if found.1.is_nan() || found.2.is_nan() {
        logistic_by::<true>(x, r)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn logistic_by<const STRONG: bool>(x: f64, r: f64) -> (f64, f64, f64) {
    // logistic.rs:13
    let mut y = x;
    let mut t1: usize = 0;
    let mut tape: Vec<f64> = Vec::new();
    for _ in 0..100 {
        tape.push(y);
        // logistic.rs:14
        y = r * y * (1.0 - y);
        t1 = t1.wrapping_add(1);
    }
    // logistic.rs:13
    let mut dy: f64 = 1.0;
    let mut dr: f64 = 0.0;
    let records = last_records(&tape, t1);
    for i2 in (0..t1).rev() {
        let t2 = records[i2];
        // logistic.rs:14
        let t3 = mul_zero_if::<STRONG>(dy, 1.0 - t2);
        let t4 = mul_zero_if::<STRONG>(dy, r * t2);
        dy = mul_zero_if::<STRONG>(t3, r) - t4;
        dr += mul_zero_if::<STRONG>(t3, t2);
    }
    drop_records(&mut tape, t1);
    (y, dy, dr)
}

/// `logistic` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(clippy::manual_memcpy, clippy::needless_range_loop)]
pub fn logistic_lanes(x: &[f64], r: f64, y: &mut [f64], dx: &mut [f64], dr: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "logistic.rs:11:4");
    same_length(dx, element_count, "logistic.rs:11:4");
    same_length(dr, element_count, "logistic.rs:11:4");
    let mut tape2: Vec<[f64; 64]> = Vec::new();
    let mut depth: usize;
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut dy = [0.0; 64];
    let mut dr2 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut result2 = [0.0; 64];
    let mut result3 = [0.0; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            x2[lane] = x[element];
        }
        // logistic.rs:13
        let mut t2: usize = 0;
        for lane in 0..64 {
            y2[lane] = x2[lane];
        }
        depth = 0;
        for _ in 0..100 {
            if depth == tape2.len() {
                tape2.push([0.0; 64]);
            }
            let row = &mut tape2[depth];
            for lane in 0..64 {
                row[lane] = y2[lane];
            }
            depth = depth.wrapping_add(1);
            for lane in 0..64 {
                // logistic.rs:14
                y2[lane] = r * y2[lane] * (1.0 - y2[lane]);
            }
            t2 = t2.wrapping_add(1);
        }
        for lane in 0..64 {
            // logistic.rs:13
            dy[lane] = 1.0;
            dr2[lane] = 0.0;
        }
        for _ in (0..t2).rev() {
            depth = depth.wrapping_sub(1);
            let row2 = &tape2[depth];
            for lane in 0..64 {
                let t20: f64 = row2[lane];
                let t13: f64 = t20;
                // logistic.rs:14
                let t15: f64 = dy[lane] * (1.0 - t13);
                dy[lane] = t15 * r - dy[lane] * (r * t13);
                dr2[lane] += t15 * t13;
            }
        }
        for lane in 0..64 {
            result[lane] = y2[lane];
            result2[lane] = dy[lane];
            result3[lane] = dr2[lane];
        }
        let end_element = element_count.min(first_element + 64);
        y[first_element..end_element].copy_from_slice(&result[..end_element - first_element]);
        dx[first_element..end_element].copy_from_slice(&result2[..end_element - first_element]);
        dr[first_element..end_element].copy_from_slice(&result3[..end_element - first_element]);
        first_element = end_element;
    }
    // Plain products are NaN where zero meets infinity; such a product is zero.
    for element in 0..element_count {
        if dx[element].is_nan() || dr[element].is_nan() {
            (y[element], dx[element], dr[element]) = logistic(x[element], r);
        }
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

/// The last records of a tape.
#[inline]
fn last_records<T>(tape: &[T], count: usize) -> &[T] {
    &tape[tape.len() - count..]
}

/// Removes the last records of a tape.
#[inline]
fn drop_records<T>(tape: &mut Vec<T>, count: usize) {
    tape.truncate(tape.len() - count);
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
