//! Strong zeros: a cotangent of zero contributes nothing, whatever it is multiplied by (ZEROS1), and functions that
//! only compute get there by plain products first (ZEROS2, ZEROS3).

use std::sync::{Arc, Mutex};

use overdub::ad::{gradient, hessian, prepare, rule, value_and_gradient};
use overdub::prelude::*;
use overdub_ad::GradientRoute;
use overdub_context::engine::Interpreting;
use overdub_context::value::Value;
use overdub_lower::Loaded;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn scaled_root(x: f64, y: f64) -> f64 {
    x.sqrt() * y
}

#[dub]
fn roots(xs: &[f64], ys: &[f64]) -> f64 {
    xs.iter().zip(ys).map(|(x, y)| x.sqrt() * y).sum()
}

#[dub]
fn steepest(xs: &[f64; 3]) -> f64 {
    let mut largest = xs[0].ln();
    for x in xs {
        if x.ln() > largest {
            largest = x.ln();
        }
    }
    largest * 0.0 + xs[2]
}

#[dub]
fn clipped(x: f64) -> f64 {
    x
}

#[dub]
fn through_a_rule(x: f64, y: f64) -> f64 {
    clipped(x).sqrt() * y
}

#[test]
fn a_zero_that_meets_an_infinity_is_zero() -> Outcome {
    assert_eq!(gradient(scaled_root, (0.0, 0.0))?, (0.0, 0.0));
    assert_eq!(gradient(scaled_root, (4.0, 3.0))?, (0.75, 2.0));
    assert_eq!(gradient(scaled_root, (0.0, 1.0))?, (f64::INFINITY, 0.0));
    let (_, (dx, dy)) = value_and_gradient(scaled_root, (-1.0, 1.0))?;
    assert!(dx.is_nan() && dy.is_nan(), "a NaN that strong zeros give, too");
    assert_eq!(gradient(roots, (&[0.0, 4.0][..], &[0.0, 3.0][..]))?, (vec![0.0, 0.75], vec![0.0, 2.0]));
    assert_eq!(gradient(steepest, (&[0.0, 0.0, 2.0],))?.0, [0.0, 0.0, 1.0]);
    Ok(())
}

#[test]
fn a_prepared_gradient_is_right_before_and_after_it_meets_one() -> Outcome {
    let f = prepare(roots);
    let (mut dx, mut dy) = ([9.0; 2], [9.0; 2]);
    for round in 0..300 {
        let x = if round % 7 == 5 { 0.0 } else { 4.0 };
        let (xs, ys) = ([x, 1.0], [x, 2.0]);
        f.gradient_into((&xs[..], &ys[..]), (&mut dx[..], &mut dy[..]))?;
        let expected = if x == 0.0 { (0.0, 0.0) } else { (1.0, 2.0) };
        assert_eq!((dx, dy), ([expected.0, 1.0], [expected.1, 1.0]), "round {round}");
        assert_eq!(f.gradient((&xs[..], &ys[..]))?, (dx.to_vec(), dy.to_vec()));
    }
    Ok(())
}

#[test]
fn code_of_the_user_never_sees_the_nan_of_a_plain_product() -> Outcome {
    // `f64::max` turns NaN into a number.
    rule("clipped").reverse(|(_,): (f64,), _: f64, dy: f64| (dy.max(-1.0),)).register()?;
    assert_eq!(gradient(through_a_rule, (0.0, 0.0))?, (0.0, 0.0));
    assert_eq!(gradient(through_a_rule, (1.0, 6.0))?, (3.0, 1.0));
    assert_eq!(gradient(through_a_rule, (1.0, -6.0))?, (-1.0, 1.0));
    Ok(())
}

#[test]
fn second_derivatives_keep_zeros() -> Outcome {
    assert_eq!(hessian(steepest, (&[0.0, 0.0, 2.0],))?.iter().filter(|x| **x != 0.0).count(), 0);
    Ok(())
}

/// A program's gradient at arguments, and what it printed.
fn printed(source: &str, args: Vec<Value<'static>>) -> Result<(String, String), Box<dyn std::error::Error>> {
    let loaded = Loaded::from_source("f.rs", source)?;
    let written = Arc::new(Mutex::new(String::new()));
    let to = written.clone();
    let sink = Arc::new(Mutex::new(move |text: &str| to.lock().expect("no panic").push_str(text)));
    let engine = loaded.engine_builder().executor(Interpreting::new().printing(sink)).build();
    let f = loaded.function("f")?;
    let (_, found) = GradientRoute::new(&engine, f.symbol, f.ir_ret, &|_| true).run(args)?;
    let written = written.lock().expect("no panic").clone();
    Ok((Value::tuple(found).to_string(), written))
}

#[test]
fn what_prints_or_counts_runs_once() -> Outcome {
    let source = "use std::sync::atomic::{AtomicUsize, Ordering};
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        fn root(x: f64) -> f64 { println!(\"root of {x}\"); x.sqrt() }
        pub fn f(x: f64, y: f64) -> f64 { root(x) * y + CALLS.fetch_add(1, Ordering::Relaxed) as f64 }";
    let found = printed(source, vec![Value::F64(0.0), Value::F64(0.0)])?;
    assert_eq!(found, ("(0.0, 0.0)".to_owned(), "root of 0\n".to_owned()));
    Ok(())
}
