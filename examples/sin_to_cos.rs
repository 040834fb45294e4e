//! What would a function return if every `sin` in it, however deep, were a `cos`?
//!
//! A context gives calls another meaning without changing the function.

use overdub::prelude::*;

#[dub]
fn wave(x: f64) -> f64 {
    2.0 * shifted(x) + 1.0
}

#[dub]
fn shifted(x: f64) -> f64 {
    if x > 1.0 { x.sin() } else { 0.0 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = 1.25_f64;
    println!("as it is:          {:.6}", run(wave, (x,))?);
    println!("with cos for sin:  {:.6}", overdub(ctx().replace("sin", "cos"), wave, (x,))?);
    println!("2 cos(x) + 1:      {:.6}", 2.0 * x.cos() + 1.0);
    Ok(())
}
