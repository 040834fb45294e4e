//! Fits a damped wave to measurements by conjugate gradients: the gradient and the curvature along a direction are
//! functions that the build script wrote.

use exported_derivatives::derivatives::{curvature, misfit_value_and_gradient};
use exported_derivatives::model::Wave;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn main() {
    let truth = Wave { height: 2.0, decay: 0.3, frequency: 3.0 };
    let times: Vec<f64> = (0..60).map(|number| f64::from(number) * 0.05).collect();
    let values: Vec<f64> = times.iter().map(|&time| truth.at(time)).collect();
    let mut wave = Wave { height: 1.5, decay: 0.1, frequency: 2.8 };
    let (mut direction, mut before) = ([0.0; 3], f64::INFINITY);
    for round in 0.. {
        let (misfit, dwave) = misfit_value_and_gradient(wave, &times, &values);
        let gradient = <[f64; 3]>::from(dwave);
        let square = dot(gradient, gradient);
        if square < 1e-20 {
            println!("after {round} rounds: misfit {misfit:.0e}, {wave:.4?}");
            return;
        }
        for (along, slope) in direction.iter_mut().zip(gradient) {
            *along = *along * square / before - slope;
        }
        before = square;
        let bent = <[f64; 3]>::from(curvature(wave, &times, &values, direction.into()));
        let step = -dot(gradient, direction) / dot(direction, bent).abs();
        wave.height += step * direction[0];
        wave.decay += step * direction[1];
        wave.frequency += step * direction[2];
    }
}
