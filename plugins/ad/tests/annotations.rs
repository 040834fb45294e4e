//! Annotations by which a program changes its own derivatives.

use overdub::ad::{checkpoint, gradient, hessian, jvp, replace_gradient, stop_gradient};
use overdub::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[dub]
fn blind(x: f64) -> f64 {
    x * stop_gradient(x * x)
}

#[dub]
fn normalised(xs: Vec<f64>) -> f64 {
    let scale = stop_gradient(xs.clone());
    let largest = scale.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    xs.iter().map(|x| x * x / largest).sum::<f64>()
}

#[dub]
fn qualified(x: f64, y: (f64, i64)) -> f64 {
    let (a, n) = overdub::ad::stop_gradient(y);
    x * a * n as f64 + y.0
}

#[test]
fn derivatives_end_where_the_program_stops_them() -> Outcome {
    assert_eq!(blind(3.0), 27.0);
    assert_eq!(run(blind, (3.0,))?, 27.0);
    assert_eq!(gradient(blind, (3.0,))?, (9.0,));
    assert_eq!(jvp(blind, (3.0,), (1.0,))?, (27.0, 9.0));
    assert_eq!(hessian(blind, (3.0,))?[[0, 0]], 0.0);
    Ok(())
}

#[test]
fn whole_values_are_stopped() -> Outcome {
    assert_eq!(gradient(normalised, (vec![1.0, -4.0],))?, (vec![0.5, -2.0],));
    assert_eq!(gradient(qualified, (2.0, (3.0, 5)))?, (15.0, (1.0, ())));
    Ok(())
}

#[dub]
fn clipped(xs: &[f64], w: f64, limit: f64) -> f64 {
    let mut state = 1.0;
    for x in xs {
        state = replace_gradient(state * w, |dy: f64| dy.clamp(-limit, limit)) + x;
    }
    state
}

#[test]
fn what_comes_back_may_be_replaced_on_its_way() -> Outcome {
    let xs = [0.1, 0.2, 0.3];
    let (dxs, dw, dlimit) = gradient(clipped, (&xs[..], 10.0, 0.5))?;
    // Each step of the reverse sweep clips to 0.5 and multiplies by 10; the next step clips again.
    assert_eq!((dxs, dlimit), (vec![5.0, 5.0, 1.0], 0.0));
    assert!((dw - 0.5 * (1.0 + 10.1 + 101.2)).abs() < 1e-12);
    let error = jvp(clipped, (&xs[..], 10.0, 0.5), (&xs[..], 1.0, 0.0)).unwrap_err();
    assert!(error.to_string().contains("nothing comes back in forward mode"), "{error}");
    Ok(())
}

#[dub]
fn steps(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = (y * k).sin() + x;
    }
    y
}

#[dub]
fn stored(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..10 {
        y = steps(y, k, n);
    }
    y
}

#[dub]
fn recomputed(x: f64, k: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..10 {
        y = checkpoint(|z: f64| steps(z, k, n), y);
    }
    y
}

#[dub]
fn nested(x: f64, k: f64, n: usize) -> f64 {
    checkpoint(|y: f64| recomputed(y, k, n), x)
}

#[test]
fn a_checkpoint_stores_nothing_and_changes_no_bit() -> Outcome {
    let args = (0.3, 0.9, 50);
    let expected = gradient(stored, args)?;
    assert_eq!(gradient(recomputed, args)?, expected);
    assert_eq!(gradient(nested, args)?, expected);
    assert_eq!(run(nested, args)?, stored(0.3, 0.9, 50));
    let long = (0.3, 0.9, 2000);
    let (_, by_storing) = overdub(Reverse, stored, long)?;
    let (_, by_running_again) = overdub(Reverse, recomputed, long)?;
    assert!(10 * by_running_again.tape_bytes() < by_storing.tape_bytes());
    let tangents = (1.0, 0.0, ());
    assert_eq!(
        jvp(nested, args, tangents)?,
        jvp(stored, args, tangents)?,
        "forward mode stores nothing anyway"
    );
    Ok(())
}

/// The strategy of a function's gradient: annotations do not prevent the transformation.
macro_rules! transformed {
    ($func:ident: $Args:ty) => {
        assert_eq!(
            overdub::ad::prepare($func).strategy::<$Args>()?,
            overdub::ad::Strategy::Transformation,
            stringify!($func)
        )
    };
}

