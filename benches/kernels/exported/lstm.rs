/// The value and the gradient of `lstm`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn lstm_value_and_gradient_into(
    params: &[f64],
    state: &[f64],
    sequence: &[f64],
    layers: usize,
    b: usize,
    dparams: &mut [f64],
) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found =
        lstm_value_and_gradient_into_by::<false>(params, state, sequence, layers, b, dparams);
    if any_nan(dparams) {
        lstm_value_and_gradient_into_by::<true>(params, state, sequence, layers, b, dparams)
    } else {
        found
    }
}

#[allow(
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::type_complexity
)]
fn lstm_value_and_gradient_into_by<const STRONG: bool>(
    params: &[f64],
    state: &[f64],
    sequence: &[f64],
    layers: usize,
    b: usize,
    dparams: &mut [f64],
) -> f64 {
    let mut tape: Vec<(f64, f64, f64, f64, f64, f64, f64, f64)> = Vec::new();
    let mut tape2: Vec<(f64, f64)> = Vec::new();
    let t1 = params.len();
    zero(dparams, t1, "lstm.rs:9:8");
    // 10: let rows = sequence.len() / b;
    let t2 = div_usize(sequence.len(), b, "lstm.rs:10:16");
    // 11: let (gates, ends) = params.split_at(8 * b * layers);
    let t3 = mul_usize(8, b, "lstm.rs:11:41");
    let t4 = mul_usize(t3, layers, "lstm.rs:11:41");
    if t4 > t1 {
        fail("mid > len", "lstm.rs:11:25");
    }
    let t5 = part(params, 0, t4, "lstm.rs:11:25");
    let t6 = part(params, t4, t1, "lstm.rs:11:25");
    // 12: let mut hidden = vec![0.0; layers * b];
    let t7 = mul_usize(layers, b, "lstm.rs:12:32");
    let mut hidden = vec![0.0; t7];
    // 13: let mut cells = vec![0.0; layers * b];
    let mut cells = vec![0.0; t7];
    // 14: for i in 0..layers {
    for i in 0..layers {
        // 15: for j in 0..b {
        for i2 in 0..b {
            // 16: hidden[i * b + j] = state[2 * b * i + j];
            let t8 = mul_usize(2, b, "lstm.rs:16:39");
            let t9 = mul_usize(t8, i, "lstm.rs:16:39");
            let t10 = add_usize(t9, i2, "lstm.rs:16:39");
            let t11 = *elem(state, t10, "lstm.rs:16:33");
            let t12 = mul_usize(i, b, "lstm.rs:16:20");
            let t13 = add_usize(t12, i2, "lstm.rs:16:20");
            *elem_mut(&mut hidden, t13, "lstm.rs:16:13") = t11;
            // 17: cells[i * b + j] = state[2 * b * i + b + j];
            let t14 = add_usize(t9, b, "lstm.rs:17:38");
            let t15 = add_usize(t14, i2, "lstm.rs:17:38");
            let t16 = *elem(state, t15, "lstm.rs:17:32");
            *elem_mut(&mut cells, t13, "lstm.rs:17:13") = t16;
        }
    }
    // 20: let mut input = vec![0.0; b];
    let mut input = vec![0.0; b];
    // 22: for t in 0..rows - 1 {
    let t17 = sub_usize(t2, 1, "lstm.rs:22:17");
    let mut total: f64 = 0.0;
    make_room(&mut tape, t17.saturating_mul(layers).saturating_mul(b));
    make_room(&mut tape2, t17.saturating_mul(b));
    let mut tape3 = vec![0.0; t17];
    for i3 in 0..t17 {
        // 23: for j in 0..b {
        let part2 = long_span(t6, 0, b);
        let sequence_part = long_span(sequence, b.saturating_mul(i3), b);
        let input_part = long_span_mut(&mut input, 0, b);
        if !STRONG && part2.len() == b && sequence_part.len() == b && input_part.len() == b {
            for i4 in 0..b {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t18 = part2[i4];
                let t19 = sequence_part[i4];
                input_part[i4] = t18 * t19;
            }
        } else {
            // 23: for j in 0..b {
            for i5 in 0..b {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t20 = *elem(t6, i5, "lstm.rs:24:24");
                let t21 = mul_usize(i3, b, "lstm.rs:24:43");
                let t22 = add_usize(t21, i5, "lstm.rs:24:43");
                let t23 = *elem(sequence, t22, "lstm.rs:24:34");
                input[i5] = t20 * t23;
            }
        }
        // 26: for i in 0..layers {
        for i6 in 0..layers {
            // 27: let (weight, bias) = (8 * b * i, 8 * b * i + 4 * b);
            let t24 = mul_usize(t3, i6, "lstm.rs:27:35");
            let t25 = mul_usize(4, b, "lstm.rs:27:58");
            let t26 = add_usize(t24, t25, "lstm.rs:27:46");
            // 28: for j in 0..b {
            let records = new_records(&mut tape, b);
            for i7 in 0..b {
                // 29: let (h, x) = (hidden[i * b + j], input[j]);
                let t27 = mul_usize(i6, b, "lstm.rs:29:38");
                let t28 = add_usize(t27, i7, "lstm.rs:29:38");
                let t29 = *elem(&hidden, t28, "lstm.rs:29:31");
                let t30 = input[i7];
                // 30: let forget = sigmoid(x * gates[weight + j] + gates[bias + j]);
                let t31 = add_usize(t24, i7, "lstm.rs:30:48");
                let t32 = *elem(t5, t31, "lstm.rs:30:42");
                let t33 = add_usize(t26, i7, "lstm.rs:30:68");
                let t34 = *elem(t5, t33, "lstm.rs:30:62");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t35 = (-(t30 * t32 + t34)).exp();
                // 31: let ingate = sigmoid(h * gates[weight + b + j] + gates[bias + b + j]);
                let t36 = add_usize(t24, b, "lstm.rs:31:48");
                let t37 = add_usize(t36, i7, "lstm.rs:31:48");
                let t38 = *elem(t5, t37, "lstm.rs:31:42");
                let t39 = add_usize(t26, b, "lstm.rs:31:72");
                let t40 = add_usize(t39, i7, "lstm.rs:31:72");
                let t41 = *elem(t5, t40, "lstm.rs:31:66");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t42 = (-(t29 * t38 + t41)).exp();
                // 32: let outgate = sigmoid(x * gates[weight + 2 * b + j] + gates[bias + 2 * b + j]);
                let t43 = mul_usize(2, b, "lstm.rs:32:58");
                let t44 = add_usize(t24, t43, "lstm.rs:32:49");
                let t45 = add_usize(t44, i7, "lstm.rs:32:49");
                let t46 = *elem(t5, t45, "lstm.rs:32:43");
                let t47 = add_usize(t26, t43, "lstm.rs:32:77");
                let t48 = add_usize(t47, i7, "lstm.rs:32:77");
                let t49 = *elem(t5, t48, "lstm.rs:32:71");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t50 = (-(t30 * t46 + t49)).exp();
                // 33: let change = (h * gates[weight + 3 * b + j] + gates[bias + 3 * b + j]).tanh();
                let t51 = mul_usize(3, b, "lstm.rs:33:50");
                let t52 = add_usize(t24, t51, "lstm.rs:33:41");
                let t53 = add_usize(t52, i7, "lstm.rs:33:41");
                let t54 = *elem(t5, t53, "lstm.rs:33:35");
                let t55 = add_usize(t26, t51, "lstm.rs:33:69");
                let t56 = add_usize(t55, i7, "lstm.rs:33:69");
                let t57 = *elem(t5, t56, "lstm.rs:33:63");
                let t58 = (t29 * t54 + t57).tanh();
                // 34: let cell = cells[i * b + j] * forget + ingate * change;
                let t59 = *elem(&cells, t28, "lstm.rs:34:28");
                let t60 = 1.0 / (1.0 + t42) * t58;
                let t61 = t59 * (1.0 / (1.0 + t35)) + t60;
                // 35: cells[i * b + j] = cell;
                cells[t28] = t61;
                // 36: hidden[i * b + j] = outgate * cell.tanh();
                let t62 = t61.tanh();
                let t63 = 1.0 / (1.0 + t50) * t62;
                hidden[t28] = t63;
                // 37: input[j] = hidden[i * b + j];
                input[i7] = t63;
                let t64 = (t29, t30, t35, t42, t50, t58, t59, t62);
                records[i7] = t64;
            }
        }
        // 26: for i in 0..layers {
        let mut sum2: f64 = 0.0;
        // 41: for j in 0..b {
        let records2 = new_records(&mut tape2, b);
        for i8 in 0..b {
            // 42: input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            let t65 = input[i8];
            let t66 = add_usize(b, i8, "lstm.rs:42:40");
            let t67 = *elem(t6, t66, "lstm.rs:42:35");
            let t68 = mul_usize(2, b, "lstm.rs:42:54");
            let t69 = add_usize(t68, i8, "lstm.rs:42:54");
            let t70 = *elem(t6, t69, "lstm.rs:42:49");
            let t71 = t65 * t67 + t70;
            input[i8] = t71;
            // 43: sum += input[j].exp();
            let t72 = t71.exp();
            records2[i8] = (t65, t72);
            sum2 += t72;
        }
        // 45: let log = (sum + 2.0).ln();
        let t73 = sum2 + 2.0;
        let t74 = t73.ln();
        tape3[i3] = t73;
        // 46: for j in 0..b {
        for i9 in 0..b {
            // 47: total += (input[j] - log) * sequence[(t + 1) * b + j];
            let t75 = mul_usize(i3 + 1, b, "lstm.rs:47:51");
            let t76 = add_usize(t75, i9, "lstm.rs:47:51");
            let t77 = *elem(sequence, t76, "lstm.rs:47:41");
            total += (input[i9] - t74) * t77;
        }
    }
    // 50: -total / ((rows - 1) * b) as f64
    let t78 = mul_usize(t17, b, "lstm.rs:50:16");
    let t79 = t78 as f64;
    let t80 = -total / t79;
    let t81 = -(1.0 / t79);
    let mut dinput = vec![0.0; b];
    let mut dhidden = vec![0.0; t7];
    let mut dcells = vec![0.0; t7];
    for i10 in (0..t17).rev() {
        let mut d182: f64 = 0.0;
        for i11 in (0..b).rev() {
            // 47: total += (input[j] - log) * sequence[(t + 1) * b + j];
            let t82 = mul_usize(i10 + 1, b, "lstm.rs:47:23");
            let t83 = add_usize(t82, i11, "lstm.rs:47:23");
            let t84 = *elem(sequence, t83, "lstm.rs:47:23");
            let t85 = mul_zero_if::<STRONG>(t81, t84);
            dinput[i11] += t85;
            d182 -= t85;
        }
        let t86 = tape3[i10];
        // 45: let log = (sum + 2.0).ln();
        let t87 = mul_zero_if::<STRONG>(d182, 1.0 / t86);
        let records3 = last_records(&tape2, b);
        for i12 in (0..b).rev() {
            let t88 = records3[i12];
            // 42: input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            let t89 = mul_zero_if::<STRONG>(t87, t88.1) + dinput[i12];
            let t90 = mul_usize(2, b, "lstm.rs:42:49");
            let t91 = add_usize(t90, i12, "lstm.rs:42:49");
            let t92 = t4.wrapping_add(t91);
            dparams[t92] += t89;
            let t93 = add_usize(b, i12, "lstm.rs:42:24");
            let t94 = *elem(t6, t93, "lstm.rs:42:24");
            let t95 = t4.wrapping_add(t93);
            let t96 = dparams[t95] + mul_zero_if::<STRONG>(t89, t88.0);
            dparams[t95] = t96;
            dinput[i12] = mul_zero_if::<STRONG>(t89, t94);
        }
        drop_records(&mut tape2, b);
        for i13 in (0..layers).rev() {
            let records4 = last_records(&tape, b);
            for i14 in (0..b).rev() {
                let t97 = records4[i14];
                // 36: hidden[i * b + j] = outgate * cell.tanh();
                let t98 = mul_usize(i13, b, "lstm.rs:36:17");
                let t99 = add_usize(t98, i14, "lstm.rs:36:17");
                let t100 = dinput[i14] + dhidden[t99];
                let t101 = t97.7;
                let t102 = t97.4;
                let t103 = 1.0 / (1.0 + t102);
                let t104 = (1.0 - t101) * (1.0 + t101);
                // 35: cells[i * b + j] = cell;
                let t105 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t100, t103), t104);
                let t106 = t105 + dcells[t99];
                // 34: let cell = cells[i * b + j] * forget + ingate * change;
                let t107 = t97.5;
                let t108 = t97.3;
                let t109 = 1.0 / (1.0 + t108);
                let t110 = t97.2;
                let t111 = 1.0 / (1.0 + t110);
                dcells[t99] = mul_zero_if::<STRONG>(t106, t111);
                // 33: let change = (h * gates[weight + 3 * b + j] + gates[bias + 3 * b + j]).tanh();
                let t112 = (1.0 - t107) * (1.0 + t107);
                let t113 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t106, t109), t112);
                let t114 = mul_usize(t3, i13, "lstm.rs:33:63");
                let t115 = mul_usize(4, b, "lstm.rs:33:63");
                let t116 = add_usize(t114, t115, "lstm.rs:33:63");
                let t117 = mul_usize(3, b, "lstm.rs:33:63");
                let t118 = add_usize(t116, t117, "lstm.rs:33:63");
                let t119 = add_usize(t118, i14, "lstm.rs:33:63");
                dparams[t119] += t113;
                let t120 = add_usize(t114, t117, "lstm.rs:33:31");
                let t121 = add_usize(t120, i14, "lstm.rs:33:31");
                let t122 = *elem(t5, t121, "lstm.rs:33:31");
                let t123 = t97.0;
                dparams[t121] += mul_zero_if::<STRONG>(t113, t123);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t124 = mul_zero_if::<STRONG>(
                    mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t100, t101), t103),
                    -t103,
                );
                let t125 = mul_zero_if::<STRONG>(t124, t102);
                let t126 = -t125;
                // 32: let outgate = sigmoid(x * gates[weight + 2 * b + j] + gates[bias + 2 * b + j]);
                let t127 = mul_usize(2, b, "lstm.rs:32:71");
                let t128 = add_usize(t116, t127, "lstm.rs:32:71");
                let t129 = add_usize(t128, i14, "lstm.rs:32:71");
                dparams[t129] -= t125;
                let t130 = add_usize(t114, t127, "lstm.rs:32:39");
                let t131 = add_usize(t130, i14, "lstm.rs:32:39");
                let t132 = *elem(t5, t131, "lstm.rs:32:39");
                let t133 = t97.1;
                dparams[t131] += mul_zero_if::<STRONG>(t126, t133);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t134 = mul_zero_if::<STRONG>(
                    mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t106, t107), t109),
                    -t109,
                );
                let t135 = mul_zero_if::<STRONG>(t134, t108);
                let t136 = -t135;
                // 31: let ingate = sigmoid(h * gates[weight + b + j] + gates[bias + b + j]);
                let t137 = add_usize(t116, b, "lstm.rs:31:66");
                let t138 = add_usize(t137, i14, "lstm.rs:31:66");
                dparams[t138] -= t135;
                let t139 = add_usize(t114, b, "lstm.rs:31:38");
                let t140 = add_usize(t139, i14, "lstm.rs:31:38");
                let t141 = *elem(t5, t140, "lstm.rs:31:38");
                dparams[t140] += mul_zero_if::<STRONG>(t136, t123);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t142 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t106, t97.6), t111);
                let t143 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t142, -t111), t110);
                let t144 = -t143;
                // 30: let forget = sigmoid(x * gates[weight + j] + gates[bias + j]);
                let t145 = add_usize(t116, i14, "lstm.rs:30:62");
                dparams[t145] -= t143;
                let t146 = add_usize(t114, i14, "lstm.rs:30:38");
                let t147 = *elem(t5, t146, "lstm.rs:30:38");
                dparams[t146] += mul_zero_if::<STRONG>(t144, t133);
                // 29: let (h, x) = (hidden[i * b + j], input[j]);
                let t148 = mul_zero_if::<STRONG>(t126, t132) + mul_zero_if::<STRONG>(t144, t147);
                dinput[i14] = t148;
                let t149 = mul_zero_if::<STRONG>(t113, t122) + mul_zero_if::<STRONG>(t136, t141);
                dhidden[t99] = t149;
            }
            drop_records(&mut tape, b);
        }
        let sequence_part2 = long_span(sequence, b.saturating_mul(i10), b);
        let dparams_part = long_span_mut(dparams, t4, b);
        let dinput_part = long_span_mut(&mut dinput, 0, b);
        if !STRONG
            && sequence_part2.len() == b
            && dparams_part.len() == b
            && dinput_part.len() == b
        {
            for i15 in (0..b).rev() {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t150 = sequence_part2[i15];
                let t151 = dparams_part[i15] + mul_zero_if::<STRONG>(dinput_part[i15], t150);
                dparams_part[i15] = t151;
                dinput_part[i15] = 0.0;
            }
        } else {
            // 29: let (h, x) = (hidden[i * b + j], input[j]);
            for i16 in (0..b).rev() {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t152 = mul_usize(i10, b, "lstm.rs:24:24");
                let t153 = add_usize(t152, i16, "lstm.rs:24:24");
                let t154 = *elem(sequence, t153, "lstm.rs:24:24");
                let t155 = t4.wrapping_add(i16);
                let t156 = dparams[t155] + mul_zero_if::<STRONG>(dinput[i16], t154);
                dparams[t155] = t156;
                dinput[i16] = 0.0;
            }
        }
    }
    t80
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

/// `sub`, which fails where the result does not fit.
#[inline]
fn sub_usize(x: usize, y: usize, at: &str) -> usize {
    match x.checked_sub(y) {
        Some(result) => result,
        None => fail("attempt to subtract with overflow", at),
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
