//! Conversions of matrices, columns and rows of faer to arrays and back: the elements are copied, since those of a matrix
//! are stored by columns with gaps between them.

use ::faer::{Col, ColRef, Mat, MatRef, Row, RowRef};

use super::convert_ndarray::{array_of, shaped};
use super::{Array, Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Scalar, Value};
use crate::types::Ty;

/// The conversions of a type that owns its elements and of the one that borrows them: the number of axes, the shape and the
/// elements in row-major order of a borrowed one, and the owned one of a shape and such elements.
macro_rules! conversions {
    ($(
        $Owned:ident $Ref:ident $rank:literal;
        $seen:ident => $shape:expr, $elems:expr;
        $dims:ident, $list:ident => $made:expr;
    )*) => {$(
        impl<T: HasTy> HasTy for $Owned<T> {
            fn ty() -> Ty {
                Ty::array(T::ty(), $rank)
            }
        }

        impl<T: HasTy> HasTy for $Ref<'_, T> {
            fn ty() -> Ty {
                Ty::array(T::ty(), $rank)
            }
        }

        impl<T: Scalar + HasTy> Lend for $Ref<'_, T> {
            fn lend(&self) -> Value<'_> {
                let $seen = *self;
                shaped(Array::from_vec($elems), &$shape)
            }
        }

        impl<T: Scalar + HasTy> Lend for $Owned<T> {
            fn lend(&self) -> Value<'_> {
                self.as_ref().lend().into_owned()
            }
        }

        impl<'a, T: Scalar + HasTy> IntoValue<'a> for $Ref<'a, T> {
            fn into_value(self) -> Value<'a> {
                self.lend().into_owned()
            }
        }

        impl<'a, T: Scalar + HasTy> IntoValue<'a> for $Owned<T> {
            fn into_value(self) -> Value<'a> {
                self.lend().into_owned()
            }
        }

        impl<T: Scalar + HasTy> FromValue for $Owned<T> {
            fn from_value(value: Value<'_>) -> Result<Self, Mismatch> {
                let array = array_of(value, $rank, Self::ty())?;
                let $dims = array.shape().to_vec();
                let $list = array.into_vec::<T>().map_err(|array| Mismatch::of::<Self>(&Value::from(array)))?;
                Ok($made)
            }
        }

        impl<T: Floats<Of: Clone>> Floats for $Owned<T> {
            type Of = $Owned<T::Of>;

            fn floats_of(value: Value<'_>) -> Result<$Owned<T::Of>, Mismatch> {
                let array = array_of(value, $rank, Ty::array(Ty::f64(), $rank))?;
                let $dims = array.shape().to_vec();
                let $list = T::floats_of_each(array)?;
                Ok($made)
            }

            fn value_of(floats: $Owned<T::Of>) -> Value<'static> {
                let $seen = floats.as_ref();
                shaped(T::value_of_each($elems), &$shape)
            }
        }

        impl<T: Floats<Of: Clone>> Floats for $Ref<'_, T> {
            type Of = $Owned<T::Of>;

            fn floats_of(value: Value<'_>) -> Result<$Owned<T::Of>, Mismatch> {
                $Owned::<T>::floats_of(value)
            }

            fn value_of(floats: $Owned<T::Of>) -> Value<'static> {
                $Owned::<T>::value_of(floats)
            }
        }
    )*};
}

conversions! {
    Mat MatRef 2;
    matrix => [matrix.nrows(), matrix.ncols()], by_rows(matrix);
    dims, elems => Mat::from_fn(dims[0], dims[1], |i, j| elems[i * dims[1] + j].clone());

    Col ColRef 1;
    column => [column.nrows()], (0..column.nrows()).map(|i| column[i].clone()).collect();
    dims, elems => Col::from_fn(dims[0], |i| elems[i].clone());

    Row RowRef 1;
    row => [row.ncols()], (0..row.ncols()).map(|j| row[j].clone()).collect();
    dims, elems => Row::from_fn(dims[0], |j| elems[j].clone());
}

/// The elements of a matrix in row-major order.
fn by_rows<T: Clone>(matrix: MatRef<'_, T>) -> Vec<T> {
    let (rows, columns) = matrix.shape();
    (0..rows).flat_map(|i| (0..columns).map(move |j| matrix[(i, j)].clone())).collect()
}
