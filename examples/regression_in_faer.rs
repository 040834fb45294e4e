//! Which penalty makes fitted weights predict best, if the model solves its equations by faer?
//!
//! Weights are fitted to one half of some observations by faer's Cholesky factorisation; their error on the other half depends
//! on the penalty. Nothing is annotated: `source!(crate)` lets overdub see into this file and into faer. Derivatives are
//! matrices and columns of faer; they are compared with differences, and Newton's method follows them.

use faer::linalg::solvers::Solve;
use faer::{Col, ColRef, Mat, MatRef, Side};
use overdub::ad::prepare;
use overdub::prelude::*;

overdub::source!(crate);

/// The weights of ridge regression.
fn weights(design: MatRef<'_, f64>, y: ColRef<'_, f64>, penalty: f64) -> Col<f64> {
    let mut normal = design.transpose() * design;
    for k in 0..design.ncols() {
        normal[(k, k)] += penalty;
    }
    let right = design.transpose() * y;
    normal.llt(Side::Lower).expect("a penalty makes it positive definite").solve(&right)
}

/// The mean square error, on the last half of the observations, of weights that were fitted to the first one.
fn error_of_prediction(design: &Mat<f64>, y: &Col<f64>, penalty: f64) -> f64 {
    let fitted = design.nrows() / 2;
    let (train, held_back) = design.split_at_row(fitted);
    let residual = held_back * weights(train, y.subrows(0, fitted), penalty) - y.subrows(fitted, fitted);
    residual.squared_norm_l2() / fitted as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let at = |i: usize| i as f64 / 4.0;
    let design = Mat::from_fn(8, 2, |i, power| at(i).powi(power as i32));
    let noise = [-0.3, -0.1, 0.1, 0.3, -0.1, 0.1, -0.05, 0.1];
    let y = Col::from_fn(8, |i| 1.0 + 2.0 * at(i) + noise[i]);

    let (error, (ddesign, dy, dpenalty)) = value_and_gradient(error_of_prediction, (&design, &y, 0.03))?;
    println!("error = {error:.6}");
    let step = 1e-6;
    let difference = |at: &dyn Fn(f64) -> f64| (at(step) - at(-step)) / (2.0 * step);
    let by_penalty = difference(&|step| error_of_prediction(&design, &y, 0.03 + step));
    println!("  by the penalty {dpenalty:.6}, by differences {by_penalty:.6}");
    assert!((dpenalty - by_penalty).abs() < 1e-8);
    let by_y = Col::from_fn(8, |i| {
        difference(&|step| {
            let mut moved = y.clone();
            moved[i] += step;
            error_of_prediction(&design, &moved, 0.03)
        })
    });
    println!("  by the observations {:.6?}", dy.iter().collect::<Vec<_>>());
    assert!((dy - by_y).norm_max() < 1e-8);
    let by_design = Mat::from_fn(8, 2, |i, k| {
        difference(&|step| {
            let mut moved = design.clone();
            moved[(i, k)] += step;
            error_of_prediction(&moved, &y, 0.03)
        })
    });
    assert!((ddesign - by_design).norm_max() < 1e-8);

    // Newton's method: derivatives by the penalty alone, whose logarithm is the variable.
    fn in_logarithm(design: &Mat<f64>, y: &Col<f64>, logarithm: f64) -> f64 {
        error_of_prediction(design, y, logarithm.exp())
    }
    let by_logarithm = prepare(in_logarithm).with_respect_to(["logarithm"]);
    let along = (Mat::<f64>::zeros(8, 2), Col::<f64>::zeros(8), 1.0);
    let mut logarithm = 0.03_f64.ln();
    for _ in 0..8 {
        let (.., slope) = by_logarithm.gradient((&design, &y, logarithm))?;
        let (.., curvature) = by_logarithm.hvp((&design, &y, logarithm), along.clone())?;
        logarithm -= slope / curvature.abs();
    }
    let best = error_of_prediction(&design, &y, logarithm.exp());
    println!("the best penalty is {:.6}, with the error {best:.6}", logarithm.exp());
    assert!(best < error && by_logarithm.gradient((&design, &y, logarithm))?.2.abs() < 1e-9);
    Ok(())
}
