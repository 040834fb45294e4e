//! Patterns at one input, for functions given as Rust source.

use crate::detection_support::{Program, array, local, local_hessian};
use overdub_context::value::{Array, Value};
use overdub_sparsity::DetectError;

/// A function of one slice, at these inputs.
fn at(x: &[f64], body: &str) -> String {
    local(&format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}"), vec![array(x)])
}

fn hessian_at(x: &[f64], body: &str) -> String {
    local_hessian(&format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}"), vec![array(x)])
}

/// Checks that the pattern contains `least`, and is contained in `most`.
#[track_caller]
fn assert_between(found: &str, least: &str, most: &str) {
    let [found, least, most] = [found, least, most]
        .map(|text| text.parse::<overdub_sparsity::SparsityPattern>().expect("a pattern"));
    assert_eq!(least.first_missing(&found), None, "{found} lacks an entry of {least}");
    assert_eq!(found.first_missing(&most), None, "{found} has an entry that is not in {most}");
}

#[test]
fn a_factor_of_zero_may_drop_the_other() {
    for (x, least) in
        [([1.0, 1.0], "[1 1]"), ([1.0, 0.0], "[0 1]"), ([0.0, 1.0], "[1 0]"), ([0.0, 0.0], "[0 0]")]
    {
        assert_between(&at(&x, "x[0] * x[1]"), least, "[1 1]");
    }
    assert_between(&at(&[0.0, 1.0], "x[0] / x[1]"), "[1 0]", "[1 1]");
    assert_eq!(at(&[1.0, 1.0], "x[0] / x[1]"), "[1 1]");
}

#[test]
fn a_numerator_of_zero_does_not_drop_a_denominator_at_which_the_derivative_is_nan() {
    assert_eq!(at(&[0.0, 0.0], "x[0] / x[1]"), "[1 1]");
    assert_eq!(at(&[0.0, 1.0], "x[0] / (x[1] + f64::NAN)"), "[1 1]");
}

#[test]
fn extremes_take_the_active_side_and_both_at_a_tie() {
    assert_eq!(at(&[1.0, 2.0], "x[0].max(x[1])"), "[0 1]");
    assert_eq!(at(&[2.0, 1.0], "x[0].max(x[1])"), "[1 0]");
    assert_eq!(at(&[1.0, 2.0], "x[0].min(x[1])"), "[1 0]");
    assert_eq!(at(&[2.0, 1.0], "x[0].min(x[1])"), "[0 1]");
    for side in ["max", "min"] {
        assert_eq!(at(&[1.0, 1.0], &format!("x[0].{side}(x[1])")), "[1 1]", "{side}");
    }
    assert_eq!(at(&[3.0, 1.0, 2.0], "x.iter().copied().fold(f64::NEG_INFINITY, f64::max)"), "[1 0 0]");
}

#[test]
fn extremes_take_the_number_beside_a_nan_and_both_of_two_nans() {
    for side in ["max", "min"] {
        let of = |x: &str, y: &str| at(&[1.0, 2.0], &format!("({x}).{side}({y})"));
        assert_eq!(of("x[0] + f64::NAN", "x[1]"), "[0 1]", "{side}");
        assert_eq!(of("x[0]", "x[1] + f64::NAN"), "[1 0]", "{side}");
        assert_eq!(of("x[0] + f64::NAN", "x[1] + f64::NAN"), "[1 1]", "{side}");
    }
}

#[test]
fn comparisons_choose_their_branch() {
    let body = "if x[0] < x[1] { x[0] + x[1] } else { x[2] * x[2] }";
    assert_eq!(at(&[1.0, 2.0, 3.0], body), "[1 1 0]");
    assert_eq!(at(&[2.0, 1.0, 3.0], body), "[0 0 1]");
    let matched = "match x[0] as i32 { 0 => x[0], 1 => x[1], _ => 3.0 }";
    for (first, expected) in [(0.5, "[1 0]"), (1.5, "[0 1]"), (2.5, "[0 0]")] {
        assert_eq!(at(&[first, 4.0], matched), expected, "{first}");
    }
    for (first, expected) in [(1.0, "[0 1]"), (-1.0, "[1 0]")] {
        assert_eq!(at(&[first, 4.0], "if x[0].signum() > 0.0 { x[1] } else { x[0] }"), expected);
    }
}

#[test]
fn loops_take_the_rounds_that_they_take() {
    let looped = "let (mut s, mut i) = (0.0, 0); while s < 2.5 { s += x[i]; i += 1; } s";
    assert_eq!(at(&[1.0, 1.0, 1.0, 1.0], looped), "[1 1 1 0]");
    assert_eq!(at(&[3.0, 1.0, 1.0, 1.0], looped), "[1 0 0 0]");
    assert_eq!(at(&[1.0, 9.0, 1.0], "for v in x { if *v > 2.0 { return *v; } } 0.0"), "[0 1 0]");
}

#[test]
fn clamps_drop_what_is_beyond_the_active_bound() {
    let source = "pub fn f(x: f64, a: f64, b: f64) -> f64 { x.clamp(a, b) }";
    for (x, expected) in [(0.5, "[0 1 0]"), (1.5, "[1 0 0]"), (2.5, "[0 0 1]")] {
        assert_eq!(local(source, vec![Value::F64(x), Value::F64(1.0), Value::F64(2.0)]), expected, "{x}");
    }
}

