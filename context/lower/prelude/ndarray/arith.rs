//! Element-wise operators on arrays, with broadcasting.

use crate::dim::*;
use crate::error::incompatible;
use crate::shape::{broadcast_to, common};
use crate::{Array, ArrayBase, ArrayView, Data, DataMut};
use std::ops::*;

/// A number that can be an operand with an array.
pub trait ScalarOperand: Clone {}

macro_rules! scalar_operands {
    ($($T:ty)*) => {$(
        impl ScalarOperand for $T {}
    )*};
}

scalar_operands! { bool i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize f32 f64 }

/// Applies a function to each pair of elements.
pub fn zipped<A, B, C, D: Dimension + DimMax<E>, E: Dimension>(
    a: &ArrayView<'_, A, D>,
    b: &ArrayView<'_, B, E>,
    f: impl Fn(A, B) -> C,
) -> Array<C, <D as DimMax<E>>::Output>
where
    A: Clone,
    B: Clone,
{
    let mut result = Vec::new();
    if a.lens == b.lens {
        let mut ys = b.iter();
        for x in a.iter() {
            if let Some(y) = ys.next() {
                result.push(f(x.clone(), y.clone()));
            }
        }
        return <D as DimMax<E>>::Output::owned(result, a.lens.to_vec());
    }
    let lens = common(&a.lens, &b.lens).ok_or_else(incompatible).unwrap();
    let (a, b): (ArrayView<'_, A, IxDyn>, ArrayView<'_, B, IxDyn>) =
        (broadcast_to(a, &lens).unwrap(), broadcast_to(b, &lens).unwrap());
    let mut ys = b.iter();
    for x in a.iter() {
        if let Some(y) = ys.next() {
            result.push(f(x.clone(), y.clone()));
        }
    }
    <D as DimMax<E>>::Output::owned(result, lens)
}

/// An operator between two arrays with particular ownership; `$made` is the element type of the result.
macro_rules! between {
    ($Op:ident $op:ident [$($life:lifetime)*] $Left:ty, $Right:ty => $result:ident) => {
        impl<$($life,)* A, B, S, S2, D, E> $Op<$Right> for $Left
        where
            A: Clone + $Op<B, Output = $result>,
            B: Clone,
            S: Data<Elem = A>,
            S2: Data<Elem = B>,
            D: Dimension + DimMax<E>,
            E: Dimension,
        {
            type Output = Array<$result, <D as DimMax<E>>::Output>;

            fn $op(self, rhs: $Right) -> Self::Output {
                zipped(&self.view(), &rhs.view(), |x, y| x.$op(y))
            }
        }
    };
}

/// An operator between an array, owned or not, and a number.
macro_rules! with_number {
    ($Op:ident $op:ident [$($life:lifetime)*] $Left:ty) => {
        impl<$($life,)* A, B, S, D> $Op<B> for $Left
        where
            A: Clone + $Op<B, Output = A>,
            B: ScalarOperand,
            S: Data<Elem = A>,
            D: Dimension,
        {
            type Output = Array<A, D>;

            fn $op(self, rhs: B) -> Array<A, D> {
                self.mapv(|x| x.$op(rhs.clone()))
            }
        }
    };
}

