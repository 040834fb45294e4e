//! Flattening: conversion of values to lists of floats and back, and into and out of domains of augmented
//! floats.
//!
//! - FLAT1 if the type is a pair (AUG1) and the value is a float, or a pair of another type, the value is the
//!   number of that pair.
//! - FLAT2 floats are visited in one order, parts from first to last, which numbers the leaves of a value.

use std::sync::Arc;

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, CellRef, Composite, Value, convert_to};
use overdub_context::{Failure, FailureKind};

use crate::float_pair::{is_pair, pair_value};

/// Lifts a plain value into a domain, as a constant.
pub static LIFT: OpDef = OpDef {
    name: "ad.lift",
    arity: Arity::Exactly(1),
    ty: declared,
    effects: Effects::FAILS,
    eval: |cx, args| lift(take(args), cx.ret, &mut constant),
    doc: "A plain value as one under a domain, with zero attachments.",
};

/// Strips a value under a domain of its attachments.
pub static PLAIN: OpDef = OpDef {
    name: "ad.plain",
    arity: Arity::Exactly(1),
    ty: declared,
    effects: Effects::READS,
    eval: |cx, args| without_attachments(take(args), cx.ret),
    doc: "A value under a domain without its attachments.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.declared.ok_or_else(|| TypeFault::takes("a value, the result declared"))
}

fn take<'a>(args: &mut [Value<'a>]) -> Value<'a> {
    args.first_mut().map_or(Value::Unit, Value::take)
}

#[cold]
fn misfit(what: &str, ty: Ty) -> Failure {
    Failure::new(FailureKind::Type, format!("{what} is no `{ty}`"))
}

/// Makes a pair of this type from a float.
pub(crate) type Leaf<'l> = &'l mut dyn FnMut(Value<'static>, Ty) -> Result<Value<'static>, Failure>;

/// A constant pair; also a pair of pairs.
pub(crate) fn constant(x: Value<'static>, ty: Ty) -> Result<Value<'static>, Failure> {
    let TyKind::Struct(nominal) = ty.kind() else { return Ok(x) };
    if is_of(&x, ty) {
        return Ok(x);
    }
    let Some([number, carried]) = nominal.fields() else { return Err(misfit("a float", ty)) };
    Ok(pair_value(ty, constant(x, number.ty)?, zero(carried.ty)))
}

fn is_of(value: &Value<'_>, ty: Ty) -> bool {
    value.as_composite().is_some_and(|composite| composite.ty == Some(ty))
}

/// Whether a value is a pair.
fn is_paired(value: &Value<'_>) -> bool {
    value.as_composite().is_some_and(|composite| composite.ty.is_some_and(is_pair))
}

/// The zero attachment of a constant (AUG2).
pub(crate) fn zero(ty: Ty) -> Value<'static> {
    match ty.kind() {
        TyKind::Float(_) => crate::expr::float_value(0.0, ty),
        TyKind::Tuple(parts) => Value::tuple(parts.iter().map(|part| zero(*part))),
        TyKind::Struct(nominal) => {
            let parts = nominal.fields().unwrap_or_default().iter().map(|field| zero(field.ty)).collect();
            Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))
        }
        _ => Value::from(0_i64),
    }
}

/// Lifts a plain value to type `ty` of a domain.
pub(crate) fn lift<'a>(value: Value<'_>, ty: Ty, leaf: Leaf<'_>) -> Result<Value<'a>, Failure> {
    lifted(value.into_owned(), ty, leaf)
}

fn lifted(value: Value<'static>, ty: Ty, leaf: Leaf<'_>) -> Result<Value<'static>, Failure> {
    convert_to(value, ty, &mut |value, ty| match (value, ty.kind()) {
        (x @ (Value::F64(_) | Value::F32(_)), TyKind::Struct(_)) => leaf(x, ty).map(Ok),
        // FLAT1
        (x, _) if is_paired(&x) => {
            if is_of(&x, ty) {
                Ok(Ok(x))
            } else {
                leaf(x, ty).map(Ok)
            }
        }
        (value @ Value::Closure(_), TyKind::Closure(_)) => Err(Failure::new(
            FailureKind::Type,
            format!("a closure cannot be handed into a domain: {value:?}"),
        )),
        (value, _) => Ok(Err(value)),
    })
}

/// Strips a value under a domain to the plain type `ty`.
pub(crate) fn without_attachments<'a>(value: Value<'_>, ty: Ty) -> Result<Value<'a>, Failure> {
    plained(value.into_owned(), ty)
}

