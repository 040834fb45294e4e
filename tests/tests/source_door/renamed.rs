//! A module whose file has another name.

use crate::shapes::inner;

pub(crate) fn shifted(x: f64) -> f64 {
    inner::wave(x + 1.0)
}
