//! How long does a gradient of a sum over data take on several ranks, each with as much data as one has alone?
//!
//! `mpirun -n 2 target/release/examples/weak_scaling`: perfect scaling is 1.00.

use std::time::{Duration, Instant};

use overdub::prelude::*;
use overdub::spmd::{Communicator, OnAxis, bind, psum};
use overdub_mpi::{Job, World};

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

/// The numbers of each rank, and how often the gradient is taken.
const POINTS: usize = 200_000;
const GRADIENTS: usize = 20;

/// The fastest of some gradients, in seconds.
fn fastest(mut gradient: impl FnMut() -> Result<f64, overdub::Error>) -> Result<f64, overdub::Error> {
    let mut best = f64::INFINITY;
    for _ in 0..GRADIENTS {
        let begin = Instant::now();
        gradient()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn measure(world: &World) -> Result<(), Box<dyn std::error::Error>> {
    let first = world.index() * POINTS;
    let times: Vec<f64> = (first..first + POINTS).map(|at| at as f64 * 1e-4).collect();
    let heights: Vec<f64> = times.iter().map(|time| 1.5 * (2.0 * time + 0.5).sin()).collect();
    let parameters = [1.0, 1.8, 0.9];
    let args = || (&times[..], &heights[..], &parameters[..]);
    // The first rank alone, while the others wait.
    let mut alone = [0.0];
    if world.index() == 0 {
        alone[0] = fastest(|| Ok(value_and_gradient(loss, args())?.0))?;
    }
    world.sum(&mut alone)?;
    let together = bind("data", world, || {
        let on_data = || OnAxis::new("data").replicated(["parameters"]).result_is_replicated();
        fastest(|| Ok(value_and_gradient(under(on_data(), loss), args())?.0))
    })?;
    if world.index() == 0 {
        println!(
            "{} ranks with {POINTS} numbers each: {:.2} ms a gradient, alone {:.2} ms, {:.2} of that",
            world.size(),
            1e3 * together,
            1e3 * alone[0],
            together / alone[0]
        );
    }
    Ok(())
}

fn main() -> Result<(), overdub_mpi::JobError> {
    Job::new().timeout(Duration::from_secs(60)).run(measure)
}
