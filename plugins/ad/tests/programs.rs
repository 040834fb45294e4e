//! Programs and their derivatives, in reverse and in forward mode: cases gathered from earlier AD systems.

use overdub_ad::GradientRoute;
use overdub_ad::dual::jvp;
use overdub_ad::flatten::{floats, with_floats};
use overdub_context::value::Value;
use overdub_lower::{Function, Loaded};

/// The function `f` of a source.
fn program(source: &str) -> (Loaded, Function) {
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}"));
    (loaded, f)
}

/// The value and the flat gradient in reverse mode; checks it against a forward run for each argument.
fn gradient(source: &str, args: &[Value<'static>]) -> (f64, Vec<f64>) {
    let (loaded, f) = program(source);
    let engine = loaded.engine();
    let (value, reverse) = overdub_ad::gradient(&engine, f.symbol, args.to_vec(), f.ir_ret)
        .unwrap_or_else(|failure| panic!("{failure}"));
    let reverse: Vec<f64> = reverse.iter().flat_map(floats).collect();
    let (value, _) = f.split(value);
    for (k, expected) in reverse.iter().enumerate() {
        let mut unit = (0..reverse.len()).map(|at| if at == k { 1.0 } else { 0.0 });
        let tangents: Vec<Value<'static>> = args
            .iter()
            .map(|arg| with_floats(arg, &mut unit).expect("it has the shape of the argument"))
            .collect();
        let (_, dy) = jvp(&engine, f.symbol, args.to_vec(), tangents).unwrap_or_else(|e| panic!("{e}"));
        let forward = floats(&f.split(dy).0)[0];
        let agree = (forward - expected).abs() <= 1e-12 * expected.abs() || forward == *expected;
        assert!(
            agree || (forward.is_nan() && expected.is_nan()),
            "argument {k}: {forward} forward, {expected} in reverse"
        );
    }
    (floats(&value)[0], reverse)
}

fn at(x: f64) -> Vec<Value<'static>> {
    vec![Value::F64(x)]
}

fn close(ours: &[f64], expected: &[f64]) {
    let same = ours.len() == expected.len()
        && ours.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0));
    assert!(same, "{ours:?}, not {expected:?}");
}

/// Checks the derivatives of a program of one float at these points.
fn derivatives(source: &str, expected: &[(f64, f64)]) {
    for (x, slope) in expected {
        close(&gradient(source, &at(*x)).1, &[*slope]);
    }
}

#[test]
fn d1_the_branch_that_is_taken_is_differentiated() {
    let three = "pub fn f(x: f64) -> f64 { if x > 0.0 { 2.0 * x } else if x < 0.0 { 3.0 * x } else { x } }";
    derivatives(three, &[(1.0, 2.0), (-1.0, 3.0), (0.0, 1.0)]);
    derivatives("pub fn f(x: f64) -> f64 { if true { x + x } else { x } }", &[(1.0, 2.0)]);
    derivatives(
        "pub fn f(x: f64) -> f64 { if x > 0.0 { x * x } else { 2.0 * x } }",
        &[(4.0, 8.0), (-10.0, 2.0)],
    );
}

#[test]
fn d2_recursion_is_differentiated() {
    let pow = "pub fn f(x: f64, n: i64) -> f64 { if n == 0 { 1.0 } else { x * f(x, n - 1) } }";
    close(&gradient(pow, &[Value::F64(2.0), Value::from(3_i64)]).1, &[12.0]);
    let fact = "pub fn f(x: f64) -> f64 { if x <= 1.0 { 1.0 } else { x * f(x - 1.0) } }";
    derivatives(fact, &[(1.0, 0.0), (2.0, 1.0), (3.0, 5.0), (4.0, 26.0), (5.0, 154.0)]);
}

