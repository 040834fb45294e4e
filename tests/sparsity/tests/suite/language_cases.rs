//! Patterns of Rust constructs: structs, enums, closures, recursion, cells, arrays; and what is refused.

use crate::detection_support::{Program, array, generic, global, points, refusal};
use overdub_context::value::{Array, Value};
use overdub_sparsity::DetectError;

/// A function of one slice with `n` inputs that returns `body`.
fn of_slice(n: usize, body: &str) -> String {
    global(&format!("pub fn f(x: &[f64]) -> Vec<f64> {{ {body} }}"), generic(n))
}

#[test]
fn elementwise_arithmetic_and_copies_in_place_are_exact() {
    assert_eq!(of_slice(3, "x.iter().map(|v| v * 2.0 + v.sin()).collect()"), "[1 0 0; 0 1 0; 0 0 1]");
    assert_eq!(of_slice(3, "let mut y = x.to_vec(); y.swap(0, 2); y.reverse(); y"), "[1 0 0; 0 1 0; 0 0 1]");
    assert_eq!(of_slice(3, "let mut y = x.to_vec(); y.rotate_left(1); y"), "[0 1 0; 0 0 1; 1 0 0]");
    let copied = "let mut y = vec![0.0; 4]; y[1..3].copy_from_slice(&x[1..]); y[0] = y[2]; y";
    assert_eq!(of_slice(3, copied), "[0 0 1; 0 1 0; 0 0 1; 0 0 0]");
    let filled = "let mut y = x.to_vec(); y[..2].fill(x[2]); y.extend_from_slice(&x[..1]); y";
    assert_eq!(of_slice(3, filled), "[0 0 1; 0 0 1; 0 0 1; 1 0 0]");
}

#[test]
fn structs_and_nested_arrays_are_inputs_and_outputs() {
    let source = "
        pub struct State { pub place: [f64; 2], pub speed: (f64, f64), pub steps: u32 }
        pub fn f(grid: &[Vec<f64>]) -> (State, Vec<Vec<f64>>) {
            let state = State { place: [grid[0][0], grid[1][1]], speed: (grid[0][1] * grid[1][0], 1.0), steps: 3 };
            (state, vec![vec![grid[0][0]], vec![grid[1][0], grid[1][1]]])
        }";
    let row = |a: f64, b: f64| array(&[a, b]);
    let rows = vec![row(1.0, 2.0), row(3.0, 4.0)];
    let ty = rows[0].ty();
    let grid = Value::from(Array::from_values(ty, rows).expect("the rows are of this type"));
    assert_eq!(global(source, vec![grid]), "[1 0 0 0; 0 0 0 1; 0 1 1 0; 0 0 0 0; 1 0 0 0; 0 0 1 0; 0 0 0 1]");
}

#[test]
fn structs_are_inputs() {
    let source = "
        pub struct Body { pub mass: f64, pub name: u8, pub place: [f64; 2] }
        pub fn f(body: &Body, others: (f64, f64)) -> [f64; 2] {
            [body.mass * body.place[0], body.place[1] - others.1]
        }";
    let program = Program::new(source);
    let ty = program.f().params[0].ir_ty;
    let parts = [Value::F64(2.0), Value::from(7u8), array(&[1.0, 3.0])].into_iter().collect();
    let composite = overdub_context::value::Composite { ty: Some(ty), tag: 0, parts };
    let body = Value::Composite(std::sync::Arc::new(composite));
    let others = Value::tuple([Value::F64(1.5), Value::F64(0.5)]);
    assert_eq!(global(source, vec![body, others]), "[1 1 0 0 0; 0 0 1 0 1]");
}

