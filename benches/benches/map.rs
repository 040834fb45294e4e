//! Mapped calls: what a call of each element costs beyond the function, and what a second thread gains.

use overdub::dub;
use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::Engine;
use overdub_lower::registry;
use overdub_native::Native;
use overdub_spmd::{Fixed, map};

/// The number of elements.
const LEN: usize = 100_000;

/// A small function.
#[dub]
fn wave(x: f64, k: f64) -> f64 {
    (x * k).sin() * x
}

/// The same, with its derivatives by hand.
fn wave_and_gradient(x: f64, k: f64) -> (f64, (f64, f64)) {
    let (sin, cos) = (x * k).sin_cos();
    (sin * x, (cos * k * x + sin, cos * x * x))
}

/// A function of about a microsecond.
#[dub]
fn orbit(x: f64, k: f64) -> f64 {
    let mut y = x;
    for _ in 0..100 {
        y = (y * k).sin() + x;
    }
    y
}

fn rows(engine: &Engine, xs: &[f64]) -> Vec<Row> {
    let (small, units) = (map(wave).in_engine(engine), xs.len() as f64);
    let over = small.over((xs, Fixed(0.7)));
    let values = compare(
        "values of a small function",
        units,
        || over.values().expect("none fails"),
        || xs.iter().map(|x| wave(*x, 0.7)).collect::<Vec<f64>>(),
    );
    let gradients = compare(
        "its values and gradients",
        units,
        || over.values_and_gradients().expect("none fails"),
        || xs.iter().map(|x| wave_and_gradient(*x, 0.7)).collect::<Vec<_>>(),
    );
    let by_k = small.with_respect_to(["k"]).over((xs, Fixed(0.7)));
    let sum = compare(
        "the gradient of its sum by a shared number",
        units,
        || by_k.sum_and_gradient().expect("none fails"),
        || {
            xs.iter()
                .map(|x| wave_and_gradient(*x, 0.7))
                .fold((0.0, 0.0), |sum, (y, (_, dk))| (sum.0 + y, sum.1 + dk))
        },
    );
    vec![values, gradients, sum]
}

/// Two threads compared with one.
fn threads(engine: &Engine, xs: &[f64]) -> Vec<Row> {
    let orbits = map(orbit).in_engine(engine);
    let (one, two) = (orbits.over((xs, Fixed(0.7))), orbits.clone().threads(2).over((xs, Fixed(0.7))));
    assert_eq!(one.sum(), two.sum(), "the same to the bit");
    let units = xs.len() as f64;
    vec![
        compare("values", units, || two.values().expect("none fails"), || one.values().expect("none fails")),
        compare(
            "values and gradients",
            units,
            || two.values_and_gradients().expect("none fails"),
            || one.values_and_gradients().expect("none fails"),
        ),
        compare(
            "the gradient of the sum",
            units,
            || two.sum_and_gradient().expect("none fails"),
            || one.sum_and_gradient().expect("none fails"),
        ),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = registry::program().engine_builder().executor(Native::new()).build();
    let xs: Vec<f64> = (0..LEN).map(|k| ((k * 7919) % 2003) as f64 / 1000.0 - 1.0).collect();
    let calls = rows(&engine, &xs);
    print("mapped calls as machine code, compared with a loop by hand", "element", &calls);
    for row in &calls {
        let constant = (row.ours.as_secs_f64() - row.hand.as_secs_f64()) * 1e9 / row.units;
        println!("{:<44} {constant:>14.1} ns for each call beyond the loop", row.name);
    }
    let pairs = threads(&engine, &xs[..LEN / 10]);
    print("two threads, compared with one (\"hand\")", "element", &pairs);
    for row in &pairs {
        println!("{:<44} {:>14.2} times one thread", row.name, 1.0 / row.ratio());
    }
    write_json(&[calls, pairs].concat())?;
    Ok(())
}
