//! Random programs on devices.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use overdub_context::engine::{Engine, Interpreting, Sink};
use overdub_context::testing::{Program, cases, programs};
use overdub_spmd::{Column, DeviceError, LoadedMap, MapError};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::devices::{agree, devices, devices_for_scalars};

#[test]
fn a_random_program_gives_and_fails_on_a_device_as_by_the_engine() {
    let (ran, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let choices = prop::collection::vec(any::<u8>(), 0..12);
    let result = TestRunner::new(cases(24)).run(&(programs(), choices), |(program, choices)| {
        check(&program, &choices, &mut |is_refused| {
            let count = if is_refused { &refused } else { &ran };
            count.fetch_add(1, Ordering::Relaxed);
        })
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let (ran, refused) = (ran.into_inner(), refused.into_inner());
    // Most programs print or make text of numbers somewhere.
    assert!(ran * 4 >= refused, "{ran} programs ran on a device, {refused} were refused");
}

/// Compares the devices with the engine, and counts whether they refuse the program.
fn check(program: &Program, choices: &[u8], count: &mut dyn FnMut(bool)) -> Result<(), TestCaseError> {
    let rows = program.rows(choices);
    prop_assume!(!rows[0].is_empty());
    let silent: Sink = Arc::new(Mutex::new(|_: &str| {}));
    let engine = Engine::builder(program.module()).executor(Interpreting::default().printing(silent)).build();
    let map = LoadedMap::by_name(&engine, "main").expect("it is defined");
    let columns = Column::of_rows(rows.clone(), rows[0].len()).expect("all rows are as long");
    let over = |map: &LoadedMap| map.over(columns.clone()).expect("the columns fit").each();
    let expected = over(&map).values().expect("it is not cancelled");
    for (device, is_exact) in devices().into_iter().chain(devices_for_scalars()) {
        let found = match over(&map.clone().on(device)).values() {
            Ok(found) => found,
            // What has no counterpart on a device is said.
            Err(MapError::Device(DeviceError::Unsupported(_))) => {
                count(true);
                continue;
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        count(false);
        for (at, (a, b)) in found.iter().zip(&expected).enumerate() {
            let is_same = match (a, b) {
                (Ok(a), Ok(b)) => agree(a, b, is_exact),
                (a, b) => a.is_err() && format!("{a:?}") == format!("{b:?}"),
            };
            prop_assert!(is_same, "element {at}: {a:?}, by the engine {b:?}");
        }
    }
    Ok(())
}
