//! Does a derivative hold on all inputs, and if not, what is the simplest one where it fails?
//!
//! `check_gradient` takes proptest's strategies. It compares reverse mode with finite differences and with
//! forward mode, and shrinks a failing input. In a test, call `.run()`, which panics.

use overdub::ad::proptest::collection::vec;
use overdub::ad::{check_gradient, check_rule, rule};
use overdub::prelude::*;

/// `ln Σ exp xᵢ`, in the form that does not overflow.
#[dub]
fn log_sum_exp(xs: &[f64]) -> f64 {
    let largest = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + xs.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

#[dub]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tally = check_gradient(log_sum_exp).over((vec(-5.0..5.0, 1..6),)).cases(100).try_run()?;
    println!("log_sum_exp: {} inputs, all derivatives hold", tally.cases);

    // A rule that is wrong, but only for negative numbers.
    rule(cube).reverse(|(x,): (f64,), _y: f64, dy: f64| (3.0 * x * x.abs() * dy,)).register()?;
    match check_rule(cube).over((-10.0..10.0,)).try_run() {
        Ok(_) => println!("cube: the rule holds"),
        Err(wrong) => println!("cube: the rule is wrong\n  {wrong}"),
    }
    Ok(())
}
