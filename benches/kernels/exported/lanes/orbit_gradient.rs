/// `orbit` of one element.
pub fn orbit(x: f64, k: f64) -> (f64, f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = orbit_by::<false>(x, k);
    if found.1.is_nan() || found.2.is_nan() {
        orbit_by::<true>(x, k)
    } else {
        found
    }
}

#[allow(clippy::needless_range_loop)]
fn orbit_by<const STRONG: bool>(x: f64, k: f64) -> (f64, f64, f64) {
    // orbit.rs:30
    let mut y = x;
    let mut t1: usize = 0;
    let mut tape: Vec<f64> = Vec::new();
    for _ in 0..300 {
        tape.push(y);
        // orbit.rs:31
        y = (y * k).sin() + x;
        t1 = t1.wrapping_add(1);
    }
    // orbit.rs:30
    let mut dy: f64 = 1.0;
    let mut dx: f64 = 0.0;
    let mut dk: f64 = 0.0;
    let records = last_records(&tape, t1);
    for i2 in (0..t1).rev() {
        let t2 = records[i2];
        // orbit.rs:31
        let t3 = mul_zero_if::<STRONG>(dy, (t2 * k).cos());
        dx += dy;
        dy = mul_zero_if::<STRONG>(t3, k);
        dk += mul_zero_if::<STRONG>(t3, t2);
    }
    drop_records(&mut tape, t1);
    (y, dx + dy, dk)
}

/// `orbit` for each element of the slices, which have the same length, 64 of them at a time.
#[allow(clippy::manual_memcpy, clippy::needless_range_loop)]
pub fn orbit_lanes(x: &[f64], k: f64, y: &mut [f64], dx: &mut [f64], dk: &mut [f64]) {
    let element_count = y.len();
    same_length(x, element_count, "orbit.rs:28:8");
    same_length(dx, element_count, "orbit.rs:28:8");
    same_length(dk, element_count, "orbit.rs:28:8");
    let mut tape2: Vec<[f64; 64]> = Vec::new();
    let mut depth: usize;
    let mut x2 = [0.0; 64];
    let mut y2 = [0.0; 64];
    let mut dy = [0.0; 64];
    let mut dx2 = [0.0; 64];
    let mut dk2 = [0.0; 64];
    let mut t14 = [0.0; 64];
    let mut result = [0.0; 64];
    let mut result2 = [0.0; 64];
    let mut result3 = [0.0; 64];
    let mut t19 = [0.0; 64];
    let mut t21 = [0.0; 64];
    let mut first_element = 0;
    while first_element < element_count {
        // Lanes without an element have the last one.
        for lane in 0..64 {
            let element = (first_element + lane).min(element_count - 1);
            x2[lane] = x[element];
        }
        // orbit.rs:30
        let mut t2: usize = 0;
        for lane in 0..64 {
            y2[lane] = x2[lane];
        }
        depth = 0;
        for _ in 0..300 {
            if depth == tape2.len() {
                tape2.push([0.0; 64]);
            }
            let row = &mut tape2[depth];
            for lane in 0..64 {
                row[lane] = y2[lane];
            }
            depth = depth.wrapping_add(1);
            for lane in 0..64 {
                // orbit.rs:31
                t19[lane] = (y2[lane] * k).sin();
            }
            for lane in 0..64 {
                y2[lane] = t19[lane] + x2[lane];
            }
            t2 = t2.wrapping_add(1);
        }
        for lane in 0..64 {
            // orbit.rs:30
            dy[lane] = 1.0;
            dx2[lane] = 0.0;
            dk2[lane] = 0.0;
        }
        for _ in (0..t2).rev() {
            depth = depth.wrapping_sub(1);
            let row2 = &tape2[depth];
            for lane in 0..64 {
                let t20: f64 = row2[lane];
                t14[lane] = t20;
            }
            for lane in 0..64 {
                // orbit.rs:31
                t21[lane] = (t14[lane] * k).cos();
            }
            for lane in 0..64 {
                let t17: f64 = dy[lane] * t21[lane];
                dx2[lane] += dy[lane];
                dy[lane] = t17 * k;
                dk2[lane] += t17 * t14[lane];
            }
        }
        for lane in 0..64 {
            let t22: f64 = dx2[lane] + dy[lane];
            result[lane] = y2[lane];
            result2[lane] = t22;
            result3[lane] = dk2[lane];
        }
        let end_element = element_count.min(first_element + 64);
        y[first_element..end_element].copy_from_slice(&result[..end_element - first_element]);
        dx[first_element..end_element].copy_from_slice(&result2[..end_element - first_element]);
        dk[first_element..end_element].copy_from_slice(&result3[..end_element - first_element]);
        first_element = end_element;
    }
    // Plain products are NaN where zero meets infinity; such a product is zero.
    for element in 0..element_count {
        if dx[element].is_nan() || dk[element].is_nan() {
            (y[element], dx[element], dk[element]) = orbit(x[element], k);
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
