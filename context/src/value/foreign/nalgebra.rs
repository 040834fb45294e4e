//! Matrices, vectors, points and quaternions of nalgebra that own their elements. Those of a dynamic size are
//! moved and lent without a copy.
//!
//! Unit vectors and unit quaternions are not converted: their derivatives are not units.

use ::nalgebra::allocator::Allocator;
use ::nalgebra::{
    ArrayStorage, Const, DefaultAllocator, Dim, DimName, Dyn, Matrix, OPoint, OVector, Quaternion,
    RawStorage, Scalar, VecStorage, Vector4,
};

use super::{private_structs, struct_ty, structs};
use crate::types::Ty;
use crate::value::{Floats, FromValue, HasTy, IntoValue, Lend, Mismatch, Value, variant, variant_of};

structs! {
    [const N: usize] Const<N> {}
    [] Dyn { 0: usize }
    [T, const R: usize, const C: usize] ArrayStorage<T, R, C> { 0: [[T; R]; C] }
    [T] Quaternion<T> { coords: Vector4<T> }
    [T: Scalar, D: DimName] OPoint<T, D> where [DefaultAllocator: Allocator<D>] { coords: OVector<T, D> }
}

private_structs! {
    // The other field is a `PhantomData`.
    [T, R: Dim, C: Dim, S] [S: RawStorage<T, R, C>] Matrix<T, R, C, S> { S, () }
    moved matrix => [matrix.data.into_value(), Value::Unit];
    lent matrix => [matrix.data.lend(), Value::Unit];
    made fields => Matrix::from_data(next(&mut fields)?);

    [T, R: Dim, C: Dim] [VecStorage<T, R, C>: RawStorage<T, R, C>] VecStorage<T, R, C> { Vec<T>, R, C }
    moved elems => {
        let (rows, columns) = elems.shape();
        [Vec::from(elems).into_value(), rows.into_value(), columns.into_value()]
    };
    lent elems => {
        let (rows, columns) = elems.shape();
        [elems.as_vec().lend(), rows.lend().into_owned(), columns.lend().into_owned()]
    };
    made fields => {
        let (elems, rows, columns): (Vec<T>, R, C) = (next(&mut fields)?, next(&mut fields)?, next(&mut fields)?);
        let expected = rows.value() * columns.value();
        if elems.len() != expected {
            return Err(Mismatch::Length { expected, found: elems.len() });
        }
        VecStorage::new(rows, columns, elems)
    };
}

/// The next field of a struct.
fn next<'a, T: FromValue>(fields: &mut impl Iterator<Item = Value<'a>>) -> Result<T, Mismatch> {
    T::from_value(fields.next().unwrap_or(Value::Unit))
}
