//! Integers with special arithmetic.

use crate::fmt;
use crate::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wrapping<T>(pub T);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Saturating<T>(pub T);

#[op("add.wrapping")]
fn add<T>(a: T, b: T) -> T;
#[op("sub.wrapping")]
fn sub<T>(a: T, b: T) -> T;
#[op("mul.wrapping")]
fn mul<T>(a: T, b: T) -> T;
#[op("div.wrapping")]
fn div<T>(a: T, b: T) -> T;
#[op("rem.wrapping")]
fn rem<T>(a: T, b: T) -> T;
#[op("neg.wrapping")]
fn neg<T>(a: T) -> T;
#[op("and")]
fn and<T>(a: T, b: T) -> T;
#[op("or")]
fn or<T>(a: T, b: T) -> T;
#[op("xor")]
fn xor<T>(a: T, b: T) -> T;
#[op("not")]
fn not<T>(a: T) -> T;
#[op("shl.wrapping")]
fn shl<T>(a: T, by: u32) -> T;
#[op("shr.wrapping")]
fn shr<T>(a: T, by: u32) -> T;
#[op("add.saturating")]
fn add_saturating<T>(a: T, b: T) -> T;
#[op("sub.saturating")]
fn sub_saturating<T>(a: T, b: T) -> T;
#[op("mul.saturating")]
fn mul_saturating<T>(a: T, b: T) -> T;

macro_rules! binary {
    ($($W:ident $Trait:ident $method:ident $op:ident;)*) => {$(
        impl<T> $Trait for $W<T> {
            type Output = $W<T>;

            fn $method(self, rhs: $W<T>) -> $W<T> {
                $W($op(self.0, rhs.0))
            }
        }
    )*};
}

#[impls(Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor)]
binary! {
    Wrapping Add add add;
    Wrapping Sub sub sub;
    Wrapping Mul mul mul;
    Wrapping Div div div;
    Wrapping Rem rem rem;
    Wrapping BitAnd bitand and;
    Wrapping BitOr bitor or;
    Wrapping BitXor bitxor xor;
    Saturating Add add add_saturating;
    Saturating Sub sub sub_saturating;
    Saturating Mul mul mul_saturating;
    Saturating Rem rem rem;
    Saturating BitAnd bitand and;
    Saturating BitOr bitor or;
    Saturating BitXor bitxor xor;
}

/// Division and negation saturate at the least of the signed integers.
macro_rules! saturating {
    ($($T:ident)*) => {$(
        impl Div for Saturating<$T> {
            type Output = Saturating<$T>;

            fn div(self, rhs: Saturating<$T>) -> Saturating<$T> {
                Saturating(self.0.saturating_div(rhs.0))
            }
        }

        impl DivAssign for Saturating<$T> {
            fn div_assign(&mut self, rhs: Saturating<$T>) {
                *self = *self / rhs;
            }
        }
    )*};
}

#[impls(Div, DivAssign)]
saturating! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! negated {
    ($($T:ident)*) => {$(
        impl Neg for Saturating<$T> {
            type Output = Saturating<$T>;

            fn neg(self) -> Saturating<$T> {
                Saturating(self.0.saturating_neg())
            }
        }
    )*};
}

#[impls(Neg)]
negated! { i8 i16 i32 i64 i128 isize }

macro_rules! methods {
    ($($T:ident)*) => {$(
        impl Wrapping<$T> {
            pub const MIN: Wrapping<$T> = Wrapping($T::MIN);
            pub const MAX: Wrapping<$T> = Wrapping($T::MAX);
        }

        impl Saturating<$T> {
            pub const MIN: Saturating<$T> = Saturating($T::MIN);
            pub const MAX: Saturating<$T> = Saturating($T::MAX);

            pub fn pow(self, exp: u32) -> Saturating<$T> {
                Saturating(self.0.saturating_pow(exp))
            }
        }
    )*};
}

#[impls(Wrapping, Saturating)]
methods! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! assign {
    ($($W:ident $Trait:ident $method:ident $op:ident;)*) => {$(
        impl<T> $Trait for $W<T> {
            fn $method(&mut self, rhs: $W<T>) {
                self.0 = $op(self.0, rhs.0);
            }
        }

        impl<T> $Trait<T> for $W<T> {
            fn $method(&mut self, rhs: T) {
                self.0 = $op(self.0, rhs);
            }
        }
    )*};
}

#[impls(AddAssign, SubAssign, MulAssign, DivAssign, RemAssign, BitAndAssign, BitOrAssign, BitXorAssign)]
assign! {
    Wrapping AddAssign add_assign add;
    Wrapping SubAssign sub_assign sub;
    Wrapping MulAssign mul_assign mul;
    Wrapping DivAssign div_assign div;
    Wrapping RemAssign rem_assign rem;
    Wrapping BitAndAssign bitand_assign and;
    Wrapping BitOrAssign bitor_assign or;
    Wrapping BitXorAssign bitxor_assign xor;
    Saturating AddAssign add_assign add_saturating;
    Saturating SubAssign sub_assign sub_saturating;
    Saturating MulAssign mul_assign mul_saturating;
    Saturating RemAssign rem_assign rem;
    Saturating BitAndAssign bitand_assign and;
    Saturating BitOrAssign bitor_assign or;
    Saturating BitXorAssign bitxor_assign xor;
}

impl<T> Neg for Wrapping<T> {
    type Output = Wrapping<T>;

    fn neg(self) -> Wrapping<T> {
        Wrapping(neg(self.0))
    }
}

impl<T> Not for Wrapping<T> {
    type Output = Wrapping<T>;

    fn not(self) -> Wrapping<T> {
        Wrapping(not(self.0))
    }
}

impl<T> Not for Saturating<T> {
    type Output = Saturating<T>;

    fn not(self) -> Saturating<T> {
        Saturating(not(self.0))
    }
}

impl<T> Shl<usize> for Wrapping<T> {
    type Output = Wrapping<T>;

    fn shl(self, by: usize) -> Wrapping<T> {
        Wrapping(shl(self.0, by as u32))
    }
}

impl<T> Shr<usize> for Wrapping<T> {
    type Output = Wrapping<T>;

    fn shr(self, by: usize) -> Wrapping<T> {
        Wrapping(shr(self.0, by as u32))
    }
}

impl<T> ShlAssign<usize> for Wrapping<T> {
    fn shl_assign(&mut self, by: usize) {
        self.0 = shl(self.0, by as u32);
    }
}

impl<T> ShrAssign<usize> for Wrapping<T> {
    fn shr_assign(&mut self, by: usize) {
        self.0 = shr(self.0, by as u32);
    }
}

macro_rules! transparent {
    ($($W:ident: $($Trait:ident)*;)*) => {$($(
        impl<T: fmt::$Trait> fmt::$Trait for $W<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$Trait::fmt(&self.0, f)
            }
        }
    )*)*};
}

#[impls(Display, Binary, Octal, LowerHex, UpperHex)]
transparent! {
    Wrapping: Display Binary Octal LowerHex UpperHex;
    Saturating: Display Binary Octal LowerHex UpperHex;
}

impl<T: fmt::Debug> fmt::Debug for Wrapping<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T: fmt::Debug> fmt::Debug for Saturating<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

