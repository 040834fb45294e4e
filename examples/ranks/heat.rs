//! A rod that cools, in parts on several ranks: they exchange the temperatures at their borders.

use overdub::prelude::*;
use overdub::spmd::{Communicator, OnAxis, axis_index, axis_size, bind, ppermute, psum};

/// The temperatures of this rank's part after some steps; the ends of the rod are insulated.
#[dub]
fn cooled(start: &[f64], conductivity: f64, steps: usize) -> Vec<f64> {
    let (rank, size) = (axis_index("rod"), axis_size("rod"));
    let to_right: Vec<(usize, usize)> = (1..size).map(|to| (to - 1, to)).collect();
    let to_left: Vec<(usize, usize)> = (1..size).map(|from| (from, from - 1)).collect();
    let n = start.len();
    let mut t = start.to_vec();
    for _ in 0..steps {
        let from_left = ppermute(t[n - 1], &to_right, "rod");
        let from_right = ppermute(t[0], &to_left, "rod");
        let mut next = t.clone();
        for at in 0..n {
            let left = if at > 0 {
                t[at - 1]
            } else if rank > 0 {
                from_left
            } else {
                t[at]
            };
            let right = if at + 1 < n {
                t[at + 1]
            } else if rank + 1 < size {
                from_right
            } else {
                t[at]
            };
            next[at] += conductivity * (left - 2.0 * t[at] + right);
        }
        t = next;
    }
    t
}

/// How far the rod is from what was measured on it.
#[dub]
fn misfit(start: &[f64], measured: &[f64], conductivity: f64, steps: usize) -> f64 {
    let found = cooled(start, conductivity, steps);
    psum(found.iter().zip(measured).map(|(t, m)| (t - m).powi(2)).sum::<f64>(), "rod")
}

const STEPS: usize = 50;
const LENGTH: usize = 64;

/// Recovers the conductivity from measurements, by the secant method on the derivative of the misfit; returns what each
/// round had.
pub(crate) fn recover<C: Communicator + Clone + 'static>(
    ranks: &C,
) -> Result<Vec<(f64, f64)>, overdub::Error> {
    let part = LENGTH / ranks.size();
    let heated = |at: usize| if (20..30).contains(&at) { 100.0 } else { 0.0 };
    let start: Vec<f64> = (ranks.index() * part..(ranks.index() + 1) * part).map(heated).collect();
    bind("rod", ranks, || {
        let on_rod = || OnAxis::new("rod").replicated(["conductivity", "steps"]);
        // The truth, which the measurements stand for.
        let measured = overdub(on_rod(), cooled, (&start[..], 0.3, STEPS))?;
        // The gradient by the two lists is not used here; that by the conductivity is the same on all ranks.
        let slope = |conductivity: f64| {
            let args = (&start[..], &measured[..], conductivity, STEPS);
            let (loss, (.., slope, _)) =
                value_and_gradient(under(on_rod().result_is_replicated(), misfit), args)?;
            Ok::<_, overdub::Error>((loss, slope))
        };
        let mut rounds = Vec::new();
        let (mut k0, mut k1) = (0.25, 0.26);
        let mut slope0 = slope(k0)?.1;
        while rounds.len() < 20 && f64::abs(k1 - k0) > 1e-12 {
            let (loss, slope1) = slope(k1)?;
            rounds.push((k1, loss));
            (k0, k1, slope0) = (k1, k1 - slope1 * (k1 - k0) / (slope1 - slope0), slope1);
        }
        Ok(rounds)
    })
}
