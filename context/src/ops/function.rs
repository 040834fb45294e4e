//! Closures as values: made from their code and what they capture, and with their code forgotten.

use std::sync::Arc;

use super::native::ill_typed;
use super::rows::ops;
use super::rules::const_index;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::ir::{Ty, TyKind};
use crate::value::{Closure, Code, Value};

ops! {
    /// A closure of the declared type that captures the operands.
    CLOSURE = "closure", AtLeast(0), closure_ty, PURE, closure;
    /// A closure as a value of the declared function type.
    ERASE = "erase", Exactly(1), erase_ty, PURE, erase;
    /// What a closure captured, by its number.
    CAPTURED = "captured", Exactly(2), captured_ty, PURE, captured;
}

fn closure_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let declared = tys.declared.map(|ty| (ty, ty.kind()));
    match declared {
        Some((ty, TyKind::Closure(closure))) if *closure.captures == *tys.args => Ok(ty),
        _ => Err(TypeFault::takes("what the closure captures that its result is declared to be")),
    }
}

fn erase_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, tys.declared) {
        ([from], Some(to))
            if matches!(from.kind(), TyKind::Closure(_) | TyKind::Fn(_))
                && matches!(to.kind(), TyKind::Fn(_))
                && (matches!(from.kind(), TyKind::Closure(_)) || *from == to) =>
        {
            Ok(to)
        }
        _ => Err(TypeFault::takes("a closure, where the result is declared to be a function")),
    }
}

fn captured_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let capture = match tys.args.first().map(|ty| ty.kind()) {
        Some(TyKind::Closure(closure)) => const_index(tys, 1).and_then(|k| closure.captures.get(k)),
        _ => None,
    };
    capture.copied().ok_or_else(|| TypeFault::takes("a closure, and the constant number of what it captured"))
}

fn closure<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let TyKind::Closure(ty) = cx.ret.kind() else { return Err(ill_typed("closure", args)) };
    let captures = args.iter_mut().map(Value::take).collect();
    Ok(Value::Closure(Arc::new(Closure { code: Code::Func(ty.code), captures })))
}

fn erase<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match args {
        [closure @ Value::Closure(_)] => Ok(closure.take()),
        _ => Err(ill_typed("erase", args)),
    }
}

fn captured<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let capture = match &*args {
        [Value::Closure(closure), k] => k.as_index().and_then(|k| closure.captures.get(k)),
        _ => None,
    };
    capture.cloned().ok_or_else(|| ill_typed("captured", args))
}
