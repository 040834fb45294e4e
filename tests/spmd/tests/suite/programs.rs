//! Random programs, mapped over random inputs, give and fail as one call after the other, on every executor.

use overdub_context::Failure;
use overdub_context::engine::Engine;
use overdub_context::testing::{alike, cases, programs};
use overdub_context::value::Value;
use overdub_spmd::{Column, LoadedMap, MapError};
use proptest::prelude::*;

use super::executors::{THREADS, engines};

type Outcome = Result<Value<'static>, Failure>;

fn columns(rows: &[Vec<Value<'static>>]) -> Vec<Column> {
    let width = rows.first().map_or(0, Vec::len);
    Column::of_rows(rows.to_vec(), width).expect("all rows are as long")
}

fn one_by_one(engine: &Engine, rows: &[Vec<Value<'static>>]) -> Vec<Outcome> {
    rows.iter().map(|row| engine.run("main", row.clone())).collect()
}

fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => alike(a, b),
        (a, b) => a.is_err() && format!("{a:?}") == format!("{b:?}"),
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_map_gives_and_fails_as_calls_one_by_one(
        program in programs(),
        choices in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let rows = program.rows(&choices);
        prop_assume!(!rows[0].is_empty());
        for (name, engine) in engines(|| Engine::builder(program.module())) {
            let expected = one_by_one(&engine, &rows);
            for threads in THREADS {
                let map = LoadedMap::by_name(&engine, "main").expect("it is defined").threads(threads).loops_from(1);
                let over = map.over(columns(&rows)).expect("the columns fit");
                let strict = over.values();
                let found = over.each().values().expect("it is not cancelled");
                prop_assert_eq!(found.len(), expected.len());
                for (at, (a, b)) in found.iter().zip(&expected).enumerate() {
                    prop_assert!(is_same(a, b), "{name}, {threads} threads, element {at}: {a:?}, alone {b:?}");
                }
                let in_lanes = LoadedMap::by_name(&engine, "main").expect("it is defined").threads(threads);
                let in_lanes = in_lanes.lanes(64).loops_from(1).over(columns(&rows)).expect("the columns fit");
                match in_lanes.each().values() {
                    Ok(found) => for (at, (a, b)) in found.iter().zip(&expected).enumerate() {
                        prop_assert!(is_same(a, b), "{name}, lanes, element {at}: {a:?}, alone {b:?}");
                    },
                    Err(error) => prop_assert!(matches!(error, MapError::Function(_)), "{error}"),
                }
                // The first failure is reported, whichever happened first.
                match (strict, expected.iter().position(Result::is_err)) {
                    (Ok(values), None) => prop_assert_eq!(values.len(), expected.len()),
                    (Err(MapError::Element { index, error }), Some(first)) => {
                        prop_assert_eq!(index, first);
                        prop_assert!(is_same(&Err(error), &expected[first]), "{name}, {threads} threads");
                    }
                    (strict, first) => prop_assert!(false, "{name}: {strict:?}, expected failure {first:?}"),
                }
            }
        }
    }

    #[test]
    fn a_map_of_a_gradient_gives_and_fails_as_gradients_one_by_one(
        program in programs(),
        choices in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let rows = program.rows(&choices);
        prop_assume!(!rows[0].is_empty());
        let [_, (_, engine), (_, native), _]: [_; 4] =
            engines(|| Engine::builder(program.module()).optimizer(overdub_passes::Optimising))
                .try_into()
                .expect("there are four");
        let ret = engine.module().func("main".into()).expect("it is defined").expect("it is there").ret;
        for engine in [engine, native] {
            let alone: Vec<_> =
                rows.iter().map(|row| overdub_ad::gradient(&engine, "main", row.clone(), ret)).collect();
            for threads in [1, 3] {
                let map = LoadedMap::by_name(&engine, "main").expect("it is defined").threads(threads);
                let over = map.over(columns(&rows)).expect("the columns fit");
                let found = over.each().values_and_gradients().expect("it is not cancelled");
                for (at, (a, b)) in found.iter().zip(&alone).enumerate() {
                    let is_same = match (a, b) {
                        (Ok((y, dx)), Ok((y_alone, dx_alone))) => {
                            alike(y, y_alone)
                                && alike(&Value::tuple(dx.clone()), &Value::tuple(dx_alone.clone()))
                        }
                        (a, b) => a.is_err() && format!("{a:?}") == format!("{b:?}"),
                    };
                    prop_assert!(is_same, "{threads} threads, element {at}: {a:?}, alone {b:?}");
                }
                let in_lanes = LoadedMap::by_name(&engine, "main").expect("it is defined").threads(threads);
                let in_lanes = in_lanes.lanes(64).loops_from(1).over(columns(&rows)).expect("the columns fit");
                match in_lanes.each().values_and_gradients() {
                    Ok(in_lanes) => prop_assert_eq!(format!("{in_lanes:?}"), format!("{found:?}")),
                    Err(error) => prop_assert!(matches!(error, MapError::Function(_)), "{error}"),
                }
            }
        }
    }
}
