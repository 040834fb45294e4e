//! Mapped calls of loaded programs.

use overdub_context::ir::Ty;
use overdub_context::value::{CellRef, Value};
use overdub_lower::Loaded;
use overdub_spmd::{Column, LoadedMap, MapError};

use super::executors::engines;

const SOURCE: &str = "
pub fn sum(xs: &[f64], k: f64) -> f64 { xs.iter().sum::<f64>() * k }
pub fn double(xs: &mut Vec<f64>) -> f64 { for x in xs.iter_mut() { *x *= 2.0; } xs[0] }
pub fn pair(x: f64, n: usize) -> (f64, f64) { (x * n as f64, x.sin()) }
pub fn flags(n: i8, m: u64) -> bool { n < 0 && m > 1 }
pub fn low(n: i8) -> i8 { n - 1 }
pub fn high(n: u64) -> u64 { n + (1 << 63) }
";

fn loaded() -> Loaded {
    Loaded::from_source("f.rs", SOURCE).expect("it is Rust")
}

#[test]
fn last_values_of_mutable_parameters_follow_the_result() {
    let loaded = loaded();
    let double = loaded.function("double").expect("it is there");
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let map = LoadedMap::new(&engine, &double).expect("it is lowered").threads(2);
        let rows = (1..4).map(|n| vec![Value::floats(vec![f64::from(n), 1.0])]).collect();
        let over = map.over(Column::of_rows(rows, 1).expect("they are rows")).expect("they fit");
        for (value, n) in over.values().expect("none fails").into_iter().zip(1..) {
            let (result, outs) = double.split(value);
            assert_eq!(result.as_f64(), Some(2.0 * f64::from(n)), "{name}");
            assert_eq!(
                outs[0].to_string(),
                Value::floats(vec![2.0 * f64::from(n), 2.0]).to_string(),
                "{name}"
            );
        }
        let (y, dx) = over.values_and_gradients().expect("they have one").remove(2);
        assert_eq!(double.split(y).0.as_f64(), Some(6.0), "{name}");
        assert_eq!(overdub_ad::flatten::floats(&dx[0]), [2.0, 0.0], "{name}");
        assert_eq!(over.sum().expect("they are floats"), 12.0);
        assert_eq!(over.sum_and_gradient().expect("they are floats").0, 12.0);
    }
}

#[test]
fn scalars_of_all_kinds_are_results() {
    let loaded = loaded();
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let values = |function: &str, columns: Vec<Column>| {
            let function = loaded.function(function).expect("it is there");
            let map = LoadedMap::new(&engine, &function).expect("it is lowered");
            let values = map.over(columns).expect("they fit").values().expect("none fails");
            values.iter().map(Value::to_string).collect::<Vec<_>>()
        };
        let all = |values: Vec<Value<'static>>| Column::Each(values);
        let small = || all([-3_i8, 4].map(Value::from).to_vec());
        let shared = Column::Fixed(Value::from(2_u64));
        assert_eq!(values("flags", vec![small(), shared]), ["true", "false"], "{name}");
        assert_eq!(values("low", vec![small()]), ["-4_i8", "3_i8"], "{name}");
        let large = all(vec![Value::from(1_u64)]);
        assert_eq!(values("high", vec![large]), ["9223372036854775809_u64"], "{name}");
    }
}

#[test]
fn products_with_the_jacobian_are_those_of_calls() {
    let loaded = loaded();
    let pair = loaded.function("pair").expect("it is there");
    let engine = loaded.engine();
    let map = LoadedMap::new(&engine, &pair).expect("it is lowered").threads(2);
    let shared = Column::Fixed(Value::from(3_usize));
    let over = map.over(vec![Column::floats([0.5, 1.5]), shared.clone()]).expect("they fit");
    let along = over.jvps(&[Column::Fixed(Value::F64(2.0)), Column::Fixed(Value::Unit)]).expect("it has one");
    let text = |x: f64| Value::tuple([Value::F64(6.0), Value::F64(x.cos() * 2.0)]).to_string();
    assert_eq!([along[0].1.to_string(), along[1].1.to_string()], [0.5, 1.5].map(text));
    let cotangents = [Value::tuple([1.0.into(), 0.0.into()]), Value::tuple([0.0.into(), 1.0.into()])];
    let pulled = over.vjps(&cotangents).expect("it has one");
    let slopes: Vec<_> = pulled.iter().map(|(_, dx)| dx[0].as_f64()).collect();
    assert_eq!(slopes, [Some(3.0), Some(1.5_f64.cos())]);
    let refused = over.vjps(&[Value::F64(1.0), Value::F64(1.0)]);
    assert!(matches!(refused, Err(MapError::Element { index: 0, .. })), "{refused:?}");
}

#[test]
fn columns_that_do_not_fit_are_errors() {
    let loaded = loaded();
    let map = |name: &str| {
        LoadedMap::new(&loaded.engine(), &loaded.function(name).expect("it is there")).expect("it is lowered")
    };
    let refused = |columns| map("low").over(columns).expect_err("it is refused");
    assert_eq!(refused(vec![]), MapError::Arguments { expected: 1, found: 0 });
    let mixed = Column::Each(vec![Value::from(1_i8), Value::F64(1.0)]);
    let expected = MapError::Type { argument: 0, index: 1, expected: Ty::i8(), found: Ty::f64() };
    assert_eq!(refused(vec![mixed]), expected);
    let differing = vec![Column::floats([1.0]), Column::Each(vec![Value::from(1_usize); 2])];
    assert!(matches!(map("pair").over(differing), Err(MapError::Lengths { .. })));
    assert!(matches!(LoadedMap::by_name(&loaded.engine(), "none"), Err(MapError::Function(_))));
    assert!(Column::of_rows(vec![vec![Value::Unit], vec![]], 1).is_none());
    let rows = vec![vec![Value::from(1_i8)], vec![]];
    assert_eq!(
        map("low").over_rows(rows).expect_err("it is short"),
        MapError::Arguments { expected: 1, found: 0 }
    );
}

#[test]
fn elements_do_not_share_cells() {
    let program = "fn @bump(%cell: ref i64) -> i64 {
      %x: i64 = ref.get %cell
      %y: i64 = add %x, 1
      %done: unit = ref.set %cell, %y
      ret %y
    }";
    let module = overdub_context::text::parse(program).unwrap_or_else(|errors| panic!("{errors}")).module();
    let engine = overdub_context::engine::Engine::new(module);
    let map = LoadedMap::by_name(&engine, "bump").expect("it is defined");
    let cell = || Value::Ref(Box::new(CellRef::new(Value::from(1_i64))));
    let shared = map.over(vec![Column::Fixed(cell())]);
    assert_eq!(shared.expect_err("nothing is mapped"), MapError::NothingMapped);
    let one = cell();
    let over = map.over(vec![Column::Each(vec![one.clone(), one])]).expect("they fit");
    // The cells of the columns keep their content, so that a map can run again.
    for _ in 0..2 {
        let values: Vec<_> = over.values().expect("none fails").iter().map(Value::to_string).collect();
        assert_eq!(values, ["2", "2"]);
    }
}
