//! Gradients of functions that read lists which all elements share, with respect to these lists.

use std::sync::Arc;

use overdub_context::value::{Array, Value};
use overdub_device::Emulator;
use overdub_lower::Loaded;
use overdub_spmd::{Column, Device, DeviceError, LoadedMap, MapError};

use super::devices::{agree, devices, devices_for_scalars};
use super::recorded::Recorded;

/// A case: its function, and how its elements are made.
struct Case {
    source: &'static str,
    /// The columns for this many elements.
    columns: fn(usize) -> Vec<Column>,
    /// Whether the function is arithmetic alone, so that all devices have the same bits.
    is_arithmetic: bool,
}

fn loaded(source: &str) -> LoadedMap {
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let function = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}"));
    LoadedMap::new(&loaded.engine(), &function).expect("it is mapped")
}

fn xs(len: usize) -> Column {
    Column::floats((0..len).map(|i| (i as f64 * 0.37).fract() * 2.0 - 0.7))
}

fn counts(len: usize, of: usize) -> Column {
    Column::Each((0..len).map(|i| Value::from((i * 7 + i / 3) % of)).collect())
}

fn list(len: usize, factor: f64) -> Column {
    let all: Vec<f64> = (0..len).map(|i| ((i + 1) as f64 * factor).fract() - 0.25).collect();
    Column::Fixed(Value::from(Array::from_vec(all)))
}

fn number(x: f64) -> Column {
    Column::Fixed(Value::F64(x))
}

const POLYNOMIAL: &str =
    "pub fn f(x: f64, c: &[f64]) -> f64 { let mut y = 0.0; for k in c { y = y * x + k; } y }";

const CASES: [Case; 8] = [
    Case { source: POLYNOMIAL, columns: |len| vec![xs(len), list(5, 0.3)], is_arithmetic: true },
    Case {
        source: "pub fn f(x: f64, means: &[f64], weights: &[f64], width: f64) -> f64 {
            let mut sum = 0.0;
            for i in 0..means.len() {
                let d = (x - means[i]) / width;
                sum += weights[i] * weights[i] * (-0.5 * d * d).exp();
            }
            (sum + 0.1).ln()
        }",
        columns: |len| vec![xs(len), list(4, 0.3), list(4, 0.7), number(0.8)],
        is_arithmetic: false,
    },
    // Indices of the data.
    Case {
        source: "pub fn f(x: f64, i: usize, p: &[f64]) -> f64 { x * p[i] * p[i] + p[0] / (1.0 + x * x) }",
        columns: |len| vec![xs(len), counts(len, 9), list(9, 0.3)],
        is_arithmetic: true,
    },
    // Loops of different length.
    Case {
        source: "pub fn f(x: f64, n: usize, p: &[f64], scale: f64) -> f64 {
            let mut h = x;
            let mut k = n;
            while k > 0 {
                h = h * 0.5 * scale + p[k % p.len()] / (1.0 + h * h);
                k -= 1;
            }
            h
        }",
        columns: |len| vec![xs(len), counts(len, 40), list(7, 0.3), number(0.9)],
        is_arithmetic: true,
    },
    // One of several lists, and none of another.
    Case {
        source: "pub fn f(x: f64, a: &[f64], b: &[f64], c: &[f64]) -> f64 {
            if x > 0.4 { x * a[1] } else { a.iter().zip(b).map(|(a, b)| a * b * x).sum::<f64>() + c.len() as f64 }
        }",
        columns: |len| vec![xs(len), list(3, 0.3), list(3, 0.9), list(1, 0.2)],
        is_arithmetic: true,
    },
    // A list that is not differentiated, and one that has arrays of its own beside it.
    Case {
        source: "pub fn f(x: f64, at: &[usize], p: &[f64]) -> f64 {
            let mut hidden = [0.0; 4];
            for i in 0..4 { hidden[i] = x * p[at[i]] + p[i]; }
            let mut y = 0.0;
            for i in 0..4 { y += hidden[i] * hidden[3 - i]; }
            y
        }",
        columns: |len| {
            let at = Array::from_vec(vec![2_usize, 0, 3, 3]);
            vec![xs(len), Column::Fixed(Value::from(at)), list(6, 0.3)]
        },
        is_arithmetic: true,
    },
    Case { source: POLYNOMIAL, columns: |len| vec![xs(len), list(0, 0.3)], is_arithmetic: true },
    Case { source: POLYNOMIAL, columns: |len| vec![xs(len), list(1, 0.3)], is_arithmetic: true },
];

