//! Vectors of smallvec, which programs see as vectors, whatever their storage. One that is not stored inline
//! is moved without a copy, and none is copied when it is lent.

use ::smallvec::{Array, SmallVec};

use super::struct_ty;
use crate::types::Ty;
use crate::value::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, variant, variant_of};

/// The capacity on the heap; zero if the elements are stored inline.
fn heap<A: Array>(elems: &SmallVec<A>) -> usize {
    if elems.spilled() { elems.capacity() } else { 0 }
}

impl<T: HasTy, const N: usize> HasTy for SmallVec<[T; N]>
where
    [T; N]: Array<Item = T>,
{
    fn ty() -> Ty {
        struct_ty::<Self>(&[<Vec<T>>::ty(), usize::ty()])
    }
}

impl<'a, T: IntoValue<'a>, const N: usize> IntoValue<'a> for SmallVec<[T; N]>
where
    [T; N]: Array<Item = T>,
{
    fn into_value(self) -> Value<'a> {
        let heap = heap(&self).into_value();
        variant(Self::ty(), 0, [self.into_vec().into_value(), heap].into_iter().collect())
    }
}

impl<T: Lend, const N: usize> Lend for SmallVec<[T; N]>
where
    [T; N]: Array<Item = T>,
{
    fn lend(&self) -> Value<'_> {
        variant(Self::ty(), 0, [self.as_slice().lend(), heap(self).into_value()].into_iter().collect())
    }
}

impl<T: FromValue, const N: usize> FromValue for SmallVec<[T; N]>
where
    [T; N]: Array<Item = T>,
{
    fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
        let (_, fields) = variant_of::<Self>(value)?;
        let elems = fields.into_iter().next().unwrap_or(Value::Unit);
        Vec::from_value(elems).map(SmallVec::from_vec)
    }
}

impl<T: FromValue + Lend, const N: usize> Floats for SmallVec<[T; N]>
where
    [T; N]: Array<Item = T>,
{
    crate::value::convert_floats::own_floats!();
}
