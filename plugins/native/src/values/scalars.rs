//! The scalars that may be elements of vectors, by their Rust types.

use overdub_context::value::{Array, Scalar};

use crate::abi::layout::Elem;
use crate::checks;

/// Runs `$body` with `$T` as the Rust type of the elements.
macro_rules! with_elem {
    ($elem:expr, $T:ident => $body:expr) => {
        with_elem!(@ $elem, $T, $body, F64 f64, F32 f32, Bool bool, Char char, I8 i8, I16 i16, I32 i32, I64 i64,
            Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, Usize usize)
    };
    (@ $elem:expr, $T:ident, $body:expr, $($variant:ident $rust:ident),*) => {
        match $elem {
            $(Elem::$variant => {
                type $T = $rust;
                $body
            })*
        }
    };
}

pub(super) use with_elem;

/// A scalar in the lowest bits of a word.
pub(super) trait FromWord: Scalar {
    fn from_word(word: u64) -> Self;

    fn is(&self, word: u64) -> bool;
}

macro_rules! from_word {
    ($($T:ty: $word:ident => $x:expr;)*) => {$(
        impl FromWord for $T {
            fn from_word($word: u64) -> $T {
                $x
            }

            fn is(&self, word: u64) -> bool {
                let other = <$T>::from_word(word);
                *self == other || other != other && *self != *self
            }
        }
    )*};
}

from_word! {
    f64: word => f64::from_bits(word);
    f32: word => f32::from_bits(word as u32);
    bool: word => word & 1 != 0;
    char: word => char::from_u32(word as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    i8: word => word as i8;
    i16: word => word as i16;
    i32: word => word as i32;
    i64: word => word as i64;
    isize: word => word as isize;
    u8: word => word as u8;
    u16: word => word as u16;
    u32: word => word as u32;
    u64: word => word;
    usize: word => word as usize;
}

/// Overwrites the elements of an array with no other owner.
pub(crate) fn poison(elem: Elem, array: &mut Array<'static>) {
    with_elem!(elem, T => {
        if let Some(elems) = array.to_mut::<T>() {
            elems.fill(T::from_word(checks::POISON));
        }
    });
}

/// Whether the elements are unchanged since [`poison`].
pub(crate) fn is_poisoned(elem: Elem, array: &Array<'_>) -> bool {
    with_elem!(elem, T => array.as_slice::<T>().is_none_or(|elems| elems.iter().all(|elem| elem.is(checks::POISON))))
}
