//! Integer arithmetic with explicit overflow behaviour: wrapping, saturating, `None`, or a flag.

use super::host_types::{Fallible, by_zero};
use super::macros::{rows, with_int};

rows! { OPS: ints;
    /// Adds, modulo the type's width.
    ADD_WRAPPING = "add.wrapping" (x: T, y: T) -> T => x.wrapping_add(y);
    /// Subtracts, modulo the type's width.
    SUB_WRAPPING = "sub.wrapping" (x: T, y: T) -> T => x.wrapping_sub(y);
    /// Multiplies, modulo the type's width.
    MUL_WRAPPING = "mul.wrapping" (x: T, y: T) -> T => x.wrapping_mul(y);
    /// Divides, modulo the type's width; fails on zero.
    DIV_WRAPPING = "div.wrapping" (x: T, y: T) -> Fallible<T> =>
        if y == 0 { Err(by_zero("attempt to divide by zero")) } else { Ok(x.wrapping_div(y)) };
    /// The remainder, modulo the type's width; fails on zero.
    REM_WRAPPING = "rem.wrapping" (x: T, y: T) -> Fallible<T> => {
        if y == 0 {
            Err(by_zero("attempt to calculate the remainder with a divisor of zero"))
        } else {
            Ok(x.wrapping_rem(y))
        }
    };
    /// Changes the sign, modulo the type's width.
    NEG_WRAPPING = "neg.wrapping" (x: T) -> T => x.wrapping_neg();
    /// A power, modulo the type's width.
    POW_WRAPPING = "pow.wrapping" (x: T, n: u32) -> T => x.wrapping_pow(n);
    /// Shifts left by the count modulo the type's width.
    SHL_WRAPPING = "shl.wrapping" (x: T, n: u32) -> T => x.wrapping_shl(n);
    /// Shifts right by the count modulo the type's width.
    SHR_WRAPPING = "shr.wrapping" (x: T, n: u32) -> T => x.wrapping_shr(n);

    /// Adds, unless the result does not fit.
    ADD_CHECKED = "add.checked" (x: T, y: T) -> Option<T> => x.checked_add(y);
    /// Subtracts, unless the result does not fit.
    SUB_CHECKED = "sub.checked" (x: T, y: T) -> Option<T> => x.checked_sub(y);
    /// Multiplies, unless the result does not fit.
    MUL_CHECKED = "mul.checked" (x: T, y: T) -> Option<T> => x.checked_mul(y);
    /// Divides, unless by zero or the result does not fit.
    DIV_CHECKED = "div.checked" (x: T, y: T) -> Option<T> => x.checked_div(y);
    /// The remainder, unless by zero or the quotient does not fit.
    REM_CHECKED = "rem.checked" (x: T, y: T) -> Option<T> => x.checked_rem(y);
    /// The quotient whose remainder is not negative, unless by zero or it does not fit.
    DIV_EUCLID_CHECKED = "div_euclid.checked" (x: T, y: T) -> Option<T> => x.checked_div_euclid(y);
    /// The remainder that is not negative, unless by zero or the quotient does not fit.
    REM_EUCLID_CHECKED = "rem_euclid.checked" (x: T, y: T) -> Option<T> => x.checked_rem_euclid(y);
    /// Changes the sign, unless the result does not fit.
    NEG_CHECKED = "neg.checked" (x: T) -> Option<T> => x.checked_neg();
    /// A power, unless it does not fit.
    POW_CHECKED = "pow.checked" (x: T, n: u32) -> Option<T> => x.checked_pow(n);
    /// Shifts left, unless by the type's width or more.
    SHL_CHECKED = "shl.checked" (x: T, n: u32) -> Option<T> => x.checked_shl(n);
    /// Shifts right, unless by the type's width or more.
    SHR_CHECKED = "shr.checked" (x: T, n: u32) -> Option<T> => x.checked_shr(n);

    /// Adds, saturating at the bounds of the type.
    ADD_SATURATING = "add.saturating" (x: T, y: T) -> T => x.saturating_add(y);
    /// Subtracts, saturating at the bounds of the type.
    SUB_SATURATING = "sub.saturating" (x: T, y: T) -> T => x.saturating_sub(y);
    /// Multiplies, saturating at the bounds of the type.
    MUL_SATURATING = "mul.saturating" (x: T, y: T) -> T => x.saturating_mul(y);
    /// A power, saturating at the bounds of the type.
    POW_SATURATING = "pow.saturating" (x: T, n: u32) -> T => x.saturating_pow(n);

    /// The sum modulo the type's width, and whether it overflowed.
    ADD_OVERFLOWING = "add.overflowing" (x: T, y: T) -> (T, bool) => x.overflowing_add(y);
    /// The difference modulo the type's width, and whether it overflowed.
    SUB_OVERFLOWING = "sub.overflowing" (x: T, y: T) -> (T, bool) => x.overflowing_sub(y);
    /// The product modulo the type's width, and whether it overflowed.
    MUL_OVERFLOWING = "mul.overflowing" (x: T, y: T) -> (T, bool) => x.overflowing_mul(y);
    /// The negation modulo the type's width, and whether it overflowed.
    NEG_OVERFLOWING = "neg.overflowing" (x: T) -> (T, bool) => x.overflowing_neg();
    /// A power modulo the type's width, and whether it overflowed.
    POW_OVERFLOWING = "pow.overflowing" (x: T, n: u32) -> (T, bool) => x.overflowing_pow(n);
}
