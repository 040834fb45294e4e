//! Patterns of small functions, each with a claim; the claims are those of SparsityDetection.jl and
//! SparseConnectivityTracer.jl, translated to Rust.

use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_sparsity::{DetectError, Detector, SparseDerivative, SparseError, SparsityPattern};

/// The derivative whose pattern is found.
#[derive(Clone, Copy)]
enum Of {
    Jacobian,
    Hessian,
    LocalJacobian,
    LocalHessian,
}

fn found(source: &str, args: Vec<Value<'static>>, of: Of) -> Result<SparsityPattern, DetectError> {
    let loaded = Loaded::from_source("case.rs", source).expect("the source loads");
    let function = loaded.function("f").expect("there is an `f`");
    let engine = loaded.engine();
    let detector = match of {
        Of::Jacobian | Of::Hessian => Detector::new(&engine),
        Of::LocalJacobian | Of::LocalHessian => Detector::new(&engine).local(),
    };
    match of {
        Of::Jacobian | Of::LocalJacobian => detector.jacobian(function.symbol, args),
        Of::Hessian | Of::LocalHessian => detector.hessian(function.symbol, args, function.ir_ret),
    }
}

/// The pattern of a function of a slice.
fn of_slice(source: &str, x: &[f64], of: Of) -> String {
    let pattern = found(source, vec![Value::floats(x.to_vec())], of).expect("there is a pattern");
    pattern.to_string()
}

macro_rules! claims {
    ($($of:ident $name:ident: $x:expr, $source:expr => $pattern:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(of_slice($source, &$x, Of::$of), $pattern);
        }
    )*};
}

