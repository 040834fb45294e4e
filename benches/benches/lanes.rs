//! Mapped calls in lanes on one core, compared with a loop by hand and with mapped calls without lanes.

mod elements;

use overdub::dub;
use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::Engine;
use overdub_lower::registry;
use overdub_native::Native;
use overdub_spmd::{Fixed, map};

use elements::{call, escape, orbit, orbit_and_gradient, points, spots, starts};

/// The number of elements.
const LEN: usize = 40_000;

/// Newton's iteration for a square root, which takes each element another number of steps.
#[dub]
fn root(x: f64) -> f64 {
    let mut y = x.max(1.0);
    while (y * y - x).abs() > 1e-12 * x {
        y = 0.5 * (y + x / y);
    }
    y
}

/// A logistic map, all of whose elements take as many steps, with its derivative by the tape.
#[dub]
fn logistic(x: f64, r: f64) -> f64 {
    let mut y = x;
    for _ in 0..100 {
        y = r * y * (1.0 - y);
    }
    y
}

fn logistic_and_gradient(x: f64, r: f64) -> (f64, (f64, f64)) {
    let (mut y, mut dx, mut dr) = (x, 1.0, 0.0);
    for _ in 0..100 {
        (dx, dr) = (r * (1.0 - 2.0 * y) * dx, y * (1.0 - y) + r * (1.0 - 2.0 * y) * dr);
        y = r * y * (1.0 - y);
    }
    (y, (dx, dr))
}

fn rows(engine: &Engine, lanes: Option<usize>) -> Vec<Row> {
    let (spots, (re, im), xs, units) = (spots(LEN), points(LEN), starts(LEN), LEN as f64);
    let halves: Vec<f64> = xs.iter().map(|x| 0.5 + 0.4 * x).collect();
    macro_rules! mapped {
        ($f:expr) => {{
            let map = map($f).in_engine(engine);
            match lanes {
                Some(lanes) => map.lanes(lanes),
                None => map,
            }
        }};
    }
    let options = mapped!(call).over((&spots, Fixed(100.0), Fixed(0.03), Fixed(0.2), Fixed(1.5)));
    let escapes = mapped!(escape).over((&re, &im));
    let roots = mapped!(root).over((&spots,));
    let orbits = mapped!(orbit).over((&xs, Fixed(0.7)));
    let logistics = mapped!(logistic).over((&halves, Fixed(3.3)));
    vec![
        compare(
            "steps of points of the Mandelbrot set",
            units,
            || escapes.values().expect("none fails"),
            || re.iter().zip(&im).map(|(re, im)| escape(*re, *im)).collect::<Vec<u32>>(),
        ),
        compare(
            "square roots by Newton's iteration",
            units,
            || roots.values().expect("none fails"),
            || spots.iter().map(|x| root(*x)).collect::<Vec<f64>>(),
        ),
        compare(
            "100 steps of a logistic map",
            units,
            || logistics.values().expect("none fails"),
            || halves.iter().map(|x| logistic(*x, 3.3)).collect::<Vec<f64>>(),
        ),
        compare(
            "its values and gradients",
            units,
            || logistics.values_and_gradients().expect("none fails"),
            || halves.iter().map(|x| logistic_and_gradient(*x, 3.3)).collect::<Vec<_>>(),
        ),
        compare(
            "prices of options",
            units,
            || options.values().expect("none fails"),
            || spots.iter().map(|spot| call(*spot, 100.0, 0.03, 0.2, 1.5)).collect::<Vec<f64>>(),
        ),
        compare(
            "a recurrence of 300 sines",
            units,
            || orbits.values().expect("none fails"),
            || xs.iter().map(|x| orbit(*x, 0.7)).collect::<Vec<f64>>(),
        ),
        compare(
            "its values and gradients",
            units,
            || orbits.values_and_gradients().expect("none fails"),
            || xs.iter().map(|x| orbit_and_gradient(*x, 0.7)).collect::<Vec<_>>(),
        ),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = registry::program().engine_builder().executor(Native::new()).build();
    let mut all = Vec::new();
    let fast = registry::program().engine_builder().executor(Native::new().with_fast_functions()).build();
    let ways = [
        ("without lanes", &engine, None),
        ("64 lanes", &engine, Some(64)),
        ("64 lanes, fast functions", &fast, Some(64)),
    ];
    for (title, engine, lanes) in ways {
        let found = rows(engine, lanes);
        print(&format!("{title}, compared with a loop by hand on one core"), "element", &found);
        all.extend(found);
    }
    write_json(&all)?;
    Ok(())
}
