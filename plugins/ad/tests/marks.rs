//! What a program says about its own derivatives.

use overdub::ad::{gradient, hessian, jvp, stop_gradient};
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn blind(x: f64) -> f64 {
    x * stop_gradient(x * x)
}

#[dub]
fn normalised(xs: Vec<f64>) -> f64 {
    let scale = stop_gradient(xs.clone());
    let largest = scale.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    xs.iter().map(|x| x * x / largest).sum::<f64>()
}

#[dub]
fn qualified(x: f64, y: (f64, i64)) -> f64 {
    let (a, n) = overdub::ad::stop_gradient(y);
    x * a * n as f64 + y.0
}

#[test]
fn derivatives_end_where_the_program_stops_them() -> Outcome {
    assert_eq!(blind(3.0), 27.0);
    assert_eq!(run(blind, (3.0,))?, 27.0);
    assert_eq!(gradient(blind, (3.0,))?, (9.0,));
    assert_eq!(jvp(blind, (3.0,), (1.0,))?, (27.0, 9.0));
    assert_eq!(hessian(blind, (3.0,))?[[0, 0]], 0.0);
    Ok(())
}

#[test]
fn whole_values_are_stopped() -> Outcome {
    assert_eq!(gradient(normalised, (vec![1.0, -4.0],))?, (vec![0.5, -2.0],));
    assert_eq!(gradient(qualified, (2.0, (3.0, 5)))?, (15.0, (1.0, ())));
    Ok(())
}
