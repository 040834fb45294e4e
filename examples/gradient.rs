//! What is the gradient of a Rust function with loops, branches and mutation?
//!
//! Value and gradient in one call, the pullback as a closure, and gradient descent.

use overdub::ad::{gradient, prepare, value_and_gradient};
use overdub::prelude::*;

#[dub]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.windows(2) {
        sum += 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2);
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = [-1.0, 2.0, 0.5];
    let (dx,) = gradient(rosenbrock, (&x[..],))?;
    println!("the gradient at {x:?} is {dx:?}");

    let (y, pullback) = overdub(ADCtx, rosenbrock, (&x[..],))?;
    println!("the value there is {y}; half a step of it comes back as {:?}", pullback.call(0.5)?.0);

    // Looked up once, called often.
    let prepared = prepare(rosenbrock);
    let mut x = [-1.0_f64, 2.0, 0.5];
    for _ in 0..2_000 {
        let (dx,) = prepared.gradient((&x[..],))?;
        let length = dx.iter().map(|d| d * d).sum::<f64>().sqrt();
        x.iter_mut().zip(&dx).for_each(|(x, d)| *x -= 1e-3 * d / (1.0 + 1e-2 * length));
    }
    let (y, _) = value_and_gradient(rosenbrock, (&x[..],))?;
    println!("2000 steps down the value is {y:.4}");
    Ok(())
}
