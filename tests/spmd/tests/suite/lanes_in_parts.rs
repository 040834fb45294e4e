//! Structs and tuples in lanes: values, gradients and sums of functions of these, as one by one.

use std::sync::Arc;

use overdub::prelude::*;
use overdub_context::value::{Composite, Value};
use overdub_lower::Loaded;
use overdub_spmd::{Column, Fixed, LoadedMap, MapError, map};

use super::executors::engines;

const SOURCE: &str = "
#[derive(Clone, Copy)] pub struct Spring { pub length: f64, pub number: i32, pub force: (f64, f64) }
pub fn energy(s: Spring, x: f64, shift: (f64, bool)) -> f64 {
    let mut y = (x + shift.0 - s.length) * s.force.0;
    let mut k = s.number;
    while k > 0 { y = y * 0.5 + s.force.1 * x / (1.0 + y * y); k -= 1; }
    if shift.1 { y } else { y * s.length }
}
pub fn counted(s: Spring, n: u32) -> f64 { s.force.1 * f64::from(n) + f64::from(s.number) }
";

fn mapped(engine: &overdub_context::engine::Engine, loaded: &Loaded, name: &str) -> LoadedMap {
    LoadedMap::new(engine, &loaded.function(name).expect("it is lowered")).expect("it is mapped")
}

fn springs(loaded: &Loaded, len: usize) -> Column {
    let ty = loaded.function("energy").expect("it is lowered").params[0].ir_ty;
    let spring = |at: usize| {
        let x = (at as f64 * 0.37).fract();
        let force = Value::tuple([Value::F64(x + 0.5), Value::F64(1.0 - x)]);
        let parts = [Value::F64(x), Value::from((at % 5) as i32), force].into_iter().collect();
        Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))
    };
    Column::Each((0..len).map(spring).collect())
}

fn xs(len: usize) -> Column {
    Column::floats((0..len).map(|at| (at as f64 * 0.77).sin() * 3.0))
}

fn text(what: &impl std::fmt::Debug) -> String {
    format!("{what:?}")
}

#[test]
fn values_gradients_and_sums_of_structs_are_those_without_lanes() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let len = 700;
    let shift = || Value::tuple([Value::F64(0.25), Value::Bool(true)]);
    let shifts = |at: usize| Value::tuple([Value::F64(at as f64 * 0.01), Value::Bool(at.is_multiple_of(3))]);
    let counts = Column::Each((0..len as u32).map(Value::from).collect());
    let cases = [
        ("energy", vec![springs(&loaded, len), xs(len), Column::Fixed(shift())], None),
        ("energy", vec![springs(&loaded, len), xs(len), Column::Each((0..len).map(shifts).collect())], None),
        ("energy", vec![springs(&loaded, len), xs(len), Column::Fixed(shift())], Some("2")),
        ("counted", vec![springs(&loaded, len), counts], None),
    ];
    for (name, columns, wrt) in cases {
        for (executor, engine) in engines(|| loaded.engine_builder()) {
            let plain = mapped(&engine, &loaded, name);
            let plain = wrt.into_iter().fold(plain, |map, wrt| map.with_respect_to([wrt]));
            for threads in [1, 2] {
                let over = |map: &LoadedMap| map.over(columns.clone()).expect("they fit");
                let (alone, in_lanes) = (over(&plain), over(&plain.clone().threads(threads).lanes(64)));
                let what = format!("{name}, {executor}, {threads} threads");
                assert_eq!(text(&in_lanes.values()), text(&alone.values()), "{what}");
                assert_eq!(text(&in_lanes.sum()), text(&alone.sum()), "{what}");
                let (found, expected) = (in_lanes.values_and_gradients(), alone.values_and_gradients());
                assert_eq!(text(&found.expect("it runs")), text(&expected.expect("it runs")), "{what}");
                let (found, expected) = (in_lanes.sum_and_gradient(), alone.sum_and_gradient());
                assert_eq!(text(&found.expect("it runs")), text(&expected.expect("it runs")), "{what}");
            }
        }
    }
}

#[test]
fn products_with_jacobians_of_structs_are_those_without_lanes() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let len = 200;
    let shift = Value::tuple([Value::F64(0.25), Value::Bool(true)]);
    let columns = vec![springs(&loaded, len), xs(len), Column::Fixed(shift)];
    let cotangents: Vec<_> = (0..len).map(|at| Value::F64((at as f64 * 0.3).cos())).collect();
    for (executor, engine) in engines(|| loaded.engine_builder()) {
        for (wrt, lanes) in [(vec!["s", "x", "shift"], 64), (vec!["s"], 5), (vec!["shift", "x"], 1)] {
            let alone = mapped(&engine, &loaded, "energy").with_respect_to(wrt.clone());
            let over = |map: &LoadedMap| map.over(columns.clone()).expect("they fit");
            let (alone, in_lanes) = (over(&alone), over(&alone.clone().lanes(lanes)));
            let what = format!("{executor}, {wrt:?}, {lanes} lanes");
            let (found, expected) = (in_lanes.vjps(&cotangents), alone.vjps(&cotangents));
            assert_eq!(text(&found.expect("it runs")), text(&expected.expect("it runs")), "{what}");
            let (found, expected) = (in_lanes.jvps(&columns), alone.jvps(&columns));
            assert_eq!(text(&found.expect("it runs")), text(&expected.expect("it runs")), "{what}");
        }
    }
}

#[dub]
fn distance(a: (f64, f64), b: (f64, f64), scale: f64) -> f64 {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    (x * x + y * y).sqrt() * scale
}

#[test]
fn tuples_of_rust_have_gradients_in_lanes() {
    let points: Vec<(f64, f64)> = (0..500).map(|at| (at as f64 * 0.1, (at as f64 * 0.3).sin())).collect();
    let over = |lanes: bool| {
        let map = map(distance);
        let map = if lanes { map.lanes(64) } else { map };
        let over = map.over((&points, Fixed((0.5, -0.25)), Fixed(2.0)));
        (over.gradients().expect("it runs"), over.sum_and_gradient().expect("it runs"))
    };
    assert_eq!(over(true), over(false));
}

#[dub]
fn either(x: Option<f64>, k: f64) -> f64 {
    x.map_or(k, |x| x * k * x)
}

#[dub]
fn single(x: f32) -> f32 {
    x * x
}

#[test]
fn a_gradient_that_does_not_run_in_lanes_says_why() {
    let refusal = |found: Result<(), MapError>| match found {
        Err(MapError::Function(error)) => error.to_string(),
        other => panic!("it runs in lanes: {other:?}"),
    };
    let eithers = map(either).lanes(64);
    let of_option = refusal(eithers.over((&[Some(0.5), None], Fixed(2.0))).check_lanes_of_gradients());
    assert!(of_option.contains("a derivative with respect to `Option<f64>` does not fit"), "{of_option}");
    let singles = map(single).lanes(64);
    assert_eq!(singles.over((&[0.5_f32, 1.0],)).gradients().expect("it runs"), [(1.0,), (2.0,)]);
    let of_single = refusal(singles.over((&[0.5_f32, 1.0],)).check_lanes_of_gradients());
    assert!(of_single.contains("something else than an `f64`"), "{of_single}");
}