#[test]
fn methods_and_enums_in_the_state_are_followed() {
    let source = "
        #[derive(Clone, Copy)]
        enum Phase { Solid { heat: f64 }, Liquid(f64, f64), Gone }
        impl Phase {
            fn next(self, x: &[f64]) -> Phase {
                match self {
                    Phase::Solid { heat } if heat > 1.5 => Phase::Liquid(heat * x[1], x[2]),
                    Phase::Solid { heat } => Phase::Solid { heat: heat + 0.5 },
                    Phase::Liquid(a, _) if a > 1e3 => Phase::Gone,
                    liquid => liquid,
                }
            }
            fn energy(&self) -> f64 {
                match self { Phase::Solid { heat } => *heat, Phase::Liquid(a, b) => a + b, Phase::Gone => 0.0 }
            }
        }
        pub fn f(x: &[f64]) -> Vec<f64> {
            let mut phase = Phase::Solid { heat: x[0] };
            for _ in 0..3 { phase = phase.next(x); }
            let is_liquid = matches!(phase, Phase::Liquid(..));
            vec![phase.energy(), f64::from(u8::from(is_liquid)), x[3]]
        }";
    assert_eq!(global(source, generic(4)), "[1 1 1 0; 0 0 0 0; 0 0 0 1]");
}

#[test]
fn closures_recursion_and_chains_of_iterators_are_followed() {
    let scaled = "let k = x[0]; let scale = |v: &f64| k * v; x[1..].iter().map(scale).collect()";
    assert_eq!(of_slice(3, scaled), "[1 1 0; 1 0 1]");
    let boxed = "let by: Box<dyn Fn(f64) -> f64> = if x[0] > 1.5 { let a = x[1]; Box::new(move |v| v + a) }
        else { Box::new(|v| v * 2.0) }; vec![by(x[2])]";
    assert_eq!(of_slice(3, boxed), "[0 1 1]");
    let chained =
        "x.iter().zip(x.iter().skip(1)).filter(|_| true).map(|(a, b)| a * b).rev().take(2).collect()";
    assert_eq!(of_slice(4, chained), "[0 0 1 1; 0 1 1 0]");
    let scanned = "x.iter().scan(0.0, |s, v| { *s += v; Some(*s) }).collect()";
    assert_eq!(of_slice(3, scanned), "[1 0 0; 1 1 0; 1 1 1]");
    let chunks = "x.chunks(2).map(|c| c.iter().product::<f64>()).chain([x[0]]).collect()";
    assert_eq!(of_slice(4, chunks), "[1 1 0 0; 0 0 1 1; 1 0 0 0]");
    let folded = "vec![x.iter().skip(1).step_by(2).fold(0.0, |s, v| s + v)]";
    assert_eq!(of_slice(4, folded), "[0 1 0 1]");
    let summed = "fn sum(x: &[f64]) -> f64 { match x { [] => 0.0, [a] => *a, _ => { let (l, r) = x.split_at(x.len() / 2); sum(l) + sum(r) } } }
        pub fn f(x: &[f64]) -> Vec<f64> { vec![sum(&x[..3]), sum(&x[2..])] }";
    assert_eq!(global(summed, generic(4)), "[1 1 1 0; 0 0 1 1]");
}

#[test]
fn recursion_that_inputs_end_reaches_a_fixed_point() {
    let source = "fn halve(v: f64, w: f64) -> f64 { if v < 0.1 { v } else { halve(v / 2.0, w) + w } }
        pub fn f(x: &[f64]) -> Vec<f64> { vec![halve(x[0], x[1]), x[2]] }";
    assert_eq!(global(source, generic(3)), "[1 1 0; 0 0 1]");
}

#[test]
fn sorting_puts_any_element_anywhere() {
    let sorted = "let mut y = x[..3].to_vec(); y.sort_by(|a, b| a.total_cmp(b)); y.push(x[3]); y";
    assert_eq!(of_slice(4, sorted), "[1 1 1 0; 1 1 1 0; 1 1 1 0; 0 0 0 1]");
    let greatest = "vec![x[..2].iter().copied().fold(f64::NEG_INFINITY, f64::max), x[2]]";
    assert_eq!(of_slice(3, greatest), "[1 1 0; 0 0 1]");
    let by = "let mut at: Vec<usize> = (0..3).collect(); at.sort_by(|a, b| x[*a].partial_cmp(&x[*b]).unwrap()); at.iter().map(|i| x[*i + 1]).collect()";
    // The bounds of an unknown index are not known.
    assert_eq!(of_slice(4, by), "[1 1 1 1; 1 1 1 1; 1 1 1 1]");
}

