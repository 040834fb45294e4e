//! Random programs on devices.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{Engine, Interpreting, Sink};
use overdub_context::testing::{Program, any_value, cases, programs};
use overdub_context::value::Value;
use overdub_spmd::{Column, DeviceError, LoadedMap, MapError};
use proptest::prelude::*;

use super::devices::{agree, devices};

/// The arguments of a program's call, and others of the same types.
fn rows(program: &Program, choices: &[u8]) -> Vec<Vec<Value<'static>>> {
    let other = |arg: &Value<'static>, choice: u8| {
        let value = any_value(arg.ty(), choice);
        if value.ty() == arg.ty() { value } else { arg.clone() }
    };
    let others = choices.iter().map(|choice| {
        program.args().iter().zip(0..).map(|(arg, at)| other(arg, choice.wrapping_mul(at + 1))).collect()
    });
    std::iter::once(program.args()).chain(others).collect()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_random_program_gives_and_fails_on_a_device_as_by_the_engine(
        program in programs(),
        choices in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let rows = rows(&program, &choices);
        prop_assume!(!rows[0].is_empty());
        let silent: Sink = Arc::new(Mutex::new(|_: &str| {}));
        let engine = Engine::builder(program.module()).executor(Interpreting::default().printing(silent)).build();
        let map = LoadedMap::by_name(&engine, "main").expect("it is defined");
        let columns = Column::of_rows(rows.clone(), rows[0].len()).expect("all rows are as long");
        let over = |map: &LoadedMap| map.over(columns.clone()).expect("the columns fit").each();
        let expected = over(&map).values().expect("it is not cancelled");
        for (device, is_exact) in devices() {
            let found = match over(&map.clone().on(device)).values() {
                Ok(found) => found,
                // What has no counterpart in C is said.
                Err(MapError::Device(DeviceError::Unsupported(_))) => continue,
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            for (at, (a, b)) in found.iter().zip(&expected).enumerate() {
                let is_same = match (a, b) {
                    (Ok(a), Ok(b)) => agree(a, b, is_exact),
                    (a, b) => a.is_err() && format!("{a:?}") == format!("{b:?}"),
                };
                prop_assert!(is_same, "element {at}: {a:?}, by the engine {b:?}");
            }
        }
    }
}
