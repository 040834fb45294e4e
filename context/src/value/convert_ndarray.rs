//! Conversions of ndarray's arrays to arrays and back, for each version of ndarray: without a copy where the memory layouts
//! agree.

use std::sync::Arc;

use super::{Array, Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Scalar, Value};
use crate::types::Ty;

/// These elements in row-major order, in this shape, which has the same number of elements.
pub(super) fn shaped<'a>(elems: Array<'a>, shape: &[usize]) -> Value<'a> {
    Value::from(elems.reshape(shape).expect("an array has as many elements as its shape says"))
}

/// The array of a value with this number of axes.
pub(super) fn array_of(value: Value<'_>, rank: u32, ty: Ty) -> Result<Array<'_>, Mismatch> {
    match value {
        Value::Array(array) if array.rank() == rank as usize => Ok(Arc::unwrap_or_clone(array)),
        other => Err(Mismatch::Type { expected: ty, found: other.ty() }),
    }
}

/// The conversions of a version of ndarray, and the trait of its dimensions.
macro_rules! conversions {
    ($ndarray:ident, $(#[doc = $doc:literal])* $Rank:ident; $($dimension:ident $rank:literal)*) => {
        use ::$ndarray::{Array as NdArray, ArrayBase, ArrayView, Dimension, IxDyn};
        use ::$ndarray::{OwnedArcRepr, OwnedRepr, ViewRepr};

        use super::*;

        $(#[doc = $doc])*
        pub trait $Rank: Dimension {
            /// The number of axes.
            const RANK: u32;
        }

        $(
            impl $Rank for ::$ndarray::$dimension {
                const RANK: u32 = $rank;
            }
        )*

        fn view_value<'a, A: Scalar, D: Dimension>(view: ArrayView<'a, A, D>) -> Value<'a> {
            let shape = view.shape().to_vec();
            match view.to_slice() {
                Some(elems) => shaped(Array::from_slice(elems), &shape),
                None => shaped(Array::from_vec(view.iter().copied().collect()), &shape),
            }
        }

        fn owned_value<'a, A: Scalar, D: Dimension>(array: NdArray<A, D>) -> Value<'a> {
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

        /// The array of ndarray with these elements, whose number of axes was looked at.
        fn nd_array<T, D: $Rank>(shape: &[usize], elems: Vec<T>) -> NdArray<T, D> {
            let array = NdArray::from_shape_vec(IxDyn(shape), elems);
            let array = array.and_then(|array| array.into_dimensionality());
            array.expect("ARRAY1: the shape, whose rank was looked at, has as many elements")
        }

        impl<A: HasTy, D: $Rank> HasTy for ArrayBase<OwnedRepr<A>, D> {
            fn ty() -> Ty {
                Ty::array(A::ty(), D::RANK)
            }
        }

        impl<A: HasTy, D: $Rank> HasTy for ArrayBase<OwnedArcRepr<A>, D> {
            fn ty() -> Ty {
                Ty::array(A::ty(), D::RANK)
            }
        }

        impl<A: HasTy, D: $Rank> HasTy for ArrayBase<ViewRepr<&A>, D> {
            fn ty() -> Ty {
                Ty::array(A::ty(), D::RANK)
            }
        }

        impl<'a, A: Scalar + HasTy, D: $Rank> IntoValue<'a> for ArrayBase<OwnedRepr<A>, D> {
            fn into_value(self) -> Value<'a> {
                owned_value(self)
            }
        }

        /// Without a copy if the array has no other owner.
        impl<'a, A: Scalar + HasTy, D: $Rank> IntoValue<'a> for ArrayBase<OwnedArcRepr<A>, D> {
            fn into_value(self) -> Value<'a> {
                owned_value(self.into_owned())
            }
        }

        impl<'a, A: Scalar + HasTy, D: $Rank> IntoValue<'a> for ArrayBase<ViewRepr<&'a A>, D> {
            fn into_value(self) -> Value<'a> {
                view_value(self)
            }
        }

        impl<A: Scalar + HasTy, D: $Rank> Lend for ArrayBase<OwnedRepr<A>, D> {
            fn lend(&self) -> Value<'_> {
                view_value(self.view())
            }
        }

        impl<A: Scalar + HasTy, D: $Rank> Lend for ArrayBase<OwnedArcRepr<A>, D> {
            fn lend(&self) -> Value<'_> {
                view_value(self.view())
            }
        }

        impl<A: Scalar + HasTy, D: $Rank> Lend for ArrayBase<ViewRepr<&A>, D> {
            fn lend(&self) -> Value<'_> {
                view_value(self.view())
            }
        }

        impl<A: Scalar + HasTy, D: $Rank> FromValue for ArrayBase<OwnedRepr<A>, D> {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                let array = array_of(value, D::RANK, Self::ty())?;
                let shape = array.shape().to_vec();
                let elems = array.into_vec::<A>().map_err(|array| Mismatch::of::<Self>(&Value::from(array)))?;
                Ok(nd_array(&shape, elems))
            }
        }

        impl<A: Scalar + HasTy, D: $Rank> FromValue for ArrayBase<OwnedArcRepr<A>, D> {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                NdArray::from_value(value).map(ArrayBase::into_shared)
            }
        }

        fn floats_of<T: Floats, D: $Rank>(value: Value<'_>) -> Result<NdArray<T::Of, D>, Mismatch> {
            let array = array_of(value, D::RANK, Ty::array(Ty::f64(), D::RANK))?;
            let shape = array.shape().to_vec();
            Ok(nd_array(&shape, T::floats_of_each(array)?))
        }

        fn value_of<T: Floats, D: $Rank>(floats: NdArray<T::Of, D>) -> Value<'static> {
            let shape = floats.shape().to_vec();
            shaped(T::value_of_each(floats.into_iter().collect()), &shape)
        }

        impl<T: Floats, D: $Rank> Floats for ArrayBase<OwnedRepr<T>, D> {
            type Of = NdArray<T::Of, D>;

            fn floats_of(value: Value<'_>) -> Result<NdArray<T::Of, D>, Mismatch> {
                floats_of::<T, D>(value)
            }

            fn value_of(floats: NdArray<T::Of, D>) -> Value<'static> {
                value_of::<T, D>(floats)
            }
        }

        impl<T: Floats, D: $Rank> Floats for ArrayBase<OwnedArcRepr<T>, D> {
            type Of = NdArray<T::Of, D>;

            fn floats_of(value: Value<'_>) -> Result<NdArray<T::Of, D>, Mismatch> {
                floats_of::<T, D>(value)
            }

            fn value_of(floats: NdArray<T::Of, D>) -> Value<'static> {
                value_of::<T, D>(floats)
            }
        }

        impl<T: Floats, D: $Rank> Floats for ArrayBase<ViewRepr<&T>, D> {
            type Of = NdArray<T::Of, D>;

            fn floats_of(value: Value<'_>) -> Result<NdArray<T::Of, D>, Mismatch> {
                floats_of::<T, D>(value)
            }

            fn value_of(floats: NdArray<T::Of, D>) -> Value<'static> {
                value_of::<T, D>(floats)
            }
        }
    };
}

mod version_17 {
    conversions! {
        ndarray,
        /// A dimension of ndarray whose number of axes is part of the type, at least one.
        FixedRank;
        Ix1 1  Ix2 2  Ix3 3  Ix4 4  Ix5 5  Ix6 6
    }
}

pub use version_17::FixedRank;

#[cfg(feature = "ndarray-016")]
mod version_16 {
    conversions! {
        ndarray_016,
        /// A dimension of ndarray 0.16 whose number of axes is part of the type, at least one.
        FixedRank16;
        Ix1 1  Ix2 2  Ix3 3  Ix4 4  Ix5 5  Ix6 6
    }
}

#[cfg(feature = "ndarray-016")]
pub use version_16::FixedRank16;
