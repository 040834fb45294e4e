//! Arguments that are passed to a call by reference, without allocating.

use super::{Array, Scalar, Value};

/// An argument: a scalar, or a borrowed slice of scalars.
#[derive(Debug)]
pub enum Arg<'a> {
    /// A scalar.
    Scalar(Value<'static>),
    /// A slice of scalars.
    Slice(Array<'a>),
}

impl<'a> Arg<'a> {
    /// A scalar.
    pub fn scalar<T: Scalar>(x: T) -> Arg<'a> {
        Arg::Scalar(x.to_value())
    }

    /// The argument for a value, if it is a scalar or a one-dimensional array of scalars.
    ///
    /// ```
    /// use overdub_context::value::{Arg, Value};
    ///
    /// let x = Value::floats(vec![1.0, 2.0]);
    /// assert!(Arg::lent(&x).is_some() && Arg::lent(&Value::F64(1.0)).is_some());
    /// assert!(Arg::lent(&Value::tuple([x])).is_none());
    /// ```
    pub fn lent(value: &'a Value<'_>) -> Option<Arg<'a>> {
        match value {
            Value::Unit => Some(Arg::Scalar(Value::Unit)),
            Value::Bool(x) => Some(Arg::scalar(*x)),
            Value::Int(x) => Some(Arg::Scalar(Value::Int(*x))),
            Value::F64(x) => Some(Arg::scalar(*x)),
            Value::F32(x) => Some(Arg::scalar(*x)),
            Value::Array(array) if array.shape().len() == 1 => array
                .as_f64s()
                .map(Arg::slice)
                .or_else(|| array.as_slice::<usize>().map(Arg::slice))
                .or_else(|| array.as_slice::<i64>().map(Arg::slice))
                .or_else(|| array.as_slice::<i32>().map(Arg::slice))
                .or_else(|| array.as_slice::<u32>().map(Arg::slice))
                .or_else(|| array.as_slice::<f32>().map(Arg::slice)),
            _ => None,
        }
    }

    /// A slice of scalars.
    pub fn slice<T: Scalar>(xs: &'a [T]) -> Arg<'a> {
        Arg::Slice(Array::from_slice(xs))
    }
}
