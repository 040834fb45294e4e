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
        for i2 in 0_usize..10_usize {
            // 14: let q = factors[j * size + a];
            let t9 = mul_usize(i, 55, "mixture_in_ten.rs:14:29");
            let t10 = add_usize(t9, i2, "mixture_in_ten.rs:14:29");
            let t11 = *elem(t8, t10, "mixture_in_ten.rs:14:21");
            // 15: logs[j] += q;
            logs[i] += t11;
            // 16: diagonals[j * d + a] = q.exp();
            let t12 = t11.exp();
            let t13 = mul_usize(i, 10, "mixture_in_ten.rs:16:23");
            let t14 = add_usize(t13, i2, "mixture_in_ten.rs:16:23");
            *elem_mut(&mut diagonals, t14, "mixture_in_ten.rs:16:13") = t12;
            records[i2] = t12;
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
    for i3 in 0..t2 {
        // 24: for j in 0..k {
        let records2 = new_records(&mut tape2, k);
        let records3 = new_records(&mut tape3, k);
        let records4 = new_records(&mut tape4, k);
        let records5 = new_records(&mut tape5, k);
        let records6 = new_records(&mut tape6, k);
        let records7 = new_records(&mut tape7, k);
        for i4 in 0..k {
            // 25: for a in 0..d {
            let x_part = span(x, i3.saturating_mul(10), 10);
            let part2 = span(t7, i4.saturating_mul(10), 10);
            let centred_part = span_mut(&mut centred, 0, 10);
            let diagonals_part = span(&diagonals, i4.saturating_mul(10), 10);
            let product_part = span_mut(&mut product, 0, 10);
            if !STRONG
                && x_part.len() == 10
                && part2.len() == 10
                && centred_part.len() == 10
                && diagonals_part.len() == 10
                && product_part.len() == 10
            {
                for i5 in 0_usize..10_usize {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t15 = x_part[i5];
                    let t16 = part2[i5];
                    let t17 = t15 - t16;
                    centred_part[i5] = t17;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t18 = diagonals_part[i5];
                    product_part[i5] = t18 * t17;
                }
            } else {
                // 25: for a in 0..d {
                for i6 in 0_usize..10_usize {
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t19 = mul_usize(i3, 10, "mixture_in_ten.rs:26:32");
                    let t20 = add_usize(t19, i6, "mixture_in_ten.rs:26:32");
                    let t21 = *elem(x, t20, "mixture_in_ten.rs:26:30");
                    let t22 = mul_usize(i4, 10, "mixture_in_ten.rs:26:51");
                    let t23 = add_usize(t22, i6, "mixture_in_ten.rs:26:51");
                    let t24 = *elem(t7, t23, "mixture_in_ten.rs:26:45");
                    let t25 = t21 - t24;
                    centred[i6] = t25;
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t26 = *elem(&diagonals, t23, "mixture_in_ten.rs:27:30");
                    product[i6] = t26 * t25;
                }
            }
            // 29: let mut next = j * size + d;
            let t27 = mul_usize(i4, 55, "mixture_in_ten.rs:29:28");
            let mut next = add_usize(t27, 10, "mixture_in_ten.rs:29:28");
            // 32: product[b] += factors[next] * centred[a];
            let t28 = centred[0];
            records2[i4] = t28;
            // 31: for b in a + 1..d {
            for i7 in 1_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t29 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i7] += t29 * t28;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t30 = centred[1];
            records3[i4] = (next, t30);
            // 31: for b in a + 1..d {
            for i8 in 2_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t31 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i8] += t31 * t30;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t32 = centred[2];
            records4[i4] = (next, t32);
            // 31: for b in a + 1..d {
            for i9 in 3_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t33 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i9] += t33 * t32;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t34 = centred[3];
            records5[i4] = (next, t34);
            // 31: for b in a + 1..d {
            for i10 in 4_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t35 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i10] += t35 * t34;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t36 = centred[4];
            records6[i4] = (next, t36);
            // 31: for b in a + 1..d {
            for i11 in 5_usize..10_usize {
                // 32: product[b] += factors[next] * centred[a];
                let t37 = *elem(t8, next, "mixture_in_ten.rs:32:35");
                product[i11] += t37 * t36;
                // 33: next += 1;
                next = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            }
            // 32: product[b] += factors[next] * centred[a];
            let t38 = centred[5];
            let t39 = *elem(t8, next, "mixture_in_ten.rs:32:35");
            product[6] += t39 * t38;
            // 33: next += 1;
            let t40 = add_usize(next, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t41 = *elem(t8, t40, "mixture_in_ten.rs:32:35");
            product[7] += t41 * t38;
            // 33: next += 1;
            let t42 = add_usize(t40, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t43 = *elem(t8, t42, "mixture_in_ten.rs:32:35");
            product[8] += t43 * t38;
            // 33: next += 1;
            let t44 = add_usize(t42, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t45 = *elem(t8, t44, "mixture_in_ten.rs:32:35");
            product[9] += t45 * t38;
            // 33: next += 1;
            let t46 = add_usize(t44, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t47 = centred[6];
            let t48 = *elem(t8, t46, "mixture_in_ten.rs:32:35");
            product[7] += t48 * t47;
            // 33: next += 1;
            let t49 = add_usize(t46, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t50 = *elem(t8, t49, "mixture_in_ten.rs:32:35");
            product[8] += t50 * t47;
            // 33: next += 1;
            let t51 = add_usize(t49, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t52 = *elem(t8, t51, "mixture_in_ten.rs:32:35");
            product[9] += t52 * t47;
            // 33: next += 1;
            let t53 = add_usize(t51, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t54 = centred[7];
            let t55 = *elem(t8, t53, "mixture_in_ten.rs:32:35");
            product[8] += t55 * t54;
            // 33: next += 1;
            let t56 = add_usize(t53, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t57 = *elem(t8, t56, "mixture_in_ten.rs:32:35");
            let t58 = product[9] + t57 * t54;
            product[9] = t58;
            // 33: next += 1;
            let t59 = add_usize(t56, 1, "mixture_in_ten.rs:33:21");
            // 32: product[b] += factors[next] * centred[a];
            let t60 = centred[8];
            let t61 = *elem(t8, t59, "mixture_in_ten.rs:32:35");
            product[9] = t58 + t61 * t60;
            // 33: next += 1;
            let _ = add_usize(t59, 1, "mixture_in_ten.rs:33:21");
            records7[i4] = (next, t38, t47, t54, t57, t59, t60);
            // 31: for b in a + 1..d {
            let mut length: f64 = 0.0;
            // 37: for a in 0..d {
            let records8 = new_records(&mut tape8, 10);
            for i12 in 0_usize..10_usize {
                // 38: length += product[a] * product[a];
                let t62 = product[i12];
                records8[i12] = t62;
                length += t62 * t62;
            }
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t63 = *elem(t3, i4, "mixture_in_ten.rs:40:24");
            let t64 = t63 + logs[i4] - 0.5 * length;
            terms[i4] = t64;
        }
        // 64: let mut largest = terms[0];
        let mut largest = *elem(&terms, 0, "mixture_in_ten.rs:64:23");
        // 65: for t in terms {
        let t65 = terms.len();
        let records9 = new_records(&mut tape10, t65);
        for i13 in 0..t65 {
            let mut t66 = terms[i13];
            // 66: if *t > largest {
            let t67 = t66 > largest;
            if !t67 {
                t66 = largest;
            }
            records9[i13] = t67;
            // 65: for t in terms {
            largest = t66;
        }
        tape11[i3] = t65;
        // 71: for t in terms {
        let mut sum2: f64 = 0.0;
        let records10 = new_records(&mut tape9, t65);
        for i14 in 0..t65 {
            // 72: sum += (t - largest).exp();
            let t68 = (terms[i14] - largest).exp();
            records10[i14] = t68;
            sum2 += t68;
        }
        // 42: total += log_sum_exp(&terms);
        tape12[i3] = (t65, sum2);
        total += sum2.ln() + largest;
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let t69 = t2 as f64;
    // 64: let mut largest = terms[0];
    let mut largest2 = *elem(t3, 0, "mixture_in_ten.rs:64:23");
    // 65: for t in terms {
    let t70 = t3.len();
    let mut tape13 = vec![false; t70];
    for i15 in 0..t70 {
        let mut t71 = params[i15];
        // 66: if *t > largest {
        let t72 = t71 > largest2;
        if !t72 {
            t71 = largest2;
        }
        tape13[i15] = t72;
        // 65: for t in terms {
        largest2 = t71;
    }
    let mut sum3: f64 = 0.0;
    // 71: for t in terms {
    let mut tape14 = vec![0.0; t70];
    for i16 in 0..t70 {
        // 72: sum += (t - largest).exp();
        let t73 = (params[i16] - largest2).exp();
        tape14[i16] = t73;
        sum3 += t73;
    }
    // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
    let t74 = 0.5 * gamma * gamma;
    // 45: for j in 0..k {
    let mut total2 = total - t69 * (sum3.ln() + largest2);
    for i17 in 0..k {
        // 47: for a in 0..d {
        let mut squares: f64 = 0.0;
        for i18 in 0_usize..10_usize {
            // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
            let t75 = mul_usize(i17, 10, "mixture_in_ten.rs:48:34");
            let t76 = add_usize(t75, i18, "mixture_in_ten.rs:48:34");
            let t77 = *elem(&diagonals, t76, "mixture_in_ten.rs:48:24");
            squares += t77 * t77;
        }
        // 50: for a in d..size {
        for i19 in 10_usize..55_usize {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            let t78 = mul_usize(i17, 55, "mixture_in_ten.rs:51:32");
            let t79 = add_usize(t78, i19, "mixture_in_ten.rs:51:32");
            let t80 = *elem(t8, t79, "mixture_in_ten.rs:51:24");
            squares += t80 * t80;
        }
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        total2 += t74 * squares - m * logs[i17];
    }
    let mut ddiagonals = vec![0.0; t5];
    let mut dlogs = vec![0.0; k];
    let t81 = -1.0 * m;
    // 51: squares += factors[j * size + a] * factors[j * size + a];
    let t82 = k.wrapping_add(t5);
    for i20 in (0..k).rev() {
        // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
        dlogs[i20] = 0.0 + t81;
        let t83 = 55_usize.saturating_sub(10);
        let t84 = i20.saturating_mul(55);
        let part3 = long_span(t8, t84.saturating_add(10), t83);
        let t85 = t82.saturating_add(10);
        let t86 = i20.saturating_mul(55);
        let dparams_part = long_span_mut(dparams, t85.saturating_add(t86), t83);
        if !STRONG && part3.len() == t83 && dparams_part.len() == t83 {
            for i21 in (10_usize..55_usize).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t87 = part3[i21 - 10];
                let t88 = mul_zero_if::<STRONG>(t74, t87);
                dparams_part[i21 - 10] += t88 + t88;
            }
        } else {
            // 53: total += 0.5 * gamma * gamma * squares - m * logs[j];
            for i22 in (10_usize..55_usize).rev() {
                // 51: squares += factors[j * size + a] * factors[j * size + a];
                let t89 = mul_usize(i20, 55, "mixture_in_ten.rs:51:24");
                let t90 = add_usize(t89, i22, "mixture_in_ten.rs:51:24");
                let t91 = *elem(t8, t90, "mixture_in_ten.rs:51:24");
                let t92 = mul_zero_if::<STRONG>(t74, t91);
                let t93 = t82.wrapping_add(t90);
                dparams[t93] += t92 + t92;
            }
        }
        let diagonals_part2 = span(&diagonals, i20.saturating_mul(10), 10);
        let ddiagonals_part = span_mut(&mut ddiagonals, i20.saturating_mul(10), 10);
        if !STRONG && diagonals_part2.len() == 10 && ddiagonals_part.len() == 10 {
            for i23 in (0_usize..10_usize).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t94 = diagonals_part2[i23];
                let t95 = mul_zero_if::<STRONG>(t74, t94);
                ddiagonals_part[i23] += t95 + t95;
            }
        } else {
            // 51: squares += factors[j * size + a] * factors[j * size + a];
            for i24 in (0_usize..10_usize).rev() {
                // 48: squares += diagonals[j * d + a] * diagonals[j * d + a];
                let t96 = mul_usize(i20, 10, "mixture_in_ten.rs:48:24");
                let t97 = add_usize(t96, i24, "mixture_in_ten.rs:48:24");
                let t98 = *elem(&diagonals, t97, "mixture_in_ten.rs:48:24");
                let t99 = mul_zero_if::<STRONG>(t74, t98);
                ddiagonals[t97] += t99 + t99;
            }
        }
    }
    // 44: total -= n as f64 * log_sum_exp(weights);
    let mut dlargest = -1.0 * t69;
    // 74: sum.ln() + largest
    let t100 = mul_zero_if::<STRONG>(dlargest, 1.0 / sum3);
    for i25 in (0..t70).rev() {
        let t101 = tape14[i25];
        // 72: sum += (t - largest).exp();
        let t102 = mul_zero_if::<STRONG>(t100, t101);
        // 71: for t in terms {
        dparams[i25] += t102;
        dlargest -= t102;
    }
    for i26 in (0..t70).rev() {
        let t103 = tape13[i26];
        let dlargest2: f64;
        if t103 {
            dlargest2 = 0.0;
        } else {
            dlargest2 = dlargest;
            dlargest = 0.0;
        }
        // 65: for t in terms {
        dparams[i26] += dlargest;
        dlargest = dlargest2;
    }
    // 64: let mut largest = terms[0];
    dparams[0] += dlargest;
    let mut dterms = vec![0.0; k];
    let mut dcentred = [0.0; 10];
    let mut dproduct = [0.0; 10];
    for i27 in (0..t2).rev() {
        let t104 = tape12[i27];
        // 74: sum.ln() + largest
        let t105 = 1.0 / t104.1;
        let t106 = t104.0;
        let mut dlargest3: f64 = 1.0;
        let records11 = last_records(&tape9, t106);
        for i28 in (0..t106).rev() {
            let t107 = records11[i28];
            // 72: sum += (t - largest).exp();
            let t108 = mul_zero_if::<STRONG>(t105, t107);
            // 71: for t in terms {
            dterms[i28] += t108;
            dlargest3 -= t108;
        }
        drop_records(&mut tape9, t106);
        let t109 = tape11[i27];
        let records12 = last_records(&tape10, t109);
        for i29 in (0..t109).rev() {
            let t110 = records12[i29];
            let dlargest4: f64;
            if t110 {
                dlargest4 = 0.0;
            } else {
                dlargest4 = dlargest3;
                dlargest3 = 0.0;
            }
            // 65: for t in terms {
            dterms[i29] += dlargest3;
            dlargest3 = dlargest4;
        }
        drop_records(&mut tape10, t109);
        // 64: let mut largest = terms[0];
        dterms[0] += dlargest3;
        let records13 = last_records(&tape7, k);
        let records14 = last_records(&tape6, k);
        let records15 = last_records(&tape5, k);
        let records16 = last_records(&tape4, k);
        let records17 = last_records(&tape3, k);
        let records18 = last_records(&tape2, k);
        for i30 in (0..k).rev() {
            // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
            let t111 = dterms[i30];
            let t112 = -t111 * 0.5;
            dlogs[i30] += t111;
            dparams[i30] += t111;
            dterms[i30] = 0.0;
            let records19 = last_records(&tape8, 10);
            let dproduct_part = span_mut(&mut dproduct, 0, 10);
            if !STRONG && dproduct_part.len() == 10 {
                for i31 in (0_usize..10_usize).rev() {
                    let t113 = records19[i31];
                    // 38: length += product[a] * product[a];
                    let t114 = mul_zero_if::<STRONG>(t112, t113);
                    dproduct_part[i31] += t114 + t114;
                }
            } else {
                // 40: terms[j] = weights[j] + logs[j] - 0.5 * length;
                for i32 in (0_usize..10_usize).rev() {
                    let t115 = records19[i32];
                    // 38: length += product[a] * product[a];
                    let t116 = mul_zero_if::<STRONG>(t112, t115);
                    dproduct[i32] += t116 + t116;
                }
            }
            drop_records(&mut tape8, 10);
            let t117 = records13[i30];
            // 32: product[b] += factors[next] * centred[a];
            let t118 = dproduct[9];
            let t119 = t117.5;
            let t120 = *elem(t8, t119, "mixture_in_ten.rs:32:35");
            let t121 = t82.wrapping_add(t119);
            let t122 = dparams[t121] + mul_zero_if::<STRONG>(t118, t117.6);
            dparams[t121] = t122;
            dcentred[8] += mul_zero_if::<STRONG>(t118, t120);
            dproduct[9] = 0.0;
            let t123 = t118 + 0.0;
            dproduct[9] = t123;
            let t124 = t117.3;
            let t125 = t117.0;
            let t126 = add_usize(t125, 1, "mixture_in_ten.rs:32:35");
            let t127 = add_usize(t126, 1, "mixture_in_ten.rs:32:35");
            let t128 = add_usize(t127, 1, "mixture_in_ten.rs:32:35");
            let t129 = add_usize(t128, 1, "mixture_in_ten.rs:32:35");
            let t130 = add_usize(t129, 1, "mixture_in_ten.rs:32:35");
            let t131 = add_usize(t130, 1, "mixture_in_ten.rs:32:35");
            let t132 = add_usize(t131, 1, "mixture_in_ten.rs:32:35");
            let t133 = add_usize(t132, 1, "mixture_in_ten.rs:32:35");
            let t134 = t82.wrapping_add(t133);
            dparams[t134] += mul_zero_if::<STRONG>(t123, t124);
            let t135 = dproduct[8];
            let t136 = *elem(t8, t132, "mixture_in_ten.rs:32:35");
            let t137 = mul_zero_if::<STRONG>(t123, t117.4);
            let t138 = t82.wrapping_add(t132);
            dparams[t138] += mul_zero_if::<STRONG>(t135, t124);
            let t139 = dcentred[7] + (t137 + mul_zero_if::<STRONG>(t135, t136));
            dcentred[7] = t139;
            let t140 = t117.2;
            let t141 = *elem(t8, t131, "mixture_in_ten.rs:32:35");
            let t142 = t82.wrapping_add(t131);
            dparams[t142] += mul_zero_if::<STRONG>(t123, t140);
            let t143 = *elem(t8, t130, "mixture_in_ten.rs:32:35");
            let t144 = t82.wrapping_add(t130);
            dparams[t144] += mul_zero_if::<STRONG>(t135, t140);
            let t145 = dproduct[7];
            let t146 = *elem(t8, t129, "mixture_in_ten.rs:32:35");
            let t147 = mul_zero_if::<STRONG>(t123, t141) + mul_zero_if::<STRONG>(t135, t143);
            let t148 = t82.wrapping_add(t129);
            dparams[t148] += mul_zero_if::<STRONG>(t145, t140);
            let t149 = dcentred[6] + (t147 + mul_zero_if::<STRONG>(t145, t146));
            dcentred[6] = t149;
            let t150 = t117.1;
            let t151 = *elem(t8, t128, "mixture_in_ten.rs:32:35");
            let t152 = t82.wrapping_add(t128);
            dparams[t152] += mul_zero_if::<STRONG>(t123, t150);
            let t153 = *elem(t8, t127, "mixture_in_ten.rs:32:35");
            let t154 = t82.wrapping_add(t127);
            dparams[t154] += mul_zero_if::<STRONG>(t135, t150);
            let t155 = *elem(t8, t126, "mixture_in_ten.rs:32:35");
            let t156 = mul_zero_if::<STRONG>(t123, t151) + mul_zero_if::<STRONG>(t135, t153);
            let t157 = t82.wrapping_add(t126);
            dparams[t157] += mul_zero_if::<STRONG>(t145, t150);
            let t158 = dproduct[6];
            let t159 = *elem(t8, t125, "mixture_in_ten.rs:32:35");
            let t160 = t156 + mul_zero_if::<STRONG>(t145, t155);
            let t161 = t82.wrapping_add(t125);
            dparams[t161] += mul_zero_if::<STRONG>(t158, t150);
            let t162 = dcentred[5] + (t160 + mul_zero_if::<STRONG>(t158, t159));
            dcentred[5] = t162;
            let t163 = records14[i30];
            let t164 = t163.0;
            let t165 = records14[i30];
            let t166 = t165.1;
            let mut d120: f64 = 0.0;
            for i33 in (5_usize..10_usize).rev() {
                let t167 = dproduct[i33];
                let t168 = t164.wrapping_add(i33.wrapping_sub(5));
                let t169 = *elem(t8, t168, "mixture_in_ten.rs:32:35");
                let t170 = t82.wrapping_add(t168);
                dparams[t170] += mul_zero_if::<STRONG>(t167, t166);
                d120 += mul_zero_if::<STRONG>(t167, t169);
            }
            dcentred[4] += d120;
            let t171 = records15[i30];
            let t172 = t171.0;
            let t173 = records15[i30];
            let t174 = t173.1;
            let mut d108: f64 = 0.0;
            for i34 in (4_usize..10_usize).rev() {
                let t175 = dproduct[i34];
                let t176 = t172.wrapping_add(i34.wrapping_sub(4));
                let t177 = *elem(t8, t176, "mixture_in_ten.rs:32:35");
                let t178 = t82.wrapping_add(t176);
                dparams[t178] += mul_zero_if::<STRONG>(t175, t174);
                d108 += mul_zero_if::<STRONG>(t175, t177);
            }
            dcentred[3] += d108;
            let t179 = records16[i30];
            let t180 = t179.0;
            let t181 = records16[i30];
            let t182 = t181.1;
            let mut d96: f64 = 0.0;
            for i35 in (3_usize..10_usize).rev() {
                let t183 = dproduct[i35];
                let t184 = t180.wrapping_add(i35.wrapping_sub(3));
                let t185 = *elem(t8, t184, "mixture_in_ten.rs:32:35");
                let t186 = t82.wrapping_add(t184);
                dparams[t186] += mul_zero_if::<STRONG>(t183, t182);
                d96 += mul_zero_if::<STRONG>(t183, t185);
            }
            dcentred[2] += d96;
            let t187 = records17[i30];
            let t188 = t187.0;
            let t189 = records17[i30];
            let t190 = t189.1;
            let mut d84: f64 = 0.0;
            for i36 in (2_usize..10_usize).rev() {
                let t191 = dproduct[i36];
                let t192 = t188.wrapping_add(i36.wrapping_sub(2));
                let t193 = *elem(t8, t192, "mixture_in_ten.rs:32:35");
                let t194 = t82.wrapping_add(t192);
                dparams[t194] += mul_zero_if::<STRONG>(t191, t190);
                d84 += mul_zero_if::<STRONG>(t191, t193);
            }
            dcentred[1] += d84;
            let t195 = records18[i30];
            let mut d72: f64 = 0.0;
            for i37 in (1_usize..10_usize).rev() {
                let t196 = dproduct[i37];
                let t197 = mul_usize(i30, 55, "mixture_in_ten.rs:32:35");
                let t198 = add_usize(t197, 10, "mixture_in_ten.rs:32:35");
                let t199 = t198.wrapping_add(i37.wrapping_sub(1));
                let t200 = *elem(t8, t199, "mixture_in_ten.rs:32:35");
                let t201 = t82.wrapping_add(t199);
                dparams[t201] += mul_zero_if::<STRONG>(t196, t195);
                d72 += mul_zero_if::<STRONG>(t196, t200);
            }
            dcentred[0] += d72;
            let dproduct_part2 = span_mut(&mut dproduct, 0, 10);
            let x_part2 = span(x, i27.saturating_mul(10), 10);
            let part4 = span(t7, i30.saturating_mul(10), 10);
            let diagonals_part3 = span(&diagonals, i30.saturating_mul(10), 10);
            let ddiagonals_part2 = span_mut(&mut ddiagonals, i30.saturating_mul(10), 10);
            let dcentred_part = span_mut(&mut dcentred, 0, 10);
            let t202 = i30.saturating_mul(10);
            let dparams_part2 = span_mut(dparams, k.saturating_add(t202), 10);
            if !STRONG
                && dproduct_part2.len() == 10
                && x_part2.len() == 10
                && part4.len() == 10
                && diagonals_part3.len() == 10
                && ddiagonals_part2.len() == 10
                && dcentred_part.len() == 10
                && dparams_part2.len() == 10
            {
                for i38 in (0_usize..10_usize).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t203 = dproduct_part2[i38];
                    let t204 = x_part2[i38];
                    let t205 = part4[i38];
                    let t206 = diagonals_part3[i38];
                    let t207 = ddiagonals_part2[i38] + mul_zero_if::<STRONG>(t203, t204 - t205);
                    ddiagonals_part2[i38] = t207;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t208 = mul_zero_if::<STRONG>(t203, t206) + dcentred_part[i38];
                    dparams_part2[i38] -= t208;
                    dcentred_part[i38] = 0.0;
                    dproduct_part2[i38] = 0.0;
                }
            } else {
                // 32: product[b] += factors[next] * centred[a];
                for i39 in (0_usize..10_usize).rev() {
                    // 27: product[a] = diagonals[j * d + a] * centred[a];
                    let t209 = dproduct[i39];
                    let t210 = mul_usize(i27, 10, "mixture_in_ten.rs:27:30");
                    let t211 = add_usize(t210, i39, "mixture_in_ten.rs:27:30");
                    let t212 = *elem(x, t211, "mixture_in_ten.rs:27:30");
                    let t213 = mul_usize(i30, 10, "mixture_in_ten.rs:27:30");
                    let t214 = add_usize(t213, i39, "mixture_in_ten.rs:27:30");
                    let t215 = *elem(t7, t214, "mixture_in_ten.rs:27:30");
                    let t216 = *elem(&diagonals, t214, "mixture_in_ten.rs:27:30");
                    let t217 = ddiagonals[t214] + mul_zero_if::<STRONG>(t209, t212 - t215);
                    ddiagonals[t214] = t217;
                    // 26: centred[a] = x[i * d + a] - means[j * d + a];
                    let t218 = k.wrapping_add(t214);
                    let t219 = mul_zero_if::<STRONG>(t209, t216) + dcentred[i39];
                    dparams[t218] -= t219;
                    dcentred[i39] = 0.0;
                    dproduct[i39] = 0.0;
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
    for i40 in (0..k).rev() {
        // 15: logs[j] += q;
        let t220 = dlogs[i40];
        // 26: centred[a] = x[i * d + a] - means[j * d + a];
        let records20 = last_records(&tape, 10);
        let ddiagonals_part3 = span_mut(&mut ddiagonals, i40.saturating_mul(10), 10);
        let t221 = i40.saturating_mul(55);
        let dparams_part3 = span_mut(dparams, t82.saturating_add(t221), 10);
        if !STRONG && ddiagonals_part3.len() == 10 && dparams_part3.len() == 10 {
            for i41 in (0_usize..10_usize).rev() {
                let t222 = records20[i41];
                // 14: let q = factors[j * size + a];
                let t223 = mul_zero_if::<STRONG>(ddiagonals_part3[i41], t222) + t220;
                dparams_part3[i41] += t223;
                ddiagonals_part3[i41] = 0.0;
            }
        } else {
            // 26: centred[a] = x[i * d + a] - means[j * d + a];
            for i42 in (0_usize..10_usize).rev() {
                let t224 = records20[i42];
                // 16: diagonals[j * d + a] = q.exp();
                let t225 = mul_usize(i40, 10, "mixture_in_ten.rs:16:13");
                let t226 = add_usize(t225, i42, "mixture_in_ten.rs:16:13");
                // 14: let q = factors[j * size + a];
                let t227 = mul_usize(i40, 55, "mixture_in_ten.rs:14:21");
                let t228 = add_usize(t227, i42, "mixture_in_ten.rs:14:21");
                let t229 = t82.wrapping_add(t228);
                let t230 = mul_zero_if::<STRONG>(ddiagonals[t226], t224) + t220;
                dparams[t229] += t230;
                ddiagonals[t226] = 0.0;
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