macro_rules! operators {
    ($($Op:ident $op:ident $OpAssign:ident $op_assign:ident;)*) => {$(
        between! { $Op $op [] ArrayBase<S, D>, ArrayBase<S2, E> => A }
        between! { $Op $op ['b] ArrayBase<S, D>, &'b ArrayBase<S2, E> => A }
        between! { $Op $op ['a] &'a ArrayBase<S, D>, ArrayBase<S2, E> => B }
        between! { $Op $op ['a 'b] &'a ArrayBase<S, D>, &'b ArrayBase<S2, E> => A }
        with_number! { $Op $op [] ArrayBase<S, D> }
        with_number! { $Op $op ['a] &'a ArrayBase<S, D> }

        impl<'a, A, B, S, S2, D, E> $OpAssign<&'a ArrayBase<S2, E>> for ArrayBase<S, D>
        where
            A: Clone + $OpAssign<B>,
            B: Clone,
            S: DataMut<Elem = A>,
            S2: Data<Elem = B>,
            D: Dimension,
            E: Dimension,
        {
            fn $op_assign(&mut self, rhs: &ArrayBase<S2, E>) {
                self.zip_mut_with(rhs, |x, y| x.$op_assign(y.clone()));
            }
        }

        impl<A, S, D> $OpAssign<A> for ArrayBase<S, D>
        where
            A: ScalarOperand + $OpAssign<A>,
            S: DataMut<Elem = A>,
            D: Dimension,
        {
            fn $op_assign(&mut self, rhs: A) {
                for x in self.iter_mut() {
                    x.$op_assign(rhs.clone());
                }
            }
        }
    )*};
}

#[impls(Add, AddAssign, Sub, SubAssign, Mul, MulAssign, Div, DivAssign, Rem, RemAssign)]
operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}

#[impls(BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign)]
operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

macro_rules! scalars_first {
    ($($T:ident)*) => {$(
        scalars_first! { @ $T Add add Sub sub Mul mul Div div Rem rem }
    )*};
    (@ $T:ident $($Op:ident $op:ident)*) => {$(
        impl<S: Data<Elem = $T>, D: Dimension> $Op<ArrayBase<S, D>> for $T {
            type Output = Array<$T, D>;

            fn $op(self, rhs: ArrayBase<S, D>) -> Array<$T, D> {
                rhs.mapv(|x| self.$op(x))
            }
        }

        impl<'a, S: Data<Elem = $T>, D: Dimension> $Op<&'a ArrayBase<S, D>> for $T {
            type Output = Array<$T, D>;

            fn $op(self, rhs: &ArrayBase<S, D>) -> Array<$T, D> {
                rhs.mapv(|x| self.$op(x))
            }
        }
    )*};
}

#[impls(Add, Sub, Mul, Div, Rem)]
scalars_first! { f64 f32 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<A: Clone + Neg<Output = A>, S: Data<Elem = A>, D: Dimension> Neg for ArrayBase<S, D> {
    type Output = Array<A, D>;

    fn neg(self) -> Array<A, D> {
        self.mapv(|x| -x)
    }
}

impl<'a, A: Clone + Neg<Output = A>, S: Data<Elem = A>, D: Dimension> Neg for &'a ArrayBase<S, D> {
    type Output = Array<A, D>;

    fn neg(self) -> Array<A, D> {
        self.mapv(|x| -x)
    }
}

impl<A: Clone + Not<Output = A>, S: Data<Elem = A>, D: Dimension> Not for ArrayBase<S, D> {
    type Output = Array<A, D>;

    fn not(self) -> Array<A, D> {
        self.mapv(|x| !x)
    }
}

/// Whether shapes and elements are equal.
fn equal<A: PartialEq<B>, B, D: Dimension, E: Dimension>(a: &ArrayView<'_, A, D>, b: &ArrayView<'_, B, E>) -> bool {
    if a.lens != b.lens {
        return false;
    }
    let mut ys = b.iter();
    for x in a.iter() {
        match ys.next() {
            Some(y) if *x == *y => {}
            _ => return false,
        }
    }
    true
}

impl<A: PartialEq<B>, B, S: Data<Elem = A>, S2: Data<Elem = B>, D: Dimension> PartialEq<ArrayBase<S2, D>> for ArrayBase<S, D> {
    fn eq(&self, rhs: &ArrayBase<S2, D>) -> bool {
        equal(&self.view(), &rhs.view())
    }
}

impl<'a, A: PartialEq<B>, B, S: Data<Elem = A>, S2: Data<Elem = B>, D: Dimension> PartialEq<&'a ArrayBase<S2, D>> for ArrayBase<S, D> {
    fn eq(&self, rhs: &&ArrayBase<S2, D>) -> bool {
        equal(&self.view(), &rhs.view())
    }
}

impl<'a, A: PartialEq<B>, B, S: Data<Elem = A>, S2: Data<Elem = B>, D: Dimension> PartialEq<ArrayBase<S2, D>> for &'a ArrayBase<S, D> {
    fn eq(&self, rhs: &ArrayBase<S2, D>) -> bool {
        equal(&self.view(), &rhs.view())
    }
}

impl<A: Eq, S: Data<Elem = A>, D: Dimension> Eq for ArrayBase<S, D> {}
