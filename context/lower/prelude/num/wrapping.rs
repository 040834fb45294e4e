//! Integers with special arithmetic.

use crate::fmt;
use crate::num::TryFromIntError;
use crate::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wrapping<T>(pub T);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Saturating<T>(pub T);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonZero<T>(T);

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
}

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
    ($($W:ident)*) => {$(
        impl<T: fmt::Display> fmt::Display for $W<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

#[impls(Display)]
transparent! { Wrapping Saturating NonZero }

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

impl<T: fmt::Debug> fmt::Debug for NonZero<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T: PartialEq + Default> NonZero<T> {
    pub fn new(value: T) -> Option<NonZero<T>> {
        if value == T::default() { None } else { Some(NonZero(value)) }
    }

    pub const unsafe fn new_unchecked(value: T) -> NonZero<T> {
        match NonZero::new(value) {
            Some(value) => value,
            None => panic!("NonZero::new_unchecked requires the argument to be non-zero"),
        }
    }

    pub fn get(self) -> T {
        self.0
    }
}

macro_rules! nonzero {
    ($($T:ident)*) => {$(
        impl NonZero<$T> {
            pub const BITS: u32 = $T::BITS;
            pub const MAX: NonZero<$T> = NonZero($T::MAX);

            pub fn leading_zeros(self) -> u32 {
                self.0.leading_zeros()
            }

            pub fn trailing_zeros(self) -> u32 {
                self.0.trailing_zeros()
            }

            pub fn count_ones(self) -> NonZero<u32> {
                NonZero(self.0.count_ones())
            }

            pub fn checked_mul(self, other: NonZero<$T>) -> Option<NonZero<$T>> {
                self.0.checked_mul(other.0).map(NonZero)
            }

            pub fn saturating_mul(self, other: NonZero<$T>) -> NonZero<$T> {
                NonZero(self.0.saturating_mul(other.0))
            }

            pub fn checked_pow(self, other: u32) -> Option<NonZero<$T>> {
                self.0.checked_pow(other).map(NonZero)
            }
        }

        impl TryFrom<$T> for NonZero<$T> {
            type Error = TryFromIntError;

            fn try_from(value: $T) -> Result<NonZero<$T>, TryFromIntError> {
                NonZero::new(value).ok_or(TryFromIntError(()))
            }
        }

        impl From<NonZero<$T>> for $T {
            fn from(value: NonZero<$T>) -> $T {
                value.0
            }
        }
    )*};
}

#[impls(NonZero, TryFrom, From)]
nonzero! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! unsigned_nonzero {
    ($($T:ident)*) => {$(
        impl NonZero<$T> {
            pub const MIN: NonZero<$T> = NonZero(1);

            pub fn checked_add(self, other: $T) -> Option<NonZero<$T>> {
                self.0.checked_add(other).map(NonZero)
            }

            pub fn saturating_add(self, other: $T) -> NonZero<$T> {
                NonZero(self.0.saturating_add(other))
            }

            pub fn ilog2(self) -> u32 {
                self.0.ilog2()
            }

            pub fn ilog10(self) -> u32 {
                self.0.ilog10()
            }

            pub fn is_power_of_two(self) -> bool {
                self.0.is_power_of_two()
            }
        }

        impl Div<NonZero<$T>> for $T {
            type Output = $T;

            fn div(self, other: NonZero<$T>) -> $T {
                self / other.0
            }
        }

        impl Rem<NonZero<$T>> for $T {
            type Output = $T;

            fn rem(self, other: NonZero<$T>) -> $T {
                self % other.0
            }
        }
    )*};
}

#[impls(NonZero, Div, Rem)]
unsigned_nonzero! { u8 u16 u32 u64 u128 usize }

macro_rules! signed_nonzero {
    ($($T:ident $U:ident)*) => {$(
        impl NonZero<$T> {
            pub const MIN: NonZero<$T> = NonZero($T::MIN);

            pub fn abs(self) -> NonZero<$T> {
                NonZero(self.0.abs())
            }

            pub fn unsigned_abs(self) -> NonZero<$U> {
                NonZero(self.0.unsigned_abs())
            }

            pub fn is_negative(self) -> bool {
                self.0 < 0
            }
        }
    )*};
}

#[impls(NonZero)]
signed_nonzero! { i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize }

pub type NonZeroU8 = NonZero<u8>;
pub type NonZeroU16 = NonZero<u16>;
pub type NonZeroU32 = NonZero<u32>;
pub type NonZeroU64 = NonZero<u64>;
pub type NonZeroU128 = NonZero<u128>;
pub type NonZeroUsize = NonZero<usize>;
pub type NonZeroI8 = NonZero<i8>;
pub type NonZeroI16 = NonZero<i16>;
pub type NonZeroI32 = NonZero<i32>;
pub type NonZeroI64 = NonZero<i64>;
pub type NonZeroI128 = NonZero<i128>;
pub type NonZeroIsize = NonZero<isize>;
