//! Mapped calls in lanes on one core, and functions in lanes as they are exported, compared with a loop by hand and with mapped
//! calls without lanes.

#[path = "elements/by_simd.rs"]
mod by_simd;
mod elements;
#[path = "elements/instruction_sets.rs"]
mod instruction_sets;

/// Functions in lanes as exported: plain Rust, compiled with the benchmark. A test of `overdub-export` holds the files to what is
/// exported.
mod exported {
    macro_rules! included {
        ($($name:ident)*) => {$(
            pub(crate) mod $name {
                #![allow(dead_code, unreachable_pub)]
                include!(concat!("../kernels/exported/lanes/", stringify!($name), ".rs"));
            }
        )*};
    }

    included! {
        escape root logistic call orbit call_fast orbit_fast logistic_gradient orbit_gradient orbit_gradient_fast
    }
}

use overdub::dub;
use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::Engine;
use overdub_lower::registry;
use overdub_native::Native;
use overdub_passes::InstructionSet;
use overdub_rustc::{Cache, Rustc};
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

/// The density of a mixture of normal distributions, whose weights, means and deviations all elements share.
#[dub]
fn density(x: f64, weights: &[f64], means: &[f64], deviations: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..weights.len() {
        let z = (x - means[k]) / deviations[k];
        sum += weights[k] * (-0.5 * z * z).exp() / deviations[k];
    }
    sum * 0.3989422804014327
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
    let [weights, means, deviations]: [Vec<f64>; 3] =
        [0.02, 0.4, 0.1].map(|by| (0..10).map(|k| 0.1 + by * f64::from(k)).collect());
    let shared = (Fixed(&weights[..]), Fixed(&means[..]), Fixed(&deviations[..]));
    let densities = mapped!(density).over((&xs, shared.0, shared.1, shared.2));
    let expected: Vec<f64> = re.iter().zip(&im).map(|(re, im)| f64::from(escape(*re, *im))).collect();
    assert_eq!(by_simd::escapes(&re, &im), expected);
    // What is compiled before the first run is not measured.
    let values = [options.values(), roots.values(), orbits.values(), logistics.values(), densities.values()];
    let gradients = [orbits.values_and_gradients(), logistics.values_and_gradients()];
    let run = values.iter().all(Result::is_ok) && gradients.iter().all(Result::is_ok);
    assert!(run && escapes.values().is_ok(), "none fails");
    vec![
        compare(
            "steps of points of the Mandelbrot set",
            units,
            || escapes.values().expect("none fails"),
            || re.iter().zip(&im).map(|(re, im)| escape(*re, *im)).collect::<Vec<u32>>(),
        ),
        compare(
            "the same, and a loop of SIMD by hand",
            units,
            || escapes.values().expect("none fails"),
            || by_simd::escapes(&re, &im),
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
            "densities of a mixture of ten",
            units,
            || densities.values().expect("none fails"),
            || xs.iter().map(|x| density(*x, &weights, &means, &deviations)).collect::<Vec<f64>>(),
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

/// The functions in lanes as exported, with the functions of std or with fast ones.
fn exported_rows(is_fast: bool) -> Vec<Row> {
    let (spots, (re, im), xs, units) = (spots(LEN), points(LEN), starts(LEN), LEN as f64);
    let halves: Vec<f64> = xs.iter().map(|x| 0.5 + 0.4 * x).collect();
    let values = |f: &dyn Fn(&mut [f64])| {
        let mut y = vec![0.0; LEN];
        f(&mut y);
        y
    };
    let is_close =
        |a: &[f64], b: Vec<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + b.abs()));
    let priced = |y: &mut [f64]| match is_fast {
        true => exported::call_fast::call_lanes(&spots, 100.0, 0.03, 0.2, 1.5, y),
        false => exported::call::call_lanes(&spots, 100.0, 0.03, 0.2, 1.5, y),
    };
    let turned = |y: &mut [f64]| match is_fast {
        true => exported::orbit_fast::orbit_lanes(&xs, 0.7, y),
        false => exported::orbit::orbit_lanes(&xs, 0.7, y),
    };
    let prices = || spots.iter().map(|spot| call(*spot, 100.0, 0.03, 0.2, 1.5)).collect::<Vec<f64>>();
    let orbits = || xs.iter().map(|x| orbit(*x, 0.7)).collect::<Vec<f64>>();
    assert!(is_close(&values(&priced), prices()) && is_close(&values(&turned), orbits()), "they differ");
    let gradients = |f: &dyn Fn([&mut [f64]; 3])| {
        let [mut y, mut dx, mut dr] = [(); 3].map(|()| vec![0.0; LEN]);
        f([&mut y, &mut dx, &mut dr]);
        (y, dx, dr)
    };
    let turned_gradients = |[y, dx, dk]: [&mut [f64]; 3]| match is_fast {
        true => exported::orbit_gradient_fast::orbit_lanes(&xs, 0.7, y, dx, dk),
        false => exported::orbit_gradient::orbit_lanes(&xs, 0.7, y, dx, dk),
    };
    let iterated_gradients =
        |[y, dx, dr]: [&mut [f64]; 3]| exported::logistic_gradient::logistic_lanes(&halves, 3.3, y, dx, dr);
    let orbit_gradients = || xs.iter().map(|x| orbit_and_gradient(*x, 0.7)).collect::<Vec<_>>();
    let logistic_gradients = || halves.iter().map(|x| logistic_and_gradient(*x, 3.3)).collect::<Vec<_>>();
    let are_close = |(y, dx, dk): (Vec<f64>, Vec<f64>, Vec<f64>), by_hand: Vec<(f64, (f64, f64))>| {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        let all = y.into_iter().zip(dx).zip(dk).zip(by_hand);
        all.into_iter().all(|(((y, dx), dk), (value, (a, b)))| near(y, value) && near(dx, a) && near(dk, b))
    };
    assert!(are_close(gradients(&turned_gradients), orbit_gradients()), "they differ");
    assert!(are_close(gradients(&iterated_gradients), logistic_gradients()), "they differ");
    let mut all = Vec::new();
    if !is_fast {
        let steps = || {
            let mut y = vec![0; LEN];
            exported::escape::escape_lanes(&re, &im, &mut y);
            y
        };
        let alone = || re.iter().zip(&im).map(|(re, im)| escape(*re, *im)).collect::<Vec<u32>>();
        let rooted = |y: &mut [f64]| exported::root::root_lanes(&spots, y);
        let iterated = |y: &mut [f64]| exported::logistic::logistic_lanes(&halves, 3.3, y);
        let roots = || spots.iter().map(|x| root(*x)).collect::<Vec<f64>>();
        let logistics = || halves.iter().map(|x| logistic(*x, 3.3)).collect::<Vec<f64>>();
        assert!(
            steps() == alone() && values(&rooted) == roots() && values(&iterated) == logistics(),
            "they differ"
        );
        all.push(compare("steps of points of the Mandelbrot set", units, steps, alone));
        all.push(compare("square roots by Newton's iteration", units, || values(&rooted), roots));
        all.push(compare("100 steps of a logistic map", units, || values(&iterated), logistics));
        let ours = || gradients(&iterated_gradients);
        all.push(compare("its values and gradients", units, ours, logistic_gradients));
    }
    all.push(compare("prices of options", units, || values(&priced), prices));
    all.push(compare("a recurrence of 300 sines", units, || values(&turned), orbits));
    all.push(compare("its values and gradients", units, || gradients(&turned_gradients), orbit_gradients));
    all
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = registry::program().engine_builder().executor(Native::new()).build();
    let mut all = Vec::new();
    let fast = registry::program().engine_builder().executor(Native::new().with_fast_functions()).build();
    let by_rustc = |native: Native| {
        let rustc = Rustc::new(native).with_cache(Cache::none()).compiling_first();
        registry::program().engine_builder().executor(rustc).build()
    };
    let compiled = by_rustc(Native::new());
    let fast_compiled = by_rustc(Native::new().with_fast_functions());
    let ways = [
        ("without lanes", &engine, None),
        ("64 lanes", &engine, Some(64)),
        ("64 lanes, fast functions", &fast, Some(64)),
        ("64 lanes, map compiled by rustc", &compiled, Some(64)),
        ("64 lanes, fast functions, map compiled by rustc", &fast_compiled, Some(64)),
    ];
    for (title, engine, lanes) in ways {
        let found = rows(engine, lanes);
        print(&format!("{title}, compared with a loop by hand on one core"), "element", &found);
        all.extend(found);
    }
    for (title, is_fast) in [("64 lanes, exported", false), ("64 lanes, exported with fast functions", true)]
    {
        let found = exported_rows(is_fast);
        print(&format!("{title}, compared with a loop by hand on one core"), "element", &found);
        all.extend(found);
    }
    let (spots, (re, im), xs) = (spots(LEN), points(LEN), starts(LEN));
    let halves: Vec<f64> = xs.iter().map(|x| 0.5 + 0.4 * x).collect();
    for set in InstructionSet::all() {
        let found = instruction_sets::rows(&engine, set, ([&re, &im], &spots, &halves));
        let title = format!("64 lanes by {set:?}, compared with a loop by hand on one core");
        print(&title, "element", &found);
        all.extend(found);
    }
    write_json(&all)?;
    Ok(())
}
