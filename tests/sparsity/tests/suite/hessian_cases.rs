//! Patterns of Hessians that hold for every input, for functions given as Rust source.

use crate::detection_support::{Program, array, generic, hessian, local_hessian, points, square};
use overdub_context::value::Value;
use overdub_sparsity::DetectError;

/// A function of one slice, with `n` inputs.
fn of_slice(n: usize, body: &str) -> String {
    hessian(&format!("pub fn f(x: &[f64]) -> f64 {{ {body} }}"), generic(n))
}

/// A function of one float.
fn of_float(body: &str) -> String {
    hessian(&format!("pub fn f(x: f64) -> f64 {{ {body} }}"), vec![Value::F64(1.3)])
}

#[test]
fn quotients_are_not_linear_in_the_divisor() {
    assert_eq!(of_slice(4, "x[0] / x[1] + x[2] + 1.0 / x[3]"), "[0 1 0 0; 1 1 0 0; 0 0 0 0; 0 0 0 1]");
    assert_eq!(of_slice(2, "x[0] / 2.0 + 2.0 / x[1]"), "[0 0; 0 1]");
}

#[test]
fn factors_meet_each_other_and_not_themselves() {
    assert_eq!(of_slice(4, "(x[0] * x[1]) * (x[2] * x[3])"), square(4, |row, col| row != col));
    assert_eq!(of_slice(4, "(x[0] + x[1]) * (x[2] + x[3])"), "[0 0 1 1; 0 0 1 1; 1 1 0 0; 1 1 0 0]");
    assert_eq!(of_slice(3, "let p = x[0] * x[1]; p * x[0] + x[2]"), "[1 1 0; 1 0 0; 0 0 0]");
}

#[test]
fn functions_of_a_sum_are_dense_and_sums_are_empty() {
    for body in
        ["x.iter().sum::<f64>().powi(2)", "1.0 / x.iter().sum::<f64>()", "x.iter().sum::<f64>().exp()"]
    {
        assert_eq!(of_slice(4, body), square(4, |_, _| true), "{body}");
    }
    assert_eq!(of_slice(4, "(x[0] - x[1]) + (x[2] - 1.0) + (1.0 - x[3])"), square(4, |_, _| false));
    assert_eq!(of_slice(3, "x.iter().sum()"), square(3, |_, _| false));
    assert_eq!(of_slice(3, "x.iter().map(|v| 2.0 * v).sum()"), square(3, |_, _| false));
}

#[test]
fn terms_add_their_entries() {
    let first = "x[0] + x[1] * x[2] + 1.0 / x[3] + x[4]";
    let entries = |row: usize, col: usize| [(1, 2), (2, 1), (3, 3)].contains(&(row, col));
    assert_eq!(of_slice(5, first), square(5, entries));
    let second = format!("{first} + x[1].powf(x[4])");
    let more = |row: usize, col: usize| entries(row, col) || [1, 4].contains(&row) && [1, 4].contains(&col);
    assert_eq!(of_slice(5, &second), square(5, more));
}

#[test]
fn powers_of_differences_of_neighbors_are_tridiagonal() {
    let tridiagonal = square(6, |row, col| row.abs_diff(col) <= 1);
    assert_eq!(of_slice(6, "x.windows(2).map(|w| (w[1] - w[0]).powi(3)).sum()"), tridiagonal);
    let looped = "let mut s = 0.0; for i in 1..x.len() { let d = x[i] - x[i - 1]; s += d * d * d; } s";
    assert_eq!(of_slice(6, looped), tridiagonal);
    let rosenbrock =
        "x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()";
    assert_eq!(of_slice(6, rosenbrock), tridiagonal);
}

#[test]
fn curved_functions_have_an_entry_and_straight_ones_none() {
    for body in
        ["x.sqrt()", "x.powf(2.0 / 3.0)", "x * x", "x.sin()", "x.ln()", "x.tanh()", "x.powi(3)", "x.cbrt()"]
    {
        assert_eq!(of_float(body), "[1]", "{body}");
    }
    for body in ["x", "3.0 * x - 1.0", "-x", "x / 2.0", "x.to_degrees()", "2.0", "x.mul_add(2.0, x)"] {
        let body = if body == "2.0" { "let _ = x; 2.0" } else { body };
        assert_eq!(of_float(body), "[0]", "{body}");
    }
    // Its second differences are rounding errors.
    let cast =
        Program::new("pub fn f(x: f64) -> f64 { f64::from(x as f32) }").hessian(vec![Value::F64(1.3)], false);
    assert_eq!(cast.map(|pattern| pattern.to_string()), Ok("[0]".to_owned()));
}

