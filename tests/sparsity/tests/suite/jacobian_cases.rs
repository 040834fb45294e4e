//! Patterns of Jacobians that hold for every input, for functions given as Rust source.

use crate::detection_support::{Program, array, generic, global, points, square};
use overdub_context::value::Value;
use overdub_sparsity::DetectError;
use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Order};

/// A function of one slice with `n` inputs that returns `body`.
fn of_slice(n: usize, body: &str) -> String {
    global(&format!("pub fn f(x: &[f64]) -> Vec<f64> {{ {body} }}"), generic(n))
}

/// A function of one float.
fn of_float(body: &str) -> String {
    global(&format!("pub fn f(x: f64) -> f64 {{ {body} }}"), vec![Value::F64(1.3)])
}

#[test]
fn outputs_depend_on_what_they_are_computed_from() {
    let body = "vec![x[0] * x[0], 2.0 * x[0] * x[1] * x[1], x[2].sin()]";
    assert_eq!(of_slice(3, body), "[1 0 0; 1 1 0; 0 0 1]");
    assert_eq!(of_float("x"), "[1]");
    assert_eq!(of_float("let _ = x; 3.0"), "[0]");
}

#[test]
fn rounding_cuts_a_dependence() {
    let body = "vec![x[0] * x[1], (x[0] * x[1]).ceil(), x[0] * x[1].round()]";
    assert_eq!(of_slice(2, body), "[1 1; 0 0; 1 0]");
}

#[test]
fn what_has_derivative_zero_everywhere_has_no_entry() {
    let bodies = [
        "x.signum()",
        "if x < 2.0 { 1.0 } else { 3.0 }",
        "if x.is_nan() { 1.0 } else { 3.0 }",
        "f64::from(u8::from(x > 1.0))",
        "f64::MAX.min(f64::EPSILON)",
        "x.round()",
        "x.floor()",
        "x.ceil()",
        "x.trunc()",
        "x as i64 as f64",
        "(x as u8 + 1) as f64",
        "f64::from(x as f32 as i32)",
        "[1.0, 2.0, 3.0][x as usize]",
    ];
    for body in bodies {
        assert_eq!(of_float(body), "[0]", "{body}");
    }
}

#[test]
fn powers_depend_on_base_and_exponent_and_on_no_literal() {
    for body in [
        "x.powf(2.0 / 3.0)",
        "(2.0f64 / 3.0).powf(x)",
        "x.powf(std::f64::consts::E)",
        "std::f64::consts::E.powf(x)",
        "x.powi(3)",
        "x.exp2()",
    ] {
        assert_eq!(of_float(body), "[1]", "{body}");
    }
    for body in ["let _ = x; 0f64.powf(2.0 / 3.0)", "let _ = x; (2.0f64 / 3.0).powf(0.0)"] {
        assert_eq!(of_float(body), "[0]", "{body}");
    }
}

#[test]
fn differences_written_into_a_slice_are_bidiagonal() {
    let source = "pub fn f(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() { y[i] = x[i + 1] - x[i]; }
    }";
    let program = Program::new(source);
    let args = vec![array(&points(5)), array(&[0.0; 4])];
    let detector = program.detector().with_respect_to([0]);
    let pattern = program.jacobian_by(&detector, args).expect("it has a pattern");
    assert_eq!(pattern.to_string(), "[1 1 0 0 0; 0 1 1 0 0; 0 0 1 1 0; 0 0 0 1 1]");
    // The previous value of a parameter is an input too, and is overwritten.
    let both = global(source, vec![array(&points(3)), array(&[0.0; 2])]);
    assert_eq!(both, "[1 1 0 0 0; 0 1 1 0 0]");
}

#[test]
fn clamps_and_fused_products_depend_on_all_their_operands() {
    assert_eq!(of_slice(3, "vec![x[0].clamp(x[1].min(x[2]), x[1].max(x[2]))]"), "[1 1 1]");
    let clamp = "pub fn f(x: f64, a: f64, b: f64) -> f64 { x.clamp(a, b) }";
    assert_eq!(global(clamp, vec![Value::F64(1.5), Value::F64(1.0), Value::F64(2.0)]), "[1 1 1]");
    assert_eq!(of_slice(3, "vec![x[0].mul_add(x[1], x[2])]"), "[1 1 1]");
    assert_eq!(of_slice(2, "vec![x[0].mul_add(x[1], 1.0)]"), "[1 1]");
}

