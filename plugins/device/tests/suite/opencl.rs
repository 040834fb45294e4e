//! Kernels in OpenCL C.

use std::sync::Arc;

use overdub::prelude::*;
use overdub_context::Failure;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_spmd::{Column, Device, DeviceError, Fixed, LoadedMap, MapError, Stored, map};

use super::devices::{agree, devices_for_scalars};
use super::recorded::Recorded;

/// The integers at which arithmetic of any width overflows, and some between.
const INTEGERS: [i64; 14] = [0, 1, -1, 2, 7, -8, 63, 64, 127, -128, i64::MAX, i64::MIN, 1 << 40, -(1 << 31)];

fn loaded(source: &str) -> LoadedMap {
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}"));
    LoadedMap::new(&loaded.engine(), &function).expect("it is mapped")
}

/// Compares values, and gradients if `differentiates`, with the engine; all calls that do not fail have to run on the device.
fn check(source: &str, columns: &[Column], differentiates: bool) {
    let here = loaded(source);
    for (device, is_exact) in devices_for_scalars() {
        let device = Recorded::new(device);
        let there = here.clone().on(device.clone());
        let over = |map: &LoadedMap| map.over(columns.to_vec()).expect("the columns fit").each();
        let (expected, found) = (over(&here).values().expect("it runs"), over(&there).values());
        let found = found.unwrap_or_else(|error| panic!("{error}\n{source}"));
        assert_eq!(device.finished(), expected.iter().filter(|one| one.is_ok()).count(), "{source}");
        let text = |failure: &Failure| failure.report().message.clone();
        for (at, pair) in expected.iter().zip(&found).enumerate() {
            let is_same = match pair {
                (Ok(expected), Ok(found)) => agree(found, expected, is_exact),
                (Err(expected), Err(found)) => text(expected) == text(found),
                _ => false,
            };
            assert!(is_same, "{at}: {pair:?}\n{source}");
        }
        if !differentiates {
            continue;
        }
        let (expected, found) = (over(&here).values_and_gradients(), over(&there).values_and_gradients());
        let (expected, found) = (expected.expect("it runs"), found.unwrap_or_else(|error| panic!("{error}")));
        assert_eq!(device.finished(), expected.iter().filter(|one| one.is_ok()).count(), "{source}");
        for (at, (expected, found)) in expected.iter().zip(&found).enumerate() {
            let (Ok(expected), Ok(found)) = (expected, found) else {
                assert_eq!(expected.is_ok(), found.is_ok(), "{at}\n{source}");
                continue;
            };
            let whole = |(value, slopes): &(Value<'static>, Vec<Value<'static>>)| {
                Value::tuple(std::iter::once(value.clone()).chain(slopes.iter().cloned()))
            };
            assert!(
                agree(&whole(found), &whole(expected), is_exact),
                "{at}: {found:?} {expected:?}\n{source}"
            );
        }
    }
}

fn numbers() -> Column {
    Column::floats([0.5, -1.25, 3.0, 0.0, -0.0, f64::NAN, f64::INFINITY, 1e300, -7.75, 1e-310, 2.5, -1e19])
}

#[test]
fn floats_are_computed_as_by_the_engine() {
    check(
        "pub fn f(a: f64, n: usize) -> f64 {
            let mut x = a; let mut k = 0;
            while (x * x - a).abs() > 1e-12 && k < n { x = 0.5 * (x + a / x); k += 1; }
            if x.is_nan() { -1.0 } else { x + k as f64 }
        }",
        &[numbers(), Column::Fixed(Value::from(40_usize))],
        true,
    );
    check(
        "pub fn f(x: f64) -> f64 {
            x.sin() * x.exp().min(1e9) + (x * x + 1.0).ln().tanh().powf(1.5) + x.atan2(2.0) + x.floor() * x.tan()
                + x.abs().sqrt() + (x * 0.001).sinh() + x.signum() + x.max(0.25).recip() + x.round() + x.powi(-3)
        }",
        &[Column::floats([0.5, -1.25, 3.0, 0.75, -7.75, 2.5])],
        true,
    );
    check(
        "pub fn f(x: f64) -> f64 {
            let (s, c) = x.sin_cos();
            s * c + x.asinh() + (1.0 + x * x).acosh() + (x * 0.1).atanh() + x.to_degrees() + x.to_radians() * x.exp2()
                + (x * x + 0.5).log(3.0) + x.mul_add(0.5, 1.25) + x.hypot(0.3) + x.exp_m1() + x.fract()
        }",
        &[Column::floats([0.5, -1.25, 3.0, 0.75, -7.75, 2.5])],
        true,
    );
    check(
        "pub fn f(x: f64) -> (f64, bool, bool, u64, f64, f64) {
            (x.clamp(-2.0, 2.0), x.is_nan(), x.is_sign_negative(), x.to_bits() >> 3, x % 0.7, x.copysign(-1.0))
        }",
        &[numbers()],
        false,
    );
    check(
        "pub fn f(x: f64) -> (f32, f32, f32, bool, f64) {
            let y = x as f32;
            (y * 1.1 + 0.3, y / 7.0, y.abs().sqrt(), y < 0.5, f64::from(-y))
        }",
        &[numbers()],
        false,
    );
}

