//! Conditions that only the expansion of a macro contains are those of rustc.
#![allow(unexpected_cfgs)]

use overdub::prelude::*;

#[dub]
macro_rules! by_flag {
    ($flag:ident, $x:expr) => {
        if cfg!($flag) { 2.0 * $x } else { $x }
    };
}

#[dub]
macro_rules! by_feature {
    ($feature:literal, $x:expr) => {
        if cfg!(feature = $feature) { 3.0 * $x } else { $x }
    };
}

#[dub]
fn generated(x: f64) -> f64 {
    by_flag!(test, x)
        + by_flag!(debug_assertions, x)
        + by_feature!("on_by_default", x)
        + by_feature!("cubic", x)
}

#[test]
fn conditions_that_macros_make_are_those_of_rustc() -> Result<(), overdub::Error> {
    assert_eq!(run(generated, (1.5,))?, generated(1.5));
    Ok(())
}