claims! {
    Jacobian products_and_sines_depend_on_their_operands: [1.0, 2.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0] * x[0], 2.0 * x[0] * x[1] * x[1], x[2].sin()] }"
        => "[1 0 0; 1 1 0; 0 0 1]";
    Jacobian rounding_depends_on_nothing: [1.1, 2.3],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0] * x[1], (x[0] * x[1]).ceil(), x[0] * x[1].round()] }"
        => "[1 1; 0 0; 1 0]";
    Jacobian casts_to_integers_and_comparisons_depend_on_nothing: [1.3],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0].signum(), x[0] as i32 as f64, f64::from(u8::from(x[0] > 0.0))] }"
        => "[0; 0; 0]";
    Jacobian powers_depend_on_base_and_exponent: [1.3],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0].powf(0.6), 0.6f64.powf(x[0]), x[0].exp(), x[0].powi(3)] }"
        => "[1; 1; 1; 1]";
    Jacobian a_known_zero_factor_depends_on_nothing: [1.0, 2.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![0.0 * x[0] + x[1]] }" => "[0 1]";
    Jacobian a_quotient_of_zero_depends_on_its_denominator_which_may_be_zero_or_nan: [1.0, 2.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![0.0 / (x[0] + f64::NAN) + x[1]] }" => "[1 1]";
    Jacobian mul_add_with_a_constant_depends_on_two: [1.0, 2.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0].mul_add(x[1], 1.0)] }" => "[1 1]";
    Jacobian a_dot_product_of_slices_depends_on_these: [1.0, 2.0, 3.0, 4.0, 5.0],
        "pub fn f(x: &[f64]) -> f64 { x[0..2].iter().zip(&x[3..5]).map(|(a, b)| a * b).sum() }"
        => "[1 1 0 1 1]";
    Jacobian both_arms_of_a_branch_count_and_its_condition_does_not: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { if x[1] < x[2] { x[0] } else { x[3] } }" => "[1 0 0 1]";
    Jacobian an_arm_that_no_input_takes_does_not_count: [1.0, 2.0],
        "pub fn f(x: &[f64]) -> f64 { if x.len() > 5 { x[0] } else { x[1] } }" => "[0 1]";
    Jacobian an_element_set_in_either_arm_is_one_element: [1.0, 2.0, -1.0, 3.0],
        "pub fn f(u: &[f64]) -> Vec<f64> { let mut y = vec![0.0; u.len()];
         for i in 1..u.len() { if u[i] > 0.0 { y[i] = u[i]; } else { y[i - 1] = u[i - 1] * 2.0; } } y }"
        => "[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]";
    Jacobian a_loop_that_an_input_ends_runs_to_a_fixed_point: [2.0, 2.0, 5.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let (mut s, mut i) = (0.0, 0);
         while s < 3.0 && i < x.len() { s += x[i]; i += 1; } vec![s, x[0]] }"
        => "[1 1 1; 1 0 0]";
    Jacobian newton_steps_keep_elements_apart: [2.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().map(|a| { let mut y = *a;
         while (y * y - a).abs() > 1e-12 { y = 0.5 * (y + a / y); } y }).collect() }"
        => "[1 0; 0 1]";
    Jacobian a_break_that_an_input_decides_keeps_elements_apart: [1.0, 2.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let mut y = vec![0.0; x.len()];
         for i in 0..x.len() { if x[i] > 9.0 { break; } y[i] = x[i] * 2.0; } y }"
        => "[1 0 0; 0 1 0; 0 0 1]";
    Jacobian an_index_that_depends_on_inputs_may_be_any: [2.5, 1.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let k = x[0] as usize % x.len(); vec![x[k], x[1]] }"
        => "[1 1 1; 0 1 0]";
    Jacobian a_write_at_such_an_index_may_be_anywhere: [0.5, 1.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let mut y = vec![0.0; 2]; y[1] = x[2]; y[x[0] as usize % 2] += x[1]; y }"
        => "[0 1 1; 0 1 1]";
    Jacobian a_checked_read_at_such_an_index_may_be_any: [0.5, 1.0, 3.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x.get(x[0] as usize).copied().unwrap_or(0.0), x[1]] }"
        => "[1 1 1; 0 1 0]";
    Jacobian a_part_up_to_such_an_index_may_be_any: [0.5, 1.0, 3.0],
        "pub fn f(x: &[f64]) -> f64 { let k = x[0] as usize % 3; x[1..1 + k].iter().sum::<f64>() }" => "[1 1 1]";
    Jacobian a_list_of_such_lengths_sums_any: [0.5, 1.0],
        "pub fn f(x: &[f64]) -> f64 { let mut v = Vec::new(); let mut n: Vec<usize> = vec![];
         for a in x { if *a > 0.7 { v.push(*a); } n.push(v.len()); } v.truncate(n[0]); v.iter().sum() }" => "[1 1]";
    Jacobian a_function_that_inputs_choose_depends_on_what_any_uses: [0.5, 1.0, 2.0],
        "pub fn f(x: &[f64]) -> f64 { let (a, b) = (x[1], x[2]);
         let g: Box<dyn Fn(f64) -> f64> = if x[0] > 0.0 { Box::new(move |y| y * a) } else { Box::new(move |y| y + b) }; g(3.0) }"
        => "[0 1 1]";
    Jacobian a_sort_by_value_puts_any_element_anywhere: [3.0, 1.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let mut y = x.to_vec(); y.sort_by(|a, b| a.partial_cmp(b).unwrap()); y }"
        => "[1 1; 1 1]";
    Jacobian a_filter_by_value_sums_any_elements: [3.0, -1.0],
        "pub fn f(x: &[f64]) -> f64 { x.iter().filter(|v| **v > 0.0).sum() }" => "[1 1]";
    Jacobian a_count_of_comparisons_depends_on_nothing: [3.0, -1.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let n = x.iter().filter(|v| **v > 0.0).count(); vec![n as f64, x[1]] }"
        => "[0 0; 0 1]";
    Jacobian a_cell_holds_what_was_set: [3.0, -1.0],
        "use std::cell::RefCell; pub fn f(x: &[f64]) -> Vec<f64> { let c = RefCell::new(vec![0.0; 2]);
         if x[0] > 0.0 { c.borrow_mut()[0] = x[1]; } let y = c.borrow().clone(); y }"
        => "[0 1; 0 0]";
    Jacobian recursion_on_values_ends: [3.0, 0.5, 2.0],
        "fn halve(x: f64, y: f64) -> f64 { if x < 1.0 { x * y } else { halve(x / 2.0, y) + x } }
         pub fn f(x: &[f64]) -> Vec<f64> { vec![halve(x[0], x[1]), x[2]] }"
        => "[1 1 0; 0 0 1]";
    Jacobian an_enum_that_inputs_choose_keeps_its_fields_apart: [3.0, 0.5, 2.0],
        "enum E { A(f64), B(f64, f64) }
         pub fn f(x: &[f64]) -> Vec<f64> { let e = if x[0] > 1.0 { E::A(x[0]) } else { E::B(x[1], x[2]) };
         match e { E::A(a) => vec![a, 0.0], E::B(b, c) => vec![b, c] } }"
        => "[1 1 0; 0 0 1]";
    Jacobian chunks_are_blocks: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { x.chunks(2).flat_map(|p| [p[0] * p[1], p[1]]).collect() }"
        => "[1 1 0 0; 0 1 0 0; 0 0 1 1; 0 0 0 1]";
    LocalJacobian at_a_point_a_zero_factor_drops_the_other: [1.0, 0.0],
        "pub fn f(x: &[f64]) -> f64 { x[0] * x[1] }" => "[0 1]";
    LocalJacobian at_a_point_a_zero_numerator_drops_the_denominator: [0.0, 2.0],
        "pub fn f(x: &[f64]) -> f64 { x[0] / x[1] }" => "[1 0]";
    LocalJacobian at_a_point_extremes_take_the_active_side: [1.0, 2.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0].max(x[1]), x[0].min(x[1])] }" => "[0 1; 1 0]";
    LocalJacobian in_a_tie_both_sides_count: [2.0, 2.0],
        "pub fn f(x: &[f64]) -> f64 { x[0].max(x[1]) }" => "[1 1]";
    LocalJacobian at_a_point_the_branch_is_taken: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { if x[1] < x[2] { x[0] } else { x[3] } }" => "[1 0 0 0]";
    LocalJacobian at_a_point_clamp_drops_what_is_beyond: [5.0],
        "pub fn f(x: &[f64]) -> f64 { x[0].clamp(-1.0, 1.0) }" => "[0]";
    LocalJacobian at_a_point_a_sort_is_a_permutation: [3.0, 1.0, 2.0],
        "pub fn f(x: &[f64]) -> Vec<f64> { let mut y = x.to_vec(); y.sort_by(|a, b| a.total_cmp(b)); y }"
        => "[0 1 0; 0 0 1; 1 0 0]";
    Hessian quotients_and_reciprocals: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { x[0] / x[1] + x[2] + 1.0 / x[3] }"
        => "[0 1 0 0; 1 1 0 0; 0 0 0 0; 0 0 0 1]";
    Hessian a_product_of_products_has_no_diagonal: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { (x[0] * x[1]) * (x[2] * x[3]) }"
        => "[0 1 1 1; 1 0 1 1; 1 1 0 1; 1 1 1 0]";
    Hessian a_product_of_sums_has_two_blocks: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { (x[0] + x[1]) * (x[2] + x[3]) }"
        => "[0 0 1 1; 0 0 1 1; 1 1 0 0; 1 1 0 0]";
    Hessian sums_are_linear: [1.0, 2.0], "pub fn f(x: &[f64]) -> f64 { (x[0] - x[1]) + 2.0 * x[0] }" => "[0 0; 0 0]";
    Hessian cubes_of_differences_are_tridiagonal: [1.0, 2.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { x.windows(2).map(|w| (w[1] - w[0]).powi(3)).sum() }"
        => "[1 1 0; 1 1 1; 0 1 1]";
    Hessian what_is_not_used_does_not_count: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { let z = x[0] * x[1]; let _ = z.sin(); x[2] * x[3] }"
        => "[0 0 0 0; 0 0 0 0; 0 0 0 1; 0 0 1 0]";
    Hessian copysign_has_the_magnitude_of_its_first: [1.0, 2.0, 3.0, 4.0],
        "pub fn f(x: &[f64]) -> f64 { (x[0] * x[1]).copysign(x[2] * x[3]) }"
        => "[0 1 0 0; 1 0 0 0; 0 0 0 0; 0 0 0 0]";
    Hessian sine_and_cosine_are_nonlinear: [1.0],
        "pub fn f(x: &[f64]) -> f64 { let (s, c) = x[0].sin_cos(); s + c }" => "[1]";
    Hessian a_branch_unites_interactions: [1.0, 2.0, 3.0],
        "pub fn f(x: &[f64]) -> f64 { if x[0] < x[2] { x[0] * x[1] } else { x[1] * x[2] } }"
        => "[0 1 0; 1 0 1; 0 1 0]";
    LocalHessian at_a_point_only_the_branch_taken_counts: [1.0, 2.0, 3.0],
        "pub fn f(x: &[f64]) -> f64 { if x[0] < x[2] { x[0] * x[1] } else { x[1] * x[2] } }"
        => "[0 1 0; 1 0 0; 0 0 0]";
    LocalHessian a_zero_factor_keeps_its_pair: [0.0, 2.0],
        "pub fn f(x: &[f64]) -> f64 { x[0] * x[1] }" => "[0 1; 1 0]";
}

