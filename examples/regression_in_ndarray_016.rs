//! Can a model that is written with ndarray 0.16 be differentiated by its arrays?
//!
//! Many crates still use that version, beside which others use 0.17. Nothing is annotated: `source!(crate)` lets overdub see
//! into this file. Derivatives have the types of the arguments; they are compared with formulas and with differences.

use ndarray_016::{Array1, Array2, ArrayView1, Axis, array};
use overdub::ad::hvp;
use overdub::prelude::*;

overdub::source!(crate);

/// The loss of ridge regression.
fn ridge(design: &Array2<f64>, weights: &Array1<f64>, y: ArrayView1<f64>, penalty: f64) -> f64 {
    let residual = design.dot(weights) - y;
    residual.dot(&residual) + penalty * weights.dot(weights)
}

/// The sum of the cross entropies of scores, one row for each observation, and classes.
fn cross_entropy(scores: &Array2<f64>, classes: &[usize]) -> f64 {
    let rows = scores.axis_iter(Axis(0)).zip(classes);
    rows.map(|(row, class)| row.mapv(f64::exp).sum().ln() - row[*class]).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let design = array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0], [1.0, 3.0]];
    let (weights, y) = (array![0.5, 1.5], array![0.9, 3.2, 4.8, 7.1]);
    let (loss, (ddesign, dweights, ..)) = value_and_gradient(ridge, (&design, &weights, y.view(), 0.1))?;
    let residual = design.dot(&weights) - &y;
    let by_hand = 2.0 * (design.t().dot(&residual) + 0.1 * &weights);
    println!("ridge = {loss:.6}");
    println!("  by the weights {dweights:.6}, by hand {by_hand:.6}");
    assert!((&dweights - &by_hand).iter().all(|off| off.abs() < 1e-12));
    assert_eq!(ddesign.dim(), design.dim());

    let direction = array![1.0, -1.0];
    let tangents = (Array2::<f64>::zeros((4, 2)), direction.clone(), Array1::<f64>::zeros(4), 0.0);
    let (_, curved, ..) = hvp(ridge, (&design, &weights, y.view(), 0.1), tangents)?;
    let by_hand = 2.0 * (design.t().dot(&design.dot(&direction)) + 0.1 * &direction);
    println!("  the Hessian along {direction} {curved:.6}, by hand {by_hand:.6}");
    assert!((curved - by_hand).iter().all(|off| off.abs() < 1e-12));

    let (scores, classes) = (array![[0.2, -0.4, 1.0], [1.5, 0.3, -0.7]], [2, 0]);
    let (value, (dscores, _)) = value_and_gradient(cross_entropy, (&scores, &classes[..]))?;
    let step = 1e-6;
    let differences = Array2::from_shape_fn(scores.dim(), |place| {
        let at = |step: f64| {
            let mut moved = scores.clone();
            moved[place] += step;
            cross_entropy(&moved, &classes)
        };
        (at(step) - at(-step)) / (2.0 * step)
    });
    println!("cross entropy = {value:.6}");
    println!("  by the scores {:.6?}", dscores.as_slice());
    println!("  by differences {:.6?}", differences.as_slice());
    assert!((dscores - differences).iter().all(|off| off.abs() < 1e-8));
    Ok(())
}
