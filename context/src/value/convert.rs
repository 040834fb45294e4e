//! Conversions from Rust's values to values of the IR and back, by type.
//!
//! - [`HasTy`] maps a Rust type to its IR type, without a value.
//! - [`IntoValue`] moves a value into a program, [`Lend`] lends one without copying its arrays, [`FromValue`]
//!   takes one out. Vectors of numbers are moved and not copied in both directions if they have no other
//!   owner.

use std::cmp::Ordering;
use std::sync::Arc;

use thiserror::Error;

use super::{Arg, Array, Composite, Parts, Scalar, Text, Value, WriteBack};
use crate::types::Ty;

/// A Rust type with a corresponding IR type, which values converted by [`IntoValue`] and [`Lend`] have.
pub trait HasTy {
    /// The corresponding IR type.
    fn ty() -> Ty;
}

/// A Rust value that can be moved into a program.
pub trait IntoValue<'a>: HasTy + Sized {
    /// The corresponding value.
    fn into_value(self) -> Value<'a>;

    /// The value as an argument of a call; a `&mut` adds the destination of its final value to `write_backs`.
    fn transfer(self, _write_backs: &mut Vec<WriteBack<'a>>) -> Value<'a> {
        self.into_value()
    }

    /// The value lent to a call, if it is a scalar or a slice of scalars.
    fn as_arg(&self) -> Option<Arg<'_>> {
        None
    }

    /// The array for a vector of such values.
    fn vec_into_array(elems: Vec<Self>) -> Array<'a> {
        boxed(Self::ty(), elems.into_iter().map(Self::into_value))
    }
}

/// A Rust value that can be lent to a program.
pub trait Lend: HasTy {
    /// The corresponding value, with arrays of scalars borrowed.
    fn lend(&self) -> Value<'_>;

    /// The array for a slice of such values.
    fn lend_slice(elems: &[Self]) -> Array<'_>
    where
        Self: Sized,
    {
        boxed(Self::ty(), elems.iter().map(Self::lend))
    }

    /// The value as an argument, if it is a scalar or a slice of scalars.
    fn lend_arg(&self) -> Option<Arg<'_>> {
        None
    }

    /// A slice of such values as an argument, if they are scalars.
    fn lend_slice_arg(_elems: &[Self]) -> Option<Arg<'_>>
    where
        Self: Sized,
    {
        None
    }
}

/// A Rust type to which results of programs can be converted.
pub trait FromValue: HasTy + Sized {
    /// The corresponding Rust value.
    ///
    /// # Errors
    /// If it is of another type.
    fn from_value(value: Value<'_>) -> Result<Self, Mismatch>;

    /// The Rust value for an argument.
    ///
    /// # Errors
    /// If it is of another type.
    #[inline]
    fn from_arg(arg: Arg<'_>) -> Result<Self, Mismatch> {
        Self::from_value(arg.to_value())
    }

    /// The vector for an array of such values.
    ///
    /// # Errors
    /// If its elements are of another type.
    fn vec_from_array(array: Array<'_>) -> Result<Vec<Self>, Mismatch> {
        array.into_values().into_iter().map(Self::from_value).collect()
    }
}

/// The reason why a value cannot be converted to a Rust type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Mismatch {
    /// The value has another type.
    #[error("expected a value of type `{expected}`, found one of type `{found}`")]
    Type {
        /// The type required by the Rust type.
        expected: Ty,
        /// The type of the value.
        found: Ty,
    },
    /// The value is an array of another length.
    #[error("expected an array of length {expected}, found one of length {found}")]
    Length {
        /// The length of the Rust type.
        expected: usize,
        /// The length of the array.
        found: usize,
    },
}

impl Mismatch {
    /// The mismatch of a value that does not have the IR type of `T`.
    pub fn of<T: HasTy + ?Sized>(value: &Value<'_>) -> Mismatch {
        Mismatch::Type { expected: T::ty(), found: value.ty() }
    }
}

/// An array of elements that are not scalars in Rust, whether or not they are in the IR.
fn boxed<'a>(ty: Ty, values: impl Iterator<Item = Value<'a>>) -> Array<'a> {
    Array::from_values(ty, values).expect("the values of a Rust type are of the type that `HasTy` says")
}