#[test]
fn products_of_parts_leave_out_the_rest() {
    let body = "let (a, b) = (&x[0..2], &x[3..5]); vec![a.iter().zip(b).map(|(a, b)| a * b).sum()]";
    assert_eq!(of_slice(5, body), "[1 1 0 1 1]");
}

#[test]
fn branches_are_united_and_conditions_make_no_entry() {
    assert_eq!(of_slice(4, "vec![if x[1] < x[2] { x[0] + x[1] } else { x[2] * x[3] }]"), "[1 1 1 1]");
    assert_eq!(of_slice(4, "vec![if x[1] < x[2] { x[0] + x[1] } else { 1.0 }]"), "[1 1 0 0]");
    assert_eq!(of_slice(4, "vec![if x[1] < x[2] { 0.0 } else { x[2] * x[3] }]"), "[0 0 1 1]");
}

#[test]
fn a_path_that_no_input_takes_makes_no_entry() {
    assert_eq!(of_slice(2, "const ON: bool = false; vec![if ON { x[0] } else { x[1] }]"), "[0 1]");
    assert_eq!(of_slice(2, "vec![if x.len() > 2 { x[0] } else { x[1] }]"), "[0 1]");
}

#[test]
fn nested_branches_are_united_once_each() {
    let body = "let mut y = vec![0.0; x.len()];
        for i in 0..x.len() { if x[i] > 1.5 { y[i] = x[i]; } else { y[i] = x[(i + 1) % x.len()]; } }
        y";
    // Analysed path by path, these branches would be 2 to the 24.
    let next = |row: usize, col: usize| row == col || (row + 1) % 24 == col;
    assert_eq!(of_slice(24, body), square(24, next));
    let nested = "let mut y = 0.0;
        if x[0] > 1.2 { if x[1] > 1.2 { y += x[0]; } else { y += x[1]; } }
        else if x[2] > 1.2 { y += x[2]; } else { y += 1.0; }
        vec![y, x[3]]";
    assert_eq!(of_slice(4, nested), "[1 1 1 0; 0 0 0 1]");
}

#[test]
fn loops_run_to_a_fixed_point() {
    let rotated = "let (mut a, mut b, mut c) = (x[0], x[1], x[2]);
        while a < 100.0 { let d = a + 1.0; a = b + 1.0; b = c + 1.0; c = d; }
        vec![a, x[3]]";
    assert_eq!(of_slice(4, rotated), "[1 1 1 0; 0 0 0 1]");
    let halved = "let mut t = x[0]; let mut s = 0.0; while t > 0.1 { s += t * x[1]; t *= 0.5; } vec![s, t]";
    assert_eq!(of_slice(2, halved), "[1 1; 1 0]");
}

#[test]
fn loops_that_end_early_unite_their_ends() {
    let first =
        "for (i, v) in x.iter().enumerate() { if *v > 1.5 { return vec![*v, i as f64]; } } vec![0.0, -1.0]";
    assert_eq!(of_slice(3, first), "[1 1 1; 0 0 0]");
    let broken = "let mut s = 0.0; for v in &x[..3] { if *v > 1.6 { break; } if *v < 1.2 { continue; } s += v; } vec![s, x[3]]";
    assert_eq!(of_slice(4, broken), "[1 1 1 0; 0 0 0 1]");
    let valued =
        "let mut k = 1.0; let y = loop { k += 1.0; if x[0] * k > 10.0 { break x[1] * k; } }; vec![y]";
    assert_eq!(of_slice(2, valued), "[0 1]");
}

