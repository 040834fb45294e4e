//! Parsing of numbers.

use crate::num::error::FloatErrorKind;
use crate::num::{IntErrorKind, ParseFloatError, ParseIntError};
use crate::str::FromStr;

#[op("str.parse_float")]
fn float<T>(text: &str) -> Option<T>;

/// The bits of the integer in `text`, in two's complement, for a type of `bits` bits.
pub fn in_radix(text: &str, radix: u32, signed: bool, bits: u32) -> Result<u128, ParseIntError> {
    if radix < 2 || radix > 36 {
        panic!("from_ascii_radix: radix must lie in the range `[2, 36]` - found {radix}");
    }
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(ParseIntError { kind: IntErrorKind::Empty });
    }
    let negative = signed && bytes[0] == b'-';
    let start = if negative || bytes[0] == b'+' { 1 } else { 0 };
    if start == bytes.len() {
        return Err(ParseIntError { kind: IntErrorKind::InvalidDigit });
    }
    let limit: u128 = if !signed {
        u128::MAX >> (128 - bits)
    } else if negative {
        1 << (bits - 1)
    } else {
        (1 << (bits - 1)) - 1
    };
    let too_far = if negative { IntErrorKind::NegOverflow } else { IntErrorKind::PosOverflow };
    let mut value: u128 = 0;
    for i in start..bytes.len() {
        let digit = match (bytes[i] as char).to_digit(radix) {
            Some(digit) => digit as u128,
            None => return Err(ParseIntError { kind: IntErrorKind::InvalidDigit }),
        };
        value = match value.checked_mul(radix as u128) {
            Some(value) => value,
            None => return Err(ParseIntError { kind: too_far }),
        };
        value = match value.checked_add(digit) {
            Some(value) if value <= limit => value,
            _ => return Err(ParseIntError { kind: too_far }),
        };
    }
    Ok(if negative { value.wrapping_neg() } else { value })
}

macro_rules! ints {
    ($($T:ident)*) => {$(
        impl FromStr for $T {
            type Err = ParseIntError;

            fn from_str(src: &str) -> Result<$T, ParseIntError> {
                $T::from_str_radix(src, 10)
            }
        }
    )*};
}

#[impls(FromStr)]
ints! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($T:ident)*) => {$(
        impl FromStr for $T {
            type Err = ParseFloatError;

            fn from_str(src: &str) -> Result<$T, ParseFloatError> {
                match float::<$T>(src) {
                    Some(x) => Ok(x),
                    None if src.is_empty() => Err(ParseFloatError { kind: FloatErrorKind::Empty }),
                    None => Err(ParseFloatError { kind: FloatErrorKind::Invalid }),
                }
            }
        }
    )*};
}

#[impls(FromStr)]
floats! { f64 f32 }
