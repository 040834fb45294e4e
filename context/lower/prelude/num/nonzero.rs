//! Integers that are not zero.

use crate::fmt;
use crate::num::{IntErrorKind, ParseIntError, TryFromIntError};
use crate::ops::{BitOr, BitOrAssign, Div, Neg, Rem};
use crate::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonZero<T>(T);

impl<T: fmt::Display> fmt::Display for NonZero<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<T: fmt::Debug> fmt::Debug for NonZero<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

macro_rules! radix {
    ($($Trait:ident)*) => {$(
        impl<T: fmt::$Trait> fmt::$Trait for NonZero<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$Trait::fmt(&self.0, f)
            }
        }
    )*};
}

#[impls(Binary, Octal, LowerHex, UpperHex, LowerExp, UpperExp)]
radix! { Binary Octal LowerHex UpperHex LowerExp UpperExp }

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

            pub fn saturating_pow(self, other: u32) -> NonZero<$T> {
                NonZero(self.0.saturating_pow(other))
            }
        }

        impl TryFrom<$T> for NonZero<$T> {
            type Error = TryFromIntError;

            fn try_from(value: $T) -> Result<NonZero<$T>, TryFromIntError> {
                NonZero::new(value).ok_or(TryFromIntError(()))
            }
        }

        impl FromStr for NonZero<$T> {
            type Err = ParseIntError;

            fn from_str(src: &str) -> Result<NonZero<$T>, ParseIntError> {
                NonZero::new($T::from_str(src)?).ok_or(ParseIntError { kind: IntErrorKind::Zero })
            }
        }

        impl BitOr for NonZero<$T> {
            type Output = NonZero<$T>;

            fn bitor(self, rhs: NonZero<$T>) -> NonZero<$T> {
                NonZero(self.0 | rhs.0)
            }
        }

        impl BitOr<$T> for NonZero<$T> {
            type Output = NonZero<$T>;

            fn bitor(self, rhs: $T) -> NonZero<$T> {
                NonZero(self.0 | rhs)
            }
        }

        impl BitOrAssign for NonZero<$T> {
            fn bitor_assign(&mut self, rhs: NonZero<$T>) {
                self.0 |= rhs.0;
            }
        }

        impl From<NonZero<$T>> for $T {
            fn from(value: NonZero<$T>) -> $T {
                value.0
            }
        }
    )*};
}

#[impls(NonZero, TryFrom, FromStr, BitOr, BitOrAssign, From)]
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

            pub fn checked_next_power_of_two(self) -> Option<NonZero<$T>> {
                self.0.checked_next_power_of_two().map(NonZero)
            }

            pub fn isqrt(self) -> NonZero<$T> {
                NonZero(self.0.isqrt())
            }

            pub fn midpoint(self, rhs: NonZero<$T>) -> NonZero<$T> {
                NonZero(self.0.midpoint(rhs.0))
            }

            pub fn div_ceil(self, rhs: NonZero<$T>) -> NonZero<$T> {
                NonZero(self.0.div_ceil(rhs.0))
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

            pub fn checked_abs(self) -> Option<NonZero<$T>> {
                self.0.checked_abs().map(NonZero)
            }

            pub fn wrapping_abs(self) -> NonZero<$T> {
                NonZero(self.0.wrapping_abs())
            }

            pub fn checked_neg(self) -> Option<NonZero<$T>> {
                self.0.checked_neg().map(NonZero)
            }

            pub fn is_positive(self) -> bool {
                self.0 > 0
            }

            pub fn is_negative(self) -> bool {
                self.0 < 0
            }
        }

        impl Neg for NonZero<$T> {
            type Output = NonZero<$T>;

            fn neg(self) -> NonZero<$T> {
                NonZero(-self.0)
            }
        }
    )*};
}

#[impls(NonZero, Neg)]
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