#[test]
fn integers_of_all_widths_overflow_as_by_the_engine() {
    let bodies = [
        "(x + y) as i64",
        "(x - y) as i64",
        "(x * y) as i64",
        "(x / y) as i64",
        "(x % y) as i64",
        "(x.wrapping_add(y) ^ x.wrapping_mul(y)) as i64",
        "(x.wrapping_sub(y) | !x) as i64",
        "(x << (y & 31)) as i64",
        "(x >> (b as u32 & 127)) as i64",
        "x.min(y) as i64 ^ x.max(y) as i64",
        "(x < y) as i64 + (x as f64) as i64",
        "(x.count_ones() * 100 + x.leading_zeros()) as i64",
        "x.abs_diff(y) as i64",
        "x.wrapping_shl(b as u32) as i64",
        "(x.wrapping_neg() as f32) as i64",
        "x.saturating_add(y) as i64 ^ x.saturating_sub(y) as i64",
        "(x as f64 * 1.5) as TY as i64",
    ];
    let arms: String = bodies.iter().enumerate().map(|(k, body)| format!("{k} => {body},")).collect();
    // Each body with each pair of integers.
    let all = bodies.len() * INTEGERS.len() * INTEGERS.len();
    let of = |at: usize| INTEGERS[at % INTEGERS.len()];
    let column = |of: &dyn Fn(usize) -> Value<'static>| Column::Each((0..all).map(of).collect());
    let columns = [
        column(&|at| Value::from(at / INTEGERS.len() / INTEGERS.len())),
        column(&|at| Value::from(of(at))),
        column(&|at| Value::from(of(at / INTEGERS.len()))),
    ];
    for ty in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"] {
        let source = format!(
            "pub fn f(k: usize, a: i64, b: i64) -> i64 {{
                let (x, y) = (a as {ty}, b as {ty});
                match k {{ {arms} _ => 0 }}
            }}"
        );
        check(&source.replace("TY", ty), &columns, false);
    }
}

#[test]
fn enums_structs_and_bools_are_arguments_and_results() {
    check(
        "pub fn f(x: f64, n: i32) -> Option<(f64, i16)> { (x > 0.0).then_some((x.sqrt(), n as i16 - 7)) }",
        &[numbers(), Column::Fixed(Value::from(-3_i32))],
        false,
    );
    check(
        "pub fn f(x: f64) -> Result<u8, (bool, f32)> {
            if x > 1.0 { Ok(x.min(255.0) as u8) } else { Err((x < 0.0, x as f32)) }
        }",
        &[numbers()],
        false,
    );
    let source = "#[derive(Clone, Copy)] pub struct P { pub x: f64, pub n: i32, pub y: f64 }
        pub fn f(p: P, up: bool) -> f64 { let k = if up { 2.0 } else { 0.5 }; p.x * p.y * k + p.x.powi(p.n) }";
    let here = loaded(source);
    let ty =
        Loaded::from_source("case.rs", source).expect("it loads").function("f").expect("it is there").params
            [0]
        .ir_ty;
    let point = |x: f64, n: i32| {
        let parts = [Value::F64(x), Value::from(n), Value::F64(x + 1.0)].into_iter().collect();
        Value::Composite(Arc::new(overdub_context::value::Composite { ty: Some(ty), tag: 0, parts }))
    };
    let columns = || {
        vec![
            Column::Each(vec![point(0.5, 2), point(-1.5, 3), point(2.0, -1)]),
            Column::Fixed(Value::Bool(true)),
        ]
    };
    for (device, is_exact) in devices_for_scalars() {
        let there = here.clone().on(device);
        let of =
            |map: &LoadedMap| map.over(columns()).expect("they fit").values_and_gradients().expect("it runs");
        let text = |all: &[(Value<'static>, Vec<Value<'static>>)]| format!("{all:?}");
        assert!(text(&of(&here)) == text(&of(&there)) || !is_exact);
    }
}

