//! Slices that are lent to a prepared gradient are read by its reverse sweep, parts of them too.

use overdub::ad::prepare;
use overdub::prelude::*;
use overdub_lower::api::Backend;
use overdub_native::Native;

overdub_lower::__private::inventory::submit! {
    Backend(|builder| builder.executor(Native::new()))
}

#[dub]
fn recursive(x: f64, k: f64, w: &[f64]) -> f64 {
    match w.split_first() {
        Some((w, rest)) => w * recursive(x + k, k, rest).cos(),
        None => x * k,
    }
}

#[test]
fn parts_of_a_lent_slice_that_pullbacks_keep_are_valid() -> Result<(), Box<dyn std::error::Error>> {
    let f = prepare(recursive);
    let w = [0.5, -1.5, 2.0, 0.7];
    let (mut dx, mut dk, mut dw) = (0.0, 0.0, [0.0; 4]);
    for _ in 0..3 {
        f.gradient_into((0.3, 0.2, &w[..]), (&mut dx, &mut dk, &mut dw[..]))?;
        assert_eq!((dx, dk, dw.to_vec()), gradient(recursive, (0.3, 0.2, &w[..]))?);
    }
    Ok(())
}

#[dub]
fn rooted(x: f64, k: f64) -> f64 {
    x.sqrt() * k + x
}

/// More calls than are made before machine code is entered directly.
const CALLS: usize = 300;

#[test]
fn many_gradients_of_numbers_equal_single_ones_and_run_again_where_one_is_nan() -> Result<(), overdub::Error>
{
    let f = prepare(rooted);
    let (mut dx, mut dk) = (0.0, 0.0);
    for round in 0..CALLS {
        let args = (0.1 * (1 + round) as f64, 1.5);
        assert_eq!(f.gradient_into(args, (&mut dx, &mut dk))?, rooted(args.0, args.1));
        assert_eq!((dx, dk), gradient(rooted, args)?);
    }
    // By plain products the derivative is 0 times infinity.
    for args in [(0.0, 0.0), (0.25, 1.0)] {
        f.gradient_into(args, (&mut dx, &mut dk))?;
        assert_eq!((dx, dk), gradient(rooted, args)?);
    }
    let f = prepare(rooted);
    for _ in 0..CALLS {
        f.gradient_into((0.25, 3.0), (&mut dx, ()))?;
        assert_eq!(dx, 4.0);
    }
    Ok(())
}
