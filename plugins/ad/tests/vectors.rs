//! Vectors that are sorted, grow and shrink: the transformation against the tape and against differences.

use overdub::ad::{Strategy, check_at, gradient, hvp, prepare};
use overdub::prelude::*;
use overdub_ad::flatten::floats;
use overdub_ad::tape::record;
use overdub_context::value::Value;
use overdub_lower::api::{Callable, engine};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Checks that the gradient is found by transformation, and equals that of the tape and of differences.
macro_rules! transformed {
    ($func:ident($xs:expr)) => {{
        let xs: &[f64] = &$xs;
        assert_eq!(prepare($func).strategy::<(&[f64],)>()?, Strategy::Transformation, stringify!($func));
        let (dxs,) = gradient($func, (xs,))?;
        let symbol = Callable::<(&[f64],)>::target(&$func)?.function.symbol;
        let recorded = record(engine(), symbol, vec![Value::floats(xs.to_vec())])?;
        let expected: Vec<f64> = recorded.pullback.pull(&[1.0])?.iter().flat_map(floats).collect();
        for (ours, expected) in dxs.iter().zip(&expected) {
            assert!((ours - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{dxs:?}, not {expected:?}");
        }
        check_at($func, (xs,)).unwrap_or_else(|complaint| panic!("{complaint}"));
    }};
}

#[dub]
fn median(xs: &[f64]) -> f64 {
    let mut sorted = xs.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let n = sorted.len();
    sorted[n / 2] * sorted[n / 2] + sorted[0] * sorted[n - 1]
}

#[dub]
fn ranked(xs: &[f64]) -> f64 {
    let mut pairs: Vec<(f64, usize)> = xs.iter().enumerate().map(|(at, x)| (x * x, at)).collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut sum = 0.0;
    for (rank, (x, at)) in pairs.iter().enumerate() {
        sum += x * (rank as f64 + 1.0) + xs[*at].sin();
    }
    sum
}

#[dub]
fn sorted_rows(xs: &[f64]) -> f64 {
    let mut rows = Vec::new();
    for (at, x) in xs.iter().enumerate() {
        rows.push(vec![*x, x * at as f64]);
    }
    rows.sort_by(|a, b| b[0].total_cmp(&a[0]));
    rows[0][1] * rows[1][0] + rows[2][1]
}

#[test]
fn what_is_sorted_takes_its_derivatives_back() -> Outcome {
    let xs = [1.7, 2.1, -1.5, -0.1, 3.1];
    transformed!(median(xs));
    transformed!(ranked(xs));
    transformed!(sorted_rows(xs));
    Ok(())
}

#[dub]
fn popped(xs: &[f64]) -> f64 {
    let mut stack = xs.to_vec();
    let mut sum = 1.0;
    while let Some(x) = stack.pop() {
        sum = sum * x + x * x;
        if stack.len() > 3 {
            stack.pop();
        }
    }
    sum
}

#[dub]
fn pushed_and_popped(xs: &[f64]) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    for x in xs {
        if *x > 0.0 {
            stack.push(x * x);
        } else {
            let a = stack.pop().unwrap_or(1.0);
            let b = stack.pop().unwrap_or(2.0);
            stack.push(a * b + x);
        }
    }
    stack.iter().sum::<f64>()
}

#[dub]
fn inserted(xs: &[f64]) -> f64 {
    let mut ys: Vec<f64> = Vec::new();
    for x in xs {
        let at = ys.iter().position(|y| y > x).unwrap_or(ys.len());
        ys.insert(at, *x);
    }
    ys.iter().enumerate().map(|(rank, y)| y * y * rank as f64).sum::<f64>()
}

#[dub]
fn removed(xs: &[f64]) -> f64 {
    let mut ys = xs.to_vec();
    let a = ys.remove(1);
    let b = ys.swap_remove(0);
    ys.remove(0);
    a * b + ys.iter().map(|y| y * y * a).sum::<f64>()
}

#[dub]
fn copied(xs: &[f64]) -> f64 {
    let mut ys: Vec<f64> = xs.iter().map(|x| x * x).collect();
    ys.copy_within(0..3, 1);
    ys.iter().enumerate().map(|(at, y)| y * y * at as f64).sum::<f64>()
}

#[dub]
fn repeated(xs: &[f64]) -> f64 {
    let mut rows = vec![vec![xs[0], xs[1] * xs[2]]; 3];
    for (at, row) in rows.iter_mut().enumerate() {
        row[0] *= xs[at];
    }
    let pairs = [(xs[3], xs[4].sin()); 2];
    rows.iter().map(|row| row[0] * row[1]).sum::<f64>() + pairs[0].0 * pairs[1].1
}

#[test]
fn vectors_that_grow_and_shrink_take_their_derivatives_back() -> Outcome {
    let xs = [1.7, 2.1, -1.5, -0.1, 3.1];
    transformed!(popped(xs));
    transformed!(pushed_and_popped(xs));
    transformed!(inserted(xs));
    transformed!(removed(xs));
    transformed!(copied(xs));
    transformed!(repeated(xs));
    Ok(())
}

#[test]
fn what_is_sorted_has_second_derivatives() -> Outcome {
    let (xs, along) = ([1.7, 2.1, -1.5], [1.0, 0.5, -2.0]);
    let (h, shifted) = (1e-6, |t: f64| [0, 1, 2].map(|k| xs[k] + t * along[k]));
    let (ours,) = hvp(ranked, (&xs[..],), (&along[..],))?;
    let ((above,), (below,)) =
        (gradient(ranked, (&shifted(h)[..],))?, gradient(ranked, (&shifted(-h)[..],))?);
    for ((ours, above), below) in ours.iter().zip(above).zip(below) {
        assert!((ours - (above - below) / (2.0 * h)).abs() < 1e-6);
    }
    Ok(())
}
