//! A dependency.

#[cfg(all(feature = "on", not(feature = "off")))]
pub fn enabled(x: f64) -> f64 {
    x
}
