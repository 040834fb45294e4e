//! Moves parts out of composites and vectors, so that nested parts can be updated in place.
//!
//! Each operation returns the part, and the whole with a hole, `()`, in its place. The part then has no other
//! owner, if the whole had none. A hole has to be filled (`with_field`, `with_payload`, `set`) before it is
//! read: reading it is a failure. A part that consists of scalars ([`leaves_hole`]) is copied and leaves no
//! hole.

use std::sync::Arc;

use super::array::{index, is_index, vector_elem};
use super::composite::{field_ty, other_variant, payload_ty, tag_of};
use super::host_types::ill_typed;
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::Failure;
use crate::types::{IntTy, Ty, TyKind};
use crate::value::{Composite, Value};

ops! {
    structural;
    /// A field of a tuple or struct, and the whole with a hole in its place.
    TAKE_FIELD = "take.field", Exactly(2), take_field_ty, PURE, take_field;
    /// A field of a variant, and the whole with a hole in its place; fails if it is another variant.
    TAKE_PAYLOAD = "take.payload", Exactly(3), take_payload_ty, FAILS, take_payload;
    /// The element of a vector at an index, and the vector with a hole in its place.
    TAKE_ELEM = "take.elem", Exactly(2), take_elem_ty, FAILS, take_elem;
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

fn take_field_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let field = field_ty(tys, tys.args.first())?;
    Ok(Ty::tuple([field, tys.args[0]]))
}

fn take_payload_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let field = payload_ty(tys, tys.args.first())?;
    Ok(Ty::tuple([field, tys.args[0]]))
}

fn take_elem_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match (vector_elem(tys.args.first()), tys.args) {
        (Some(elem), [vector, at]) if is_index(*at) => Ok(Ty::tuple([elem, *vector])),
        _ => Err(TypeFault::takes("a vector and an index (`usize` or `i64`)")),
    }
}

/// Whether moving out a part of this type leaves a hole: true except for scalars of at most 64 bits, and
/// tuples, structs and closures that consist of these. It depends only on the type, so that all executors
/// agree.
pub fn leaves_hole(ty: Ty) -> bool {
    /// A type that is nested more deeply has no values, or is moved, too.
    const DEEPEST: usize = 32;
    leaves_hole_within(ty, DEEPEST)
}

fn leaves_hole_within(ty: Ty, deepest: usize) -> bool {
    let Some(deeper) = deepest.checked_sub(1) else { return true };
    let does = |part: &Ty| leaves_hole_within(*part, deeper);
    match ty.kind() {
        TyKind::Unit | TyKind::Never | TyKind::Bool | TyKind::Char | TyKind::Float(_) => false,
        TyKind::Int(int) => matches!(int, IntTy::I128 | IntTy::U128),
        TyKind::Tuple(parts) => parts.iter().any(does),
        TyKind::Closure(closure) => closure.captures.iter().any(does),
        TyKind::Struct(nominal) => {
            nominal.fields().is_none_or(|fields| fields.iter().any(|field| does(&field.ty)))
        }
        _ => true,
    }
}

fn take_part<'a>(cx: &OpCx<'_, 'a>, composite: &mut Arc<Composite<'a>>, k: &Value<'a>) -> Option<Value<'a>> {
    let k = k.as_index().filter(|&k| k < composite.parts.len())?;
    if is_copied(cx, &composite.parts[k]) {
        return Some(composite.parts[k].clone());
    }
    Some(Arc::make_mut(composite).parts[k].take())
}

/// Whether a value also remains in place when it is moved out.
fn is_copied(cx: &OpCx<'_, '_>, value: &Value<'_>) -> bool {
    match value {
        Value::Unit | Value::Bool(_) | Value::Char(_) | Value::Int(_) | Value::F32(_) | Value::F64(_) => true,
        Value::Composite(_) | Value::Closure(_) => takes_copy(cx),
        _ => false,
    }
}

/// Whether the part that an operation returns, the first one of its result, has a type that leaves no hole.
fn takes_copy(cx: &OpCx<'_, '_>) -> bool {
    match cx.ret.kind() {
        TyKind::Tuple(parts) => parts.first().is_some_and(|part| !leaves_hole(*part)),
        _ => false,
    }
}

fn take_field<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [arg, k] = args
        && let Value::Composite(composite) = arg
        && let Some(part) = take_part(cx, composite, k)
    {
        return Ok(Value::tuple([part, arg.take()]));
    }
    Err(ill_typed("take.field", args))
}

fn take_payload<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [arg, tag, k] = args
        && let Value::Composite(composite) = arg
        && let Some(tag) = tag_of(tag)
    {
        if composite.tag != tag {
            return Err(other_variant(composite.ty, tag, composite.tag));
        }
        if let Some(part) = take_part(cx, composite, k) {
            return Ok(Value::tuple([part, arg.take()]));
        }
    }
    Err(ill_typed("take.payload", args))
}

fn take_elem<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if let [array_arg @ Value::Array(_), at] = args
        && let Value::Array(array) = array_arg
    {
        let at = index("take.elem", at, array.len())?;
        let elem = if takes_copy(cx) {
            array.get(at)
        } else {
            match Arc::make_mut(array).to_values_mut() {
                Some(values) => values.get_mut(at).map(Value::take),
                None => array.get(at),
            }
        };
        if let Some(part) = elem {
            return Ok(Value::tuple([part, array_arg.take()]));
        }
    }
    Err(ill_typed("take.elem", args))
}
