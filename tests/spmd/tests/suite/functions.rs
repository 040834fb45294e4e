//! Functions of one element that several tests map.

use overdub::prelude::*;

#[dub]
pub(crate) fn settled(x: f64, k: f64) -> f64 {
    let mut y = x;
    while y.abs() > 0.05 {
        y = (y * k).sin() * 0.9;
    }
    y + if x > 0.0 { x * k } else { k * k }
}

#[dub]
pub(crate) fn polynomial(x: f64, weights: &[f64]) -> f64 {
    let mut y = 0.0;
    for w in weights {
        y = y * x + w;
    }
    y
}