#[test]
fn structs_and_nested_arrays_are_flattened_in_order() {
    let source = "pub struct P { pub a: f64, pub b: Vec<f64> }
        pub fn f(a: f64, b: &[f64]) -> (P, f64) { (P { a: b[1], b: vec![a, b[0]] }, 2.0) }";
    let args = vec![Value::F64(1.0), Value::floats(vec![2.0, 3.0])];
    let pattern = found(source, args, Of::Jacobian).expect("there is a pattern");
    assert_eq!(pattern.to_string(), "[0 0 1; 1 0 0; 0 1 0; 0 0 0]");
}

#[test]
fn what_is_written_in_place_is_a_result() {
    let source = "pub fn f(x: &[f64], y: &mut [f64]) { for i in 0..y.len() { y[i] = x[i + 1] - x[i]; } }";
    let loaded = Loaded::from_source("case.rs", source).expect("the source loads");
    let engine = loaded.engine();
    let args = vec![Value::floats(vec![1.0, 2.0, 4.0]), Value::floats(vec![0.0, 0.0])];
    let detector = Detector::new(&engine).with_respect_to([0]);
    let pattern = detector.jacobian(loaded.function("f").expect("there is an `f`").symbol, args);
    assert_eq!(pattern.expect("there is a pattern").to_string(), "[1 1 0; 0 1 1]");
}

