//! How do I keep gradients from exploding in the reverse sweep of a recurrent function?
//!
//! `replace_gradient` leaves the value unchanged and passes its cotangent through a closure.

use overdub::ad::{gradient, replace_gradient};
use overdub::prelude::*;

#[dub]
fn plain(inputs: &[f64], weight: f64) -> f64 {
    let mut state = 0.0;
    for x in inputs {
        state = weight * state + x;
    }
    state
}

#[dub]
fn clipped(inputs: &[f64], weight: f64) -> f64 {
    let mut state = 0.0;
    for x in inputs {
        state = replace_gradient(weight * state + x, |d: f64| d.clamp(-1.0, 1.0));
    }
    state
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inputs = [1.0, -0.5, 0.25, 1.0, 2.0];
    println!("values: {} and {}", run(plain, (&inputs[..], 4.0))?, run(clipped, (&inputs[..], 4.0))?);
    println!("plain:   {:?}", gradient(plain, (&inputs[..], 4.0))?.0);
    println!("clipped: {:?}", gradient(clipped, (&inputs[..], 4.0))?.0);
    Ok(())
}
