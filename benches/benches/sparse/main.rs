//! The cost of sparse derivatives compared with hand-written ones, and with the function itself.
//!
//! `-- --json FILE` writes the rows to a file, `-- --only TEXT` measures those whose names contain it.

#[allow(dead_code, unreachable_pub, clippy::all, reason = "as below")]
#[path = "../../kernels/objectives/adjustment.rs"]
mod adjustment;
#[allow(dead_code, reason = "as below")]
#[path = "../gradient/hand/adjustment.rs"]
mod by_hand;
#[allow(clippy::needless_range_loop, reason = "several arrays are indexed alike")]
mod hand;
#[allow(dead_code, reason = "the gradients take more inputs")]
#[path = "../gradient/inputs.rs"]
mod inputs;
#[allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    reason = "they are written as whoever differentiates them would: loaded from source"
)]
#[path = "../../kernels/objectives/small.rs"]
mod small;
#[allow(dead_code, unreachable_pub, clippy::all, reason = "as above")]
#[path = "../../kernels/objectives/stencil.rs"]
mod stencil;

use std::hint::black_box;
use std::time::{Duration, Instant};

use overdub_ad::TangentSweep;
use overdub_ad::flatten::count_floats;
use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::Engine;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimising;
use overdub_sparsity::{ColoringKind, Detector, SparseDerivative, SparsityPattern, color};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A measurement, named.
type Measured = (&'static str, fn(&str) -> Fallible<Row>);

const ROWS: &[Measured] = &[
    ("brusselator 32", |name| brusselator(name, 32)),
    ("brusselator 256", |name| brusselator(name, 256)),
    ("bundle adjustment", bundle),
    ("arrow head 1000", |name| arrow(name, 1000)),
    ("arrow head 100000", |name| arrow(name, 100_000)),
    ("fluxes 1000, by colors", |name| fluxes(name, 1000)),
    ("fluxes 100000, by colors", |name| fluxes(name, 100_000)),
    ("rosenbrock hessian 100000", |name| curvature(name, 100_000, By::Entries)),
    ("rosenbrock hessian 1000000", |name| curvature(name, 1_000_000, By::Entries)),
    ("rosenbrock hessian 100000, by colors", |name| curvature(name, 100_000, By::Colors)),
    ("rosenbrock hessian 1000000, by colors", |name| curvature(name, 1_000_000, By::Colors)),
];

/// The greatest number of inputs for which a dense Jacobian is measured, too.
const DENSE: usize = 2048;

fn program(file: &str, source: &str) -> Fallible<(Loaded, Engine)> {
    let loaded = Loaded::from_source(file, source)?;
    let engine =
        Engine::builder(loaded.shared_module()).executor(Native::new()).optimizer(Optimising).build();
    Ok((loaded, engine))
}

/// The Jacobian of a function, prepared at an input; prints the time of that.
fn prepared(
    (loaded, engine): &(Loaded, Engine),
    func: &str,
    inputs: &[usize],
    args: &[Value<'static>],
) -> Fallible<SparseDerivative> {
    let func = loaded.function(func)?.symbol;
    let detector = Detector::new(engine).with_respect_to(inputs);
    let begin = Instant::now();
    let pattern: SparsityPattern = detector.jacobian(func, args.to_vec())?;
    let detection = begin.elapsed();
    let derivative = SparseDerivative::jacobian(&detector, func, args.to_vec())?;
    let all = begin.elapsed() - detection;
    println!(
        "detection {detection:?}, preparation {all:?}: {} entries, {}",
        pattern.len(),
        derivative.explain()
    );
    Ok(derivative)
}

/// Prints the time of the matrix compared with the dense one.
fn compared_with_dense(
    name: &str,
    (loaded, engine): &(Loaded, Engine),
    func: &str,
    args: &[Value<'static>],
    evaluate: &mut dyn FnMut(),
) -> Fallible<()> {
    if args.iter().map(count_floats).sum::<usize>() > DENSE {
        return Ok(());
    }
    let func = loaded.function(func)?.symbol;
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..3 {
        let begin = Instant::now();
        black_box(overdub_ad::jacobian(engine, func, args.to_vec())?);
        fastest[0] = fastest[0].min(begin.elapsed());
        for _ in 0..100 {
            let begin = Instant::now();
            evaluate();
            fastest[1] = fastest[1].min(begin.elapsed());
        }
    }
    let [dense, sparse] = fastest.map(|time| time.as_secs_f64());
    println!("{name}: sparse over dense {:.5}, 1 in {:.0}", sparse / dense, dense / sparse);
    Ok(())
}

fn same(name: &str, found: &[f64], expected: &[f64]) -> Fallible<()> {
    let size = expected.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let differs = |(found, expected): (&f64, &f64)| (found - expected).abs() > 1e-12 * size;
    match found.len() != expected.len() || found.iter().zip(expected).any(differs) {
        true => Err(format!("{name}: another Jacobian than that by hand").into()),
        false => Ok(()),
    }
}

fn brusselator(name: &str, side: usize) -> Fallible<Row> {
    let program = program("stencil.rs", include_str!("../../kernels/objectives/stencil.rs"))?;
    let u: Vec<f64> = (0..2 * side * side).map(|i| 1.0 + (i as f64 * 0.7).sin()).collect();
    let args = [Value::from(Array::from_vec(u.clone())), Value::from(side)];
    let jacobian = prepared(&program, "brusselator", &[0], &args)?;
    let mut ours = vec![0.0; jacobian.pattern().len()];
    let mut by_hand = vec![0.0; 12 * side * side];
    let places = hand::brusselator_places(side);
    jacobian.evaluate_into(&args, &mut ours)?;
    hand::brusselator(&u, side, &places, &mut by_hand);
    same(name, &ours, &by_hand)?;
    let primal = compare(name, 1.0, || (), || stencil::brusselator(black_box(&u), side)).hand;
    let row = compare(
        name,
        ours.len() as f64,
        || jacobian.evaluate_into(black_box(&args), &mut ours),
        || hand::brusselator(black_box(&u), side, &places, black_box(&mut by_hand)),
    );
    println!("{name}: {:.2} of a primal written by hand", row.ours.as_secs_f64() / primal.as_secs_f64());
    compared_with_dense(name, &program, "brusselator", &args, &mut || {
        _ = jacobian.evaluate_into(&args, &mut ours)
    })?;
    Ok(row)
}

/// The rows of the Jacobian of all residuals: the hand-written one has a position for both coordinates of the
/// camera's centre, one of which is zero and not an entry.
fn bundle(name: &str) -> Fallible<Row> {
    let program = program("adjustment.rs", include_str!("../../kernels/objectives/adjustment.rs"))?;
    let inputs::Adjustment { cameras, points, weights, features } = inputs::Adjustment::new();
    let args = [&cameras, &points, &weights, &features].map(|part| Value::floats(part.clone()));
    let jacobian = prepared(&program, "all", &[0, 1, 2], &args)?;
    let mut ours = vec![0.0; jacobian.pattern().len()];
    let mut rows = vec![[0.0; 15]; 2 * weights.len()];
    jacobian.evaluate_into(&args, &mut ours)?;
    by_hand::jacobian(&cameras, &points, &weights, &features, &mut rows);
    let entries = |(k, row): (usize, &[f64; 15])| {
        let row = *row;
        (0..15).filter(move |at| *at != 8 - k % 2).map(move |at| row[at]).collect::<Vec<_>>()
    };
    same(name, &ours, &rows.iter().enumerate().flat_map(entries).collect::<Vec<_>>())?;
    let primal = || adjustment::all(black_box(&cameras), &points, &weights, &features);
    let primal = compare(name, 1.0, || (), primal).hand;
    let row = compare(
        name,
        ours.len() as f64,
        || jacobian.evaluate_into(black_box(&args), &mut ours),
        || by_hand::jacobian(black_box(&cameras), &points, &weights, &features, black_box(&mut rows)),
    );
    println!("{name}: {:.2} of a primal written by hand", row.ours.as_secs_f64() / primal.as_secs_f64());
    Ok(row)
}

/// A first row and column, and a diagonal.
fn arrow(name: &str, n: usize) -> Fallible<Row> {
    let program = program("stencil.rs", include_str!("../../kernels/objectives/stencil.rs"))?;
    let x: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64 * 0.7).sin()).collect();
    let args = [Value::floats(x.clone())];
    let jacobian = prepared(&program, "arrow_head", &[0], &args)?;
    let mut ours = vec![0.0; jacobian.pattern().len()];
    let mut by_hand = vec![0.0; 3 * n - 2];
    jacobian.evaluate_into(&args, &mut ours)?;
    hand::arrow_head(&x, &mut by_hand);
    same(name, &ours, &by_hand)?;
    let row = compare(
        name,
        ours.len() as f64,
        || jacobian.evaluate_into(black_box(&args), &mut ours),
        || hand::arrow_head(black_box(&x), black_box(&mut by_hand)),
    );
    compared_with_dense(name, &program, "arrow_head", &args, &mut || {
        _ = jacobian.evaluate_into(&args, &mut ours)
    })?;
    Ok(row)
}

/// By products with directions: several in one sweep, compared with one after another, and the Jacobian by
/// hand.
fn fluxes(name: &str, n: usize) -> Fallible<Row> {
    let program = program("stencil.rs", include_str!("../../kernels/objectives/stencil.rs"))?;
    let u: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64 * 0.7).sin()).collect();
    let args = [Value::floats(u.clone())];
    let jacobian = prepared(&program, "fluxes", &[0], &args)?;
    let mut ours = vec![0.0; jacobian.pattern().len()];
    let mut by_hand = vec![0.0; 3 * n - 2];
    jacobian.evaluate_into(&args, &mut ours)?;
    hand::fluxes(&u, &mut by_hand);
    same(name, &ours, &by_hand)?;
    let route = TangentSweep::new(&program.1, program.0.function("fluxes")?.symbol, &|_| true, 1);
    let groups = jacobian.coloring().column_groups();
    let (mut direction, mut product) = (vec![0.0; n], vec![0.0; n]);
    let mut one_by_one = || {
        groups.iter().try_for_each(|group| {
            group.iter().for_each(|at| direction[*at as usize] = 1.0);
            let result = route.along(&args, &direction, black_box(&mut product));
            group.iter().for_each(|at| direction[*at as usize] = 0.0);
            result
        })
    };
    one_by_one()?;
    let wide = compare(name, 1.0, || jacobian.evaluate_into(black_box(&args), &mut ours), one_by_one);
    println!("{name}: {} colors at once, {:.2} of one by one", groups.len(), wide.ratio());
    let primal = compare(name, 1.0, || (), || stencil::fluxes(black_box(&u))).hand;
    println!("{name}: {:.2} of a primal written by hand", wide.ours.as_secs_f64() / primal.as_secs_f64());
    compared_with_dense(name, &program, "fluxes", &args, &mut || {
        _ = jacobian.evaluate_into(&args, &mut ours)
    })?;
    let row = compare(
        name,
        ours.len() as f64,
        || jacobian.evaluate_into(black_box(&args), &mut ours),
        || hand::fluxes(black_box(&u), black_box(&mut by_hand)),
    );
    Ok(row)
}

