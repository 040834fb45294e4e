//! How many floating-point operations does a function execute?
//!
//! Counted during the run, so loops, branches and calls count as they are executed.

use overdub::prelude::*;
use overdub_count::Count;

/// The polynomial with these coefficients, the highest first, by Horner's rule.
#[dub]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

/// The same polynomial by powers.
#[dub]
fn powers(coefficients: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for (i, c) in coefficients.iter().rev().enumerate() {
        let mut power = 1.0;
        for _ in 0..i {
            power *= x;
        }
        sum += c * power;
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let coefficients = [2.0, -6.0, 2.0, -1.0];
    let (y, counts) = overdub(Count, horner, (&coefficients[..], 3.0))?;
    println!("horner gives {y} in {} operations", counts.flops());
    println!("  {} multiplications, {} additions", counts.of("mul"), counts.of("add"));
    let (y, counts) = overdub(Count, powers, (&coefficients[..], 3.0))?;
    println!("powers gives {y} in {} operations", counts.flops());
    Ok(())
}
