/// The value and the gradient of `mixture_in_ten`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn mixture_in_ten_value_and_gradient_into(
    params: &[f64],
    x: &[f64],
    k: usize,
    gamma: f64,
    m: f64,
    dparams: &mut [f64],
) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = mixture_in_ten_value_and_gradient_into_by::<false>(params, x, k, gamma, m, dparams);
    if any_nan(dparams) {
        mixture_in_ten_value_and_gradient_into_by::<true>(params, x, k, gamma, m, dparams)
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
fn mixture_in_ten_value_and_gradient_into_by<const STRONG: bool>(
    params: &[f64],
    x: &[f64],
    k: usize,
    gamma: f64,
    m: f64,
    dparams: &mut [f64],
) -> f64 {
    let mut tape: Vec<f64> = Vec::new();
    let mut tape2: Vec<f64> = Vec::new();
    let mut tape3: Vec<(usize, f64)> = Vec::new();
    let mut tape4: Vec<(usize, f64)> = Vec::new();
    let mut tape5: Vec<(usize, f64)> = Vec::new();
    let mut tape6: Vec<(usize, f64)> = Vec::new();
    let mut tape7: Vec<(usize, f64, f64, f64, f64, usize, f64)> = Vec::new();
    let mut tape8: Vec<f64> = Vec::new();
    let mut tape9: Vec<f64> = Vec::new();
    let mut tape10: Vec<bool> = Vec::new();
    let t1 = params.len();
    zero(dparams, t1, "mixture_in_ten.rs:59:8");
    // 6: let n = x.len() / d;
    let t2 = x.len() / 10;
    // 7: let (weights, rest) = params.split_at(k);
    if k > t1 {
        fail("mid > len", "mixture_in_ten.rs:7:27");
    }
    let t3 = part(params, 0, k, "mixture_in_ten.rs:7:27");
    let t4 = part(params, k, t1, "mixture_in_ten.rs:7:27");
    // 8: let (means, factors) = rest.split_at(k * d);
    let t5 = mul_usize(k, 10, "mixture_in_ten.rs:8:42");
    let t6 = t4.len();
    if t5 > t6 {
        fail("mid > len", "mixture_in_ten.rs:8:28");
    }
    let t7 = part(t4, 0, t5, "mixture_in_ten.rs:8:28");
    let t8 = part(t4, t5, t6, "mixture_in_ten.rs:8:28");
    // 10: let mut diagonals = vec![0.0; k * d];
    let mut diagonals = vec![0.0; t5];
    // 11: let mut logs = vec![0.0; k];
    let mut logs = vec![0.0; k];
    // 12: for j in 0..k {
    make_room(&mut tape, k.saturating_mul(10));
    for i in 0..k {
        // 13: for a in 0..d {
        let records = new_records(&mut tape, 10);
        let part2 = span(t8, i.saturating_mul(55), 10);
        let logs_part = span_mut(&mut logs, i, 1);
        let diagonals_part = span_mut(&mut diagonals, i.saturating_mul(10), 10);
        if !STRONG && part2.len() == 10 && logs_part.len() == 1 && diagonals_part.len() == 10 {
            for i2 in 0_usize..10_usize {
                // 14: let q = factors[j * size + a];
                let t9 = part2[i2];
                // 15: logs[j] += q;
                logs_part[0] += t9;
                // 16: diagonals[j * d + a] = q.exp();
                let t10 = t9.exp();
                diagonals_part[i2] = t10;
                records[i2] = t10;
            }
        } else {
            // 13: for a in 0..d {
            for i3 in 0_usize..10_usize {
                // 14: let q = factors[j * size + a];
                let t11 = mul_usize(i, 55, "mixture_in_ten.rs:14:29");
                let t12 = add_usize(t11, i3, "mixture_in_ten.rs:14:29");
                let t13 = *elem(t8, t12, "mixture_in_ten.rs:14:21");
                // 15: logs[j] += q;
                logs[i] += t13;
                // 16: diagonals[j * d + a] = q.exp();
                let t14 = t13.exp();
                let t15 = mul_usize(i, 10, "mixture_in_ten.rs:16:23");
                let t16 = add_usize(t15, i3, "mixture_in_ten.rs:16:23");
                *elem_mut(&mut diagonals, t16, "mixture_in_ten.rs:16:13") = t14;
                records[i3] = t14;
            }
        }
    }
    // 19: let mut centred = vec![0.0; d];
    let mut centred = [0.0; 10];
    // 20: let mut product = vec![0.0; d];
    let mut product = [0.0; 10];
    // 21: let mut terms = vec![0.0; k];
    let mut terms = vec![0.0; k];
    // 23: for i in 0..n {
    let mut total: f64 = 0.0;
    make_room(&mut tape2, t2.saturating_mul(k));
    make_room(&mut tape3, t2.saturating_mul(k));
    make_room(&mut tape4, t2.saturating_mul(k));
    make_room(&mut tape5, t2.saturating_mul(k));
    make_room(&mut tape6, t2.saturating_mul(k));
    make_room(&mut tape7, t2.saturating_mul(k));
    make_room(&mut tape8, t2.saturating_mul(k).saturating_mul(10));
    let mut tape11 = vec![0_usize; t2];
    let mut tape12 = vec![(0_usize, 0.0); t2];
    for i4 in 0..t2 {
        // 24: for j in 0..k {
        let records2 = new_records(&mut tape2, k);
        let records3 = new_records(&mut tape3, k);
        let records4 = new_records(&mut tape4, k);
        let records5 = new_records(&mut tape5, k);
        let records6 = new_records(&mut tape6, k);
        let records7 = new_records(&mut tape7, k);
        for i5 in 0..k {
            // 25: for a in 0..d {
            let x_part = span(x, i4.saturating_mul(10), 10);
            let part3 = span(t7, i5.saturating_mul(10), 10);
            let centred_part = span_mut(&mut centred, 0, 10);
            let diagonals_part2 = span(&diagonals, i5.saturating_mul(10), 10);
            let product_part = span_mut(&mut product, 0, 10);
            if !STRONG
                && x_part.len() == 10
                && part3.len() == 10
                && centred_part.len() == 10
                && diagonals_part2.len() == 10
                && product_part.len() == 10
            {
                for i6 in 0_usize..10_usize {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t17 = x_part[i6];
                    let t18 = part3[i6];
                    let t19 = t17 - t18;
                    centred_part[i6] = t19;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t20 = diagonals_part2[i6];
                    product_part[i6] = t20 * t19;
                }
            } else {
                // 25: for a in 0..d {
                for i7 in 0_usize..10_usize {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t21 = mul_usize(i4, 10, "mixture_in_ten.rs:26:32");
                    let t22 = add_usize(t21, i7, "mixture_in_ten.rs:26:32");
                    let t23 = *elem(x, t22, "mixture_in_ten.rs:26:30");
                    let t24 = mul_usize(i5, 10, "mixture_in_ten.rs:26:51");
                    let t25 = add_usize(t24, i7, "mixture_in_ten.rs:26:51");
                    let t26 = *elem(t7, t25, "mixture_in_ten.rs:26:45");
                    let t27 = t23 - t26;
                    centred[i7] = t27;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t28 = *elem(&diagonals, t25, "mixture_in_ten.rs:27:30");
                    product[i7] = t28 * t27;
                }
            }
            // 29: let mut next = j * size + d;
            let t29 = mul_usize(i5, 55, "mixture_in_ten.rs:29:28");
            let mut next = add_usize(t29, 10, "mixture_in_ten.rs:29:28");
            // 32: product[b] += factors[next] * centred[a];
            let t30 = centred[0];
            records2[i5] = t30;
            // 31: for b in a + 1..d {
            for i8 in 1_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t31 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i8] += t31 * t30;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t32 = centred[1];
            records3[i5] = (next, t32);
            // 31: for b in a + 1..d {
            for i9 in 2_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t33 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i9] += t33 * t32;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t34 = centred[2];
            records4[i5] = (next, t34);
            // 31: for b in a + 1..d {
            for i10 in 3_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t35 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i10] += t35 * t34;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t36 = centred[3];
            records5[i5] = (next, t36);
            // 31: for b in a + 1..d {
            for i11 in 4_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t37 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i11] += t37 * t36;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t38 = centred[4];
            records6[i5] = (next, t38);
            // 31: for b in a + 1..d {
            for i12 in 5_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t39 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i12] += t39 * t38;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t40 = centred[5];
            let t41 = *elem(t8, next, "mixture_in_ten.rs:32:35");
            product[6] += t41 * t40;
            // 33: next += 1;
            let t42 = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t43 = *elem(t8, t42, "mixture_in_ten.rs:32:35");
            product[7] += t43 * t40;
            // 33: next += 1;
            let t44 = add_usize(t42, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t45 = *elem(t8, t44, "mixture_in_ten.rs:32:35");
            product[8] += t45 * t40;
            // 33: next += 1;
            let t46 = add_usize(t44, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t47 = *elem(t8, t46, "mixture_in_ten.rs:32:35");
            product[9] += t47 * t40;
            // 33: next += 1;
            let t48 = add_usize(t46, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t49 = centred[6];
            let t50 = *elem(t8, t48, "mixture_in_ten.rs:32:35");
            product[7] += t50 * t49;
            // 33: next += 1;
            let t51 = add_usize(t48, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t52 = *elem(t8, t51, "mixture_in_ten.rs:32:35");
            product[8] += t52 * t49;
            // 33: next += 1;
            let t53 = add_usize(t51, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t54 = *elem(t8, t53, "mixture_in_ten.rs:32:35");
            product[9] += t54 * t49;
            // 33: next += 1;
            let t55 = add_usize(t53, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t56 = centred[7];
            let t57 = *elem(t8, t55, "mixture_in_ten.rs:32:35");
            product[8] += t57 * t56;
            // 33: next += 1;
            let t58 = add_usize(t55, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t59 = *elem(t8, t58, "mixture_in_ten.rs:32:35");
            let t60 = product[9] + t59 * t56;
            product[9] = t60;
            // 33: next += 1;
            let t61 = add_usize(t58, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t62 = centred[8];
            let t63 = *elem(t8, t61, "mixture_in_ten.rs:32:35");
            product[9] = t60 + t63 * t62;
            // 33: next += 1;
            let _ = add_usize(t61, 1, "mixture_in_ten.rs:33:21");
            records7[i5] = (next, t40, t49, t56, t59, t61, t62);
            // 31: for b in a + 1..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            let records8 = new_records(&mut tape8, 10);
            for i13 in 0_usize..10_usize {
                // 38: length += product[a] * product[a];
                let t64 = product[i13];
                records8[i13] = t64;
                length += t64 * t64;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t65 = *elem(t3, i5, "mixture_in_ten.rs:40:24");
            let t66 = t65 + logs[i5] - 0.5 * length;
            terms[i5] = t66;
        }
        // 64: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture_in_ten.rs:64:23");
        // 65: for t in terms {
        let t67 = terms.len();
        let records9 = new_records(&mut tape10, t67);
        for i14 in 0..t67 {
            let mut t68 = terms[i14];
            // 66: if *t > largest {
            let t69 = t68 > largest;
            if !t69 {
                t68 = largest;
            }
            records9[i14] = t69;
            // 65: for t in terms {
            largest = t68;
        }
        tape11[i4] = t67;
        // 71: for t in terms {
        let mut sum2: f64 = 0.0;
        let records10 = new_records(&mut tape9, t67);
        for i15 in 0..t67 {
            // 72: sum += (t - largest).exp();
            let t70 = (terms[i15] - largest).exp();
            records10[i15] = t70;
            sum2 += t70;
        }
        // 42: total += log_sum_exp(&terms);
        tape12[i4] = (t67, sum2);
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t71 = t2 as f64;
    // 64: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture_in_ten.rs:64:23");
    // 65: for t in terms {
    let t72 = t3.len();
    let mut tape13 = vec![false; t72];
    for i16 in 0..t72 {
        let mut t73 = params[i16];
        // 66: if *t > largest {
        let t74 = t73 > largest2;
        if !t74 {
            t73 = largest2;
        }
        tape13[i16] = t74;
        // 65: for t in terms {
        largest2 = t73;
    }
    let mut sum3: f64 = 0.0;
    // 71: for t in terms {
    let mut tape14 = vec![0.0; t72];
    for i17 in 0..t72 {
        // 72: sum += (t - largest).exp();
        let t75 = (params[i17] - largest2).exp();
        tape14[i17] = t75;
        sum3 += t75;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t76 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut total2 = total - t71 * (sum3.ln() + largest2);
    for i18 in 0..k {
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i19 in 0_usize..10_usize {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t77 = mul_usize(i18, 10, "mixture_in_ten.rs:48:34");
            let t78 = add_usize(t77, i19, "mixture_in_ten.rs:48:34");
            let t79 = *elem(&diagonals, t78, "mixture_in_ten.rs:48:24");
            squares += t79 * t79;
        }
        // 50: for a in d..size {
        for i20 in 10_usize..55_usize {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t80 = mul_usize(i18, 55, "mixture_in_ten.rs:51:32");
            let t81 = add_usize(t80, i20, "mixture_in_ten.rs:51:32");
            let t82 = *elem(t8, t81, "mixture_in_ten.rs:51:24");
            squares += t82 * t82;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t76 * squares - m * logs[i18];
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t83 = -1.0 * m;
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t84 = k.wrapping_add(t5);
    for i21 in (0..k).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i21] = 0.0 + t83;
        let t85 = 55_usize.saturating_sub(10);
        let t86 = i21.saturating_mul(55);
        let part4 = long_span(t8, t86.saturating_add(10), t85);
        let t87 = t84.saturating_add(10);
        let t88 = i21.saturating_mul(55);
        let dparams_part = long_span_mut(dparams, t87.saturating_add(t88), t85);
        if !STRONG && part4.len() == t85 && dparams_part.len() == t85 {
            for i22 in (10_usize..55_usize).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t89 = part4[i22 - 10];
                let t90 = mul_zero_if::<STRONG>(t76, t89);
                dparams_part[i22 - 10] += t90 + t90;
            }
        } else {
            // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
            for i23 in (10_usize..55_usize).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t91 = mul_usize(i21, 55, "mixture_in_ten.rs:51:24");
                let t92 = add_usize(t91, i23, "mixture_in_ten.rs:51:24");
                let t93 = *elem(t8, t92, "mixture_in_ten.rs:51:24");
                let t94 = mul_zero_if::<STRONG>(t76, t93);
                let t95 = t84.wrapping_add(t92);
                dparams[t95] += t94 + t94;
            }
        }
        let diagonals_part3 = span(&diagonals, i21.saturating_mul(10), 10);
        let ddiagonals_part = span_mut(&mut ddiagonals, i21.saturating_mul(10), 10);
        if !STRONG && diagonals_part3.len() == 10 && ddiagonals_part.len() == 10 {
            for i24 in (0_usize..10_usize).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t96 = diagonals_part3[i24];
                let t97 = mul_zero_if::<STRONG>(t76, t96);
                ddiagonals_part[i24] += t97 + t97;
            }
        } else {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            for i25 in (0_usize..10_usize).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t98 = mul_usize(i21, 10, "mixture_in_ten.rs:48:24");
                let t99 = add_usize(t98, i25, "mixture_in_ten.rs:48:24");
                let t100 = *elem(&diagonals, t99, "mixture_in_ten.rs:48:24");
                let t101 = mul_zero_if::<STRONG>(t76, t100);
                ddiagonals[t99] += t101 + t101;
            }
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t71;
    // 74: sum.ln() + largest
    let t102 = mul_zero_if::<STRONG>(dlargest, 1.0 / sum3);
    for i26 in (0..t72).rev() {
        let t103 = tape14[i26];
        // 72: sum += (t - largest).exp();
        let t104 = mul_zero_if::<STRONG>(t102, t103);
        // 71: for t in terms {
        dparams[i26] += t104;
        dlargest -= t104;
    }
    for i27 in (0..t72).rev() {
        let t105 = tape13[i27];
        let dlargest2: f64;
        if t105 {
            dlargest2 = 0.0;
        } else {
            dlargest2 = dlargest;
            dlargest = 0.0;
        }
        // 65: for t in terms {
        dparams[i27] += dlargest;
        dlargest = dlargest2;
    }
    // 64: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = [0.0; 10];
    let mut dproduct = [0.0; 10];
    for i28 in (0..t2).rev() {
        let t106 = tape12[i28];
        // 74: sum.ln() + largest
        let t107 = 1.0 / t106.1;
        let t108 = t106.0;
        let mut dlargest3: f64 = 1.0;
        let records11 = last_records(&tape9, t108);
        for i29 in (0..t108).rev() {
            let t109 = records11[i29];
            // 72: sum += (t - largest).exp();
            let t110 = mul_zero_if::<STRONG>(t107, t109);
            // 71: for t in terms {
            dterms[i29] += t110;
            dlargest3 -= t110;
        }
        drop_records(&mut tape9, t108);
        let t111 = tape11[i28];
        let records12 = last_records(&tape10, t111);
        for i30 in (0..t111).rev() {
            let t112 = records12[i30];
            let dlargest4: f64;
            if t112 {
                dlargest4 = 0.0;
            } else {
                dlargest4 = dlargest3;
                dlargest3 = 0.0;
            }
            // 65: for t in terms {
            dterms[i30] += dlargest3;
            dlargest3 = dlargest4;
        }
        drop_records(&mut tape10, t111);
        // 64: let mut largest = terms[0];
        dterms[0] += dlargest3;
        let records13 = last_records(&tape7, k);
        let records14 = last_records(&tape6, k);
        let records15 = last_records(&tape5, k);
        let records16 = last_records(&tape4, k);
        let records17 = last_records(&tape3, k);
        let records18 = last_records(&tape2, k);
        for i31 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t113 = dterms[i31];
            let t114 = -t113 * 0.5;
            dlogs[i31] += t113;
            dparams[i31] += t113;
            dterms[i31] = 0.0;
            let records19 = last_records(&tape8, 10);
            let dproduct_part = span_mut(&mut dproduct, 0, 10);
            if !STRONG && dproduct_part.len() == 10 {
                for i32 in (0_usize..10_usize).rev() {
                    let t115 = records19[i32];
                    // 38: length += product[a] * product[a];
                    let t116 = mul_zero_if::<STRONG>(t114, t115);
                    dproduct_part[i32] += t116 + t116;
                }
            } else {
                // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
                for i33 in (0_usize..10_usize).rev() {
                    let t117 = records19[i33];
                    // 38: length += product[a] * product[a];
                    let t118 = mul_zero_if::<STRONG>(t114, t117);
                    dproduct[i33] += t118 + t118;
                }
            }
            drop_records(&mut tape8, 10);
            let t119 = records13[i31];
            // 32: product[b] += factors[next] * centred[a];
            let t120 = dproduct[9];
            let t121 = t119.5;
            let t122 = *elem(t8, t121, "mixture_in_ten.rs:32:35");
            let t123 = t84.wrapping_add(t121);
            let t124 = dparams[t123] + mul_zero_if::<STRONG>(t120, t119.6);
            dparams[t123] = t124;
            dcentred[8] += mul_zero_if::<STRONG>(t120, t122);
            dproduct[9] = 0.0;
            let t125 = t120 + 0.0;
            dproduct[9] = t125;
            let t126 = t119.3;
            let t127 = t119.0;
            let t128 = add_usize(t127, 1, "mixture_in_ten.rs:32:35");
            let t129 = add_usize(t128, 1, "mixture_in_ten.rs:32:35");
            let t130 = add_usize(t129, 1, "mixture_in_ten.rs:32:35");
            let t131 = add_usize(t130, 1, "mixture_in_ten.rs:32:35");
            let t132 = add_usize(t131, 1, "mixture_in_ten.rs:32:35");
            let t133 = add_usize(t132, 1, "mixture_in_ten.rs:32:35");
            let t134 = add_usize(t133, 1, "mixture_in_ten.rs:32:35");
            let t135 = add_usize(t134, 1, "mixture_in_ten.rs:32:35");
            let t136 = t84.wrapping_add(t135);
            dparams[t136] += mul_zero_if::<STRONG>(t125, t126);
            let t137 = dproduct[8];
            let t138 = *elem(t8, t134, "mixture_in_ten.rs:32:35");
            let t139 = mul_zero_if::<STRONG>(t125, t119.4);
            let t140 = t84.wrapping_add(t134);
            dparams[t140] += mul_zero_if::<STRONG>(t137, t126);
            let t141 = dcentred[7] + (t139 + mul_zero_if::<STRONG>(t137, t138));
            dcentred[7] = t141;
            let t142 = t119.2;
            let t143 = *elem(t8, t133, "mixture_in_ten.rs:32:35");
            let t144 = t84.wrapping_add(t133);
            dparams[t144] += mul_zero_if::<STRONG>(t125, t142);
            let t145 = *elem(t8, t132, "mixture_in_ten.rs:32:35");
            let t146 = t84.wrapping_add(t132);
            dparams[t146] += mul_zero_if::<STRONG>(t137, t142);
            let t147 = dproduct[7];
            let t148 = *elem(t8, t131, "mixture_in_ten.rs:32:35");
            let t149 = mul_zero_if::<STRONG>(t125, t143) + mul_zero_if::<STRONG>(t137, t145);
            let t150 = t84.wrapping_add(t131);
            dparams[t150] += mul_zero_if::<STRONG>(t147, t142);
            let t151 = dcentred[6] + (t149 + mul_zero_if::<STRONG>(t147, t148));
            dcentred[6] = t151;
            let t152 = t119.1;
            let t153 = *elem(t8, t130, "mixture_in_ten.rs:32:35");
            let t154 = t84.wrapping_add(t130);
            dparams[t154] += mul_zero_if::<STRONG>(t125, t152);
            let t155 = *elem(t8, t129, "mixture_in_ten.rs:32:35");
            let t156 = t84.wrapping_add(t129);
            dparams[t156] += mul_zero_if::<STRONG>(t137, t152);
            let t157 = *elem(t8, t128, "mixture_in_ten.rs:32:35");
            let t158 = mul_zero_if::<STRONG>(t125, t153) + mul_zero_if::<STRONG>(t137, t155);
            let t159 = t84.wrapping_add(t128);
            dparams[t159] += mul_zero_if::<STRONG>(t147, t152);
            let t160 = dproduct[6];
            let t161 = *elem(t8, t127, "mixture_in_ten.rs:32:35");
            let t162 = t158 + mul_zero_if::<STRONG>(t147, t157);
            let t163 = t84.wrapping_add(t127);
            dparams[t163] += mul_zero_if::<STRONG>(t160, t152);
            let t164 = dcentred[5] + (t162 + mul_zero_if::<STRONG>(t160, t161));
            dcentred[5] = t164;
            let t165 = records14[i31];
            let t166 = t165.0;
            let t167 = records14[i31];
            let t168 = t167.1;
            let mut d120: f64 = 0.0;
            for i34 in (5_usize..10_usize).rev() {
                let t169 = dproduct[i34];
                let t170 = t166.wrapping_add(i34.wrapping_sub(5));
                let t171 = *elem(t8, t170, "mixture_in_ten.rs:32:35");
                let t172 = t84.wrapping_add(t170);
                dparams[t172] += mul_zero_if::<STRONG>(t169, t168);
                d120 += mul_zero_if::<STRONG>(t169, t171);
            }
            dcentred[4] += d120;
            let t173 = records15[i31];
            let t174 = t173.0;
            let t175 = records15[i31];
            let t176 = t175.1;
            let mut d108: f64 = 0.0;
            for i35 in (4_usize..10_usize).rev() {
                let t177 = dproduct[i35];
                let t178 = t174.wrapping_add(i35.wrapping_sub(4));
                let t179 = *elem(t8, t178, "mixture_in_ten.rs:32:35");
                let t180 = t84.wrapping_add(t178);
                dparams[t180] += mul_zero_if::<STRONG>(t177, t176);
                d108 += mul_zero_if::<STRONG>(t177, t179);
            }
            dcentred[3] += d108;
            let t181 = records16[i31];
            let t182 = t181.0;
            let t183 = records16[i31];
            let t184 = t183.1;
            let mut d96: f64 = 0.0;
            for i36 in (3_usize..10_usize).rev() {
                let t185 = dproduct[i36];
                let t186 = t182.wrapping_add(i36.wrapping_sub(3));
                let t187 = *elem(t8, t186, "mixture_in_ten.rs:32:35");
                let t188 = t84.wrapping_add(t186);
                dparams[t188] += mul_zero_if::<STRONG>(t185, t184);
                d96 += mul_zero_if::<STRONG>(t185, t187);
            }
            dcentred[2] += d96;
            let t189 = records17[i31];
            let t190 = t189.0;
            let t191 = records17[i31];
            let t192 = t191.1;
            let mut d84: f64 = 0.0;
            for i37 in (2_usize..10_usize).rev() {
                let t193 = dproduct[i37];
                let t194 = t190.wrapping_add(i37.wrapping_sub(2));
                let t195 = *elem(t8, t194, "mixture_in_ten.rs:32:35");
                let t196 = t84.wrapping_add(t194);
                dparams[t196] += mul_zero_if::<STRONG>(t193, t192);
                d84 += mul_zero_if::<STRONG>(t193, t195);
            }
            dcentred[1] += d84;
            let t197 = records18[i31];
            let mut d72: f64 = 0.0;
            for i38 in (1_usize..10_usize).rev() {
                let t198 = dproduct[i38];
                let t199 = mul_usize(i31, 55, "mixture_in_ten.rs:32:35");
                let t200 = add_usize(t199, 10, "mixture_in_ten.rs:32:35");
                let t201 = t200.wrapping_add(i38.wrapping_sub(1));
                let t202 = *elem(t8, t201, "mixture_in_ten.rs:32:35");
                let t203 = t84.wrapping_add(t201);
                dparams[t203] += mul_zero_if::<STRONG>(t198, t197);
                d72 += mul_zero_if::<STRONG>(t198, t202);
            }
            dcentred[0] += d72;
            let dproduct_part2 = span_mut(&mut dproduct, 0, 10);
            let x_part2 = span(x, i28.saturating_mul(10), 10);
            let part5 = span(t7, i31.saturating_mul(10), 10);
            let diagonals_part4 = span(&diagonals, i31.saturating_mul(10), 10);
            let ddiagonals_part2 = span_mut(&mut ddiagonals, i31.saturating_mul(10), 10);
            let dcentred_part = span_mut(&mut dcentred, 0, 10);
            let t204 = i31.saturating_mul(10);
            let dparams_part2 = span_mut(dparams, k.saturating_add(t204), 10);
            if !STRONG
                && dproduct_part2.len() == 10
                && x_part2.len() == 10
                && part5.len() == 10
                && diagonals_part4.len() == 10
                && ddiagonals_part2.len() == 10
                && dcentred_part.len() == 10
                && dparams_part2.len() == 10
            {
                for i39 in (0_usize..10_usize).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t205 = dproduct_part2[i39];
                    let t206 = x_part2[i39];
                    let t207 = part5[i39];
                    let t208 = diagonals_part4[i39];
                    let t209 = ddiagonals_part2[i39] + mul_zero_if::<STRONG>(t205, t206 - t207);
                    ddiagonals_part2[i39] = t209;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t210 = mul_zero_if::<STRONG>(t205, t208) + dcentred_part[i39];
                    dparams_part2[i39] -= t210;
                    dcentred_part[i39] = 0.0;
                    dproduct_part2[i39] = 0.0;
                }
            } else {
                // 32: product[b] += factors[next] * centred[a];
                for i40 in (0_usize..10_usize).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t211 = dproduct[i40];
                    let t212 = mul_usize(i28, 10, "mixture_in_ten.rs:27:30");
                    let t213 = add_usize(t212, i40, "mixture_in_ten.rs:27:30");
                    let t214 = *elem(x, t213, "mixture_in_ten.rs:27:30");
                    let t215 = mul_usize(i31, 10, "mixture_in_ten.rs:27:30");
                    let t216 = add_usize(t215, i40, "mixture_in_ten.rs:27:30");
                    let t217 = *elem(t7, t216, "mixture_in_ten.rs:27:30");
                    let t218 = *elem(&diagonals, t216, "mixture_in_ten.rs:27:30");
                    let t219 = ddiagonals[t216] + mul_zero_if::<STRONG>(t211, t214 - t217);
                    ddiagonals[t216] = t219;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t220 = k.wrapping_add(t216);
                    let t221 = mul_zero_if::<STRONG>(t211, t218) + dcentred[i40];
                    dparams[t220] -= t221;
                    dcentred[i40] = 0.0;
                    dproduct[i40] = 0.0;
                }
            }
        }
        drop_records(&mut tape7, k);
        drop_records(&mut tape6, k);
        drop_records(&mut tape5, k);
        drop_records(&mut tape4, k);
        drop_records(&mut tape3, k);
        drop_records(&mut tape2, k);
    }
    for i41 in (0..k).rev() {
        // 15: logs[j] += q;
        let t222 = dlogs[i41];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        let records20 = last_records(&tape, 10);
        let ddiagonals_part3 = span_mut(&mut ddiagonals, i41.saturating_mul(10), 10);
        let t223 = i41.saturating_mul(55);
        let dparams_part3 = span_mut(dparams, t84.saturating_add(t223), 10);
        if !STRONG && ddiagonals_part3.len() == 10 && dparams_part3.len() == 10 {
            for i42 in (0_usize..10_usize).rev() {
                let t224 = records20[i42];
                // 14: let q = factors[j * size + a];
                let t225 = mul_zero_if::<STRONG>(ddiagonals_part3[i42], t224) + t222;
                dparams_part3[i42] += t225;
                ddiagonals_part3[i42] = 0.0;
            }
        } else {
            // 26: centred[a] = x[i * d + a] - means[j * d + a];
            for i43 in (0_usize..10_usize).rev() {
                let t226 = records20[i43];
                // 16: diagonals[j * d + a] = q.exp();
                let t227 = mul_usize(i41, 10, "mixture_in_ten.rs:16:13");
                let t228 = add_usize(t227, i43, "mixture_in_ten.rs:16:13");
                // 14: let q = factors[j * size + a];
                let t229 = mul_usize(i41, 55, "mixture_in_ten.rs:14:21");
                let t230 = add_usize(t229, i43, "mixture_in_ten.rs:14:21");
                let t231 = t84.wrapping_add(t230);
                let t232 = mul_zero_if::<STRONG>(ddiagonals[t228], t226) + t222;
                dparams[t231] += t232;
                ddiagonals[t228] = 0.0;
            }
        }
        drop_records(&mut tape, 10);
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
