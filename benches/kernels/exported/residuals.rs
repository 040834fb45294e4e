/// The values and the gradients of `residuals`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
#[allow(clippy::too_many_arguments)]
pub fn residuals_value_and_gradients_into(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
    dcameras0: &mut [f64],
    dpoints0: &mut [f64],
    dweights0: &mut [f64],
    dcameras1: &mut [f64],
    dpoints1: &mut [f64],
    dweights1: &mut [f64],
) -> (f64, f64) {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = residuals_value_and_gradients_into_by::<false>(
        cameras, points, weights, seen, dcameras0, dpoints0, dweights0, dcameras1, dpoints1,
        dweights1,
    );
    let mut has_nan = found.1.is_nan();
    has_nan |= any_nan(dcameras0);
    has_nan |= any_nan(dpoints0);
    has_nan |= any_nan(dweights0);
    has_nan |= any_nan(dcameras1);
    has_nan |= any_nan(dpoints1);
    has_nan |= any_nan(dweights1);
    if has_nan {
        residuals_value_and_gradients_into_by::<true>(
            cameras, points, weights, seen, dcameras0, dpoints0, dweights0, dcameras1, dpoints1,
            dweights1,
        )
    } else {
        found
    }
}

#[allow(
    clippy::needless_late_init,
    clippy::needless_range_loop,
    clippy::too_many_arguments
)]
fn residuals_value_and_gradients_into_by<const STRONG: bool>(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
    dcameras0: &mut [f64],
    dpoints0: &mut [f64],
    dweights0: &mut [f64],
    dcameras1: &mut [f64],
    dpoints1: &mut [f64],
    dweights1: &mut [f64],
) -> (f64, f64) {
    let t1 = cameras.len();
    zero(dcameras0, t1, "residuals.rs:35:8");
    let t2 = points.len();
    zero(dpoints0, t2, "residuals.rs:35:8");
    let t3 = weights.len();
    same_length(dweights0, t3, "residuals.rs:35:8");
    zero(dcameras1, t1, "residuals.rs:35:8");
    zero(dpoints1, t2, "residuals.rs:35:8");
    same_length(dweights1, t3, "residuals.rs:35:8");
    // 37: for i in 0..weights.len() {
    let mut first: f64 = 0.0;
    let mut second: f64 = 0.0;
    for i in 0..t3 {
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        let t4 = weights[i];
        // 5: let (camera, point) = (11 * i, 3 * i);
        let t5 = mul_usize(11, i, "residuals.rs:5:28");
        let t6 = mul_usize(3, i, "residuals.rs:5:36");
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        let t7 = *elem(cameras, t5, "residuals.rs:6:25");
        let t8 = add_usize(t5, 1, "residuals.rs:6:50");
        let t9 = *elem(cameras, t8, "residuals.rs:6:42");
        let t10 = add_usize(t5, 2, "residuals.rs:6:71");
        let t11 = *elem(cameras, t10, "residuals.rs:6:63");
        // 7: let x = points[point] - cameras[camera + 3];
        let t12 = *elem(points, t6, "residuals.rs:7:13");
        let t13 = add_usize(t5, 3, "residuals.rs:7:37");
        let t14 = *elem(cameras, t13, "residuals.rs:7:29");
        let t15 = t12 - t14;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t16 = add_usize(t6, 1, "residuals.rs:8:20");
        let t17 = *elem(points, t16, "residuals.rs:8:13");
        let t18 = add_usize(t5, 4, "residuals.rs:8:41");
        let t19 = *elem(cameras, t18, "residuals.rs:8:33");
        let t20 = t17 - t19;
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t21 = add_usize(t6, 2, "residuals.rs:9:20");
        let t22 = *elem(points, t21, "residuals.rs:9:13");
        let t23 = add_usize(t5, 5, "residuals.rs:9:41");
        let t24 = *elem(cameras, t23, "residuals.rs:9:33");
        let t25 = t22 - t24;
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t26 = t7 * t7 + t9 * t9 + t11 * t11;
        // 11: let (u, v, w) = if squared > 0.0 {
        let t27 = t26 > 0.0;
        let t28: f64;
        let t29: f64;
        let t30: f64;
        let t31: f64;
        let t32: f64;
        let t33: f64;
        let t34: f64;
        let t35: f64;
        let t36: f64;
        let t37: f64;
        if t27 {
            // 12: let angle = squared.sqrt();
            t28 = t26.sqrt();
            // 13: let (sin, cos) = (angle.sin(), angle.cos());
            t29 = t28.sin();
            t30 = t28.cos();
            // 14: let inverse = 1.0 / angle;
            let t38 = 1.0 / t28;
            // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
            let t39 = t7 * t38;
            let t40 = t9 * t38;
            let t41 = t11 * t38;
            // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
            t31 = t39 * t15 + t40 * t20 + t41 * t25;
            let t42 = t31 * (1.0 - t30);
            // 18: x * cos + (b * z - c * y) * sin + a * along,
            t32 = t40 * t25 - t41 * t20;
            t33 = t15 * t30 + t32 * t29 + t39 * t42;
            // 19: y * cos + (c * x - a * z) * sin + b * along,
            t34 = t41 * t15 - t39 * t25;
            t35 = t20 * t30 + t34 * t29 + t40 * t42;
            // 20: z * cos + (a * y - b * x) * sin + c * along,
            t36 = t39 * t20 - t40 * t15;
            t37 = t25 * t30 + t36 * t29 + t41 * t42;
        } else {
            // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
            t33 = t15 + t9 * t25 - t11 * t20;
            t35 = t20 + t11 * t15 - t7 * t25;
            t37 = t25 + t7 * t20 - t9 * t15;
            t28 = 0.0;
            t29 = 0.0;
            t30 = 0.0;
            t31 = 0.0;
            t32 = 0.0;
            t34 = 0.0;
            t36 = 0.0;
        }
        // 25: let (p, q) = (u / w, v / w);
        let t43 = t33 / t37;
        let t44 = t35 / t37;
        // 26: let square = p * p + q * q;
        let t45 = t43 * t43 + t44 * t44;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t46 = add_usize(t5, 9, "residuals.rs:27:30");
        let t47 = *elem(cameras, t46, "residuals.rs:27:22");
        let t48 = add_usize(t5, 10, "residuals.rs:27:61");
        let t49 = *elem(cameras, t48, "residuals.rs:27:53");
        let t50 = t49 * t45;
        let t51 = 1.0 + t47 * t45 + t50 * t45;
        // 28: let focus = cameras[camera + 6];
        let t52 = add_usize(t5, 6, "residuals.rs:28:25");
        let t53 = *elem(cameras, t52, "residuals.rs:28:17");
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t54 = t43 * t51;
        let t55 = add_usize(t5, 7, "residuals.rs:29:46");
        let t56 = *elem(cameras, t55, "residuals.rs:29:38");
        let t57 = t44 * t51;
        let t58 = add_usize(t5, 8, "residuals.rs:29:86");
        let t59 = *elem(cameras, t58, "residuals.rs:29:78");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t60 = mul_usize(2, i, "residuals.rs:30:25");
        let t61 = *elem(seen, t60, "residuals.rs:30:20");
        let t62 = t54 * t53 + t56 - t61;
        let t63 = add_usize(t60, 1, "residuals.rs:30:53");
        let t64 = *elem(seen, t63, "residuals.rs:30:48");
        let t65 = t57 * t53 + t59 - t64;
        // 39: first += p;
        first += t4 * t62;
        // 40: second += q;
        second += t4 * t65;
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        dcameras1[t58] += t4;
        let t66 = mul_zero_if::<STRONG>(t4, t53);
        let t67 = mul_zero_if::<STRONG>(t66, t51);
        let t68 = mul_zero_if::<STRONG>(t66, t44);
        dcameras0[t55] += t4;
        let t69 = mul_zero_if::<STRONG>(t66, t43);
        // 28: let focus = cameras[camera + 6];
        dcameras0[t52] += mul_zero_if::<STRONG>(t4, t54);
        dcameras1[t52] += mul_zero_if::<STRONG>(t4, t57);
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t70 = mul_zero_if::<STRONG>(t69, t45);
        let t71 = mul_zero_if::<STRONG>(t68, t45);
        dcameras0[t48] += mul_zero_if::<STRONG>(t70, t45);
        dcameras1[t48] += mul_zero_if::<STRONG>(t71, t45);
        let t72 = mul_zero_if::<STRONG>(t69, t50) + mul_zero_if::<STRONG>(t70, t49);
        let t73 = t72 + mul_zero_if::<STRONG>(t69, t47);
        let t74 = mul_zero_if::<STRONG>(t68, t50) + mul_zero_if::<STRONG>(t71, t49);
        let t75 = t74 + mul_zero_if::<STRONG>(t68, t47);
        dcameras0[t46] += t70;
        dcameras1[t46] += t71;
        // 26: let square = p * p + q * q;
        let t76 = mul_zero_if::<STRONG>(t73, t44);
        let t77 = mul_zero_if::<STRONG>(t75, t44);
        let t78 = mul_zero_if::<STRONG>(t73, t43);
        let t79 = mul_zero_if::<STRONG>(t75, t43);
        // 25: let (p, q) = (u / w, v / w);
        let t80 = 1.0 / t37;
        let t81 = mul_zero_if::<STRONG>(t76 + t76, t80);
        let t82 = -t44;
        let t83 = mul_zero_if::<STRONG>(t67 + t77 + t77, t80);
        let t84 = mul_zero_if::<STRONG>(t67 + t78 + t78, t80);
        let t85 = -t43;
        let t86 = mul_zero_if::<STRONG>(t81, t82) + mul_zero_if::<STRONG>(t84, t85);
        let t87 = mul_zero_if::<STRONG>(t79 + t79, t80);
        let t88 = mul_zero_if::<STRONG>(t83, t82) + mul_zero_if::<STRONG>(t87, t85);
        let d31: f64;
        let d2: f64;
        let d26: f64;
        let d3: f64;
        let d21: f64;
        let d4: f64;
        let d17: f64;
        let d5: f64;
        let d15: f64;
        let d6: f64;
        let d13: f64;
        let d7: f64;
        let d36: f64;
        let d8: f64;
        if t27 {
            // 20: z * cos + (a * y - b * x) * sin + c * along,
            let t89 = 1.0 - t30;
            let t90 = t31 * t89;
            let t91 = 1.0 / t28;
            let t92 = t11 * t91;
            let t93 = mul_zero_if::<STRONG>(t86, t29);
            let t94 = mul_zero_if::<STRONG>(t88, t29);
            let t95 = -t93;
            let t96 = -t94;
            let t97 = t9 * t91;
            let t98 = t7 * t91;
            // 19: y * cos + (c * x - a * z) * sin + b * along,
            let t99 = mul_zero_if::<STRONG>(t81, t29);
            let t100 = mul_zero_if::<STRONG>(t83, t29);
            let t101 = -t99;
            let t102 = -t100;
            // 18: x * cos + (b * z - c * y) * sin + a * along,
            let t103 = mul_zero_if::<STRONG>(t93, t20) + mul_zero_if::<STRONG>(t101, t25);
            let t104 = mul_zero_if::<STRONG>(t86, t92) + mul_zero_if::<STRONG>(t81, t97);
            let t105 = t104 + mul_zero_if::<STRONG>(t84, t98);
            let t106 = mul_zero_if::<STRONG>(t94, t20) + mul_zero_if::<STRONG>(t102, t25);
            let t107 = mul_zero_if::<STRONG>(t88, t92) + mul_zero_if::<STRONG>(t83, t97);
            let t108 = t107 + mul_zero_if::<STRONG>(t87, t98);
            let t109 = mul_zero_if::<STRONG>(t84, t29);
            let t110 = mul_zero_if::<STRONG>(t86, t36) + mul_zero_if::<STRONG>(t81, t34);
            let t111 = mul_zero_if::<STRONG>(t87, t29);
            let t112 = mul_zero_if::<STRONG>(t88, t36) + mul_zero_if::<STRONG>(t83, t34);
            let t113 = -t109;
            let t114 = -t111;
            let t115 = mul_zero_if::<STRONG>(t86, t90) + mul_zero_if::<STRONG>(t99, t15);
            let t116 = mul_zero_if::<STRONG>(t93, t98) + mul_zero_if::<STRONG>(t81, t30);
            let t117 = mul_zero_if::<STRONG>(t88, t90) + mul_zero_if::<STRONG>(t100, t15);
            let t118 = mul_zero_if::<STRONG>(t94, t98) + mul_zero_if::<STRONG>(t83, t30);
            let t119 = mul_zero_if::<STRONG>(t95, t15) + mul_zero_if::<STRONG>(t81, t90);
            let t120 = mul_zero_if::<STRONG>(t86, t30) + mul_zero_if::<STRONG>(t101, t98);
            let t121 = mul_zero_if::<STRONG>(t96, t15) + mul_zero_if::<STRONG>(t83, t90);
            let t122 = mul_zero_if::<STRONG>(t88, t30) + mul_zero_if::<STRONG>(t102, t98);
            let t123 = mul_zero_if::<STRONG>(t95, t97) + mul_zero_if::<STRONG>(t99, t92);
            let t124 = mul_zero_if::<STRONG>(t86, t25) + mul_zero_if::<STRONG>(t81, t20);
            let t125 = mul_zero_if::<STRONG>(t96, t97) + mul_zero_if::<STRONG>(t100, t92);
            let t126 = mul_zero_if::<STRONG>(t88, t25) + mul_zero_if::<STRONG>(t83, t20);
            // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
            let t127 = mul_zero_if::<STRONG>(t105, t89);
            let t128 = mul_zero_if::<STRONG>(t108, t89);
            let t129 = t124 + mul_zero_if::<STRONG>(t84, t15);
            let t130 = t126 + mul_zero_if::<STRONG>(t87, t15);
            let t131 = t115 + mul_zero_if::<STRONG>(t113, t20);
            let t132 = t131 + mul_zero_if::<STRONG>(t127, t25);
            let t133 = t120 + mul_zero_if::<STRONG>(t109, t97);
            let t134 = t117 + mul_zero_if::<STRONG>(t114, t20);
            let t135 = t134 + mul_zero_if::<STRONG>(t128, t25);
            let t136 = t122 + mul_zero_if::<STRONG>(t111, t97);
            let t137 = t119 + mul_zero_if::<STRONG>(t109, t25);
            let t138 = t137 + mul_zero_if::<STRONG>(t127, t20);
            let t139 = t116 + mul_zero_if::<STRONG>(t113, t92);
            let t140 = t121 + mul_zero_if::<STRONG>(t111, t25);
            let t141 = t140 + mul_zero_if::<STRONG>(t128, t20);
            let t142 = t118 + mul_zero_if::<STRONG>(t114, t92);
            let t143 = t103 + mul_zero_if::<STRONG>(t84, t90);
            let t144 = t143 + mul_zero_if::<STRONG>(t127, t15);
            let t145 = t123 + mul_zero_if::<STRONG>(t84, t30);
            let t146 = t106 + mul_zero_if::<STRONG>(t87, t90);
            let t147 = t146 + mul_zero_if::<STRONG>(t128, t15);
            let t148 = t125 + mul_zero_if::<STRONG>(t87, t30);
            // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
            let t149 = mul_zero_if::<STRONG>(t132, t11) + mul_zero_if::<STRONG>(t138, t9);
            let t150 = mul_zero_if::<STRONG>(t135, t11) + mul_zero_if::<STRONG>(t141, t9);
            // 14: let inverse = 1.0 / angle;
            let t151 = -t91;
            let t152 = mul_zero_if::<STRONG>(t149 + mul_zero_if::<STRONG>(t144, t7), t91);
            let t153 = mul_zero_if::<STRONG>(t150 + mul_zero_if::<STRONG>(t147, t7), t91);
            // 13: let (sin, cos) = (angle.sin(), angle.cos());
            let t154 = -t29;
            let t155 = mul_zero_if::<STRONG>(t129 - mul_zero_if::<STRONG>(t105, t31), t154);
            let t156 = mul_zero_if::<STRONG>(t130 - mul_zero_if::<STRONG>(t108, t31), t154);
            let t157 = mul_zero_if::<STRONG>(t110 + mul_zero_if::<STRONG>(t84, t32), t30);
            let t158 = mul_zero_if::<STRONG>(t112 + mul_zero_if::<STRONG>(t87, t32), t30);
            // 12: let angle = squared.sqrt();
            let t159 = 0.5 / t28;
            d36 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t152, t151) + t155 + t157, t159);
            d8 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t153, t151) + t156 + t158, t159);
            d17 = mul_zero_if::<STRONG>(t132, t91);
            d5 = mul_zero_if::<STRONG>(t135, t91);
            d15 = mul_zero_if::<STRONG>(t138, t91);
            d6 = mul_zero_if::<STRONG>(t141, t91);
            d13 = mul_zero_if::<STRONG>(t144, t91);
            d7 = mul_zero_if::<STRONG>(t147, t91);
            d31 = t133 + mul_zero_if::<STRONG>(t127, t92);
            d2 = t136 + mul_zero_if::<STRONG>(t128, t92);
            d26 = t139 + mul_zero_if::<STRONG>(t127, t97);
            d3 = t142 + mul_zero_if::<STRONG>(t128, t97);
            d21 = t145 + mul_zero_if::<STRONG>(t127, t98);
            d4 = t148 + mul_zero_if::<STRONG>(t128, t98);
        } else {
            // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
            let t160 = -t86;
            let t161 = -t88;
            let t162 = -t81;
            let t163 = -t83;
            let t164 = -t84;
            let t165 = -t87;
            let t166 = mul_zero_if::<STRONG>(t86, t7) + t81;
            let t167 = mul_zero_if::<STRONG>(t88, t7) + t83;
            let t168 = mul_zero_if::<STRONG>(t160, t9) + mul_zero_if::<STRONG>(t81, t11);
            let t169 = mul_zero_if::<STRONG>(t161, t9) + mul_zero_if::<STRONG>(t83, t11);
            let t170 = t86 + mul_zero_if::<STRONG>(t162, t7);
            let t171 = t88 + mul_zero_if::<STRONG>(t163, t7);
            d36 = 0.0;
            d8 = 0.0;
            d17 = mul_zero_if::<STRONG>(t81, t15) + mul_zero_if::<STRONG>(t164, t20);
            d5 = mul_zero_if::<STRONG>(t83, t15) + mul_zero_if::<STRONG>(t165, t20);
            d15 = mul_zero_if::<STRONG>(t160, t15) + mul_zero_if::<STRONG>(t84, t25);
            d6 = mul_zero_if::<STRONG>(t161, t15) + mul_zero_if::<STRONG>(t87, t25);
            d13 = mul_zero_if::<STRONG>(t86, t20) + mul_zero_if::<STRONG>(t162, t25);
            d7 = mul_zero_if::<STRONG>(t88, t20) + mul_zero_if::<STRONG>(t163, t25);
            d31 = t170 + mul_zero_if::<STRONG>(t84, t9);
            d2 = t171 + mul_zero_if::<STRONG>(t87, t9);
            d26 = t166 + mul_zero_if::<STRONG>(t164, t11);
            d3 = t167 + mul_zero_if::<STRONG>(t165, t11);
            d21 = t168 + t84;
            d4 = t169 + t87;
        }
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t172 = mul_zero_if::<STRONG>(d36, t11);
        let t173 = mul_zero_if::<STRONG>(d8, t11);
        let t174 = mul_zero_if::<STRONG>(d36, t9);
        let t175 = mul_zero_if::<STRONG>(d8, t9);
        let t176 = mul_zero_if::<STRONG>(d36, t7);
        let t177 = mul_zero_if::<STRONG>(d8, t7);
        // 9: let z = points[point + 2] - cameras[camera + 5];
        dcameras0[t23] -= d31;
        dcameras1[t23] -= d2;
        dpoints0[t21] += d31;
        dpoints1[t21] += d2;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        dcameras0[t18] -= d26;
        dcameras1[t18] -= d3;
        dpoints0[t16] += d26;
        dpoints1[t16] += d3;
        // 7: let x = points[point] - cameras[camera + 3];
        dcameras0[t13] -= d21;
        dcameras1[t13] -= d4;
        dpoints0[t6] += d21;
        dpoints1[t6] += d4;
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        dcameras0[t10] += d17 + t172 + t172;
        dcameras1[t10] += d5 + t173 + t173;
        dcameras0[t8] += d15 + t174 + t174;
        dcameras1[t8] += d6 + t175 + t175;
        dcameras0[t5] += d13 + t176 + t176;
        dcameras1[t5] += d7 + t177 + t177;
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        dweights0[i] = 0.0 + t62;
        dweights1[i] = 0.0 + t65;
    }
    (first, second)
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

#[cold]
fn misfit(len: usize, found: usize, at: &str) -> ! {
    panic!("a slice of length {found} was given for {len} numbers, {}", at)
}

/// Fails if a slice of the caller has another length than the results.
fn same_length<T>(slice: &[T], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
}

/// Zeros a slice of the caller, which must have this length.
fn zero(slice: &mut [f64], len: usize, at: &str) {
    if slice.len() != len {
        misfit(len, slice.len(), at)
    }
    slice.fill(0.0);
}
