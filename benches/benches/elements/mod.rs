//! Functions of one element, and inputs for them, that several benches map.

use overdub::dub;

/// The standard normal distribution, to 7 digits (Abramowitz and Stegun 26.2.17).
#[dub]
pub(crate) fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let tail =
        t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    let upper = 0.3989422804014327 * (-0.5 * x * x).exp() * tail;
    if x < 0.0 { upper } else { 1.0 - upper }
}

/// The price of a call option by Black and Scholes.
#[dub]
pub(crate) fn call(spot: f64, strike: f64, rate: f64, volatility: f64, years: f64) -> f64 {
    let root = volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / root;
    spot * normal(d1) - strike * (-rate * years).exp() * normal(d1 - root)
}

/// How many steps a point takes to leave: a loop that ends at another step for each element.
#[dub]
pub(crate) fn escape(re: f64, im: f64) -> u32 {
    let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
    while x * x + y * y <= 4.0 && steps < 2000 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}

/// A function of some microseconds, whose gradient keeps a tape.
#[dub]
pub(crate) fn orbit(x: f64, k: f64) -> f64 {
    let mut y = x;
    for _ in 0..300 {
        y = (y * k).sin() + x;
    }
    y
}

/// The same with its derivatives, by hand.
pub(crate) fn orbit_and_gradient(x: f64, k: f64) -> (f64, (f64, f64)) {
    let (mut y, mut dx, mut dk) = (x, 1.0, 0.0);
    for _ in 0..300 {
        let (sin, cos) = (y * k).sin_cos();
        (dx, dk) = (cos * k * dx + 1.0, cos * (y + k * dk));
        y = sin + x;
    }
    (y, (dx, dk))
}

fn spread(k: usize, of: usize) -> f64 {
    ((k * 7919) % of) as f64 / of as f64
}

/// Numbers from -1 to 1.
pub(crate) fn starts(len: usize) -> Vec<f64> {
    (0..len).map(|k| 2.0 * spread(k, 200_003) - 1.0).collect()
}

/// Prices from 80 to 120.
pub(crate) fn spots(len: usize) -> Vec<f64> {
    (0..len).map(|k| 80.0 + 40.0 * spread(k, 100_003)).collect()
}

/// The real and imaginary parts of points of a picture of the Mandelbrot set.
pub(crate) fn points(len: usize) -> (Vec<f64>, Vec<f64>) {
    let side = (len as f64).sqrt();
    let re = (0..len).map(|k| -2.0 + 2.5 * (k as f64 % side) / side).collect();
    let im = (0..len).map(|k| -1.2 + 2.4 * (k as f64 / side) / side).collect();
    (re, im)
}
