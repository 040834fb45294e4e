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
    let mut t2: usize = 0;
    let mut first2: f64 = 0.0;
    let mut tape: Vec<(f64, f64, f64, f64, f64, u8)> = Vec::new();
    let mut tape2: Vec<(f64, f64, f64, f64, f64, f64, f64)> = Vec::new();
    while t2 < t1 {
        let t3 = t2 + 1;
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        let t4 = weights[t2];
        // 5: let (camera, point) = (11 * i, 3 * i);
        let t5 = mul_usize(11, t2, "first.rs:5:28");
        let t6 = mul_usize(3, t2, "first.rs:5:36");
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        let t7 = *elem(cameras, t5, "first.rs:6:25");
        let t8 = add_usize(t5, 1, "first.rs:6:50");
        let t9 = *elem(cameras, t8, "first.rs:6:42");
        let t10 = add_usize(t5, 2, "first.rs:6:71");
        let t11 = *elem(cameras, t10, "first.rs:6:63");
        // 7: let x = points[point] - cameras[camera + 3];
        let t12 = *elem(points, t6, "first.rs:7:13");
        let t13 = add_usize(t5, 3, "first.rs:7:37");
        let t14 = *elem(cameras, t13, "first.rs:7:29");
        let t15 = t12 - t14;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t16 = add_usize(t6, 1, "first.rs:8:20");
        let t17 = *elem(points, t16, "first.rs:8:13");
        let t18 = add_usize(t5, 4, "first.rs:8:41");
        let t19 = *elem(cameras, t18, "first.rs:8:33");
        let t20 = t17 - t19;
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t21 = add_usize(t6, 2, "first.rs:9:20");
        let t22 = *elem(points, t21, "first.rs:9:13");
        let t23 = add_usize(t5, 5, "first.rs:9:41");
        let t24 = *elem(cameras, t23, "first.rs:9:33");
        let t25 = t22 - t24;
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t26 = t7 * t7 + t9 * t9 + t11 * t11;
        let t27: f64;
        let t28: f64;
        let t29: f64;
        // 11: let (u, v, w) = if squared > 0.0 {
        let t30: u8 = if t26 > 0.0 {
            // 12: let angle = squared.sqrt();
            let t31 = t26.sqrt();
            // 13: let (sin, cos) = (angle.sin(), angle.cos());
            let t32 = t31.sin();
            let t33 = t31.cos();
            // 14: let inverse = 1.0 / angle;
            let t34 = 1.0 / t31;
            // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
            let t35 = t7 * t34;
            let t36 = t9 * t34;
            let t37 = t11 * t34;
            // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
            let t38 = t35 * t15 + t36 * t20 + t37 * t25;
            let t39 = t38 * (1.0 - t33);
            // 18: x * cos + (b * z - c * y) * sin + a * along,
            let t40 = t36 * t25 - t37 * t20;
            t27 = t15 * t33 + t40 * t32 + t35 * t39;
            // 19: y * cos + (c * x - a * z) * sin + b * along,
            let t41 = t37 * t15 - t35 * t25;
            t28 = t20 * t33 + t41 * t32 + t36 * t39;
            // 20: z * cos + (a * y - b * x) * sin + c * along,
            let t42 = t35 * t20 - t36 * t15;
            t29 = t25 * t33 + t42 * t32 + t37 * t39;
            tape2.push((t31, t32, t33, t38, t40, t41, t42));
            // 17: (
            0
        } else {
            // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
            t27 = t15 + t9 * t25 - t11 * t20;
            t28 = t20 + t11 * t15 - t7 * t25;
            t29 = t25 + t7 * t20 - t9 * t15;
            1
        };
        // 25: let (p, q) = (u / w, v / w);
        let t43 = t27 / t29;
        let t44 = t28 / t29;
        // 26: let square = p * p + q * q;
        let t45 = t43 * t43 + t44 * t44;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t46 = add_usize(t5, 9, "first.rs:27:30");
        let t47 = *elem(cameras, t46, "first.rs:27:22");
        let t48 = add_usize(t5, 10, "first.rs:27:61");
        let t49 = *elem(cameras, t48, "first.rs:27:53");
        let t50 = 1.0 + t47 * t45 + t49 * t45 * t45;
        // 28: let focus = cameras[camera + 6];
        let t51 = add_usize(t5, 6, "first.rs:28:25");
        let t52 = *elem(cameras, t51, "first.rs:28:17");
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t53 = add_usize(t5, 7, "first.rs:29:46");
        let t54 = *elem(cameras, t53, "first.rs:29:38");
        let t55 = add_usize(t5, 8, "first.rs:29:86");
        elem(cameras, t55, "first.rs:29:78");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t56 = mul_usize(2, t2, "first.rs:30:25");
        let t57 = *elem(seen, t56, "first.rs:30:20");
        let t58 = t43 * t50 * t52 + t54 - t57;
        let t59 = add_usize(t56, 1, "first.rs:30:53");
        elem(seen, t59, "first.rs:30:48");
        // 39: first += p;
        tape.push((t29, t43, t44, t50, t58, t30));
        // 40: second += q;
        t2 = t3;
        first2 += t4 * t58;
    }
    for i in (0..t2).rev() {
        let t60 = tape.pop().expect("a record of each round");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t61 = t60.4;
        let t62 = weights[i];
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t63 = mul_usize(11, i, "first.rs:29:38");
        let t64 = add_usize(t63, 7, "first.rs:29:38");
        dcameras[t64] += t62;
        let t65 = add_usize(t63, 6, "first.rs:29:19");
        let t66 = *elem(cameras, t65, "first.rs:29:19");
        let t67 = mul_zero(t62, t66);
        let t68 = t60.1;
        let t69 = t60.3;
        let t70 = mul_zero(t67, t68);
        // 28: let focus = cameras[camera + 6];
        let t71 = dcameras[t65] + mul_zero(t62, t68 * t69);
        dcameras[t65] = t71;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t72 = t60.2;
        let t73 = t68 * t68 + t72 * t72;
        let t74 = mul_zero(t70, t73);
        let t75 = add_usize(t63, 10, "first.rs:27:53");
        let t76 = *elem(cameras, t75, "first.rs:27:53");
        let t77 = mul_zero(t70, t76 * t73);
        dcameras[t75] += mul_zero(t74, t73);
        let t78 = add_usize(t63, 9, "first.rs:27:22");
        let t79 = *elem(cameras, t78, "first.rs:27:22");
        let t80 = t77 + mul_zero(t74, t76);
        let t81 = t80 + mul_zero(t70, t79);
        dcameras[t78] += t74;
        // 26: let square = p * p + q * q;
        let t82 = mul_zero(t81, t72);
        let t83 = mul_zero(t81, t68);
        // 25: let (p, q) = (u / w, v / w);
        let t84 = 1.0 / t60.0;
        let t85 = mul_zero(t82 + t82, t84);
        let t86 = mul_zero(mul_zero(t67, t69) + t83 + t83, t84);
        let t87 = mul_zero(t85, -t72) + mul_zero(t86, -t68);
        let d30: f64;
        let d25: f64;
        let d20: f64;
        let d16: f64;
        let d14: f64;
        let d12: f64;
        let d35: f64;
        match t60.5 {
            0 => {
                // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
                let t88 = tape2.pop().expect("a record of each round");
                // 20: z * cos + (a * y - b * x) * sin + c * along,
                let t89 = t88.3;
                let t90 = t88.2;
                let t91 = 1.0 - t90;
                let t92 = t89 * t91;
                let t93 = add_usize(t63, 2, "first.rs:20:47");
                let t94 = *elem(cameras, t93, "first.rs:20:47");
                let t95 = t88.0;
                let t96 = 1.0 / t95;
                let t97 = t94 * t96;
                let t98 = t88.1;
                let t99 = mul_zero(t87, t98);
                let t100 = -t99;
                let t101 = mul_usize(3, i, "first.rs:20:32");
                let t102 = *elem(points, t101, "first.rs:20:32");
                let t103 = add_usize(t63, 3, "first.rs:20:32");
                let t104 = *elem(cameras, t103, "first.rs:20:32");
                let t105 = t102 - t104;
                let t106 = add_usize(t63, 1, "first.rs:20:32");
                let t107 = *elem(cameras, t106, "first.rs:20:32");
                let t108 = t107 * t96;
                let t109 = add_usize(t101, 1, "first.rs:20:24");
                let t110 = *elem(points, t109, "first.rs:20:24");
                let t111 = add_usize(t63, 4, "first.rs:20:24");
                let t112 = *elem(cameras, t111, "first.rs:20:24");
                let t113 = t110 - t112;
                let t114 = *elem(cameras, t63, "first.rs:20:24");
                let t115 = t114 * t96;
                let t116 = add_usize(t101, 2, "first.rs:20:13");
                let t117 = *elem(points, t116, "first.rs:20:13");
                let t118 = add_usize(t63, 5, "first.rs:20:13");
                let t119 = *elem(cameras, t118, "first.rs:20:13");
                let t120 = t117 - t119;
                // 19: y * cos + (c * x - a * z) * sin + b * along,
                let t121 = mul_zero(t85, t98);
                let t122 = mul_zero(t85, t88.5);
                let t123 = -t121;
                // 18: x * cos + (b * z - c * y) * sin + a * along,
                let t124 = mul_zero(t99, t113) + mul_zero(t123, t120);
                let t125 = mul_zero(t87, t97) + mul_zero(t85, t108);
                let t126 = t125 + mul_zero(t86, t115);
                let t127 = mul_zero(t86, t98);
                let t128 = mul_zero(t87, t88.6) + t122;
                let t129 = -t127;
                let t130 = mul_zero(t87, t92) + mul_zero(t121, t105);
                let t131 = mul_zero(t99, t115) + mul_zero(t85, t90);
                let t132 = mul_zero(t100, t105) + mul_zero(t85, t92);
                let t133 = mul_zero(t87, t90) + mul_zero(t123, t115);
                let t134 = mul_zero(t100, t108) + mul_zero(t121, t97);
                let t135 = mul_zero(t87, t120) + mul_zero(t85, t113);
                // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
                let t136 = mul_zero(t126, t91);
                let t137 = t135 + mul_zero(t86, t105);
                let t138 = t130 + mul_zero(t129, t113);
                let t139 = t138 + mul_zero(t136, t120);
                let t140 = t133 + mul_zero(t127, t108);
                let t141 = t132 + mul_zero(t127, t120);
                let t142 = t141 + mul_zero(t136, t113);
                let t143 = t131 + mul_zero(t129, t97);
                let t144 = t124 + mul_zero(t86, t92);
                let t145 = t144 + mul_zero(t136, t105);
                let t146 = t134 + mul_zero(t86, t90);
                // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
                let t147 = mul_zero(t139, t94) + mul_zero(t142, t107);
                // 14: let inverse = 1.0 / angle;
                let t148 = mul_zero(t147 + mul_zero(t145, t114), t96);
                // 13: let (sin, cos) = (angle.sin(), angle.cos());
                let t149 = mul_zero(t137 - mul_zero(t126, t89), -t95.sin());
                let t150 = t128 + mul_zero(t86, t88.4);
                let t151 = mul_zero(t148, -t96) + t149;
                // 12: let angle = squared.sqrt();
                let t152 = t151 + mul_zero(t150, t95.cos());
                d35 = mul_zero(t152, 0.5 / t95);
                d16 = mul_zero(t139, t96);
                d14 = mul_zero(t142, t96);
                d12 = mul_zero(t145, t96);
                d30 = t140 + mul_zero(t136, t97);
                d25 = t143 + mul_zero(t136, t108);
                d20 = t146 + mul_zero(t136, t115);
            }
            _ => {
                // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
                let t153 = -t87;
                let t154 = mul_usize(3, i, "first.rs:23:65");
                let t155 = *elem(points, t154, "first.rs:23:65");
                let t156 = add_usize(t63, 3, "first.rs:23:65");
                let t157 = *elem(cameras, t156, "first.rs:23:65");
                let t158 = t155 - t157;
                let t159 = add_usize(t63, 1, "first.rs:23:65");
                let t160 = *elem(cameras, t159, "first.rs:23:65");
                let t161 = add_usize(t154, 1, "first.rs:23:56");
                let t162 = *elem(points, t161, "first.rs:23:56");
                let t163 = add_usize(t63, 4, "first.rs:23:56");
                let t164 = *elem(cameras, t163, "first.rs:23:56");
                let t165 = t162 - t164;
                let t166 = *elem(cameras, t63, "first.rs:23:56");
                let t167 = -t85;
                let t168 = add_usize(t154, 2, "first.rs:23:44");
                let t169 = *elem(points, t168, "first.rs:23:44");
                let t170 = add_usize(t63, 5, "first.rs:23:44");
                let t171 = *elem(cameras, t170, "first.rs:23:44");
                let t172 = t169 - t171;
                let t173 = add_usize(t63, 2, "first.rs:23:35");
                let t174 = *elem(cameras, t173, "first.rs:23:35");
                let t175 = -t86;
                let t176 = mul_zero(t87, t166) + t85;
                let t177 = mul_zero(t153, t160) + mul_zero(t85, t174);
                let t178 = t87 + mul_zero(t167, t166);
                d35 = 0.0;
                d16 = mul_zero(t85, t158) + mul_zero(t175, t165);
                d14 = mul_zero(t153, t158) + mul_zero(t86, t172);
                d12 = mul_zero(t87, t165) + mul_zero(t167, t172);
                d30 = t178 + mul_zero(t86, t160);
                d25 = t176 + mul_zero(t175, t174);
                d20 = t177 + t86;
            }
        }
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t179 = add_usize(t63, 2, "first.rs:10:39");
        let t180 = *elem(cameras, t179, "first.rs:10:39");
        let t181 = mul_zero(d35, t180);
        let t182 = add_usize(t63, 1, "first.rs:10:29");
        let t183 = *elem(cameras, t182, "first.rs:10:29");
        let t184 = mul_zero(d35, t183);
        let t185 = *elem(cameras, t63, "first.rs:10:19");
        let t186 = mul_zero(d35, t185);
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t187 = add_usize(t63, 5, "first.rs:9:33");
        dcameras[t187] -= d30;
        let t188 = mul_usize(3, i, "first.rs:9:13");
        let t189 = add_usize(t188, 2, "first.rs:9:13");
        dpoints[t189] += d30;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t190 = add_usize(t63, 4, "first.rs:8:33");
        dcameras[t190] -= d25;
        let t191 = add_usize(t188, 1, "first.rs:8:13");
        dpoints[t191] += d25;
        // 7: let x = points[point] - cameras[camera + 3];
        let t192 = add_usize(t63, 3, "first.rs:7:29");
        dcameras[t192] -= d20;
        dpoints[t188] += d20;
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        dcameras[t179] += d16 + t181 + t181;
        dcameras[t182] += d14 + t184 + t184;
        dcameras[t63] += d12 + t186 + t186;
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        dweights[i] += t61;
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