#[test]
fn d3_loops_of_every_kind_are_differentiated() {
    let cubes = [
        "pub fn f(x: f64) -> f64 { let mut y = 1.0; for _ in 0..3 { y *= x; } y }",
        "pub fn f(x: f64) -> f64 { let mut y = 1.0; let mut i = 0; while i < 3 { y *= x; i += 1; } y }",
        "pub fn f(x: f64) -> f64 { let mut y = 1.0; let mut i = 0; loop { if i == 3 { break; } y *= x; i += 1; } y }",
    ];
    for source in cubes {
        derivatives(source, &[(2.0, 12.0), (3.0, 27.0)]);
    }
    let nested = "pub fn f(x: f64) -> f64 { let mut y = x; for _ in 0..2 { for _ in 0..3 { y *= x; } } y }";
    derivatives(nested, &[(2.0, 448.0), (3.0, 5103.0)]);
    let stopped =
        "pub fn f(x: f64) -> f64 { let mut y = x; for i in 0..9 { if i == 3 { break; } y *= x; } y }";
    derivatives(stopped, &[(2.0, 32.0), (3.0, 108.0)]);
    let skipped =
        "pub fn f(x: f64) -> f64 { let mut y = x; for i in 0..10 { if i % 2 == 0 { continue; } y *= x; } y }";
    derivatives(skipped, &[(2.0, 192.0), (3.0, 1458.0)]);
}

#[test]
fn d4_swaps_of_what_a_loop_carries_keep_derivatives_apart() {
    let product = "pub fn f(x: &[f64]) -> f64 { let mut p = 1.0; for x in x { p *= x; } p }";
    close(&gradient(product, &[Value::floats(vec![1.0, 2.0, 3.0])]).1, &[6.0, 3.0, 2.0]);
    let swap =
        "pub fn f(x: f64) -> f64 { let (mut a, mut b) = (x, 2.0 * x); for _ in 0..3 { (a, b) = (b, a); } a }";
    derivatives(swap, &[(1.0, 2.0)]);
    let rotate = "pub fn f(x: f64) -> f64 { let (mut a, mut b, mut c) = (x, 2.0 * x, 3.0 * x);
        for _ in 0..4 { (a, b, c) = (b, c, a); } a }";
    derivatives(rotate, &[(1.0, 2.0)]);
}

#[test]
fn d5_iterations_are_differentiated_as_they_are_run() {
    let doubled =
        "pub fn f(x: f64) -> f64 { let (mut a, mut b) = (x, x); for _ in 0..3 { (a, b) = (b, 2.0 * a); } b }";
    derivatives(doubled, &[(1.0, 4.0)]);
    let newton = "pub fn f(x: f64) -> f64 { let mut y = x; for _ in 0..60 { y = 0.5 * (y + x / y); } y }";
    derivatives(newton, &[(2.0, 0.353_553_390_593_273_8)]);
}

#[test]
fn d6_what_closures_capture_has_derivatives() {
    let captured = "pub fn f(x: f64, y: f64) -> f64 { let g = |z: f64| x * z * z; g(y) + g(1.0) }";
    close(&gradient(captured, &[Value::F64(2.0), Value::F64(3.0)]).1, &[10.0, 12.0]);
    let changed =
        "pub fn f(x: f64) -> f64 { let mut s = 0.0; let mut add = |y: f64| s += y * x; add(x); add(2.0); s }";
    derivatives(changed, &[(3.0, 8.0)]);
}

#[test]
fn d7_structs_tuples_and_vectors_built_inside_are_differentiated() {
    let source = "struct P { a: f64, b: f64 }
        impl P { fn area(&self) -> f64 { self.a * self.b } }
        pub fn f(a: f64, b: f64) -> f64 {
            let p = P { a, b };
            let t = (p.area(), b);
            let v = vec![t.0, t.1];
            v[0] * v[1]
        }";
    close(&gradient(source, &[Value::F64(2.0), Value::F64(3.0)]).1, &[9.0, 12.0]);
}

#[test]
fn d8_arrays_that_are_changed_in_place_are_differentiated() {
    let relu = "pub fn f(x: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() { y[i] = if x[i] > 0.0 { x[i] * x[i] } else { 0.0 }; }
        y.iter().sum()
    }";
    let x = Value::floats(vec![1.7, 2.1, -1.5, -0.1, 3.1]);
    close(&gradient(relu, &[x]).1, &[3.4, 4.2, 0.0, 0.0, 6.2]);
    let overwritten = "pub fn f(mut x: [f64; 2]) -> f64 { x[0] = x[1].sin(); x[0] }";
    close(&gradient(overwritten, &[Value::floats(vec![9.0, 0.5])]).1, &[0.0, 0.5_f64.cos()]);
    let twice = "pub fn f(x: f64) -> f64 { let mut out = [0.0; 2];
        for k in 1..3 { for o in out.iter_mut() { *o = x * k as f64; } } out[0] + out[1] }";
    derivatives(twice, &[(5.0, 4.0)]);
    derivatives("pub fn f(a: f64) -> f64 { let mut x = a * a; x *= x; x }", &[(1.5, 4.0 * 1.5 * 1.5 * 1.5)]);
}

