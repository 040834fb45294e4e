//! Checks of derivatives: right ones pass, wrong ones are found and shrunk.
#![cfg(feature = "check")]

use std::sync::atomic::{AtomicUsize, Ordering};

use overdub::ad::{Mismatch, check_at, check_gradient, prop_assert_gradient};
use overdub::prelude::*;
use proptest::prelude::*;

#[dub]
fn ratio(a: f64, b: f64) -> f64 {
    a / (a + b * b)
}

#[dub]
fn running(xs: &[f64], decay: f32) -> f64 {
    let mut state = 0.0;
    for x in xs {
        state = state * f64::from(decay) + x.tanh();
    }
    state
}

#[dub]
fn spread(xs: &mut [f64]) -> (f64, f64) {
    xs.sort_by(f64::total_cmp);
    (xs[xs.len() - 1] - xs[0], xs.iter().sum())
}

#[dub]
fn hinge(x: f64) -> f64 {
    if x > 0.0 { x } else { -2.0 * x }
}

/// Piecewise constant in `x`, in steps too fine for finite differences to see.
#[dub]
fn staircase(x: f64, y: f64) -> f64 {
    ((x * 1e8).floor() / 1e8) * y
}

#[dub]
fn picky(xs: &[f64]) -> f64 {
    assert!(xs.len() > 3, "too few");
    xs[0] * xs[3]
}

#[dub]
fn many(xs: &[f64]) -> f64 {
    xs.iter().enumerate().map(|(i, x)| x.powi(2) * i as f64).sum::<f64>()
}

/// It computes with singles inside.
#[dub]
fn rough(x: f64) -> f64 {
    let y = x as f32;
    let mut root = y;
    for _ in 0..4 {
        root -= (root * root - y) / (2.0 * root);
    }
    f64::from(root)
}

/// The scores of two numbers are always ±1: only rounding remains of their derivatives.
#[dub]
fn scores(xs: &[f64]) -> Vec<f64> {
    let mean = xs.iter().sum::<f64>() / xs.len() as f64;
    let deviation = (xs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / xs.len() as f64).sqrt();
    xs.iter().map(|x| (x - mean) / deviation).collect()
}

#[test]
fn what_rounding_leaves_of_derivatives_that_cancel_is_no_error() {
    check_gradient(scores).over((prop::collection::vec(0.2..0.8, 2..3),)).run();
}

#[test]
fn a_function_of_doubles_may_compute_with_singles() {
    check_gradient(rough).over((1.0..4.0,)).run();
}

#[test]
fn right_derivatives_pass_over_whole_domains() {
    check_gradient(ratio).over((-1e3..1e3, 0.1..10.0)).run();
    check_gradient(running).over((prop::collection::vec(-3.0..3.0, 0..6), 0.1_f32..0.9)).cases(16).run();
    check_gradient(spread).over((prop::collection::vec(-3.0..3.0, 1..6),)).cases(16).run();
}

#[test]
fn a_kink_is_no_error_and_what_is_between_its_sides_passes() {
    let tally = check_at(hinge, (0.0,)).expect("any slope between both is right");
    assert_eq!((tally.kinks, tally.agreed), (1, 0));
    let tally = check_gradient(hinge).over((-1.0..1.0,)).try_run().expect("it is right");
    assert_eq!((tally.agreed + tally.kinks, tally.cases), (64, 64));
}

#[test]
fn a_derivative_that_differences_contradict_is_found_with_the_simplest_input() {
    let found = check_gradient(staircase).over((1.0..5.0, 1.0..5.0)).try_run().unwrap_err();
    let Mismatch::Differences { place, derivative: ours, .. } = &*found.complaint else { panic!("{found}") };
    assert_eq!((place.as_str(), *ours), ("x", 0.0));
    let text = found.to_string();
    assert!(text.contains("differences say") && text.contains("give or take"), "{text}");
    let input = found.input.expect("there is an input");
    assert!(input.starts_with("(1.0") && input.ends_with("1.0)"), "shrunk to the lower ends: {input}");
}

#[test]
#[should_panic(expected = "in `x` the derivative is 0")]
fn a_run_that_finds_something_panics_with_it() {
    check_gradient(staircase).over((1.0..5.0, 1.0..5.0)).run();
}

#[test]
fn where_a_function_fails_its_derivative_does_and_a_check_of_nothing_fails() {
    check_gradient(picky).over((prop::collection::vec(1.0..2.0, 2..6),)).run();
    let found = check_gradient(picky).over((prop::collection::vec(1.0..2.0, 0..4),)).try_run().unwrap_err();
    let text = found.to_string();
    assert!(text.contains("nothing was compared in 64 cases") && text.contains("too few"), "{text}");
}

