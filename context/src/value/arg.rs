//! Arguments that a call borrows without allocating anything.

use super::{Array, Scalar, Value};

/// An argument: a scalar, or a borrowed slice of scalars.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A scalar.
    Scalar(Value<'static>),
    /// Scalars side by side.
    Slice(Array<'a>),
}

impl<'a> Arg<'a> {
    /// A scalar.
    pub fn scalar<T: Scalar>(x: T) -> Arg<'a> {
        Arg::Scalar(x.to_value())
    }

    /// A slice of scalars.
    pub fn slice<T: Scalar>(xs: &'a [T]) -> Arg<'a> {
        Arg::Slice(Array::from_slice(xs))
    }
}
