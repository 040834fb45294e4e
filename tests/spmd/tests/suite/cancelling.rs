//! Mapped calls that are stopped: by a switch, and by limits of elements and of the code around.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use overdub::limits::{Cancel, Limit, Limits};
use overdub::lower::registry;
use overdub::prelude::*;
use overdub::spmd::{ByIndex, MapError, Progress, map};

#[dub]
fn spin(n: u64) -> u64 {
    let mut k = 0;
    while k < n {
        k += 1;
    }
    k
}

#[test]
fn a_switch_stops_elements_that_run() {
    let cancel = Cancel::new();
    let stopped = std::thread::scope(|scope| {
        let call = scope
            .spawn(|| map(spin).threads(2).cancelled_by(&cancel).over((&[u64::MAX; 3],)).each().values());
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        call.join().expect("it does not panic")
    });
    assert_eq!(stopped, Err(MapError::Cancelled { done: 0, len: 3 }));
}

#[test]
fn the_time_of_the_code_around_stops_all_elements() {
    let limits = Limits::default().with_time(Duration::from_millis(100));
    let limited = |error: &overdub::Error| matches!(error.limit(), Some(Limit::Time(_)));
    let each = limits.during(|| map(spin).threads(2).over((&[1, u64::MAX, 2, u64::MAX],)).each().values());
    let each = each.expect("each has its own");
    assert_eq!((&each[0], each[1].as_ref().map_err(limited)), (&Ok(1), Err(true)));
    let first = limits.during(|| map(spin).over((&[u64::MAX, u64::MAX],)).values());
    assert!(matches!(first, Err(MapError::Element { index: 0, error }) if limited(&error)));
}

#[test]
fn the_limits_of_an_engine_are_for_each_element() {
    let engine = registry::program().engine_builder().build().with_limits(Limits::default().with_steps(5000));
    for threads in [1, 2, 3] {
        let ns: Vec<u64> = (0..100).map(|n| if n == 40 { 1 << 40 } else { n }).collect();
        let each =
            map(spin).in_engine(&engine).threads(threads).over((&ns,)).each().values().expect("each has one");
        let stopped: Vec<usize> = (0..100).filter(|at| each[*at].is_err()).collect();
        assert_eq!(stopped, [40]);
        assert_eq!(each[40].as_ref().unwrap_err().limit(), Some(Limit::Steps(5000)));
    }
}

#[test]
fn steps_are_counted_on_the_calling_thread() {
    let budget = Limits::default().with_steps(1_000_000);
    // All elements together take what one thread takes.
    let stopped = budget.during(|| map(spin).threads(3).over((&[100_000_u64; 40],)).values());
    assert!(matches!(stopped, Err(MapError::Element { .. })), "{stopped:?}");
}

#[test]
fn progress_grows_to_the_end() {
    for threads in [1, 3] {
        let seen: Arc<Mutex<Vec<Progress>>> = Arc::default();
        let reports = seen.clone();
        let spins = map(spin).threads(threads).progress(move |at| reports.lock().expect("no panic").push(at));
        spins.over((ByIndex(1000, |at| at as u64),)).values().expect("none fails");
        let seen = seen.lock().expect("no panic");
        assert!(seen.len() > 2 && seen.windows(2).all(|pair| pair[0].done < pair[1].done), "{seen:?}");
        assert_eq!(seen.last(), Some(&Progress { done: 1000, len: 1000 }));
    }
}

#[test]
fn a_panic_of_an_input_reaches_the_caller() {
    for threads in [1, 2] {
        let made = ByIndex(100, |at: usize| if at == 50 { panic!("no {at}") } else { at as u64 });
        let call = std::panic::AssertUnwindSafe(|| map(spin).threads(threads).over((made,)).values());
        let panic = std::panic::catch_unwind(call).expect_err("it panics");
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("no 50"));
    }
}

#[dub]
fn refused(x: f64) -> f64 {
    assert!(x > 7.0, "it is too small");
    x
}

#[test]
fn a_failure_among_more_elements_than_memory_holds_is_its_error() {
    for lanes in [None, Some(64)] {
        let map = lanes.map_or_else(|| map(refused), |lanes| map(refused).lanes(lanes));
        let all = map.over((ByIndex(usize::MAX / 2, |i| i as f64),));
        let error = all.values().expect_err("the first element fails");
        assert!(error.to_string().contains("it is too small"), "{error}");
    }
}