#[test]
fn many_arguments_are_sampled_and_walked_through_together() {
    let xs: Vec<f64> = (0..200).map(|k| f64::from(k).sin()).collect();
    let tally = check_at(many, (&xs[..],)).expect("it is right");
    assert!((20..=26).contains(&tally.agreed), "{tally:?}");
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(16))]

    #[test]
    fn derivatives_are_asserted_inside_of_proptest(a in 0.5..2.0, b in 0.5..2.0) {
        prop_assert_gradient!(ratio, (a, b));
    }

    #[test]
    #[should_panic(expected = "staircase: in `x`")]
    fn and_so_are_wrong_ones(x in 1.0..2.0) {
        prop_assert_gradient!(staircase, (x, 1.0));
    }
}

#[test]
fn a_pullback_that_allocates_more_each_time_is_told() {
    /// Pretends that each pullback allocates more than the one before.
    fn more_each_time() -> usize {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        calls * calls
    }
    let check = check_gradient(ratio).over((0.1..1.0, 0.1..1.0)).counting(more_each_time);
    let complaint = check.try_run().expect_err("it allocates more").complaint;
    assert!(matches!(*complaint, Mismatch::Allocates { first, second } if first < second), "{complaint}");
}

#[dub]
#[allow(clippy::too_many_arguments)]
fn of_nine(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64) -> f64 {
    a * b + c * d + e * f + g * h * i
}

#[test]
fn functions_of_many_arguments_are_checked() {
    let one = || -1.0..1.0;
    check_gradient(of_nine)
        .over((one(), one(), one(), one(), one(), one(), one(), one(), one()))
        .cases(4)
        .run();
}

/// Counts Rust's own calls.
static COMPILED_CALLS: AtomicUsize = AtomicUsize::new(0);

#[dub]
#[allow(unused_macros)]
macro_rules! if_compiled {
    ($counting:expr) => {};
}

/// It is not annotated, so overdub sees the one before.
macro_rules! if_compiled {
    ($counting:expr) => {
        $counting
    };
}

#[dub]
fn counted(xs: &[f64], shift: &mut f64, label: &str) -> f64 {
    if_compiled!(COMPILED_CALLS.fetch_add(1, Ordering::Relaxed));
    *shift += xs.iter().sum::<f64>();
    *shift * xs[0] + label.len() as f64
}

#[test]
fn differences_are_those_of_the_compiled_function() {
    let tally = check_at(counted, (&[1.5, 2.0][..], &mut 0.5, "ab")).expect("it is right");
    assert_eq!((tally.compiled, tally.agreed), (1, 3));
    assert!(COMPILED_CALLS.load(Ordering::Relaxed) > 10);
    let strategy = (prop::collection::vec(0.5..2.0, 1..3), 0.5..1.0, Just("ab".to_owned()));
    let tally = check_gradient(counted).over(strategy).cases(4).try_run().expect("it is right");
    assert_eq!((tally.compiled, tally.cases), (4, 4));
}

#[test]
fn a_closure_is_called_with_what_it_captured() {
    let k = 3.0;
    let tally = check_at(overdub::closures::dub!(|x: f64| x * x * k), (2.0,)).expect("it is right");
    assert_eq!((tally.compiled, tally.agreed), (1, 1));
}

#[dub]
#[allow(unused_macros)]
macro_rules! factor {
    () => {
        2.0
    };
}

/// It is not annotated, so overdub sees the one before.
macro_rules! factor {
    () => {
        1.0
    };
}

#[dub]
fn differs(x: f64) -> f64 {
    factor!() * x
}

#[test]
fn a_compiled_function_that_returns_something_else_is_told() {
    assert_eq!(run(differs, (1.0,)).expect("it runs"), 2.0);
    let found = check_at(differs, (1.0,)).unwrap_err();
    assert!(matches!(found, Mismatch::Compiled { run: 2.0, compiled: 1.0 }), "{found}");
    assert_eq!(found.to_string(), "overdub's run returns 2, the compiled function 1");
}

#[dub]
fn edge(x: f64) -> f64 {
    assert!(x > 0.999, "too small");
    x.sqrt()
}

#[test]
fn where_the_compiled_function_panics_overdub_runs_it() {
    let tally = check_at(edge, (1.0,)).expect("it is right beside the edge");
    assert_eq!((tally.compiled, tally.agreed), (1, 1));
}

#[test]
fn limits_stop_a_check_whose_function_does_not_end() {
    use overdub::limits::Limits;

    let limits = Limits::default().with_steps(1_000_000_000);
    let tally = limits.during(|| check_at(ratio, (1.0, 2.0))).expect("it is right");
    assert_eq!((tally.compiled, tally.agreed), (0, 2));
}

#[test]
fn functions_under_contexts_and_with_erased_types_are_run_by_overdub() {
    let swapped = under(ctx().replace("tanh", "sin"), running);
    let tally = check_at(swapped, (&[0.5, 0.2][..], 0.5)).expect("it is right");
    assert_eq!(tally.compiled, 0);
    let erased = overdub::Erased::<fn(f64, f64) -> f64>::new(ratio).expect("it is known");
    assert_eq!(check_at(erased, (1.0, 2.0)).expect("it is right").compiled, 0);
}