#[test]
fn d9_what_is_read_twice_adds_up_and_what_is_not_read_is_zero() {
    let gather = "pub fn f(x: &[f64]) -> f64 { [0_usize, 1, 2, 2].iter().map(|&i| x[i]).sum() }";
    let x = || Value::floats(vec![4.0, 5.0, 6.0]);
    close(&gradient(gather, &[x()]).1, &[1.0, 1.0, 2.0]);
    close(&gradient("pub fn f(x: &[f64]) -> f64 { x[0] * x[0] }", &[x()]).1, &[8.0, 0.0, 0.0]);
    let unused = "pub fn f(x: f64, y: &[f64]) -> f64 { 2.0 * x }";
    close(&gradient(unused, &[Value::F64(1.0), x()]).1, &[2.0, 0.0, 0.0, 0.0]);
}

#[test]
fn d10_chains_of_iterators_are_differentiated() {
    let zip = "pub fn f(x: &[f64], y: &[f64]) -> f64 { x.iter().zip(y).map(|(a, b)| a * b).sum() }";
    let (long, short) = (Value::floats(vec![1.0, 2.0, 3.0]), Value::floats(vec![4.0, 5.0]));
    close(&gradient(zip, &[long, short]).1, &[4.0, 5.0, 0.0, 1.0, 2.0]);
    let powers =
        "pub fn f(x: &[f64]) -> f64 { x.iter().enumerate().map(|(i, x)| x.powi(i as i32 + 1)).sum() }";
    close(&gradient(powers, &[Value::floats(vec![2.0, 3.0, 4.0])]).1, &[1.0, 6.0, 48.0]);
    let kept = "pub fn f(x: &[f64]) -> f64 { x.iter().filter(|x| **x % 2.0 == 0.0).map(|x| x * x).sum() }";
    close(&gradient(kept, &[Value::floats(vec![1.0, 2.0, 3.0, 4.0])]).1, &[0.0, 4.0, 0.0, 8.0]);
    let scanned = "pub fn f(x: &[f64]) -> f64 {
        x.iter().scan(1.0, |p, x| { *p *= x; Some(*p) }).fold(0.0, |s, p| s + p) }";
    close(&gradient(scanned, &[Value::floats(vec![2.0, 3.0])]).1, &[4.0, 2.0]);
}

#[test]
fn d11_sorting_carries_derivatives_to_where_the_numbers_came_from() {
    let sorted = "pub fn f(x: &[f64]) -> f64 { let mut v = x.to_vec();
        v.sort_by(|a, b| a.partial_cmp(b).unwrap()); v[0] + 10.0 * v[1] + 100.0 * v[2] }";
    close(&gradient(sorted, &[Value::floats(vec![3.0, 1.0, 2.0])]).1, &[100.0, 1.0, 10.0]);
    let greatest = "pub fn f(x: &[f64]) -> f64 { x.iter().copied().fold(f64::NEG_INFINITY, f64::max) }";
    close(&gradient(greatest, &[Value::floats(vec![1.0, 7.0, 7.0])]).1, &[0.0, 1.0, 0.0]);
    close(
        &gradient("pub fn f(a: f64, b: f64) -> f64 { a.min(b) }", &[Value::F64(2.0), Value::F64(2.0)]).1,
        &[1.0, 0.0],
    );
}

#[test]
fn d12_integers_bools_and_steps_have_no_derivative() {
    derivatives("pub fn f(x: f64) -> f64 { let b = x > 1.0; (b as i32 as f64).cos() }", &[(2.0, 0.0)]);
    derivatives("pub fn f(x: f64) -> f64 { x.floor() + x.ceil() + x.round() + x.trunc() }", &[(2.3, 0.0)]);
    derivatives("pub fn f(x: f64) -> f64 { (x as i64) as f64 }", &[(2.3, 0.0)]);
    derivatives("pub fn f(x: f64) -> f64 { x.abs() }", &[(0.0, 0.0), (-2.0, -1.0)]);
    derivatives("pub fn f(x: f64) -> f64 { (x * x).sqrt() }", &[(0.0, 0.0), (-3.0, -1.0)]);
}

