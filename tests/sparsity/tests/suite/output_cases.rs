//! Matrices converted for other crates: products and solutions equal the dense ones, with threads too.

use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_sparsity::{ColoringKind, Detector, SparseDerivative, SparseMatrix, color};

/// A band of half-width 5, which needs more colors than one sweep computes.
const SOURCE: &str = "pub fn f(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (i.saturating_sub(5)..n.min(i + 6)).map(|j| (x[i] * x[j]).sin() + x[j]).sum()).collect()
}";

fn prepared() -> (SparseDerivative, [Value<'static>; 1], SparseMatrix) {
    colored(ColoringKind::Column)
}

fn colored(kind: ColoringKind) -> (SparseDerivative, [Value<'static>; 1], SparseMatrix) {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("the source is valid");
    let (engine, func) = (loaded.engine(), loaded.function("f").expect("it is there").symbol);
    let args = [Value::floats((0..40).map(|i| (f64::from(i) * 0.7).sin()).collect::<Vec<_>>())];
    let detector = Detector::new(&engine);
    let pattern = detector.jacobian(func, args.to_vec()).expect("it has a pattern");
    let coloring = color(&pattern, kind).expect("it has a coloring");
    let made = SparseDerivative::with_coloring(&detector, func, &args, None, pattern, coloring);
    let made = made.expect("it has a Jacobian");
    let matrix = made.evaluate(&args).expect("it has values");
    (made, args, matrix)
}

#[test]
fn there_are_more_colors_than_one_sweep_takes() {
    let (made, _, matrix) = prepared();
    assert_eq!(made.coloring().len(), 11);
    assert_eq!(matrix.pattern().len(), 40 * 11 - 30);
}

#[cfg(feature = "sprs")]
#[test]
fn rows_and_columns_of_sprs_multiply_as_the_matrix_does() {
    let (_, _, matrix) = prepared();
    let x: Vec<f64> = (0..40).map(|i| 1.0 / f64::from(i + 1)).collect();
    let expected = matrix.product(&x);
    let (rows, columns) = (matrix.as_sprs(), matrix.to_sprs_columns());
    assert!(rows.is_csr() && columns.is_csc());
    assert_eq!(rows.indices().as_ptr(), matrix.pattern().columns().as_ptr());
    let dense = ndarray::Array1::from(x);
    for found in [&rows * &dense, &columns * &dense] {
        assert!(found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-14));
    }
}

#[cfg(feature = "faer")]
#[test]
fn faer_solves_with_the_matrix() {
    use overdub_sparsity::faer::Col;
    use overdub_sparsity::faer::linalg::solvers::Solve;

    let (_, _, matrix) = prepared();
    let x: Vec<f64> = (0..40).map(|i| 1.0 / f64::from(i + 1)).collect();
    let b = matrix.product(&x);
    let columns = matrix.to_faer_columns();
    let found = columns.sp_lu().expect("it is not singular").solve(&Col::from_fn(40, |i| b[i]));
    assert!((0..40).all(|i| (found[i] - x[i]).abs() < 1e-10));
    let rows = matrix.to_faer();
    assert!(matrix.pattern().entries().zip(matrix.values()).all(|((row, col), value)| {
        rows.get(row, col) == Some(value) && columns.get(row, col) == Some(value)
    }));
}

#[cfg(feature = "rayon")]
#[test]
fn sweeps_on_threads_give_the_same_to_the_bit() {
    let kinds = [ColoringKind::Column, ColoringKind::Row];
    for (derivative, args, matrix) in kinds.into_iter().cycle().take(20).map(colored) {
        let mut values = vec![0.0; matrix.values().len()];
        derivative.evaluate_in_parallel(&args, &mut values).expect("it has values");
        assert_eq!(values, matrix.values());
    }
}
