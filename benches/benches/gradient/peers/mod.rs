//! The same gradients by other crates: `reverse` by a tape, `num-dual` by several tangents at once, and with
//! the feature `ad_trait` that crate by both. All of them need generic programs over a number type, which
//! ours does not.

#[cfg(feature = "ad_trait")]
mod ad_trait;
mod number;
pub(crate) mod programs;

use std::hint::black_box;
use std::time::Duration;

use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64, HyperDual64};
use reverse::Tape;

use self::programs::Program;
use super::measure::{Fallible, Row, check, fastest, seen};

/// The number of tangents that are carried at once.
const LANES: usize = 8;

/// Forward mode is not measured for gradients with more inputs.
const FORWARD: usize = 200;

/// The destinations of a gradient's rows: for each result its value and its derivatives.
type Rows<'a> = &'a mut [Vec<f64>];

/// Fills a row.
fn fill(row: &mut Vec<f64>, value: f64, derivatives: impl Iterator<Item = f64>) {
    row.clear();
    row.push(value);
    row.extend(derivatives);
}

fn by_reverse<const R: usize>(program: &impl Program<R>, x: &[f64], tape: &Tape, rows: Rows<'_>) {
    tape.clear();
    let inputs = tape.add_vars(x);
    for (y, row) in program.run(&inputs).iter().zip(rows) {
        // Inputs are the first nodes of the tape.
        fill(row, y.val(), y.grad().into_iter().take(x.len()));
    }
}

/// Forward mode, several inputs at a time: `seeded` creates an input, its `usize` being the position of its
/// tangent, and `seed` splits a result into its value and tangents.
fn by_tangents<N: number::Number, const R: usize, const L: usize>(
    program: &impl Program<R>,
    x: &[f64],
    rows: Rows<'_>,
    seeded: impl Fn(f64, Option<usize>) -> N,
    seed: impl Fn(N) -> (f64, [f64; L]),
) {
    rows.iter_mut().for_each(Vec::clear);
    for from in (0..x.len()).step_by(L) {
        let lane = |at: usize| at.checked_sub(from).filter(|&lane| lane < L);
        let inputs: Vec<N> = x.iter().enumerate().map(|(at, &x)| seeded(x, lane(at))).collect();
        for (y, row) in program.run(&inputs).into_iter().zip(rows.iter_mut()) {
            let (value, tangents) = seed(y);
            if from == 0 {
                row.push(value);
            }
            row.extend(tangents.iter().take(x.len() - from));
        }
    }
}

fn by_num_dual<const R: usize, const L: usize>(program: &impl Program<R>, x: &[f64], rows: Rows<'_>) {
    let seeded = |x, lane: Option<usize>| {
        let tangent = lane.map(|lane| SVector::from_fn(|at, _| f64::from(u8::from(at == lane))));
        DualSVec64::<L>::new(x, Derivative::new(tangent))
    };
    by_tangents(program, x, rows, seeded, |y| (y.re, y.eps.0.map_or([0.0; L], Into::into)));
}

/// Measures the gradient of one result with all peers, and adds them to our row.
pub(crate) fn with_peers(row: Row, program: &impl Program<1>, x: &[f64], expected: &[f64]) -> Fallible<Row> {
    several(row, &[(x, program)], &[[expected.to_vec()]])
}

/// Measures the Jacobians of many programs, each with its inputs.
pub(crate) fn several<const R: usize, P: Program<R>>(
    mut row: Row,
    work: &[(&[f64], &P)],
    expected: &[[Vec<f64>; R]],
) -> Fallible<Row> {
    let inputs = work.first().map_or(0, |(x, _)| x.len());
    let tape = Tape::new();
    type PeerRun<'a, P> = &'a dyn Fn(&P, &[f64], Rows<'_>);
    let by_tape = |program: &P, x: &[f64], rows: Rows<'_>| by_reverse(program, x, &tape, rows);
    let (one, forward) = (inputs == 1, (2..=FORWARD).contains(&inputs));
    let peers: &[(&'static str, bool, PeerRun<'_, P>)] = &[
        ("reverse", true, &by_tape),
        ("num-dual", one, &by_num_dual::<R, 1>),
        ("num-dual", forward, &by_num_dual::<R, LANES>),
        #[cfg(feature = "ad_trait")]
        ("ad_trait, tape", true, &ad_trait::by_tape),
        #[cfg(feature = "ad_trait")]
        ("ad_trait, tangents", one, &ad_trait::by_lanes::<R, 1>),
        #[cfg(feature = "ad_trait")]
        ("ad_trait, tangents", forward, &ad_trait::by_lanes::<R, LANES>),
    ];
    for &(peer, _, run) in peers.iter().filter(|(_, fits, _)| *fits) {
        let mut rows: [Vec<f64>; R] = std::array::from_fn(|_| Vec::new());
        for ((x, program), expected) in work.iter().zip(expected) {
            run(program, x, &mut rows);
            for (found, expected) in rows.iter().zip(expected) {
                check(&format!("{} by {peer}", row.name), found, expected)?;
            }
        }
        let [time] = fastest([&mut || {
            for (x, program) in work {
                run(program, black_box(x), black_box(&mut rows));
            }
        }]);
        row.peers.push((peer, time));
    }
    Ok(row)
}

/// The Hessian-vector product along `v`, one input at a time: the cost of hyper-dual numbers.
pub(crate) fn curvature(
    mut row: Row,
    program: &impl Program<1>,
    (x, v): (&[f64], &[f64]),
    expected: &[f64],
) -> Fallible<Row> {
    let product = || -> Vec<f64> {
        let input =
            |at: usize, wanted: usize| HyperDual64::new(x[at], f64::from(u8::from(at == wanted)), v[at], 0.0);
        let inputs_along = |wanted: usize| (0..x.len()).map(|at| input(at, wanted)).collect::<Vec<_>>();
        (0..x.len()).map(|wanted| program.run(&inputs_along(wanted))[0].eps1eps2).collect()
    };
    check(&format!("{} by num-dual", row.name), &product(), expected)?;
    let [time]: [Duration; 1] = fastest([&mut || seen(product())]);
    row.peers.push(("num-dual", time));
    Ok(row)
}
