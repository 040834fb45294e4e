//! Where did the NaN come from?
//!
//! A context stops the run at the first call that computes one from finite numbers, and reports the call, its
//! line, and its callers.

use overdub::prelude::*;
use overdub_nan::Nan;

#[dub]
fn loss(xs: &[f64]) -> f64 {
    xs.iter().map(|x| entropy(x / 2.0)).sum()
}

#[dub]
fn entropy(p: f64) -> f64 {
    let surprise = -p.ln();
    p * surprise
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let xs = [0.5, 1.0, -0.25];
    println!("the loss is {}", run(loss, (&xs[..],))?);
    match overdub(Nan::new(), loss, (&xs[..],)) {
        Ok(y) => println!("and nothing is wrong with {y}"),
        Err(error) => println!("{error:?}"),
    }
    Ok(())
}