#[test]
fn steps_have_no_entry() {
    for body in
        ["x.signum()", "x.round()", "x.floor() * x", "x.abs()", "x.trunc()", "x.fract()", "x.max(2.0)"]
    {
        assert_eq!(of_float(body), "[0]", "{body}");
    }
}

#[test]
fn clamped_factors_meet() {
    let product = "x[0].clamp(0.0, 1.5) * x[1].clamp(0.0, 1.5)";
    assert_eq!(of_slice(2, product), "[0 1; 1 0]");
    let bounds = "pub fn f(x: f64, a: f64, b: f64) -> f64 { x.clamp(a, b) * x.clamp(a, b) }";
    let args = vec![Value::F64(1.5), Value::F64(1.0), Value::F64(2.0)];
    assert_eq!(hessian(bounds, args.clone()), square(3, |_, _| true));
    let at_active = local_hessian(bounds, args);
    assert!(["[1 0 0; 0 0 0; 0 0 0]", &square(3, |_, _| true)].contains(&at_active.as_str()), "{at_active}");
}

#[test]
fn fused_products_meet_in_their_factors() {
    assert_eq!(of_slice(3, "x[0].mul_add(x[1], x[2])"), "[0 1 0; 1 0 0; 0 0 0]");
}

#[test]
fn both_parts_of_a_pair_are_curved() {
    assert_eq!(of_float("x.sin_cos().0"), "[1]");
    assert_eq!(of_float("x.sin_cos().1"), "[1]");
    assert_eq!(of_slice(2, "let (s, c) = x[0].sin_cos(); s + c * x[1]"), "[1 1; 1 0]");
}

#[test]
fn copied_signs_do_not_count() {
    assert_eq!(of_slice(4, "(x[0] * x[1]).copysign(x[2] * x[3])"), "[0 1 0 0; 1 0 0 0; 0 0 0 0; 0 0 0 0]");
}

#[test]
fn what_is_not_used_does_not_count() {
    let unused = "let z = x[0] * x[1]; let _ = z; x[2] * x[3]";
    assert_eq!(of_slice(4, unused), "[0 0 0 0; 0 0 0 0; 0 0 0 1; 0 0 1 0]");
    let stored = "let mut y = vec![x[0] * x[1], x[2]]; y[0] = x[2] * x[3]; y[0]";
    assert_eq!(of_slice(4, stored), "[0 0 0 0; 0 0 0 0; 0 0 0 1; 0 0 1 0]");
}

#[test]
fn branches_are_united_and_conditions_do_not_count() {
    let body = "if x[0] < x[1] { x[0] * x[1] } else { x[2] * x[2] }";
    assert_eq!(of_slice(3, body), "[0 1 0; 1 0 0; 0 0 1]");
    assert_eq!(of_slice(3, "if x[0] * x[1] < 1.0 { x[2] } else { 2.0 * x[2] }"), square(3, |_, _| false));
    let looped = "let mut p = 1.0; for v in x { if *v > 1.5 { p *= v; } } p";
    assert_eq!(of_slice(3, looped), square(3, |row, col| row != col));
}

#[test]
fn loops_run_to_a_fixed_point() {
    let body = "let mut t = x[0]; while t < 50.0 { t = t * x[1]; } t + x[2]";
    assert_eq!(of_slice(3, body), "[0 1 0; 1 1 0; 0 0 0]");
}

#[test]
fn arguments_held_fixed_do_not_count() {
    let program = Program::new("pub fn f(a: f64, x: &[f64]) -> f64 { a * a * x[0] * x[1] + x[1].exp() }");
    let function = program.f();
    let args = vec![Value::F64(2.0), array(&[1.0, 2.0])];
    for (wrt, expected) in [(0, "[1]"), (1, "[0 1; 1 1]")] {
        let detector = program.detector().with_respect_to([wrt]);
        let pattern = detector.hessian(function.symbol, args.clone(), function.ir_ret);
        assert_eq!(pattern.map(|pattern| pattern.to_string()), Ok(expected.to_owned()), "{wrt}");
    }
}

#[test]
fn a_parameter_that_is_written_is_no_result() {
    let source = "pub fn f(x: &[f64], y: &mut Vec<f64>) -> f64 { y[0] = x[0] * x[1]; x[0] * x[0] + y[0].floor() + y[1] }";
    let program = Program::new(source);
    let function = program.f();
    let args = vec![array(&points(2)), array(&[0.0, 1.0])];
    let pattern = program.detector().with_respect_to([0]).hessian(function.symbol, args, function.ir_ret);
    assert_eq!(pattern.map(|pattern| pattern.to_string()), Ok("[1 0; 0 0]".to_owned()));
}

