//! What collectives exchange: numbers, in lists and tuples.

/// Numbers that collectives exchange: scalars, and lists, arrays and tuples of them.
pub trait Numbers {
    /// Zeros in the same shape.
    #[must_use]
    fn zeroed(self) -> Self;
}

/// Numbers of which collectives take the greatest.
pub trait Ordered: Numbers + Copy {}

/// Numbers that can be divided, for a mean.
pub trait Mean: Numbers {
    /// Each number divided by another one.
    #[must_use]
    fn divided(self, by: f64) -> Self;
}

macro_rules! scalars {
    ($($ty:ty)*) => {$(
        impl Numbers for $ty {
            fn zeroed(self) -> $ty {
                0 as $ty
            }
        }
        impl Ordered for $ty {}
    )*};
}

scalars! { f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl<T: Numbers> Numbers for Vec<T> {
    fn zeroed(self) -> Vec<T> {
        self.into_iter().map(T::zeroed).collect()
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn zeroed(self) -> [T; N] {
        self.map(T::zeroed)
    }
}

macro_rules! tuples {
    ($($($part:ident $number:tt)+;)*) => {$(
        impl<$($part: Numbers),+> Numbers for ($($part,)+) {
            fn zeroed(self) -> Self {
                ($(self.$number.zeroed(),)+)
            }
        }
    )*};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}

impl Mean for f64 {
    fn divided(self, by: f64) -> f64 {
        self / by
    }
}

impl Mean for f32 {
    fn divided(self, by: f64) -> f32 {
        self / by as f32
    }
}

impl<T: Mean> Mean for Vec<T> {
    fn divided(self, by: f64) -> Vec<T> {
        self.into_iter().map(|x| x.divided(by)).collect()
    }
}

impl<T: Mean, const N: usize> Mean for [T; N] {
    fn divided(self, by: f64) -> [T; N] {
        self.map(|x| x.divided(by))
    }
}
