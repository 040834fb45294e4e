//! The transpose of each collective, by the identity of dot products: `⟨w, A dx⟩ = ⟨Aᵀ w, dx⟩` over all ranks, of any kind.

use overdub::ad::jvp;
use overdub::prelude::*;
use overdub::spmd::{
    Communicator, OnAxis, all_gather, all_to_all, axis_index, axis_size, bind, broadcast, pmax, pmean, pmin,
    ppermute, psum,
};

/// Whether ranks have the same result, or each its own.
#[derive(Clone, Copy, PartialEq)]
enum Ranks {
    Same,
    Own,
}

#[dub]
fn summed(x: &[f64]) -> Vec<f64> {
    psum(x.to_vec(), "r")
}
#[dub]
fn averaged(x: &[f64]) -> Vec<f64> {
    pmean(x.to_vec(), "r")
}
#[dub]
fn gathered(x: &[f64]) -> Vec<f64> {
    all_gather(x.to_vec(), "r").concat()
}
#[dub]
fn from_last(x: &[f64]) -> Vec<f64> {
    broadcast(x.to_vec(), axis_size("r") - 1, "r")
}
#[dub]
fn shifted(x: &[f64]) -> Vec<f64> {
    let moves: Vec<(usize, usize)> = (1..axis_size("r")).map(|to| (to - 1, to)).collect();
    ppermute(x.to_vec(), &moves, "r")
}
#[dub]
fn exchanged(x: &[f64]) -> Vec<f64> {
    let n = axis_size("r");
    let parts: Vec<f64> = (0..n).map(|at| x[at % x.len()] * (1.0 + at as f64)).collect();
    all_to_all(parts, "r")
}
#[dub]
fn extremes(x: &[f64]) -> Vec<f64> {
    vec![pmax(x[0], "r"), pmin(x[1], "r"), pmax(x[2].sin(), "r")]
}
#[dub]
fn mixed(x: &[f64]) -> Vec<f64> {
    let total = psum(x[0] * x[1], "r");
    let own = axis_index("r") as f64;
    x.iter().map(|x| x * total + own * total.sin()).collect()
}

/// The two sides of a law, as far as this rank contributes to them.
pub(crate) struct Sides {
    pub(crate) law: &'static str,
    pub(crate) by_tangents: f64,
    pub(crate) by_cotangents: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Numbers that look random.
fn numbers(seed: usize, count: usize) -> Vec<f64> {
    (0..count).map(|at| ((seed * 31 + at * 17 + 7) as f64 * 0.7).sin()).collect()
}

macro_rules! laws {
    ($($func:ident: $result:expr;)*) => {
        /// Both sides of the law of each collective, on these ranks.
        pub(crate) fn laws<C: Communicator + Clone + 'static>(ranks: &C) -> Result<Vec<Sides>, overdub::Error> {
            let mut all = Vec::new();
            $(
                let at = ranks.index();
                let (x, dx) = (numbers(at, 3), numbers(100 + at, 3));
                let (by_tangents, by_cotangents) = bind("r", ranks, || {
                    let cx = OnAxis::new("r");
                    let (y, dy) = jvp(under(cx.clone(), $func), (&x[..],), (dx.clone(),))?;
                    // A cotangent of what all ranks have is the same on all, and counts once.
                    let is_same = $result == Ranks::Same;
                    let w = numbers(if is_same { 200 } else { 200 + at }, y.len());
                    let (again, pullback) = overdub((ADCtx, cx), $func, (&x[..],))?;
                    let (wx,) = pullback.call(w.clone())?;
                    assert_eq!(again, y);
                    let by_tangents = if is_same && at > 0 { 0.0 } else { dot(&w, &dy) };
                    Ok::<_, overdub::Error>((by_tangents, dot(&wx, &dx)))
                })?;
                all.push(Sides { law: stringify!($func), by_tangents, by_cotangents });
            )*
            Ok(all)
        }
    };
}

laws! {
    summed: Ranks::Same;
    averaged: Ranks::Same;
    gathered: Ranks::Same;
    from_last: Ranks::Same;
    shifted: Ranks::Own;
    exchanged: Ranks::Own;
    extremes: Ranks::Same;
    mixed: Ranks::Own;
}
