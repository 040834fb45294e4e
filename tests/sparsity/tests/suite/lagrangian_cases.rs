//! Hessians of Lagrangians against dense Hessians of the weighted sum, written as a function of its own.

use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_sparsity::{Detector, SparseDerivative, SparseError};

const SOURCE: &str = "
pub fn both(x: &[f64], scale: f64, g: &mut [f64]) -> f64 {
    for i in 0..g.len() { g[i] = x[i] * x[i + 1] - (scale * x[i]).exp(); }
    x.windows(2).map(|w| (w[1] - w[0] * w[0]).powi(2)).sum()
}
pub fn weighted(x: &[f64], scale: f64, w: &[f64]) -> f64 {
    let mut g = vec![0.0; w.len() - 1];
    let f = both(x, scale, &mut g);
    w[0] * f + g.iter().zip(&w[1..]).map(|(g, w)| g * w).sum::<f64>()
}
pub fn hidden(x: &[f64]) -> (f64, f64) {
    let table: [fn(f64) -> f64; 2] = [f64::sin, f64::exp];
    let at = usize::from(x[0] > 0.0);
    (table[at](x[0] * x[1]), x[1] * x[1])
}";

fn floats(x: &[f64]) -> Value<'static> {
    Value::floats(x.to_vec())
}

#[test]
fn the_hessian_of_a_weighted_sum_is_the_dense_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("the source is valid");
    let engine = loaded.engine();
    let x = [0.3, -0.7, 1.1, 0.4, 0.9];
    let args = [floats(&x), Value::F64(0.6), floats(&[0.0; 4])];
    let both = loaded.function("both").expect("it is there").symbol;
    let detector = Detector::new(&engine).with_respect_to([0]);
    let derivative =
        SparseDerivative::lagrangian_hessian(&detector, both, args.to_vec()).expect("it has one");
    assert_eq!(derivative.pattern().to_string(), "[1 1 0 0 0; 1 1 1 0 0; 0 1 1 1 0; 0 0 1 1 1; 0 0 0 1 1]");
    for weights in [[1.0, 0.0, 0.0, 0.0, 0.0], [0.5, -2.0, 3.0, 0.0, 1.5]] {
        let weighted = loaded.function("weighted").expect("it is there");
        let dense_args = vec![floats(&x), Value::F64(0.6), floats(&weights)];
        let dense = overdub_ad::hessian(&engine, weighted.symbol, dense_args, weighted.ir_ret);
        let dense = dense.expect("it has a Hessian").rows;
        let sparse = derivative.evaluate_weighted(&args, &weights).expect("it has values").to_dense();
        for (row, sparse) in sparse.iter().enumerate() {
            for (col, entry) in sparse.iter().enumerate() {
                let expected = dense[row][col];
                assert!((entry - expected).abs() <= 1e-12 * expected.abs().max(1.0), "({row}, {col})");
            }
        }
    }
    let misses = derivative.evaluate_weighted(&args, &[1.0]);
    assert_eq!(misses, Err(SparseError::Weights { got: 1, expected: 5 }));
    assert_eq!(derivative.evaluate(&args), Err(SparseError::Weights { got: 0, expected: 5 }));
}

#[test]
fn what_is_not_transformed_is_recorded() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("the source is valid");
    let engine = loaded.engine();
    let hidden = loaded.function("hidden").expect("it is there").symbol;
    let (x, y) = (0.4_f64, 0.7_f64);
    let args = [floats(&[x, y])];
    let made = SparseDerivative::lagrangian_hessian(&Detector::new(&engine), hidden, args.to_vec());
    let found = made.and_then(|made| made.evaluate_weighted(&args, &[2.0, 3.0])).expect("it has values");
    let e = (x * y).exp();
    let expected =
        [[2.0 * y * y * e, 2.0 * (1.0 + x * y) * e], [2.0 * (1.0 + x * y) * e, 2.0 * x * x * e + 6.0]];
    for (found, expected) in found.to_dense().iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() <= 1e-13 * expected.abs(), "{found} instead of {expected}");
    }
}
