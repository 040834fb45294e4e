//! A model fitted to data that are spread over several ranks: each has its share, and all have the parameters.

use overdub::prelude::*;
use overdub::spmd::{Communicator, OnAxis, bind, psum};

/// The mean error of a wave with these parameters over the data of all ranks.
#[dub]
fn loss(times: &[f64], heights: &[f64], parameters: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (time, height) in times.iter().zip(heights) {
        let wave = parameters[0] * (parameters[1] * time + parameters[2]).sin();
        sum += (wave - height).powi(2);
    }
    psum(sum, "data") / psum(times.len(), "data") as f64
}

/// Fits the parameters by gradient descent; returns them with the loss.
pub(crate) fn fit<C: Communicator + Clone + 'static>(ranks: &C) -> Result<(f64, Vec<f64>), overdub::Error> {
    // Ranks have shares of different sizes.
    let own = (0..60).filter(|at| at % ranks.size() == ranks.index());
    let times: Vec<f64> = own.map(|at| f64::from(at as u32) * 0.1).collect();
    let heights: Vec<f64> = times.iter().map(|time| 1.5 * (2.0 * time + 0.5).sin()).collect();
    let mut parameters = vec![1.0, 1.8, 0.9];
    bind("data", ranks, || {
        let on_data = || OnAxis::new("data").replicated(["parameters"]).result_is_replicated();
        let mut last = f64::INFINITY;
        for _ in 0..400 {
            let args = (&times[..], &heights[..], &parameters[..]);
            let (loss, (_, _, slopes)) = value_and_gradient(under(on_data(), loss), args)?;
            for (parameter, slope) in parameters.iter_mut().zip(&slopes) {
                *parameter -= 0.05 * slope;
            }
            last = loss;
        }
        Ok((last, parameters))
    })
}
