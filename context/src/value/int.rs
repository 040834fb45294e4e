//! Integers of up to 64 bits with their type, and conversions from and to Rust's.

use std::cmp::Ordering;

use super::Value;
use crate::types::IntTy;

/// An integer of up to 64 bits: its type and its bits, sign-extended to 64 (zero-extended if unsigned).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Int {
    ty: IntTy,
    bits: u64,
}

impl Int {
    /// The integer of type `ty` whose lowest bits are those of `bits`.
    ///
    /// `ty` has at most 64 bits; the 128-bit types are [`Value::I128`] and [`Value::U128`].
    pub fn wrapping(ty: IntTy, bits: u64) -> Int {
        let spare = 64u32.saturating_sub(ty.bits());
        let bits = bits << spare;
        let bits = if ty.is_signed() { ((bits as i64) >> spare) as u64 } else { bits >> spare };
        Int { ty, bits }
    }

    /// The type.
    pub fn ty(self) -> IntTy {
        self.ty
    }

    /// The bits, extended to 64.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The result of a formula for two integers of the same type, one formula for signed and one for unsigned
    /// types; none if the formula has no result, or it does not fit the type.
    #[inline]
    pub(crate) fn checked(
        self,
        other: Int,
        signed: impl FnOnce(i64, i64) -> Option<i64>,
        unsigned: impl FnOnce(u64, u64) -> Option<u64>,
    ) -> Option<Int> {
        if self.ty != other.ty {
            return None;
        }
        let bits = if self.ty.is_signed() {
            signed(self.bits as i64, other.bits as i64)? as u64
        } else {
            unsigned(self.bits, other.bits)?
        };
        let int = Int::wrapping(self.ty, bits);
        (int.bits == bits).then_some(int)
    }

    /// The result of a formula on the bits of two integers of the same type, modulo its width.
    #[inline]
    pub(crate) fn bitwise(self, other: Int, formula: impl FnOnce(u64, u64) -> u64) -> Option<Int> {
        (self.ty == other.ty).then(|| Int::wrapping(self.ty, formula(self.bits, other.bits)))
    }

    /// Compares two integers of the same type.
    #[inline]
    pub(crate) fn compare(self, other: Int) -> Option<Ordering> {
        if self.ty != other.ty {
            return None;
        }
        let signed = (self.bits as i64).cmp(&(other.bits as i64));
        Some(if self.ty.is_signed() { signed } else { self.bits.cmp(&other.bits) })
    }

    /// The numeric value.
    pub fn value(self) -> i128 {
        if self.ty.is_signed() { i128::from(self.bits as i64) } else { i128::from(self.bits) }
    }
}

impl<'a> Value<'a> {
    /// The integer of type `ty` that equals `value` modulo its width (for `u128`: with the bits of `value`).
    pub fn int(ty: IntTy, value: i128) -> Value<'a> {
        match ty {
            IntTy::I128 => Value::I128(Box::new(value)),
            IntTy::U128 => Value::U128(Box::new(value as u128)),
            _ => Value::Int(Int::wrapping(ty, value as u64)),
        }
    }

    /// The integer, with its type; a `u128` as the bits of an `i128`.
    pub fn as_int(&self) -> Option<(IntTy, i128)> {
        match self {
            Value::Int(int) => Some((int.ty(), int.value())),
            Value::I128(n) => Some((IntTy::I128, **n)),
            Value::U128(n) => Some((IntTy::U128, **n as i128)),
            _ => None,
        }
    }

    /// The index, if the value is a non-negative integer that fits.
    pub fn as_index(&self) -> Option<usize> {
        match self {
            Value::Int(int) => usize::try_from(int.value()).ok(),
            _ => None,
        }
    }
}

macro_rules! from_ints {
    ($($rust:ty => $ty:ident),*) => {$(
        impl From<$rust> for Value<'_> {
            fn from(n: $rust) -> Self {
                Value::int(IntTy::$ty, n as i128)
            }
        }
    )*};
}

from_ints!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128, isize => Isize,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128, usize => Usize
);
