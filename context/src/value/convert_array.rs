//! Conversions from Rust's vectors and slices to arrays and back: without a copy where the memory layouts agree.

use std::sync::Arc;

use super::{Arg, FromValue, HasTy, IntoValue, Lend, Mismatch, Value};
use crate::types::Ty;

impl<T: HasTy> HasTy for [T] {
    fn ty() -> Ty {
        Ty::array(T::ty(), 1)
    }
}

impl<T: Lend> Lend for [T] {
    fn lend(&self) -> Value<'_> {
        Value::from(T::lend_slice(self))
    }

    #[inline]
    fn lend_arg(&self) -> Option<Arg<'_>> {
        T::lend_slice_arg(self)
    }
}

impl<T: HasTy> HasTy for Vec<T> {
    fn ty() -> Ty {
        <[T]>::ty()
    }
}

impl<'a, T: IntoValue<'a>> IntoValue<'a> for Vec<T> {
    fn into_value(self) -> Value<'a> {
        Value::from(T::vec_into_array(self))
    }
}

impl<T: Lend> Lend for Vec<T> {
    fn lend(&self) -> Value<'_> {
        self.as_slice().lend()
    }

    #[inline]
    fn lend_arg(&self) -> Option<Arg<'_>> {
        self.as_slice().lend_arg()
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: Value<'_>) -> Result<Vec<T>, Mismatch> {
        match value {
            Value::Array(array) if array.rank() == 1 => T::vec_from_array(Arc::unwrap_or_clone(array)),
            other => Err(Mismatch::of::<Vec<T>>(&other)),
        }
    }
}

impl<T: HasTy, const N: usize> HasTy for [T; N] {
    fn ty() -> Ty {
        <[T]>::ty()
    }
}

impl<'a, T: IntoValue<'a>, const N: usize> IntoValue<'a> for [T; N] {
    fn into_value(self) -> Value<'a> {
        Value::from(T::vec_into_array(self.into()))
    }
}

impl<T: Lend, const N: usize> Lend for [T; N] {
    fn lend(&self) -> Value<'_> {
        self.as_slice().lend()
    }

    #[inline]
    fn lend_arg(&self) -> Option<Arg<'_>> {
        self.as_slice().lend_arg()
    }
}

impl<T: FromValue, const N: usize> FromValue for [T; N] {
    fn from_value(value: Value<'_>) -> Result<[T; N], Mismatch> {
        let elems = Vec::<T>::from_value(value)?;
        let found = elems.len();
        elems.try_into().map_err(|_| Mismatch::Length { expected: N, found })
    }
}
