//! The methods and constants of integers.

use crate::num::ParseIntError;

macro_rules! int_methods {
    ($T:ident $U:ident $bits:literal $bytes:literal) => {
        pub const BITS: u32 = $bits;

        #[op("add.wrapping")]
        pub fn wrapping_add(self, rhs: Self) -> Self;
        #[op("sub.wrapping")]
        pub fn wrapping_sub(self, rhs: Self) -> Self;
        #[op("mul.wrapping")]
        pub fn wrapping_mul(self, rhs: Self) -> Self;
        #[op("div.wrapping")]
        pub fn wrapping_div(self, rhs: Self) -> Self;
        #[op("rem.wrapping")]
        pub fn wrapping_rem(self, rhs: Self) -> Self;
        #[op("neg.wrapping")]
        pub fn wrapping_neg(self) -> Self;
        #[op("shl.wrapping")]
        pub fn wrapping_shl(self, rhs: u32) -> Self;
        #[op("shr.wrapping")]
        pub fn wrapping_shr(self, rhs: u32) -> Self;
        #[op("pow.wrapping")]
        pub fn wrapping_pow(self, exp: u32) -> Self;
        #[op("add.checked")]
        pub fn checked_add(self, rhs: Self) -> Option<Self>;
        #[op("sub.checked")]
        pub fn checked_sub(self, rhs: Self) -> Option<Self>;
        #[op("mul.checked")]
        pub fn checked_mul(self, rhs: Self) -> Option<Self>;
        #[op("div.checked")]
        pub fn checked_div(self, rhs: Self) -> Option<Self>;
        #[op("rem.checked")]
        pub fn checked_rem(self, rhs: Self) -> Option<Self>;
        #[op("neg.checked")]
        pub fn checked_neg(self) -> Option<Self>;
        #[op("shl.checked")]
        pub fn checked_shl(self, rhs: u32) -> Option<Self>;
        #[op("shr.checked")]
        pub fn checked_shr(self, rhs: u32) -> Option<Self>;
        pub fn overflowing_div(self, rhs: Self) -> (Self, bool) {
            match self.checked_div(rhs) {
                None if rhs != 0 => (self, true),
                _ => (self / rhs, false),
            }
        }

        pub fn overflowing_rem(self, rhs: Self) -> (Self, bool) {
            match self.checked_rem(rhs) {
                None if rhs != 0 => (0, true),
                _ => (self % rhs, false),
            }
        }

        pub fn unbounded_shl(self, rhs: u32) -> Self {
            if rhs < Self::BITS { self << rhs } else { 0 }
        }

        pub fn unbounded_shr(self, rhs: u32) -> Self {
            if rhs < Self::BITS { self >> rhs } else { self >> (Self::BITS - 1) >> 1u32 }
        }

        #[op("pow.checked")]
        pub fn checked_pow(self, exp: u32) -> Option<Self>;
        #[op("div_euclid.checked")]
        pub fn checked_div_euclid(self, rhs: Self) -> Option<Self>;
        #[op("rem_euclid.checked")]
        pub fn checked_rem_euclid(self, rhs: Self) -> Option<Self>;
        #[op("add.saturating")]
        pub fn saturating_add(self, rhs: Self) -> Self;
        #[op("sub.saturating")]
        pub fn saturating_sub(self, rhs: Self) -> Self;
        #[op("mul.saturating")]
        pub fn saturating_mul(self, rhs: Self) -> Self;
        #[op("pow.saturating")]
        pub fn saturating_pow(self, exp: u32) -> Self;
        #[op("add.overflowing")]
        pub fn overflowing_add(self, rhs: Self) -> (Self, bool);
        #[op("sub.overflowing")]
        pub fn overflowing_sub(self, rhs: Self) -> (Self, bool);
        #[op("mul.overflowing")]
        pub fn overflowing_mul(self, rhs: Self) -> (Self, bool);
        #[op("neg.overflowing")]
        pub fn overflowing_neg(self) -> (Self, bool);
        #[op("pow.overflowing")]
        pub fn overflowing_pow(self, exp: u32) -> (Self, bool);
        #[op("pow")]
        pub fn pow(self, exp: u32) -> Self;
        #[op("isqrt")]
        pub fn isqrt(self) -> Self;
        #[op("abs_diff")]
        pub fn abs_diff(self, other: Self) -> $U;
        #[op("div_euclid")]
        pub fn div_euclid(self, rhs: Self) -> Self;
        #[op("rem_euclid")]
        pub fn rem_euclid(self, rhs: Self) -> Self;
        #[op("count_ones")]
        pub fn count_ones(self) -> u32;
        #[op("count_zeros")]
        pub fn count_zeros(self) -> u32;
        #[op("leading_zeros")]
        pub fn leading_zeros(self) -> u32;
        #[op("trailing_zeros")]
        pub fn trailing_zeros(self) -> u32;
        #[op("leading_ones")]
        pub fn leading_ones(self) -> u32;
        #[op("trailing_ones")]
        pub fn trailing_ones(self) -> u32;
        #[op("swap_bytes")]
        pub fn swap_bytes(self) -> Self;
        #[op("reverse_bits")]
        pub fn reverse_bits(self) -> Self;
        #[op("rotate_left")]
        pub fn rotate_left(self, n: u32) -> Self;
        #[op("rotate_right")]
        pub fn rotate_right(self, n: u32) -> Self;
        #[op("ilog")]
        pub fn ilog(self, base: Self) -> u32;
        #[op("ilog2")]
        pub fn ilog2(self) -> u32;
        #[op("ilog10")]
        pub fn ilog10(self) -> u32;

        pub fn wrapping_div_euclid(self, rhs: Self) -> Self {
            match self.checked_div_euclid(rhs) {
                Some(q) => q,
                None => if rhs == 0 { self / rhs } else { self },
            }
        }

        pub fn wrapping_rem_euclid(self, rhs: Self) -> Self {
            match self.checked_rem_euclid(rhs) {
                Some(r) => r,
                None => if rhs == 0 { self % rhs } else { 0 },
            }
        }

        pub fn saturating_div(self, rhs: Self) -> Self {
            match self.checked_div(rhs) {
                Some(q) => q,
                None => if rhs == 0 { self / rhs } else { Self::MAX },
            }
        }

        pub fn overflowing_shl(self, rhs: u32) -> (Self, bool) {
            (self.wrapping_shl(rhs), rhs >= $bits)
        }

        pub fn overflowing_shr(self, rhs: u32) -> (Self, bool) {
            (self.wrapping_shr(rhs), rhs >= $bits)
        }

        pub fn checked_ilog2(self) -> Option<u32> {
            if self <= 0 { None } else { Some(self.ilog2()) }
        }

        pub fn checked_ilog10(self) -> Option<u32> {
            if self <= 0 { None } else { Some(self.ilog10()) }
        }

        pub fn checked_ilog(self, base: Self) -> Option<u32> {
            if self <= 0 || base <= 1 { None } else { Some(self.ilog(base)) }
        }

        pub unsafe fn unchecked_add(self, rhs: Self) -> Self {
            self + rhs
        }

        pub unsafe fn unchecked_sub(self, rhs: Self) -> Self {
            self - rhs
        }

        pub unsafe fn unchecked_mul(self, rhs: Self) -> Self {
            self * rhs
        }

        pub fn min_value() -> Self {
            Self::MIN
        }

        pub fn max_value() -> Self {
            Self::MAX
        }

        pub fn to_le_bytes(self) -> [u8; $bytes] {
            crate::array::from_fn(|i| (self >> (8 * i as u32)) as u8)
        }

        pub fn to_be_bytes(self) -> [u8; $bytes] {
            crate::array::from_fn(|i| (self >> (8 * ($bytes - 1 - i) as u32)) as u8)
        }

        pub fn to_ne_bytes(self) -> [u8; $bytes] {
            self.to_le_bytes()
        }

        pub fn from_le_bytes(bytes: [u8; $bytes]) -> Self {
            let mut bits: u128 = 0;
            for i in 0..$bytes {
                bits |= (bytes[i] as u128) << (8 * i as u32);
            }
            bits as Self
        }

        pub fn from_be_bytes(bytes: [u8; $bytes]) -> Self {
            Self::from_le_bytes(bytes).swap_bytes()
        }

        pub fn from_ne_bytes(bytes: [u8; $bytes]) -> Self {
            Self::from_le_bytes(bytes)
        }

        pub fn to_le(self) -> Self {
            self
        }

        pub fn to_be(self) -> Self {
            self.swap_bytes()
        }

        pub fn from_le(x: Self) -> Self {
            x
        }

        pub fn from_be(x: Self) -> Self {
            x.swap_bytes()
        }

        pub fn from_str_radix(src: &str, radix: u32) -> Result<Self, ParseIntError> {
            match crate::num::parse::in_radix(src, radix, (Self::MIN as i128) < 0, $bits) {
                Ok(bits) => Ok(bits as Self),
                Err(error) => Err(error),
            }
        }
    };
}

