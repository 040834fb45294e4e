//! Is the derivative of a derivative right?
//!
//! Derivatives are ordinary functions: of any order, one inside another, in either mode.

use overdub::ad::{derivative, derivatives, gradient, hessian, hvp};
use overdub::prelude::*;

#[dub]
fn wave(x: f64) -> f64 {
    (2.0 * x).sin() * x
}

#[dub]
fn saddle(x: f64, y: f64) -> f64 {
    x * x * y - y.powi(3)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("wave and its derivatives at 0.5, the first by itself {:.9}", derivative(wave, 0.5)?);
    for (order, value) in derivatives(wave, 0.5, 4)?.iter().enumerate() {
        println!("  {order}: {value:.9}");
    }
    println!("by hand, the fourth: {:.9}", 8.0 * 1.0_f64.sin() - 32.0 * 1.0_f64.cos());

    println!("the gradient of saddle: {:?}", gradient(saddle, (1.0, 2.0))?);
    println!("its second derivatives:\n{}", hessian(saddle, (1.0, 2.0))?);
    println!("the same along (1, -1): {:?}", hvp(saddle, (1.0, 2.0), (1.0, -1.0))?);
    Ok(())
}
