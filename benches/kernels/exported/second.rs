/// The value and the gradient of `second`.
///
/// Vectors are written to the slices after the arguments, which must have their lengths.
pub fn second_value_and_gradient_into(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
    dcameras: &mut [f64],
    dpoints: &mut [f64],
    dweights: &mut [f64],
) -> f64 {
    // Plain products are NaN where zero meets infinity; such a product is zero.
    let found = second_value_and_gradient_into_by::<false>(
        cameras, points, weights, seen, dcameras, dpoints, dweights,
    );
    if any_nan(dcameras) || any_nan(dpoints) || any_nan(dweights) {
        second_value_and_gradient_into_by::<true>(
            cameras, points, weights, seen, dcameras, dpoints, dweights,
        )
    } else {
        found
    }
}

#[allow(clippy::needless_late_init, clippy::needless_range_loop)]
fn second_value_and_gradient_into_by<const STRONG: bool>(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    seen: &[f64],
    dcameras: &mut [f64],
    dpoints: &mut [f64],
    dweights: &mut [f64],
) -> f64 {
    zero(dcameras, cameras.len(), "second.rs:51:8");
    zero(dpoints, points.len(), "second.rs:51:8");
    let t1 = weights.len();
    zero(dweights, t1, "second.rs:51:8");
    // 37: for i in 0..weights.len() {
    let mut second: f64 = 0.0;
    for i in 0..t1 {
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        let t2 = weights[i];
        // 5: let (camera, point) = (11 * i, 3 * i);
        let t3 = mul_usize(11, i, "second.rs:5:28");
        let t4 = mul_usize(3, i, "second.rs:5:36");
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        let t5 = *elem(cameras, t3, "second.rs:6:25");
        let t6 = add_usize(t3, 1, "second.rs:6:50");
        let t7 = *elem(cameras, t6, "second.rs:6:42");
        let t8 = add_usize(t3, 2, "second.rs:6:71");
        let t9 = *elem(cameras, t8, "second.rs:6:63");
        // 7: let x = points[point] - cameras[camera + 3];
        let t10 = *elem(points, t4, "second.rs:7:13");
        let t11 = add_usize(t3, 3, "second.rs:7:37");
        let t12 = *elem(cameras, t11, "second.rs:7:29");
        let t13 = t10 - t12;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        let t14 = add_usize(t4, 1, "second.rs:8:20");
        let t15 = *elem(points, t14, "second.rs:8:13");
        let t16 = add_usize(t3, 4, "second.rs:8:41");
        let t17 = *elem(cameras, t16, "second.rs:8:33");
        let t18 = t15 - t17;
        // 9: let z = points[point + 2] - cameras[camera + 5];
        let t19 = add_usize(t4, 2, "second.rs:9:20");
        let t20 = *elem(points, t19, "second.rs:9:13");
        let t21 = add_usize(t3, 5, "second.rs:9:41");
        let t22 = *elem(cameras, t21, "second.rs:9:33");
        let t23 = t20 - t22;
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t24 = t5 * t5 + t7 * t7 + t9 * t9;
        let t25: f64;
        let t26: f64;
        let t27: f64;
        let t28: f64;
        let t29: f64;
        let t30: f64;
        let t31: f64;
        let t32: f64;
        let t33: f64;
        let t34: f64;
        let t35: u8;
        // 11: let (u, v, w) = if squared > 0.0 {
        if t24 > 0.0 {
            // 12: let angle = squared.sqrt();
            t25 = t24.sqrt();
            // 13: let (sin, cos) = (angle.sin(), angle.cos());
            t26 = t25.sin();
            t27 = t25.cos();
            // 14: let inverse = 1.0 / angle;
            let t36 = 1.0 / t25;
            // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
            let t37 = t5 * t36;
            let t38 = t7 * t36;
            let t39 = t9 * t36;
            // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
            t28 = t37 * t13 + t38 * t18 + t39 * t23;
            let t40 = t28 * (1.0 - t27);
            // 18: x * cos + (b * z - c * y) * sin + a * along,
            t29 = t38 * t23 - t39 * t18;
            t30 = t13 * t27 + t29 * t26 + t37 * t40;
            // 19: y * cos + (c * x - a * z) * sin + b * along,
            t31 = t39 * t13 - t37 * t23;
            t32 = t18 * t27 + t31 * t26 + t38 * t40;
            // 20: z * cos + (a * y - b * x) * sin + c * along,
            t33 = t37 * t18 - t38 * t13;
            t34 = t23 * t27 + t33 * t26 + t39 * t40;
            // 17: (
            t35 = 0;
        } else {
            // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
            t30 = t13 + t7 * t23 - t9 * t18;
            t32 = t18 + t9 * t13 - t5 * t23;
            t34 = t23 + t5 * t18 - t7 * t13;
            t35 = 1;
            t25 = 0.0;
            t26 = 0.0;
            t27 = 0.0;
            t28 = 0.0;
            t29 = 0.0;
            t31 = 0.0;
            t33 = 0.0;
        }
        // 25: let (p, q) = (u / w, v / w);
        let t41 = t30 / t34;
        let t42 = t32 / t34;
        // 26: let square = p * p + q * q;
        let t43 = t41 * t41 + t42 * t42;
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t44 = add_usize(t3, 9, "second.rs:27:30");
        let t45 = *elem(cameras, t44, "second.rs:27:22");
        let t46 = add_usize(t3, 10, "second.rs:27:61");
        let t47 = *elem(cameras, t46, "second.rs:27:53");
        let t48 = t47 * t43;
        let t49 = 1.0 + t45 * t43 + t48 * t43;
        // 28: let focus = cameras[camera + 6];
        let t50 = add_usize(t3, 6, "second.rs:28:25");
        let t51 = *elem(cameras, t50, "second.rs:28:17");
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        let t52 = add_usize(t3, 7, "second.rs:29:46");
        elem(cameras, t52, "second.rs:29:38");
        let t53 = t42 * t49;
        let t54 = add_usize(t3, 8, "second.rs:29:86");
        let t55 = *elem(cameras, t54, "second.rs:29:78");
        // 30: (weight * (p - seen[2 * i]), weight * (q - seen[2 * i + 1]))
        let t56 = mul_usize(2, i, "second.rs:30:25");
        elem(seen, t56, "second.rs:30:20");
        let t57 = add_usize(t56, 1, "second.rs:30:53");
        let t58 = *elem(seen, t57, "second.rs:30:48");
        let t59 = t53 * t51 + t55 - t58;
        // 40: second += q;
        second += t2 * t59;
        // 29: let (p, q) = (p * bent * focus + cameras[camera + 7], q * bent * focus + cameras[camera + 8]);
        dcameras[t54] += t2;
        let t60 = mul_zero_if::<STRONG>(t2, t51);
        let t61 = mul_zero_if::<STRONG>(t60, t42);
        // 28: let focus = cameras[camera + 6];
        dcameras[t50] += mul_zero_if::<STRONG>(t2, t53);
        // 27: let bent = 1.0 + cameras[camera + 9] * square + cameras[camera + 10] * square * square;
        let t62 = mul_zero_if::<STRONG>(t61, t43);
        dcameras[t46] += mul_zero_if::<STRONG>(t62, t43);
        let t63 = mul_zero_if::<STRONG>(t61, t48) + mul_zero_if::<STRONG>(t62, t47);
        let t64 = t63 + mul_zero_if::<STRONG>(t61, t45);
        dcameras[t44] += t62;
        // 26: let square = p * p + q * q;
        let t65 = mul_zero_if::<STRONG>(t64, t42);
        let t66 = mul_zero_if::<STRONG>(t64, t41);
        // 25: let (p, q) = (u / w, v / w);
        let t67 = 1.0 / t34;
        let t68 = mul_zero_if::<STRONG>(mul_zero_if::<STRONG>(t60, t49) + t65 + t65, t67);
        let t69 = mul_zero_if::<STRONG>(t66 + t66, t67);
        let t70 = mul_zero_if::<STRONG>(t68, -t42) + mul_zero_if::<STRONG>(t69, -t41);
        let d30: f64;
        let d25: f64;
        let d20: f64;
        let d16: f64;
        let d14: f64;
        let d12: f64;
        let d35: f64;
        match t35 {
            0 => {
                // 20: z * cos + (a * y - b * x) * sin + c * along,
                let t71 = 1.0 - t27;
                let t72 = t28 * t71;
                let t73 = 1.0 / t25;
                let t74 = t9 * t73;
                let t75 = mul_zero_if::<STRONG>(t70, t26);
                let t76 = -t75;
                let t77 = t7 * t73;
                let t78 = t5 * t73;
                // 19: y * cos + (c * x - a * z) * sin + b * along,
                let t79 = mul_zero_if::<STRONG>(t68, t26);
                let t80 = -t79;
                // 18: x * cos + (b * z - c * y) * sin + a * along,
                let t81 = mul_zero_if::<STRONG>(t75, t18) + mul_zero_if::<STRONG>(t80, t23);
                let t82 = mul_zero_if::<STRONG>(t70, t74) + mul_zero_if::<STRONG>(t68, t77);
                let t83 = t82 + mul_zero_if::<STRONG>(t69, t78);
                let t84 = mul_zero_if::<STRONG>(t69, t26);
                let t85 = mul_zero_if::<STRONG>(t70, t33) + mul_zero_if::<STRONG>(t68, t31);
                let t86 = -t84;
                let t87 = mul_zero_if::<STRONG>(t70, t72) + mul_zero_if::<STRONG>(t79, t13);
                let t88 = mul_zero_if::<STRONG>(t75, t78) + mul_zero_if::<STRONG>(t68, t27);
                let t89 = mul_zero_if::<STRONG>(t76, t13) + mul_zero_if::<STRONG>(t68, t72);
                let t90 = mul_zero_if::<STRONG>(t70, t27) + mul_zero_if::<STRONG>(t80, t78);
                let t91 = mul_zero_if::<STRONG>(t76, t77) + mul_zero_if::<STRONG>(t79, t74);
                let t92 = mul_zero_if::<STRONG>(t70, t23) + mul_zero_if::<STRONG>(t68, t18);
                // 16: let along = (a * x + b * y + c * z) * (1.0 - cos);
                let t93 = mul_zero_if::<STRONG>(t83, t71);
                let t94 = t92 + mul_zero_if::<STRONG>(t69, t13);
                let t95 = t87 + mul_zero_if::<STRONG>(t86, t18);
                let t96 = t95 + mul_zero_if::<STRONG>(t93, t23);
                let t97 = t90 + mul_zero_if::<STRONG>(t84, t77);
                let t98 = t89 + mul_zero_if::<STRONG>(t84, t23);
                let t99 = t98 + mul_zero_if::<STRONG>(t93, t18);
                let t100 = t88 + mul_zero_if::<STRONG>(t86, t74);
                let t101 = t81 + mul_zero_if::<STRONG>(t69, t72);
                let t102 = t101 + mul_zero_if::<STRONG>(t93, t13);
                let t103 = t91 + mul_zero_if::<STRONG>(t69, t27);
                // 15: let (a, b, c) = (r0 * inverse, r1 * inverse, r2 * inverse);
                let t104 = mul_zero_if::<STRONG>(t96, t9) + mul_zero_if::<STRONG>(t99, t7);
                // 14: let inverse = 1.0 / angle;
                let t105 = mul_zero_if::<STRONG>(t104 + mul_zero_if::<STRONG>(t102, t5), t73);
                // 13: let (sin, cos) = (angle.sin(), angle.cos());
                let t106 = mul_zero_if::<STRONG>(t94 - mul_zero_if::<STRONG>(t83, t28), -t26);
                let t107 = mul_zero_if::<STRONG>(t85 + mul_zero_if::<STRONG>(t69, t29), t27);
                // 12: let angle = squared.sqrt();
                let t108 = mul_zero_if::<STRONG>(t105, -t73) + t106 + t107;
                d35 = mul_zero_if::<STRONG>(t108, 0.5 / t25);
                d16 = mul_zero_if::<STRONG>(t96, t73);
                d14 = mul_zero_if::<STRONG>(t99, t73);
                d12 = mul_zero_if::<STRONG>(t102, t73);
                d30 = t97 + mul_zero_if::<STRONG>(t93, t74);
                d25 = t100 + mul_zero_if::<STRONG>(t93, t77);
                d20 = t103 + mul_zero_if::<STRONG>(t93, t78);
            }
            _ => {
                // 23: (x + r1 * z - r2 * y, y + r2 * x - r0 * z, z + r0 * y - r1 * x)
                let t109 = -t70;
                let t110 = -t68;
                let t111 = -t69;
                let t112 = mul_zero_if::<STRONG>(t70, t5) + t68;
                let t113 = mul_zero_if::<STRONG>(t109, t7) + mul_zero_if::<STRONG>(t68, t9);
                let t114 = t70 + mul_zero_if::<STRONG>(t110, t5);
                d35 = 0.0;
                d16 = mul_zero_if::<STRONG>(t68, t13) + mul_zero_if::<STRONG>(t111, t18);
                d14 = mul_zero_if::<STRONG>(t109, t13) + mul_zero_if::<STRONG>(t69, t23);
                d12 = mul_zero_if::<STRONG>(t70, t18) + mul_zero_if::<STRONG>(t110, t23);
                d30 = t114 + mul_zero_if::<STRONG>(t69, t7);
                d25 = t112 + mul_zero_if::<STRONG>(t111, t9);
                d20 = t113 + t69;
            }
        }
        // 10: let squared = r0 * r0 + r1 * r1 + r2 * r2;
        let t115 = mul_zero_if::<STRONG>(d35, t9);
        let t116 = mul_zero_if::<STRONG>(d35, t7);
        let t117 = mul_zero_if::<STRONG>(d35, t5);
        // 9: let z = points[point + 2] - cameras[camera + 5];
        dcameras[t21] -= d30;
        dpoints[t19] += d30;
        // 8: let y = points[point + 1] - cameras[camera + 4];
        dcameras[t16] -= d25;
        dpoints[t14] += d25;
        // 7: let x = points[point] - cameras[camera + 3];
        dcameras[t11] -= d20;
        dpoints[t4] += d20;
        // 6: let (r0, r1, r2) = (cameras[camera], cameras[camera + 1], cameras[camera + 2]);
        dcameras[t8] += d16 + t115 + t115;
        dcameras[t6] += d14 + t116 + t116;
        dcameras[t3] += d12 + t117 + t117;
        // 38: let (p, q) = residual(cameras, points, weights[i], seen, i);
        dweights[i] += t59;
    }
    second
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
