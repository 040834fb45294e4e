//! The floats of Rust types: the part of a value that consists of floats, in the shape of the value.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Array, FromValue, HasTy, IntoValue, Mismatch, Parts, Value, variant, variant_of};
use crate::types::Ty;

/// A Rust type whose floats can be extracted as an owned value of the same shape: those of `&[f64]` are a
/// `Vec<f64>`, those of `(f64, usize)` an `(f64, ())`. For a type that derives `Dub` they have the type
/// itself, in which other fields keep their values.
///
/// ```
/// use overdub_context::value::{Floats, Value};
///
/// let value = Value::tuple([Value::F64(0.5), Value::from(3_usize)]);
/// let floats: (f64, ()) = <(f64, usize)>::floats_of(value)?;
/// assert_eq!(floats.0, 0.5);
/// # Ok::<(), overdub_context::value::Mismatch>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the floats of `{Self}` cannot be had apart",
    note = "annotate the type with `#[derive(Dub)]`; what borrows is given as slices and references"
)]
pub trait Floats {
    /// The type of the floats.
    type Of;

    /// The floats of a value of the type.
    ///
    /// # Errors
    /// If it is of another type.
    fn floats_of(value: Value<'_>) -> Result<Self::Of, Mismatch>;

    /// The floats of each element of an array of such values.
    ///
    /// # Errors
    /// As for [`Floats::floats_of`].
    fn floats_of_each(array: Array<'_>) -> Result<Vec<Self::Of>, Mismatch> {
        array.into_values().into_iter().map(Self::floats_of).collect()
    }

    /// The floats of as many values as each list has entries: a list for each part of a tuple.
    ///
    /// # Errors
    /// As for [`Floats::floats_of`].
    fn floats_of_lists(lists: Vec<Array<'_>>) -> Result<Vec<Self::Of>, Mismatch> {
        let len = lists.iter().map(Array::len).min().unwrap_or(0);
        let mut lists: Vec<_> = lists.into_iter().map(|list| list.into_values().into_iter()).collect();
        let row = |_| Self::floats_of(Value::tuple(lists.iter_mut().filter_map(Iterator::next)));
        (0..len).map(row).collect()
    }

    /// A value that contains these floats in the order of a value of the type.
    fn value_of(floats: Self::Of) -> Value<'static>;

    /// The array of such values.
    fn value_of_each(floats: Vec<Self::Of>) -> Array<'static> {
        let values: Vec<Value<'static>> = floats.into_iter().map(Self::value_of).collect();
        let elem = values.first().map_or_else(Ty::unit, Value::ty);
        Array::from_values(elem, values).expect("values of one type of Rust are all scalars, or none is")
    }
}

/// The items of [`Floats`] for a type whose floats have the type itself, in which other parts keep their values.
macro_rules! own_floats {
    () => {
        type Of = Self;

        fn floats_of(value: $crate::value::Value<'_>) -> Result<Self, $crate::value::Mismatch> {
            $crate::value::FromValue::from_value(value)
        }

        fn value_of(floats: Self) -> $crate::value::Value<'static> {
            $crate::value::Lend::lend(&floats).into_owned()
        }
    };
}
pub(super) use own_floats;

macro_rules! are_floats {
    ($($float:ident)*) => {$(
        impl Floats for $float {
            type Of = $float;

            fn floats_of(value: Value<'_>) -> Result<$float, Mismatch> {
                $float::from_value(value)
            }

            fn floats_of_each(array: Array<'_>) -> Result<Vec<$float>, Mismatch> {
                $float::vec_from_array(array)
            }

            fn value_of(floats: $float) -> Value<'static> {
                floats.into_value()
            }

            fn value_of_each(floats: Vec<$float>) -> Array<'static> {
                Array::from_vec(floats)
            }
        }
    )*};
}

are_floats!(f64 f32);

macro_rules! hold_none {
    ($($ty:ty)*) => {$(
        impl Floats for $ty {
            type Of = ();

            fn floats_of(value: Value<'_>) -> Result<(), Mismatch> {
                if value.ty() == <$ty>::ty() { Ok(()) } else { Err(Mismatch::of::<$ty>(&value)) }
            }

            fn value_of((): ()) -> Value<'static> {
                Value::Unit
            }
        }
    )*};
}

hold_none! { () bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize str String Ordering }

macro_rules! point_to {
    ($($pointer:ty),*) => {$(
        impl<T: Floats + ?Sized> Floats for $pointer {
            type Of = T::Of;

            fn floats_of(value: Value<'_>) -> Result<T::Of, Mismatch> {
                T::floats_of(value)
            }

            fn floats_of_each(array: Array<'_>) -> Result<Vec<T::Of>, Mismatch> {
                T::floats_of_each(array)
            }

            fn value_of(floats: T::Of) -> Value<'static> {
                T::value_of(floats)
            }

            fn value_of_each(floats: Vec<T::Of>) -> Array<'static> {
                T::value_of_each(floats)
            }
        }
    )*};
}

// For a `&mut`, the floats of its referent.
point_to!(&T, &mut T, Box<T>);

impl<T: Floats> Floats for [T] {
    type Of = Vec<T::Of>;

    fn floats_of(value: Value<'_>) -> Result<Vec<T::Of>, Mismatch> {
        match value {
            Value::Array(array) if array.rank() == 1 => T::floats_of_each(Arc::unwrap_or_clone(array)),
            other => Err(Mismatch::Type { expected: Ty::array(Ty::f64(), 1), found: other.ty() }),
        }
    }

