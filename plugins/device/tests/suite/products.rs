//! Products with Jacobians on devices.

use overdub::prelude::*;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_spmd::{Column, Fixed, LoadedMap, map};

use super::devices::devices;
use super::recorded::Recorded;

#[dub]
fn turned(x: f64, y: f64, k: u32) -> (f64, f64) {
    let (mut x, mut y) = (x, y);
    for _ in 0..k {
        (x, y) = (x * 0.5 - y * 0.75, x * y + 0.25);
    }
    (x, y)
}

#[dub]
fn weighted(x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w).map(|(x, w)| x * x * w).sum()
}

#[test]
fn products_are_those_of_the_engine() {
    let (xs, ys, ks) = ([0.5, -1.5, 2.0, 0.25], [1.0, 0.125, -0.5, 3.0], [0, 1, 3, 5]);
    for (device, _) in devices() {
        let device = Recorded::new(device);
        let here = map(turned).over((&xs, &ys, &ks));
        let there = map(turned).on(device.clone()).over((&xs, &ys, &ks));
        let tangents = (&[1.0, 0.0, 2.0, -1.0], Fixed(0.5), Fixed(0));
        assert_eq!(here.jvps(tangents).expect("it runs"), there.jvps(tangents).expect("it runs"));
        assert_eq!(device.finished(), 4);
        let cotangents = [(1.0, 0.0), (0.0, 1.0), (0.5, 0.25), (2.0, -1.0)];
        assert_eq!(here.vjps(&cotangents).expect("it runs"), there.vjps(&cotangents).expect("it runs"));
        assert_eq!(device.finished(), 4);
        let by_y = |map: overdub_spmd::Map<_>| map.with_respect_to(["y"]);
        let (here, there) = (by_y(map(turned)), by_y(map(turned)).on(device.clone()));
        let (here, there) = (here.over((&xs, &ys, &ks)), there.over((&xs, &ys, &ks)));
        assert_eq!(here.jvps(tangents).expect("it runs"), there.jvps(tangents).expect("it runs"));
        assert_eq!(here.vjps(&cotangents).expect("it runs"), there.vjps(&cotangents).expect("it runs"));
        assert_eq!(device.finished(), 8);
    }
}

#[test]
fn products_of_lists_are_those_of_the_engine() {
    let (rows, w) = (vec![vec![0.5, 1.5], vec![2.0], vec![], vec![1.0, -1.0, 3.0]], [0.5, 0.25, 2.0]);
    let tangents = vec![vec![1.0, 0.0], vec![0.5], vec![], vec![1.0, 2.0, 3.0]];
    for (device, _) in devices() {
        let device = Recorded::new(device);
        let here = map(weighted).over((&rows, Fixed(&w[..])));
        let there = map(weighted).on(device.clone()).over((&rows, Fixed(&w[..])));
        let along = (&tangents, Fixed(&w[..]));
        assert_eq!(here.jvps(along).expect("it runs"), there.jvps(along).expect("it runs"));
        let cotangents = [1.0, 0.5, 2.0, -1.0];
        assert_eq!(here.vjps(&cotangents).expect("it runs"), there.vjps(&cotangents).expect("it runs"));
        assert_eq!(device.finished(), 8);
        // A tangent of another form is the error that it is without a device.
        let short = vec![vec![1.0], vec![0.5], vec![], vec![1.0, 2.0, 3.0]];
        let along = (&short, Fixed(&w[..]));
        let (expected, found) =
            (here.jvps(along).expect_err("misfit"), there.jvps(along).expect_err("misfit"));
        assert_eq!(expected.to_string(), found.to_string());
        assert!(found.to_string().contains("element 0: the tangent of argument 0"), "{found}");
    }
}

#[test]
fn products_of_structs_and_of_what_is_changed_in_place_are_those_of_the_engine() {
    let sources = [
        "#[derive(Clone, Copy)] pub struct P { pub x: f64, pub n: i32, pub y: f64 }
         pub fn f(p: P, k: f64) -> P { P { x: p.x * p.y * k, n: p.n + 1, y: p.x.powi(p.n) } }",
        "pub fn f(x: &mut f64, k: f64) -> f64 { *x = *x * k; *x * *x }",
    ];
    for (device, is_exact) in devices() {
        for (at, source) in sources.iter().enumerate() {
            let device = Recorded::new(device.clone());
            let loaded = Loaded::from_source("case.rs", source).expect("it loads");
            let function = loaded.function("f").expect("it is there");
            let here = LoadedMap::new(&loaded.engine(), &function).expect("it is mapped");
            let there = here.clone().on(device.clone());
            let ty = function.params[0].ir_ty;
            let first = |x: f64, y: f64| match at {
                0 => {
                    let parts = [Value::F64(x), Value::from(2_i32), Value::F64(y)];
                    let composite = overdub_context::value::Composite {
                        ty: Some(ty),
                        tag: 0,
                        parts: parts.into_iter().collect(),
                    };
                    Value::Composite(std::sync::Arc::new(composite))
                }
                _ => Value::F64(x),
            };
            let columns = || {
                vec![Column::Each(vec![first(0.5, 2.0), first(1.5, -0.25)]), Column::Fixed(Value::F64(3.0))]
            };
            let over = |map: &LoadedMap| map.over(columns()).expect("they fit");
            let along = columns();
            let (expected, found) = (over(&here).jvps(&along), over(&there).jvps(&along));
            assert_eq!(format!("{expected:?}"), format!("{found:?}"));
            let cotangents = vec![first(1.0, 0.5), first(-1.0, 2.0)];
            let (expected, found) = (over(&here).vjps(&cotangents), over(&there).vjps(&cotangents));
            let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
            assert!(expected == found || !is_exact, "{expected}\n{found}");
        }
    }
}

#[test]
fn lists_of_results_keep_their_cotangents_lengths() {
    let source = "pub fn f(x: f64, n: usize) -> Vec<f64> { (0..n).map(|i| x * i as f64).collect() }";
    let loaded = Loaded::from_source("case.rs", source).expect("it loads");
    let map =
        LoadedMap::new(&loaded.engine(), &loaded.function("f").expect("it is there")).expect("it is mapped");
    let list = |all: &[f64]| Value::from(Array::from_vec(all.to_vec()));
    for (device, _) in devices() {
        let over = |map: &LoadedMap| {
            let counts = Column::Each([2_usize, 3].map(Value::from).to_vec());
            map.over(vec![Column::floats([0.5, 1.5]), counts]).expect("they fit").each()
        };
        // The second has too few cotangents.
        let cotangents = [list(&[1.0, 2.0]), list(&[1.0, 2.0])];
        let (expected, found) =
            (over(&map).vjps(&cotangents), over(&map.clone().on(device)).vjps(&cotangents));
        assert_eq!(format!("{expected:?}"), format!("{found:?}"));
        let found = found.expect("each has a result");
        assert!(found[0].is_ok() && found[1].is_err(), "{found:?}");
    }
}
