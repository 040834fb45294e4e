//! How is a density of millions of points differentiated, on all cores and on several ranks?
//!
//! Both sum the same function of one point: once mapped over all points by threads, and once over its own share by each rank, which
//! then adds up with the others. The times are on the standard error:
//! `cargo run --release --features native --example mixture_of_millions -- 10000000` takes ten million points.

use std::time::Instant;

use overdub::ad::value_and_gradient;
use overdub::prelude::*;
use overdub::spmd::{Communicator, Fixed, OnAxis, bind, map, psum, ranks};

/// The logarithm of the density at a point of a mixture of two normal distributions, of which the first has the weight `weight`
/// and the variance 1.
#[dub]
fn log_density(x: f64, weight: f64, first: f64, second: f64, width: f64) -> f64 {
    let (near, far) = (x - first, (x - second) / width);
    let density = weight * (-0.5 * near * near).exp() + (1.0 - weight) / width * (-0.5 * far * far).exp();
    density.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln()
}

/// The sum over the points of all ranks.
#[dub]
fn log_likelihood(points: &[f64], weight: f64, first: f64, second: f64, width: f64) -> f64 {
    let mut sum = 0.0;
    for x in points {
        sum += log_density(*x, weight, first, second, width);
    }
    psum(sum, "ranks")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(20_000), |count| count.parse())?;
    // Sums of four uniform numbers are nearly normal: a third of the points lies around -2, the others around 3.
    let mut seed = 7_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let points: Vec<f64> = (0..count)
        .map(|number| {
            let normal = (uniform() + uniform() + uniform() + uniform() - 2.0) * 3.0_f64.sqrt();
            if number % 3 == 0 { normal - 2.0 } else { 3.0 + 0.5 * normal }
        })
        .collect();
    let (weight, first, second, width) = (0.4, -1.8, 2.9, 0.6);

    let start = Instant::now();
    let by_threads = map(log_density)
        .threads(0)
        .with_respect_to(["weight", "first", "second", "width"])
        .over((&points, Fixed(weight), Fixed(first), Fixed(second), Fixed(width)));
    let (sum, (_, by_weight, by_first, by_second, by_width)) = by_threads.sum_and_gradient()?;
    eprintln!("{count} points by threads: {:.2?}", start.elapsed());
    let gradient = [by_weight, by_first, by_second, by_width];
    println!("mean of the logarithm: {:.6}", sum / count as f64);
    println!("its slopes: {:.6?}", gradient.map(|slope| slope / count as f64));

    for size in [1, 2] {
        let start = Instant::now();
        let found = ranks(size, |rank| {
            let share = |at: usize| count * at / size;
            let own = &points[share(rank.index())..share(rank.index() + 1)];
            let weights = ["weight", "first", "second", "width"];
            let cx = OnAxis::new("ranks").replicated(weights).result_is_replicated();
            bind("ranks", &rank, || {
                value_and_gradient(under(cx, log_likelihood), (own, weight, first, second, width))
            })
        })?;
        eprintln!("{count} points by {size} ranks: {:.2?}", start.elapsed());
        let (of_ranks, (_, by_weight, by_first, by_second, by_width)) = &found[0];
        let slopes = [by_weight, by_first, by_second, by_width];
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * count as f64;
        let agree = near(*of_ranks, sum) && slopes.iter().zip(gradient).all(|(a, b)| near(**a, b));
        println!("{size} ranks find the same: {agree}");
    }
    Ok(())
}
