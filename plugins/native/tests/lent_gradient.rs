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