macro_rules! scalars {
    ($($rust:ident)*) => {$(
        impl HasTy for $rust {
            fn ty() -> Ty {
                Ty::$rust()
            }
        }

        impl<'a> IntoValue<'a> for $rust {
            fn into_value(self) -> Value<'a> {
                self.to_value()
            }

            #[inline]
            fn as_arg(&self) -> Option<Arg<'_>> {
                Some(Arg::scalar(*self))
            }

            fn vec_into_array(elems: Vec<$rust>) -> Array<'a> {
                Array::from_vec(elems)
            }
        }

        impl Lend for $rust {
            fn lend(&self) -> Value<'_> {
                self.to_value()
            }

            fn lend_slice(elems: &[$rust]) -> Array<'_> {
                Array::from_slice(elems)
            }

            #[inline]
            fn lend_arg(&self) -> Option<Arg<'_>> {
                Some(Arg::scalar(*self))
            }

            #[inline]
            fn lend_slice_arg(elems: &[$rust]) -> Option<Arg<'_>> {
                Some(Arg::slice(elems))
            }
        }

        impl FromValue for $rust {
            #[inline]
            fn from_value(value: Value<'_>) -> Result<$rust, Mismatch> {
                <$rust as Scalar>::of_value(&value).ok_or_else(|| Mismatch::of::<$rust>(&value))
            }

            #[inline]
            fn from_arg(arg: Arg<'_>) -> Result<$rust, Mismatch> {
                <$rust as Scalar>::of_arg(arg).ok_or_else(|| Mismatch::of::<$rust>(&arg.to_value()))
            }

            fn vec_from_array(array: Array<'_>) -> Result<Vec<$rust>, Mismatch> {
                array.into_vec().map_err(|array| Mismatch::of::<Vec<$rust>>(&Value::from(array)))
            }
        }
    )*};
}

scalars!(f64 f32 bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl HasTy for str {
    fn ty() -> Ty {
        Ty::str()
    }
}

impl Lend for str {
    fn lend(&self) -> Value<'_> {
        Value::str(self)
    }
}

impl HasTy for String {
    fn ty() -> Ty {
        Ty::str()
    }
}

impl IntoValue<'_> for String {
    fn into_value(self) -> Value<'static> {
        Value::str(self)
    }
}

impl Lend for String {
    fn lend(&self) -> Value<'_> {
        Value::str(self.as_str())
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>) -> Result<String, Mismatch> {
        match value {
            Value::Str(text) => Ok(Text::into_string(text)),
            other => Err(Mismatch::of::<String>(&other)),
        }
    }
}

impl<T: HasTy + ?Sized> HasTy for &T {
    fn ty() -> Ty {
        T::ty()
    }
}

impl<'a, T: Lend + ?Sized> IntoValue<'a> for &'a T {
    fn into_value(self) -> Value<'a> {
        self.lend()
    }

    #[inline]
    fn as_arg(&self) -> Option<Arg<'_>> {
        self.lend_arg()
    }
}

impl<T: Lend + ?Sized> Lend for &T {
    fn lend(&self) -> Value<'_> {
        (**self).lend()
    }

    #[inline]
    fn lend_arg(&self) -> Option<Arg<'_>> {
        (**self).lend_arg()
    }
}

impl<T: HasTy + ?Sized> HasTy for Box<T> {
    fn ty() -> Ty {
        T::ty()
    }
}

impl<'a, T: IntoValue<'a>> IntoValue<'a> for Box<T> {
    fn into_value(self) -> Value<'a> {
        (*self).into_value()
    }
}

impl<T: Lend + ?Sized> Lend for Box<T> {
    fn lend(&self) -> Value<'_> {
        (**self).lend()
    }
}

impl<T: FromValue> FromValue for Box<T> {
    fn from_value(value: Value<'_>) -> Result<Box<T>, Mismatch> {
        T::from_value(value).map(Box::new)
    }
}

impl HasTy for () {
    fn ty() -> Ty {
        Ty::unit()
    }
}

impl<'a> IntoValue<'a> for () {
    fn into_value(self) -> Value<'a> {
        Value::Unit
    }

    fn as_arg(&self) -> Option<Arg<'_>> {
        Some(Arg::Unit)
    }
}

impl Lend for () {
    fn lend(&self) -> Value<'_> {
        Value::Unit
    }
}

impl FromValue for () {
    fn from_value(value: Value<'_>) -> Result<(), Mismatch> {
        match value {
            Value::Unit => Ok(()),
            other => Err(Mismatch::of::<()>(&other)),
        }
    }
}

