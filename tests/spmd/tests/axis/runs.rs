//! What collectives return, under contexts and by every executor.

// One tuple holds a result of each collective.
#![allow(clippy::type_complexity)]

use overdub::ad::{hvp, value_and_gradient};
use overdub::prelude::*;
use overdub::spmd::{
    Communicator, OnAxis, ThreadRank, all_gather, all_to_all, axis_index, axis_size, bind, broadcast, pmax,
    pmean, pmin, ppermute, psum, ranks,
};

#[dub]
fn all(x: f64, n: u64) -> (f64, u64, f64, f64, f64, Vec<(usize, f64)>, f64) {
    let own = axis_index("r");
    let pairs = vec![(0, 1), (1, 2)];
    (
        psum(x, "r"),
        psum(n, "r"),
        pmean(x, "r"),
        pmax(x, "r"),
        pmin(x, "r"),
        all_gather((own, x), "r"),
        ppermute(broadcast(x, 1, "r") + x, &pairs, "r"),
    )
}

fn on<R: Send>(size: usize, run: impl Fn(&ThreadRank) -> Result<R, overdub::Error> + Sync) -> Vec<R> {
    ranks(size, |rank| bind("r", &rank, || run(&rank))).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn collectives_exchange_values() {
    let found = on(3, |rank| {
        let at = rank.index();
        overdub(OnAxis::new("r"), all, ([1.0, f64::NAN, 4.0][at], at as u64))
    });
    assert!(found.iter().all(|(sum, ..)| sum.is_nan()));
    let extremes: Vec<_> = found.iter().map(|found| (found.1, found.3, found.4)).collect();
    assert_eq!(extremes, [(3, 4.0, 1.0); 3]);
    assert_eq!(found[2].5[2], (2, 4.0));
    let found = on(3, |rank| overdub(OnAxis::new("r"), all, ([1.0, 2.0, 4.0][rank.index()], 1)));
    let gathered = vec![(0, 1.0), (1, 2.0), (2, 4.0)];
    let expected = |arrived| (7.0, 3, 7.0 / 3.0, 4.0, 1.0, gathered.clone(), arrived);
    assert_eq!(found, [expected(0.0), expected(3.0), expected(4.0)]);
}

#[test]
fn functions_mean_one_element_until_an_axis_is_bound() {
    let alone = |x: f64| (x, 7, x, x, x, vec![(0, x)], 0.0);
    #[dub]
    fn some(x: f64) -> Vec<f64> {
        all_to_all(vec![pmean(vec![x], "r")[0] + axis_size("r") as f64], "r")
    }
    assert_eq!(some(2.0), [3.0]);
    assert_eq!(run(some, (2.0,)).expect("it runs"), [3.0]);
    #[dub]
    fn one(x: f64, n: u64) -> (f64, u64, f64, f64, f64, Vec<(usize, f64)>, f64) {
        (
            psum(x, "r"),
            psum(n, "r"),
            pmean(x, "r"),
            pmax(x, "r"),
            pmin(x, "r"),
            all_gather((axis_index("r"), x), "r"),
            ppermute(x, &[], "r"),
        )
    }
    assert_eq!(one(2.0, 7), alone(2.0));
    assert_eq!(run(one, (2.0, 7)).expect("it runs"), alone(2.0));
    let [(dx, _)] = [gradient(one_sum, (2.0, 3.0)).expect("it has one")];
    assert_eq!(dx, 3.0);
}

#[dub]
fn one_sum(x: f64, k: f64) -> f64 {
    psum(x * k, "r")
}

/// Conjugate gradients on the ring Laplacian plus `shift`, distributed: each rank has one number.
#[dub]
fn solve(b: f64, shift: f64) -> f64 {
    let n = axis_size("r");
    let right: Vec<(usize, usize)> = (0..n).map(|at| (at, (at + 1) % n)).collect();
    let left: Vec<(usize, usize)> = (0..n).map(|at| ((at + 1) % n, at)).collect();
    let times = |x: f64| (2.0 + shift) * x - ppermute(x, &right, "r") - ppermute(x, &left, "r");
    let (mut x, mut r) = (0.0, b);
    let mut p = r;
    let mut square = psum(r * r, "r");
    let mut steps = 0;
    while square > 1e-24 && steps < 50 {
        let ap = times(p);
        let alpha = square / psum(p * ap, "r");
        x += alpha * p;
        r -= alpha * ap;
        let next = psum(r * r, "r");
        p = r + next / square * p;
        square = next;
        steps += 1;
    }
    x
}

#[dub]
fn energy(b: f64, shift: f64) -> f64 {
    psum(solve(b, shift) * b, "r")
}

#[test]
fn solvers_with_collectives_in_loops_are_differentiated() {
    let size = 4;
    let cx = || OnAxis::new("r").replicated(["shift"]).result_is_replicated();
    let b = [1.0, -0.5, 2.0, 0.25];
    let found = on(size, |rank| value_and_gradient(under(cx(), energy), (b[rank.index()], 0.7)));
    // E = bᵀ A⁻¹ b: ∂E/∂b = 2 x, ∂E/∂shift = -xᵀ x.
    let x = on(size, |rank| overdub(OnAxis::new("r").replicated(["shift"]), solve, (b[rank.index()], 0.7)));
    let square: f64 = x.iter().map(|x| x * x).sum();
    for (rank, (_, (db, dshift))) in found.into_iter().enumerate() {
        assert!((db - 2.0 * x[rank]).abs() < 1e-9, "{db} {}", 2.0 * x[rank]);
        assert!((dshift + square).abs() < 1e-9, "{dshift} {square}");
    }
}

#[dub]
fn quartic(x: f64, k: f64) -> f64 {
    psum(x * x * k, "r") * k
}

#[test]
fn derivatives_of_derivatives_communicate() {
    let (x, dx, k, dk) = ([1.0, 3.0], [0.5, -1.0], 2.0, 0.25);
    let found = on(2, |rank| {
        let at = rank.index();
        hvp(under(OnAxis::new("r").replicated(["k"]), quartic), (x[at], k), (dx[at], dk))
    });
    // The function is (x₀² + x₁²) k².
    let square: f64 = x.iter().map(|x| x * x).sum();
    let slope: f64 = x.iter().zip(dx).map(|(x, dx)| 2.0 * x * dx).sum();
    let by_k = 2.0 * dk * square + 2.0 * k * slope;
    let by_x = |at: usize| 2.0 * dx[at] * k * k + 4.0 * x[at] * k * dk;
    assert_eq!(found, [(by_x(0), by_k), (by_x(1), by_k)]);
}

#[test]
fn contexts_nest_with_an_axis() {
    let found = on(2, |rank| {
        let x = [1.0, 3.0][rank.index()];
        let cx = || OnAxis::new("r").replicated(["k"]);
        let sums =
            || ctx_with::<usize>().when(|call| call.calls("axis.psum")).before(|count, _, _| *count += 1);
        let (outside, seen) = overdub((sums(), cx()), quartic, (x, 2.0))?;
        let (inside, _) = overdub((cx(), sums()), quartic, (x, 2.0))?;
        let ((y, pullback), _) = overdub((ADCtx, (sums(), cx())), quartic, (x, 2.0))
            .map(|((y, seen), pullback)| ((y, pullback), seen))?;
        Ok((outside, inside, y, seen, pullback.call(1.0)?))
    });
    assert_eq!(found[0], (40.0, 40.0, 40.0, 1, (8.0, 40.0)));
    assert_eq!(found[1], (40.0, 40.0, 40.0, 1, (24.0, 40.0)));
}

#[dub]
fn grid(x: f64) -> f64 {
    psum(x, "rows") * 10.0 + psum(x * axis_index("columns") as f64, "columns")
}

#[test]
fn axes_nest() {
    let found = ranks(2, |outer| {
        ranks(2, |inner| {
            let x = (outer.index() * 2 + inner.index()) as f64;
            // The rows of a column are the outer ranks: they meet in the outer axis one inner rank after the other.
            bind("columns", &inner, || overdub(OnAxis::new("columns"), grid, (x,)))
        })
        .map_err(|error| error.to_string())
    });
    // The axis `rows` is not bound: it has one element.
    assert_eq!(found.expect("it runs"), [[1.0, 11.0], [23.0, 33.0]]);
}
