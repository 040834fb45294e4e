//! The methods and constants of floats.

use crate::cmp::Ordering;
use crate::num::FpCategory;

#[op("classify")]
fn class<T>(x: T) -> i64;

macro_rules! float_methods {
    ($T:ident $Bits:ident $bytes:literal) => {
        #[op("sqrt")]
        pub fn sqrt(self) -> Self;
        #[op("cbrt")]
        pub fn cbrt(self) -> Self;
        #[op("sin")]
        pub fn sin(self) -> Self;
        #[op("cos")]
        pub fn cos(self) -> Self;
        #[op("tan")]
        pub fn tan(self) -> Self;
        #[op("asin")]
        pub fn asin(self) -> Self;
        #[op("acos")]
        pub fn acos(self) -> Self;
        #[op("atan")]
        pub fn atan(self) -> Self;
        #[op("atan2")]
        pub fn atan2(self, other: Self) -> Self;
        #[op("sin_cos")]
        pub fn sin_cos(self) -> (Self, Self);
        #[op("sinh")]
        pub fn sinh(self) -> Self;
        #[op("cosh")]
        pub fn cosh(self) -> Self;
        #[op("tanh")]
        pub fn tanh(self) -> Self;
        #[op("asinh")]
        pub fn asinh(self) -> Self;
        #[op("acosh")]
        pub fn acosh(self) -> Self;
        #[op("atanh")]
        pub fn atanh(self) -> Self;
        #[op("exp")]
        pub fn exp(self) -> Self;
        #[op("exp2")]
        pub fn exp2(self) -> Self;
        #[op("exp_m1")]
        pub fn exp_m1(self) -> Self;
        #[op("ln")]
        pub fn ln(self) -> Self;
        #[op("ln_1p")]
        pub fn ln_1p(self) -> Self;
        #[op("log2")]
        pub fn log2(self) -> Self;
        #[op("log10")]
        pub fn log10(self) -> Self;
        #[op("log")]
        pub fn log(self, base: Self) -> Self;
        #[op("hypot")]
        pub fn hypot(self, other: Self) -> Self;
        #[op("powi")]
        pub fn powi(self, n: i32) -> Self;
        #[op("powf")]
        pub fn powf(self, n: Self) -> Self;
        #[op("mul_add")]
        pub fn mul_add(self, a: Self, b: Self) -> Self;
        #[op("floor")]
        pub fn floor(self) -> Self;
        #[op("ceil")]
        pub fn ceil(self) -> Self;
        #[op("round")]
        pub fn round(self) -> Self;
        #[op("round_ties_even")]
        pub fn round_ties_even(self) -> Self;
        #[op("trunc")]
        pub fn trunc(self) -> Self;
        #[op("fract")]
        pub fn fract(self) -> Self;
        #[op("abs")]
        pub fn abs(self) -> Self;
        #[op("signum")]
        pub fn signum(self) -> Self;
        #[op("copysign")]
        pub fn copysign(self, sign: Self) -> Self;
        #[op("min")]
        pub fn min(self, other: Self) -> Self;
        #[op("max")]
        pub fn max(self, other: Self) -> Self;
        #[op("clamp")]
        pub fn clamp(self, min: Self, max: Self) -> Self;
        #[op("recip")]
        pub fn recip(self) -> Self;
        #[op("to_degrees")]
        pub fn to_degrees(self) -> Self;
        #[op("to_radians")]
        pub fn to_radians(self) -> Self;
        #[op("div_euclid")]
        pub fn div_euclid(self, rhs: Self) -> Self;
        #[op("rem_euclid")]
        pub fn rem_euclid(self, rhs: Self) -> Self;
        #[op("abs_sub")]
        pub fn abs_sub(self, other: Self) -> Self;
        #[op("is_nan")]
        pub fn is_nan(self) -> bool;
        #[op("is_finite")]
        pub fn is_finite(self) -> bool;
        #[op("is_infinite")]
        pub fn is_infinite(self) -> bool;
        #[op("is_normal")]
        pub fn is_normal(self) -> bool;
        #[op("is_subnormal")]
        pub fn is_subnormal(self) -> bool;
        #[op("is_sign_negative")]
        pub fn is_sign_negative(self) -> bool;
        #[op("is_sign_positive")]
        pub fn is_sign_positive(self) -> bool;
        #[op("to_bits")]
        pub fn to_bits(self) -> $Bits;
        #[op("from_bits")]
        pub fn from_bits(bits: $Bits) -> Self;
        #[op("next_up")]
        pub fn next_up(self) -> Self;
        #[op("next_down")]
        pub fn next_down(self) -> Self;
        #[op("total_cmp")]
        pub fn total_cmp(&self, other: &Self) -> Ordering;

        pub fn classify(self) -> FpCategory {
            match class(self) {
                0 => FpCategory::Nan,
                1 => FpCategory::Infinite,
                2 => FpCategory::Zero,
                3 => FpCategory::Subnormal,
                _ => FpCategory::Normal,
            }
        }

        pub fn midpoint(self, other: Self) -> Self {
            let lo = Self::MIN_POSITIVE * 2.0;
            let hi = Self::MAX / 2.0;
            let (a, b) = (self, other);
            let (abs_a, abs_b) = (a.abs(), b.abs());
            if abs_a <= hi && abs_b <= hi {
                (a + b) / 2.0
            } else if abs_a < lo {
                a + b / 2.0
            } else if abs_b < lo {
                a / 2.0 + b
            } else {
                a / 2.0 + b / 2.0
            }
        }

        pub fn maximum(self, other: Self) -> Self {
            if self > other {
                self
            } else if other > self {
                other
            } else if self == other {
                if self.is_sign_positive() && other.is_sign_negative() { self } else { other }
            } else {
                self + other
            }
        }

        pub fn minimum(self, other: Self) -> Self {
            if self < other {
                self
            } else if other < self {
                other
            } else if self == other {
                if self.is_sign_negative() && other.is_sign_positive() { self } else { other }
            } else {
                self + other
            }
        }

        pub fn to_be_bytes(self) -> [u8; $bytes] {
            self.to_bits().to_be_bytes()
        }

        pub fn to_le_bytes(self) -> [u8; $bytes] {
            self.to_bits().to_le_bytes()
        }

        pub fn to_ne_bytes(self) -> [u8; $bytes] {
            self.to_bits().to_le_bytes()
        }

        pub fn from_be_bytes(bytes: [u8; $bytes]) -> Self {
            Self::from_bits($Bits::from_be_bytes(bytes))
        }

        pub fn from_le_bytes(bytes: [u8; $bytes]) -> Self {
            Self::from_bits($Bits::from_le_bytes(bytes))
        }

        pub fn from_ne_bytes(bytes: [u8; $bytes]) -> Self {
            Self::from_bits($Bits::from_le_bytes(bytes))
        }

        pub unsafe fn to_int_unchecked<Int: crate::num::FromFloat<$T>>(self) -> Int {
            Int::from_float(self)
        }

        pub const INFINITY: $T = 1.0 / 0.0;
        pub const NEG_INFINITY: $T = -1.0 / 0.0;
        pub const RADIX: u32 = 2;
    };
}