fn plained(value: Value<'static>, ty: Ty) -> Result<Value<'static>, Failure> {
    convert_to(value, ty, &mut |value, ty| match value {
        // FLAT1
        value if is_of(&value, ty) && is_pair(ty) => Ok(Ok(value)),
        Value::Composite(pair) if is_pair(ty) || matches!(ty.kind(), TyKind::Float(_)) => {
            plained(pair.parts.first().cloned().unwrap_or(Value::Unit), ty).map(Ok)
        }
        value => Ok(Err(value)),
    })
}

/// The floats of a plain value, in order (FLAT2).
pub fn floats(value: &Value<'_>) -> Vec<f64> {
    let mut found = Vec::new();
    each_float(value, &mut |x| found.push(x));
    found
}

/// The number of floats in a value; an array of numbers is not traversed.
pub fn count_floats(value: &Value<'_>) -> usize {
    match value {
        Value::Unit | Value::Bool(_) | Value::Int(_) => 0,
        Value::F64(_) | Value::F32(_) => 1,
        Value::Array(array) => match array.elem_ty().kind() {
            TyKind::Float(_) => array.len(),
            TyKind::Bool | TyKind::Int(_) => 0,
            _ => array.iter().map(|elem| count_floats(&elem)).sum(),
        },
        _ => {
            let mut count = 0;
            each_float(value, &mut |_| count += 1);
            count
        }
    }
}

/// The number of floats in each value of a type of tangents or cotangents, if the type tells.
///
/// ```
/// use overdub_ad::flatten::count_floats_by_type;
/// use overdub_context::ir::Ty;
///
/// assert_eq!(count_floats_by_type(Ty::tuple([Ty::f64(), Ty::unit(), Ty::f32()])), Some(2));
/// assert_eq!(count_floats_by_type(Ty::array(Ty::f64(), 1)), None);
/// ```
pub fn count_floats_by_type(dty: Ty) -> Option<usize> {
    match dty.kind() {
        TyKind::Float(_) => Some(1),
        TyKind::Unit => Some(0),
        TyKind::Tuple(parts) => parts.iter().map(|part| count_floats_by_type(*part)).sum(),
        _ => None,
    }
}

fn each_float(value: &Value<'_>, found: &mut impl FnMut(f64)) {
    match value {
        Value::F64(x) => found(*x),
        Value::F32(x) => found(f64::from(*x)),
        Value::Array(array) => match array.as_f64s() {
            Some(xs) => xs.iter().for_each(|x| found(*x)),
            None => array.iter().for_each(|elem| each_float(&elem, found)),
        },
        Value::Composite(composite) => composite.parts.iter().for_each(|part| each_float(part, found)),
        Value::Stack(elems) => elems.iter().for_each(|elem| each_float(elem, found)),
        Value::Ref(cell) => {
            if let Ok(content) = cell.get() {
                each_float(&content, found);
            }
        }
        _ => {}
    }
}

/// The value with its floats replaced, in order (FLAT2).
///
/// # Errors
/// If there are too few floats.
pub fn with_floats(
    value: &Value<'static>,
    floats: &mut dyn Iterator<Item = f64>,
) -> Result<Value<'static>, Failure> {
    Ok(match value {
        Value::F64(_) => Value::F64(floats.next().ok_or_else(too_few)?),
        Value::F32(_) => Value::F32(floats.next().ok_or_else(too_few)? as f32),
        Value::Array(array) if array.as_f64s().is_some() => {
            let elems: Vec<f64> = floats.take(array.len()).collect();
            let floats_array = (elems.len() == array.len()).then(|| Array::from_vec(elems));
            let shaped = floats_array.and_then(|floats_array| floats_array.reshape(array.shape()));
            shaped.map(Value::from).ok_or_else(too_few)?
        }
        Value::Array(array) => {
            let elems = array.iter().map(|elem| with_floats(&elem, floats)).collect::<Result<Vec<_>, _>>()?;
            let flat = Array::from_values(array.elem_ty(), elems);
            let shaped = flat.and_then(|flat| flat.reshape(array.shape()));
            shaped.map(Value::from).ok_or_else(|| misfit("an element", array.elem_ty()))?
        }
        Value::Composite(composite) => {
            let parts = composite.parts.iter().map(|part| with_floats(part, floats));
            let parts = parts.collect::<Result<_, _>>()?;
            Value::Composite(Arc::new(Composite { ty: composite.ty, tag: composite.tag, parts }))
        }
        Value::Stack(elems) => {
            let elems = elems.iter().map(|elem| with_floats(elem, floats));
            Value::Stack(Arc::new(elems.collect::<Result<_, _>>()?))
        }
        Value::Ref(cell) => Value::Ref(Box::new(CellRef::new(with_floats(&cell.get()?, floats)?))),
        other => other.clone(),
    })
}

#[cold]
fn too_few() -> Failure {
    Failure::new(FailureKind::Type, "there are fewer numbers than floats")
}

/// Visits the attachments of a value under a domain, in order (FLAT2); `without_attachments` is the value's type outside
/// the domain.
pub(crate) fn each_attachment(value: &Value<'_>, primal_ty: Ty, found: &mut dyn FnMut(&Value<'_>)) {
    match (value, primal_ty.kind()) {
        (Value::Composite(pair), TyKind::Float(_)) => pair.parts.iter().skip(1).take(1).for_each(found),
        (Value::Array(array), TyKind::Array(of)) => {
            for elem in array.as_values().into_iter().flatten() {
                each_attachment(elem, of.elem, found);
            }
        }
        (Value::Composite(composite), _) => {
            let tys = primal_ty.parts(composite.tag).unwrap_or_default();
            composite.parts.iter().zip(tys).for_each(|(part, ty)| each_attachment(part, ty, found));
        }
        _ => {}
    }
}

/// Visits the pairs of a value under a domain, in order (FLAT2).
pub(crate) fn each_pair(
    value: &Value<'_>,
    is_pair: &dyn Fn(Ty) -> bool,
    found: &mut dyn FnMut(&[Value<'_>]),
) {
    match value {
        Value::Composite(composite) if composite.ty.is_some_and(is_pair) => found(&composite.parts),
        Value::Composite(composite) => {
            composite.parts.iter().for_each(|part| each_pair(part, is_pair, found));
        }
        Value::Stack(elems) => elems.iter().for_each(|elem| each_pair(elem, is_pair, found)),
        Value::Array(array) => {
            array.as_values().into_iter().flatten().for_each(|elem| each_pair(elem, is_pair, found));
        }
        Value::Ref(cell) => {
            if let Ok(content) = cell.get() {
                each_pair(&content, is_pair, found);
            }
        }
        _ => {}
    }
}
