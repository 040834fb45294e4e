//! A module within a module.

pub(crate) fn wave(x: f64) -> f64 {
    x.sin() * super::super::SCALE
}

pub(crate) fn fails(x: f64) -> f64 {
    assert!(x.is_finite());
    let xs = [x];
    xs[1 + x as usize]
}
