//! Can a function without annotations be fitted to data? The main example: `examples/gmm.rs` is loaded unchanged,
//! differentiated, checked against finite differences, and minimised by L-BFGS over published points.
//!
//! `cargo run --release --features native --example fit_mixture` prints the result and writes the picture `mixture.png`.
//! Without the feature the interpreter runs the program, in 30 times the time.

#[path = "mixture/data.rs"]
mod data;
#[path = "mixture/objective.rs"]
mod objective;
#[path = "mixture/picture.rs"]
mod picture;

use std::path::Path;
use std::time::Instant;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{Error, Executor, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use indicatif::{ProgressBar, ProgressStyle};

use data::Mixture;
use objective::Objective;

/// The default number of iterations of the minimiser; the first argument overrides it.
const ITERATIONS: u64 = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let iterations = std::env::args().nth(1).map_or(Ok(ITERATIONS), |iterations| iterations.parse())?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let start = Mixture::read(&examples.join("data/gmm_d2_K5.txt"))?;
    let objective = Objective::open(&examples.join("gmm.rs"), &start)?;
    println!("{} points, {} Gaussians, {} parameters", start.points.len() / 2, start.k, start.params.len());

    let error = objective.largest_difference(&start.params)?;
    println!("gradient against finite differences: largest relative difference {error:.1e}");
    let (value, gradient) = times(&objective, &start.params)?;
    println!(
        "by {}: one value {:.2} ms, one gradient {:.2} ms, ratio {:.1}",
        objective::BY,
        value * 1e3,
        gradient * 1e3,
        gradient / value
    );

    let before = objective.value(&start.params)?;
    let after = fit(objective, start.params.clone(), iterations)?;
    println!(
        "negative log posterior: {before:.3} before, {:.3} after {} rounds",
        after.cost, after.iterations
    );
    let picture = Path::new("mixture.png");
    picture::draw(picture, &start, &after.params)?;
    println!("wrote {}", picture.display());
    Ok(())
}

/// The result of the minimiser.
struct Fitted {
    params: Vec<f64>,
    cost: f64,
    iterations: u64,
}

fn fit(objective: Objective, start: Vec<f64>, iterations: u64) -> Result<Fitted, Error> {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10).with_tolerance_cost(1e-9)?;
    let bar = ProgressBar::new(iterations).with_style(ProgressStyle::with_template(
        "{bar:30} round {pos} of {len}, negative log posterior {msg}",
    )?);
    let ended = Executor::new(objective, solver)
        .configure(|state| state.param(start).max_iters(iterations))
        .add_observer(Progress(bar.clone()), ObserverMode::Always)
        .run()?;
    bar.finish_and_clear();
    let state = ended.state();
    let params = state.get_best_param().cloned().ok_or_else(|| Error::msg("no mixture was reached"))?;
    Ok(Fitted { params, cost: state.get_best_cost(), iterations: state.get_iter() })
}

/// Shows each iteration of the minimiser.
struct Progress(ProgressBar);

impl<S: State<Float = f64>> Observe<S> for Progress {
    fn observe_iter(&mut self, state: &S, _: &KV) -> Result<(), Error> {
        self.0.set_position(state.get_iter());
        self.0.set_message(format!("{:.3}", state.get_best_cost()));
        Ok(())
    }
}

/// The seconds for a value and a gradient, each the best of three.
fn times(objective: &Objective, params: &[f64]) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let (mut value, mut gradient) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        let began = Instant::now();
        objective.value(params)?;
        value = value.min(began.elapsed().as_secs_f64());
        let began = Instant::now();
        objective.gradient(params)?;
        gradient = gradient.min(began.elapsed().as_secs_f64());
    }
    Ok((value, gradient))
}
