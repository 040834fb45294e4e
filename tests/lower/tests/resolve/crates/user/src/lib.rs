//! A crate with modules in files.

mod deep;
#[path = "elsewhere.rs"]
mod placed;

#[cfg(test)]
mod tests;

#[cfg(feature = "extra")]
pub fn uses_the_dependency(x: f64) -> f64 {
    helper_lib::enabled(x) + deep::twice(1.0) + placed::moved()
}

#[cfg(not(feature = "extra"))]
pub fn never() {}

include!("included.in");

pub fn uses_what_is_included(x: f64) -> f64 {
    let table: [f64; 2] = include!("table.in");
    included(x) + table[1] + include_str!("table.in").len() as f64 + f64::from(include_bytes!("table.in")[0])
}
