//! Can a function of a crate that knows nothing of overdub be differentiated?
//!
//! `source!(crate)` lets overdub see into this file and the crates that its package depends on, without
//! annotations. The gradients of four functions of `argmin_testfunctions` are compared with its authors'
//! hand-written derivatives, and so are those of a model of our own that calls one of them.

use argmin_testfunctions::{
    ackley, ackley_derivative, rastrigin, rastrigin_derivative, rosenbrock, rosenbrock_derivative,
    styblinski_tang, styblinski_tang_derivative,
};
use overdub::prelude::*;

overdub::source!(crate);

/// The test function at points whose distance grows with every coordinate.
fn stretched(x: &[f64], by: f64) -> f64 {
    let x: Vec<f64> = x.iter().zip(0..).map(|(x, k)| x * by.powi(k)).collect();
    rosenbrock(&x)
}

fn compare(name: &str, y: f64, ours: &[f64], theirs: &[f64]) {
    println!("{name} = {y:.9}");
    for (ours, theirs) in ours.iter().zip(theirs) {
        println!("  {ours:.9}, by the authors {theirs:.9}");
        assert!((ours - theirs).abs() < 1e-9 * (1.0 + theirs.abs()));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = [1.2, -0.7, 0.4];
    let (y, (dx,)) = value_and_gradient(rosenbrock::<f64>, (&x[..],))?;
    compare("rosenbrock", y, &dx, &rosenbrock_derivative(&x));
    let (y, (dx,)) = value_and_gradient(ackley::<f64>, (&x[..],))?;
    compare("ackley", y, &dx, &ackley_derivative(&x));
    let (y, (dx,)) = value_and_gradient(rastrigin::<f64>, (&x[..],))?;
    compare("rastrigin", y, &dx, &rastrigin_derivative(&x));
    let (y, (dx,)) = value_and_gradient(styblinski_tang::<f64>, (&x[..],))?;
    compare("styblinski_tang", y, &dx, &styblinski_tang_derivative(&x));

    let (y, (dx, dby)) = value_and_gradient(stretched, (&x[..], 1.0))?;
    compare("stretched by 1", y, &dx, &rosenbrock_derivative(&x));
    println!("  {dby:.9} in the stretch");
    Ok(())
}
