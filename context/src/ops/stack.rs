//! Stacks: values are popped in the reverse of the order in which they were pushed.

use std::sync::Arc;

use super::array::{bounds, reserve};
use super::host_types::ill_typed;
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};
use crate::value::Value;

ops! {
    structural;
    /// An empty stack of the declared type.
    STACK_NEW = "stack.new", Exactly(0), new_ty, PURE, new;
    /// A stack with one more value on top.
    STACK_PUSH = "stack.push", Exactly(2), push_ty, FAILS, push;
    /// The value on top, and the stack without it; fails on an empty one.
    STACK_POP = "stack.pop", Exactly(1), |tys| elem(tys).map(|ty| Ty::tuple([ty, Ty::stack(ty)])), FAILS, pop;
    /// The value on top; fails on an empty stack.
    STACK_PEEK = "stack.peek", Exactly(1), elem, FAILS, peek;
    /// The number of values on a stack.
    STACK_LEN = "stack.len", Exactly(1), |tys| elem(tys).map(|_| Ty::usize()), PURE, len;
}

fn new_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let stack = tys.declared.filter(|ty| matches!(ty.kind(), TyKind::Stack(_)) && tys.args.is_empty());
    stack.ok_or_else(|| TypeFault::takes("nothing, where the result is declared to be a stack"))
}

fn push_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (tys.args, elem(tys)) {
        ([stack, value], Ok(elem)) if elem == *value => Ok(*stack),
        _ => Err(TypeFault::takes("a stack, and a value of the type that it holds")),
    }
}

/// The element type of the stack in the first operand.
fn elem(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args.first().map(|ty| ty.kind()) {
        Some(TyKind::Stack(elem)) => Ok(*elem),
        _ => Err(TypeFault::takes("a stack")),
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn new<'a>(_: &mut OpCx<'_, 'a>, _: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(Value::Stack(Arc::new(Vec::new())))
}

fn push<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    /// A stack grows by doubling; from this length on, growth is accounted for.
    const LONG: usize = 1024;
    if let [stack @ Value::Stack(_), value] = args
        && let Value::Stack(elems) = stack
    {
        let len = elems.len();
        if len >= LONG && len.is_power_of_two() {
            reserve(cx, cx.ret, len)?;
        }
        Arc::make_mut(elems).push(value.take());
        return Ok(stack.take());
    }
    Err(ill_typed("stack.push", args))
}

fn pop<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [stack @ Value::Stack(_)] = args
        && let Value::Stack(elems) = stack
    {
        let top = Arc::make_mut(elems).pop().ok_or_else(|| empty("pop from"))?;
        return Ok(Value::tuple([top, stack.take()]));
    }
    Err(ill_typed("stack.pop", args))
}

fn peek<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Stack(elems)] => elems.last().cloned().ok_or_else(|| empty("peek at")),
        _ => Err(ill_typed("stack.peek", args)),
    }
}

fn len<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    match &*args {
        [Value::Stack(elems)] => Ok(Value::from(elems.len())),
        _ => Err(ill_typed("stack.len", args)),
    }
}

#[cold]
fn empty(what: &str) -> Failure {
    bounds(format!("attempt to {what} an empty stack"))
}
