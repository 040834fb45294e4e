//! Programs written for what kernels may get wrong.

use overdub_context::Failure;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_spmd::{Column, DeviceError, LoadedMap, MapError, OverColumns};

use super::devices::{agree, devices, devices_for_scalars};

fn outcome<T>(result: &Result<T, Failure>) -> Result<&T, String> {
    result.as_ref().map_err(|failure| failure.report().message.clone())
}

/// Compares the devices with the engine. Those for scalars may refuse the program: the number of those that ran it.
fn check(source: &str, columns: &[Column]) -> usize {
    let mut ran = 0;
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}"));
    let map = LoadedMap::new(&loaded.engine(), &function).expect("it is mapped");
    let over = |map: &LoadedMap| map.over(columns.to_vec()).expect("the columns fit").each();
    let expected = over(&map).values().expect("it runs");
    let whole = devices().into_iter().map(|(device, is_exact)| (device, is_exact, true));
    let scalar = devices_for_scalars().into_iter().map(|(device, is_exact)| (device, is_exact, false));
    for (device, is_exact, is_whole) in whole.chain(scalar) {
        let found = over(&map.clone().on(device.clone())).values();
        let is_refused = matches!(&found, Err(MapError::Device(DeviceError::Unsupported(_))));
        if is_refused && !is_whole {
            continue;
        }
        ran += usize::from(!is_whole);
        let found = found.unwrap_or_else(|error| panic!("{device:?}: {error}\n{source}"));
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            match (outcome(found), outcome(expected)) {
                (Ok(found), Ok(expected)) => {
                    assert!(
                        agree(found, expected, is_exact),
                        "{device:?}, {at}: {found} {expected}\n{source}"
                    );
                }
                (found, expected) => {
                    assert_eq!(found.is_ok(), expected.is_ok(), "{device:?}, {at}\n{source}")
                }
            }
        }
        if !matches!(expected.first(), Some(Ok(Value::F64(_)))) {
            continue;
        }
        let expected = over(&map).values_and_gradients();
        let Ok(expected) = expected else { continue };
        let found = over(&map.clone().on(device.clone())).values_and_gradients();
        if matches!(&found, Err(MapError::Device(DeviceError::Unsupported(_)))) && !is_whole {
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{device:?}: {error}\n{source}"));
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (Ok(found), Ok(expected)) = (found, expected) else {
                assert_eq!(found.is_ok(), expected.is_ok(), "{device:?}, {at}\n{source}");
                continue;
            };
            let all = |both: &(Value<'static>, Vec<Value<'static>>)| {
                Value::tuple(std::iter::once(both.0.clone()).chain(both.1.iter().cloned()))
            };
            let (found, expected) = (all(found), all(expected));
            assert!(
                agree(&found, &expected, is_exact),
                "{device:?}, gradient {at}: {found} {expected}\n{source}"
            );
        }
    }
    ran
}

fn numbers() -> Column {
    Column::floats([0.5, -1.25, 3.0, 0.0, -0.0, f64::NAN, f64::INFINITY, 1e300, 7.75])
}

fn counts(all: impl IntoIterator<Item = u64>) -> Column {
    Column::Each(all.into_iter().map(|n| Value::from(n as usize)).collect())
}

fn floats(all: &[f64]) -> Value<'static> {
    Value::from(Array::from_vec(all.to_vec()))
}

#[test]
fn arithmetic_branches_and_loops_are_those_of_the_engine() {
    let _ = check(
        "pub fn f(a: f64, n: usize) -> f64 {
            let mut x = a; let mut k = 0;
            while (x * x - a).abs() > 1e-12 && k < n { x = 0.5 * (x + a / x); k += 1; }
            if x.is_nan() { -1.0 } else { x + k as f64 }
        }",
        &[numbers(), counts([3, 10, 50, 0, 1, 5, 9, 20, 40])],
    );
    let _ = check(
        "pub fn f(x: f64) -> f64 { x.sin() * x.exp().min(1e9) + (x * x + 1.0).ln().tanh().powf(1.5) + x.atan2(2.0) }",
        &[numbers()],
    );
    let _ = check("pub fn f(x: f64, y: f32, b: bool, n: i8) -> (f32, i64, bool, u8) {
            ((x as f32) * y, i64::from(n).wrapping_mul(0x7fff_ffff_ffff), b ^ (x > 1.0), (n as u8).rotate_left(3))
        }",
        &[
            numbers(),
            Column::Each([1.5_f32, -2.0, 0.0, f32::INFINITY, 1e-40, 3.25, 7.0, 1.0, 2.0].map(Value::F32).to_vec()),
            Column::Each((0..9).map(|n| Value::Bool(n % 2 == 0)).collect()),
            Column::Each((0..9).map(|n| Value::from((n * 25 - 100) as i8)).collect()),
        ],
    );
}

