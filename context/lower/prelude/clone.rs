//! Copies: of plain data the value itself, with new cells in place of its cells.

#[lang("clone")]
pub trait Clone: Sized {
    fn clone(&self) -> Self;

    fn clone_from(&mut self, source: &Self) {
        *self = Self::clone(source)
    }
}

/// The value itself, whatever its type: its copy if it contains no cell.
#[op("id")]
pub fn same_value<T>(value: &T) -> T;

/// The elements themselves, whatever their type.
#[moves]
#[op("id")]
pub fn same_elements<T>(elems: &[T]) -> Vec<T>;

/// Whether a copy of a `T` is the same value: no cell, no `Clone` of its own. A constant of the instance.
#[lang("is_plain")]
pub fn is_plain<T>() -> bool;

macro_rules! clone {
    ($($T:ident)*) => {$(
        impl Clone for $T {
            fn clone(&self) -> $T {
                *self
            }
        }
    )*};
}

#[impls(Clone)]
clone! { f64 f32 bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<T: ?Sized> Clone for &T {
    fn clone(&self) -> Self {
        *self
    }
}

impl Clone for ! {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Clone, const N: usize> Clone for [T; N] {
    fn clone(&self) -> [T; N] {
        if is_plain::<T>() {
            return same_value(self);
        }
        crate::array::from_slice(self)
    }
}
