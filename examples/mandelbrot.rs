//! What does the Mandelbrot set look like, if its points are computed 64 at a time?
//!
//! The function is written for one point: a loop that ends at another step for each. In lanes, a block of the function runs for
//! all points that are there, by SIMD instructions. The time of both ways is on the standard error:
//! `cargo run --release --features native --example mandelbrot -- 600` computes 600 columns.

use std::time::Instant;

use overdub::prelude::*;
use overdub::spmd::{Fixed, map};

/// The number of steps until a point leaves the circle of radius 2, at most `most`.
#[dub]
fn steps(re: f64, im: f64, most: u32) -> u32 {
    let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
    while steps < most && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns: usize = std::env::args().nth(1).map_or(Ok(66), |count| count.parse())?;
    let rows = columns * 3 / 8;
    let re = |column: usize| -2.2 + 3.2 * column as f64 / columns as f64;
    let im = |row: usize| 1.2 - 2.4 * (row as f64 + 0.5) / rows as f64;
    let points = (0..rows * columns).map(|at| (re(at % columns), im(at / columns)));
    let (re, im): (Vec<f64>, Vec<f64>) = points.unzip();

    let start = Instant::now();
    let alone = map(steps).over((&re, &im, Fixed(200))).values()?;
    let one_by_one = start.elapsed();
    let start = Instant::now();
    let in_lanes = map(steps).lanes(64).over((&re, &im, Fixed(200))).values()?;
    let side_by_side = start.elapsed();
    eprintln!("one by one {one_by_one:.1?}, in lanes {side_by_side:.1?}");
    assert_eq!(in_lanes, alone);

    for row in in_lanes.chunks(columns) {
        let shade = |steps: &u32| match steps {
            ..4 => ' ',
            4..7 => '.',
            7..12 => '-',
            12..30 => '+',
            30..200 => '*',
            _ => '#',
        };
        println!("{}", row.iter().map(shade).collect::<String>().trim_end());
    }
    Ok(())
}
