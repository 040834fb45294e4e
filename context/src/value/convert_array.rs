//! Conversions from Rust's vectors, slices and ndarray's arrays to arrays and back: without a copy where the
//! memory layouts agree.

use std::sync::Arc;

use ndarray::{ArrayBase, Dimension, IxDyn, OwnedArcRepr, OwnedRepr, ViewRepr};

use super::{Arg, Array, FromValue, HasTy, IntoValue, Lend, Mismatch, Scalar, Value};
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

/// A dimension of ndarray whose number of axes is part of the type, at least one.
pub trait FixedRank: Dimension {
    /// The number of axes.
    const RANK: u32;
}

macro_rules! fixed_ranks {
    ($($dimension:ident $rank:literal;)*) => {$(
        impl FixedRank for ndarray::$dimension {
            const RANK: u32 = $rank;
        }
    )*};
}

fixed_ranks! {
    Ix1 1;
    Ix2 2;
    Ix3 3;
    Ix4 4;
    Ix5 5;
    Ix6 6;
}

/// These elements in row-major order, in this shape, which has the same number of elements.
fn shaped<'a>(elems: Array<'a>, shape: &[usize]) -> Value<'a> {
    Value::from(elems.reshape(shape).expect("an array of ndarray has as many elements as its shape says"))
}

fn view_value<'a, A: Scalar, D: Dimension>(view: ndarray::ArrayView<'a, A, D>) -> Value<'a> {
    let shape = view.shape().to_vec();
    match view.to_slice() {
        Some(elems) => shaped(Array::from_slice(elems), &shape),
        None => shaped(Array::from_vec(view.iter().copied().collect()), &shape),
    }
}

fn owned_value<'a, A: Scalar, D: Dimension>(array: ndarray::Array<A, D>) -> Value<'a> {
    let shape = array.shape().to_vec();
    if !array.is_standard_layout() {
        return shaped(Array::from_vec(array.iter().copied().collect()), &shape);
    }
    let len = array.len();
    let (elems, start) = array.into_raw_vec_and_offset();
    let start = start.unwrap_or(0);
    let elems = Array::from_vec(elems).slice(start, start + len);
    shaped(elems.expect("an array of ndarray lies within its vector"), &shape)
}

impl<A: HasTy, D: FixedRank> HasTy for ArrayBase<OwnedRepr<A>, D> {
    fn ty() -> Ty {
        Ty::array(A::ty(), D::RANK)
    }
}

impl<A: HasTy, D: FixedRank> HasTy for ArrayBase<OwnedArcRepr<A>, D> {
    fn ty() -> Ty {
        Ty::array(A::ty(), D::RANK)
    }
}

impl<A: HasTy, D: FixedRank> HasTy for ArrayBase<ViewRepr<&A>, D> {
    fn ty() -> Ty {
        Ty::array(A::ty(), D::RANK)
    }
}

impl<'a, A: Scalar + HasTy, D: FixedRank> IntoValue<'a> for ArrayBase<OwnedRepr<A>, D> {
    fn into_value(self) -> Value<'a> {
        owned_value(self)
    }
}

/// Without a copy if the array has no other owner.
impl<'a, A: Scalar + HasTy, D: FixedRank> IntoValue<'a> for ArrayBase<OwnedArcRepr<A>, D> {
    fn into_value(self) -> Value<'a> {
        owned_value(self.into_owned())
    }
}

impl<'a, A: Scalar + HasTy, D: FixedRank> IntoValue<'a> for ArrayBase<ViewRepr<&'a A>, D> {
    fn into_value(self) -> Value<'a> {
        view_value(self)
    }
}

impl<A: Scalar + HasTy, D: FixedRank> Lend for ArrayBase<OwnedRepr<A>, D> {
    fn lend(&self) -> Value<'_> {
        view_value(self.view())
    }
}

impl<A: Scalar + HasTy, D: FixedRank> Lend for ArrayBase<OwnedArcRepr<A>, D> {
    fn lend(&self) -> Value<'_> {
        view_value(self.view())
    }
}

impl<A: Scalar + HasTy, D: FixedRank> Lend for ArrayBase<ViewRepr<&A>, D> {
    fn lend(&self) -> Value<'_> {
        view_value(self.view())
    }
}

impl<A: Scalar + HasTy, D: FixedRank> FromValue for ArrayBase<OwnedRepr<A>, D> {
    fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
        let array = match value {
            Value::Array(array) if array.ty() == Self::ty() => Arc::unwrap_or_clone(array),
            other => return Err(Mismatch::of::<Self>(&other)),
        };
        let shape = IxDyn(array.shape());
        let elems = array.into_vec::<A>().map_err(|array| Mismatch::of::<Self>(&Value::from(array)))?;
        let array = ndarray::ArrayD::from_shape_vec(shape, elems);
        let array = array.and_then(|array| array.into_dimensionality());
        Ok(array.expect("ARRAY1: the shape, whose rank was looked at, has as many elements"))
    }
}

impl<A: Scalar + HasTy, D: FixedRank> FromValue for ArrayBase<OwnedArcRepr<A>, D> {
    fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
        ndarray::Array::from_value(value).map(ArrayBase::into_shared)
    }
}
