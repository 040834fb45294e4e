//! Functions shared by type rules.

use super::{OperandTys, TypeFault};
use crate::types::{FloatTy, IntTy, Ty, TyKind};
use crate::value::Value;

/// The integer type, if the type is one.
pub(super) fn int_ty(ty: Option<&Ty>) -> Option<IntTy> {
    match ty?.kind() {
        TyKind::Int(int) => Some(*int),
        _ => None,
    }
}

/// The integer type of a value.
#[inline]
pub(super) fn int_ty_of(value: Option<&Value<'_>>) -> Option<IntTy> {
    match value? {
        Value::Int(int) => Some(int.ty()),
        Value::I128(_) => Some(IntTy::I128),
        Value::U128(_) => Some(IntTy::U128),
        _ => None,
    }
}

/// The float type, if the type is one.
pub(super) fn float_ty(ty: Option<&Ty>) -> Option<FloatTy> {
    match ty?.kind() {
        TyKind::Float(float) => Some(*float),
        _ => None,
    }
}

/// The common type of the operands, if they have one and it satisfies `holds`.
pub(super) fn one_type(
    tys: &OperandTys<'_>,
    holds: impl FnOnce(Ty) -> bool,
    takes: &str,
) -> Result<Ty, TypeFault> {
    match tys.args {
        [first, rest @ ..] if rest.iter().all(|ty| ty == first) && holds(*first) => Ok(*first),
        _ => Err(TypeFault::takes(takes)),
    }
}

/// The value of a constant operand as a small non-negative integer.
pub(super) fn const_index(tys: &OperandTys<'_>, operand: usize) -> Option<usize> {
    tys.consts.get(operand).copied().flatten()?.value().as_index()
}
