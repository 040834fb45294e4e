//! The types that ranges iterate over.

pub trait Step: Clone + PartialOrd {
    /// The successor of a value that has one.
    fn succ(&self) -> Self;
    /// The predecessor of a value that has one.
    fn pred(&self) -> Self;
    /// The value `n` steps later; fails if there is none.
    fn forward(&self, n: usize) -> Self;
    /// The value `n` steps earlier; fails if there is none.
    fn backward(&self, n: usize) -> Self;
    /// The number of steps from `start` to `end`, 0 if `end` is not greater.
    fn steps_between(start: &Self, end: &Self) -> usize;
    /// Whether the number of steps always fits a `usize`.
    fn fits_usize() -> bool {
        true
    }
}

macro_rules! step {
    ($($T:ident)*) => {$(
        impl Step for $T {
            fn succ(&self) -> $T {
                self.wrapping_add(1)
            }

            fn pred(&self) -> $T {
                self.wrapping_sub(1)
            }

            fn forward(&self, n: usize) -> $T {
                *self + n as $T
            }

            fn backward(&self, n: usize) -> $T {
                *self - n as $T
            }

            fn steps_between(start: &$T, end: &$T) -> usize {
                if *start < *end { end.wrapping_sub(*start) as usize } else { 0 }
            }

            fn fits_usize() -> bool {
                $T::BITS <= 64
            }
        }
    )*};
}

#[impls(Step)]
step! { u8 u16 u32 u64 u128 usize i64 i128 isize }

macro_rules! narrow_step {
    ($($T:ident)*) => {$(
        impl Step for $T {
            fn succ(&self) -> $T {
                self.wrapping_add(1)
            }

            fn pred(&self) -> $T {
                self.wrapping_sub(1)
            }

            fn forward(&self, n: usize) -> $T {
                let to = *self as i64 + n as i64;
                assert!(to <= $T::MAX as i64, "attempt to add with overflow");
                to as $T
            }

            fn backward(&self, n: usize) -> $T {
                let to = *self as i64 - n as i64;
                assert!(to >= $T::MIN as i64, "attempt to subtract with overflow");
                to as $T
            }

            fn steps_between(start: &$T, end: &$T) -> usize {
                if *start < *end { (*end as i64 - *start as i64) as usize } else { 0 }
            }
        }
    )*};
}

#[impls(Step)]
narrow_step! { i8 i16 i32 }

impl Step for char {
    fn succ(&self) -> char {
        self.forward(1)
    }

    fn pred(&self) -> char {
        self.backward(1)
    }

    fn forward(&self, n: usize) -> char {
        let from = *self as u32;
        let to = from + n as u32;
        let to = if from < 0xD800 && to >= 0xD800 { to + 0x800 } else { to };
        crate::char::from_u32(to).expect("overflow in `Step::forward`")
    }

    fn backward(&self, n: usize) -> char {
        let from = *self as u32;
        let to = from - n as u32;
        let to = if from >= 0xE000 && to < 0xE000 { to - 0x800 } else { to };
        crate::char::from_u32(to).expect("overflow in `Step::backward`")
    }

    fn steps_between(start: &char, end: &char) -> usize {
        let (from, to) = (*start as u32, *end as u32);
        if from >= to {
            return 0;
        }
        let gap = if from < 0xD800 && to >= 0xE000 { 0x800 } else { 0 };
        (to - from - gap) as usize
    }

    fn fits_usize() -> bool {
        false
    }
}
