//! How does the response of a filter depend on its poles, if they are complex numbers?
//!
//! Nothing is annotated: `source!(crate)` lets overdub see into this file and into num-complex. The derivative
//! by a complex number has those by its real and by its imaginary part.

use num_complex::Complex;
use overdub::prelude::*;

overdub::source!(crate);

/// The response at a frequency of a filter with these poles and their conjugates.
fn response(poles: &[Complex<f64>], frequency: f64) -> Complex<f64> {
    let s = Complex::new(0.0, frequency);
    poles.iter().map(|pole| ((s - pole) * (s - pole.conj())).inv() * pole.norm_sqr()).product()
}

/// The gain in decibels.
fn gain(poles: &[Complex<f64>], frequency: f64) -> f64 {
    20.0 * response(poles, frequency).norm().log10()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let poles = [Complex::new(-0.4, 0.9), Complex::from_polar(1.2, 2.5)];
    println!("response {:.6} at 1.5", overdub::run(response, (&poles[..], 1.5))?);
    let (y, (dpoles, dfrequency)) = value_and_gradient(gain, (&poles[..], 1.5))?;
    println!("gain {y:.6} dB, {dfrequency:.6} by the frequency");
    let step = 1e-6;
    for (k, dpole) in dpoles.iter().enumerate() {
        let along = |direction: Complex<f64>| {
            let at = |step: f64| {
                let mut moved = poles;
                moved[k] += direction * step;
                gain(&moved, 1.5)
            };
            (at(step) - at(-step)) / (2.0 * step)
        };
        let differences = Complex::new(along(Complex::ONE), along(Complex::I));
        println!("  by pole {k}: {dpole:.6}, by differences {differences:.6}");
        assert!((dpole - differences).norm() < 1e-6);
    }
    Ok(())
}
