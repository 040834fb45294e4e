//! What operations compute from constants, by their own evaluators.
//!
//! - Only what has no effect is computed, and only what stays small is kept: no arrays.
//! - An operation that fails is left to fail when the program runs.

use overdub_context::ir::{Const, Operand, Ty, TyKind};
use overdub_context::ops::{Machine, OpCx, OpDef};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

/// Longer texts are not made constants.
const LONGEST_TEXT: usize = 256;

/// The machine of the compiler: it runs nothing that needs one.
struct NoMachine;

impl<'a> Machine<'a> for NoMachine {
    fn call(&mut self, _: &Value<'a>, _: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        Err(Failure::new(FailureKind::Type, "a constant calls nothing"))
    }

    fn print(&mut self, _: &str) {}

    fn reserve(&mut self, _: usize) -> Result<(), Failure> {
        Ok(())
    }
}

/// What an operation gives on these constants, if that is a scalar.
pub(crate) fn scalar(op: &'static OpDef, args: &[&Const], ret: Ty) -> Option<Operand> {
    let effects = op.effects;
    if effects.reads || effects.writes || effects.makes || !is_small(ret) {
        return None;
    }
    let mut args: Vec<Value<'static>> = args.iter().map(|arg| arg.value().clone()).collect();
    let value = (op.eval)(&mut OpCx { ret, machine: &mut NoMachine }, &mut args).ok()?;
    if value.as_str().is_some_and(|text| text.len() > LONGEST_TEXT) {
        return None;
    }
    let constant = Const::new(value)?;
    (constant.scalar_ty() == Some(ret)).then_some(Operand::Const(constant))
}

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
