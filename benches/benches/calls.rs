//! What a prepared gradient of a small function costs beyond its arithmetic, which rustc compiled by hand.

use std::hint::black_box;

use overdub::ad::prepare;
use overdub::dub;
use overdub_benches::{compare, print, write_json};
use overdub_native::Native;

// What the feature `native` of the front crate does.
overdub_lower::__private::inventory::submit! {
    overdub_lower::api::Backend(|builder| builder.executor(Native::new()))
}

/// A term of Rosenbrock's function.
#[dub]
fn term(here: f64, next: f64) -> f64 {
    let (a, b) = (1.0 - here, next - here * here);
    a * a + 100.0 * b * b
}

fn term_by_hand(here: f64, next: f64, slopes: &mut (f64, f64)) -> f64 {
    let (a, b) = (1.0 - here, next - here * here);
    *slopes = (-2.0 * a - 400.0 * b * here, 200.0 * b);
    a * a + 100.0 * b * b
}

/// The squared length of a vector.
#[dub]
fn square(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x {
        sum += x * x;
    }
    sum
}

fn square_by_hand(x: &[f64], slopes: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, dx) in x.iter().zip(slopes) {
        sum += x * x;
        *dx = 2.0 * x;
    }
    sum
}

/// The number of calls of a run.
const CALLS: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (of_term, of_square) = (prepare(term), prepare(square));
    let (mut dx, mut dy) = (0.0, 0.0);
    // Compiled before anything is measured.
    for _ in 0..10_000 {
        of_term.gradient_into((0.5, 0.25), (&mut dx, &mut dy))?;
    }
    let (x, mut slopes) = ([0.5, 1.5, -2.0, 0.25], [0.0; 4]);
    for _ in 0..10_000 {
        of_square.gradient_into((&x[..],), (&mut slopes[..],))?;
    }
    let mut slopes_by_hand = [0.0; 4];
    let rows = [
        compare(
            "gradient of two numbers",
            CALLS as f64,
            || {
                let (mut dx, mut dy) = (0.0, 0.0);
                for _ in 0..CALLS {
                    let args = (black_box(0.5), black_box(0.25));
                    black_box(of_term.gradient_into(args, (&mut dx, &mut dy)).expect("it has one"));
                }
                dx + dy
            },
            || {
                let mut both = (0.0, 0.0);
                for _ in 0..CALLS {
                    black_box(term_by_hand(black_box(0.5), black_box(0.25), &mut both));
                }
                both.0 + both.1
            },
        ),
        compare(
            "gradient of a list of four",
            CALLS as f64,
            || {
                for _ in 0..CALLS {
                    let y = of_square.gradient_into((black_box(&x[..]),), (&mut slopes[..],));
                    black_box(y.expect("it has one"));
                }
            },
            || {
                for _ in 0..CALLS {
                    black_box(square_by_hand(black_box(&x[..]), &mut slopes_by_hand));
                }
            },
        ),
    ];
    print("a prepared gradient from Rust, compared with a function by hand", "call", &rows);
    write_json(&rows)?;
    Ok(())
}