    fn value_of(floats: Vec<T::Of>) -> Value<'static> {
        Value::from(T::value_of_each(floats))
    }
}

impl<T: Floats> Floats for Vec<T> {
    type Of = Vec<T::Of>;

    fn floats_of(value: Value<'_>) -> Result<Vec<T::Of>, Mismatch> {
        <[T]>::floats_of(value)
    }

    fn value_of(floats: Vec<T::Of>) -> Value<'static> {
        <[T]>::value_of(floats)
    }
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    type Of = [T::Of; N];

    fn floats_of(value: Value<'_>) -> Result<[T::Of; N], Mismatch> {
        let elems = <[T]>::floats_of(value)?;
        let found = elems.len();
        elems.try_into().map_err(|_| Mismatch::Length { expected: N, found })
    }

    fn value_of(floats: [T::Of; N]) -> Value<'static> {
        <[T]>::value_of(floats.into())
    }
}

macro_rules! tuples {
    ($($($part:ident $number:tt)+;)*) => {$(
        impl<$($part: Floats),+> Floats for ($($part,)+) {
            type Of = ($($part::Of,)+);

            fn floats_of(value: Value<'_>) -> Result<Self::Of, Mismatch> {
                match value {
                    Value::Composite(tuple) if tuple.ty.is_none() && tuple.parts.len() == [$($number),+].len() => {
                        let mut parts = Arc::unwrap_or_clone(tuple).parts;
                        Ok(($($part::floats_of(parts[$number].take())?,)+))
                    }
                    other => Err(Mismatch::Type {
                        expected: Ty::tuple([$($number),+].map(|_| Ty::f64())),
                        found: other.ty(),
                    }),
                }
            }

            fn floats_of_lists(lists: Vec<Array<'_>>) -> Result<Vec<Self::Of>, Mismatch> {
                let expected = [$($number),+].len();
                let (found, len) = (lists.len(), lists.iter().map(Array::len).min().unwrap_or(0));
                if found != expected {
                    return Err(Mismatch::Length { expected, found });
                }
                let mut lists = lists.into_iter();
                let mut next = || lists.next().unwrap_or_else(|| Array::empty(Ty::unit()));
                let mut parts = ($($part::floats_of_each(next())?.into_iter(),)+);
                let mut row = || Some(($(parts.$number.next()?,)+));
                let mut all = Vec::with_capacity(len);
                while let Some(floats) = row() {
                    all.push(floats);
                }
                Ok(all)
            }

            fn value_of(floats: Self::Of) -> Value<'static> {
                Value::tuple([$($part::value_of(floats.$number)),+])
            }
        }
    )*};
}

crate::for_each_tuple!(tuples);

impl<T: HasTy + Floats> Floats for Option<T> {
    type Of = Option<T::Of>;

    fn floats_of(value: Value<'_>) -> Result<Option<T::Of>, Mismatch> {
        let (_, parts) = variant_of::<Option<T>>(value)?;
        parts.into_iter().next().map(T::floats_of).transpose()
    }

    fn value_of(floats: Option<T::Of>) -> Value<'static> {
        let is_some = floats.is_some().into();
        variant(Option::<T>::ty(), is_some, floats.into_iter().map(T::value_of).collect())
    }
}

impl<T: HasTy + Floats, E: HasTy + Floats> Floats for Result<T, E> {
    type Of = Result<T::Of, E::Of>;

    fn floats_of(value: Value<'_>) -> Result<Result<T::Of, E::Of>, Mismatch> {
        let (tag, parts) = variant_of::<Result<T, E>>(value)?;
        match (tag, parts.into_iter().next()) {
            (0, Some(x)) => T::floats_of(x).map(Ok),
            (_, Some(error)) => E::floats_of(error).map(Err),
            (_, None) => Err(Mismatch::of::<Result<T, E>>(&Value::Unit)),
        }
    }

    fn value_of(floats: Result<T::Of, E::Of>) -> Value<'static> {
        let (tag, part) = match floats {
            Ok(x) => (0, T::value_of(x)),
            Err(error) => (1, E::value_of(error)),
        };
        variant(Result::<T, E>::ty(), tag, Parts::from_iter([part]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_no_float_becomes_nothing_and_the_rest_keeps_its_shape() -> Result<(), Mismatch> {
        type Given<'a> = (&'a [(f64, i32)], Option<f32>, [f64; 2], bool);
        let given: Given<'_> = (&[(1.0, 1), (2.0, 2)], Some(3.0), [4.0, 5.0], true);
        let floats = Given::floats_of(given.into_value())?;
        assert_eq!(floats, (vec![(1.0, ()), (2.0, ())], Some(3.0), [4.0, 5.0], ()));
        let restored = Given::floats_of(Value::tuple([
            <&[(f64, f64)]>::value_of(vec![(6.0, 0.0)]),
            None::<f32>.into_value(),
            [0.0, 0.0].into_value(),
            true.into_value(),
        ]));
        assert!(restored.is_err(), "a float is no `i32`");
        Ok(())
    }

    #[test]
    fn floats_make_the_value_that_they_were_of() -> Result<(), Mismatch> {
        let matrix = ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]);
        let value = ndarray::Array2::<f64>::value_of(matrix.clone());
        assert_eq!(ndarray::Array2::<f64>::floats_of(value)?, matrix);
        let value = <(f64, Vec<f32>)>::value_of((0.5, vec![1.5]));
        assert_eq!(value.ty(), <(f64, Vec<f32>)>::ty());
        Ok(())
    }
}
