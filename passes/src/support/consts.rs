//! Constant operands.

use overdub_context::ir::{Const, IntTy, Operand};
use overdub_context::value::Value;

/// The constant operand for a value, if the value can be an immediate.
pub(crate) fn constant_of(value: Value<'static>) -> Option<Operand> {
    Const::new(value).map(Operand::Const)
}

/// The integer of a constant operand, unless it is a `u128` that an `i128` cannot hold.
pub(crate) fn int_of(operand: &Operand) -> Option<i128> {
    let (int, n) = operand.constant()?.value().as_int()?;
    (int != IntTy::U128 || n >= 0).then_some(n)
}