#[test]
fn cells_are_followed() {
    let cells = "use std::cell::{Cell, RefCell};
        pub fn f(x: &[f64]) -> Vec<f64> {
            let (total, last) = (RefCell::new(vec![0.0; 2]), Cell::new(0.0));
            let add = |i: usize, v: f64| { total.borrow_mut()[i] += v; last.set(v); };
            add(0, x[0]);
            add(1, x[1]);
            if x[0] > 1.5 { add(0, x[2]); }
            let total = total.into_inner();
            vec![total[0], total[1], last.get()]
        }";
    assert_eq!(global(cells, generic(3)), "[1 0 1; 0 1 0; 0 1 1]");
    let shared = "use std::{cell::RefCell, rc::Rc};
        pub fn f(x: &[f64]) -> Vec<f64> {
            let a = Rc::new(RefCell::new(x[0]));
            let b = a.clone();
            *b.borrow_mut() *= x[1];
            let seen = *a.borrow();
            vec![seen, x[2]]
        }";
    assert_eq!(global(shared, generic(3)), "[1 1 0; 0 0 1]");
}

#[test]
fn single_precision_is_followed() {
    let source = "pub fn f(x: &[f32], k: f64) -> Vec<f32> {
        x.windows(2).map(|w| (w[1] - w[0]) * k as f32).collect()
    }";
    let x = Value::from(Array::from_vec(vec![1.0f32, 2.5, 4.0]));
    let program = Program::new(source);
    let pattern = program.jacobian(vec![x, Value::F64(2.0)]).expect("it has a pattern");
    assert_eq!(pattern.to_string(), "[1 1 0 1; 0 1 1 1]");
}

#[test]
fn places_that_depend_on_inputs_may_be_any() {
    assert_eq!(of_slice(4, "vec![x[..3][x[3] as usize]]"), "[1 1 1 0]");
    assert_eq!(of_slice(3, "let mut y = vec![0.0; 3]; y[x[0] as usize] = x[1]; y"), "[0 1 0; 0 1 0; 0 1 0]");
    let kept = "let mut y = x.to_vec(); y[x[0] as usize % 3] = x[1]; y";
    assert_eq!(of_slice(3, kept), "[1 1 0; 0 1 0; 0 1 1]");
    let searched = "let i = x[..3].iter().position(|v| *v > 1.4).unwrap_or(0); vec![x[i + 1]]";
    // The bounds of an unknown index are not known.
    assert_eq!(of_slice(4, searched), "[1 1 1 1]");
}

#[test]
fn results_that_may_be_absent_are_those_at_the_arguments() {
    let optional = "pub fn f(x: &[f64]) -> Option<f64> { if x[0] > 1.01 { Some(x[1]) } else { None } }";
    assert_eq!(global(optional, generic(2)), "[0 1]");
    let questioned = "fn root(v: f64) -> Result<f64, String> { if v < 0.0 { Err(\"negative\".to_string()) } else { Ok(v.sqrt()) } }
        fn both(x: &[f64]) -> Result<f64, String> { Ok(root(x[0])? + root(x[1])?) }
        pub fn f(x: &[f64]) -> Vec<f64> { vec![both(x).unwrap_or(x[2]), x[3]] }";
    assert_eq!(global(questioned, generic(4)), "[1 1 1 0; 0 0 0 1]");
    let panics = "pub fn f(x: &[f64]) -> f64 { if x[0] < 0.0 { panic!(\"negative\") } x[1] }";
    assert_eq!(global(panics, generic(2)), "[0 1]");
}