#[test]
fn lists_are_read_and_tapes_grow_until_they_fit() {
    let list = |all: &[f64]| Value::from(Array::from_vec(all.to_vec()));
    let indices = Value::from(Array::from_vec(vec![2_usize, 0, 1, 7]));
    check(
        "pub fn f(x: f64, k: usize, all: &[f64], at: &[usize]) -> f64 {
            let table = [1.5, -0.5, 0.25];
            let mut sum = 0.0;
            for y in all { sum += (y - x) * table[at[k]]; }
            sum + all.len() as f64
        }",
        &[
            Column::floats([0.5, 1.5, 2.5, 3.5]),
            Column::Each([0_usize, 1, 2, 3].map(Value::from).to_vec()),
            Column::Fixed(list(&[1.0, 2.0, 4.0])),
            Column::Fixed(indices),
        ],
        false,
    );
    check(
        "pub fn f(row: &[f64], x: f64) -> f64 { row.iter().map(|y| y * x).sum() }",
        &[Column::Each(vec![list(&[1.0, 2.0]), list(&[]), list(&[0.5])]), Column::floats([1.0, 2.0, 3.0])],
        false,
    );
    check(
        "pub fn f(x: f64, k: f64, n: u32) -> f64 {
            let mut y = x;
            for i in 0..n { y = if i % 3 == 0 { (y * k) / (1.0 + y * y) } else { y * 0.5 + x * x }; }
            y
        }",
        &[
            Column::floats([0.5, -1.5, 2.5, 1.25]),
            Column::Fixed(Value::F64(0.7)),
            Column::Each([0_u32, 10, 500, 20_000].map(Value::from).to_vec()),
        ],
        true,
    );
}

#[dub]
fn distance(x: f64, y: f64, by: f64) -> f64 {
    let (dx, dy) = (x - by, y + by);
    (dx * dx + dy * dy) / (1.0 + by * by)
}

#[test]
fn sums_products_and_stored_lists_are_those_of_the_engine() {
    for (device, _) in devices_for_scalars() {
        let recorded = Recorded::new(device);
        let device: Arc<dyn Device> = recorded.clone();
        let xs: Vec<f64> = (0..3000).map(|i| f64::from(i) * 0.01 - 3.0).collect();
        let ys: Vec<f64> = xs.iter().map(|x| x * x).collect();
        let stored = Stored::new(&device, ys.clone()).expect("it fits");
        let here = map(distance).over((&xs, &ys, Fixed(0.75)));
        let there = map(distance).on(device.clone()).over((&xs, &stored, Fixed(0.75)));
        assert_eq!(here.sum().expect("it runs"), there.sum().expect("it runs"));
        assert_eq!(here.sum_and_gradient().expect("it runs"), there.sum_and_gradient().expect("it runs"));
        let along = (&ys, Fixed(1.0), Fixed(-0.5));
        assert_eq!(here.jvps(along).expect("it runs"), there.jvps(along).expect("it runs"));
        assert_eq!(here.vjps(&xs).expect("it runs"), there.vjps(&xs).expect("it runs"));
        let found = there.stored_values().expect("it runs");
        assert_eq!(found.list(), Ok(&here.values().expect("it runs")[..]));
        assert!(recorded.finished() >= 9000);
        let next = map(distance).on(device.clone()).over((&found, &stored, Fixed(0.5)));
        let list = found.list().expect("it is there");
        assert_eq!(
            next.sum().expect("it runs"),
            map(distance).over((list, &ys, Fixed(0.5))).sum().expect("it runs")
        );
    }
}

#[test]
fn what_kernels_of_scalars_cannot_do_is_an_error_that_names_its_place() {
    let cases = [
        ("pub fn f(x: f64) -> Vec<(f64, f64)> { vec![(x, x); 3] }", "a result of type"),
        (
            "pub fn f(x: f64) -> f64 { if x < 1.0 { x } else { x * f(x - 1.0) } }",
            "a call that is not inlined",
        ),
        ("pub fn f(x: f64) -> f64 { println!(\"{x}\"); x }", "a value of type `str` has no counterpart"),
    ];
    for (device, _) in devices_for_scalars() {
        for (source, expected) in cases {
            let map = loaded(source).on(device.clone());
            let error = map
                .over(vec![Column::floats([0.5, 1.5])])
                .expect("they fit")
                .values()
                .expect_err("it cannot");
            assert!(matches!(error, MapError::Device(DeviceError::Unsupported(_))), "{error:?}\n{source}");
            let text = error.to_string();
            assert!(text.contains(expected) && text.contains("case.rs:1:"), "{error}\n{source}");
        }
    }
}
