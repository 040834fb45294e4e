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
