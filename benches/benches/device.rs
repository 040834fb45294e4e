//! Mapped calls on a card, compared with a loop by hand on one core: all conversions and copies included.

use std::sync::Arc;
use std::time::Instant;

use overdub::dub;
use overdub_benches::{Row, compare, print, write_json};
use overdub_device::Cuda;
use overdub_spmd::{Device, Fixed, map};

/// The numbers of elements: costs that grow with them, and those that do not, can be told apart.
const LENGTHS: [usize; 2] = [100_000, 1_000_000];

/// The standard normal distribution, to 7 digits (Abramowitz and Stegun 26.2.17).
#[dub]
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let tail =
        t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    let upper = 0.3989422804014327 * (-0.5 * x * x).exp() * tail;
    if x < 0.0 { upper } else { 1.0 - upper }
}

/// The price of a call option by Black and Scholes.
#[dub]
fn call(spot: f64, strike: f64, rate: f64, volatility: f64, years: f64) -> f64 {
    let root = volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / root;
    spot * normal(d1) - strike * (-rate * years).exp() * normal(d1 - root)
}

/// How many steps a point takes to leave: a loop that ends at another step for each element.
#[dub]
fn escape(re: f64, im: f64) -> u32 {
    let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
    while x * x + y * y <= 4.0 && steps < 2000 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}

/// A function of some microseconds, whose gradient keeps a tape.
#[dub]
fn orbit(x: f64, k: f64) -> f64 {
    let mut y = x;
    for _ in 0..300 {
        y = (y * k).sin() + x;
    }
    y
}

fn orbit_and_gradient(x: f64, k: f64) -> (f64, (f64, f64)) {
    let (mut y, mut dx, mut dk) = (x, 1.0, 0.0);
    for _ in 0..300 {
        let (sin, cos) = (y * k).sin_cos();
        (dx, dk) = (cos * k * dx + 1.0, cos * (y + k * dk));
        y = sin + x;
    }
    (y, (dx, dk))
}

fn rows(device: &Arc<dyn Device>, len: usize) -> Vec<Row> {
    let spread = |k: usize, of: usize| ((k * 7919) % of) as f64 / of as f64;
    let xs: Vec<f64> = (0..len).map(|k| 2.0 * spread(k, 200_003) - 1.0).collect();
    let spots: Vec<f64> = (0..len).map(|k| 80.0 + 40.0 * spread(k, 100_003)).collect();
    let (side, units) = ((len as f64).sqrt(), len as f64);
    let re: Vec<f64> = (0..len).map(|k| -2.0 + 2.5 * (k as f64 % side) / side).collect();
    let im: Vec<f64> = (0..len).map(|k| -1.2 + 2.4 * (k as f64 / side) / side).collect();
    let options = map(call).threads(0).on(device.clone());
    let options = options.over((&spots, Fixed(100.0), Fixed(0.03), Fixed(0.2), Fixed(1.5)));
    let points = map(escape).threads(0).on(device.clone());
    let points = points.over((&re, &im));
    let orbits = map(orbit).threads(0).on(device.clone());
    let orbits = orbits.over((&xs, Fixed(0.7)));
    vec![
        compare(
            &format!("prices of {len} options"),
            units,
            || options.values().expect("none fails"),
            || spots.iter().map(|spot| call(*spot, 100.0, 0.03, 0.2, 1.5)).collect::<Vec<f64>>(),
        ),
        compare(
            &format!("steps of {len} points"),
            units,
            || points.values().expect("none fails"),
            || re.iter().zip(&im).map(|(re, im)| escape(*re, *im)).collect::<Vec<u32>>(),
        ),
        compare(
            &format!("{len} orbits"),
            units,
            || orbits.values().expect("none fails"),
            || xs.iter().map(|x| orbit(*x, 0.7)).collect::<Vec<f64>>(),
        ),
        compare(
            &format!("values and gradients of {len} orbits"),
            units,
            || orbits.values_and_gradients().expect("none fails"),
            || xs.iter().map(|x| orbit_and_gradient(*x, 0.7)).collect::<Vec<_>>(),
        ),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let card = match Cuda::new() {
        Ok(card) => card,
        Err(error) => {
            println!("nothing is measured: {error}");
            write_json(&[])?;
            return Ok(());
        }
    };
    println!("{}", card.name());
    let device: Arc<dyn Device> = Arc::new(card);
    let begin = Instant::now();
    map(call)
        .on(device.clone())
        .over((&[90.0], Fixed(100.0), Fixed(0.03), Fixed(0.2), Fixed(1.5)))
        .values()?;
    println!("the first result of a function takes {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
    let mut all = Vec::new();
    for len in LENGTHS {
        let found = rows(&device, len);
        print(
            &format!("{len} elements on the card, compared with a loop by hand on a core"),
            "element",
            &found,
        );
        all.extend(found);
    }
    write_json(&all)?;
    Ok(())
}
