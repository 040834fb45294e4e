/// The value and the gradient of `perceptron`.
pub fn perceptron_value_and_gradient(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
) -> (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
    let (t1, t2) = perceptron(w1, b1, w2, b2, x, labels);
    let t3 = t2.3;
    (t1, t2.0, t2.1, t2.2, t3)
}

#[allow(
    clippy::explicit_counter_loop,
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::type_complexity
)]
fn perceptron(
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
        let mut t5: usize = 0;
        let mut rows: Vec<f64> = Vec::new();
        while t5 < t3 {
            t5 += 1;
            // 19: rows.extend_from_slice(row);
            for i in 0..t1 {
                rows.push(b1[i]);
            }
        }
        // 29: multiply(x, w1, &mut hidden, x.len() / batch, b1.len());
        let t6 = div_usize(x.len(), t3, "perceptron.rs:29:34");
        // 5: for row in 0..c.len() / columns {
        let t7 = div_usize(rows.len(), t1, "perceptron.rs:5:19");
        let mut t8: usize = 0;
        while t8 < t7 {
            let t9 = t8 + 1;
            // 6: for i in 0..inner {
            for i2 in 0..t6 {
                // 7: let scale = a[row * inner + i];
                let t10 = mul_usize(t8, t6, "perceptron.rs:7:27");
                let t11 = add_usize(t10, i2, "perceptron.rs:7:27");
                let t12 = *elem(x, t11, "perceptron.rs:7:25");
                // 8: for j in 0..columns {
                let w1_part = span(w1, t1.saturating_mul(i2), t1);
                let rows_part = span_mut(&mut rows, t1.saturating_mul(t8), t1);
                if w1_part.len() == t1 && rows_part.len() == t1 {
                    for i3 in 0..t1 {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t13 = w1_part[i3];
                        let t14 = rows_part[i3];
                        rows_part[i3] = t14 + t12 * t13;
                    }
                } else {
                    // 8: for j in 0..columns {
                    for i4 in 0..t1 {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t15 = mul_usize(i2, t1, "perceptron.rs:9:51");
                        let t16 = add_usize(t15, i4, "perceptron.rs:9:51");
                        let t17 = *elem(w1, t16, "perceptron.rs:9:49");
                        let t18 = mul_usize(t8, t1, "perceptron.rs:9:19");
                        let t19 = add_usize(t18, i4, "perceptron.rs:9:19");
                        let t20 = *elem(&rows, t19, "perceptron.rs:9:17");
                        rows[t19] = t20 + t12 * t17;
                    }
                }
            }
            // 6: for i in 0..inner {
            t8 = t9;
        }
        // 30: for h in hidden.iter_mut() {
        let t21 = rows.len();
        let mut t22: usize = 0;
        while t22 < t21 {
            // 31: *h = h.tanh();
            let t23 = rows[t22].tanh();
            rows[t22] = t23;
            tape.push(t23);
            t22 += 1;
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        let t24 = mul_usize(t2, t3, "perceptron.rs:17:39");
        if t24 <= 1152921504606846975 {
            let t25 = rows.len();
            // 18: for _ in 0..count {
            let mut t26: usize = 0;
            let mut rows2: Vec<f64> = Vec::new();
            while t26 < t3 {
                t26 += 1;
                // 19: rows.extend_from_slice(row);
                for i5 in 0..t2 {
                    rows2.push(b2[i5]);
                }
            }
            // 5: for row in 0..c.len() / columns {
            let t27 = div_usize(rows2.len(), t2, "perceptron.rs:5:19");
            let mut t28: usize = 0;
            let mut t29: usize;
            loop {
                t29 = rows2.len();
                if t28 >= t27 {
                    break;
                }
                let t30 = t28 + 1;
                // 6: for i in 0..inner {
                for i6 in 0..t1 {
                    // 7: let scale = a[row * inner + i];
                    let t31 = mul_usize(t28, t1, "perceptron.rs:7:27");
                    let t32 = add_usize(t31, i6, "perceptron.rs:7:27");
                    let t33 = *elem(&rows, t32, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    let w2_part = span(w2, t2.saturating_mul(i6), t2);
                    let rows_part2 = span_mut(&mut rows2, t2.saturating_mul(t28), t2);
                    if w2_part.len() == t2 && rows_part2.len() == t2 {
                        for i7 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t34 = w2_part[i7];
                            let t35 = rows_part2[i7];
                            rows_part2[i7] = t35 + t33 * t34;
                        }
                    } else {
                        // 8: for j in 0..columns {
                        for i8 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t36 = mul_usize(i6, t2, "perceptron.rs:9:51");
                            let t37 = add_usize(t36, i8, "perceptron.rs:9:51");
                            let t38 = *elem(w2, t37, "perceptron.rs:9:49");
                            let t39 = mul_usize(t28, t2, "perceptron.rs:9:19");
                            let t40 = add_usize(t39, i8, "perceptron.rs:9:19");
                            let t41 = *elem(&rows2, t40, "perceptron.rs:9:17");
                            rows2[t40] = t41 + t33 * t38;
                        }
                    }
                }
                // 6: for i in 0..inner {
                t28 = t30;
            }
            // 5: for row in 0..c.len() / columns {
            let mut t42: usize = 0;
            let mut total: f64 = 0.0;
            // 37: for row in 0..batch {
            while t42 < t3 {
                let t43 = t42 + 1;
                // 38: let mut largest = scores[row * classes];
                let t44 = mul_usize(t42, t2, "perceptron.rs:38:34");
                let mut largest = *elem(&rows2, t44, "perceptron.rs:38:27");
                // 39: for class in 1..classes {
                for i9 in 1..t2 {
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t45 = add_usize(t44, i9, "perceptron.rs:40:42");
                    let t46 = *elem(&rows2, t45, "perceptron.rs:40:35");
                    tape2.push(largest);
                    largest = largest.max(t46);
                }
                // 39: for class in 1..classes {
                let mut sum2: f64 = 0.0;
                // 43: for class in 0..classes {
                for i10 in 0..t2 {
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t47 = add_usize(t44, i10, "perceptron.rs:44:28");
                    let t48 = *elem(&rows2, t47, "perceptron.rs:44:21");
                    let t49 = (t48 - largest).exp();
                    tape3.push(t49);
                    sum2 += t49;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t50 = add_usize(t44, labels[t42], "perceptron.rs:46:46");
                let t51 = *elem(&rows2, t50, "perceptron.rs:46:39");
                tape4.push(sum2);
                t42 = t43;
                total += sum2.ln() + largest - t51;
            }
            // 48: total / batch as f64
            let t52 = t3 as f64;
            let t53 = total / t52;
            let t54 = 1.0 / t52;
            let mut d76 = vec![0.0; t29];
            // 44: sum += (scores[row * classes + class] - largest).exp();
            let t55 = if 1 < t2 { t2 } else { 1 };
            // 48: total / batch as f64
            for i11 in (0..t42).rev() {
                let t56 = tape4.pop().expect("a record of each round");
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t57 = mul_usize(i11, t2, "perceptron.rs:46:39");
                let t58 = add_usize(t57, labels[i11], "perceptron.rs:46:39");
                d76[t58] -= t54;
                let t59 = mul_zero(t54, 1.0 / t56);
                let mut dlargest = t54;
                for i12 in (0..t2).rev() {
                    let t60 = tape3.pop().expect("a record of each round");
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t61 = mul_zero(t59, t60);
                    let t62 = add_usize(t57, i12, "perceptron.rs:44:21");
                    d76[t62] += t61;
                    dlargest -= t61;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let mut t63 = t55;
                // 44: sum += (scores[row * classes + class] - largest).exp();
                while t63 != 1 {
                    t63 = t63.wrapping_sub(1);
                    let t64 = tape2.pop().expect("a record of each round");
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t65 = add_usize(t57, t63, "perceptron.rs:40:23");
                    let t66 = *elem(&rows2, t65, "perceptron.rs:40:23");
                    let t67 = t64 > t66 || (t64 == t66 || t66.is_nan());
                    let t68: f64 = if t67 { 1.0 } else { 0.0 };
                    let t69: f64 = if t67 { 0.0 } else { 1.0 };
                    d76[t65] += mul_zero(dlargest, t69);
                    dlargest = mul_zero(dlargest, t68);
                }
                // 38: let mut largest = scores[row * classes];
                d76[t57] += dlargest;
            }
            let mut d63 = vec![0.0; t25];
            for i13 in (0..t28).rev() {
                for i14 in (0..t1).rev() {
                    let mut d85: f64 = 0.0;
                    for i15 in (0..t2).rev() {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t70 = mul_usize(i13, t2, "perceptron.rs:9:17");
                        let t71 = add_usize(t70, i15, "perceptron.rs:9:17");
                        let t72 = d76[t71];
                        let t73 = mul_usize(i14, t2, "perceptron.rs:9:41");
                        let t74 = add_usize(t73, i15, "perceptron.rs:9:41");
                        let t75 = *elem(w2, t74, "perceptron.rs:9:41");
                        let t76 = mul_usize(i13, t1, "perceptron.rs:9:41");
                        let t77 = add_usize(t76, i14, "perceptron.rs:9:41");
                        let t78 = *elem(&rows, t77, "perceptron.rs:9:41");
                        dw2[t74] += mul_zero(t72, t78);
                        d85 += mul_zero(t72, t75);
                    }
                    // 7: let scale = a[row * inner + i];
                    let t79 = mul_usize(i13, t1, "perceptron.rs:7:25");
                    let t80 = add_usize(t79, i14, "perceptron.rs:7:25");
                    d63[t80] += d85;
                }
            }
            for _ in (0..t26).rev() {
                for i17 in (0..t2).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t81 = d76.len().wrapping_sub(1);
                    let t82 = d76[t81];
                    d76.truncate(t81);
                    db2[i17] += t82;
                }
            }
            for i18 in (0..t22).rev() {
                let t83 = tape.pop().expect("a record of each round");
                // 31: *h = h.tanh();
                let t84 = mul_zero(d63[i18], (1.0 - t83) * (1.0 + t83));
                // 30: for h in hidden.iter_mut() {
                d63[i18] = t84;
            }
            for i19 in (0..t8).rev() {
                for i20 in (0..t6).rev() {
                    let x_part = span(x, t6.saturating_mul(i19).saturating_add(i20), 1);
                    let dw1_part = span_mut(&mut dw1, t1.saturating_mul(i20), t1);
                    let d63_part = span(&d63, t1.saturating_mul(i19), t1);
                    if x_part.len() == 1 && dw1_part.len() == t1 && d63_part.len() == t1 {
                        if x_part[0].is_finite() && x_part[0] != 0.0 {
                            for i21 in (0..t1).rev() {
                                // 9: c[row * columns + j] += scale * b[i * columns + j];
                                let t85 = x_part[0];
                                let t86 = dw1_part[i21] + d63_part[i21] * t85;
                                dw1_part[i21] = t86;
                            }
                        } else {
                            // 30: for h in hidden.iter_mut() {
                            for i21 in (0..t1).rev() {
                                // 9: c[row * columns + j] += scale * b[i * columns + j];
                                let t85 = x_part[0];
                                let t86 = dw1_part[i21] + mul_zero(d63_part[i21], t85);
                                dw1_part[i21] = t86;
                            }
                        }
                    } else {
                        // 30: for h in hidden.iter_mut() {
                        for i22 in (0..t1).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t87 = mul_usize(i19, t1, "perceptron.rs:9:17");
                            let t88 = add_usize(t87, i22, "perceptron.rs:9:17");
                            let t89 = mul_usize(i19, t6, "perceptron.rs:9:41");
                            let t90 = add_usize(t89, i20, "perceptron.rs:9:41");
                            let t91 = *elem(x, t90, "perceptron.rs:9:41");
                            let t92 = mul_usize(i20, t1, "perceptron.rs:9:49");
                            let t93 = add_usize(t92, i22, "perceptron.rs:9:49");
                            let t94 = dw1[t93] + mul_zero(d63[t88], t91);
                            dw1[t93] = t94;
                        }
                    }
                }
            }
            for _ in (0..t5).rev() {
                for i24 in (0..t1).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t95 = d63.len().wrapping_sub(1);
                    let t96 = d63[t95];
                    d63.truncate(t95);
                    db1[i24] += t96;
                }
            }
            return (t53, (dw1, db1, dw2, db2));
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

/// The product, but zero if a factor is zero, even if the other is infinite or not a number.
#[inline]
fn mul_zero(x: f64, y: f64) -> f64 {
    let product = x * y;
    if product.is_nan() && (x == 0.0 || y == 0.0) {
        0.0
    } else {
        product
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