#[test]
fn d14_formatting_and_comparing_inside_active_code_changes_nothing() {
    let source = "pub fn f(x: f64) -> f64 {
        let text = format!(\"{x:.3}\");
        let same = vec![x, x] == vec![x, 2.0];
        if text.is_empty() || (same && x > 5.0) { 0.0 } else { x * x }
    }";
    derivatives(source, &[(3.0, 6.0), (2.0, 4.0)]);
}

#[test]
fn d15_second_derivatives_are_those_of_the_gradient() {
    let hessian = |source: &str, x: Vec<f64>| {
        let (loaded, f) = program(source);
        overdub_ad::hessian(&loaded.engine(), f.symbol, vec![Value::floats(x)], f.ir_ret).expect("it has one")
    };
    let product = hessian("pub fn f(x: &[f64]) -> f64 { x[0] * x[1] }", vec![2.0, 3.0]);
    assert_eq!(product.rows, [[0.0, 1.0], [1.0, 0.0]]);
    let cubes =
        hessian("pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| x * x * x).sum() }", vec![1.0, 2.0, 3.0, 4.0]);
    for (i, row) in cubes.rows.iter().enumerate() {
        let expected = (0..4).map(|j| if i == j { 6.0 * (i as f64 + 1.0) } else { 0.0 });
        close(row, &expected.collect::<Vec<_>>());
    }
    let sine = hessian("pub fn f(x: &[f64]) -> f64 { x[0].sin() }", vec![std::f64::consts::FRAC_PI_2]);
    close(&sine.rows[0], &[-1.0]);
}

#[test]
fn d16_jacobians_have_a_row_for_each_result() {
    let jacobian = |source: &str, args: Vec<Value<'static>>| {
        let (loaded, f) = program(source);
        overdub_ad::jacobian(&loaded.engine(), f.symbol, args).expect("it has one").rows
    };
    let scaled = "pub fn f(a: &[f64], x: f64) -> Vec<f64> { a.iter().map(|a| a * a * x).collect() }";
    let rows = jacobian(scaled, vec![Value::floats(vec![1.0, 2.0, 3.0]), Value::F64(1.0)]);
    assert_eq!(rows, [[2.0, 0.0, 0.0, 1.0], [0.0, 4.0, 0.0, 4.0], [0.0, 0.0, 6.0, 9.0]]);
}

#[test]
fn a_mutable_parameter_is_differentiated_in_what_it_held_before() {
    let source = "pub fn f(x: &mut [f64], y: &mut f64) -> f64 { x[0] = x[1] * *y; *y = 0.0; x[0] * x[0] }";
    let args = [Value::floats(vec![7.0, 2.0]), Value::F64(3.0)];
    let (value, slopes) = gradient(source, &args);
    assert_eq!(value, 36.0);
    close(&slopes, &[0.0, 36.0, 24.0]);
}

#[test]
fn shared_cells_and_trait_objects_are_differentiated() {
    let source = "use std::cell::RefCell; use std::rc::Rc;
        trait Shape { fn area(&self) -> f64; }
        struct Square(f64);
        struct Disc { r: f64 }
        impl Shape for Square { fn area(&self) -> f64 { self.0 * self.0 } }
        impl Shape for Disc { fn area(&self) -> f64 { 3.0 * self.r * self.r } }
        pub fn f(a: f64, r: f64) -> f64 {
            let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(a)), Box::new(Disc { r })];
            let total = Rc::new(RefCell::new(0.0));
            for shape in &shapes { let total = total.clone(); *total.borrow_mut() += shape.area(); }
            let total = *total.borrow();
            total
        }";
    close(&gradient(source, &[Value::F64(2.0), Value::F64(3.0)]).1, &[4.0, 18.0]);
}

#[test]
fn single_precision_is_differentiated_in_single_precision() {
    let source = "pub fn f(x: f32) -> f64 { ((x * x).sin() as f64) * 2.0 }";
    let x = 0.7_f32;
    let slopes = gradient(source, &[Value::F32(x)]).1;
    let expected = f64::from((x * x).cos() * 2.0 * x) * 2.0;
    assert!((slopes[0] - expected).abs() < 1e-6 * expected.abs(), "{slopes:?}, not {expected}");
}

#[test]
fn a_zero_factor_keeps_infinities_out() {
    // The branch is not taken, so its infinite slope does not count.
    derivatives("pub fn f(x: f64) -> f64 { if x > 0.0 { x.sqrt() } else { 2.0 * x } }", &[(0.0, 2.0)]);
    derivatives("pub fn f(x: f64) -> f64 { let y = 0.0 * x; y.sqrt() + x }", &[(3.0, 1.0)]);
}

