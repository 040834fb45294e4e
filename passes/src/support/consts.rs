//! Constant operands.

use overdub_context::ir::{Const, IntTy, Operand};
use overdub_context::value::Value;

pub(crate) fn constant_of(value: Value<'static>) -> Option<Operand> {
    Const::new(value).map(Operand::Const)
}

/// The integer that an operand is, if an `i128` holds it: the upper half of `u128` is none.
pub(crate) fn int_of(operand: &Operand) -> Option<i128> {
    let (int, n) = operand.constant()?.value().as_int()?;
    (int != IntTy::U128 || n >= 0).then_some(n)
}