/// The Hessian of Rosenbrock's function, by products with three directions.
/// How a Hessian is evaluated.
#[derive(PartialEq, Eq)]
enum By {
    Entries,
    Colors,
}

fn curvature(name: &str, n: usize, by: By) -> Fallible<Row> {
    let program = program("small.rs", include_str!("../../kernels/objectives/small.rs"))?;
    let x: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64 * 0.7).sin()).collect();
    let args = [Value::floats(x.clone())];
    let function = program.0.function("rosenbrock")?;
    let (func, ret) = (function.symbol, function.ir_ret);
    let detector = Detector::new(&program.1);
    let begin = Instant::now();
    let pattern = detector.hessian(func, args.to_vec(), ret)?;
    let detection = begin.elapsed();
    let begin = Instant::now();
    let derivative = match by {
        By::Entries => SparseDerivative::hessian(&detector, func, args.to_vec(), ret)?,
        By::Colors => {
            let coloring = color(&pattern, ColoringKind::Star)?;
            SparseDerivative::with_coloring(&detector, func, &args, Some(ret), pattern, coloring)?
        }
    };
    let how = derivative.explain().clone();
    let mut ours = vec![0.0; derivative.pattern().len()];
    let mut by_hand = vec![0.0; 3 * n - 2];
    derivative.evaluate_into(&args, &mut ours)?;
    let all = begin.elapsed();
    hand::rosenbrock_hessian(&x, &mut by_hand);
    same(name, &ours, &by_hand)?;
    let primal = compare(name, 1.0, || (), || small::rosenbrock(black_box(&x))).hand;
    let row = compare(
        name,
        ours.len() as f64,
        || derivative.evaluate_into(black_box(&args), &mut ours),
        || hand::rosenbrock_hessian(black_box(&x), black_box(&mut by_hand)),
    );
    println!(
        "{name}: detection {detection:?}, {how}, evaluation {:?}, {:.2} of a primal by hand; first Hessian after {all:?}",
        row.ours,
        row.ours.as_secs_f64() / primal.as_secs_f64()
    );
    Ok(row)
}

fn main() -> Fallible<()> {
    let mut args = std::env::args().skip_while(|arg| arg != "--only").skip(1);
    let only = args.next().unwrap_or_default();
    let mut rows = Vec::new();
    for (name, measured) in ROWS.iter().filter(|(name, _)| name.contains(&only)) {
        rows.push(measured(name)?);
    }
    print("sparse derivatives", "entry", &rows);
    Ok(write_json(&rows)?)
}
