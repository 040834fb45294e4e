//! Functions of integers; they fail as in Rust's debug build.

use super::host_types::{Fallible, Unsigned, domain, overflow};
use super::macros::{rows, with_int};

type Of<T> = Fallible<T>;

rows! { OPS: ints;
    /// The first integer to the power of the second.
    POW = "pow" (x: T, n: u32) -> Of<T> =>
        x.checked_pow(n).ok_or_else(|| overflow("attempt to multiply with overflow"));
    /// The largest integer whose square is not greater.
    ISQRT = "isqrt" (x: T) -> Of<T> => isqrt(x, T::isqrt);
    /// The distance between two integers.
    ABS_DIFF = "abs_diff" (x: T, y: T) -> Unsigned<T> => x.abs_diff(y);
    /// The logarithm to the base given by the second operand, rounded down.
    ILOG = "ilog" (x: T, base: T) -> Of<u32> => {
        if base >= 2 {
            x.checked_ilog(base).ok_or_else(no_logarithm)
        } else {
            Err(domain("base of integer logarithm must be at least 2"))
        }
    };
    /// The logarithm to the base 2, rounded down.
    ILOG2 = "ilog2" (x: T) -> Of<u32> => x.checked_ilog2().ok_or_else(no_logarithm);
    /// The logarithm to the base 10, rounded down.
    ILOG10 = "ilog10" (x: T) -> Of<u32> => x.checked_ilog10().ok_or_else(no_logarithm);
}

rows! { SIGNED: signed;
    /// The magnitude as an unsigned integer.
    UNSIGNED_ABS = "unsigned_abs" (x: T) -> Unsigned<T> => x.unsigned_abs();
    /// The magnitude; the least integer is unchanged.
    ABS_WRAPPING = "abs.wrapping" (x: T) -> T => x.wrapping_abs();
    /// The magnitude, unless it overflows.
    ABS_CHECKED = "abs.checked" (x: T) -> Option<T> => x.checked_abs();
}

rows! { UNSIGNED: unsigned;
    /// Whether an integer is a power of two.
    IS_POWER_OF_TWO = "is_power_of_two" (x: T) -> bool => x.is_power_of_two();
    /// The least power of two that is not less.
    NEXT_POWER_OF_TWO = "next_power_of_two" (x: T) -> Of<T> =>
        x.checked_next_power_of_two().ok_or_else(|| overflow("attempt to add with overflow"));
}

#[cold]
fn no_logarithm() -> crate::Failure {
    domain("argument of integer logarithm must be positive")
}

fn isqrt<T: PartialOrd + Default>(x: T, root: fn(T) -> T) -> Of<T> {
    if x < T::default() {
        Err(domain("argument of integer square root cannot be negative"))
    } else {
        Ok(root(x))
    }
}