#[test]
fn a_round_is_left_past_what_it_declares_later() {
    let _ = check(
        "pub fn f(x: f64, n: usize) -> f64 {
            let mut total = 0.0;
            for i in 0..n {
                match i % 5 {
                    1 => { if x > 1.0 { continue; } total += 1.0; }
                    2 => match (i as f64 * x) as i64 % 3 { 0 => continue, 1 => total *= 0.5, _ => {} },
                    _ => total += x.sin(),
                }
                let half = total * 0.5;
                let mut list = vec![half, x];
                list.push(i as f64);
                total += list.iter().sum::<f64>();
            }
            total
        }",
        &[numbers(), counts([3, 10, 50, 0, 1, 5, 9, 20, 40])],
    );
}

#[test]
fn wide_integers_and_characters_cross_the_border() {
    let _ = check(
        "pub fn f(n: i128, c: char, u: u128) -> (i128, char, u128, Vec<i128>, Vec<char>, Vec<bool>) {
            (n / 3, ((c as u8) + 1) as char, u >> 1, vec![n, -n], vec![c, 'ß'], vec![true, n > 0, false])
        }",
        &[
            Column::Each([5_i128, -(1 << 100), 7].map(Value::from).to_vec()),
            Column::Each(['a', 'Z', '0'].map(Value::Char).to_vec()),
            Column::Each([0_u128, u128::MAX, 1 << 90].map(Value::from).to_vec()),
        ],
    );
}

#[test]
fn slices_are_shared_or_of_each_element() {
    let rows =
        Column::Each(vec![floats(&[1.0, 2.0]), floats(&[]), floats(&[0.5, -0.25, 4.0]), floats(&[9.0])]);
    let _ = check(
        "pub fn f(x: &[f64], w: &[f64], n: usize) -> f64 {
            x.iter().zip(w).map(|(x, w)| (x * w).sin()).sum::<f64>() + w[n] * x.len() as f64
        }",
        &[rows, Column::Fixed(floats(&[0.5, 2.0, -1.0, 3.0])), counts([0, 1, 3, 9])],
    );
}

#[test]
fn memory_is_taken_until_a_call_fits() {
    // The tape of the gradient, too.
    let _ = check(
        "pub fn f(x: f64, n: usize) -> f64 {
            let mut all = vec![x];
            for i in 0..n { let last = all[all.len() - 1]; all.push((last * 1.5).sin() + i as f64); }
            all.iter().sum()
        }",
        &[Column::floats([0.5, 1.5, 2.5, 3.5]), counts([0, 10, 1000, 50_000])],
    );
    let _ = check(
        "pub fn f(n: usize) -> Vec<Vec<usize>> { (0..n).map(|i| vec![i; i]).collect() }",
        &[counts([0, 1, 5, 60])],
    );
}

#[test]
fn tables_hold_numbers_that_are_not_finite() {
    let _ = check(
        "pub fn f(n: usize) -> Vec<Vec<f64>> {
            let all = [1.0, f64::INFINITY, f64::NAN, f64::NEG_INFINITY, -0.0];
            vec![all[n % 5..].to_vec(), all.to_vec()]
        }",
        &[counts([0, 2, 4])],
    );
}

#[test]
fn structs_enums_and_closures_are_values_on_a_device() {
    let _ = check(
        "#[derive(Clone)]
        enum Shape { Circle(f64), Box { w: f64, h: f64 }, Many(Vec<Shape>), Nothing }
        struct Scaled { shape: Shape, by: f64 }
        fn area(shape: &Shape) -> f64 {
            match shape {
                Shape::Circle(r) => 3.0 * r * r,
                Shape::Box { w, h } => w * h,
                Shape::Many(all) => all.iter().map(|one| match one { Shape::Circle(r) => *r, _ => 0.5 }).sum(),
                Shape::Nothing => 0.0,
            }
        }
        pub fn f(x: f64, n: usize) -> (f64, Option<f64>, Result<u8, bool>) {
            let by = move |y: f64| y * x;
            let shape = match n % 4 {
                0 => Shape::Circle(x),
                1 => Shape::Box { w: by(2.0), h: x },
                2 => Shape::Many(vec![Shape::Circle(x), Shape::Nothing, Shape::Circle(by(x))]),
                _ => Shape::Nothing,
            };
            let all = [Scaled { shape: shape.clone(), by: 2.0 }, Scaled { shape, by: x }];
            let total = all.iter().map(|one| one.by * area(&one.shape)).sum();
            (total, (n > 3).then_some(x), if n > 6 { Ok(n as u8) } else { Err(n > 1) })
        }",
        &[numbers(), counts(0..9)],
    );
}