#[test]
fn a_program_that_fails_fails_alike_under_derivatives() {
    let (loaded, f) = program("pub fn f(x: &[f64]) -> f64 {\n    x[3]\n}");
    let engine = loaded.engine();
    let args = || vec![Value::floats(vec![1.0])];
    let plain = engine.run(f.symbol, args()).expect_err("it is out of bounds");
    let reverse = overdub_ad::gradient(&engine, f.symbol, args(), f.ir_ret).expect_err("it is out of bounds");
    let forward = jvp(&engine, f.symbol, args(), args()).expect_err("it is out of bounds");
    for failure in [reverse, forward] {
        assert_eq!(failure.report().message, plain.report().message);
        assert_eq!(overdub_lower::user_span(failure.report()).line, 2);
    }
}

#[test]
fn a_tape_that_would_pass_its_limit_is_an_error_at_the_loop() {
    let source = "pub fn f(x: f64) -> f64 {\n    let mut y = x;\n    for _ in 0..100000 {\n        y = y.sin();\n    }\n    y\n}";
    let (loaded, f) = program(source);
    let failure =
        overdub_ad::tape::record_limited(&loaded.engine(), f.symbol, at(0.5), 10_000).expect_err("full");
    assert_eq!(failure.report().message, "the tape of reverse mode would take more than 10000 bytes");
    assert_eq!(overdub_lower::user_span(failure.report()).line, 4);
}

#[test]
fn a_step_of_two_operands_takes_at_most_48_bytes() {
    let source = "pub fn f(x: f64) -> f64 { let mut y = x; for _ in 0..1000 { y = y * x; } y }";
    let (loaded, f) = program(source);
    let recorded = overdub_ad::tape::record(&loaded.engine(), f.symbol, at(0.5)).expect("it runs");
    assert!(recorded.pullback.tape_bytes() <= 48 * 1001, "{} bytes", recorded.pullback.tape_bytes());
}

#[test]
fn a_pullback_gives_the_same_each_time_and_is_linear() {
    let source = "pub fn f(x: f64, y: f64) -> (f64, f64) { (x * y, x.sin()) }";
    let (loaded, f) = program(source);
    let args = vec![Value::F64(2.0), Value::F64(3.0)];
    let pullback = overdub_ad::tape::record(&loaded.engine(), f.symbol, args).expect("it runs").pullback;
    let pull = |a: f64, b: f64| -> Vec<f64> {
        pullback.pull(&[a, b]).expect("two results").iter().flat_map(floats).collect()
    };
    assert_eq!(pull(1.0, 0.0), [3.0, 2.0]);
    assert_eq!(pull(1.0, 0.0), [3.0, 2.0]);
    let (first, second, both) = (pull(1.0, 0.0), pull(0.0, 1.0), pull(2.0, -3.0));
    for k in 0..2 {
        assert!((both[k] - (2.0 * first[k] - 3.0 * second[k])).abs() < 1e-15);
    }
}

#[test]
fn an_integer_and_two_floats_have_no_gradient_but_an_error_that_says_so() {
    for (source, returns) in [
        ("pub fn f(x: f64) -> i64 { x as i64 }", "i64"),
        ("pub fn f(x: f64) -> (f64, f64) { (x, x) }", "(f64, f64)"),
    ] {
        let (loaded, f) = program(source);
        let failure =
            overdub_ad::gradient(&loaded.engine(), f.symbol, at(1.0), f.ir_ret).expect_err("no float");
        assert_eq!(
            failure.report().message,
            format!("`f` returns `{returns}`, and only a float has a gradient")
        );
        assert!(failure.report().help.is_some());
    }
}