#[test]
fn closures_cells_and_recursion_are_followed() {
    let body = "let k = x[0]; let g = |v: f64| k * v; g(x[1]) + g(2.0) + x[2]";
    assert_eq!(of_slice(3, body), "[0 1 0; 1 0 0; 0 0 0]");
    let body = "let c = std::cell::Cell::new(x[0]); c.set(c.get() * x[1]); c.get() + x[2]";
    assert_eq!(of_slice(3, body), "[0 1 0; 1 0 0; 0 0 0]");
    let source =
        "fn product(x: &[f64]) -> f64 { match x { [] => 1.0, [first, rest @ ..] => first * product(rest) } }
        pub fn f(x: &[f64]) -> f64 { product(&x[1..]) }";
    assert_eq!(hessian(source, generic(4)), square(4, |row, col| row != col && row > 0 && col > 0));
}

#[test]
fn arrays_of_ndarray_are_followed() {
    let form = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> f64 { let a = array![[2.0, 1.0], [1.0, 3.0]]; x.dot(&a.dot(x)) }";
    assert_eq!(hessian(form, generic(2)), "[1 1; 1 1]");
    let squares = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> f64 { (x * x).sum() + x.mean().unwrap() }";
    assert_eq!(hessian(squares, generic(3)), square(3, |row, col| row == col));
}

/// Whether a position has an entry.
type Holds = fn(usize, usize) -> bool;

/// Test problems of optimisation, those of SCT and similar ones.
#[test]
fn problems_of_optimisation_hold_every_second_difference() {
    let problems: [(usize, &str, Holds); 6] = [
        // Powell's singular function.
        (
            4,
            "(x[0] + 10.0 * x[1]).powi(2) + 5.0 * (x[2] - x[3]).powi(2) + (x[1] - 2.0 * x[2]).powi(4) + 10.0 * (x[0] - x[3]).powi(4)",
            |row, col| !matches!((row, col), (0, 2) | (2, 0) | (1, 3) | (3, 1)),
        ),
        // Wood's function.
        (
            4,
            "100.0 * (x[1] - x[0].powi(2)).powi(2) + (1.0 - x[0]).powi(2) + 90.0 * (x[3] - x[2].powi(2)).powi(2) + (1.0 - x[2]).powi(2) + 10.1 * ((x[1] - 1.0).powi(2) + (x[3] - 1.0).powi(2)) + 19.8 * (x[1] - 1.0) * (x[3] - 1.0)",
            |row, col| row / 2 == col / 2 || row % 2 == 1 && col % 2 == 1,
        ),
        // The arrowhead.
        (
            5,
            "x[1..].iter().map(|v| (x[0] * x[0] + v * v).powi(2) - 4.0 * v).sum()",
            |row, col| row == col || row == 0 || col == 0,
        ),
        // Broyden's tridiagonal function.
        (
            6,
            "let at = |i: usize| if i == 0 || i > x.len() { 0.0 } else { x[i - 1] };
             (1..=x.len()).map(|i| ((3.0 - 2.0 * at(i)) * at(i) - at(i - 1) - 2.0 * at(i + 1) + 1.0).powi(2)).sum()",
            |row, col| row.abs_diff(col) <= 2,
        ),
        // A penalty, which is dense because of its second term.
        (
            4,
            "1e-3 * x.iter().map(|v| (v - 1.0).powi(2)).sum::<f64>() + (x.iter().map(|v| v * v).sum::<f64>() - 0.25).powi(2)",
            |_, _| true,
        ),
        // A chain of springs with one end fixed.
        (
            5,
            "let mut last = 0.0; let mut e = 0.0; for v in x { let d: f64 = v - last - 1.0; e += if d > 0.0 { d * d } else { 0.5 * d * d }; last = *v; } e",
            |row, col| row.abs_diff(col) <= 1,
        ),
    ];
    for (n, body, holds) in problems {
        assert_eq!(of_slice(n, body), square(n, holds), "{body}");
    }
}

#[test]
fn a_result_that_is_not_one_float_is_an_error() {
    let error = |source: &str| Program::new(source).hessian(generic(2), false).unwrap_err();
    assert_eq!(
        error("pub fn f(x: &[f64]) -> Vec<f64> { x.to_vec() }"),
        DetectError::NotScalar { outputs: 2 }
    );
    let is_refused =
        |error: &DetectError| matches!(error, DetectError::NoOutputs | DetectError::NotScalar { outputs: 0 });
    assert!(is_refused(&error("pub fn f(x: &[f64]) -> bool { x[0] > 1.0 }")));
}
