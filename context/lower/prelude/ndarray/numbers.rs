//! The traits of elements.

use std::ops::{Add, Div, Mul, Sub};

pub trait Zero: Sized {
    fn zero() -> Self;
}

pub trait One: Sized {
    fn one() -> Self;
}

pub trait LinalgScalar: Copy + Zero + One + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {}

/// A number that can be converted from a count.
pub trait Counted {
    fn from_usize(n: usize) -> Self;
}

/// `f64` and `f32`.
pub trait NdFloat: LinalgScalar + Counted + PartialOrd {
    fn into_usize(self) -> usize;
    fn fused(self, a: Self, b: Self) -> Self;
}

macro_rules! numbers {
    ($($T:ident $zero:literal $one:literal;)*) => {$(
        impl Zero for $T {
            fn zero() -> $T {
                $zero
            }
        }

        impl One for $T {
            fn one() -> $T {
                $one
            }
        }

        impl LinalgScalar for $T {}

        impl Counted for $T {
            fn from_usize(n: usize) -> $T {
                n as $T
            }
        }
    )*};
}

numbers! {
    f64 0.0 1.0;
    f32 0.0 1.0;
    i8 0 1;
    i16 0 1;
    i32 0 1;
    i64 0 1;
    i128 0 1;
    isize 0 1;
    u8 0 1;
    u16 0 1;
    u32 0 1;
    u64 0 1;
    u128 0 1;
    usize 0 1;
}

macro_rules! floats {
    ($($T:ident)*) => {$(
        impl NdFloat for $T {
            fn into_usize(self) -> usize {
                if !(self > -1.0) {
                    panic!(
                        "Converting the length to `usize` must not fail. The most likely cause of this failure is if \
                         the sign of `end - start` is different from the sign of `step`."
                    );
                }
                self as usize
            }

            fn fused(self, a: $T, b: $T) -> $T {
                self.mul_add(a, b)
            }
        }
    )*};
}

floats! { f64 f32 }

/// A type that can be viewed as an array: an array, a slice, a vector.
pub trait AsArray<'a, A, D> {}

impl<'a, A, D, T> AsArray<'a, A, D> for T where crate::ArrayView<'a, A, D>: From<T> {}
