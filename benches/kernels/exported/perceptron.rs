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
                for i3 in 0..t1 {
                    // 9: c[row * columns + j] += scale * b[i * columns + j];
                    let t13 = mul_usize(i2, t1, "perceptron.rs:9:51");
                    let t14 = add_usize(t13, i3, "perceptron.rs:9:51");
                    let t15 = *elem(w1, t14, "perceptron.rs:9:49");
                    let t16 = mul_usize(t8, t1, "perceptron.rs:9:19");
                    let t17 = add_usize(t16, i3, "perceptron.rs:9:19");
                    let t18 = *elem(&rows, t17, "perceptron.rs:9:17");
                    rows[t17] = t18 + t12 * t15;
                }
            }
            // 6: for i in 0..inner {
            t8 = t9;
        }
        // 30: for h in hidden.iter_mut() {
        let t19 = rows.len();
        let mut t20: usize = 0;
        while t20 < t19 {
            // 31: *h = h.tanh();
            let t21 = rows[t20].tanh();
            rows[t20] = t21;
            tape.push(t21);
            t20 += 1;
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        let t22 = mul_usize(t2, t3, "perceptron.rs:17:39");
        if t22 <= 1152921504606846975 {
            let t23 = rows.len();
            // 18: for _ in 0..count {
            let mut t24: usize = 0;
            let mut rows2: Vec<f64> = Vec::new();
            while t24 < t3 {
                t24 += 1;
                // 19: rows.extend_from_slice(row);
                for i4 in 0..t2 {
                    rows2.push(b2[i4]);
                }
            }
            // 5: for row in 0..c.len() / columns {
            let t25 = div_usize(rows2.len(), t2, "perceptron.rs:5:19");
            let mut t26: usize = 0;
            let mut t27: usize;
            loop {
                t27 = rows2.len();
                if t26 >= t25 {
                    break;
                }
                let t28 = t26 + 1;
                // 6: for i in 0..inner {
                for i5 in 0..t1 {
                    // 7: let scale = a[row * inner + i];
                    let t29 = mul_usize(t26, t1, "perceptron.rs:7:27");
                    let t30 = add_usize(t29, i5, "perceptron.rs:7:27");
                    let t31 = *elem(&rows, t30, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    for i6 in 0..t2 {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t32 = mul_usize(i5, t2, "perceptron.rs:9:51");
                        let t33 = add_usize(t32, i6, "perceptron.rs:9:51");
                        let t34 = *elem(w2, t33, "perceptron.rs:9:49");
                        let t35 = mul_usize(t26, t2, "perceptron.rs:9:19");
                        let t36 = add_usize(t35, i6, "perceptron.rs:9:19");
                        let t37 = *elem(&rows2, t36, "perceptron.rs:9:17");
                        rows2[t36] = t37 + t31 * t34;
                    }
                }
                // 6: for i in 0..inner {
                t26 = t28;
            }
            // 5: for row in 0..c.len() / columns {
            let mut t38: usize = 0;
            let mut total: f64 = 0.0;
            // 37: for row in 0..batch {
            while t38 < t3 {
                let t39 = t38 + 1;
                // 38: let mut largest = scores[row * classes];
                let t40 = mul_usize(t38, t2, "perceptron.rs:38:34");
                let mut largest = *elem(&rows2, t40, "perceptron.rs:38:27");
                // 39: for class in 1..classes {
                for i7 in 1..t2 {
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t41 = add_usize(t40, i7, "perceptron.rs:40:42");
                    let t42 = *elem(&rows2, t41, "perceptron.rs:40:35");
                    tape2.push(largest);
                    largest = largest.max(t42);
                }
                // 39: for class in 1..classes {
                let mut sum2: f64 = 0.0;
                // 43: for class in 0..classes {
                for i8 in 0..t2 {
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t43 = add_usize(t40, i8, "perceptron.rs:44:28");
                    let t44 = *elem(&rows2, t43, "perceptron.rs:44:21");
                    let t45 = (t44 - largest).exp();
                    tape3.push(t45);
                    sum2 += t45;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t46 = add_usize(t40, labels[t38], "perceptron.rs:46:46");
                let t47 = *elem(&rows2, t46, "perceptron.rs:46:39");
                tape4.push(sum2);
                t38 = t39;
                total += sum2.ln() + largest - t47;
            }
            // 48: total / batch as f64
            let t48 = t3 as f64;
            let t49 = total / t48;
            let t50 = 1.0 / t48;
            let mut d76 = vec![0.0; t27];
            // 44: sum += (scores[row * classes + class] - largest).exp();
            let t51 = if 1 < t2 { t2 } else { 1 };
            // 48: total / batch as f64
            for i9 in (0..t38).rev() {
                let t52 = tape4.pop().expect("a record of each round");
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t53 = mul_usize(i9, t2, "perceptron.rs:46:39");
                let t54 = add_usize(t53, labels[i9], "perceptron.rs:46:39");
                d76[t54] -= t50;
                let t55 = mul_zero(t50, 1.0 / t52);
                let mut dlargest = t50;
                for i10 in (0..t2).rev() {
                    let t56 = tape3.pop().expect("a record of each round");
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t57 = mul_zero(t55, t56);
                    let t58 = add_usize(t53, i10, "perceptron.rs:44:21");
                    d76[t58] += t57;
                    dlargest -= t57;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let mut t59 = t51;
                // 44: sum += (scores[row * classes + class] - largest).exp();
                while t59 != 1 {
                    t59 = t59.wrapping_sub(1);
                    let t60 = tape2.pop().expect("a record of each round");
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t61 = add_usize(t53, t59, "perceptron.rs:40:23");
                    let t62 = *elem(&rows2, t61, "perceptron.rs:40:23");
                    let t63 = t60 > t62 || (t60 == t62 || t62.is_nan());
                    let t64: f64 = if t63 { 1.0 } else { 0.0 };
                    let t65: f64 = if t63 { 0.0 } else { 1.0 };
                    d76[t61] += mul_zero(dlargest, t65);
                    dlargest = mul_zero(dlargest, t64);
                }
                // 38: let mut largest = scores[row * classes];
                d76[t53] += dlargest;
            }
            let mut d63 = vec![0.0; t23];
            for i11 in (0..t26).rev() {
                for i12 in (0..t1).rev() {
                    let mut d85: f64 = 0.0;
                    for i13 in (0..t2).rev() {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t66 = mul_usize(i11, t2, "perceptron.rs:9:17");
                        let t67 = add_usize(t66, i13, "perceptron.rs:9:17");
                        let t68 = d76[t67];
                        let t69 = mul_usize(i12, t2, "perceptron.rs:9:41");
                        let t70 = add_usize(t69, i13, "perceptron.rs:9:41");
                        let t71 = *elem(w2, t70, "perceptron.rs:9:41");
                        let t72 = mul_usize(i11, t1, "perceptron.rs:9:41");
                        let t73 = add_usize(t72, i12, "perceptron.rs:9:41");
                        let t74 = *elem(&rows, t73, "perceptron.rs:9:41");
                        dw2[t70] += mul_zero(t68, t74);
                        d85 += mul_zero(t68, t71);
                    }
                    // 7: let scale = a[row * inner + i];
                    let t75 = mul_usize(i11, t1, "perceptron.rs:7:25");
                    let t76 = add_usize(t75, i12, "perceptron.rs:7:25");
                    d63[t76] += d85;
                }
            }
            for _ in (0..t24).rev() {
                for i15 in (0..t2).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t77 = d76.len().wrapping_sub(1);
                    let t78 = d76[t77];
                    d76.truncate(t77);
                    db2[i15] += t78;
                }
            }
            for i16 in (0..t20).rev() {
                let t79 = tape.pop().expect("a record of each round");
                // 31: *h = h.tanh();
                let t80 = mul_zero(d63[i16], (1.0 - t79) * (1.0 + t79));
                // 30: for h in hidden.iter_mut() {
                d63[i16] = t80;
            }
            for i17 in (0..t8).rev() {
                for i18 in (0..t6).rev() {
                    for i19 in (0..t1).rev() {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t81 = mul_usize(i17, t1, "perceptron.rs:9:17");
                        let t82 = add_usize(t81, i19, "perceptron.rs:9:17");
                        let t83 = mul_usize(i17, t6, "perceptron.rs:9:41");
                        let t84 = add_usize(t83, i18, "perceptron.rs:9:41");
                        let t85 = *elem(x, t84, "perceptron.rs:9:41");
                        let t86 = mul_usize(i18, t1, "perceptron.rs:9:49");
                        let t87 = add_usize(t86, i19, "perceptron.rs:9:49");
                        let t88 = dw1[t87] + mul_zero(d63[t82], t85);
                        dw1[t87] = t88;
                    }
                }
            }
            for _ in (0..t5).rev() {
                for i21 in (0..t1).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t89 = d63.len().wrapping_sub(1);
                    let t90 = d63[t89];
                    d63.truncate(t89);
                    db1[i21] += t90;
                }
            }
            return (t49, (dw1, db1, dw2, db2));
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
