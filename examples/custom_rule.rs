//! How do I define the derivative of my function?
//!
//! A rule replaces the derivative of the body: because it is faster, more accurate, or known to be better.

use overdub::ad::{check_rule, derivative, rule};
use overdub::prelude::*;

/// The square root by Newton's method, which would be differentiated step by step.
#[dub]
fn root(x: f64) -> f64 {
    let mut y = x;
    while (y * y - x).abs() > 1e-14 * x {
        y = 0.5 * (y + x / y);
    }
    y
}

#[dub]
fn speed(height: f64) -> f64 {
    root(2.0 * 9.81 * height)
}

/// `1 / (2 √x)`, an ordinary function: it is differentiated in turn.
#[dub]
fn slope_of_root(x: f64) -> f64 {
    0.5 / root(x)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("through the loop:  {:.12}", derivative(speed, 3.0)?);

    rule(root).partials(slope_of_root).register()?;
    println!("by the rule:       {:.12}", derivative(speed, 3.0)?);
    println!("the second one:    {:.12}", overdub::ad::derivatives(speed, 3.0, 2)?[2]);

    let tally = check_rule(root).over((0.01..100.0,)).try_run()?;
    println!("against differences of `root`, {} inputs: it holds", tally.cases);
    Ok(())
}
