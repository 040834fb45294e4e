//! What a float is: its class, its bits, its place in the total order.

use std::cmp::Ordering;
use std::num::FpCategory;

use super::host_types::Bits;
use super::macros::rows;

rows! { OPS: floats;
    /// Whether it is `NaN`.
    IS_NAN = "is_nan" (x: F) -> bool => x.is_nan();
    /// Whether it is neither infinite nor `NaN`.
    IS_FINITE = "is_finite" (x: F) -> bool => x.is_finite();
    /// Whether it is infinite.
    IS_INFINITE = "is_infinite" (x: F) -> bool => x.is_infinite();
    /// Whether it is neither zero, subnormal, infinite nor `NaN`.
    IS_NORMAL = "is_normal" (x: F) -> bool => x.is_normal();
    /// Whether it is too small to have all its digits.
    IS_SUBNORMAL = "is_subnormal" (x: F) -> bool => x.is_subnormal();
    /// Whether its sign bit is set.
    IS_SIGN_NEGATIVE = "is_sign_negative" (x: F) -> bool => x.is_sign_negative();
    /// Whether its sign bit is not set.
    IS_SIGN_POSITIVE = "is_sign_positive" (x: F) -> bool => x.is_sign_positive();
    /// Its class: 0 `NaN`, 1 infinite, 2 zero, 3 subnormal, 4 normal.
    CLASSIFY = "classify" (x: F) -> i64 => class(x.classify());
    /// Its bits as an unsigned integer.
    TO_BITS = "to_bits" (x: F) -> Bits<F> => x.to_bits();
    /// The least float that is greater.
    NEXT_UP = "next_up" (x: F) -> F => x.next_up();
    /// The greatest float that is less.
    NEXT_DOWN = "next_down" (x: F) -> F => x.next_down();
    /// How two floats compare in IEEE 754's total order.
    TOTAL_CMP = "total_cmp" (x: F, y: F) -> Ordering => x.total_cmp(&y);
}

/// The class as `FpCategory` orders them.
fn class(category: FpCategory) -> i64 {
    match category {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    }
}
