//! Can a function of a C library be differentiated?
//!
//! overdub cannot see into it, so a rule defines its result and its derivative. Here it is `erf` of the C
//! library that every process has loaded already.
#![allow(unsafe_code)] // what a C library does is its word alone

use std::error::Error;

use libloading::os::unix::{Library, Symbol};
use overdub::ad::{ByRules, check_rule, gradient, rule};
use overdub::prelude::*;

/// `2/√π ∫₀ˣ exp(−t²) dt`, by the C library.
#[dub]
fn erf(_x: f64) -> f64 {
    unimplemented!("the rule says what it returns")
}

/// The probability that a normally distributed number is below `x`.
#[dub]
fn below(x: f64, mean: f64, deviation: f64) -> f64 {
    0.5 * (1.0 + erf((x - mean) / (deviation * std::f64::consts::SQRT_2)))
}

fn main() -> Result<(), Box<dyn Error>> {
    // SAFETY: `erf` of C takes a double and returns one, has no other effect, and is never unloaded.
    let c_erf: Symbol<unsafe extern "C" fn(f64) -> f64> = unsafe { Library::this().get(b"erf")? };
    rule(erf)
        .value(move |(x,): (f64,)| unsafe { c_erf(x) })
        .reverse(|(x,): (f64,), _y: f64, dy: f64| (dy * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp(),))
        .register()?;

    let (dx, dmean, ddeviation) = gradient(below, (1.3, 1.0, 0.4))?;
    let density = (-0.5 * (0.3_f64 / 0.4).powi(2)).exp() / (0.4 * (2.0 * std::f64::consts::PI).sqrt());
    println!("d below / d x:          {dx:.9}, the normal density there is {density:.9}");
    println!("d below / d mean:       {dmean:.9}");
    println!("d below / d deviation:  {ddeviation:.9}");
    println!("below itself:           {:.9}", overdub(ByRules::new(), below, (1.3, 1.0, 0.4))?);
    let tally = check_rule(erf).over((-3.0..3.0,)).try_run()?;
    println!("the rule against differences of the C function, {} inputs: it holds", tally.cases);
    Ok(())
}
