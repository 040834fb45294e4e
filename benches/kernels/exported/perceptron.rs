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
        let t7 = is_matrix_product(
            [rows.len(), x.len(), w1.len()],
            [0, t1],
            [0, t5, 1],
            [0, t1, 1],
            [t6, t1, t5],
        );
        if t7 {
            add_matrix_product::<false, false>(
                &mut rows,
                [0, t1],
                x,
                [0, t5, 1],
                w1,
                [0, t1, 1],
                [t6, t1, t5],
            );
        } else {
            for i3 in 0..t6 {
                // 6: for i in 0..inner {
                for i4 in 0..t5 {
                    // 7: let scale = a[row * inner + i];
                    let t8 = mul_usize(i3, t5, "perceptron.rs:7:27");
                    let t9 = add_usize(t8, i4, "perceptron.rs:7:27");
                    let t10 = *elem(x, t9, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    let w1_part = long_span(w1, t1.saturating_mul(i4), t1);
                    let rows_part = long_span_mut(&mut rows, t1.saturating_mul(i3), t1);
                    if !STRONG && w1_part.len() == t1 && rows_part.len() == t1 {
                        for i5 in 0..t1 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t11 = w1_part[i5];
                            let t12 = rows_part[i5];
                            rows_part[i5] = t12 + t10 * t11;
                        }
                    } else {
                        // 8: for j in 0..columns {
                        for i6 in 0..t1 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t13 = mul_usize(i4, t1, "perceptron.rs:9:51");
                            let t14 = add_usize(t13, i6, "perceptron.rs:9:51");
                            let t15 = *elem(w1, t14, "perceptron.rs:9:49");
                            let t16 = mul_usize(i3, t1, "perceptron.rs:9:19");
                            let t17 = add_usize(t16, i6, "perceptron.rs:9:19");
                            let t18 = *elem(&rows, t17, "perceptron.rs:9:17");
                            rows[t17] = t18 + t10 * t15;
                        }
                    }
                }
            }
        }
        // 30: for h in hidden.iter_mut() {
        let t19 = rows.len();
        make_room(&mut tape, t19);
        let records = new_records(&mut tape, t19);
        for i7 in 0..t19 {
            // 31: *h = h.tanh();
            let t20 = rows[i7].tanh();
            rows[i7] = t20;
            records[i7] = t20;
        }
        // 17: let mut rows = Vec::with_capacity(row.len() * count);
        let t21 = mul_usize(t2, t3, "perceptron.rs:17:39");
        if t21 <= 1152921504606846975 {
            let t22 = rows.len();
            // 18: for _ in 0..count {
            let mut rows2: Vec<f64> = Vec::new();
            for _ in 0..t3 {
                // 19: rows.extend_from_slice(row);
                for i9 in 0..t2 {
                    rows2.push(b2[i9]);
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
                for i10 in 0..t1 {
                    // 7: let scale = a[row * inner + i];
                    let t27 = mul_usize(t24, t1, "perceptron.rs:7:27");
                    let t28 = add_usize(t27, i10, "perceptron.rs:7:27");
                    let t29 = *elem(&rows, t28, "perceptron.rs:7:25");
                    // 8: for j in 0..columns {
                    let w2_part = long_span(w2, t2.saturating_mul(i10), t2);
                    let rows_part2 = long_span_mut(&mut rows2, t2.saturating_mul(t24), t2);
                    if !STRONG && w2_part.len() == t2 && rows_part2.len() == t2 {
                        for i11 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t30 = w2_part[i11];
                            let t31 = rows_part2[i11];
                            rows_part2[i11] = t31 + t29 * t30;
                        }
                    } else {
                        // 8: for j in 0..columns {
                        for i12 in 0..t2 {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t32 = mul_usize(i10, t2, "perceptron.rs:9:51");
                            let t33 = add_usize(t32, i12, "perceptron.rs:9:51");
                            let t34 = *elem(w2, t33, "perceptron.rs:9:49");
                            let t35 = mul_usize(t24, t2, "perceptron.rs:9:19");
                            let t36 = add_usize(t35, i12, "perceptron.rs:9:19");
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
            for i13 in 0..t3 {
                // 38: let mut largest = scores[row * classes];
                let t38 = mul_usize(i13, t2, "perceptron.rs:38:34");
                let mut largest = *elem(&rows2, t38, "perceptron.rs:38:27");
                // 39: for class in 1..classes {
                let records3 = new_records(&mut tape2, t2.saturating_sub(1));
                for i14 in 1..t2 {
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t39 = add_usize(t38, i14, "perceptron.rs:40:42");
                    let t40 = *elem(&rows2, t39, "perceptron.rs:40:35");
                    records3[i14 - 1] = largest;
                    largest = largest.max(t40);
                }
                // 39: for class in 1..classes {
                let mut sum2: f64 = 0.0;
                // 43: for class in 0..classes {
                let records4 = new_records(&mut tape3, t2);
                for i15 in 0..t2 {
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t41 = add_usize(t38, i15, "perceptron.rs:44:28");
                    let t42 = *elem(&rows2, t41, "perceptron.rs:44:21");
                    let t43 = (t42 - largest).exp();
                    records4[i15] = t43;
                    sum2 += t43;
                }
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t44 = add_usize(t38, labels[i13], "perceptron.rs:46:46");
                let t45 = *elem(&rows2, t44, "perceptron.rs:46:39");
                records2[i13] = sum2;
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
            for i16 in (0..t3).rev() {
                let t50 = records5[i16];
                // 46: total += sum.ln() + largest - scores[row * classes + labels[row]];
                let t51 = mul_usize(i16, t2, "perceptron.rs:46:39");
                let t52 = add_usize(t51, labels[i16], "perceptron.rs:46:39");
                d76[t52] -= t48;
                let t53 = mul_zero_if::<STRONG>(t48, 1.0 / t50);
                let mut dlargest = t48;
                let records6 = last_records(&tape3, t2);
                for i17 in (0..t2).rev() {
                    let t54 = records6[i17];
                    // 44: sum += (scores[row * classes + class] - largest).exp();
                    let t55 = mul_zero_if::<STRONG>(t53, t54);
                    let t56 = add_usize(t51, i17, "perceptron.rs:44:21");
                    d76[t56] += t55;
                    dlargest -= t55;
                }
                drop_records(&mut tape3, t2);
                let records7 = last_records(&tape2, t49.saturating_sub(1));
                for i18 in (1..t49).rev() {
                    let t57 = records7[i18 - 1];
                    // 40: largest = largest.max(scores[row * classes + class]);
                    let t58 = add_usize(t51, i18, "perceptron.rs:40:23");
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
            let t63 = is_matrix_product(
                [dw2.len(), rows.len(), d76.len()],
                [0, t2],
                [0, 1, t1],
                [0, t2, 1],
                [t1, t2, t23],
            );
            let t64 = is_matrix_product(
                [d63.len(), d76.len(), w2.len()],
                [0, t1],
                [0, t2, 1],
                [0, 1, t2],
                [t23, t1, t2],
            );
            if t63 && t64 {
                add_matrix_product::<STRONG, true>(
                    dw2,
                    [0, t2],
                    &rows,
                    [0, 1, t1],
                    &d76,
                    [0, t2, 1],
                    [t1, t2, t23],
                );
                add_sums_of_products::<STRONG, true>(
                    &mut d63,
                    [0, t1],
                    &d76,
                    [0, t2, 1],
                    w2,
                    [0, 1, t2],
                    [t23, t1, t2],
                    0.0,
                );
            } else {
                for i19 in (0..t23).rev() {
                    for i20 in (0..t1).rev() {
                        let mut d85: f64 = 0.0;
                        for i21 in (0..t2).rev() {
                            // 9: c[row * columns + j] += scale * b[i * columns + j];
                            let t65 = mul_usize(i19, t2, "perceptron.rs:9:17");
                            let t66 = add_usize(t65, i21, "perceptron.rs:9:17");
                            let t67 = d76[t66];
                            let t68 = mul_usize(i20, t2, "perceptron.rs:9:41");
                            let t69 = add_usize(t68, i21, "perceptron.rs:9:41");
                            let t70 = *elem(w2, t69, "perceptron.rs:9:41");
                            let t71 = mul_usize(i19, t1, "perceptron.rs:9:41");
                            let t72 = add_usize(t71, i20, "perceptron.rs:9:41");
                            let t73 = *elem(&rows, t72, "perceptron.rs:9:41");
                            dw2[t69] += mul_zero_if::<STRONG>(t67, t73);
                            d85 += mul_zero_if::<STRONG>(t67, t70);
                        }
                        // 7: let scale = a[row * inner + i];
                        let t74 = mul_usize(i19, t1, "perceptron.rs:7:25");
                        let t75 = add_usize(t74, i20, "perceptron.rs:7:25");
                        d63[t75] += d85;
                    }
                }
            }
            for _ in (0..t3).rev() {
                for i23 in (0..t2).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t76 = d76.len().wrapping_sub(1);
                    let t77 = d76[t76];
                    d76.truncate(t76);
                    db2[i23] += t77;
                }
            }
            let records8 = last_records(&tape, t19);
            let d63_part = long_span_mut(&mut d63, 0, t19);
            if !STRONG && d63_part.len() == t19 {
                for i24 in (0..t19).rev() {
                    let t78 = records8[i24];
                    // 31: *h = h.tanh();
                    let t79 = mul_zero_if::<STRONG>(d63_part[i24], (1.0 - t78) * (1.0 + t78));
                    // 30: for h in hidden.iter_mut() {
                    d63_part[i24] = t79;
                }
            } else {
                // 19: rows.extend_from_slice(row);
                for i25 in (0..t19).rev() {
                    let t80 = records8[i25];
                    // 31: *h = h.tanh();
                    let t81 = mul_zero_if::<STRONG>(d63[i25], (1.0 - t80) * (1.0 + t80));
                    // 30: for h in hidden.iter_mut() {
                    d63[i25] = t81;
                }
            }
            drop_records(&mut tape, t19);
            let t82 = is_matrix_product(
                [dw1.len(), x.len(), d63.len()],
                [0, t1],
                [0, 1, t5],
                [0, t1, 1],
                [t5, t1, t6],
            );
            if t82 {
                add_matrix_product::<STRONG, true>(
                    dw1,
                    [0, t1],
                    x,
                    [0, 1, t5],
                    &d63,
                    [0, t1, 1],
                    [t5, t1, t6],
                );
            } else {
                for i26 in (0..t6).rev() {
                    for i27 in (0..t5).rev() {
                        let t83 = t5.saturating_mul(i26);
                        let x_part = span(x, i27.saturating_add(t83), 1);
                        let dw1_part = long_span_mut(dw1, t1.saturating_mul(i27), t1);
                        let d63_part2 = long_span(&d63, t1.saturating_mul(i26), t1);
                        if !STRONG
                            && x_part.len() == 1
                            && dw1_part.len() == t1
                            && d63_part2.len() == t1
                        {
                            for i28 in (0..t1).rev() {
                                // 9: c[row * columns + j] += scale * b[i * columns + j];
                                let t84 = x_part[0];
                                let t85 =
                                    dw1_part[i28] + mul_zero_if::<STRONG>(d63_part2[i28], t84);
                                dw1_part[i28] = t85;
                            }
                        } else {
                            // 30: for h in hidden.iter_mut() {
                            for i29 in (0..t1).rev() {
                                // 9: c[row * columns + j] += scale * b[i * columns + j];
                                let t86 = mul_usize(i26, t1, "perceptron.rs:9:17");
                                let t87 = add_usize(t86, i29, "perceptron.rs:9:17");
                                let t88 = mul_usize(i26, t5, "perceptron.rs:9:41");
                                let t89 = add_usize(t88, i27, "perceptron.rs:9:41");
                                let t90 = *elem(x, t89, "perceptron.rs:9:41");
                                let t91 = mul_usize(i27, t1, "perceptron.rs:9:49");
                                let t92 = add_usize(t91, i29, "perceptron.rs:9:49");
                                let t93 = dw1[t92] + mul_zero_if::<STRONG>(d63[t87], t90);
                                dw1[t92] = t93;
                            }
                        }
                    }
                }
            }
            for _ in (0..t3).rev() {
                for i31 in (0..t1).rev() {
                    // 19: rows.extend_from_slice(row);
                    let t94 = d63.len().wrapping_sub(1);
                    let t95 = d63[t94];
                    d63.truncate(t94);
                    db1[i31] += t95;
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
        panic!("no memory for {} records", count);
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

/// Whether a kernel adds a product of matrices in lists of these lengths: whether all elements exist, the rows of the first are
/// apart, and there are so many products that it takes less time than loops.
fn is_matrix_product(
    [to, a, b]: [usize; 3],
    [to_first, to_row]: [usize; 2],
    [a_first, a_row, a_column]: [usize; 3],
    [b_first, b_row, b_column]: [usize; 3],
    [rows, columns, inner]: [usize; 3],
) -> bool {
    let exists = |len: usize, first: usize, down: (usize, usize), across: (usize, usize)| {
        let to_last = |(count, distance): (usize, usize)| distance.saturating_mul(count - 1);
        let last = to_last(down).saturating_add(to_last(across));
        last.saturating_add(first) < len
    };
    rows.saturating_mul(columns).saturating_mul(inner) >= 4096
        && to_row >= columns
        && exists(to, to_first, (rows, to_row), (columns, 1))
        && exists(a, a_first, (rows, a_row), (inner, a_column))
        && exists(b, b_first, (inner, b_row), (columns, b_column))
}

/// Adds a product of matrices: `to[i, j] += a[i, k] * b[k, j]`, each element in the order of `k`, which falls if `DOWN`.
///
/// A matrix lies in a list from its first element, with these distances of the next row and of the next column, which is 1 for
/// `to`; `sizes` are the numbers of `i`, `j` and `k`.
fn add_matrix_product<const STRONG: bool, const DOWN: bool>(
    to: &mut [f64],
    [to_first, to_row]: [usize; 2],
    a: &[f64],
    [a_first, a_row, a_column]: [usize; 3],
    b: &[f64],
    [b_first, b_row, b_column]: [usize; 3],
    [rows, columns, inner]: [usize; 3],
) {
    // Tiles of `to` fit into registers, and a panel of `b` into the first cache.
    const TALL: usize = 4;
    const WIDE: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };
    const DEEP: usize = 128;
    let mut panel = [[0.0; WIDE]; DEEP];
    let blocks = inner.div_ceil(DEEP);
    for block in 0..blocks {
        let from = DEEP * if DOWN { blocks - 1 - block } else { block };
        let deep = DEEP.min(inner - from);
        for j in (0..columns).step_by(WIDE) {
            let wide = WIDE.min(columns - j);
            for (k, row) in panel[..deep].iter_mut().enumerate() {
                let b = &b[b_first + (from + k) * b_row + j * b_column..];
                if b_column == 1 {
                    row[..wide].copy_from_slice(&b[..wide]);
                } else {
                    for (j, x) in row[..wide].iter_mut().enumerate() {
                        *x = b[j * b_column];
                    }
                }
            }
            let (panel, a_at) = (&panel[..deep], [a_row, a_column]);
            let mut i = 0;
            while i < rows {
                let tall = if i + TALL <= rows { TALL } else { 1 };
                let to = &mut to[to_first + i * to_row + j..];
                let a = &a[a_first + i * a_row + from * a_column..];
                if tall == TALL && wide == WIDE {
                    add_tile::<STRONG, DOWN, TALL, WIDE>(to, to_row, a, a_at, panel);
                } else {
                    let mut tile = [0.0; TALL * WIDE];
                    for (row, tile) in tile.chunks_mut(WIDE).take(tall).enumerate() {
                        tile[..wide].copy_from_slice(&to[row * to_row..][..wide]);
                    }
                    if tall == TALL {
                        add_tile::<STRONG, DOWN, TALL, WIDE>(&mut tile, WIDE, a, a_at, panel);
                    } else {
                        add_tile::<STRONG, DOWN, 1, WIDE>(&mut tile, WIDE, a, a_at, panel);
                    }
                    for (row, tile) in tile.chunks(WIDE).take(tall).enumerate() {
                        to[row * to_row..][..wide].copy_from_slice(&tile[..wide]);
                    }
                }
                i += tall;
            }
        }
    }
}

/// As `add_matrix_product`, but sums begin with `first`, and are added when they are complete.
#[allow(clippy::too_many_arguments)]
fn add_sums_of_products<const STRONG: bool, const DOWN: bool>(
    to: &mut [f64],
    [to_first, to_row]: [usize; 2],
    a: &[f64],
    a_at: [usize; 3],
    b: &[f64],
    b_at: [usize; 3],
    [rows, columns, inner]: [usize; 3],
    first: f64,
) {
    let mut sums = vec![first; rows * columns];
    let sizes = [rows, columns, inner];
    add_matrix_product::<STRONG, DOWN>(&mut sums, [0, columns], a, a_at, b, b_at, sizes);
    for (row, sums) in sums.chunks(columns).enumerate() {
        let to = &mut to[to_first + row * to_row..][..columns];
        for (to, sum) in to.iter_mut().zip(sums) {
            *to += sum;
        }
    }
}

/// Adds to a tile of `to`, which is in registers meanwhile.
#[inline]
fn add_tile<const STRONG: bool, const DOWN: bool, const TALL: usize, const WIDE: usize>(
    to: &mut [f64],
    to_row: usize,
    a: &[f64],
    [a_row, a_column]: [usize; 2],
    panel: &[[f64; WIDE]],
) {
    let mut sums = [[0.0; WIDE]; TALL];
    for (row, sums) in sums.iter_mut().enumerate() {
        sums.copy_from_slice(&to[row * to_row..][..WIDE]);
    }
    for k in 0..panel.len() {
        let k = if DOWN { panel.len() - 1 - k } else { k };
        for (row, sums) in sums.iter_mut().enumerate() {
            let factor = a[row * a_row + k * a_column];
            for (sum, b) in sums.iter_mut().zip(&panel[k]) {
                *sum += mul_zero_if::<STRONG>(factor, *b);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        to[row * to_row..][..WIDE].copy_from_slice(sums);
    }
}

/// Panics with the message of the program that this was made from, and the place there.
#[cold]
fn fail(message: &str, at: &str) -> ! {
    panic!("{message}, {}", at)
}

#[cold]
fn out_of_bounds(len: usize, i: usize, at: &str) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {i}, {}", at)
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
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