macro_rules! tuples {
    ($($($part:ident $number:tt)+;)*) => {$(
        impl<$($part: HasTy),+> HasTy for ($($part,)+) {
            fn ty() -> Ty {
                Ty::tuple([$($part::ty()),+])
            }
        }

        impl<'a, $($part: IntoValue<'a>),+> IntoValue<'a> for ($($part,)+) {
            fn into_value(self) -> Value<'a> {
                Value::tuple([$(self.$number.into_value()),+])
            }
        }

        impl<$($part: Lend),+> Lend for ($($part,)+) {
            fn lend(&self) -> Value<'_> {
                Value::tuple([$(self.$number.lend()),+])
            }
        }

        impl<$($part: FromValue),+> FromValue for ($($part,)+) {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                match value {
                    Value::Composite(tuple) if tuple.ty.is_none() && tuple.parts.len() == [$($number),+].len() => {
                        let mut parts = Arc::unwrap_or_clone(tuple).parts;
                        Ok(($($part::from_value(parts[$number].take())?,)+))
                    }
                    other => Err(Mismatch::of::<Self>(&other)),
                }
            }
        }
    )*};
}

crate::for_each_tuple!(tuples);

/// The value of a variant of an enum, or of a struct (with tag 0), of type `ty`.
pub fn variant<'a>(ty: Ty, tag: u32, parts: Parts<'a>) -> Value<'a> {
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts }))
}

/// The tag and fields of a variant of the enum with the IR type of `T`; for a struct, 0 and its fields.
///
/// # Errors
/// If the value is of another type.
pub fn variant_of<'a, T: HasTy>(value: Value<'a>) -> Result<(u32, Parts<'a>), Mismatch> {
    match value {
        Value::Composite(composite) if composite.ty == Some(T::ty()) => {
            let composite = Arc::unwrap_or_clone(composite);
            Ok((composite.tag, composite.parts))
        }
        other => Err(Mismatch::of::<T>(&other)),
    }
}

impl<T: HasTy> HasTy for Option<T> {
    fn ty() -> Ty {
        Ty::option(T::ty())
    }
}

impl<'a, T: IntoValue<'a>> IntoValue<'a> for Option<T> {
    fn into_value(self) -> Value<'a> {
        variant(Self::ty(), self.is_some().into(), self.into_iter().map(T::into_value).collect())
    }
}

impl<T: Lend> Lend for Option<T> {
    fn lend(&self) -> Value<'_> {
        variant(Self::ty(), self.is_some().into(), self.iter().map(T::lend).collect())
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Result<Option<T>, Mismatch> {
        let (_, parts) = variant_of::<Option<T>>(value)?;
        parts.into_iter().next().map(T::from_value).transpose()
    }
}

impl<T: HasTy, E: HasTy> HasTy for Result<T, E> {
    fn ty() -> Ty {
        Ty::result(T::ty(), E::ty())
    }
}

impl<'a, T: IntoValue<'a>, E: IntoValue<'a>> IntoValue<'a> for Result<T, E> {
    fn into_value(self) -> Value<'a> {
        match self {
            Ok(x) => variant(Self::ty(), 0, Parts::from_iter([x.into_value()])),
            Err(error) => variant(Self::ty(), 1, Parts::from_iter([error.into_value()])),
        }
    }
}

impl<T: Lend, E: Lend> Lend for Result<T, E> {
    fn lend(&self) -> Value<'_> {
        match self {
            Ok(x) => variant(Self::ty(), 0, Parts::from_iter([x.lend()])),
            Err(error) => variant(Self::ty(), 1, Parts::from_iter([error.lend()])),
        }
    }
}

impl<T: FromValue, E: FromValue> FromValue for Result<T, E> {
    fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
        let (tag, parts) = variant_of::<Self>(value)?;
        match (tag, parts.into_iter().next()) {
            (0, Some(x)) => T::from_value(x).map(Ok),
            (_, Some(error)) => E::from_value(error).map(Err),
            (_, None) => Err(Mismatch::Type { expected: Self::ty(), found: Ty::unit() }),
        }
    }
}

impl HasTy for Ordering {
    fn ty() -> Ty {
        Ty::ordering()
    }
}

impl<'a> IntoValue<'a> for Ordering {
    fn into_value(self) -> Value<'a> {
        let tag = match self {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        variant(Ty::ordering(), tag, Parts::new())
    }
}

impl Lend for Ordering {
    fn lend(&self) -> Value<'_> {
        (*self).into_value()
    }
}

impl FromValue for Ordering {
    fn from_value(value: Value<'_>) -> Result<Ordering, Mismatch> {
        let (tag, _) = variant_of::<Ordering>(value)?;
        Ok(match tag {
            0 => Ordering::Less,
            1 => Ordering::Equal,
            _ => Ordering::Greater,
        })
    }
}
