//! Arguments that are passed to a call by reference, without allocating.

use super::{Array, Int, Scalar, Value};

/// An argument: a scalar, or a borrowed slice of scalars.
///
/// The representation, here and of [`Slice`], is that of a `repr(C)` struct for each variant, which begins with the variant's
/// number; machine code reads it.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub enum Arg<'a> {
    /// `()`
    Unit,
    /// A bool.
    Bool(bool),
    /// A character.
    Char(char),
    /// An integer of up to 64 bits.
    Int(Int),
    /// An `i128`.
    I128(i128),
    /// A `u128`.
    U128(u128),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// A slice of scalars.
    Slice(Slice<'a>),
}

/// A borrowed slice of scalars of one type.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
#[allow(missing_docs)]
pub enum Slice<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    Bool(&'a [bool]),
    Char(&'a [char]),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    I128(&'a [i128]),
    Isize(&'a [isize]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    U128(&'a [u128]),
    Usize(&'a [usize]),
}

impl<'a> Arg<'a> {
    /// A scalar.
    #[inline]
    pub fn scalar<T: Scalar>(x: T) -> Arg<'a> {
        x.to_arg()
    }

    /// A slice of scalars.
    #[inline]
    pub fn slice<T: Scalar>(xs: &'a [T]) -> Arg<'a> {
        Arg::Slice(T::to_slice(xs))
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
            Value::Array(array) if array.rank() == 1 => array.to_slice().map(Arg::Slice),
            _ => Arg::of_scalar(value),
        }
    }

    /// The argument for a scalar.
    #[inline]
    pub(super) fn of_scalar(value: &Value<'_>) -> Option<Arg<'a>> {
        Some(match value {
            Value::Unit => Arg::Unit,
            Value::Bool(x) => Arg::Bool(*x),
            Value::Char(x) => Arg::Char(*x),
            Value::Int(x) => Arg::Int(*x),
            Value::I128(x) => Arg::I128(**x),
            Value::U128(x) => Arg::U128(**x),
            Value::F32(x) => Arg::F32(*x),
            Value::F64(x) => Arg::F64(*x),
            _ => return None,
        })
    }

    /// The value of an argument; one of a slice borrows it.
    ///
    /// ```
    /// use overdub_context::value::{Arg, Value};
    ///
    /// assert!(Arg::slice(&[1.0, 2.0]).to_value().same(&Value::floats(vec![1.0, 2.0])));
    /// ```
    pub fn to_value(self) -> Value<'a> {
        match self {
            Arg::Unit => Value::Unit,
            Arg::Bool(x) => Value::Bool(x),
            Arg::Char(x) => Value::Char(x),
            Arg::Int(x) => Value::Int(x),
            Arg::I128(x) => Value::from(x),
            Arg::U128(x) => Value::from(x),
            Arg::F32(x) => Value::F32(x),
            Arg::F64(x) => Value::F64(x),
            Arg::Slice(slice) => Value::from(Array::from(slice)),
        }
    }
}