macro_rules! signed_methods {
    ($T:ident $U:ident $bits:literal $bytes:literal $max:literal) => {
        int_methods! { $T $U $bits $bytes }

        pub const MIN: $T = -$max - 1;
        pub const MAX: $T = $max;

        #[op("abs")]
        pub fn abs(self) -> Self;
        #[op("signum")]
        pub fn signum(self) -> Self;
        #[op("unsigned_abs")]
        pub fn unsigned_abs(self) -> $U;
        #[op("abs.wrapping")]
        pub fn wrapping_abs(self) -> Self;
        #[op("abs.checked")]
        pub fn checked_abs(self) -> Option<Self>;

        pub fn saturating_abs(self) -> Self {
            if self == Self::MIN { Self::MAX } else { self.abs() }
        }

        pub fn saturating_neg(self) -> Self {
            if self == Self::MIN { Self::MAX } else { -self }
        }

        pub fn overflowing_abs(self) -> (Self, bool) {
            (self.wrapping_abs(), self == Self::MIN)
        }

        pub fn is_positive(self) -> bool {
            self > 0
        }

        pub fn is_negative(self) -> bool {
            self < 0
        }

        pub fn cast_unsigned(self) -> $U {
            self as $U
        }

        pub fn checked_isqrt(self) -> Option<Self> {
            if self < 0 { None } else { Some(self.isqrt()) }
        }

        pub fn wrapping_add_unsigned(self, rhs: $U) -> Self {
            self.wrapping_add(rhs as Self)
        }

        pub fn checked_add_unsigned(self, rhs: $U) -> Option<Self> {
            let sum = self.wrapping_add(rhs as Self);
            if sum < self { None } else { Some(sum) }
        }

        pub fn checked_sub_unsigned(self, rhs: $U) -> Option<Self> {
            let difference = self.wrapping_sub(rhs as Self);
            if difference > self { None } else { Some(difference) }
        }

        pub fn midpoint(self, rhs: Self) -> Self {
            let floor = (self & rhs) + ((self ^ rhs) >> 1);
            if floor < 0 && (self ^ rhs) & 1 != 0 { floor + 1 } else { floor }
        }
    };
}

