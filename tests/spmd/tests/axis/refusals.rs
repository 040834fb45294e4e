//! What is refused, with what is said.

use overdub::prelude::*;
use overdub::spmd::{
    Communicator, OnAxis, RanksError, ThreadRank, all_to_all, bind, broadcast, map, ppermute, psum, ranks,
};

fn on<R: Send>(
    size: usize,
    run: impl Fn(&ThreadRank) -> Result<R, overdub::Error> + Sync,
) -> Result<Vec<R>, (usize, String)> {
    ranks(size, |rank| bind("r", &rank, || run(&rank))).map_err(|error| match error {
        RanksError::Rank { rank, error } => (rank, error.message().to_owned()),
        other => (usize::MAX, other.to_string()),
    })
}

fn message<R: Send + std::fmt::Debug>(result: Result<Vec<R>, (usize, String)>) -> String {
    result.expect_err("it is refused").1
}

#[dub]
fn hangs(x: f64) -> f64 {
    if x > 0.0 { psum(x, "r") } else { x }
}
#[dub]
fn early(x: f64) -> f64 {
    if x > 0.0 {
        return x;
    }
    psum(x, "r")
}
#[dub]
fn unequal(n: usize) -> f64 {
    let mut y = 1.0;
    for _ in 0..n {
        y = psum(y, "r");
    }
    y
}
#[dub]
fn failing(x: f64) -> f64 {
    assert!(x > 0.0, "{x} is not positive");
    psum(x.sqrt(), "r")
}
#[dub]
fn own(x: f64) -> f64 {
    psum(x, "r") + x
}
#[dub]
fn by_name(x: f64, axis: &str) -> f64 {
    psum(x, axis)
}
#[dub]
fn recursive(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { psum(recursive(x, n - 1), "r") }
}

#[test]
fn a_collective_under_a_branch_that_varies_names_the_branch() {
    for found in [
        message(on(2, |rank| overdub(OnAxis::new("r"), hangs, (rank.index() as f64,)))),
        message(on(2, |rank| overdub(OnAxis::new("r"), early, (rank.index() as f64,)))),
        message(on(2, |rank| overdub(OnAxis::new("r"), unequal, (rank.index(),)))),
    ] {
        assert!(found.contains("`psum` is under the branch at"), "{found}");
        assert!(found.contains("refusals.rs:"), "{found}");
    }
    // With a replicated condition, all ranks reach it.
    let found = on(2, |_| overdub(OnAxis::new("r").replicated(["n"]), unequal, (3,)));
    assert_eq!(found, Ok(vec![8.0, 8.0]));
    // A rank that fails reaches nothing after it: that is no branch.
    assert_eq!(on(2, |_| overdub(OnAxis::new("r"), failing, (4.0,))), Ok(vec![4.0, 4.0]));
}

#[test]
fn the_rank_that_fails_is_named_and_the_others_end() {
    let found = on(3, |rank| overdub(OnAxis::new("r"), failing, (1.0 - rank.index() as f64,)));
    let (rank, text) = found.expect_err("ranks 1 and 2 fail");
    assert!(rank > 0 && text.contains("is not positive"), "{rank}: {text}");
    let found = ranks(2, |rank| {
        if rank.index() == 1 {
            return Ok(0.0);
        }
        bind("r", &rank, || overdub(OnAxis::new("r"), own, (1.0,)))
    });
    let text = found.expect_err("rank 1 has ended").to_string();
    assert!(text.contains("rank 1 has ended"), "{text}");
    let panicked = std::panic::catch_unwind(|| {
        ranks(2, |rank| {
            assert!(rank.index() == 0, "a bug of the host");
            bind("r", &rank, || overdub(OnAxis::new("r"), own, (1.0,)))
        })
    });
    assert!(panicked.is_err());
}

#[test]
fn replicated_arguments_are_compared() {
    let cx = || OnAxis::new("r").replicated(["x"]);
    let text = message(on(2, |rank| overdub(cx(), own, (rank.index() as f64,))));
    assert!(text.contains("`x` is said to be replicated"), "{text}");
    assert_eq!(on(2, |_| overdub(cx(), own, (2.0,))), Ok(vec![6.0, 6.0]));
    let text = message(on(1, |_| overdub(OnAxis::new("r").replicated(["y"]), own, (2.0,))));
    assert!(text.contains("no argument `y`"), "{text}");
    let text = message(on(2, |_| overdub(OnAxis::new("r").result_is_replicated(), own, (2.0,))));
    assert!(text.contains("the result varies"), "{text}");
}

