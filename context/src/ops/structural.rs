//! Comparisons of arbitrary data, part by part.
//!
//! Parts are compared with an explicit stack and not by recursion, since a linked list may have any length.

use std::cmp::Ordering;

use super::array::vector_elem;
use super::host_types::{ill_typed, ordering, ordering_ty};
use super::macros::ops;
use super::{OpCx, OperandTys, TypeFault};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};
use crate::value::{Value, has_hole};

ops! {
    /// Whether two values are equal in all their parts; floats as by `eq`, references by their referents.
    SAME = "same", Exactly(2), |tys| data_ty(tys).map(|()| Ty::bool()), READS, same;
    /// The order of two values: by variant, then by the first parts that differ; floats in the total order.
    ORDER = "order", Exactly(2), |tys| data_ty(tys).map(|()| ordering_ty()), READS, order;
    /// Whether a part of a value was not initialised. The second operand is an empty array of its type.
    HAS_HOLE = "has_hole", Exactly(2), has_hole_ty, PURE, hole;
}

fn has_hole_ty(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args {
        [value, witness] if vector_elem(Some(witness)) == Some(*value) => Ok(Ty::bool()),
        _ => Err(TypeFault::takes("a value, and an empty array of its type")),
    }
}

fn hole<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    match &*args {
        [value, Value::Array(witness)] => Ok(Value::Bool(has_hole(value, witness.elem_ty()))),
        _ => Err(ill_typed("has_hole", args)),
    }
}

fn data_ty(tys: &OperandTys<'_>) -> Result<(), TypeFault> {
    match tys.args {
        [a, b] if a == b && is_data(*a) => Ok(()),
        _ => Err(TypeFault::takes("two values of one type that holds no function and no host value")),
    }
}

/// Whether values of a type can be compared.
fn is_data(ty: Ty) -> bool {
    let is_no_data = |part: Ty| match part.kind() {
        TyKind::Closure(_) | TyKind::Fn(_) | TyKind::Opaque(_) => true,
        _ => part.as_nominal().is_some_and(|nominal| nominal.body().is_none()),
    };
    !ty.contains(is_no_data)
}

fn same<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [a, b] = &*args else { return Err(ill_typed("same", args)) };
    compare("same", a, b, &|x, y| x.partial_cmp(&y)).map(|order| Value::Bool(order == Some(Ordering::Equal)))
}

fn order<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let [a, b] = &*args else { return Err(ill_typed("order", args)) };
    match compare("order", a, b, &|x, y| Some(x.total_cmp(&y)))? {
        Some(order) => Ok(ordering(order)),
        None => Err(ill_typed("order", args)),
    }
}

/// The order of floats. An `f32` is compared as an `f64`; a `NaN` keeps its sign.
type Floats<'f> = &'f dyn Fn(f64, f64) -> Option<Ordering>;

/// Two values whose first `next` parts are equal.
struct Pair<'a> {
    a: Value<'a>,
    b: Value<'a>,
    next: usize,
    /// Whether they are the referents of two references.
    by_ref: bool,
}

/// The maximum nesting of references; beyond it they are assumed to be cyclic.
const MAX_REFS: usize = 100_000;

/// The order of two values: that of their first parts that are not equal.
fn compare<'a>(
    op: &str,
    a: &Value<'a>,
    b: &Value<'a>,
    floats: Floats<'_>,
) -> Result<Option<Ordering>, Failure> {
    let mut pending: Vec<Pair<'a>> = Vec::new();
    let mut refs = 0;
    match scalars(a, b, floats) {
        Some(order) => return Ok(order),
        None => pending.push(Pair { by_ref: false, ..inside(op, a, b)? }),
    }
    while let Some(pair) = pending.last_mut() {
        match step(pair, floats) {
            Compared::Done(Some(Ordering::Equal)) => {
                refs -= usize::from(pair.by_ref);
                pending.pop();
            }
            Compared::Done(order) => return Ok(order),
            Compared::Into(a, b) => {
                let pair = inside(op, &a, &b)?;
                refs += usize::from(pair.by_ref);
                pending.push(pair);
                if refs > MAX_REFS {
                    let message = format!("`{op}` compares values that hold each other without end");
                    return Err(Failure::new(FailureKind::StackLimit, message));
                }
            }
        }
    }
    Ok(Some(Ordering::Equal))
}