#[test]
fn single_precision_has_the_same_pattern() {
    let source = "pub fn f(x: [f32; 2]) -> [f32; 2] { [x[0] * x[1], x[1].sqrt()] }";
    let x = Value::from(overdub_context::value::Array::from_vec(vec![1.0_f32, 2.0]));
    assert_eq!(found(source, vec![x], Of::Jacobian).expect("there is a pattern").to_string(), "[1 1; 0 1]");
}

#[test]
fn what_has_no_pattern_is_a_typed_error() {
    let one = || vec![Value::floats(vec![1.0])];
    let integers = "pub fn f(x: &[f64]) -> usize { x.len() }";
    assert_eq!(found(integers, one(), Of::Jacobian), Err(DetectError::NoOutputs));
    let empty = vec![Value::floats(Vec::new())];
    assert_eq!(found("pub fn f(x: &[f64]) -> f64 { 1.0 }", empty, Of::Jacobian), Err(DetectError::NoInputs));
    let two = "pub fn f(x: &[f64]) -> Vec<f64> { vec![x[0], x[0]] }";
    assert_eq!(found(two, one(), Of::Hessian), Err(DetectError::NotScalar { outputs: 2 }));
    let nan = vec![Value::floats(vec![f64::NAN])];
    assert_eq!(
        found("pub fn f(x: &[f64]) -> f64 { x[0] }", nan, Of::LocalJacobian),
        Err(DetectError::NaN { input: 0 })
    );
    let fails = "pub fn f(x: &[f64]) -> f64 { x[3] }";
    let Err(DetectError::Program(failure)) = found(fails, one(), Of::Jacobian) else { panic!("it fails") };
    assert!(failure.report().span.is_known(), "the failure has its line");
}

#[test]
fn a_local_pattern_does_not_hold_where_another_branch_is_taken() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> { vec![if x[0] > 0.0 { x[1] } else { x[2] }] }";
    let loaded = Loaded::from_source("case.rs", source).expect("the source loads");
    let (engine, f) = (loaded.engine(), loaded.function("f").expect("there is an `f`").symbol);
    let args = |x: f64| vec![Value::floats(vec![x, 2.0, 3.0])];
    let sparse =
        SparseDerivative::jacobian(&Detector::new(&engine).local(), f, args(1.0)).expect("it has a pattern");
    assert_eq!(sparse.evaluate(&args(0.5)).expect("the same branch").to_dense(), [[0.0, 1.0, 0.0]]);
    let other = sparse.evaluate(&args(-1.0));
    let Err(SparseError::Outside { row: 0, col: 2, span, .. }) = other else { panic!("{other:?}") };
    assert_eq!(span.line, 1, "an input as it stands is named by its function");
}

#[test]
fn an_entry_beyond_a_local_pattern_is_named_with_its_line() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> {
        let y = if x[0] > 0.0 { x[1] * 2.0 } else {
            x[1] * x[2]
        };
        vec![x[0], y]
    }
    pub fn g(x: &[f64]) -> f64 {
        let mut y = x[0];
        if x[0] < 0.0 {
            y += x[1] * x[2];
        }
        y * 3.0
    }";
    let loaded = Loaded::from_source("case.rs", source).expect("the source loads");
    let engine = loaded.engine();
    let args = |x: f64| vec![Value::floats(vec![x, 2.0, 3.0])];
    let detector = Detector::new(&engine).local();
    let f = loaded.function("f").expect("it is there").symbol;
    let sparse = SparseDerivative::jacobian(&detector, f, args(1.0)).expect("it has a pattern");
    let Err(error) = sparse.evaluate(&args(-1.0)) else { panic!("the pattern does not hold") };
    assert!(error.to_string().starts_with("entry (1, 2), made at case.rs:3:13"), "{error}");
    let g = loaded.function("g").expect("it is there");
    let sparse =
        SparseDerivative::hessian(&detector, g.symbol, args(1.0), g.ir_ret).expect("it has a pattern");
    let Err(error) = sparse.evaluate(&args(-1.0)) else { panic!("the pattern does not hold") };
    assert!(error.to_string().starts_with("entry (1, 2), made at case.rs:10:18"), "{error}");
}