#[test]
fn the_digits_of_a_float_carry_its_derivative_through_its_bits() {
    let absolute = "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits() & !(1 << 63)) * x }";
    derivatives(absolute, &[(-3.0, 6.0), (2.5, 5.0)]);
    let signed = "pub fn f(x: f64, y: f64) -> f64 {
        f64::from_bits((x.to_bits() & !(1 << 63)) | (y.to_bits() & (1 << 63))) }";
    close(&gradient(signed, &[Value::F64(2.0), Value::F64(-4.0)]).1, &[-1.0, 0.0]);
    let mantissa = "pub fn f(x: f64) -> f64 {
        let bits = x.to_bits();
        let mut high = (bits >> 32) as u32;
        high = high.wrapping_add(0x3ff00000 - 0x3fe6a09e);
        let k = (high >> 20) as i32 - 0x3ff;
        high = (high & 0x000fffff).wrapping_add(0x3fe6a09e);
        let m = f64::from_bits(((high as u64) << 32) | (bits & 0xffffffff));
        k as f64 + m * m
    }";
    derivatives(mantissa, &[(5.3, 2.0 * 5.3 / 16.0), (0.9, 1.8)]);
    let power = "pub fn f(x: f64, n: i32) -> f64 { x * f64::from_bits(((0x3ff + n) as u64) << 52) }";
    close(&gradient(power, &[Value::F64(1.7), Value::from(3_i32)]).1, &[8.0]);
    let cut = "pub fn f(x: f64) -> f64 { let z = f64::from_bits(x.to_bits() & !0xffff_ffff); z * z + (x - z) * (x + z) }";
    derivatives(cut, &[(1.7, 3.4)]);
    // Exponents, first digits and truncated digits are step functions.
    let steps = "pub fn f(x: f64) -> f64 {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as f64;
        let first = ((x.to_bits() >> 44) & 0xff) as f64;
        let k = (x * 1.44).round() as i64;
        let power = f64::from_bits(((1023 + k) as u64) << 52);
        let eighth = f64::from_bits((0x3ff0 << 48) + (((x * 8.0) as u64) << 49));
        (exponent + first + power + eighth) * x
    }";
    let (y, dx) = gradient(steps, &[Value::F64(1.7)]);
    close(&dx, &[y / 1.7]);
}

#[test]
fn a_float_a_few_above_another_varies_as_that_one_does() {
    let next = "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits() + 1) * x }";
    derivatives(next, &[(1.3, 2.6), (1.5, 3.0), (-0.7, -1.4)]);
    let before = "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits() - 2) * x }";
    derivatives(before, &[(1.3, 2.6), (1.75, 3.5)]);
    let flipped = "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits() ^ 1) * x }";
    derivatives(flipped, &[(1.3, 2.6), (1.5, 3.0)]);
    let same = "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits()) + x }";
    derivatives(same, &[(0.0, 2.0), (f64::INFINITY, 2.0)]);
}

#[test]
fn digits_that_are_cut_off_make_a_step_whatever_they_are() {
    // The last twelve digits are 0, 3 and 0xfff.
    for x in [1.5, f64::from_bits(0x3ff4_cccc_cccc_c003), f64::from_bits(0x3ff4_cccc_cccc_cfff)] {
        for cut in [
            "x.to_bits() & !0xfff",
            "(x.to_bits() + 0x800) & !0xfff",
            "(x.to_bits() >> 12) << 12",
            "x.to_bits() & (u64::MAX << std::hint::black_box(12))",
            "x.to_bits() | 0xfff",
        ] {
            let source = format!("pub fn f(x: f64) -> f64 {{ x * f64::from_bits({cut}) }}");
            let (y, dx) = gradient(&source, &[Value::F64(x)]);
            // Where no digit is lost, the float is the other one.
            let is_same = y == x * x;
            close(&dx, &[if is_same { 2.0 * x } else { y / x }]);
        }
    }
}

#[test]
fn sums_that_change_digits_lose_the_derivative_whatever_they_are() {
    for source in [
        "pub fn f(x: f64) -> f64 { f64::from_bits(x.to_bits() + 0x800) }",
        "pub fn f(x: f64) -> f64 { let y = x + x - x; f64::from_bits(x.to_bits() & y.to_bits()) }",
    ] {
        let (loaded, f) = program(source);
        let failure =
            overdub_ad::gradient(&loaded.engine(), f.symbol, at(1.5), f.ir_ret).expect_err("it is lost");
        assert_eq!(
            failure.report().message,
            "a derivative is lost where the bits of a float are computed with"
        );
    }
}