impl f64 {
    float_methods! { f64 u64 8 }

    pub const NAN: f64 = f64::from_bits(0x7ff8000000000000);
    pub const MIN: f64 = -1.7976931348623157e308;
    pub const MAX: f64 = 1.7976931348623157e308;
    pub const MIN_POSITIVE: f64 = 2.2250738585072014e-308;
    pub const EPSILON: f64 = 2.220446049250313e-16;
    pub const MANTISSA_DIGITS: u32 = 53;
    pub const DIGITS: u32 = 15;
    pub const MIN_EXP: i32 = -1021;
    pub const MAX_EXP: i32 = 1024;
    pub const MIN_10_EXP: i32 = -307;
    pub const MAX_10_EXP: i32 = 308;
}

impl f32 {
    float_methods! { f32 u32 4 }

    pub const NAN: f32 = f32::from_bits(0x7fc00000);
    pub const MIN: f32 = -3.40282347e+38;
    pub const MAX: f32 = 3.40282347e+38;
    pub const MIN_POSITIVE: f32 = 1.17549435e-38;
    pub const EPSILON: f32 = 1.19209290e-07;
    pub const MANTISSA_DIGITS: u32 = 24;
    pub const DIGITS: u32 = 6;
    pub const MIN_EXP: i32 = -125;
    pub const MAX_EXP: i32 = 128;
    pub const MIN_10_EXP: i32 = -37;
    pub const MAX_10_EXP: i32 = 38;
}
