//! Mapped calls on a card, compared with a loop by hand on one core: all conversions and copies included.

mod elements;

use std::sync::Arc;
use std::time::Instant;

use overdub_benches::{Row, compare, print, write_json};
use overdub_device::Cuda;
use overdub_spmd::{Device, Fixed, map};

use elements::{call, escape, orbit, orbit_and_gradient, points, spots, starts};

/// The numbers of elements: costs that grow with them, and those that do not, can be told apart.
const LENGTHS: [usize; 2] = [100_000, 1_000_000];

fn rows(device: &Arc<dyn Device>, len: usize) -> Vec<Row> {
    let xs = starts(len);
    let (spots, (re, im), units) = (spots(len), points(len), len as f64);
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