/// Compares sums and their gradients, and those of each element, with the engine.
fn check(case: &Case, lens: &[usize]) {
    let here = loaded(case.source);
    for (device, is_exact) in devices().into_iter().chain(devices_for_scalars()) {
        let device = Recorded::new(device);
        let there = here.clone().on(device.clone());
        for &len in lens {
            let over = |map: &LoadedMap| map.over((case.columns)(len)).expect("the columns fit");
            let (expected, found) = (over(&here).sum_and_gradient(), over(&there).sum_and_gradient());
            let (expected, found) = (expected.expect("it runs"), found.unwrap_or_else(|e| panic!("{e}")));
            assert_ne!(device.finished(), 0, "{}", case.source);
            assert_alike(&format!("{found:?}"), &format!("{expected:?}"), is_exact || case.is_arithmetic);
            if len > 1000 {
                continue;
            }
            let (expected, found) = (over(&here).values_and_gradients(), over(&there).values_and_gradients());
            let (expected, found) = (expected.expect("it runs"), found.unwrap_or_else(|e| panic!("{e}")));
            assert_eq!(device.finished(), len, "{}", case.source);
            for ((y, slopes), (y_there, slopes_there)) in expected.into_iter().zip(found) {
                let (expected, found) = (
                    Value::tuple([y].into_iter().chain(slopes)),
                    Value::tuple([y_there].into_iter().chain(slopes_there)),
                );
                assert!(agree(&found, &expected, is_exact || case.is_arithmetic), "{found:?} {expected:?}");
            }
        }
    }
}

/// Compares the numbers of two texts: their bits, or all but the last ones.
fn assert_alike(found: &str, expected: &str, is_exact: bool) {
    if is_exact {
        assert_eq!(found, expected);
        return;
    }
    let is_part = |c: char| c.is_ascii_digit() || ".-e".contains(c);
    let numbers = |text: &str| {
        let all = text.split(|c| !is_part(c)).filter_map(|text| text.parse::<f64>().ok());
        all.collect::<Vec<_>>()
    };
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(&expected) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{x} {y}");
    }
}

#[test]
fn gradients_of_shared_lists_are_those_of_the_engine() {
    for case in &CASES {
        check(case, &[1, 300, 2000]);
    }
}

#[test]
fn long_lists_and_many_elements_are_added_to_the_bit() {
    let source = "pub fn f(x: f64, i: usize, p: &[f64]) -> f64 { x * p[i] * p[i] + p[i / 2] }";
    let columns: fn(usize) -> Vec<Column> = |len| vec![xs(len), counts(len, 1000), list(1000, 0.3)];
    check(&Case { source, columns, is_arithmetic: true }, &[1, 1500]);
    let columns: fn(usize) -> Vec<Column> = |len| vec![xs(len), list(5, 0.3)];
    check(&Case { source: POLYNOMIAL, columns, is_arithmetic: true }, &[100_000]);
}

#[test]
fn little_memory_parts_launches_and_leaves() {
    let source = "pub fn f(x: f64, i: usize, p: &[f64]) -> f64 { x * p[i] * p[i] + p[i / 2] }";
    let columns = |len| vec![xs(len), counts(len, 50), list(50, 0.3)];
    // Leaves of 4 elements, each of which takes some kilobytes, within half of it: several leaves, parts of one, and no element.
    let here = loaded(source);
    let expected = here.over(columns(1030)).expect("they fit").sum_and_gradient().expect("it runs");
    for memory in [200_000, 30_000, 16_000, 1000] {
        for emulator in [Emulator::new(), Emulator::of_opencl()] {
            let Ok(emulator) = emulator else { continue };
            let device = Recorded::new(Arc::new(emulator.with_memory(memory)) as Arc<dyn Device>);
            let there = here.clone().on(device.clone()).over(columns(1030)).expect("they fit");
            let found = there.sum_and_gradient().expect("it runs");
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{memory}");
            assert_eq!(device.finished() > 0, memory > 1000, "{memory}");
        }
    }
}