#[test]
fn an_axis_is_bound_and_typed() {
    let error = overdub(OnAxis::new("r"), own, (1.0,)).expect_err("no ranks");
    assert!(error.message().contains("the axis `r` is not bound"), "{error}");
    let text = message(on(2, |_| run(own, (1.0,))));
    assert!(text.contains("runs outside of `OnAxis::new(\"r\")`"), "{text}");
    let text = message(on(2, |_| overdub(OnAxis::new("r"), by_name, (1.0, "r"))));
    assert!(text.contains("the axis of `psum` is not a constant"), "{text}");
    let text = message(on(2, |_| overdub(OnAxis::new("r").replicated(["n"]), recursive, (1.0, 2))));
    assert!(text.contains("calls itself"), "{text}");
    let text = message(on(2, |_| {
        map(own).over((&[1.0, 2.0],)).values().map_err(|error| match error {
            overdub::spmd::MapError::Element { error, .. } => error,
            other => panic!("{other}"),
        })
    }));
    assert!(text.contains("elements of a mapped call"), "{text}");
}

#[dub]
fn descended(x: f64, slope: f64) -> f64 {
    let by_slope = gradient(move |slope: f64| psum(x * slope, "r") * slope, (slope,)).unwrap().0;
    slope - by_slope
}
#[dub]
fn product(x: f64, slope: f64) -> f64 {
    psum(x * slope, "r") * slope
}

#[test]
fn derivatives_that_were_taken_before_values_are_typed_are_refused() {
    let cx = || OnAxis::new("r").replicated(["slope"]);
    let text = message(on(2, |rank| overdub(cx(), descended, (1.0 + rank.index() as f64, 2.0))));
    assert!(text.contains("a derivative inside communicates on the axis `r`"), "{text}");
    let text = message(on(2, |rank| {
        let (_, pullback) = overdub((cx(), ADCtx), product, (1.0 + rank.index() as f64, 2.0))?;
        pullback.call(1.0)
    }));
    assert!(text.contains("a derivative inside communicates on the axis `r`"), "{text}");
}

#[dub]
fn permuted(x: f64, to: usize) -> f64 {
    ppermute(x, &[(0, to), (1, 0)], "r")
}
#[dub]
fn exchanged(xs: Vec<f64>) -> Vec<f64> {
    all_to_all(xs, "r")
}
#[dub]
fn from(x: f64, root: usize) -> f64 {
    broadcast(x, root, "r")
}
#[dub]
fn lists(xs: Vec<f64>) -> Vec<f64> {
    psum(xs, "r")
}
#[dub]
fn wide(n: u8) -> u8 {
    psum(n, "r")
}

#[test]
fn ranks_that_disagree_fail_instead_of_waiting() {
    let replicated = |name: &str| OnAxis::new("r").replicated([name]);
    for (found, expected) in [
        (
            message(on(2, |_| overdub(replicated("to"), permuted, (1.0, 0)))),
            "a rank sends twice, or is sent to twice",
        ),
        (message(on(2, |_| overdub(replicated("to"), permuted, (1.0, 5)))), "there is no rank 5"),
        (message(on(2, |rank| overdub(OnAxis::new("r"), permuted, (1.0, 1 + rank.index())))), "rank"),
        (message(on(2, |_| overdub(replicated("root"), from, (1.0, 2)))), "there is no rank 2"),
        (
            message(on(2, |_| overdub(OnAxis::new("r"), exchanged, (vec![1.0],)))),
            "one value for each of 2 ranks, got 1",
        ),
        (
            message(on(2, |rank| overdub(OnAxis::new("r"), lists, (vec![1.0; rank.index()],)))),
            "ranks call different collectives",
        ),
        (message(on(2, |_| overdub(OnAxis::new("r"), wide, (200,)))), "attempt to add with overflow"),
    ] {
        assert!(found.contains(expected), "`{expected}` is not in: {found}");
    }
}

#[test]
fn ranks_that_call_different_collectives_fail() {
    let found = on(2, |rank| match rank.index() {
        0 => overdub(OnAxis::new("r"), own, (1.0,)),
        _ => overdub(OnAxis::new("r").replicated(["root"]), from, (1.0, 0)),
    });
    let text = message(found);
    assert!(
        text.contains("ranks call different collectives") || text.contains("is said to be replicated"),
        "{text}"
    );
}
