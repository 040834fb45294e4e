//! Can a model that is a chain of iterator adaptors and closures be fitted by gradient descent?
//!
//! A cubic fitted to points of a sine: `map`, `zip`, `sum` and a closure with captures, as they are.

use overdub::ad::prepare;
use overdub::prelude::*;

#[dub]
fn misfit(model: &[f64; 4], xs: &[f64], ys: &[f64]) -> f64 {
    let predict = |x: f64| model.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let errors = xs.iter().map(|x| predict(*x)).zip(ys).map(|(ours, y)| (ours - y).powi(2));
    errors.sum::<f64>() / xs.len() as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let xs: Vec<f64> = (0..20).map(|i| f64::from(i) / 9.5 - 1.0).collect();
    let ys: Vec<f64> = xs.iter().map(|x| (2.0 * x).sin()).collect();
    let mut model = [0.0; 4];
    let prepared = prepare(misfit).with_respect_to(["model"]);
    for step in 0..=400 {
        let (loss, (d, ..)) = prepared.value_and_gradient((&model, &xs[..], &ys[..]))?;
        if step % 100 == 0 {
            println!("step {step}: misfit {loss:.6}");
        }
        model.iter_mut().zip(d).for_each(|(c, d)| *c -= 0.3 * d);
    }
    let [a, b, c, d] = model.map(|c| if c.abs() < 5e-5 { 0.0 } else { c });
    println!("sin 2x is about {a:.4} + {b:.4} x + {c:.4} x² + {d:.4} x³ on [-1, 1]");
    Ok(())
}
