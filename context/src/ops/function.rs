//! Closures as values: construction, captures, and conversion to and from function values.

use std::sync::Arc;

use super::host_types::ill_typed;
use super::macros::ops;
use super::type_rules::const_index;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::{Closure, Code, Composite, Parts, Value};

ops! {
    structural;
    /// A closure of the declared type that captures the operands.
    CLOSURE = "closure", AtLeast(0), closure_ty, PURE, closure;
    /// A closure as a value of the declared function type.
    ERASE = "erase", Exactly(1), erase_ty, PURE, erase;
    /// A function value converted back to the declared closure type; `None` if it is another closure.
    RECOVER = "recover", Exactly(1), recover_ty, PURE, recover;
    /// The captured value of a closure with this number.
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

fn recover_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let closure = tys.declared.and_then(some_of);
    match (tys.args, closure.map(|ty| ty.kind())) {
        ([from], Some(TyKind::Closure(_))) if matches!(from.kind(), TyKind::Fn(_)) => {
            tys.declared.ok_or_else(|| TypeFault::takes("a function"))
        }
        _ => Err(TypeFault::takes("a function, where the result is declared to be an option of a closure")),
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

fn recover<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (Some(expected), [Value::Closure(closure)]) = (some_of(cx.ret), &*args) else {
        return Err(ill_typed("recover", args));
    };
    let is_it = match (expected.kind(), &closure.code) {
        (TyKind::Closure(expected), Code::Func(code)) => expected.code == *code,
        _ => false,
    };
    let parts: Parts<'a> = if is_it { [args[0].take()].into_iter().collect() } else { Parts::default() };
    Ok(Value::Composite(Arc::new(Composite { ty: Some(cx.ret), tag: u32::from(is_it), parts })))
}

/// The content type of an `Option`.
fn some_of(ty: Ty) -> Option<Ty> {
    let nominal = ty.as_nominal()?;
    let elem = *nominal.args().first()?;
    (Ty::option(elem) == ty).then_some(elem)
}

fn captured<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let capture = match &*args {
        [Value::Closure(closure), k] => k.as_index().and_then(|k| closure.captures.get(k)),
        _ => None,
    };
    capture.cloned().ok_or_else(|| ill_typed("captured", args))
}
