//! Lanes of gradients beside arguments that have no derivative.

use overdub_context::value::Value;
use overdub_lower::Loaded;

use crate::column::{Column, Columns};
use crate::device::Collected;
use crate::gradient::Gradients;
use crate::settings::Settings;

/// Otherwise the elements would run again, one by one, which no result tells.
#[test]
fn lanes_give_derivatives_beside_arguments_without_floats() {
    let source =
        "pub fn f(x: f64, n: usize, z: f64) -> f64 { let mut y = x; for _ in 0..n { y = y.sin() * z; } y }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let function = loaded.function("f").expect("it is there");
    let engine = loaded.engine();
    let func = engine.module().func(function.symbol).expect("it is lowered").expect("it is there");
    let params: Vec<_> = func.param_tys().collect();
    let counts = (0..70).map(|at| Value::from(at % 5_usize)).collect();
    let floats = |factor: f64| Column::floats((0..70).map(|at| f64::from(at) * factor));
    let columns = Columns::new(vec![floats(0.1), Column::Each(counts), floats(0.01)], &params);
    let columns = columns.expect("they fit");
    let gradients = Gradients::new(&engine, (func.name, &params, func.ret), vec![true; 3]);
    let gradients = gradients.of_elements(&Settings::in_lanes(64), (&columns, 70)).expect("no device");
    let (values, slopes) = gradients.blocks(&columns, 1)(0..70).expect("it runs at once");
    let lens: Vec<_> = slopes.iter().map(|list| list.len()).collect();
    assert_eq!((values.len(), lens), (70, vec![70; 3]));
    assert_eq!(slopes[1].get(4).and_then(|n| n.as_index()), Some(4));
    let collected = gradients.collects(&[Collected::Listed; 3]);
    let sums = gradients.sums_of_block((&columns, 70), 1, &collected)(0..70).expect("it runs at once");
    assert_eq!(sums.len(), 3, "{sums:?}");
}
#[test]
fn a_value_without_derivatives_is_no_block_of_lanes() {
    let source = "pub fn f(n: usize) -> f64 { n as f64 * 0.5 }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let map = crate::LoadedMap::new(&loaded.engine(), &loaded.function("f").expect("it is there"));
    let map = map.expect("it is lowered").lanes(64).loops_from(1);
    let counts = Column::Each((0..70).map(|at| Value::from(at % 5_usize)).collect());
    let found = map.over(vec![counts]).expect("it fits").values_and_gradients().expect("none fails");
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(at, (value, _))| matches!(value, Value::F64(x) if *x == (at % 5) as f64 * 0.5))
    );
}
