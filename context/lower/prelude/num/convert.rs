//! Conversions between numbers.

use crate::num::TryFromIntError;

macro_rules! lossless {
    ($($To:ident: $($From:ident)*;)*) => {$($(
        impl From<$From> for $To {
            #[op("cast")]
            fn from(value: $From) -> $To;
        }
    )*)*};
}

#[impls(From)]
lossless! {
    u8: bool;
    u16: bool u8;
    u32: bool u8 u16 char;
    u64: bool u8 u16 u32 char;
    u128: bool u8 u16 u32 u64 char;
    usize: bool u8 u16;
    i8: bool;
    i16: bool i8 u8;
    i32: bool i8 u8 i16 u16;
    i64: bool i8 u8 i16 u16 i32 u32;
    i128: bool i8 u8 i16 u16 i32 u32 i64 u64;
    isize: bool i8 u8 i16;
    f32: i8 u8 i16 u16;
    f64: i8 u8 i16 u16 i32 u32 f32;
    char: u8;
}

impl From<bool> for f64 {
    fn from(value: bool) -> f64 {
        if value { 1.0 } else { 0.0 }
    }
}

impl From<bool> for f32 {
    fn from(value: bool) -> f32 {
        if value { 1.0 } else { 0.0 }
    }
}

macro_rules! checked {
    ($($To:ident: $($From:ident)*;)*) => {$($(
        impl TryFrom<$From> for $To {
            type Error = TryFromIntError;

            fn try_from(value: $From) -> Result<$To, TryFromIntError> {
                let cast = value as $To;
                if cast as $From == value && (cast < (0 as $To)) == (value < (0 as $From)) {
                    Ok(cast)
                } else {
                    Err(TryFromIntError(()))
                }
            }
        }
    )*)*};
}

#[impls(TryFrom)]
checked! {
    u8: u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u16: u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u32: u64 u128 usize i8 i16 i32 i64 i128 isize;
    u64: u128 usize i8 i16 i32 i64 i128 isize;
    u128: usize i8 i16 i32 i64 i128 isize;
    usize: u32 u64 u128 i8 i16 i32 i64 i128 isize;
    i8: u8 u16 u32 u64 u128 usize i16 i32 i64 i128 isize;
    i16: u16 u32 u64 u128 usize i32 i64 i128 isize;
    i32: u32 u64 u128 usize i64 i128 isize;
    i64: u64 u128 usize i128 isize;
    i128: u128 usize isize;
    isize: u16 u32 u64 u128 usize i32 i64 i128;
}

impl TryFrom<u32> for char {
    type Error = crate::char::CharTryFromError;

    fn try_from(value: u32) -> Result<char, crate::char::CharTryFromError> {
        match crate::char::from_u32(value) {
            Some(c) => Ok(c),
            None => Err(crate::char::CharTryFromError(())),
        }
    }
}

impl TryFrom<char> for u8 {
    type Error = crate::char::TryFromCharError;

    fn try_from(value: char) -> Result<u8, crate::char::TryFromCharError> {
        if (value as u32) < 256 { Ok(value as u8) } else { Err(crate::char::TryFromCharError(())) }
    }
}

impl TryFrom<char> for u16 {
    type Error = crate::char::TryFromCharError;

    fn try_from(value: char) -> Result<u16, crate::char::TryFromCharError> {
        if (value as u32) < 0x10000 { Ok(value as u16) } else { Err(crate::char::TryFromCharError(())) }
    }
}

/// Integers as the integral part of a float.
pub trait FromFloat<F> {
    /// The integral part, which must be in range.
    fn from_float(x: F) -> Self;
}

macro_rules! from_floats {
    ($($Int:ident)*) => {$(
        from_floats! { @ $Int f32 }
        from_floats! { @ $Int f64 }
    )*};
    (@ $Int:ident $F:ident) => {
        impl FromFloat<$F> for $Int {
            fn from_float(x: $F) -> $Int {
                let (whole, end) = (x.trunc(), ($Int::MAX / 2 + 1) as $F * 2.0);
                // NaN is in no range.
                if !(whole >= $Int::MIN as $F && whole < end) {
                    crate::macros::fail("a float is taken as an integer without a check, and is not in its range");
                }
                x as $Int
            }
        }
    };
}

from_floats! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