#[test]
fn the_digits_of_a_float_carry_its_second_derivative_through_its_bits() {
    let hessian = |source: &str, args: &[f64]| {
        let (loaded, f) = program(source);
        let args = args.iter().copied().map(Value::F64).collect();
        let found = overdub_ad::hessian(&loaded.engine(), f.symbol, args, f.ir_ret);
        found.map(|found| (found.gradient, found.rows.concat()))
    };
    let logarithm = "pub fn f(x: f64, y: f64) -> f64 {
        let bits = (x * y).to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
        let m = f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
        let (t, mut sum, mut k) = ((m - 1.0) / (m + 1.0), 0.0, 39);
        while k > 0 { sum = sum * t * t + 1.0 / k as f64; k -= 2; }
        y * (2.0 * t * sum + exponent as f64 * std::f64::consts::LN_2)
    }";
    let (gradient, rows) = hessian(logarithm, &[3.0, 0.4]).expect("it has a Hessian");
    close(&gradient, &[0.4 / 3.0, 1.2_f64.ln() + 1.0]);
    close(&rows, &[-0.4 / 9.0, 1.0 / 3.0, 1.0 / 3.0, 2.5]);
    // The tangent of `(x - 1)²` is 0 at 1, and varies.
    let still = "pub fn f(x: f64) -> f64 {
        let square = 1.25 + (x - 1.0) * (x - 1.0);
        f64::from_bits(square.to_bits() ^ (1 << 63))
    }";
    let (gradient, rows) = hessian(still, &[1.0]).expect("it has a Hessian");
    close(&gradient, &[0.0]);
    close(&rows, &[-2.0]);
    // What is lost in the first derivative is lost in the second, also where the first is zero.
    for lost in [
        "pub fn f(x: f64) -> f64 { f64::from_bits(0x5fe6eb50c7b537a9 - ((x * x + 1.0).to_bits() >> 1)) }",
        "pub fn f(x: f64) -> f64 { (x * x + 1.0).to_bits() as f64 * 1e-16 }",
    ] {
        let failure = hessian(lost, &[0.0]).expect_err("it is lost");
        assert_eq!(
            failure.report().message,
            "a derivative is lost where the bits of a float are computed with"
        );
    }
    let cut = "pub fn f(x: f64) -> f64 { let z = f64::from_bits(x.to_bits() & !0xffff_ffff); z * z + (x - z) * (x + z) }";
    let (gradient, rows) = hessian(cut, &[1.7]).expect("it has a Hessian");
    close(&gradient, &[3.4]);
    close(&rows, &[2.0]);
}

#[test]
fn floats_made_of_numbers_that_were_kept_are_constants() {
    // The state of a generator is kept in a vector, so it is not known where its bits come from.
    let source = "pub fn f(x: f64) -> f64 {
        let mut state = vec![7_u64, 9];
        let mut y = x;
        for _ in 0..3 {
            let next = state[0].wrapping_mul(6364136223846793005).wrapping_add(state[1]);
            state.swap(0, 1);
            state[0] = next;
            y *= f64::from_bits((state[0] >> 12) | (1023 << 52));
        }
        y
    }";
    let (y, dx) = gradient(source, &at(1.5));
    close(&dx, &[y / 1.5]);
}

#[test]
fn a_static_is_a_cell_of_the_run_and_begins_as_a_constant() {
    let table = "static TABLE: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();
    fn table() -> &'static [f64] { TABLE.get_or_init(|| vec![2.0, 0.5]) }
    pub fn f(x: f64) -> f64 { table()[0] * x * x + table()[1] }";
    derivatives(table, &[(1.5, 6.0)]);
    let changed = "static mut LAST: f64 = 1.0;
    pub fn f(x: f64) -> f64 { unsafe { LAST = LAST * x + x; LAST * x } }";
    derivatives(changed, &[(1.5, 6.0)]);
}