#[test]
fn arrays_of_ndarray_are_followed() {
    let stencil = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> Array1<f64> { &x.slice(s![1..]) - &x.slice(s![..-1]) }";
    assert_eq!(global(stencil, generic(4)), "[1 1 0 0; 0 1 1 0; 0 0 1 1]");
    let product = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> Array1<f64> { let a = array![[1.0, 2.0, 0.5], [3.0, 4.0, 0.5]]; a.dot(x) + 1.0 }";
    assert_eq!(global(product, generic(3)), "[1 1 1; 1 1 1]");
    let mapped = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> Array1<f64> { let y = x.mapv(f64::sin); &y * x + x.sum() * 0.0 }";
    assert_eq!(global(mapped, generic(2)), "[1 0; 0 1]");
    let sums = "use ndarray::prelude::*;
        pub fn f(x: &Array2<f64>) -> Array1<f64> { x.sum_axis(Axis(0)) }";
    let flat = Array::from_vec(points(6)).reshape(&[2, 3]).expect("it has six elements");
    assert_eq!(global(sums, vec![Value::from(flat)]), "[1 0 0 1 0 0; 0 1 0 0 1 0; 0 0 1 0 0 1]");
    let written = "use ndarray::prelude::*;
        pub fn f(x: &Array1<f64>) -> Array2<f64> { let mut y = Array2::zeros((2, 2)); y[[0, 1]] = x[0]; y.row_mut(1).assign(x); y }";
    assert_eq!(global(written, generic(2)), "[0 0; 1 0; 1 0; 0 1]");
}

#[test]
fn factorisations_depend_on_every_element() {
    let source = |body: &str| {
        format!("use ndarray::prelude::*; use overdub::linalg; pub fn f(a: &Array2<f64>) -> {body}")
    };
    let a = Array::from_vec(vec![1.0, -1.0, 2.0, 2.0]).reshape(&[2, 2]).expect("it has four elements");
    for body in ["f64 { linalg::ln_det(a).unwrap() }", "f64 { linalg::det(a).unwrap() }"] {
        assert_eq!(global(&source(body), vec![Value::from(a.clone())]), "[1 1 1 1]", "{body}");
    }
    let solved = "Array1<f64> { linalg::solve(a, &array![1.0, 2.0]).unwrap() }";
    assert_eq!(global(&source(solved), vec![Value::from(a)]), "[1 1 1 1; 1 1 1 1]");
}

#[test]
fn a_result_without_a_float_is_an_error() {
    for body in ["x.to_bits() % 2 == 0", "x > 1.0", "()"] {
        let ty = if body == "()" { "()" } else { "bool" };
        let source = format!("pub fn f(x: f64) -> {ty} {{ let _ = x; {body} }}");
        assert_eq!(refusal(&source, vec![Value::F64(1.0)]), DetectError::NoOutputs, "{body}");
    }
    let classified = "pub fn f(x: f64) -> u8 { if x < 0.0 { 0 } else { 1 } }";
    assert_eq!(refusal(classified, vec![Value::F64(1.0)]), DetectError::NoOutputs);
}

#[test]
fn arguments_without_a_float_are_an_error() {
    let counted = "pub fn f(n: usize) -> f64 { n as f64 }";
    assert_eq!(refusal(counted, vec![Value::from(3usize)]), DetectError::NoInputs);
    assert_eq!(refusal("pub fn f() -> f64 { 1.0 }", vec![]), DetectError::NoInputs);
    assert_eq!(
        refusal("pub fn f(x: &[f64]) -> f64 { x.iter().sum() }", vec![array(&[])]),
        DetectError::NoInputs
    );
}

#[test]
fn a_result_of_a_length_that_inputs_decide_has_that_at_the_arguments() {
    // Any element that is kept may come from any input.
    let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.iter().copied().filter(|v| *v > 1.5).collect() }";
    assert_eq!(global(source, vec![array(&[1.0, 2.0, 3.0])]), "[1 1 1; 1 1 1]");
}

#[test]
fn a_failure_of_the_program_is_told() {
    let source = "pub fn f(x: &[f64]) -> f64 {\n    x[7]\n}";
    let error = refusal(source, generic(2));
    let failure = error.failure().unwrap_or_else(|| panic!("it is the program that fails: {error}"));
    assert_eq!(failure.report().span.line, 2, "{failure}");
}
