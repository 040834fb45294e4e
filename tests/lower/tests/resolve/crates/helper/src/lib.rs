//! A dependency.

#[cfg(all(feature = "on", not(feature = "off")))]
pub fn enabled(x: f64) -> f64 {
    x
}

/// As people wrote before 2021.
#[cfg(feature = "on")]
pub fn called(f: &Fn(f64) -> f64, g: Box<FnMut(f64)>) -> f64 {
    let mut g = g;
    g(1.0);
    f(2.0)
}