#[test]
fn arguments_held_fixed_are_no_inputs() {
    let program = Program::new("pub fn f(a: f64, x: &[f64], b: f64) -> f64 { a * x[0] + b * x[1] }");
    let args = vec![Value::F64(2.0), array(&[1.0, 2.0]), Value::F64(3.0)];
    for (wrt, expected) in
        [(vec![0], "[1]"), (vec![1], "[1 1]"), (vec![0, 2], "[1 1]"), (vec![2, 1], "[1 1 1]")]
    {
        let detector = program.detector().with_respect_to(wrt.clone());
        let pattern = program.jacobian_by(&detector, args.clone()).expect("it has a pattern");
        assert_eq!(pattern.to_string(), expected, "{wrt:?}");
    }
    let none = program.jacobian_by(&program.detector().with_respect_to([]), args);
    assert_eq!(none, Err(DetectError::NoInputs));
}

#[test]
fn the_laplacian_of_ten_points_has_28_entries() {
    let source = "pub fn f(x: &[f64]) -> Vec<f64> {
        let n = x.len();
        (0..n).map(|i| {
            let left = if i > 0 { x[i - 1] } else { 0.0 };
            let right = if i + 1 < n { x[i + 1] } else { 0.0 };
            left - 2.0 * x[i] + right
        }).collect()
    }";
    assert_eq!(global(source, generic(10)), square(10, |row, col| row.abs_diff(col) <= 1));
    assert_eq!(Program::new(source).jacobian(generic(10)).map(|pattern| pattern.len()), Ok(28));
}

#[test]
fn products_with_stored_matrices_are_as_sparse_as_they() {
    let dense = "const A: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        A.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()";
    assert_eq!(of_slice(3, dense), "[1 1 1; 1 1 1]");
    // The matrix [1 0 2; 0 3 0; 0 0 4] by rows.
    let sparse = "let (offsets, columns, entries) = ([0, 2, 3, 4], [0, 2, 1, 2], [1.0, 2.0, 3.0, 4.0]);
        (0..3).map(|row| (offsets[row]..offsets[row + 1]).map(|k| entries[k] * x[columns[k]]).sum()).collect()";
    assert_eq!(of_slice(3, sparse), "[1 0 1; 0 1 0; 0 0 1]");
}

#[test]
fn the_brusselator_has_six_entries_in_each_row() {
    let source = "pub fn f(u: &[f64]) -> Vec<f64> {
        let n = 6;
        let at = |species: usize, i: usize, j: usize| species * n * n + (i % n) * n + j % n;
        let mut du = vec![0.0; u.len()];
        for i in 0..n { for j in 0..n {
            let (a, b) = (u[at(0, i, j)], u[at(1, i, j)]);
            let flow = |s: usize| 10.0 * (u[at(s, i + n - 1, j)] + u[at(s, i + 1, j)] + u[at(s, i, j + n - 1)]
                + u[at(s, i, j + 1)] - 4.0 * u[at(s, i, j)]);
            du[at(0, i, j)] = flow(0) + 1.0 + a * a * b - 4.4 * a;
            du[at(1, i, j)] = flow(1) + 3.4 * a - a * a * b;
        } }
        du
    }";
    let pattern = Program::new(source).jacobian(generic(72)).expect("it has a pattern");
    assert_eq!((pattern.rows(), pattern.cols(), pattern.len()), (72, 72, 432));
    assert!(pattern.is_symmetric() && (0..72).all(|row| pattern.row(row).len() == 6));
    let coloring = GreedyColoring::new().orders([Order::Natural]).color(&pattern, ColoringKind::Column);
    assert_eq!(coloring.map(|coloring| coloring.len()), Ok(9));
}

#[test]
fn numbers_drawn_by_a_generator_are_constants() {
    let source = "struct Generator(u64);
        impl Generator {
            fn next(&mut self) -> f64 {
                self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (self.0 >> 11) as f64 / (1u64 << 53) as f64
            }
        }
        pub fn f(x: &[f64]) -> Vec<f64> {
            let mut generator = Generator(x[0].to_bits());
            vec![generator.next(), generator.next() * x[1]]
        }";
    let pattern = Program::new(source).jacobian(generic(2)).expect("it has a pattern");
    assert!(pattern.to_string() == "[0 0; 0 1]" || pattern.to_string() == "[1 0; 1 1]", "{pattern}");
    let seeded = source.replace("x[0].to_bits()", "7");
    assert_eq!(global(&seeded, generic(2)), "[0 0; 0 1]");
}
