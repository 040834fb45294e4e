/// The value and the gradient of `perceptron`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
#[allow(clippy::too_many_arguments)]
pub fn perceptron_value_and_gradient_into(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
    dw1: &mut [f64],
    db1: &mut [f64],
    dw2: &mut [f64],
    db2: &mut [f64],
) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = perceptron_value_and_gradient_into_by::<false>(
        w1, b1, w2, b2, x, labels, dw1, db1, dw2, db2,
    );
    if any_nan(dw1) || any_nan(db1) || any_nan(dw2) || any_nan(db2) {
        perceptron_value_and_gradient_into_by::<true>(w1, b1, w2, b2, x, labels, dw1, db1, dw2, db2)
    } else {
        found
    }
}

#[allow(
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::too_many_arguments
)]
fn perceptron_value_and_gradient_into_by<const STRONG: bool>(
    w1: &[f64],
    b1: &[f64],
    w2: &[f64],
    b2: &[f64],
    x: &[f64],
    labels: &[usize],
    dw1: &mut [f64],
    db1: &mut [f64],
    dw2: &mut [f64],
    db2: &mut [f64],
) -> f64 {
    let mut tape: Vec<f64> = Vec::new();
    let mut tape2: Vec<f64> = Vec::new();
    let mut tape3: Vec<f64> = Vec::new();
    let mut tape4: Vec<f64> = Vec::new();
    zero(dw1, w1.len(), "perceptron.rs:26:8");
    let t1 = b1.len();
    zero(db1, t1, "perceptron.rs:26:8");
    zero(dw2, w2.len(), "perceptron.rs:26:8");
    let t2 = b2.len();
    zero(db2, t2, "perceptron.rs:26:8");
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
        let records = new_records(&mut tape, t18);
        let rows_part2 = long_span_mut(&mut rows, 0, t18);
        if rows_part2.len() == t18 {
            for i7 in 0..t18 {
                // 31: *h = h.tanh();
                let t19 = rows_part2[i7].tanh();
                rows_part2[i7] = t19;
                records[i7] = t19;
            }
        } else {
            // 30: for h in hidden.iter_mut() {
            for i8 in 0..t18 {
                // 31: *h = h.tanh();
                let t20 = rows[i8].tanh();
                rows[i8] = t20;
                records[i8] = t20;
            }
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        let t21 = mul_usize(t2, t3, "perceptron.rs:17:39");
        if t21 <= 1152921504606846975 {
            let t22 = rows.len();
            // 18: for _ in 0..count {
            let mut rows2: Vec<f64> = Vec::new();
            for _ in 0..t3 {
                // 19: rows.extend_from_slice(row);
                for i10 in 0..t2 {
                    rows2.push(b2[i10]);
                }
            }
            // 5: for row in 0..c.len() / columns {
            let t23 = div_usize(rows2.len(), t2, "perceptron.rs:5:19");
            let mut t24: usize = 0;
            let mut t25: usize;
            loop {
                t25 = rows2.len();
                if t24 >= t23 {
                    break;
                }
                let t26 = t24 + 1;
                // 6: for i in 0..inner {
                for i11 in 0..t1 {
                    // 7: let scale = a[row * inner + i];
                    let t27 = mul_usize(t24, t1, "perceptron.rs:7:27");
                    let t28 = add_usize(t27, i11, "perceptron.rs:7:27");
                    let t29 = *elem(&rows, t28, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    let w2_part = long_span(w2, t2.saturating_mul(i11), t2);
                    let rows_part3 = long_span_mut(&mut rows2, t2.saturating_mul(t24), t2);
                    if w2_part.len() == t2 && rows_part3.len() == t2 {
                        for i12 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t30 = w2_part[i12];
                            let t31 = rows_part3[i12];
                            rows_part3[i12] = t31 + t29 * t30;
                        }
                    } else {
                        // 8: for j in 0..columns {
                        for i13 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t32 = mul_usize(i11, t2, "perceptron.rs:9:51");
                            let t33 = add_usize(t32, i13, "perceptron.rs:9:51");
                            let t34 = *elem(w2, t33, "perceptron.rs:9:49");
                            let t35 = mul_usize(t24, t2, "perceptron.rs:9:19");
                            let t36 = add_usize(t35, i13, "perceptron.rs:9:19");
                            let t37 = *elem(&rows2, t36, "perceptron.rs:9:17");
                            rows2[t36] = t37 + t29 * t34;
                        }
                    }
                }
                // 6: for i in 0..inner {
                t24 = t26;
            }
            // 5: for row in 0..c.len() / columns {
            let mut total: f64 = 0.0;
            // 37: for row in 0..batch {
            make_room(&mut tape2, t3.saturating_mul(t2.saturating_sub(1)));
            make_room(&mut tape3, t3.saturating_mul(t2));
            make_room(&mut tape4, t3);
            let records2 = new_records(&mut tape4, t3);
            for i14 in 0..t3 {
                // 38: let mut largest = scores[row * classes];
                let t38 = mul_usize(i14, t2, "perceptron.rs:38:34");
                let mut largest = *elem(&rows2, t38, "perceptron.rs:38:27");
                // 39: for class in 1..classes {
                let records3 = new_records(&mut tape2, t2.saturating_sub(1));
                for i15 in 1..t2 {
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t39 = add_usize(t38, i15, "perceptron.rs:40:42");
                    let t40 = *elem(&rows2, t39, "perceptron.rs:40:35");
                    records3[i15 - 1] = largest;
                    largest = largest.max(t40);
                }
                // 39: for class in 1..classes {
                let mut sum2: f64 = 0.0;
                // 43: for class in 0..classes {
                let records4 = new_records(&mut tape3, t2);
                for i16 in 0..t2 {
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t41 = add_usize(t38, i16, "perceptron.rs:44:28");
                    let t42 = *elem(&rows2, t41, "perceptron.rs:44:21");
                    let t43 = (t42 - largest).exp();
                    records4[i16] = t43;
                    sum2 += t43;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t44 = add_usize(t38, labels[i14], "perceptron.rs:46:46");
                let t45 = *elem(&rows2, t44, "perceptron.rs:46:39");
                records2[i14] = sum2;
                total += sum2.ln() + largest - t45;
            }
            // 48: total / batch as f64
            let t46 = t3 as f64;
            let t47 = total / t46;
            let t48 = 1.0 / t46;
            let mut d76 = vec![0.0; t25];
            // 44: sum += (scores[row * classes + class] - largest).exp();
            let t49 = if 1 < t2 { t2 } else { 1 };
            // 48: total / batch as f64
            let records5 = last_records(&tape4, t3);
            for i17 in (0..t3).rev() {
                let t50 = records5[i17];
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t51 = mul_usize(i17, t2, "perceptron.rs:46:39");
                let t52 = add_usize(t51, labels[i17], "perceptron.rs:46:39");
                d76[t52] -= t48;
                let t53 = mul_zero_if::<STRONG>(t48, 1.0 / t50);
                let mut dlargest = t48;
                let records6 = last_records(&tape3, t2);
                for i18 in (0..t2).rev() {
                    let t54 = records6[i18];
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t55 = mul_zero_if::<STRONG>(t53, t54);
                    let t56 = add_usize(t51, i18, "perceptron.rs:44:21");
                    d76[t56] += t55;
                    dlargest -= t55;
                }
                drop_records(&mut tape3, t2);
                let records7 = last_records(&tape2, t49.saturating_sub(1));
                for i19 in (1..t49).rev() {
                    let t57 = records7[i19 - 1];
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t58 = add_usize(t51, i19, "perceptron.rs:40:23");
                    let t59 = *elem(&rows2, t58, "perceptron.rs:40:23");
                    let t60 = t57 > t59 || (t57 == t59 || t59.is_nan());
                    let t61: f64 = if t60 { 1.0 } else { 0.0 };
                    let t62: f64 = if t60 { 0.0 } else { 1.0 };
                    d76[t58] += mul_zero_if::<STRONG>(dlargest, t62);
                    dlargest = mul_zero_if::<STRONG>(dlargest, t61);
                }
                drop_records(&mut tape2, t49.saturating_sub(1));
                // 38: let mut largest = scores[row * classes];
                d76[t51] += dlargest;
            }
            drop_records(&mut tape4, t3);
            let mut d63 = vec![0.0; t22];
            for i20 in (0..t23).rev() {
                for i21 in (0..t1).rev() {
                    let mut d85: f64 = 0.0;
                    for i22 in (0..t2).rev() {
                        // 9: c[row * columns + j] += scale * b[i * columns + j];
                        let t63 = mul_usize(i20, t2, "perceptron.rs:9:17");
                        let t64 = add_usize(t63, i22, "perceptron.rs:9:17");
                        let t65 = d76[t64];
                        let t66 = mul_usize(i21, t2, "perceptron.rs:9:41");
                        let t67 = add_usize(t66, i22, "perceptron.rs:9:41");
                        let t68 = *elem(w2, t67, "perceptron.rs:9:41");
                        let t69 = mul_usize(i20, t1, "perceptron.rs:9:41");
                        let t70 = add_usize(t69, i21, "perceptron.rs:9:41");
                        let t71 = *elem(&rows, t70, "perceptron.rs:9:41");
                        dw2[t67] += mul_zero_if::<STRONG>(t65, t71);
                        d85 += mul_zero_if::<STRONG>(t65, t68);
                    }
                    // 7: let scale = a[row * inner + i];
                    let t72 = mul_usize(i20, t1, "perceptron.rs:7:25");
                    let t73 = add_usize(t72, i21, "perceptron.rs:7:25");
                    d63[t73] += d85;
                }
            }
            for _ in (0..t3).rev() {
                for i24 in (0..t2).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t74 = d76.len().wrapping_sub(1);
                    let t75 = d76[t74];
                    d76.truncate(t74);
                    db2[i24] += t75;
                }
            }
            let records8 = last_records(&tape, t18);
            let d63_part = long_span_mut(&mut d63, 0, t18);
            if d63_part.len() == t18 {
                for i25 in (0..t18).rev() {
                    let t76 = records8[i25];
                    // 31: *h = h.tanh();
                    let t77 = mul_zero_if::<STRONG>(d63_part[i25], (1.0 - t76) * (1.0 + t76));
                    // 30: for h in hidden.iter_mut() {
                    d63_part[i25] = t77;
                }
            } else {
                // 19: rows.extend_from_slice(row);
                for i26 in (0..t18).rev() {
                    let t78 = records8[i26];
                    // 31: *h = h.tanh();
                    let t79 = mul_zero_if::<STRONG>(d63[i26], (1.0 - t78) * (1.0 + t78));
                    // 30: for h in hidden.iter_mut() {
                    d63[i26] = t79;
                }
            }
            drop_records(&mut tape, t18);
            for i27 in (0..t6).rev() {
                for i28 in (0..t5).rev() {
                    let t80 = t5.saturating_mul(i27);
                    let x_part = span(x, i28.saturating_add(t80), 1);
                    let dw1_part = long_span_mut(dw1, t1.saturating_mul(i28), t1);
                    let d63_part2 = long_span(&d63, t1.saturating_mul(i27), t1);
                    if x_part.len() == 1 && dw1_part.len() == t1 && d63_part2.len() == t1 {
                        for i29 in (0..t1).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t81 = x_part[0];
                            let t82 = dw1_part[i29] + mul_zero_if::<STRONG>(d63_part2[i29], t81);
                            dw1_part[i29] = t82;
                        }
                    } else {
                        // 30: for h in hidden.iter_mut() {
                        for i30 in (0..t1).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t83 = mul_usize(i27, t1, "perceptron.rs:9:17");
                            let t84 = add_usize(t83, i30, "perceptron.rs:9:17");
                            let t85 = mul_usize(i27, t5, "perceptron.rs:9:41");
                            let t86 = add_usize(t85, i28, "perceptron.rs:9:41");
                            let t87 = *elem(x, t86, "perceptron.rs:9:41");
                            let t88 = mul_usize(i28, t1, "perceptron.rs:9:49");
                            let t89 = add_usize(t88, i30, "perceptron.rs:9:49");
                            let t90 = dw1[t89] + mul_zero_if::<STRONG>(d63[t84], t87);
                            dw1[t89] = t90;
                        }
                    }
                }
            }
            for _ in (0..t3).rev() {
                for i32 in (0..t1).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t91 = d63.len().wrapping_sub(1);
                    let t92 = d63[t91];
                    d63.truncate(t91);
                    db1[i32] += t92;
                }
            }
            return t47;
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

/// As many new records of a tape.
#[inline]
fn new_records<T: Clone + Default>(tape: &mut Vec<T>, count: usize) -> &mut [T] {
    let first = tape.len();
    if tape.try_reserve(count).is_err() {
        panic!("no memory for {count} records");
    }
    tape.resize(first + count, T::default());
    &mut tape[first..]
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

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {at}")
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
