//! What the `cfg`s in registered sources select is what they select for rustc.
#![allow(unexpected_cfgs)]

use overdub::prelude::*;

#[dub]
#[cfg(not(test))]
use std::f64::consts::E as CONSTANT;
#[dub]
#[cfg(test)]
use std::f64::consts::PI as CONSTANT;

#[dub]
fn by_macro(x: f64) -> f64 {
    if cfg!(test) { 2.0 * x } else { x }
}

#[dub]
fn by_attribute(x: f64) -> f64 {
    #[cfg(test)]
    let factor = 3.0;
    #[cfg(not(test))]
    let factor = 5.0;
    factor * x
}

#[dub]
fn by_values(x: f64) -> f64 {
    let of_assertions = if cfg!(debug_assertions) { 2.0 } else { 3.0 };
    let of_target = if cfg!(all(target_os = "linux", not(target_arch = "x86_64"))) { 5.0 } else { 7.0 };
    let of_feature = if cfg!(any(feature = "missing", not(feature = "default"))) { 11.0 } else { 13.0 };
    x * of_assertions * of_target * of_feature
}

#[dub]
fn by_import(x: f64) -> f64 {
    x * CONSTANT
}

#[dub]
mod inner {
    macro_rules! chosen {
        ($x:expr) => {{
            #[cfg_attr(all(), allow(unused_variables))]
            #[cfg(all(test, any(unix, windows)))]
            let y = 17.0 * $x;
            #[cfg(not(all(test, any(unix, windows))))]
            let y = 19.0 * $x;
            y
        }};
    }

    pub(super) fn by_expansion(x: f64) -> f64 {
        chosen!(x)
    }

    #[cfg(test)]
    pub(super) fn by_item(x: f64) -> f64 {
        23.0 * x
    }

    #[cfg(not(test))]
    pub(super) fn by_item(x: f64) -> f64 {
        29.0 * x
    }
}

#[test]
fn conditions_in_annotated_items_are_those_of_rustc() -> Result<(), overdub::Error> {
    assert_eq!(run(by_macro, (1.5,))?, by_macro(1.5));
    assert_eq!(run(by_attribute, (1.5,))?, by_attribute(1.5));
    assert_eq!(run(by_values, (1.5,))?, by_values(1.5));
    assert_eq!(run(by_import, (1.5,))?, by_import(1.5));
    assert_eq!(run(inner::by_expansion, (1.5,))?, inner::by_expansion(1.5));
    assert_eq!(run(inner::by_item, (1.5,))?, inner::by_item(1.5));
    Ok(())
}

#[test]
fn conditions_in_closures_are_those_of_rustc() -> Result<(), overdub::Error> {
    let closure = overdub::closures::dub!(|x: f64| if cfg!(test) { 2.0 * x } else { x });
    assert_eq!(run(closure.clone(), (1.5,))?, closure(1.5));
    Ok(())
}
