//! Bits of integers, and logic.

use super::host_types::{Operand, Outcome, ill_typed, overflow};
use super::macros::{ops, rows, with_int};
use super::type_rules::{int_ty, int_ty_of, one_type};
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::Value;

ops! {
    /// The bits that are set in both operands; for bools, whether both are true.
    AND = "and", Exactly(2), |tys| logic_ty(tys, 2), PURE, and;
    /// The bits that are set in either operand; for bools, whether one is true.
    OR = "or", Exactly(2), |tys| logic_ty(tys, 2), PURE, or;
    /// The bits that are set in one operand only; for bools, whether they differ.
    XOR = "xor", Exactly(2), |tys| logic_ty(tys, 2), PURE, xor;
    /// The complement of the bits; for a bool, its negation.
    NOT = "not", Exactly(1), |tys| logic_ty(tys, 1), PURE, not;
    /// Shifts left by an integer of any type; fails if it is negative or not less than the width.
    SHL = "shl", Exactly(2), shift_ty, FAILS, shl;
    /// Shifts right, a signed integer with its sign; fails if the count is negative or not less than the
    /// width.
    SHR = "shr", Exactly(2), shift_ty, FAILS, shr;
}

rows! { COUNTS: ints;
    /// The number of one bits.
    COUNT_ONES = "count_ones" (x: T) -> u32 => x.count_ones();
    /// The number of zero bits.
    COUNT_ZEROS = "count_zeros" (x: T) -> u32 => x.count_zeros();
    /// The number of zeros in the highest bits.
    LEADING_ZEROS = "leading_zeros" (x: T) -> u32 => x.leading_zeros();
    /// The number of zeros in the lowest bits.
    TRAILING_ZEROS = "trailing_zeros" (x: T) -> u32 => x.trailing_zeros();
    /// The number of ones in the highest bits.
    LEADING_ONES = "leading_ones" (x: T) -> u32 => x.leading_ones();
    /// The number of ones in the lowest bits.
    TRAILING_ONES = "trailing_ones" (x: T) -> u32 => x.trailing_ones();
    /// The bytes in reverse order.
    SWAP_BYTES = "swap_bytes" (x: T) -> T => x.swap_bytes();
    /// The bits in reverse order.
    REVERSE_BITS = "reverse_bits" (x: T) -> T => x.reverse_bits();
    /// The bits rotated to the left.
    ROTATE_LEFT = "rotate_left" (x: T, n: u32) -> T => x.rotate_left(n);
    /// The bits rotated to the right.
    ROTATE_RIGHT = "rotate_right" (x: T, n: u32) -> T => x.rotate_right(n);
}

fn logic_ty(tys: &OperandTys<'_>, count: usize) -> Result<Ty, TypeFault> {
    const TAKES: &str = "bools, or integers of one type";
    if tys.args.len() != count {
        return Err(TypeFault::takes(TAKES));
    }
    one_type(tys, |ty| matches!(ty.kind(), TyKind::Bool | TyKind::Int(_)), TAKES)
}

fn shift_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [ty, count] if int_ty(Some(ty)).and(int_ty(Some(count))).is_some() => Ok(*ty),
        _ => Err(TypeFault::takes("two integers")),
    }
}

/// Evaluators of two operands of one type: their formula for bools, and for integers.
macro_rules! logic {
    ($($name:ident = $text:literal ($($x:ident),+) => $body:expr;)*) => {$(
        fn $name<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
            match &*args {
                [$(Value::Bool($x)),+] => {
                    $(let $x = *$x;)+
                    Ok(Value::Bool($body))
                }
                [$($x),+] => with_int!(ints, int_ty_of(args.first()), T => match ($(T::of($x),)+) {
                    ($(Some($x),)+) => {
                        let result: T = $body;
                        result.value(cx.ret)
                    }
                    _ => Err(ill_typed($text, args)),
                }, Err(ill_typed($text, args))),
                _ => Err(ill_typed($text, args)),
            }
        }
    )*};
}

logic! {
    and = "and" (x, y) => x & y;
    or = "or" (x, y) => x | y;
    xor = "xor" (x, y) => x ^ y;
    not = "not" (x) => !x;
}

macro_rules! shifts {
    ($($name:ident = $text:literal $method:ident, $message:literal;)*) => {$(
        fn $name<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
            if let [x, count] = &*args
                && let Some(count) = shift_count(count)
            {
                let shifted = with_int!(ints, int_ty_of(Some(x)), T => {
                    T::of(x).map(|x| match count.and_then(|count| x.$method(count)) {
                        Some(shifted) => shifted.value(cx.ret),
                        None => Err(overflow($message)),
                    })
                }, None);
                if let Some(shifted) = shifted {
                    return shifted;
                }
            }
            Err(ill_typed($text, args))
        }
    )*};
}

shifts! {
    shl = "shl" checked_shl, "attempt to shift left with overflow";
    shr = "shr" checked_shr, "attempt to shift right with overflow";
}

/// The value of a shift's operand as a count; the inner option is none for an integer out of range.
fn shift_count(count: &Value<'_>) -> Option<Option<u32>> {
    match count {
        Value::U128(n) => Some(u32::try_from(**n).ok()),
        _ => count.as_int().map(|(_, n)| u32::try_from(n).ok()),
    }
}
