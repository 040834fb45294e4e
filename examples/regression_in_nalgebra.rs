//! Can a model that is written with nalgebra be differentiated by its matrices?
//!
//! Nothing is annotated: `source!(crate)` lets overdub see into this file and into nalgebra. Derivatives have
//! the types of the arguments, for sizes known to the compiler and for others; they are compared with formulas
//! and with differences.

use nalgebra::{DMatrix, DVector, Matrix2, Point2, Vector2};
use overdub::prelude::*;

overdub::source!(crate);

/// The loss of ridge regression.
fn ridge(design: &DMatrix<f64>, weights: &DVector<f64>, y: &DVector<f64>, penalty: f64) -> f64 {
    (design * weights - y).norm_squared() + penalty * weights.norm_squared()
}

/// The logarithm of a normal density, up to a constant.
fn log_density(x: Point2<f64>, mean: Point2<f64>, covariance: &Matrix2<f64>) -> f64 {
    let from_mean: Vector2<f64> = x - mean;
    let precision = covariance.try_inverse().expect("a covariance is invertible");
    -0.5 * (from_mean.dot(&(precision * from_mean)) + covariance.determinant().ln())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let design = DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
    let y = DVector::from_column_slice(&[0.9, 3.2, 4.8, 7.1]);
    let weights = DVector::from_column_slice(&[0.5, 1.5]);
    let (loss, (ddesign, dweights, ..)) = value_and_gradient(ridge, (&design, &weights, &y, 0.1))?;
    let residual = &design * &weights - &y;
    let by_hand = 2.0 * (design.transpose() * &residual + 0.1 * &weights);
    println!("ridge = {loss:.6}");
    println!("  by the weights {:.6?}, by hand {:.6?}", dweights.as_slice(), by_hand.as_slice());
    assert!((dweights - by_hand).amax() < 1e-12);
    assert!((ddesign - 2.0 * &residual * weights.transpose()).amax() < 1e-12);

    let (x, mean) = (Point2::new(1.0, -0.5), Point2::new(0.2, 0.1));
    let covariance = Matrix2::new(1.5, 0.3, 0.3, 0.8);
    let (value, (.., dcovariance)) = value_and_gradient(log_density, (x, mean, &covariance))?;
    let step = 1e-6;
    let differences = Matrix2::from_fn(|row, column| {
        let at = |step: f64| {
            let mut moved = covariance;
            moved[(row, column)] += step;
            log_density(x, mean, &moved)
        };
        (at(step) - at(-step)) / (2.0 * step)
    });
    println!("log density = {value:.6}");
    println!("  by the covariance {:.6?}", dcovariance.as_slice());
    println!("  by differences    {:.6?}", differences.as_slice());
    assert!((dcovariance - differences).amax() < 1e-8);
    Ok(())
}
