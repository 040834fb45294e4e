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
        for i2 in 0..d {
            // 14: let q = factors[j * size + a];
            let t12 = mul_usize(i, t11, "mixture.rs:14:29");
            let t13 = add_usize(t12, i2, "mixture.rs:14:29");
            let t14 = *elem(t8, t13, "mixture.rs:14:21");
            // 15: logs[j] += q;
            logs[i] += t14;
            // 16: diagonals[j * d + a] = q.exp();
            let t15 = t14.exp();
            let t16 = mul_usize(i, d, "mixture.rs:16:23");
            let t17 = add_usize(t16, i2, "mixture.rs:16:23");
            *elem_mut(&mut diagonals, t17, "mixture.rs:16:13") = t15;
            records[i2] = t15;
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
    for i3 in 0..t2 {
        // 24: for j in 0..k {
        for i4 in 0..k {
            // 25: for a in 0..d {
            let x_part = long_span(x, d.saturating_mul(i3), d);
            let part2 = long_span(t7, d.saturating_mul(i4), d);
            let centred_part = long_span_mut(&mut centred, 0, d);
            let diagonals_part = long_span(&diagonals, d.saturating_mul(i4), d);
            let product_part = long_span_mut(&mut product, 0, d);
            if !STRONG
                && x_part.len() == d
                && part2.len() == d
                && centred_part.len() == d
                && diagonals_part.len() == d
                && product_part.len() == d
            {
                for i5 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t18 = x_part[i5];
                    let t19 = part2[i5];
                    let t20 = t18 - t19;
                    centred_part[i5] = t20;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t21 = diagonals_part[i5];
                    product_part[i5] = t21 * t20;
                }
            } else {
                // 25: for a in 0..d {
                for i6 in 0..d {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t22 = mul_usize(i3, d, "mixture.rs:26:32");
                    let t23 = add_usize(t22, i6, "mixture.rs:26:32");
                    let t24 = *elem(x, t23, "mixture.rs:26:30");
                    let t25 = mul_usize(i4, d, "mixture.rs:26:51");
                    let t26 = add_usize(t25, i6, "mixture.rs:26:51");
                    let t27 = *elem(t7, t26, "mixture.rs:26:45");
                    let t28 = t24 - t27;
                    centred[i6] = t28;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t29 = *elem(&diagonals, t26, "mixture.rs:27:30");
                    product[i6] = t29 * t28;
                }
            }
            // 29: let mut next = j * size + d;
            let t30 = mul_usize(i4, t11, "mixture.rs:29:28");
            let mut next = add_usize(t30, d, "mixture.rs:29:28");
            // 30: for a in 0..d {
            let records2 = new_records(&mut tape2, d);
            for i7 in 0..d {
                // 32: product[b] += factors[next] * centred[a];
                let t31 = centred[i7];
                records2[i7] = (next, t31);
                // 31: for b in a + 1..d {
                let t32 = i7 + 1;
                for i8 in t32..d {
                    // 32: product[b] += factors[next] * centred[a];
                    let t33 = *elem(t8, next, "mixture.rs:32:35");
                    product[i8] += t33 * t31;
                    // 33: next += 1;
                    next = add_usize(next, 1, "mixture.rs:33:21");
                }
            }
            // 30: for a in 0..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            let records3 = new_records(&mut tape3, d);
            for i9 in 0..d {
                // 38: length += product[a] * product[a];
                let t34 = product[i9];
                records3[i9] = t34;
                length += t34 * t34;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t35 = *elem(t3, i4, "mixture.rs:40:24");
            let t36 = t35 + logs[i4] - 0.5 * length;
            terms[i4] = t36;
        }
        // 64: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture.rs:64:23");
        // 65: for t in terms {
        let t37 = terms.len();
        let records4 = new_records(&mut tape5, t37);
        for i10 in 0..t37 {
            let mut t38 = terms[i10];
            // 66: if *t > largest {
            let t39 = t38 > largest;
            if !t39 {
                t38 = largest;
            }
            records4[i10] = t39;
            // 65: for t in terms {
            largest = t38;
        }
        tape6[i3] = t37;
        // 71: for t in terms {
        let mut sum2: f64 = 0.0;
        let records5 = new_records(&mut tape4, t37);
        for i11 in 0..t37 {
            // 72: sum += (t - largest).exp();
            let t40 = (terms[i11] - largest).exp();
            records5[i11] = t40;
            sum2 += t40;
        }
        // 42: total += log_sum_exp(&terms);
        tape7[i3] = (t37, sum2);
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t41 = t2 as f64;
    // 64: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture.rs:64:23");
    // 65: for t in terms {
    let t42 = t3.len();
    let mut tape8 = vec![false; t42];
    for i12 in 0..t42 {
        let mut t43 = params[i12];
        // 66: if *t > largest {
        let t44 = t43 > largest2;
        if !t44 {
            t43 = largest2;
        }
        tape8[i12] = t44;
        // 65: for t in terms {
        largest2 = t43;
    }
    let mut sum3: f64 = 0.0;
    // 71: for t in terms {
    let mut tape9 = vec![0.0; t42];
    for i13 in 0..t42 {
        // 72: sum += (t - largest).exp();
        let t45 = (params[i13] - largest2).exp();
        tape9[i13] = t45;
        sum3 += t45;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t46 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut total2 = total - t41 * (sum3.ln() + largest2);
    for i14 in 0..k {
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i15 in 0..d {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t47 = mul_usize(i14, d, "mixture.rs:48:34");
            let t48 = add_usize(t47, i15, "mixture.rs:48:34");
            let t49 = *elem(&diagonals, t48, "mixture.rs:48:24");
            squares += t49 * t49;
        }
        // 50: for a in d..size {
        for i16 in d..t11 {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t50 = mul_usize(i14, t11, "mixture.rs:51:32");
            let t51 = add_usize(t50, i16, "mixture.rs:51:32");
            let t52 = *elem(t8, t51, "mixture.rs:51:24");
            squares += t52 * t52;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t46 * squares - m * logs[i14];
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t53 = -1.0 * m;
    let t54 = if d < t11 { t11 } else { d };
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t55 = k.wrapping_add(t5);
    for i17 in (0..k).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i17] = 0.0 + t53;
        let t56 = t54.saturating_sub(d);
        let t57 = t11.saturating_mul(i17);
        let part3 = long_span(t8, d.saturating_add(t57), t56);
        let t58 = d.saturating_add(t55);
        let t59 = t11.saturating_mul(i17);
        let dparams_part = long_span_mut(dparams, t58.saturating_add(t59), t56);
        if !STRONG && part3.len() == t56 && dparams_part.len() == t56 {
            for i18 in (d..t54).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t60 = part3[i18 - d];
                let t61 = mul_zero_if::<STRONG>(t46, t60);
                dparams_part[i18 - d] += t61 + t61;
            }
        } else {
            // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
            for i19 in (d..t54).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t62 = mul_usize(i17, t11, "mixture.rs:51:24");
                let t63 = add_usize(t62, i19, "mixture.rs:51:24");
                let t64 = *elem(t8, t63, "mixture.rs:51:24");
                let t65 = mul_zero_if::<STRONG>(t46, t64);
                let t66 = t55.wrapping_add(t63);
                dparams[t66] += t65 + t65;
            }
        }
        let diagonals_part2 = long_span(&diagonals, d.saturating_mul(i17), d);
        let ddiagonals_part = long_span_mut(&mut ddiagonals, d.saturating_mul(i17), d);
        if !STRONG && diagonals_part2.len() == d && ddiagonals_part.len() == d {
            for i20 in (0..d).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t67 = diagonals_part2[i20];
                let t68 = mul_zero_if::<STRONG>(t46, t67);
                ddiagonals_part[i20] += t68 + t68;
            }
        } else {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            for i21 in (0..d).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t69 = mul_usize(i17, d, "mixture.rs:48:24");
                let t70 = add_usize(t69, i21, "mixture.rs:48:24");
                let t71 = *elem(&diagonals, t70, "mixture.rs:48:24");
                let t72 = mul_zero_if::<STRONG>(t46, t71);
                ddiagonals[t70] += t72 + t72;
            }
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t41;
    // 74: sum.ln() + largest
    let t73 = mul_zero_if::<STRONG>(dlargest, 1.0 / sum3);
    for i22 in (0..t42).rev() {
        let t74 = tape9[i22];
        // 72: sum += (t - largest).exp();
        let t75 = mul_zero_if::<STRONG>(t73, t74);
        // 71: for t in terms {
        dparams[i22] += t75;
        dlargest -= t75;
    }
    for i23 in (0..t42).rev() {
        let t76 = tape8[i23];
        let dlargest2: f64;
        if t76 {
            dlargest2 = 0.0;
        } else {
            dlargest2 = dlargest;
            dlargest = 0.0;
        }
        // 65: for t in terms {
        dparams[i23] += dlargest;
        dlargest = dlargest2;
    }
    // 64: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = vec![0.0; d];
    let mut dproduct = vec![0.0; d];
    for i24 in (0..t2).rev() {
        let t77 = tape7[i24];
        // 74: sum.ln() + largest
        let t78 = 1.0 / t77.1;
        let t79 = t77.0;
        let mut dlargest3: f64 = 1.0;
        let records6 = last_records(&tape4, t79);
        for i25 in (0..t79).rev() {
            let t80 = records6[i25];
            // 72: sum += (t - largest).exp();
            let t81 = mul_zero_if::<STRONG>(t78, t80);
            // 71: for t in terms {
            dterms[i25] += t81;
            dlargest3 -= t81;
        }
        drop_records(&mut tape4, t79);
        let t82 = tape6[i24];
        let records7 = last_records(&tape5, t82);
        for i26 in (0..t82).rev() {
            let t83 = records7[i26];
            let dlargest4: f64;
            if t83 {
                dlargest4 = 0.0;
            } else {
                dlargest4 = dlargest3;
                dlargest3 = 0.0;
            }
            // 65: for t in terms {
            dterms[i26] += dlargest3;
            dlargest3 = dlargest4;
        }
        drop_records(&mut tape5, t82);
        // 64: let mut largest = terms[0];
        dterms[0] += dlargest3;
        for i27 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t84 = dterms[i27];
            let t85 = -t84 * 0.5;
            dlogs[i27] += t84;
            dparams[i27] += t84;
            dterms[i27] = 0.0;
            let records8 = last_records(&tape3, d);
            let dproduct_part = long_span_mut(&mut dproduct, 0, d);
            if !STRONG && dproduct_part.len() == d {
                for i28 in (0..d).rev() {
                    let t86 = records8[i28];
                    // 38: length += product[a] * product[a];
                    let t87 = mul_zero_if::<STRONG>(t85, t86);
                    dproduct_part[i28] += t87 + t87;
                }
            } else {
                // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
                for i29 in (0..d).rev() {
                    let t88 = records8[i29];
                    // 38: length += product[a] * product[a];
                    let t89 = mul_zero_if::<STRONG>(t85, t88);
                    dproduct[i29] += t89 + t89;
                }
            }
            drop_records(&mut tape3, d);
            let records9 = last_records(&tape2, d);
            for i30 in (0..d).rev() {
                let t90 = i30 + 1;
                let t91 = records9[i30];
                let t92 = t91.0;
                let t93 = records9[i30];
                let t94 = t93.1;
                let t95 = if t90 < d { d } else { t90 };
                let mut d128: f64 = 0.0;
                for i31 in (t90..t95).rev() {
                    // 32: product[b] += factors[next] * centred[a];
                    let t96 = dproduct[i31];
                    let t97 = t92.wrapping_add(i31.wrapping_sub(t90));
                    let t98 = *elem(t8, t97, "mixture.rs:32:35");
                    let t99 = t55.wrapping_add(t97);
                    dparams[t99] += mul_zero_if::<STRONG>(t96, t94);
                    d128 += mul_zero_if::<STRONG>(t96, t98);
                }
                dcentred[i30] += d128;
            }
            drop_records(&mut tape2, d);
            let dproduct_part2 = long_span_mut(&mut dproduct, 0, d);
            let x_part2 = long_span(x, d.saturating_mul(i24), d);
            let part4 = long_span(t7, d.saturating_mul(i27), d);
            let diagonals_part3 = long_span(&diagonals, d.saturating_mul(i27), d);
            let ddiagonals_part2 = long_span_mut(&mut ddiagonals, d.saturating_mul(i27), d);
            let dcentred_part = long_span_mut(&mut dcentred, 0, d);
            let t100 = d.saturating_mul(i27);
            let dparams_part2 = long_span_mut(dparams, k.saturating_add(t100), d);
            if !STRONG
                && dproduct_part2.len() == d
                && x_part2.len() == d
                && part4.len() == d
                && diagonals_part3.len() == d
                && ddiagonals_part2.len() == d
                && dcentred_part.len() == d
                && dparams_part2.len() == d
            {
                for i32 in (0..d).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t101 = dproduct_part2[i32];
                    let t102 = x_part2[i32];
                    let t103 = part4[i32];
                    let t104 = diagonals_part3[i32];
                    let t105 = ddiagonals_part2[i32] + mul_zero_if::<STRONG>(t101, t102 - t103);
                    ddiagonals_part2[i32] = t105;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t106 = mul_zero_if::<STRONG>(t101, t104) + dcentred_part[i32];
                    dparams_part2[i32] -= t106;
                    dcentred_part[i32] = 0.0;
                    dproduct_part2[i32] = 0.0;
                }
            } else {
                // 32: product[b] += factors[next] * centred[a];
                for i33 in (0..d).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t107 = dproduct[i33];
                    let t108 = mul_usize(i24, d, "mixture.rs:27:30");
                    let t109 = add_usize(t108, i33, "mixture.rs:27:30");
                    let t110 = *elem(x, t109, "mixture.rs:27:30");
                    let t111 = mul_usize(i27, d, "mixture.rs:27:30");
                    let t112 = add_usize(t111, i33, "mixture.rs:27:30");
                    let t113 = *elem(t7, t112, "mixture.rs:27:30");
                    let t114 = *elem(&diagonals, t112, "mixture.rs:27:30");
                    let t115 = ddiagonals[t112] + mul_zero_if::<STRONG>(t107, t110 - t113);
                    ddiagonals[t112] = t115;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t116 = k.wrapping_add(t112);
                    let t117 = mul_zero_if::<STRONG>(t107, t114) + dcentred[i33];
                    dparams[t116] -= t117;
                    dcentred[i33] = 0.0;
                    dproduct[i33] = 0.0;
                }
            }
        }
    }
    for i34 in (0..k).rev() {
        // 15: logs[j] += q;
        let t118 = dlogs[i34];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        let records10 = last_records(&tape, d);
        let ddiagonals_part3 = long_span_mut(&mut ddiagonals, d.saturating_mul(i34), d);
        let t119 = t11.saturating_mul(i34);
        let dparams_part3 = long_span_mut(dparams, t55.saturating_add(t119), d);
        if !STRONG && ddiagonals_part3.len() == d && dparams_part3.len() == d {
            for i35 in (0..d).rev() {
                let t120 = records10[i35];
                // 14: let q = factors[j * size + a];
                let t121 = mul_zero_if::<STRONG>(ddiagonals_part3[i35], t120) + t118;
                dparams_part3[i35] += t121;
                ddiagonals_part3[i35] = 0.0;
            }
        } else {
            // 26: centred[a] = x[i * d + a] - means[j * d + a];
            for i36 in (0..d).rev() {
                let t122 = records10[i36];
                // 16: diagonals[j * d + a] = q.exp();
                let t123 = mul_usize(i34, d, "mixture.rs:16:13");
                let t124 = add_usize(t123, i36, "mixture.rs:16:13");
                // 14: let q = factors[j * size + a];
                let t125 = mul_usize(i34, t11, "mixture.rs:14:21");
                let t126 = add_usize(t125, i36, "mixture.rs:14:21");
                let t127 = t55.wrapping_add(t126);
                let t128 = mul_zero_if::<STRONG>(ddiagonals[t124], t122) + t118;
                dparams[t127] += t128;
                ddiagonals[t124] = 0.0;
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
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
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
        panic!("range start index {from} out of range for slice of length {len}, {}", at)
    }
    if to > len {
        panic!("range end index {to} out of range for slice of length {len}, {}", at)
    }
    if from > to {
        panic!("slice index starts at {from} but ends at {to}, {}", at)
    }
    &values[from..to]
}