#[test]
fn a_derivative_that_bits_lose_is_an_error_at_its_line() {
    for source in [
        "pub fn f(x: f64) -> f64 {\n    f64::from_bits(0x5fe6eb50c7b537a9 - (x.to_bits() >> 1))\n}",
        // Kept where it is not known any more where they come from.
        "pub fn f(x: f64) -> f64 {\n    f64::from_bits(std::hint::black_box(vec![x.to_bits(), 1])[0] ^ 5)\n}",
        "pub fn f(x: f64) -> f64 {\n    f64::from_bits(std::hint::black_box(vec![(4503599627370496.0 * (x + 1022.94269504)) as u64])[0])\n}",
        "pub fn f(x: f32) -> f32 {\n    f32::from_bits(std::hint::black_box(vec![(8388608.0 * (x + 126.94269504)) as u32])[0])\n}",
        // Approximate logarithms and powers of 2, which are right to a few digits.
        "pub fn f(x: f64) -> f64 {\n    x.to_bits() as f64 * 2.220446049250313e-16 - 1022.94269504\n}",
        "pub fn f(x: f64) -> f64 {\n    f64::from_bits((4503599627370496.0 * (x + 1022.94269504)) as u64)\n}",
        "pub fn f(x: f32) -> f32 {\n    f32::from_bits((8388608.0 * (x + 126.94269504)) as u32)\n}",
        // A float of one width, built from the digits of the other.
        "pub fn f(x: f64) -> f64 {\n    (x.to_bits() as i64) as f32 as f64\n}",
    ] {
        let (loaded, f) = program(source);
        let x = if source.contains("f32") { Value::F32(3.0) } else { Value::F64(3.0) };
        let failure =
            overdub_ad::gradient(&loaded.engine(), f.symbol, vec![x], f.ir_ret).expect_err("it is lost");
        assert_eq!(
            failure.report().message,
            "a derivative is lost where the bits of a float are computed with"
        );
        assert_eq!(overdub_lower::user_span(failure.report()).line, 2);
    }
}

#[test]
fn what_an_operation_makes_of_a_float_is_lifted_through_every_level() {
    // A text is not a float; a number parsed from it is a constant, in the second derivative too.
    let source = "pub fn f(x: f64) -> f64 { let n: f64 = \"2.5\".trim().parse().unwrap(); n * x * x }";
    let (loaded, f) = program(source);
    let found = overdub_ad::hessian(&loaded.engine(), f.symbol, at(3.0), f.ir_ret).expect("it has one");
    assert_eq!((found.gradient, found.rows), (vec![15.0], vec![vec![5.0]]));
    let formatted =
        "pub fn f(x: f64) -> f64 { let n: f64 = format!(\"{x:.1}\").parse().unwrap(); n * x * x }";
    let (loaded, f) = program(formatted);
    let found = overdub_ad::hessian(&loaded.engine(), f.symbol, at(3.0), f.ir_ret).expect("it has one");
    assert_eq!((found.gradient, found.rows), (vec![18.0], vec![vec![6.0]]));
}

#[test]
fn the_tape_of_a_function_that_only_records_is_told_at_its_line() {
    let source = "\npub fn f(x: f64) -> f64 {\n    let cell = std::cell::Cell::new(x);\n    let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(f64::sin), Box::new(|y| y * cell.get())];\n    fs.iter().fold(x, |y, f| f(y))\n}";
    let loaded = Loaded::from_source("hidden.rs", source).expect("it is Rust");
    let f = loaded.function("f").expect("it is there");
    let route = GradientRoute::new(&loaded.engine(), f.symbol, f.ir_ret, &|_| true);
    let report = route.tape_report(vec![Value::F64(0.5)]).expect("it is recorded");
    assert_eq!(report.by_line.len(), 1);
    assert_eq!((report.by_line[0].0.as_str(), report.by_line[0].1), ("hidden.rs:2", report.bytes));
    assert!(report.bytes > 0);
}

#[test]
fn structs_that_contain_vectors_of_themselves_are_differentiated() {
    let tree = "struct N { v: f64, k: Vec<N> }
        impl N {
            fn iter(&self) -> Box<dyn Iterator<Item = f64> + '_> {
                Box::new(std::iter::once(self.v).chain(self.k.iter().flat_map(|t| t.iter())))
            }
            fn product(&self) -> f64 { self.v * self.k.iter().map(|t| t.product()).sum::<f64>().max(1.0) }
            fn scale(&mut self, by: f64) { self.v *= by; self.k.iter_mut().for_each(|t| t.scale(by * 0.5)); }
        }
        pub fn f(x: f64) -> f64 {
            let leaf = |v: f64| N { v, k: vec![] };
            let mut t = N { v: x, k: vec![leaf(2.0), N { v: x * x, k: vec![leaf(x)] }] };
            t.scale(3.0);
            t.iter().map(|v| v * v).sum::<f64>() + t.product()
        }";
    // 9x² + 9 + 2.25x⁴ + 0.5625x² + 3x(3 + 1.5x²·max(0.75x, 1))
    derivatives(tree, &[(2.0, 38.25 + 72.0 + 9.0 + 13.5 * 8.0), (1.0, 19.125 + 9.0 + 9.0 + 13.5)]);
}
