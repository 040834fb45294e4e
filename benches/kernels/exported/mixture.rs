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
            for i3 in 0..d {
                // 26: centred[a] = x[i * d + a] - means[j * d + a];
                let t22 = mul_usize(t20, d, "mixture.rs:26:32");
                let t23 = add_usize(t22, i3, "mixture.rs:26:32");
                let t24 = *elem(x, t23, "mixture.rs:26:30");
                let t25 = mul_usize(i2, d, "mixture.rs:26:51");
                let t26 = add_usize(t25, i3, "mixture.rs:26:51");
                let t27 = *elem(t7, t26, "mixture.rs:26:45");
                let t28 = t24 - t27;
                centred[i3] = t28;
                // 27: product[a] = diagonals[j * d + a] * centred[a];
                let t29 = *elem(&diagonals, t26, "mixture.rs:27:30");
                product[i3] = t29 * t28;
            }
            // 29: let mut next = j * size + d;
            let t30 = mul_usize(i2, t11, "mixture.rs:29:28");
            let mut next = add_usize(t30, d, "mixture.rs:29:28");
            // 30: for a in 0..d {
            for i4 in 0..d {
                // 32: product[b] += factors[next] * centred[a];
                let t31 = centred[i4];
                tape2.push((next, t31));
                // 31: for b in a + 1..d {
                let t32 = i4 + 1;
                for i5 in t32..d {
                    // 32: product[b] += factors[next] * centred[a];
                    let t33 = *elem(t8, next, "mixture.rs:32:35");
                    product[i5] += t33 * t31;
                    // 33: next += 1;
                    next = add_usize(next, 1, "mixture.rs:33:21");
                }
            }
            // 30: for a in 0..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            for i6 in 0..d {
                // 38: length += product[a] * product[a];
                let t34 = product[i6];
                tape3.push(t34);
                length += t34 * t34;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t35 = *elem(t3, i2, "mixture.rs:40:24");
            let t36 = t35 + logs[i2] - 0.5 * length;
            terms[i2] = t36;
        }
        // 59: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture.rs:59:23");
        // 60: for t in terms {
        let t37 = terms.len();
        let mut t38: usize = 0;
        while t38 < t37 {
            let t39 = t38 + 1;
            let mut t40 = terms[t38];
            // 61: if *t > largest {
            let t41: u8 = if t40 > largest {
                0
            } else {
                t40 = largest;
                1
            };
            tape8.push(t41);
            // 60: for t in terms {
            t38 = t39;
            largest = t40;
        }
        tape9.push(t38);
        // 66: for t in terms {
        let mut t42: usize = 0;
        let mut sum2: f64 = 0.0;
        while t42 < t37 {
            // 67: sum += (t - largest).exp();
            let t43 = (terms[t42] - largest).exp();
            tape4.push(t43);
            t42 += 1;
            sum2 += t43;
        }
        // 42: total += log_sum_exp(&terms);
        tape5.push((t42, sum2));
        t20 = t21;
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t44 = t2 as f64;
    // 59: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture.rs:59:23");
    // 60: for t in terms {
    let t45 = t3.len();
    let mut t46: usize = 0;
    while t46 < t45 {
        let t47 = t46 + 1;
        let mut t48 = params[t46];
        // 61: if *t > largest {
        let t49: u8 = if t48 > largest2 {
            0
        } else {
            t48 = largest2;
            1
        };
        tape7.push(t49);
        // 60: for t in terms {
        t46 = t47;
        largest2 = t48;
    }
    let mut t50: usize = 0;
    let mut sum3: f64 = 0.0;
    // 66: for t in terms {
    while t50 < t45 {
        // 67: sum += (t - largest).exp();
        let t51 = (params[t50] - largest2).exp();
        tape6.push(t51);
        t50 += 1;
        sum3 += t51;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t52 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut t53: usize = 0;
    let mut total2 = total - t44 * (sum3.ln() + largest2);
    while t53 < k {
        let t54 = t53 + 1;
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i7 in 0..d {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t55 = mul_usize(t53, d, "mixture.rs:48:34");
            let t56 = add_usize(t55, i7, "mixture.rs:48:34");
            let t57 = *elem(&diagonals, t56, "mixture.rs:48:24");
            squares += t57 * t57;
        }
        // 50: for a in d..size {
        for i8 in d..t11 {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t58 = mul_usize(t53, t11, "mixture.rs:51:32");
            let t59 = add_usize(t58, i8, "mixture.rs:51:32");
            let t60 = *elem(t8, t59, "mixture.rs:51:24");
            squares += t60 * t60;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t52 * squares - m * logs[t53];
        t53 = t54;
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t61 = -1.0 * m;
    let t62 = if d < t11 { t11 } else { d };
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t63 = k.wrapping_add(t5);
    for i9 in (0..t53).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i9] += t61;
        let mut t64 = t62;
        while t64 != d {
            t64 = t64.wrapping_sub(1);
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t65 = mul_usize(i9, t11, "mixture.rs:51:24");
            let t66 = add_usize(t65, t64, "mixture.rs:51:24");
            let t67 = *elem(t8, t66, "mixture.rs:51:24");
            let t68 = mul_zero(t52, t67);
            let t69 = t63.wrapping_add(t66);
            dparams[t69] += t68 + t68;
        }
        for i10 in (0..d).rev() {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t70 = mul_usize(i9, d, "mixture.rs:48:24");
            let t71 = add_usize(t70, i10, "mixture.rs:48:24");
            let t72 = *elem(&diagonals, t71, "mixture.rs:48:24");
            let t73 = mul_zero(t52, t72);
            ddiagonals[t71] += t73 + t73;
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t44;
    // 69: sum.ln() + largest
    let t74 = mul_zero(dlargest, 1.0 / sum3);
    for i11 in (0..t50).rev() {
        let t75 = tape6.pop().expect("a record of each round");
        // 67: sum += (t - largest).exp();
        let t76 = mul_zero(t74, t75);
        // 66: for t in terms {
        dparams[i11] += t76;
        dlargest -= t76;
    }
    for i12 in (0..t46).rev() {
        let t77 = tape7.pop().expect("a record of each round");
        let dlargest2: f64;
        match t77 {
            0 => {
                dlargest2 = 0.0;
            }
            _ => {
                dlargest2 = dlargest;
                dlargest = 0.0;
            }
        }
        // 60: for t in terms {
        dparams[i12] += dlargest;
        dlargest = dlargest2;
    }
    // 59: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = vec![0.0; d];
    let mut dproduct = vec![0.0; d];
    for i13 in (0..t20).rev() {
        let t78 = tape5.pop().expect("a record of each round");
        // 69: sum.ln() + largest
        let t79 = 1.0 / t78.1;
        let t80 = t78.0;
        let mut dlargest3: f64 = 1.0;
        for i14 in (0..t80).rev() {
            let t81 = tape4.pop().expect("a record of each round");
            // 67: sum += (t - largest).exp();
            let t82 = mul_zero(t79, t81);
            // 66: for t in terms {
            dterms[i14] += t82;
            dlargest3 -= t82;
        }
        let t83 = tape9.pop().expect("a record of each round");
        for i15 in (0..t83).rev() {
            let t84 = tape8.pop().expect("a record of each round");
            let dlargest4: f64;
            match t84 {
                0 => {
                    dlargest4 = 0.0;
                }
                _ => {
                    dlargest4 = dlargest3;
                    dlargest3 = 0.0;
                }
            }
            // 60: for t in terms {
            dterms[i15] += dlargest3;
            dlargest3 = dlargest4;
        }
        // 59: let mut largest = terms[0];
        dterms[0] += dlargest3;
        for i16 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t85 = dterms[i16];
            let t86 = -t85 * 0.5;
            dlogs[i16] += t85;
            dparams[i16] += t85;
            dterms[i16] = 0.0;
            for i17 in (0..d).rev() {
                let t87 = tape3.pop().expect("a record of each round");
                // 38: length += product[a] * product[a];
                let t88 = mul_zero(t86, t87);
                dproduct[i17] += t88 + t88;
            }
            for i18 in (0..d).rev() {
                let t89 = i18 + 1;
                let t90 = tape2[tape2.len() - 1];
                let t91 = t90.0;
                let t92 = tape2[tape2.len() - 1];
                let t93 = t92.1;
                let mut t94 = if t89 < d { d } else { t89 };
                let mut d128: f64 = 0.0;
                while t94 != t89 {
                    t94 = t94.wrapping_sub(1);
                    // 32: product[b] += factors[next] * centred[a];
                    let t95 = dproduct[t94];
                    let t96 = t91.wrapping_add(t94.wrapping_sub(t89));
                    let t97 = *elem(t8, t96, "mixture.rs:32:35");
                    let t98 = t63.wrapping_add(t96);
                    dparams[t98] += mul_zero(t95, t93);
                    d128 += mul_zero(t95, t97);
                }
                tape2.pop();
                dcentred[i18] += d128;
            }
            for i19 in (0..d).rev() {
                // 27: product[a] = diagonals[j * d + a] * centred[a];
                let t99 = dproduct[i19];
                let t100 = mul_usize(i13, d, "mixture.rs:27:30");
                let t101 = add_usize(t100, i19, "mixture.rs:27:30");
                let t102 = *elem(x, t101, "mixture.rs:27:30");
                let t103 = mul_usize(i16, d, "mixture.rs:27:30");
                let t104 = add_usize(t103, i19, "mixture.rs:27:30");
                let t105 = *elem(t7, t104, "mixture.rs:27:30");
                let t106 = *elem(&diagonals, t104, "mixture.rs:27:30");
                let t107 = ddiagonals[t104] + mul_zero(t99, t102 - t105);
                ddiagonals[t104] = t107;
                // 26: centred[a] = x[i * d + a] - means[j * d + a];
                let t108 = k.wrapping_add(t104);
                let t109 = mul_zero(t99, t106) + dcentred[i19];
                dparams[t108] -= t109;
                dcentred[i19] = 0.0;
                dproduct[i19] = 0.0;
            }
        }
    }
    for i20 in (0..t12).rev() {
        // 15: logs[j] += q;
        let t110 = dlogs[i20];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        for i21 in (0..d).rev() {
            let t111 = tape.pop().expect("a record of each round");
            // 16: diagonals[j * d + a] = q.exp();
            let t112 = mul_usize(i20, d, "mixture.rs:16:13");
            let t113 = add_usize(t112, i21, "mixture.rs:16:13");
            // 14: let q = factors[j * size + a];
            let t114 = mul_usize(i20, t11, "mixture.rs:14:21");
            let t115 = add_usize(t114, i21, "mixture.rs:14:21");
            let t116 = t63.wrapping_add(t115);
            let t117 = mul_zero(ddiagonals[t113], t111) + t110;
            dparams[t116] += t117;
            ddiagonals[t113] = 0.0;
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
