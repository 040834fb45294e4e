//! Constant folding by the evaluators of the operations themselves.
//!
//! - FOLD1 only operations without effects are folded, and only to scalars and short strings.
//! - FOLD2 an operation that fails on its operands is not folded: it fails when the program runs.

use overdub_context::ir::{Const, Operand, Ty, TyKind};
use overdub_context::ops::{NoMachine, OpCx, OpDef};
use overdub_context::value::Value;

/// The longest string that becomes a constant, in bytes.
const MAX_TEXT: usize = 256;

/// The result of an operation on these constants, if it is a scalar (FOLD1, FOLD2).
pub(crate) fn scalar(op: &'static OpDef, args: &[&Const], ret: Ty) -> Option<Operand> {
    let effects = op.effects;
    if effects.reads || effects.writes || effects.allocates || !is_small(ret) {
        return None;
    }
    let mut args: Vec<Value<'static>> = args.iter().map(|arg| arg.value().clone()).collect();
    let value = (op.eval)(&mut OpCx { ret, machine: &mut NoMachine }, &mut args).ok()?;
    if value.as_str().is_some_and(|text| text.len() > MAX_TEXT) {
        return None;
    }
    let constant = Const::new(value)?;
    (constant.scalar_ty() == Some(ret)).then_some(Operand::Const(constant))
}

/// Whether a value of this type may become a constant (FOLD1).
fn is_small(ty: Ty) -> bool {
    match ty.kind() {
        TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Int(_) | TyKind::Float(_) => true,
        TyKind::Never
        | TyKind::Tuple(_)
        | TyKind::Array(_)
        | TyKind::Struct(_)
        | TyKind::Enum(_)
        | TyKind::Closure(_)
        | TyKind::Fn(_)
        | TyKind::Stack(_)
        | TyKind::Ref(_)
        | TyKind::Opaque(_) => false,
    }
}
