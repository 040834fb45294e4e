/// The value and the gradient of `mixture`.
pub fn mixture_value_and_gradient(
    params: &[f64],
    x: &[f64],
    d: usize,
    k: usize,
    gamma: f64,
    m: f64,
) -> (f64, Vec<f64>) {
    let (t1, t2) = mixture(params, x, d, k, gamma, m);
    (t1, t2.0)
}

#[allow(
    clippy::explicit_counter_loop,
    clippy::manual_range_contains,
    clippy::needless_late_init,
    clippy::needless_range_loop,
    clippy::neg_multiply
)]
fn mixture(
    params: &[f64],
    x: &[f64],
    d: usize,
    k: usize,
    gamma: f64,
    m: f64,
) -> (f64, (Vec<f64>,)) {
    let mut tape: Vec<f64> = Vec::new();
    let mut tape2: Vec<(usize, f64)> = Vec::new();
    let mut tape3: Vec<f64> = Vec::new();
    let mut tape4: Vec<f64> = Vec::new();
    let mut tape5: Vec<(usize, f64)> = Vec::new();
    let mut tape6: Vec<f64> = Vec::new();
    let mut tape7: Vec<u8> = Vec::new();
    let mut tape8: Vec<u8> = Vec::new();
    let mut tape9: Vec<usize> = Vec::new();
    let t1 = params.len();
    let mut dparams = vec![0.0; t1];
    // 6: let n = x.len() / d;
    let t2 = div_usize(x.len(), d, "mixture.rs:6:13");
    // 7: let (weights, rest) = params.split_at(k);
    if k > t1 {
        fail("mid > len", "mixture.rs:7:27");
    }
    let t3 = part(params, 0, k, "mixture.rs:7:27");
    let t4 = part(params, k, t1, "mixture.rs:7:27");
    // 8: let (means, factors) = rest.split_at(k * d);
    let t5 = mul_usize(k, d, "mixture.rs:8:42");
    let t6 = t4.len();
    if t5 > t6 {
        fail("mid > len", "mixture.rs:8:28");
    }
    let t7 = part(t4, 0, t5, "mixture.rs:8:28");
    let t8 = part(t4, t5, t6, "mixture.rs:8:28");
    // 9: let size = d * (d + 1) / 2;
    let t9 = add_usize(d, 1, "mixture.rs:9:21");
    let t10 = mul_usize(d, t9, "mixture.rs:9:16");
    let t11 = t10 / 2;
    // 10: let mut diagonals = vec![0.0; k * d];
    let mut diagonals = vec![0.0; t5];
    // 11: let mut logs = vec![0.0; k];
    let mut logs = vec![0.0; k];
    // 12: for j in 0..k {
    let mut t12: usize = 0;
    while t12 < k {
        let t13 = t12 + 1;
        // 13: for a in 0..d {
        for i in 0..d {
            // 14: let q = factors[j * size + a];
            let t14 = mul_usize(t12, t11, "mixture.rs:14:29");
            let t15 = add_usize(t14, i, "mixture.rs:14:29");
            let t16 = *elem(t8, t15, "mixture.rs:14:21");
            // 15: logs[j] += q;
            logs[t12] += t16;
            // 16: diagonals[j * d + a] = q.exp();
            let t17 = t16.exp();
            let t18 = mul_usize(t12, d, "mixture.rs:16:23");
            let t19 = add_usize(t18, i, "mixture.rs:16:23");
            *elem_mut(&mut diagonals, t19, "mixture.rs:16:13") = t17;
            tape.push(t17);
        }
        // 13: for a in 0..d {
        t12 = t13;
    }
    // 19: let mut centred = vec![0.0; d];
    let mut centred = vec![0.0; d];
    // 20: let mut product = vec![0.0; d];
    let mut product = vec![0.0; d];
    // 21: let mut terms = vec![0.0; k];
    let mut terms = vec![0.0; k];
    // 23: for i in 0..n {
    let mut t20: usize = 0;
    let mut total: f64 = 0.0;
    while t20 < t2 {
        let t21 = t20 + 1;
        // 24: for j in 0..k {
        for i2 in 0..k {
            // 25: for a in 0..d {
            let x_part = span(x, d.saturating_mul(t20), d);
            let part2 = span(t7, d.saturating_mul(i2), d);
            let centred_part = span_mut(&mut centred, 0, d);
            let diagonals_part = span(&diagonals, d.saturating_mul(i2), d);
            let product_part = span_mut(&mut product, 0, d);
            if x_part.len() == d
                && part2.len() == d
                && centred_part.len() == d
                && diagonals_part.len() == d
                && product_part.len() == d
            {
                for i3 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t22 = x_part[i3];
                    let t23 = part2[i3];
                    let t24 = t22 - t23;
                    centred_part[i3] = t24;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t25 = diagonals_part[i3];
                    product_part[i3] = t25 * t24;
                }
            } else {
                // 25: for a in 0..d {
                for i4 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t26 = mul_usize(t20, d, "mixture.rs:26:32");
                    let t27 = add_usize(t26, i4, "mixture.rs:26:32");
                    let t28 = *elem(x, t27, "mixture.rs:26:30");
                    let t29 = mul_usize(i2, d, "mixture.rs:26:51");
                    let t30 = add_usize(t29, i4, "mixture.rs:26:51");
                    let t31 = *elem(t7, t30, "mixture.rs:26:45");
                    let t32 = t28 - t31;
                    centred[i4] = t32;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t33 = *elem(&diagonals, t30, "mixture.rs:27:30");
                    product[i4] = t33 * t32;
                }
            }
            // 29: let mut next = j * size + d;
            let t34 = mul_usize(i2, t11, "mixture.rs:29:28");
            let mut next = add_usize(t34, d, "mixture.rs:29:28");
            // 30: for a in 0..d {
            for i5 in 0..d {
                // 32: product[b] += factors[next] * centred[a];
                let t35 = centred[i5];
                tape2.push((next, t35));
                // 31: for b in a + 1..d {
                let t36 = i5 + 1;
                for i6 in t36..d {
                    // 32: product[b] += factors[next] * centred[a];
                    let t37 = *elem(t8, next, "mixture.rs:32:35");
                    product[i6] += t37 * t35;
                    // 33: next += 1;
                    next = add_usize(next, 1, "mixture.rs:33:21");
                }
            }
            // 30: for a in 0..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            for i7 in 0..d {
                // 38: length += product[a] * product[a];
                let t38 = product[i7];
                tape3.push(t38);
                length += t38 * t38;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t39 = *elem(t3, i2, "mixture.rs:40:24");
            let t40 = t39 + logs[i2] - 0.5 * length;
            terms[i2] = t40;
        }
        // 59: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture.rs:59:23");
        // 60: for t in terms {
        let t41 = terms.len();
        let mut t42: usize = 0;
        while t42 < t41 {
            let t43 = t42 + 1;
            let mut t44 = terms[t42];
            // 61: if *t > largest {
            let t45: u8 = if t44 > largest {
                0
            } else {
                t44 = largest;
                1
            };
            tape8.push(t45);
            // 60: for t in terms {
            t42 = t43;
            largest = t44;
        }
        tape9.push(t42);
        // 66: for t in terms {
        let mut t46: usize = 0;
        let mut sum2: f64 = 0.0;
        while t46 < t41 {
            // 67: sum += (t - largest).exp();
            let t47 = (terms[t46] - largest).exp();
            tape4.push(t47);
            t46 += 1;
            sum2 += t47;
        }
        // 42: total += log_sum_exp(&terms);
        tape5.push((t46, sum2));
        t20 = t21;
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t48 = t2 as f64;
    // 59: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture.rs:59:23");
    // 60: for t in terms {
    let t49 = t3.len();
    let mut t50: usize = 0;
    while t50 < t49 {
        let t51 = t50 + 1;
        let mut t52 = params[t50];
        // 61: if *t > largest {
        let t53: u8 = if t52 > largest2 {
            0
        } else {
            t52 = largest2;
            1
        };
        tape7.push(t53);
        // 60: for t in terms {
        t50 = t51;
        largest2 = t52;
    }
    let mut t54: usize = 0;
    let mut sum3: f64 = 0.0;
    // 66: for t in terms {
    while t54 < t49 {
        // 67: sum += (t - largest).exp();
        let t55 = (params[t54] - largest2).exp();
        tape6.push(t55);
        t54 += 1;
        sum3 += t55;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t56 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut t57: usize = 0;
    let mut total2 = total - t48 * (sum3.ln() + largest2);
    while t57 < k {
        let t58 = t57 + 1;
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i8 in 0..d {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t59 = mul_usize(t57, d, "mixture.rs:48:34");
            let t60 = add_usize(t59, i8, "mixture.rs:48:34");
            let t61 = *elem(&diagonals, t60, "mixture.rs:48:24");
            squares += t61 * t61;
        }
        // 50: for a in d..size {
        for i9 in d..t11 {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t62 = mul_usize(t57, t11, "mixture.rs:51:32");
            let t63 = add_usize(t62, i9, "mixture.rs:51:32");
            let t64 = *elem(t8, t63, "mixture.rs:51:24");
            squares += t64 * t64;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t56 * squares - m * logs[t57];
        t57 = t58;
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t65 = -1.0 * m;
    let t66 = if d < t11 { t11 } else { d };
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t67 = k.wrapping_add(t5);
    for i10 in (0..t57).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i10] += t65;
        let mut t68 = t66;
        while t68 != d {
            t68 = t68.wrapping_sub(1);
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t69 = mul_usize(i10, t11, "mixture.rs:51:24");
            let t70 = add_usize(t69, t68, "mixture.rs:51:24");
            let t71 = *elem(t8, t70, "mixture.rs:51:24");
            let t72 = mul_zero(t56, t71);
            let t73 = t67.wrapping_add(t70);
            dparams[t73] += t72 + t72;
        }
        let diagonals_part2 = span(&diagonals, d.saturating_mul(i10), d);
        let ddiagonals_part = span_mut(&mut ddiagonals, d.saturating_mul(i10), d);
        if diagonals_part2.len() == d && ddiagonals_part.len() == d {
            if t56.is_finite() && t56 != 0.0 {
                for i11 in (0..d).rev() {
                    // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                    let t74 = diagonals_part2[i11];
                    let t75 = t56 * t74;
                    ddiagonals_part[i11] += t75 + t75;
                }
            } else {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                for i11 in (0..d).rev() {
                    // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                    let t74 = diagonals_part2[i11];
                    let t75 = mul_zero(t56, t74);
                    ddiagonals_part[i11] += t75 + t75;
                }
            }
        } else {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            for i12 in (0..d).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t76 = mul_usize(i10, d, "mixture.rs:48:24");
                let t77 = add_usize(t76, i12, "mixture.rs:48:24");
                let t78 = *elem(&diagonals, t77, "mixture.rs:48:24");
                let t79 = mul_zero(t56, t78);
                ddiagonals[t77] += t79 + t79;
            }
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t48;
    // 69: sum.ln() + largest
    let t80 = mul_zero(dlargest, 1.0 / sum3);
    for i13 in (0..t54).rev() {
        let t81 = tape6.pop().expect("a record of each round");
        // 67: sum += (t - largest).exp();
        let t82 = mul_zero(t80, t81);
        // 66: for t in terms {
        dparams[i13] += t82;
        dlargest -= t82;
    }
    for i14 in (0..t50).rev() {
        let t83 = tape7.pop().expect("a record of each round");
        let dlargest2: f64;
        match t83 {
            0 => {
                dlargest2 = 0.0;
            }
            _ => {
                dlargest2 = dlargest;
                dlargest = 0.0;
            }
        }
        // 60: for t in terms {
        dparams[i14] += dlargest;
        dlargest = dlargest2;
    }
    // 59: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = vec![0.0; d];
    let mut dproduct = vec![0.0; d];
    for i15 in (0..t20).rev() {
        let t84 = tape5.pop().expect("a record of each round");
        // 69: sum.ln() + largest
        let t85 = 1.0 / t84.1;
        let t86 = t84.0;
        let mut dlargest3: f64 = 1.0;
        for i16 in (0..t86).rev() {
            let t87 = tape4.pop().expect("a record of each round");
            // 67: sum += (t - largest).exp();
            let t88 = mul_zero(t85, t87);
            // 66: for t in terms {
            dterms[i16] += t88;
            dlargest3 -= t88;
        }
        let t89 = tape9.pop().expect("a record of each round");
        for i17 in (0..t89).rev() {
            let t90 = tape8.pop().expect("a record of each round");
            let dlargest4: f64;
            match t90 {
                0 => {
                    dlargest4 = 0.0;
                }
                _ => {
                    dlargest4 = dlargest3;
                    dlargest3 = 0.0;
                }
            }
            // 60: for t in terms {
            dterms[i17] += dlargest3;
            dlargest3 = dlargest4;
        }
        // 59: let mut largest = terms[0];
        dterms[0] += dlargest3;
        for i18 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t91 = dterms[i18];
            let t92 = -t91 * 0.5;
            dlogs[i18] += t91;
            dparams[i18] += t91;
            dterms[i18] = 0.0;
            for i19 in (0..d).rev() {
                let t93 = tape3.pop().expect("a record of each round");
                // 38: length += product[a] * product[a];
                let t94 = mul_zero(t92, t93);
                dproduct[i19] += t94 + t94;
            }
            for i20 in (0..d).rev() {
                let t95 = i20 + 1;
                let t96 = tape2[tape2.len() - 1];
                let t97 = t96.0;
                let t98 = tape2[tape2.len() - 1];
                let t99 = t98.1;
                let mut t100 = if t95 < d { d } else { t95 };
                let mut d128: f64 = 0.0;
                while t100 != t95 {
                    t100 = t100.wrapping_sub(1);
                    // 32: product[b] += factors[next] * centred[a];
                    let t101 = dproduct[t100];
                    let t102 = t97.wrapping_add(t100.wrapping_sub(t95));
                    let t103 = *elem(t8, t102, "mixture.rs:32:35");
                    let t104 = t67.wrapping_add(t102);
                    dparams[t104] += mul_zero(t101, t99);
                    d128 += mul_zero(t101, t103);
                }
                tape2.pop();
                dcentred[i20] += d128;
            }
            for i21 in (0..d).rev() {
                // 27: product[a] = diagonals[j * d + a] * centred[a];
                let t105 = dproduct[i21];
                let t106 = mul_usize(i15, d, "mixture.rs:27:30");
                let t107 = add_usize(t106, i21, "mixture.rs:27:30");
                let t108 = *elem(x, t107, "mixture.rs:27:30");
                let t109 = mul_usize(i18, d, "mixture.rs:27:30");
                let t110 = add_usize(t109, i21, "mixture.rs:27:30");
                let t111 = *elem(t7, t110, "mixture.rs:27:30");
                let t112 = *elem(&diagonals, t110, "mixture.rs:27:30");
                let t113 = ddiagonals[t110] + mul_zero(t105, t108 - t111);
                ddiagonals[t110] = t113;
                // 26: centred[a] = x[i * d + a] - means[j * d + a];
                let t114 = k.wrapping_add(t110);
                let t115 = mul_zero(t105, t112) + dcentred[i21];
                dparams[t114] -= t115;
                dcentred[i21] = 0.0;
                dproduct[i21] = 0.0;
            }
        }
    }
    for i22 in (0..t12).rev() {
        // 15: logs[j] += q;
        let t116 = dlogs[i22];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        for i23 in (0..d).rev() {
            let t117 = tape.pop().expect("a record of each round");
            // 16: diagonals[j * d + a] = q.exp();
            let t118 = mul_usize(i22, d, "mixture.rs:16:13");
            let t119 = add_usize(t118, i23, "mixture.rs:16:13");
            // 14: let q = factors[j * size + a];
            let t120 = mul_usize(i22, t11, "mixture.rs:14:21");
            let t121 = add_usize(t120, i23, "mixture.rs:14:21");
            let t122 = t67.wrapping_add(t121);
            let t123 = mul_zero(ddiagonals[t119], t117) + t116;
            dparams[t122] += t123;
            ddiagonals[t119] = 0.0;
        }
    }
    (total2, (dparams,))
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

/// An element to be changed, by an index that may be out of bounds.
#[inline]
fn elem_mut<'a, T>(values: &'a mut [T], i: usize, at: &str) -> &'a mut T {
    let len = values.len();
    match values.get_mut(i) {
        Some(value) => value,
        None => out_of_bounds(len, i, at),
    }
}

/// The elements from one index up to another, which may be out of bounds.
fn part<'a, T>(values: &'a [T], from: usize, to: usize, at: &str) -> &'a [T] {
    let len = values.len();
    if from > len {
        panic!("range start index {from} out of range for slice of length {len}, {at}")
    }
    if to > len {
        panic!("range end index {to} out of range for slice of length {len}, {at}")
    }
    if from > to {
        panic!("slice index starts at {from} but ends at {to}, {at}")
    }
    &values[from..to]
}
