mod inner;

pub use self::inner::*;

pub fn outer(x: f64) -> f64 {
    twice(x)
}
