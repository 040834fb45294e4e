/// The value and the gradient of `lstm`.
pub fn lstm_value_and_gradient(
    params: &[f64],
    state: &[f64],
    sequence: &[f64],
    layers: usize,
    b: usize,
) -> (f64, Vec<f64>) {
    let (t1, t2) = lstm(params, state, sequence, layers, b);
    (t1, t2.0)
}

#[allow(
    clippy::manual_range_contains,
    clippy::needless_range_loop,
    clippy::type_complexity
)]
fn lstm(
    params: &[f64],
    state: &[f64],
    sequence: &[f64],
    layers: usize,
    b: usize,
) -> (f64, (Vec<f64>,)) {
    let mut tape: Vec<(f64, f64, f64, f64, f64, f64, f64, f64)> = Vec::new();
    let mut tape2: Vec<(f64, f64)> = Vec::new();
    let mut tape3: Vec<f64> = Vec::new();
    let t1 = params.len();
    let mut dparams = vec![0.0; t1];
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
    let mut t18: usize = 0;
    let mut total: f64 = 0.0;
    while t18 < t17 {
        let t19 = t18 + 1;
        // 23: for j in 0..b {
        let part2 = span(t6, 0, b);
        let sequence_part = span(sequence, b.saturating_mul(t18), b);
        let input_part = span_mut(&mut input, 0, b);
        if part2.len() == b && sequence_part.len() == b && input_part.len() == b {
            for i3 in 0..b {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t20 = part2[i3];
                let t21 = sequence_part[i3];
                input_part[i3] = t20 * t21;
            }
        } else {
            // 23: for j in 0..b {
            for i4 in 0..b {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t22 = *elem(t6, i4, "lstm.rs:24:24");
                let t23 = mul_usize(t18, b, "lstm.rs:24:43");
                let t24 = add_usize(t23, i4, "lstm.rs:24:43");
                let t25 = *elem(sequence, t24, "lstm.rs:24:34");
                input[i4] = t22 * t25;
            }
        }
        // 26: for i in 0..layers {
        for i5 in 0..layers {
            // 27: let (weight, bias) = (8 * b * i, 8 * b * i + 4 * b);
            let t26 = mul_usize(t3, i5, "lstm.rs:27:35");
            let t27 = mul_usize(4, b, "lstm.rs:27:58");
            let t28 = add_usize(t26, t27, "lstm.rs:27:46");
            // 28: for j in 0..b {
            for i6 in 0..b {
                // 29: let (h, x) = (hidden[i * b + j], input[j]);
                let t29 = mul_usize(i5, b, "lstm.rs:29:38");
                let t30 = add_usize(t29, i6, "lstm.rs:29:38");
                let t31 = *elem(&hidden, t30, "lstm.rs:29:31");
                let t32 = input[i6];
                // 30: let forget = sigmoid(x * gates[weight + j] + gates[bias + j]);
                let t33 = add_usize(t26, i6, "lstm.rs:30:48");
                let t34 = *elem(t5, t33, "lstm.rs:30:42");
                let t35 = add_usize(t28, i6, "lstm.rs:30:68");
                let t36 = *elem(t5, t35, "lstm.rs:30:62");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t37 = (-(t32 * t34 + t36)).exp();
                // 31: let ingate = sigmoid(h * gates[weight + b + j] + gates[bias + b + j]);
                let t38 = add_usize(t26, b, "lstm.rs:31:48");
                let t39 = add_usize(t38, i6, "lstm.rs:31:48");
                let t40 = *elem(t5, t39, "lstm.rs:31:42");
                let t41 = add_usize(t28, b, "lstm.rs:31:72");
                let t42 = add_usize(t41, i6, "lstm.rs:31:72");
                let t43 = *elem(t5, t42, "lstm.rs:31:66");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t44 = (-(t31 * t40 + t43)).exp();
                // 32: let outgate = sigmoid(x * gates[weight + 2 * b + j] + gates[bias + 2 * b + j]);
                let t45 = mul_usize(2, b, "lstm.rs:32:58");
                let t46 = add_usize(t26, t45, "lstm.rs:32:49");
                let t47 = add_usize(t46, i6, "lstm.rs:32:49");
                let t48 = *elem(t5, t47, "lstm.rs:32:43");
                let t49 = add_usize(t28, t45, "lstm.rs:32:77");
                let t50 = add_usize(t49, i6, "lstm.rs:32:77");
                let t51 = *elem(t5, t50, "lstm.rs:32:71");
                // 4: 1.0 / (1.0 + (-x).exp())
                let t52 = (-(t32 * t48 + t51)).exp();
                // 33: let change = (h * gates[weight + 3 * b + j] + gates[bias + 3 * b + j]).tanh();
                let t53 = mul_usize(3, b, "lstm.rs:33:50");
                let t54 = add_usize(t26, t53, "lstm.rs:33:41");
                let t55 = add_usize(t54, i6, "lstm.rs:33:41");
                let t56 = *elem(t5, t55, "lstm.rs:33:35");
                let t57 = add_usize(t28, t53, "lstm.rs:33:69");
                let t58 = add_usize(t57, i6, "lstm.rs:33:69");
                let t59 = *elem(t5, t58, "lstm.rs:33:63");
                let t60 = (t31 * t56 + t59).tanh();
                // 34: let cell = cells[i * b + j] * forget + ingate * change;
                let t61 = *elem(&cells, t30, "lstm.rs:34:28");
                let t62 = 1.0 / (1.0 + t44) * t60;
                let t63 = t61 * (1.0 / (1.0 + t37)) + t62;
                // 35: cells[i * b + j] = cell;
                cells[t30] = t63;
                // 36: hidden[i * b + j] = outgate * cell.tanh();
                let t64 = t63.tanh();
                let t65 = 1.0 / (1.0 + t52) * t64;
                hidden[t30] = t65;
                // 37: input[j] = hidden[i * b + j];
                input[i6] = t65;
                let t66 = (t31, t32, t37, t44, t52, t60, t61, t64);
                tape.push(t66);
            }
        }
        // 26: for i in 0..layers {
        let mut sum2: f64 = 0.0;
        // 41: for j in 0..b {
        for i7 in 0..b {
            // 42: input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            let t67 = input[i7];
            let t68 = add_usize(b, i7, "lstm.rs:42:40");
            let t69 = *elem(t6, t68, "lstm.rs:42:35");
            let t70 = mul_usize(2, b, "lstm.rs:42:54");
            let t71 = add_usize(t70, i7, "lstm.rs:42:54");
            let t72 = *elem(t6, t71, "lstm.rs:42:49");
            let t73 = t67 * t69 + t72;
            input[i7] = t73;
            // 43: sum += input[j].exp();
            let t74 = t73.exp();
            tape2.push((t67, t74));
            sum2 += t74;
        }
        // 45: let log = (sum + 2.0).ln();
        let t75 = sum2 + 2.0;
        let t76 = t75.ln();
        tape3.push(t75);
        // 46: for j in 0..b {
        for i8 in 0..b {
            // 47: total += (input[j] - log) * sequence[(t + 1) * b + j];
            let t77 = mul_usize(t18 + 1, b, "lstm.rs:47:51");
            let t78 = add_usize(t77, i8, "lstm.rs:47:51");
            let t79 = *elem(sequence, t78, "lstm.rs:47:41");
            total += (input[i8] - t76) * t79;
        }
        // 46: for j in 0..b {
        t18 = t19;
    }
    // 50: -total / ((rows - 1) * b) as f64
    let t80 = mul_usize(t17, b, "lstm.rs:50:16");
    let t81 = t80 as f64;
    let t82 = -total / t81;
    let t83 = -(1.0 / t81);
    let mut dinput = vec![0.0; b];
    let mut dhidden = vec![0.0; t7];
    let mut dcells = vec![0.0; t7];
    for i9 in (0..t18).rev() {
        let mut d182: f64 = 0.0;
        for i10 in (0..b).rev() {
            // 47: total += (input[j] - log) * sequence[(t + 1) * b + j];
            let t84 = mul_usize(i9 + 1, b, "lstm.rs:47:23");
            let t85 = add_usize(t84, i10, "lstm.rs:47:23");
            let t86 = *elem(sequence, t85, "lstm.rs:47:23");
            let t87 = mul_zero(t83, t86);
            dinput[i10] += t87;
            d182 -= t87;
        }
        let t88 = tape3.pop().expect("a record of each round");
        // 45: let log = (sum + 2.0).ln();
        let t89 = mul_zero(d182, 1.0 / t88);
        for i11 in (0..b).rev() {
            let t90 = tape2.pop().expect("a record of each round");
            // 42: input[j] = input[j] * ends[b + j] + ends[2 * b + j];
            let t91 = mul_zero(t89, t90.1) + dinput[i11];
            let t92 = mul_usize(2, b, "lstm.rs:42:49");
            let t93 = add_usize(t92, i11, "lstm.rs:42:49");
            let t94 = t4.wrapping_add(t93);
            dparams[t94] += t91;
            let t95 = add_usize(b, i11, "lstm.rs:42:24");
            let t96 = *elem(t6, t95, "lstm.rs:42:24");
            let t97 = t4.wrapping_add(t95);
            let t98 = dparams[t97] + mul_zero(t91, t90.0);
            dparams[t97] = t98;
            dinput[i11] = mul_zero(t91, t96);
        }
        for i12 in (0..layers).rev() {
            for i13 in (0..b).rev() {
                let t99 = tape.pop().expect("a record of each round");
                // 36: hidden[i * b + j] = outgate * cell.tanh();
                let t100 = mul_usize(i12, b, "lstm.rs:36:17");
                let t101 = add_usize(t100, i13, "lstm.rs:36:17");
                let t102 = dinput[i13] + dhidden[t101];
                let t103 = t99.7;
                let t104 = t99.4;
                let t105 = 1.0 / (1.0 + t104);
                let t106 = (1.0 - t103) * (1.0 + t103);
                // 35: cells[i * b + j] = cell;
                let t107 = mul_zero(mul_zero(t102, t105), t106);
                let t108 = t107 + dcells[t101];
                // 34: let cell = cells[i * b + j] * forget + ingate * change;
                let t109 = t99.5;
                let t110 = t99.3;
                let t111 = 1.0 / (1.0 + t110);
                let t112 = t99.2;
                let t113 = 1.0 / (1.0 + t112);
                dcells[t101] = mul_zero(t108, t113);
                // 33: let change = (h * gates[weight + 3 * b + j] + gates[bias + 3 * b + j]).tanh();
                let t114 = (1.0 - t109) * (1.0 + t109);
                let t115 = mul_zero(mul_zero(t108, t111), t114);
                let t116 = mul_usize(t3, i12, "lstm.rs:33:63");
                let t117 = mul_usize(4, b, "lstm.rs:33:63");
                let t118 = add_usize(t116, t117, "lstm.rs:33:63");
                let t119 = mul_usize(3, b, "lstm.rs:33:63");
                let t120 = add_usize(t118, t119, "lstm.rs:33:63");
                let t121 = add_usize(t120, i13, "lstm.rs:33:63");
                dparams[t121] += t115;
                let t122 = add_usize(t116, t119, "lstm.rs:33:31");
                let t123 = add_usize(t122, i13, "lstm.rs:33:31");
                let t124 = *elem(t5, t123, "lstm.rs:33:31");
                let t125 = t99.0;
                dparams[t123] += mul_zero(t115, t125);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t126 = mul_zero(mul_zero(mul_zero(t102, t103), t105), -t105);
                let t127 = mul_zero(t126, t104);
                let t128 = -t127;
                // 32: let outgate = sigmoid(x * gates[weight + 2 * b + j] + gates[bias + 2 * b + j]);
                let t129 = mul_usize(2, b, "lstm.rs:32:71");
                let t130 = add_usize(t118, t129, "lstm.rs:32:71");
                let t131 = add_usize(t130, i13, "lstm.rs:32:71");
                dparams[t131] -= t127;
                let t132 = add_usize(t116, t129, "lstm.rs:32:39");
                let t133 = add_usize(t132, i13, "lstm.rs:32:39");
                let t134 = *elem(t5, t133, "lstm.rs:32:39");
                let t135 = t99.1;
                dparams[t133] += mul_zero(t128, t135);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t136 = mul_zero(mul_zero(mul_zero(t108, t109), t111), -t111);
                let t137 = mul_zero(t136, t110);
                let t138 = -t137;
                // 31: let ingate = sigmoid(h * gates[weight + b + j] + gates[bias + b + j]);
                let t139 = add_usize(t118, b, "lstm.rs:31:66");
                let t140 = add_usize(t139, i13, "lstm.rs:31:66");
                dparams[t140] -= t137;
                let t141 = add_usize(t116, b, "lstm.rs:31:38");
                let t142 = add_usize(t141, i13, "lstm.rs:31:38");
                let t143 = *elem(t5, t142, "lstm.rs:31:38");
                dparams[t142] += mul_zero(t138, t125);
                // 4: 1.0 / (1.0 + (-x).exp())
                let t144 = mul_zero(mul_zero(t108, t99.6), t113);
                let t145 = mul_zero(mul_zero(t144, -t113), t112);
                let t146 = -t145;
                // 30: let forget = sigmoid(x * gates[weight + j] + gates[bias + j]);
                let t147 = add_usize(t118, i13, "lstm.rs:30:62");
                dparams[t147] -= t145;
                let t148 = add_usize(t116, i13, "lstm.rs:30:38");
                let t149 = *elem(t5, t148, "lstm.rs:30:38");
                dparams[t148] += mul_zero(t146, t135);
                // 29: let (h, x) = (hidden[i * b + j], input[j]);
                let t150 = mul_zero(t128, t134) + mul_zero(t146, t149);
                dinput[i13] = t150;
                let t151 = mul_zero(t115, t124) + mul_zero(t138, t143);
                dhidden[t101] = t151;
            }
        }
        let sequence_part2 = span(sequence, b.saturating_mul(i9), b);
        let dparams_part = span_mut(&mut dparams, t4, b);
        let dinput_part = span_mut(&mut dinput, 0, b);
        if sequence_part2.len() == b && dparams_part.len() == b && dinput_part.len() == b {
            for i14 in (0..b).rev() {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t152 = sequence_part2[i14];
                let t153 = dparams_part[i14] + mul_zero(dinput_part[i14], t152);
                dparams_part[i14] = t153;
                dinput_part[i14] = 0.0;
            }
        } else {
            // 29: let (h, x) = (hidden[i * b + j], input[j]);
            for i15 in (0..b).rev() {
                // 24: input[j] = ends[j] * sequence[t * b + j];
                let t154 = mul_usize(i9, b, "lstm.rs:24:24");
                let t155 = add_usize(t154, i15, "lstm.rs:24:24");
                let t156 = *elem(sequence, t155, "lstm.rs:24:24");
                let t157 = t4.wrapping_add(i15);
                let t158 = dparams[t157] + mul_zero(dinput[i15], t156);
                dparams[t157] = t158;
                dinput[i15] = 0.0;
            }
        }
    }
    (t82, (dparams,))
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
