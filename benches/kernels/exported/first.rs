/// The value and the gradient of `first`.
pub fn first_value_and_gradient(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
) -> (f64, Vec<f64>, Vec<f64>, Vec<f64>) {
    let (t1, t2) = first(cameras, points, weights, seen);
    (t1, t2.0, t2.1, t2.2)
}

#[allow(clippy::needless_range_loop, clippy::type_complexity)]
fn first(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
) -> (f64, (Vec<f64>, Vec<f64>, Vec<f64>)) {
    let mut dcameras = vec![0.0; cameras.len()];
    let mut dpoints = vec![0.0; points.len()];
    let t1 = weights.len();
    let mut dweights = vec![0.0; t1];
    // 37: for i in 0..weights.len() {
    let mut first2: f64 = 0.0;
    let mut tape: Vec<(f64, f64, f64, f64, f64, u8)> = Vec::new();
    let mut tape2: Vec<(f64, f64, f64, f64, f64, f64, f64)> = Vec::new();
    for i in 0..t1 {
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        let t2 = weights[i];
        // 5: let (camera, point) = (11 * i, 3 * i);
        let t3 = mul_usize(11, i, "first.rs:5:28");
        let t4 = mul_usize(3, i, "first.rs:5:36");
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        let t5 = *elem(cameras, t3, "first.rs:6:25");
        let t6 = add_usize(t3, 1, "first.rs:6:50");
        let t7 = *elem(cameras, t6, "first.rs:6:42");
        let t8 = add_usize(t3, 2, "first.rs:6:71");
        let t9 = *elem(cameras, t8, "first.rs:6:63");
        // 7: let x = points[point] - cameras[camera + 3];
        let t10 = *elem(points, t4, "first.rs:7:13");
        let t11 = add_usize(t3, 3, "first.rs:7:37");
        let t12 = *elem(cameras, t11, "first.rs:7:29");
        let t13 = t10 - t12;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t14 = add_usize(t4, 1, "first.rs:8:20");
        let t15 = *elem(points, t14, "first.rs:8:13");
        let t16 = add_usize(t3, 4, "first.rs:8:41");
        let t17 = *elem(cameras, t16, "first.rs:8:33");
        let t18 = t15 - t17;
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t19 = add_usize(t4, 2, "first.rs:9:20");
        let t20 = *elem(points, t19, "first.rs:9:13");
        let t21 = add_usize(t3, 5, "first.rs:9:41");
        let t22 = *elem(cameras, t21, "first.rs:9:33");
        let t23 = t20 - t22;
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t24 = t5 * t5 + t7 * t7 + t9 * t9;
        let t25: f64;
        let t26: f64;
        let t27: f64;
        // 11: let (u, v, w) = if squared > 0.0 {
        let t28: u8 = if t24 > 0.0 {
            // 12: let angle = squared.sqrt();
            let t29 = t24.sqrt();
            // 13: let (sin, cos) = (angle.sin(), angle.cos());
            let t30 = t29.sin();
            let t31 = t29.cos();
            // 14: let inverse = 1.0 / angle;
            let t32 = 1.0 / t29;
            // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
            let t33 = t5 * t32;
            let t34 = t7 * t32;
            let t35 = t9 * t32;
            // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
            let t36 = t33 * t13 + t34 * t18 + t35 * t23;
            let t37 = t36 * (1.0 - t31);
            // 18: x * cos + (b * z - c * y) * sin + a * along,
            let t38 = t34 * t23 - t35 * t18;
            t25 = t13 * t31 + t38 * t30 + t33 * t37;
            // 19: y * cos + (c * x - a * z) * sin + b * along,
            let t39 = t35 * t13 - t33 * t23;
            t26 = t18 * t31 + t39 * t30 + t34 * t37;
            // 20: z * cos + (a * y - b * x) * sin + c * along,
            let t40 = t33 * t18 - t34 * t13;
            t27 = t23 * t31 + t40 * t30 + t35 * t37;
            tape2.push((t29, t30, t31, t36, t38, t39, t40));
            // 17: (
            0
        } else {
            // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
            t25 = t13 + t7 * t23 - t9 * t18;
            t26 = t18 + t9 * t13 - t5 * t23;
            t27 = t23 + t5 * t18 - t7 * t13;
            1
        };
        // 25: let (p, q) = (u / w, v / w);
        let t41 = t25 / t27;
        let t42 = t26 / t27;
        // 26: let square = p * p + q * q;
        let t43 = t41 * t41 + t42 * t42;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t44 = add_usize(t3, 9, "first.rs:27:30");
        let t45 = *elem(cameras, t44, "first.rs:27:22");
        let t46 = add_usize(t3, 10, "first.rs:27:61");
        let t47 = *elem(cameras, t46, "first.rs:27:53");
        let t48 = 1.0 + t45 * t43 + t47 * t43 * t43;
        // 28: let focus = cameras[camera + 6];
        let t49 = add_usize(t3, 6, "first.rs:28:25");
        let t50 = *elem(cameras, t49, "first.rs:28:17");
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t51 = add_usize(t3, 7, "first.rs:29:46");
        let t52 = *elem(cameras, t51, "first.rs:29:38");
        let t53 = add_usize(t3, 8, "first.rs:29:86");
        elem(cameras, t53, "first.rs:29:78");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t54 = mul_usize(2, i, "first.rs:30:25");
        let t55 = *elem(seen, t54, "first.rs:30:20");
        let t56 = t41 * t48 * t50 + t52 - t55;
        let t57 = add_usize(t54, 1, "first.rs:30:53");
        elem(seen, t57, "first.rs:30:48");
        // 39: first += p;
        tape.push((t27, t41, t42, t48, t56, t28));
        // 40: second += q;
        first2 += t2 * t56;
    }
    for i2 in (0..t1).rev() {
        let t58 = tape.pop().expect("a record of each round");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t59 = t58.4;
        let t60 = weights[i2];
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t61 = mul_usize(11, i2, "first.rs:29:38");
        let t62 = add_usize(t61, 7, "first.rs:29:38");
        dcameras[t62] += t60;
        let t63 = add_usize(t61, 6, "first.rs:29:19");
        let t64 = *elem(cameras, t63, "first.rs:29:19");
        let t65 = mul_zero(t60, t64);
        let t66 = t58.1;
        let t67 = t58.3;
        let t68 = mul_zero(t65, t66);
        // 28: let focus = cameras[camera + 6];
        let t69 = dcameras[t63] + mul_zero(t60, t66 * t67);
        dcameras[t63] = t69;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t70 = t58.2;
        let t71 = t66 * t66 + t70 * t70;
        let t72 = mul_zero(t68, t71);
        let t73 = add_usize(t61, 10, "first.rs:27:53");
        let t74 = *elem(cameras, t73, "first.rs:27:53");
        let t75 = mul_zero(t68, t74 * t71);
        dcameras[t73] += mul_zero(t72, t71);
        let t76 = add_usize(t61, 9, "first.rs:27:22");
        let t77 = *elem(cameras, t76, "first.rs:27:22");
        let t78 = t75 + mul_zero(t72, t74);
        let t79 = t78 + mul_zero(t68, t77);
        dcameras[t76] += t72;
        // 26: let square = p * p + q * q;
        let t80 = mul_zero(t79, t70);
        let t81 = mul_zero(t79, t66);
        // 25: let (p, q) = (u / w, v / w);
        let t82 = 1.0 / t58.0;
        let t83 = mul_zero(t80 + t80, t82);
        let t84 = mul_zero(mul_zero(t65, t67) + t81 + t81, t82);
        let t85 = mul_zero(t83, -t70) + mul_zero(t84, -t66);
        let d30: f64;
        let d25: f64;
        let d20: f64;
        let d16: f64;
        let d14: f64;
        let d12: f64;
        let d35: f64;
        match t58.5 {
            0 => {
                // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
                let t86 = tape2.pop().expect("a record of each round");
                // 20: z * cos + (a * y - b * x) * sin + c * along,
                let t87 = t86.3;
                let t88 = t86.2;
                let t89 = 1.0 - t88;
                let t90 = t87 * t89;
                let t91 = add_usize(t61, 2, "first.rs:20:47");
                let t92 = *elem(cameras, t91, "first.rs:20:47");
                let t93 = t86.0;
                let t94 = 1.0 / t93;
                let t95 = t92 * t94;
                let t96 = t86.1;
                let t97 = mul_zero(t85, t96);
                let t98 = -t97;
                let t99 = mul_usize(3, i2, "first.rs:20:32");
                let t100 = *elem(points, t99, "first.rs:20:32");
                let t101 = add_usize(t61, 3, "first.rs:20:32");
                let t102 = *elem(cameras, t101, "first.rs:20:32");
                let t103 = t100 - t102;
                let t104 = add_usize(t61, 1, "first.rs:20:32");
                let t105 = *elem(cameras, t104, "first.rs:20:32");
                let t106 = t105 * t94;
                let t107 = add_usize(t99, 1, "first.rs:20:24");
                let t108 = *elem(points, t107, "first.rs:20:24");
                let t109 = add_usize(t61, 4, "first.rs:20:24");
                let t110 = *elem(cameras, t109, "first.rs:20:24");
                let t111 = t108 - t110;
                let t112 = *elem(cameras, t61, "first.rs:20:24");
                let t113 = t112 * t94;
                let t114 = add_usize(t99, 2, "first.rs:20:13");
                let t115 = *elem(points, t114, "first.rs:20:13");
                let t116 = add_usize(t61, 5, "first.rs:20:13");
                let t117 = *elem(cameras, t116, "first.rs:20:13");
                let t118 = t115 - t117;
                // 19: y * cos + (c * x - a * z) * sin + b * along,
                let t119 = mul_zero(t83, t96);
                let t120 = mul_zero(t83, t86.5);
                let t121 = -t119;
                // 18: x * cos + (b * z - c * y) * sin + a * along,
                let t122 = mul_zero(t97, t111) + mul_zero(t121, t118);
                let t123 = mul_zero(t85, t95) + mul_zero(t83, t106);
                let t124 = t123 + mul_zero(t84, t113);
                let t125 = mul_zero(t84, t96);
                let t126 = mul_zero(t85, t86.6) + t120;
                let t127 = -t125;
                let t128 = mul_zero(t85, t90) + mul_zero(t119, t103);
                let t129 = mul_zero(t97, t113) + mul_zero(t83, t88);
                let t130 = mul_zero(t98, t103) + mul_zero(t83, t90);
                let t131 = mul_zero(t85, t88) + mul_zero(t121, t113);
                let t132 = mul_zero(t98, t106) + mul_zero(t119, t95);
                let t133 = mul_zero(t85, t118) + mul_zero(t83, t111);
                // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
                let t134 = mul_zero(t124, t89);
                let t135 = t133 + mul_zero(t84, t103);
                let t136 = t128 + mul_zero(t127, t111);
                let t137 = t136 + mul_zero(t134, t118);
                let t138 = t131 + mul_zero(t125, t106);
                let t139 = t130 + mul_zero(t125, t118);
                let t140 = t139 + mul_zero(t134, t111);
                let t141 = t129 + mul_zero(t127, t95);
                let t142 = t122 + mul_zero(t84, t90);
                let t143 = t142 + mul_zero(t134, t103);
                let t144 = t132 + mul_zero(t84, t88);
                // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
                let t145 = mul_zero(t137, t92) + mul_zero(t140, t105);
                // 14: let inverse = 1.0 / angle;
                let t146 = mul_zero(t145 + mul_zero(t143, t112), t94);
                // 13: let (sin, cos) = (angle.sin(), angle.cos());
                let t147 = mul_zero(t135 - mul_zero(t124, t87), -t93.sin());
                let t148 = t126 + mul_zero(t84, t86.4);
                let t149 = mul_zero(t146, -t94) + t147;
                // 12: let angle = squared.sqrt();
                let t150 = t149 + mul_zero(t148, t93.cos());
                d35 = mul_zero(t150, 0.5 / t93);
                d16 = mul_zero(t137, t94);
                d14 = mul_zero(t140, t94);
                d12 = mul_zero(t143, t94);
                d30 = t138 + mul_zero(t134, t95);
                d25 = t141 + mul_zero(t134, t106);
                d20 = t144 + mul_zero(t134, t113);
            }
            _ => {
                // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
                let t151 = -t85;
                let t152 = mul_usize(3, i2, "first.rs:23:65");
                let t153 = *elem(points, t152, "first.rs:23:65");
                let t154 = add_usize(t61, 3, "first.rs:23:65");
                let t155 = *elem(cameras, t154, "first.rs:23:65");
                let t156 = t153 - t155;
                let t157 = add_usize(t61, 1, "first.rs:23:65");
                let t158 = *elem(cameras, t157, "first.rs:23:65");
                let t159 = add_usize(t152, 1, "first.rs:23:56");
                let t160 = *elem(points, t159, "first.rs:23:56");
                let t161 = add_usize(t61, 4, "first.rs:23:56");
                let t162 = *elem(cameras, t161, "first.rs:23:56");
                let t163 = t160 - t162;
                let t164 = *elem(cameras, t61, "first.rs:23:56");
                let t165 = -t83;
                let t166 = add_usize(t152, 2, "first.rs:23:44");
                let t167 = *elem(points, t166, "first.rs:23:44");
                let t168 = add_usize(t61, 5, "first.rs:23:44");
                let t169 = *elem(cameras, t168, "first.rs:23:44");
                let t170 = t167 - t169;
                let t171 = add_usize(t61, 2, "first.rs:23:35");
                let t172 = *elem(cameras, t171, "first.rs:23:35");
                let t173 = -t84;
                let t174 = mul_zero(t85, t164) + t83;
                let t175 = mul_zero(t151, t158) + mul_zero(t83, t172);
                let t176 = t85 + mul_zero(t165, t164);
                d35 = 0.0;
                d16 = mul_zero(t83, t156) + mul_zero(t173, t163);
                d14 = mul_zero(t151, t156) + mul_zero(t84, t170);
                d12 = mul_zero(t85, t163) + mul_zero(t165, t170);
                d30 = t176 + mul_zero(t84, t158);
                d25 = t174 + mul_zero(t173, t172);
                d20 = t175 + t84;
            }
        }
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t177 = add_usize(t61, 2, "first.rs:10:39");
        let t178 = *elem(cameras, t177, "first.rs:10:39");
        let t179 = mul_zero(d35, t178);
        let t180 = add_usize(t61, 1, "first.rs:10:29");
        let t181 = *elem(cameras, t180, "first.rs:10:29");
        let t182 = mul_zero(d35, t181);
        let t183 = *elem(cameras, t61, "first.rs:10:19");
        let t184 = mul_zero(d35, t183);
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t185 = add_usize(t61, 5, "first.rs:9:33");
        dcameras[t185] -= d30;
        let t186 = mul_usize(3, i2, "first.rs:9:13");
        let t187 = add_usize(t186, 2, "first.rs:9:13");
        dpoints[t187] += d30;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t188 = add_usize(t61, 4, "first.rs:8:33");
        dcameras[t188] -= d25;
        let t189 = add_usize(t186, 1, "first.rs:8:13");
        dpoints[t189] += d25;
        // 7: let x = points[point] - cameras[camera + 3];
        let t190 = add_usize(t61, 3, "first.rs:7:29");
        dcameras[t190] -= d20;
        dpoints[t186] += d20;
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        dcameras[t177] += d16 + t179 + t179;
        dcameras[t180] += d14 + t182 + t182;
        dcameras[t61] += d12 + t184 + t184;
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        dweights[i2] += t59;
    }
    (first2, (dcameras, dpoints, dweights))
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
