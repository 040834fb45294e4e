/// The value and the gradient of `perceptron`.
pub fn perceptron_value_and_gradient(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
) -> (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = perceptron_value_and_gradient_by::<false>(w1, b1, w2, b2, x, labels);
    if any_nan(&found.1) || any_nan(&found.2) || any_nan(&found.3) || any_nan(&found.4) {
        perceptron_value_and_gradient_by::<true>(w1, b1, w2, b2, x, labels)
    } else {
        found
    }
}

fn perceptron_value_and_gradient_by<const STRONG: bool>(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
) -> (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
    let (t1, t2) = perceptron::<STRONG>(w1, b1, w2, b2, x, labels);
    let t3 = t2.3;
    (t1, t2.0, t2.1, t2.2, t3)
}

#[allow(
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::type_complexity
)]
fn perceptron<const STRONG: bool>(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
) -> (f64, (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>)) {
    let mut tape: Vec<f64> = Vec::new();
    let mut tape2: Vec<f64> = Vec::new();
    let mut tape3: Vec<f64> = Vec::new();
    let mut tape4: Vec<f64> = Vec::new();
    let mut dw1 = vec![0.0; w1.len()];
    let t1 = b1.len();
    let mut db1 = vec![0.0; t1];
    let mut dw2 = vec![0.0; w2.len()];
    let t2 = b2.len();
    let mut db2 = vec![0.0; t2];
    // 27: let batch = labels.len();
    let t3 = labels.len();
    // 17: let mut rows = Vec::with_capacity(row.len() * count);
    let t4 = mul_usize(t1, t3, "perceptron.rs:17:39");
    if t4 <= 1152921504606846975 {
        // 18: for _ in 0..count {
        let mut rows: Vec<f64> = Vec::new();
        for _ in 0..t3 {
            // 19: rows.extend_from_slice(row);
            for i2 in 0..t1 {
                rows.push(b1[i2]);
            }
        }
        // 29: multiply(x, w1, &mut hidden, x.len() / batch, b1.len());
        let t5 = div_usize(x.len(), t3, "perceptron.rs:29:34");
        // 5: for row in 0..c.len() / columns {
        let t6 = div_usize(rows.len(), t1, "perceptron.rs:5:19");
        for i3 in 0..t6 {
            // 6: for i in 0..inner {
            for i4 in 0..t5 {
                // 7: let scale = a[row * inner + i];
                let t7 = mul_usize(i3, t5, "perceptron.rs:7:27");
                let t8 = add_usize(t7, i4, "perceptron.rs:7:27");
                let t9 = *elem(x, t8, "perceptron.rs:7:25");
                // 8: for j in 0..columns {
                let w1_part = long_span(w1, t1.saturating_mul(i4), t1);
                let rows_part = long_span_mut(&mut rows, t1.saturating_mul(i3), t1);
                if w1_part.len() == t1 && rows_part.len() == t1 {
                    for i5 in 0..t1 {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t10 = w1_part[i5];
                        let t11 = rows_part[i5];
                        rows_part[i5] = t11 + t9 * t10;
                    }
                } else {
                    // 8: for j in 0..columns {
                    for i6 in 0..t1 {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t12 = mul_usize(i4, t1, "perceptron.rs:9:51");
                        let t13 = add_usize(t12, i6, "perceptron.rs:9:51");
                        let t14 = *elem(w1, t13, "perceptron.rs:9:49");
                        let t15 = mul_usize(i3, t1, "perceptron.rs:9:19");
                        let t16 = add_usize(t15, i6, "perceptron.rs:9:19");
                        let t17 = *elem(&rows, t16, "perceptron.rs:9:17");
                        rows[t16] = t17 + t9 * t14;
                    }
                }
            }
        }
        // 30: for h in hidden.iter_mut() {
        let t18 = rows.len();
        make_room(&mut tape, t18);
        for i7 in 0..t18 {
            // 31: *h = h.tanh();
            let t19 = rows[i7].tanh();
            rows[i7] = t19;
            tape.push(t19);
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        let t20 = mul_usize(t2, t3, "perceptron.rs:17:39");
        if t20 <= 1152921504606846975 {
            let t21 = rows.len();
            // 18: for _ in 0..count {
            let mut rows2: Vec<f64> = Vec::new();
            for _ in 0..t3 {
                // 19: rows.extend_from_slice(row);
                for i9 in 0..t2 {
                    rows2.push(b2[i9]);
                }
            }
            // 5: for row in 0..c.len() / columns {
            let t22 = div_usize(rows2.len(), t2, "perceptron.rs:5:19");
            let mut t23: usize = 0;
            let mut t24: usize;
            loop {
                t24 = rows2.len();
                if t23 >= t22 {
                    break;
                }
                let t25 = t23 + 1;
                // 6: for i in 0..inner {
                for i10 in 0..t1 {
                    // 7: let scale = a[row * inner + i];
                    let t26 = mul_usize(t23, t1, "perceptron.rs:7:27");
                    let t27 = add_usize(t26, i10, "perceptron.rs:7:27");
                    let t28 = *elem(&rows, t27, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    let w2_part = long_span(w2, t2.saturating_mul(i10), t2);
                    let rows_part2 = long_span_mut(&mut rows2, t2.saturating_mul(t23), t2);
                    if w2_part.len() == t2 && rows_part2.len() == t2 {
                        for i11 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t29 = w2_part[i11];
                            let t30 = rows_part2[i11];
                            rows_part2[i11] = t30 + t28 * t29;
                        }
                    } else {
                        // 8: for j in 0..columns {
                        for i12 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t31 = mul_usize(i10, t2, "perceptron.rs:9:51");
                            let t32 = add_usize(t31, i12, "perceptron.rs:9:51");
                            let t33 = *elem(w2, t32, "perceptron.rs:9:49");
                            let t34 = mul_usize(t23, t2, "perceptron.rs:9:19");
                            let t35 = add_usize(t34, i12, "perceptron.rs:9:19");
                            let t36 = *elem(&rows2, t35, "perceptron.rs:9:17");
                            rows2[t35] = t36 + t28 * t33;
                        }
                    }
                }
                // 6: for i in 0..inner {
                t23 = t25;
            }
            // 5: for row in 0..c.len() / columns {
            let mut total: f64 = 0.0;
            // 37: for row in 0..batch {
            make_room(&mut tape2, t3.saturating_mul(t2.saturating_sub(1)));
            make_room(&mut tape3, t3.saturating_mul(t2));
            make_room(&mut tape4, t3);
            for i13 in 0..t3 {
                // 38: let mut largest = scores[row * classes];
                let t37 = mul_usize(i13, t2, "perceptron.rs:38:34");
                let mut largest = *elem(&rows2, t37, "perceptron.rs:38:27");
                // 39: for class in 1..classes {
                for i14 in 1..t2 {
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t38 = add_usize(t37, i14, "perceptron.rs:40:42");
                    let t39 = *elem(&rows2, t38, "perceptron.rs:40:35");
                    tape2.push(largest);
                    largest = largest.max(t39);
                }
                // 39: for class in 1..classes {
                let mut sum2: f64 = 0.0;
                // 43: for class in 0..classes {
                for i15 in 0..t2 {
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t40 = add_usize(t37, i15, "perceptron.rs:44:28");
                    let t41 = *elem(&rows2, t40, "perceptron.rs:44:21");
                    let t42 = (t41 - largest).exp();
                    tape3.push(t42);
                    sum2 += t42;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t43 = add_usize(t37, labels[i13], "perceptron.rs:46:46");
                let t44 = *elem(&rows2, t43, "perceptron.rs:46:39");
                tape4.push(sum2);
                total += sum2.ln() + largest - t44;
            }
            // 48: total / batch as f64
            let t45 = t3 as f64;
            let t46 = total / t45;
            let t47 = 1.0 / t45;
            let mut d76 = vec![0.0; t24];
            // 44: sum += (scores[row * classes + class] - largest).exp();
            let t48 = if 1 < t2 { t2 } else { 1 };
            // 48: total / batch as f64
            for i16 in (0..t3).rev() {
                let t49 = tape4.pop().expect("a record of each round");
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t50 = mul_usize(i16, t2, "perceptron.rs:46:39");
                let t51 = add_usize(t50, labels[i16], "perceptron.rs:46:39");
                d76[t51] -= t47;
                let t52 = mul_zero_if::<STRONG>(t47, 1.0 / t49);
                let mut dlargest = t47;
                for i17 in (0..t2).rev() {
                    let t53 = tape3.pop().expect("a record of each round");
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t54 = mul_zero_if::<STRONG>(t52, t53);
                    let t55 = add_usize(t50, i17, "perceptron.rs:44:21");
                    d76[t55] += t54;
                    dlargest -= t54;
                }
                for i18 in (1..t48).rev() {
                    let t56 = tape2.pop().expect("a record of each round");
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t57 = add_usize(t50, i18, "perceptron.rs:40:23");
                    let t58 = *elem(&rows2, t57, "perceptron.rs:40:23");
                    let t59 = t56 > t58 || (t56 == t58 || t58.is_nan());
                    let t60: f64 = if t59 { 1.0 } else { 0.0 };
                    let t61: f64 = if t59 { 0.0 } else { 1.0 };
                    d76[t57] += mul_zero_if::<STRONG>(dlargest, t61);
                    dlargest = mul_zero_if::<STRONG>(dlargest, t60);
                }
                // 38: let mut largest = scores[row * classes];
                d76[t50] += dlargest;
            }
            let mut d63 = vec![0.0; t21];
            for i19 in (0..t22).rev() {
                for i20 in (0..t1).rev() {
                    let mut d85: f64 = 0.0;
                    for i21 in (0..t2).rev() {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t62 = mul_usize(i19, t2, "perceptron.rs:9:17");
                        let t63 = add_usize(t62, i21, "perceptron.rs:9:17");
                        let t64 = d76[t63];
                        let t65 = mul_usize(i20, t2, "perceptron.rs:9:41");
                        let t66 = add_usize(t65, i21, "perceptron.rs:9:41");
                        let t67 = *elem(w2, t66, "perceptron.rs:9:41");
                        let t68 = mul_usize(i19, t1, "perceptron.rs:9:41");
                        let t69 = add_usize(t68, i20, "perceptron.rs:9:41");
                        let t70 = *elem(&rows, t69, "perceptron.rs:9:41");
                        dw2[t66] += mul_zero_if::<STRONG>(t64, t70);
                        d85 += mul_zero_if::<STRONG>(t64, t67);
                    }
                    // 7: let scale = a[row * inner + i];
                    let t71 = mul_usize(i19, t1, "perceptron.rs:7:25");
                    let t72 = add_usize(t71, i20, "perceptron.rs:7:25");
                    d63[t72] += d85;
                }
            }
            for _ in (0..t3).rev() {
                for i23 in (0..t2).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t73 = d76.len().wrapping_sub(1);
                    let t74 = d76[t73];
                    d76.truncate(t73);
                    db2[i23] += t74;
                }
            }
            for i24 in (0..t18).rev() {
                let t75 = tape.pop().expect("a record of each round");
                // 31: *h = h.tanh();
                let t76 = mul_zero_if::<STRONG>(d63[i24], (1.0 - t75) * (1.0 + t75));
                // 30: for h in hidden.iter_mut() {
                d63[i24] = t76;
            }
            for i25 in (0..t6).rev() {
                for i26 in (0..t5).rev() {
                    let t77 = t5.saturating_mul(i25);
                    let x_part = span(x, i26.saturating_add(t77), 1);
                    let dw1_part = long_span_mut(&mut dw1, t1.saturating_mul(i26), t1);
                    let d63_part = long_span(&d63, t1.saturating_mul(i25), t1);
                    if x_part.len() == 1 && dw1_part.len() == t1 && d63_part.len() == t1 {
                        for i27 in (0..t1).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t78 = x_part[0];
                            let t79 = dw1_part[i27] + mul_zero_if::<STRONG>(d63_part[i27], t78);
                            dw1_part[i27] = t79;
                        }
                    } else {
                        // 30: for h in hidden.iter_mut() {
                        for i28 in (0..t1).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t80 = mul_usize(i25, t1, "perceptron.rs:9:17");
                            let t81 = add_usize(t80, i28, "perceptron.rs:9:17");
                            let t82 = mul_usize(i25, t5, "perceptron.rs:9:41");
                            let t83 = add_usize(t82, i26, "perceptron.rs:9:41");
                            let t84 = *elem(x, t83, "perceptron.rs:9:41");
                            let t85 = mul_usize(i26, t1, "perceptron.rs:9:49");
                            let t86 = add_usize(t85, i28, "perceptron.rs:9:49");
                            let t87 = dw1[t86] + mul_zero_if::<STRONG>(d63[t81], t84);
                            dw1[t86] = t87;
                        }
                    }
                }
            }
            for _ in (0..t3).rev() {
                for i30 in (0..t1).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t88 = d63.len().wrapping_sub(1);
                    let t89 = d63[t88];
                    d63.truncate(t88);
                    db1[i30] += t89;
                }
            }
            return (t46, (dw1, db1, dw2, db2));
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        fail("capacity overflow", "perceptron.rs:17:20");
    }
    fail("capacity overflow", "perceptron.rs:17:20")
}

/// `add`, which fails where the result does not fit.
#[inline]
fn add_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_add(y) {
        Some(result) => result,
        None => fail("attempt to add with overflow", at),
    }
}

/// `div`, which fails where the result does not fit.
#[inline]
fn div_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_div(y) {
        Some(result) => result,
        None if y == 0 => fail("attempt to divide by zero", at),
        None => fail("attempt to divide with overflow", at),
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

/// Room for more elements, if there is memory for them.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    let _ = list.try_reserve(more);
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
    panic!("{message}, {at}")
}

#[cold]
fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {i}, {at}")
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