#[test]
fn the_transformation_takes_what_a_program_says_of_its_derivatives() -> Outcome {
    transformed!(blind: (f64,));
    transformed!(normalised: (Vec<f64>,));
    transformed!(qualified: (f64, (f64, i64)));
    transformed!(clipped: (&[f64], f64, f64));
    transformed!(recomputed: (f64, f64, usize));
    transformed!(nested: (f64, f64, usize));
    Ok(())
}

#[dub]
fn weights(w: &[f64], x: f64) -> f64 {
    let mut y = x;
    for w in w {
        y = (y * w).sin() + w * w;
    }
    y
}

#[dub]
fn layers(w: Vec<f64>, x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = weights(&w, y) * (w[k] + y);
    }
    y
}

#[dub]
fn checkpointed_layers(w: Vec<f64>, x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = checkpoint(|z: f64| weights(&w, z), y) * (w[k] + y);
    }
    y
}

#[test]
fn a_checkpoint_over_arrays_changes_no_bit() -> Outcome {
    let w: Vec<f64> = (0..7).map(|k| 0.3 + 0.17 * f64::from(k)).collect();
    transformed!(checkpointed_layers: (Vec<f64>, f64, usize));
    assert_eq!(gradient(checkpointed_layers, (w.clone(), 0.7, 5))?, gradient(layers, (w, 0.7, 5))?,);
    Ok(())
}

#[test]
fn second_derivatives_go_through_checkpoints() -> Outcome {
    let (dx, dk, ()) = overdub::ad::hvp(nested, (0.3, 0.9, 5), (1.0, 0.5, ()))?;
    let (stored_dx, stored_dk, ()) = overdub::ad::hvp(stored, (0.3, 0.9, 5), (1.0, 0.5, ()))?;
    assert!((dx / stored_dx - 1.0).abs() < 1e-13 && (dk / stored_dk - 1.0).abs() < 1e-13);
    Ok(())
}

/// A program without any `#[dub]`.
const LOADED: &str = "use overdub::ad::{checkpoint, replace_gradient, stop_gradient};
pub fn stopped(x: f64) -> f64 { x * stop_gradient(x * x) }
pub fn clipped(x: f64) -> f64 { 100.0 * replace_gradient(x * x, |dy: f64| dy.clamp(-1.0, 1.0)) }
pub fn again(x: f64, k: f64) -> f64 { overdub::ad::checkpoint(|y: f64| (y * k).sin(), x * x) + checkpoint(f64::exp, x) }
";

#[test]
fn loaded_programs_say_the_same_of_their_derivatives() -> Outcome {
    let loaded = overdub_lower::Loaded::from_source("loaded.rs", LOADED)?;
    let gradient = |path: &str, args: &[f64]| -> Result<(Vec<f64>, Vec<f64>), Box<dyn std::error::Error>> {
        let (engine, function) = (loaded.engine(), loaded.function(path)?);
        let args: Vec<_> = args.iter().map(|x| overdub_context::value::Value::F64(*x)).collect();
        let flat = |values: Vec<_>| values.iter().flat_map(overdub_ad::flatten::floats).collect();
        let made =
            overdub_ad::transform::reverse::Transformed::gradient(&engine, function.symbol, &|_| true)?;
        let recorded =
            overdub_ad::tape::record(&engine, function.symbol, args.clone())?.pullback.pull(&[1.0])?;
        Ok((flat(made.run(args)?.1), flat(recorded)))
    };
    for (path, args, expected) in [("stopped", &[3.0][..], &[9.0][..]), ("clipped", &[3.0], &[6.0])] {
        let (transformed, recorded) = gradient(path, args)?;
        assert_eq!((transformed, recorded), (expected.to_vec(), expected.to_vec()), "{path}");
    }
    let (transformed, recorded) = gradient("again", &[0.5, 2.0])?;
    let expected = 0.5_f64.cos() * 2.0 + 0.5_f64.exp();
    assert!((transformed[0] - expected).abs() < 1e-15 && (recorded[0] - expected).abs() < 1e-15);
    Ok(())
}
