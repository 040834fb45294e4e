//! Arguments of a call with other numbers in them, for Rust's own calls of a function.
//!
//! - REMADE1 an argument is owned data, and what the parameter's type borrows from it.

use ndarray::{Array, ArrayView};
use overdub_context::value::{FixedRank, FromValue, HasTy, Scalar, Value};

/// A type of parameters whose arguments can be made from values; which of the forms below it has is inferred.
#[diagnostic::on_unimplemented(
    message = "a check cannot make arguments of type `{Self}`",
    note = "it makes owned values, references and slices of them, `&str`, and views of ndarray's arrays"
)]
pub trait Remade<Form> {
    /// The data of an argument.
    type Stored;
    /// The parameter's type, borrowing from the data.
    type At<'x>;

    /// The data for a value; `None` if it is of another type.
    fn store(value: Value<'static>) -> Option<Self::Stored>;

    /// The argument.
    fn at(stored: &mut Self::Stored) -> Self::At<'_>;
}

/// The form of a type that borrows nothing.
#[derive(Debug)]
pub struct Owned;
/// The form of `&T`.
#[derive(Debug)]
pub struct Borrowed;
/// The form of `&mut T`.
#[derive(Debug)]
pub struct BorrowedMut;
/// The form of `&[T]`.
#[derive(Debug)]
pub struct Slice;
/// The form of `&mut [T]`.
#[derive(Debug)]
pub struct SliceMut;
/// The form of `&str`.
#[derive(Debug)]
pub struct Text;
/// The form of a view of an array.
#[derive(Debug)]
pub struct View;

/// A value as Rust's; the content of a cell, for a `&mut` parameter that may be kept.
fn read<T: FromValue>(value: Value<'static>) -> Option<T> {
    match value {
        Value::Ref(cell) => T::from_value(cell.get().ok()?).ok(),
        value => T::from_value(value).ok(),
    }
}

impl<T: FromValue> Remade<Owned> for T {
    type Stored = Option<T>;
    type At<'x> = T;

    fn store(value: Value<'static>) -> Option<Option<T>> {
        read(value).map(Some)
    }

    fn at(stored: &mut Option<T>) -> T {
        stored.take().expect("REMADE1: there is one call for stored data")
    }
}

macro_rules! borrows {
    ($($form:ident: $param:ty, $of:ty, $at:ty, $borrow:expr;)*) => {$(
        impl<T: FromValue + 'static> Remade<$form> for $param {
            type Stored = $of;
            type At<'x> = $at;

            fn store(value: Value<'static>) -> Option<$of> {
                read(value)
            }

            fn at<'x>(stored: &'x mut $of) -> $at {
                $borrow(stored)
            }
        }
    )*};
}

borrows! {
    Borrowed:    &T,       T,      &'x T,       |x| x;
    BorrowedMut: &mut T,   T,      &'x mut T,   |x| x;
    Slice:       &[T],     Vec<T>, &'x [T],     |x| x;
    SliceMut:    &mut [T], Vec<T>, &'x mut [T], |x| x;
}

impl Remade<Text> for &str {
    type Stored = String;
    type At<'x> = &'x str;

    fn store(value: Value<'static>) -> Option<String> {
        read(value)
    }

    fn at(stored: &mut String) -> &str {
        stored
    }
}

impl<A: Scalar + HasTy, D: FixedRank> Remade<View> for ArrayView<'_, A, D> {
    type Stored = Array<A, D>;
    type At<'x> = ArrayView<'x, A, D>;

    fn store(value: Value<'static>) -> Option<Array<A, D>> {
        read(value)
    }

    fn at(stored: &mut Array<A, D>) -> ArrayView<'_, A, D> {
        stored.view()
    }
}

/// The arguments of a call, a tuple of [`Remade`]; `Forms` is the tuple of their forms.
pub trait RemadeAll<Forms> {
    /// The data of the arguments.
    type Stored;
    /// The arguments, borrowing from the data.
    type At<'x>;

    /// The data for values; `None` if they are of other types.
    fn store(values: Vec<Value<'static>>) -> Option<Self::Stored>;

    /// The arguments.
    fn at(stored: &mut Self::Stored) -> Self::At<'_>;
}

macro_rules! tuples {
    ($($($param:ident $form:ident $number:tt)+;)*) => {$(
        impl<$($param: Remade<$form>, $form),+> RemadeAll<($($form,)+)> for ($($param,)+) {
            type Stored = ($($param::Stored,)+);
            type At<'x> = ($($param::At<'x>,)+);

            fn store(values: Vec<Value<'static>>) -> Option<Self::Stored> {
                let mut values = values.into_iter();
                Some(($($param::store(values.next()?)?,)+))
            }

            fn at(stored: &mut Self::Stored) -> Self::At<'_> {
                ($($param::at(&mut stored.$number),)+)
            }
        }
    )*};
}

tuples! {
    A Fa 0;
    A Fa 0 B Fb 1;
    A Fa 0 B Fb 1 C Fc 2;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10 M Fm 11;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10 M Fm 11 N Fn 12;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10 M Fm 11 N Fn 12 O Fo 13;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10 M Fm 11 N Fn 12 O Fo 13 P Fp 14;
    A Fa 0 B Fb 1 C Fc 2 D Fd 3 E Fe 4 G Fg 5 H Fh 6 I Fi 7 J Fj 8 K Fk 9 L Fl 10 M Fm 11 N Fn 12 O Fo 13 P Fp 14 Q Fq 15;
}