#[test]
fn calls_nest_until_the_stack_ends_and_the_host_goes_on() {
    let _ = check(
        "pub fn f(n: usize) -> usize { if n < 2 { n } else { f(n - 1) + f(n - 2) } }",
        &[counts([0, 1, 2, 10, 15])],
    );
    let _ = check(
        "fn down(x: f64, n: usize) -> f64 { if n == 0 { x.exp() } else { x * 0.5 + down(x * 0.99, n - 1) } }
        pub fn f(x: f64, n: usize) -> f64 { down(x, n) }",
        &[Column::floats([0.5, 1.5, -2.5]), counts([3, 100, 3000])],
    );
    let _ = check(
        "enum Tree { Leaf(f64), Node(Box<Tree>, Box<Tree>) }
        fn grow(x: f64, n: usize) -> Tree {
            if n == 0 { Tree::Leaf(x) } else { Tree::Node(Box::new(grow(x + 1.0, n - 1)), Box::new(grow(x * 2.0, n - 1))) }
        }
        fn total(tree: &Tree) -> f64 { match tree { Tree::Leaf(x) => *x, Tree::Node(l, r) => total(l) - total(r) } }
        pub fn f(x: f64, n: usize) -> f64 { total(&grow(x, n)) }",
        &[Column::floats([0.5, 1.5, -2.5]), counts([0, 3, 8])],
    );
}

#[test]
fn elements_that_fail_have_the_engines_message() {
    let source = "pub fn f(x: &[f64], n: usize) -> f64 {
            assert!(n != 3, \"{n} is three, x is {:?}\", x);
            let below = n - 1;
            x[below] + [1.0, 2.0][below % 3]
        }";
    let loaded = Loaded::from_source("case.rs", source).expect("it loads");
    let map =
        LoadedMap::new(&loaded.engine(), &loaded.function("f").expect("it is there")).expect("it is mapped");
    let columns = || vec![Column::Fixed(floats(&[0.5, 1.5, 2.5, 3.5])), counts([1, 2, 3, 0, 5, 4])];
    for (device, _) in devices() {
        let on = map.clone().on(device);
        let each = on.over(columns()).expect("they fit").each().values().expect("it runs");
        let found: Vec<String> = each
            .iter()
            .map(|one| match one {
                Ok(value) => value.to_string(),
                Err(failure) => failure.report().message.clone(),
            })
            .collect();
        let expected = [
            "1.5",
            "3.5",
            "3 is three, x is [0.5, 1.5, 2.5, 3.5]",
            "attempt to subtract with overflow",
            "index out of bounds: the len is 4 but the index is 4",
            "4.5",
        ];
        assert_eq!(found, expected);
        let first: Result<Vec<_>, MapError<Failure>> = on.over(columns()).expect("they fit").values();
        assert!(matches!(first, Err(MapError::Element { index: 2, .. })), "{first:?}");
    }
}

#[test]
fn sums_and_their_gradients_are_added_as_by_the_engine() {
    let source =
        "pub fn f(x: f64, w: &[f64]) -> f64 { let r = w[0] * x + w[1]; r * r + 1.0 / (1.0 + x * x) }";
    let loaded = Loaded::from_source("case.rs", source).expect("it loads");
    let map =
        LoadedMap::new(&loaded.engine(), &loaded.function("f").expect("it is there")).expect("it is mapped");
    let xs: Vec<f64> = (0..10_000).map(|i| (f64::from(i) * 0.37).fract()).collect();
    let over = |map: &LoadedMap| -> OverColumns {
        map.over(vec![Column::floats(xs.iter().copied()), Column::Fixed(floats(&[0.5, -2.0]))])
            .expect("they fit")
    };
    for (device, _) in devices() {
        let on = map.clone().on(device);
        assert_eq!(over(&map).sum(), over(&on).sum());
        let (expected, found) = (over(&map).sum_and_gradient(), over(&on).sum_and_gradient());
        assert_eq!(format!("{expected:?}"), format!("{found:?}"));
    }
}

#[test]
fn what_a_device_cannot_do_is_an_error_that_names_it() {
    let cases = [
        ("pub fn f(n: usize) -> usize { println!(\"{n}\"); n }", "a device cannot"),
        ("pub fn f(n: usize) -> usize { (n as f64 / 3.0).to_string().len() }", "a device cannot"),
    ];
    for (device, _) in devices() {
        for (source, expected) in cases {
            let loaded = Loaded::from_source("case.rs", source).expect("it loads");
            let function = loaded.function("f").expect("it is there");
            let map = LoadedMap::new(&loaded.engine(), &function).expect("it is mapped").on(device.clone());
            let error = map.over(vec![counts([1, 2])]).expect("they fit").values().expect_err("it cannot");
            assert!(matches!(error, MapError::Device(DeviceError::Unsupported(_))), "{error:?}");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