#[test]
fn fused_products_hold_every_slope_at_zeros() {
    for (x, least) in
        [([1.0, 0.0, 2.0], "[0 1 1]"), ([0.0, 1.0, 2.0], "[1 0 1]"), ([0.0, 0.0, 0.0], "[0 0 1]")]
    {
        assert_between(&at(&x, "x[0].mul_add(x[1], x[2])"), least, "[1 1 1]");
    }
}

#[test]
fn places_are_those_that_are_read_and_written() {
    assert_eq!(at(&[5.0, 6.0, 1.0], "x[x[2] as usize]"), "[0 1 0]");
    assert_eq!(
        at(&[5.0, 6.0, 1.0], "let mut y = x.to_vec(); y[x[2] as usize] = x[0]; y[0] + y[1]"),
        "[1 0 0]"
    );
    assert_eq!(
        at(&[5.0, 6.0, 1.0], "let mut y = x.to_vec(); y.sort_by(|a, b| a.total_cmp(b)); y[0]"),
        "[0 0 1]"
    );
    let median = "let mut at: Vec<usize> = (0..x.len()).collect(); at.sort_by(|a, b| x[*a].partial_cmp(&x[*b]).unwrap()); x[at[1]]";
    assert_eq!(at(&[5.0, 6.0, 1.0], median), "[1 0 0]");
}

#[test]
fn determinants_depend_on_all_elements() {
    let source = "pub fn f(a: &[[f64; 2]; 2]) -> f64 { (a[0][0] * a[1][1] - a[0][1] * a[1][0]).ln() }";
    let rows = vec![array(&[1.0, -1.0]), array(&[2.0, 2.0])];
    let ty = rows[0].ty();
    let a = Value::from(Array::from_values(ty, rows).expect("the rows are of this type"));
    assert_eq!(local(source, vec![a]), "[1 1 1 1]");
    let source = "use ndarray::prelude::*;
        pub fn f(a: &Array2<f64>) -> f64 { overdub::linalg::ln_det(a).unwrap() }";
    let a = Array::from_vec(vec![1.0, -1.0, 2.0, 2.0]).reshape(&[2, 2]).expect("it has four elements");
    assert_eq!(local(source, vec![Value::from(a)]), "[1 1 1 1]");
}

#[test]
fn the_length_of_the_result_is_that_at_the_input() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().copied().filter(|v| *v > 1.5).collect() }";
    assert_eq!(local(source, vec![array(&[1.0, 2.0, 3.0])]), "[0 1 0; 0 0 1]");
    let optional = "pub fn f(x: &[f64]) -> Option<f64> { if x[0] > 1.0 { Some(x[1]) } else { None } }";
    assert_eq!(local(optional, vec![array(&[2.0, 3.0])]), "[0 1]");
    let refused = Program::new(optional).local(vec![array(&[0.5, 3.0])]);
    assert_eq!(refused, Err(DetectError::NoOutputs));
}

#[test]
fn an_input_that_is_no_number_is_an_error_in_a_local_pattern_alone() {
    let program = Program::new("pub fn f(x: &[f64]) -> f64 { x[0] + x[1] }");
    let args = vec![array(&[1.0, f64::NAN])];
    assert_eq!(program.local(args.clone()), Err(DetectError::NaN { input: 1 }));
    assert_eq!(program.jacobian(args).map(|pattern| pattern.to_string()), Ok("[1 1]".to_owned()));
}

#[test]
fn infinite_inputs_are_points_like_others() {
    assert_eq!(at(&[f64::INFINITY, 1.0], "if x[0] > 2.0 { x[1] } else { x[0] }"), "[0 1]");
    assert_eq!(at(&[f64::NEG_INFINITY, 1.0], "if x[0] > 2.0 { x[1] } else { x[0] }"), "[1 0]");
}

#[test]
fn second_derivatives_follow_the_branch() {
    let body = "if x[0] < x[1] { x[0] * x[1] } else { x[0] + x[1] * x[1] }";
    assert_eq!(hessian_at(&[1.0, 2.0], body), "[0 1; 1 0]");
    assert_eq!(hessian_at(&[2.0, 1.0], body), "[0 0; 0 1]");
    assert_eq!(hessian_at(&[2.0, 1.0], "x[0].max(x[1]) * x[1]"), "[0 1; 1 0]");
    assert_eq!(hessian_at(&[1.0, 2.0], "x[0].max(x[1]) * x[1]"), "[0 0; 0 1]");
}

#[test]
fn second_derivatives_of_clamps_are_those_of_what_is_active() {
    let body = "x[0].clamp(0.0, 1.0) * x[1].clamp(0.0, 1.0)";
    assert_eq!(hessian_at(&[0.5, 0.5], body), "[0 1; 1 0]");
    for outside in [[0.5, 2.0], [2.0, 0.5], [-1.0, 2.0]] {
        assert_eq!(hessian_at(&outside, body), "[0 0; 0 0]", "{outside:?}");
    }
}

#[test]
fn second_derivatives_of_steps_are_empty_and_zero_times_a_square_may_count() {
    assert_eq!(hessian_at(&[1.5, 2.0], "x[0].signum() * x[1] + x[0].round()"), "[0 0; 0 0]");
    assert_between(&hessian_at(&[1.5], "0.0 * x[0] * x[0]"), "[0]", "[1]");
    assert_eq!(hessian_at(&[0.0, 0.0], "x[0] * x[1]"), "[0 1; 1 0]");
}
