//! Integers with one of the other signedness, and arithmetic that fails on overflow whatever the build.

macro_rules! with_unsigned {
    ($($T:ident $U:ident)*) => {$(
        impl $T {
            pub fn wrapping_sub_unsigned(self, rhs: $U) -> Self {
                self.wrapping_sub(rhs as Self)
            }

            pub fn overflowing_add_unsigned(self, rhs: $U) -> (Self, bool) {
                let sum = self.wrapping_add(rhs as Self);
                (sum, sum < self)
            }

            pub fn overflowing_sub_unsigned(self, rhs: $U) -> (Self, bool) {
                let difference = self.wrapping_sub(rhs as Self);
                (difference, difference > self)
            }

            pub fn saturating_add_unsigned(self, rhs: $U) -> Self {
                self.checked_add_unsigned(rhs).unwrap_or(Self::MAX)
            }

            pub fn saturating_sub_unsigned(self, rhs: $U) -> Self {
                self.checked_sub_unsigned(rhs).unwrap_or(Self::MIN)
            }

            pub fn strict_add_unsigned(self, rhs: $U) -> Self {
                match self.checked_add_unsigned(rhs) {
                    Some(sum) => sum,
                    None => crate::macros::fail("attempt to add with overflow"),
                }
            }

            pub fn strict_sub_unsigned(self, rhs: $U) -> Self {
                match self.checked_sub_unsigned(rhs) {
                    Some(difference) => difference,
                    None => crate::macros::fail("attempt to subtract with overflow"),
                }
            }

            pub fn strict_abs(self) -> Self {
                self.abs()
            }
        }
    )*};
}

with_unsigned! { i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize }

macro_rules! with_signed {
    ($($T:ident $S:ident)*) => {$(
        impl $T {
            pub fn overflowing_add_signed(self, rhs: $S) -> (Self, bool) {
                let (sum, overflow) = self.overflowing_add(rhs as Self);
                (sum, overflow != (rhs < 0))
            }

            pub fn wrapping_sub_signed(self, rhs: $S) -> Self {
                self.wrapping_sub(rhs as Self)
            }

            pub fn checked_sub_signed(self, rhs: $S) -> Option<Self> {
                if rhs < 0 { self.checked_add(rhs.unsigned_abs()) } else { self.checked_sub(rhs as Self) }
            }

            pub fn saturating_sub_signed(self, rhs: $S) -> Self {
                if rhs < 0 { self.saturating_add(rhs.unsigned_abs()) } else { self.saturating_sub(rhs as Self) }
            }

            pub fn overflowing_sub_signed(self, rhs: $S) -> (Self, bool) {
                let (difference, overflow) = self.overflowing_sub(rhs as Self);
                (difference, overflow != (rhs < 0))
            }

            pub fn strict_add_signed(self, rhs: $S) -> Self {
                match self.checked_add_signed(rhs) {
                    Some(sum) => sum,
                    None => crate::macros::fail("attempt to add with overflow"),
                }
            }

            pub fn strict_sub_signed(self, rhs: $S) -> Self {
                match self.checked_sub_signed(rhs) {
                    Some(difference) => difference,
                    None => crate::macros::fail("attempt to subtract with overflow"),
                }
            }
        }
    )*};
}

with_signed! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize }

macro_rules! strict {
    ($($T:ident)*) => {$(
        impl $T {
            pub fn overflowing_div_euclid(self, rhs: Self) -> (Self, bool) {
                match self.checked_div_euclid(rhs) {
                    None if rhs != 0 => (self, true),
                    _ => (self.div_euclid(rhs), false),
                }
            }

            pub fn overflowing_rem_euclid(self, rhs: Self) -> (Self, bool) {
                match self.checked_rem_euclid(rhs) {
                    None if rhs != 0 => (0, true),
                    _ => (self.rem_euclid(rhs), false),
                }
            }

            pub fn strict_add(self, rhs: Self) -> Self {
                self + rhs
            }

            pub fn strict_sub(self, rhs: Self) -> Self {
                self - rhs
            }

            pub fn strict_mul(self, rhs: Self) -> Self {
                self * rhs
            }

            pub fn strict_div(self, rhs: Self) -> Self {
                self / rhs
            }

            pub fn strict_rem(self, rhs: Self) -> Self {
                self % rhs
            }

            pub fn strict_div_euclid(self, rhs: Self) -> Self {
                self.div_euclid(rhs)
            }

            pub fn strict_rem_euclid(self, rhs: Self) -> Self {
                self.rem_euclid(rhs)
            }

            pub fn strict_neg(self) -> Self {
                match self.checked_neg() {
                    Some(negative) => negative,
                    None => crate::macros::fail("attempt to negate with overflow"),
                }
            }

            pub fn strict_shl(self, rhs: u32) -> Self {
                self << rhs
            }

            pub fn strict_shr(self, rhs: u32) -> Self {
                self >> rhs
            }

            pub fn strict_pow(self, exp: u32) -> Self {
                self.pow(exp)
            }
        }
    )*};
}

strict! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