macro_rules! unsigned_methods {
    ($T:ident $S:ident $bits:literal $bytes:literal $max:literal) => {
        int_methods! { $T $T $bits $bytes }

        pub const MIN: $T = 0;
        pub const MAX: $T = $max;

        #[op("is_power_of_two")]
        pub fn is_power_of_two(self) -> bool;
        #[op("next_power_of_two")]
        pub fn next_power_of_two(self) -> Self;

        pub fn checked_next_power_of_two(self) -> Option<Self> {
            if self <= 1 {
                return Some(1);
            }
            let zeros = (self - 1).leading_zeros();
            if zeros == 0 { None } else { Some(1 << ($bits - zeros)) }
        }

        pub fn div_ceil(self, rhs: Self) -> Self {
            let q = self / rhs;
            if self % rhs > 0 { q + 1 } else { q }
        }

        pub fn next_multiple_of(self, rhs: Self) -> Self {
            match self % rhs {
                0 => self,
                r => self + (rhs - r),
            }
        }

        pub fn is_multiple_of(self, rhs: Self) -> bool {
            if rhs == 0 { self == 0 } else { self % rhs == 0 }
        }

        pub fn cast_signed(self) -> $S {
            self as $S
        }

        pub fn wrapping_add_signed(self, rhs: $S) -> Self {
            self.wrapping_add(rhs as Self)
        }

        pub fn checked_add_signed(self, rhs: $S) -> Option<Self> {
            if rhs < 0 { self.checked_sub(rhs.unsigned_abs()) } else { self.checked_add(rhs as Self) }
        }

        pub fn saturating_add_signed(self, rhs: $S) -> Self {
            if rhs < 0 { self.saturating_sub(rhs.unsigned_abs()) } else { self.saturating_add(rhs as Self) }
        }

        pub fn checked_next_multiple_of(self, rhs: Self) -> Option<Self> {
            match self.checked_rem(rhs)? {
                0 => Some(self),
                r => self.checked_add(rhs - r),
            }
        }

        pub fn checked_signed_diff(self, rhs: Self) -> Option<$S> {
            let difference = self.wrapping_sub(rhs) as $S;
            if (self >= rhs) == (difference < 0) { None } else { Some(difference) }
        }

        pub fn midpoint(self, rhs: Self) -> Self {
            (self & rhs) + ((self ^ rhs) >> 1)
        }
    };
}

impl i8 {
    signed_methods! { i8 u8 8 1 127 }
}

impl i16 {
    signed_methods! { i16 u16 16 2 32767 }
}

impl i32 {
    signed_methods! { i32 u32 32 4 2147483647 }
}

impl i64 {
    signed_methods! { i64 u64 64 8 9223372036854775807 }
}

impl i128 {
    signed_methods! { i128 u128 128 16 170141183460469231731687303715884105727 }
}

impl isize {
    signed_methods! { isize usize 64 8 9223372036854775807 }
}

impl u8 {
    unsigned_methods! { u8 i8 8 1 255 }
}

impl u16 {
    unsigned_methods! { u16 i16 16 2 65535 }
}

impl u32 {
    unsigned_methods! { u32 i32 32 4 4294967295 }
}

impl u64 {
    unsigned_methods! { u64 i64 64 8 18446744073709551615 }
}

impl u128 {
    unsigned_methods! { u128 i128 128 16 340282366920938463463374607431768211455 }
}

impl usize {
    unsigned_methods! { usize isize 64 8 18446744073709551615 }
}