#[test]
fn an_element_that_fails_has_its_own_error() {
    let source = "pub fn f(x: f64, i: usize, p: &[f64]) -> f64 { x * p[i] * p[i] + p[0] }";
    let columns = || vec![xs(900), counts(900, 9), list(8, 0.3)];
    let here = loaded(source);
    for (device, _) in devices().into_iter().chain(devices_for_scalars()) {
        let device = Recorded::new(device);
        let there = here.clone().on(device.clone());
        let over = |map: &LoadedMap| map.over(columns()).expect("they fit");
        let (expected, found) = (over(&here).sum_and_gradient(), over(&there).sum_and_gradient());
        let (expected, found) = (expected.expect_err("8 is too much"), found.expect_err("8 is too much"));
        assert_eq!(expected.to_string(), found.to_string());
        assert!(found.to_string().contains("element 6: index out of bounds"), "{found}");
        assert_ne!(device.finished(), 0);
        let (expected, found) =
            (over(&here).each().values_and_gradients(), over(&there).each().values_and_gradients());
        let (expected, found) = (expected.expect("it runs"), found.expect("it runs"));
        assert_eq!(expected.iter().filter(|one| one.is_ok()).count(), device.finished());
        for (expected, found) in expected.iter().zip(&found) {
            match (expected, found) {
                (Ok((y, slopes)), Ok((y_there, slopes_there))) => {
                    assert_eq!(format!("{y:?} {slopes:?}"), format!("{y_there:?} {slopes_there:?}"));
                }
                (Err(expected), Err(found)) => {
                    assert_eq!(expected.report().message, found.report().message);
                }
                _ => panic!("{expected:?} {found:?}"),
            }
        }
    }
}

/// Arrays are changed in place on a device, so one that is read under an older name is refused, or right.
#[test]
fn arrays_of_an_element_are_not_changed_under_another_name() {
    let bodies = [
        "let a = [x, x + 1.0, k]; let mut b = a; b[i] = 7.0; a[i] * 100.0 + b[i]",
        "let mut a = [x; 3]; let mut b = a; for j in 0..i { b[j] = k; a = b; b[2] = a[0] + j as f64; } a[2] - b[2]",
        "let mut a = vec![x; i + 1]; a[0] = k; let s = a[i] + a.len() as f64; a[i] = s; a[0] + s",
        "let mut old = [0.0; 2]; for j in 0..i { let mut new = [k; 2]; new[1] = old[0] + x; old = new; } old[1]",
        "let a = [x, k]; let pair = (a, k); let mut b = pair.0; b[1] = 3.0; pair.0[1] + b[1] + pair.1",
        "let mut a = [x; 3]; let b = if x > 0.4 { a[1] = k; a } else { a }; a[0] = 9.0; a[1] * 10.0 + b[0] + b[1]",
    ];
    let columns = || vec![xs(60), counts(60, 3), number(0.75)];
    let mut ran = 0;
    for body in bodies {
        let source = format!("pub fn f(x: f64, i: usize, k: f64) -> f64 {{ {body} }}");
        let here = loaded(&source);
        let expected = here.over(columns()).expect("they fit").values_and_gradients().expect("it runs");
        for (device, _) in devices_for_scalars() {
            let there = here.clone().on(device).over(columns()).expect("they fit");
            match there.values_and_gradients() {
                Ok(found) => {
                    ran += 1;
                    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{source}");
                }
                Err(MapError::Device(DeviceError::Unsupported(_))) => {}
                Err(error) => panic!("{error}\n{source}"),
            }
        }
    }
    assert!(ran > 0 || devices_for_scalars().is_empty());
    eprintln!("{ran} ran");
}
