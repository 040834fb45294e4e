//! Properties of floats: class, bits, position in the total order.

use std::cmp::Ordering;
use std::num::FpCategory;

use super::host_types::Bits;
use super::macros::rows;

rows! { OPS: floats;
    /// Whether a float is `NaN`.
    IS_NAN = "is_nan" (x: F) -> bool => x.is_nan();
    /// Whether a float is neither infinite nor `NaN`.
    IS_FINITE = "is_finite" (x: F) -> bool => x.is_finite();
    /// Whether a float is infinite.
    IS_INFINITE = "is_infinite" (x: F) -> bool => x.is_infinite();
    /// Whether a float is neither zero, subnormal, infinite nor `NaN`.
    IS_NORMAL = "is_normal" (x: F) -> bool => x.is_normal();
    /// Whether a float is subnormal.
    IS_SUBNORMAL = "is_subnormal" (x: F) -> bool => x.is_subnormal();
    /// Whether the sign bit is set.
    IS_SIGN_NEGATIVE = "is_sign_negative" (x: F) -> bool => x.is_sign_negative();
    /// Whether the sign bit is not set.
    IS_SIGN_POSITIVE = "is_sign_positive" (x: F) -> bool => x.is_sign_positive();
    /// The class of a float: 0 `NaN`, 1 infinite, 2 zero, 3 subnormal, 4 normal.
    CLASSIFY = "classify" (x: F) -> i64 => class(x.classify());
    /// The bits of a float as an unsigned integer.
    TO_BITS = "to_bits" (x: F) -> Bits<F> => x.to_bits();
    /// The least float that is greater.
    NEXT_UP = "next_up" (x: F) -> F => x.next_up();
    /// The greatest float that is less.
    NEXT_DOWN = "next_down" (x: F) -> F => x.next_down();
    /// The order of two floats in IEEE 754's total order.
    TOTAL_CMP = "total_cmp" (x: F, y: F) -> Ordering => x.total_cmp(&y);
}

/// The number of the class, in the order of `FpCategory`.
fn class(category: FpCategory) -> i64 {
    match category {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    }
}
