//! Mapped calls on a card, or by OpenCL, compared with a loop by hand on one core: all conversions and copies included, but for lists that
//! stay on the card.

mod elements;

use std::sync::Arc;
use std::time::Instant;

use overdub_benches::{Row, compare, print, write_json};
use overdub_device::{Cuda, OpenCl};
use overdub_spmd::{Device, Fixed, Stored, map};

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

/// What reads and leaves lists on the card.
fn rows_of_stored(device: &Arc<dyn Device>, len: usize) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let (xs, spots, units) = (starts(len), spots(len), len as f64);
    let (stored_xs, stored_spots) = (Stored::new(device, xs.clone())?, Stored::new(device, spots.clone())?);
    let options = map(call).on(device.clone());
    let options = options.over((&stored_spots, Fixed(100.0), Fixed(0.03), Fixed(0.2), Fixed(1.5)));
    let (by_k, orbits) =
        (map(orbit).with_respect_to(["k"]).on(device.clone()), map(orbit).on(device.clone()));
    let by_k = by_k.over((&stored_xs, Fixed(0.7)));
    let orbits = orbits.over((&stored_xs, Fixed(0.7)));
    Ok(vec![
        compare(
            &format!("sum of the prices of {len} options"),
            units,
            || options.sum().expect("none fails"),
            || spots.iter().map(|spot| call(*spot, 100.0, 0.03, 0.2, 1.5)).sum::<f64>(),
        ),
        compare(
            &format!("prices of {len} options that stay"),
            units,
            || options.stored_values().expect("none fails"),
            || spots.iter().map(|spot| call(*spot, 100.0, 0.03, 0.2, 1.5)).collect::<Vec<f64>>(),
        ),
        compare(
            &format!("{len} orbits that stay"),
            units,
            || orbits.stored_values().expect("none fails"),
            || xs.iter().map(|x| orbit(*x, 0.7)).collect::<Vec<f64>>(),
        ),
        compare(
            &format!("sum of {len} orbits and its slope"),
            units,
            || by_k.sum_and_gradient().expect("none fails"),
            || {
                let both = xs.iter().map(|x| orbit_and_gradient(*x, 0.7));
                both.fold((0.0, 0.0), |(sum, slope), (y, (_, dk))| (sum + y, slope + dk))
            },
        ),
    ])
}

/// Compares on a device.
fn measure(device: &Arc<dyn Device>, name: &str) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let begin = Instant::now();
    map(call)
        .on(device.clone())
        .over((&[90.0], Fixed(100.0), Fixed(0.03), Fixed(0.2), Fixed(1.5)))
        .values()?;
    println!("{name}: the first result of a function takes {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
    // All kernels are compiled before anything is measured.
    let (few, half) = ([0.25, 0.5], Fixed(0.7));
    map(escape).on(device.clone()).over((&few, &few)).values()?;
    map(orbit).on(device.clone()).over((&few, half)).values_and_gradients()?;
    map(orbit).on(device.clone()).over((&few, half)).values()?;
    map(orbit).with_respect_to(["k"]).on(device.clone()).over((&few, half)).sum_and_gradient()?;
    let mut all = Vec::new();
    for len in LENGTHS {
        let found = rows(device, len);
        print(
            &format!("{len} elements on {name}, compared with a loop by hand on a core"),
            "element",
            &found,
        );
        all.extend(found);
        let found = rows_of_stored(device, len)?;
        print(&format!("{len} elements that lie there, compared with that loop"), "element", &found);
        all.extend(found);
    }
    for row in &mut all {
        row.name = format!("{name}: {}", row.name);
    }
    Ok(all)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    match Cuda::new() {
        Ok(card) => {
            let name = format!("{} by CUDA", card.name());
            all.extend(measure(&(Arc::new(card) as Arc<dyn Device>), &name)?);
        }
        Err(error) => println!("nothing is measured by CUDA: {error}"),
    }
    match OpenCl::new() {
        Ok(device) => {
            let name = format!("{} by OpenCL", device.name());
            all.extend(measure(&(Arc::new(device) as Arc<dyn Device>), &name)?);
        }
        Err(error) => println!("nothing is measured by OpenCL: {error}"),
    }
    write_json(&all)?;
    Ok(())
}