/// The comparison of two values that have parts; for references, of their referents.
fn inside<'a>(op: &str, a: &Value<'a>, b: &Value<'a>) -> Result<Pair<'a>, Failure> {
    match (a, b) {
        (Value::Ref(a), Value::Ref(b)) => {
            // Wrapped in a tuple, since a scalar has no parts.
            Ok(Pair { a: Value::tuple([a.get()?]), b: Value::tuple([b.get()?]), next: 0, by_ref: true })
        }
        (Value::Composite(_), Value::Composite(_))
        | (Value::Array(_), Value::Array(_))
        | (Value::Stack(_), Value::Stack(_)) => {
            Ok(Pair { a: a.clone(), b: b.clone(), next: 0, by_ref: false })
        }
        _ => Err(ill_typed(op, &[a.clone(), b.clone()])),
    }
}

enum Compared<'a> {
    Done(Option<Ordering>),
    Into(Value<'a>, Value<'a>),
}

/// Advances to the first parts of a pair that differ or have parts themselves.
fn step<'a>(pair: &mut Pair<'a>, floats: Floats<'_>) -> Compared<'a> {
    let (a, b) = match (&pair.a, &pair.b) {
        (Value::Composite(a), Value::Composite(b)) => {
            if a.tag != b.tag {
                return Compared::Done(Some(a.tag.cmp(&b.tag)));
            }
            (&*a.parts, &*b.parts)
        }
        (Value::Stack(a), Value::Stack(b)) => (&***a, &***b),
        (Value::Array(a), Value::Array(b)) if a.rank() != 1 && a.shape() != b.shape() => {
            return Compared::Done(Some(a.shape().cmp(b.shape())));
        }
        (Value::Array(a), Value::Array(b)) => match (a.as_values(), b.as_values()) {
            (Some(a), Some(b)) => (a, b),
            _ => {
                let parts = a.iter().zip(b.iter()).map(|(a, b)| scalars(&a, &b, floats).flatten());
                let differs = parts.into_iter().find(|order| *order != Some(Ordering::Equal));
                return Compared::Done(differs.unwrap_or(Some(a.len().cmp(&b.len()))));
            }
        },
        _ => return Compared::Done(None),
    };
    while let (Some(x), Some(y)) = (a.get(pair.next), b.get(pair.next)) {
        pair.next += 1;
        match scalars(x, y, floats) {
            Some(Some(Ordering::Equal)) => {}
            Some(order) => return Compared::Done(order),
            None => return Compared::Into(x.clone(), y.clone()),
        }
    }
    Compared::Done(Some(a.len().cmp(&b.len())))
}

/// The order of two scalars or texts; none for other values.
fn scalars(a: &Value<'_>, b: &Value<'_>, floats: Floats<'_>) -> Option<Option<Ordering>> {
    Some(match (a, b) {
        (Value::Unit, Value::Unit) => Some(Ordering::Equal),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Char(a), Value::Char(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) if a.ty() == b.ty() && a.ty().is_signed() => {
            Some((a.bits() as i64).cmp(&(b.bits() as i64)))
        }
        (Value::Int(a), Value::Int(b)) if a.ty() == b.ty() => Some(a.bits().cmp(&b.bits())),
        (Value::I128(a), Value::I128(b)) => Some(a.cmp(b)),
        (Value::U128(a), Value::U128(b)) => Some(a.cmp(b)),
        (Value::F64(a), Value::F64(b)) => floats(*a, *b),
        (Value::F32(a), Value::F32(b)) => floats(f64::from(*a), f64::from(*b)),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        _ => return None,
    })
}
