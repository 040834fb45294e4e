/// The value and the gradient of `mixture`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn mixture_value_and_gradient_into(
    params: &[f64],
    x: &[f64],
    d: usize,
    k: usize,
    gamma: f64,
    m: f64,
    dparams: &mut [f64],
) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = mixture_value_and_gradient_into_by::<false>(params, x, d, k, gamma, m, dparams);
    if any_nan(dparams) {
        mixture_value_and_gradient_into_by::<true>(params, x, d, k, gamma, m, dparams)
    } else {
        found
    }
}

#[allow(
    clippy::explicit_counter_loop,
    clippy::manual_range_contains,
    clippy::needless_late_init,
    clippy::needless_range_loop,
    clippy::neg_multiply
)]
fn mixture_value_and_gradient_into_by<const STRONG: bool>(
    params: &[f64],
    x: &[f64],
    d: usize,
    k: usize,
    gamma: f64,
    m: f64,
    dparams: &mut [f64],
) -> f64 {
    let mut tape: Vec<f64> = Vec::new();
    let mut tape2: Vec<(usize, f64)> = Vec::new();
    let mut tape3: Vec<f64> = Vec::new();
    let mut tape4: Vec<f64> = Vec::new();
    let mut tape5: Vec<bool> = Vec::new();
    let t1 = params.len();
    zero(dparams, t1, "mixture.rs:5:8");
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
    make_room(&mut tape, k.saturating_mul(d));
    for i in 0..k {
        // 13: for a in 0..d {
        let records = new_records(&mut tape, d);
        let part2 = long_span(t8, t11.saturating_mul(i), d);
        let logs_part = span_mut(&mut logs, i, 1);
        let diagonals_part = long_span_mut(&mut diagonals, d.saturating_mul(i), d);
        if !STRONG && part2.len() == d && logs_part.len() == 1 && diagonals_part.len() == d {
            for i2 in 0..d {
                // 14: let q = factors[j * size + a];
                let t12 = part2[i2];
                // 15: logs[j] += q;
                logs_part[0] += t12;
                // 16: diagonals[j * d + a] = q.exp();
                let t13 = t12.exp();
                diagonals_part[i2] = t13;
                records[i2] = t13;
            }
        } else {
            // 13: for a in 0..d {
            for i3 in 0..d {
                // 14: let q = factors[j * size + a];
                let t14 = mul_usize(i, t11, "mixture.rs:14:29");
                let t15 = add_usize(t14, i3, "mixture.rs:14:29");
                let t16 = *elem(t8, t15, "mixture.rs:14:21");
                // 15: logs[j] += q;
                logs[i] += t16;
                // 16: diagonals[j * d + a] = q.exp();
                let t17 = t16.exp();
                let t18 = mul_usize(i, d, "mixture.rs:16:23");
                let t19 = add_usize(t18, i3, "mixture.rs:16:23");
                *elem_mut(&mut diagonals, t19, "mixture.rs:16:13") = t17;
                records[i3] = t17;
            }
        }
    }
    // 19: let mut centred = vec![0.0; d];
    let mut centred = vec![0.0; d];
    // 20: let mut product = vec![0.0; d];
    let mut product = vec![0.0; d];
    // 21: let mut terms = vec![0.0; k];
    let mut terms = vec![0.0; k];
    // 23: for i in 0..n {
    let mut total: f64 = 0.0;
    make_room(&mut tape2, t2.saturating_mul(k).saturating_mul(d));
    make_room(&mut tape3, t2.saturating_mul(k).saturating_mul(d));
    let mut tape6 = vec![0_usize; t2];
    let mut tape7 = vec![(0_usize, 0.0); t2];
    for i4 in 0..t2 {
        // 24: for j in 0..k {
        for i5 in 0..k {
            // 25: for a in 0..d {
            let x_part = long_span(x, d.saturating_mul(i4), d);
            let part3 = long_span(t7, d.saturating_mul(i5), d);
            let centred_part = long_span_mut(&mut centred, 0, d);
            let diagonals_part2 = long_span(&diagonals, d.saturating_mul(i5), d);
            let product_part = long_span_mut(&mut product, 0, d);
            if !STRONG
                && x_part.len() == d
                && part3.len() == d
                && centred_part.len() == d
                && diagonals_part2.len() == d
                && product_part.len() == d
            {
                for i6 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t20 = x_part[i6];
                    let t21 = part3[i6];
                    let t22 = t20 - t21;
                    centred_part[i6] = t22;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t23 = diagonals_part2[i6];
                    product_part[i6] = t23 * t22;
                }
            } else {
                // 25: for a in 0..d {
                for i7 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t24 = mul_usize(i4, d, "mixture.rs:26:32");
                    let t25 = add_usize(t24, i7, "mixture.rs:26:32");
                    let t26 = *elem(x, t25, "mixture.rs:26:30");
                    let t27 = mul_usize(i5, d, "mixture.rs:26:51");
                    let t28 = add_usize(t27, i7, "mixture.rs:26:51");
                    let t29 = *elem(t7, t28, "mixture.rs:26:45");
                    let t30 = t26 - t29;
                    centred[i7] = t30;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t31 = *elem(&diagonals, t28, "mixture.rs:27:30");
                    product[i7] = t31 * t30;
                }
            }
            // 29: let mut next = j * size + d;
            let t32 = mul_usize(i5, t11, "mixture.rs:29:28");
            let mut next = add_usize(t32, d, "mixture.rs:29:28");
            // 30: for a in 0..d {
            let records2 = new_records(&mut tape2, d);
            for i8 in 0..d {
                // 32: product[b] += factors[next] * centred[a];
                let t33 = centred[i8];
                records2[i8] = (next, t33);
                // 31: for b in a + 1..d {
                let t34 = i8 + 1;
                for i9 in t34..d {
                    // 32: product[b] += factors[next] * centred[a];
                    let t35 = *elem(t8, next, "mixture.rs:32:35");
                    product[i9] += t35 * t33;
                    // 33: next += 1;
                    next = add_usize(next, 1, "mixture.rs:33:21");
                }
            }
            // 30: for a in 0..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            let records3 = new_records(&mut tape3, d);
            for i10 in 0..d {
                // 38: length += product[a] * product[a];
                let t36 = product[i10];
                records3[i10] = t36;
                length += t36 * t36;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t37 = *elem(t3, i5, "mixture.rs:40:24");
            let t38 = t37 + logs[i5] - 0.5 * length;
            terms[i5] = t38;
        }
        // 64: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture.rs:64:23");
        // 65: for t in terms {
        let t39 = terms.len();
        let records4 = new_records(&mut tape5, t39);
        for i11 in 0..t39 {
            let mut t40 = terms[i11];
            // 66: if *t > largest {
            let t41 = t40 > largest;
            if !t41 {
                t40 = largest;
            }
            records4[i11] = t41;
            // 65: for t in terms {
            largest = t40;
        }
        tape6[i4] = t39;
        // 71: for t in terms {
        let mut sum2: f64 = 0.0;
        let records5 = new_records(&mut tape4, t39);
        for i12 in 0..t39 {
            // 72: sum += (t - largest).exp();
            let t42 = (terms[i12] - largest).exp();
            records5[i12] = t42;
            sum2 += t42;
        }
        // 42: total += log_sum_exp(&terms);
        tape7[i4] = (t39, sum2);
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t43 = t2 as f64;
    // 64: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture.rs:64:23");
    // 65: for t in terms {
    let t44 = t3.len();
    let mut tape8 = vec![false; t44];
    for i13 in 0..t44 {
        let mut t45 = params[i13];
        // 66: if *t > largest {
        let t46 = t45 > largest2;
        if !t46 {
            t45 = largest2;
        }
        tape8[i13] = t46;
        // 65: for t in terms {
        largest2 = t45;
    }
    let mut sum3: f64 = 0.0;
    // 71: for t in terms {
    let mut tape9 = vec![0.0; t44];
    for i14 in 0..t44 {
        // 72: sum += (t - largest).exp();
        let t47 = (params[i14] - largest2).exp();
        tape9[i14] = t47;
        sum3 += t47;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t48 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut total2 = total - t43 * (sum3.ln() + largest2);
    for i15 in 0..k {
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i16 in 0..d {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t49 = mul_usize(i15, d, "mixture.rs:48:34");
            let t50 = add_usize(t49, i16, "mixture.rs:48:34");
            let t51 = *elem(&diagonals, t50, "mixture.rs:48:24");
            squares += t51 * t51;
        }
        // 50: for a in d..size {
        for i17 in d..t11 {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t52 = mul_usize(i15, t11, "mixture.rs:51:32");
            let t53 = add_usize(t52, i17, "mixture.rs:51:32");
            let t54 = *elem(t8, t53, "mixture.rs:51:24");
            squares += t54 * t54;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t48 * squares - m * logs[i15];
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t55 = -1.0 * m;
    let t56 = if d < t11 { t11 } else { d };
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t57 = k.wrapping_add(t5);
    for i18 in (0..k).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i18] = 0.0 + t55;
        let t58 = t56.saturating_sub(d);
        let t59 = t11.saturating_mul(i18);
        let part4 = long_span(t8, d.saturating_add(t59), t58);
        let t60 = d.saturating_add(t57);
        let t61 = t11.saturating_mul(i18);
        let dparams_part = long_span_mut(dparams, t60.saturating_add(t61), t58);
        if !STRONG && part4.len() == t58 && dparams_part.len() == t58 {
            for i19 in (d..t56).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t62 = part4[i19 - d];
                let t63 = mul_zero_if::<STRONG>(t48, t62);
                dparams_part[i19 - d] += t63 + t63;
            }
        } else {
            // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
            for i20 in (d..t56).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t64 = mul_usize(i18, t11, "mixture.rs:51:24");
                let t65 = add_usize(t64, i20, "mixture.rs:51:24");
                let t66 = *elem(t8, t65, "mixture.rs:51:24");
                let t67 = mul_zero_if::<STRONG>(t48, t66);
                let t68 = t57.wrapping_add(t65);
                dparams[t68] += t67 + t67;
            }
        }
        let diagonals_part3 = long_span(&diagonals, d.saturating_mul(i18), d);
        let ddiagonals_part = long_span_mut(&mut ddiagonals, d.saturating_mul(i18), d);
        if !STRONG && diagonals_part3.len() == d && ddiagonals_part.len() == d {
            for i21 in (0..d).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t69 = diagonals_part3[i21];
                let t70 = mul_zero_if::<STRONG>(t48, t69);
                ddiagonals_part[i21] += t70 + t70;
            }
        } else {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            for i22 in (0..d).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t71 = mul_usize(i18, d, "mixture.rs:48:24");
                let t72 = add_usize(t71, i22, "mixture.rs:48:24");
                let t73 = *elem(&diagonals, t72, "mixture.rs:48:24");
                let t74 = mul_zero_if::<STRONG>(t48, t73);
                ddiagonals[t72] += t74 + t74;
            }
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t43;
    // 74: sum.ln() + largest
    let t75 = mul_zero_if::<STRONG>(dlargest, 1.0 / sum3);
    for i23 in (0..t44).rev() {
        let t76 = tape9[i23];
        // 72: sum += (t - largest).exp();
        let t77 = mul_zero_if::<STRONG>(t75, t76);
        // 71: for t in terms {
        dparams[i23] += t77;
        dlargest -= t77;
    }
    for i24 in (0..t44).rev() {
        let t78 = tape8[i24];
        let dlargest2: f64;
        if t78 {
            dlargest2 = 0.0;
        } else {
            dlargest2 = dlargest;
            dlargest = 0.0;
        }
        // 65: for t in terms {
        dparams[i24] += dlargest;
        dlargest = dlargest2;
    }
    // 64: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = vec![0.0; d];
    let mut dproduct = vec![0.0; d];
    for i25 in (0..t2).rev() {
        let t79 = tape7[i25];
        // 74: sum.ln() + largest
        let t80 = 1.0 / t79.1;
        let t81 = t79.0;
        let mut dlargest3: f64 = 1.0;
        let records6 = last_records(&tape4, t81);
        for i26 in (0..t81).rev() {
            let t82 = records6[i26];
            // 72: sum += (t - largest).exp();
            let t83 = mul_zero_if::<STRONG>(t80, t82);
            // 71: for t in terms {
            dterms[i26] += t83;
            dlargest3 -= t83;
        }
        drop_records(&mut tape4, t81);
        let t84 = tape6[i25];
        let records7 = last_records(&tape5, t84);
        for i27 in (0..t84).rev() {
            let t85 = records7[i27];
            let dlargest4: f64;
            if t85 {
                dlargest4 = 0.0;
            } else {
                dlargest4 = dlargest3;
                dlargest3 = 0.0;
            }
            // 65: for t in terms {
            dterms[i27] += dlargest3;
            dlargest3 = dlargest4;
        }
        drop_records(&mut tape5, t84);
        // 64: let mut largest = terms[0];
        dterms[0] += dlargest3;
        for i28 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t86 = dterms[i28];
            let t87 = -t86 * 0.5;
            dlogs[i28] += t86;
            dparams[i28] += t86;
            dterms[i28] = 0.0;
            let records8 = last_records(&tape3, d);
            let dproduct_part = long_span_mut(&mut dproduct, 0, d);
            if !STRONG && dproduct_part.len() == d {
                for i29 in (0..d).rev() {
                    let t88 = records8[i29];
                    // 38: length += product[a] * product[a];
                    let t89 = mul_zero_if::<STRONG>(t87, t88);
                    dproduct_part[i29] += t89 + t89;
                }
            } else {
                // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
                for i30 in (0..d).rev() {
                    let t90 = records8[i30];
                    // 38: length += product[a] * product[a];
                    let t91 = mul_zero_if::<STRONG>(t87, t90);
                    dproduct[i30] += t91 + t91;
                }
            }
            drop_records(&mut tape3, d);
            let records9 = last_records(&tape2, d);
            for i31 in (0..d).rev() {
                let t92 = i31 + 1;
                let t93 = records9[i31];
                let t94 = t93.0;
                let t95 = records9[i31];
                let t96 = t95.1;
                let t97 = if t92 < d { d } else { t92 };
                let mut d128: f64 = 0.0;
                for i32 in (t92..t97).rev() {
                    // 32: product[b] += factors[next] * centred[a];
                    let t98 = dproduct[i32];
                    let t99 = t94.wrapping_add(i32.wrapping_sub(t92));
                    let t100 = *elem(t8, t99, "mixture.rs:32:35");
                    let t101 = t57.wrapping_add(t99);
                    dparams[t101] += mul_zero_if::<STRONG>(t98, t96);
                    d128 += mul_zero_if::<STRONG>(t98, t100);
                }
                dcentred[i31] += d128;
            }
            drop_records(&mut tape2, d);
            let dproduct_part2 = long_span_mut(&mut dproduct, 0, d);
            let x_part2 = long_span(x, d.saturating_mul(i25), d);
            let part5 = long_span(t7, d.saturating_mul(i28), d);
            let diagonals_part4 = long_span(&diagonals, d.saturating_mul(i28), d);
            let ddiagonals_part2 = long_span_mut(&mut ddiagonals, d.saturating_mul(i28), d);
            let dcentred_part = long_span_mut(&mut dcentred, 0, d);
            let t102 = d.saturating_mul(i28);
            let dparams_part2 = long_span_mut(dparams, k.saturating_add(t102), d);
            if !STRONG
                && dproduct_part2.len() == d
                && x_part2.len() == d
                && part5.len() == d
                && diagonals_part4.len() == d
                && ddiagonals_part2.len() == d
                && dcentred_part.len() == d
                && dparams_part2.len() == d
            {
                for i33 in (0..d).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t103 = dproduct_part2[i33];
                    let t104 = x_part2[i33];
                    let t105 = part5[i33];
                    let t106 = diagonals_part4[i33];
                    let t107 = ddiagonals_part2[i33] + mul_zero_if::<STRONG>(t103, t104 - t105);
                    ddiagonals_part2[i33] = t107;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t108 = mul_zero_if::<STRONG>(t103, t106) + dcentred_part[i33];
                    dparams_part2[i33] -= t108;
                    dcentred_part[i33] = 0.0;
                    dproduct_part2[i33] = 0.0;
                }
            } else {
                // 32: product[b] += factors[next] * centred[a];
                for i34 in (0..d).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t109 = dproduct[i34];
                    let t110 = mul_usize(i25, d, "mixture.rs:27:30");
                    let t111 = add_usize(t110, i34, "mixture.rs:27:30");
                    let t112 = *elem(x, t111, "mixture.rs:27:30");
                    let t113 = mul_usize(i28, d, "mixture.rs:27:30");
                    let t114 = add_usize(t113, i34, "mixture.rs:27:30");
                    let t115 = *elem(t7, t114, "mixture.rs:27:30");
                    let t116 = *elem(&diagonals, t114, "mixture.rs:27:30");
                    let t117 = ddiagonals[t114] + mul_zero_if::<STRONG>(t109, t112 - t115);
                    ddiagonals[t114] = t117;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t118 = k.wrapping_add(t114);
                    let t119 = mul_zero_if::<STRONG>(t109, t116) + dcentred[i34];
                    dparams[t118] -= t119;
                    dcentred[i34] = 0.0;
                    dproduct[i34] = 0.0;
                }
            }
        }
    }
    for i35 in (0..k).rev() {
        // 15: logs[j] += q;
        let t120 = dlogs[i35];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        let records10 = last_records(&tape, d);
        let ddiagonals_part3 = long_span_mut(&mut ddiagonals, d.saturating_mul(i35), d);
        let t121 = t11.saturating_mul(i35);
        let dparams_part3 = long_span_mut(dparams, t57.saturating_add(t121), d);
        if !STRONG && ddiagonals_part3.len() == d && dparams_part3.len() == d {
            for i36 in (0..d).rev() {
                let t122 = records10[i36];
                // 14: let q = factors[j * size + a];
                let t123 = mul_zero_if::<STRONG>(ddiagonals_part3[i36], t122) + t120;
                dparams_part3[i36] += t123;
                ddiagonals_part3[i36] = 0.0;
            }
        } else {
            // 26: centred[a] = x[i * d + a] - means[j * d + a];
            for i37 in (0..d).rev() {
                let t124 = records10[i37];
                // 16: diagonals[j * d + a] = q.exp();
                let t125 = mul_usize(i35, d, "mixture.rs:16:13");
                let t126 = add_usize(t125, i37, "mixture.rs:16:13");
                // 14: let q = factors[j * size + a];
                let t127 = mul_usize(i35, t11, "mixture.rs:14:21");
                let t128 = add_usize(t127, i37, "mixture.rs:14:21");
                let t129 = t57.wrapping_add(t128);
                let t130 = mul_zero_if::<STRONG>(ddiagonals[t126], t124) + t120;
                dparams[t129] += t130;
                ddiagonals[t126] = 0.0;
            }
        }
        drop_records(&mut tape, d);
    }
    total2
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

/// An element to be changed, by an index that may be out of bounds.
#[inline]
fn elem_mut<'a, T>(values: &'a mut [T], i: usize, at: &str) -> &'a mut T {
    let len = values.len();
    match values.get_mut(i) {
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
