//! Conversion of plain values to those of a domain, and back.

use std::sync::Arc;

use overdub_context::ir::{NominalBody, Ty, TyKind};
use overdub_context::value::{Array, CellRef, Composite, Value};

/// A plain value as one of type `ty` under a domain that maps floats; `leaf` creates the float of that type.
pub fn lifted(value: Value<'static>, ty: Ty, leaf: &dyn Fn(f64, Ty) -> Value<'static>) -> Value<'static> {
    match (value, ty.kind()) {
        (Value::F64(x), _) if ty != Ty::f64() => leaf(x, ty),
        (Value::F32(x), _) if ty != Ty::f32() => leaf(x.into(), ty),
        (Value::Array(array), TyKind::Array(of)) => {
            let elems = array.iter().map(|elem| lifted(elem, of.elem, leaf));
            rebuilt(&array, of.elem, elems)
        }
        (Value::Composite(composite), _) => {
            let Some(tys) = part_tys(ty, composite.tag) else { return Value::Composite(composite) };
            let parts = composite.parts.iter().zip(tys).map(|(part, ty)| lifted(part.clone(), ty, leaf));
            composed(ty.as_nominal().map(|_| ty), composite.tag, parts)
        }
        (Value::Stack(elems), TyKind::Stack(elem)) => {
            Value::Stack(Arc::new(elems.iter().map(|value| lifted(value.clone(), *elem, leaf)).collect()))
        }
        (Value::Ref(cell), TyKind::Ref(target)) => match cell.get() {
            Ok(content) => Value::Ref(Box::new(CellRef::new(lifted(content, *target, leaf)))),
            Err(_) => Value::Ref(cell),
        },
        (value, _) => value,
    }
}

/// The plain value of type `ty` for a value under a domain; `number` reads a float of the domain. Nested
/// cells are followed only to a few levels.
pub fn primal_value(
    value: &Value<'static>,
    ty: Ty,
    number: &dyn Fn(&Value<'static>) -> Option<f64>,
) -> Value<'static> {
    plain_within(value, ty, number, CELLS)
}

fn plain_within(
    value: &Value<'static>,
    ty: Ty,
    number: &dyn Fn(&Value<'static>) -> Option<f64>,
    cells: usize,
) -> Value<'static> {
    let part = |part: &Value<'static>, ty: Ty| plain_within(part, ty, number, cells);
    match (value, ty.kind()) {
        (value, _) if ty == Ty::f64() => number(value).map_or_else(|| value.clone(), Value::F64),
        (Value::Array(array), TyKind::Array(of)) => {
            rebuilt(array, of.elem, array.iter().map(|elem| part(&elem, of.elem)))
        }
        (Value::Composite(composite), _) => {
            let Some(tys) = part_tys(ty, composite.tag) else { return value.clone() };
            let parts = composite.parts.iter().zip(tys).map(|(value, ty)| part(value, ty));
            composed(ty.as_nominal().map(|_| ty), composite.tag, parts)
        }
        (Value::Stack(elems), TyKind::Stack(elem)) => {
            Value::Stack(Arc::new(elems.iter().map(|value| part(value, *elem)).collect()))
        }
        (Value::Ref(cell), TyKind::Ref(target)) => match (cells.checked_sub(1), cell.get()) {
            (Some(cells), Ok(content)) => {
                Value::Ref(Box::new(CellRef::new(plain_within(&content, *target, number, cells))))
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// A struct, tuple or variant with these parts.
pub fn composed(ty: Option<Ty>, tag: u32, parts: impl Iterator<Item = Value<'static>>) -> Value<'static> {
    Value::Composite(Arc::new(Composite { ty, tag, parts: parts.collect() }))
}

fn rebuilt(array: &Array<'static>, elem: Ty, elems: impl Iterator<Item = Value<'static>>) -> Value<'static> {
    let shaped = Array::from_values(elem, elems).and_then(|flat| flat.reshape(array.shape()));
    shaped.map_or_else(|| Value::Array(Arc::new(array.clone())), Value::from)
}

/// The types of the parts of a composite; `None` if they are not known.
fn part_tys(ty: Ty, tag: u32) -> Option<Vec<Ty>> {
    match ty.kind() {
        TyKind::Tuple(parts) => Some(parts.to_vec()),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body()? {
            NominalBody::Struct(fields) => Some(fields.iter().map(|field| field.ty).collect()),
            NominalBody::Enum(variants) => {
                Some(variants.get(tag as usize)?.fields.iter().map(|field| field.ty).collect())
            }
        },
        _ => None,
    }
}

/// The number of levels of nested cells that are mapped and compared: they may form cycles.
const CELLS: usize = 8;

/// Whether two results are the same to the bit, except that all NaNs are equal, a cell is its content, and of
/// a function value only the captures count, since its code has another name under each context.
pub fn same_up_to_nan(a: &Value<'_>, b: &Value<'_>) -> bool {
    alike_within(a, b, CELLS)
}

fn alike_within(a: &Value<'_>, b: &Value<'_>, cells: usize) -> bool {
    let all = |a: &[Value<'_>], b: &[Value<'_>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike_within(a, b, cells))
    };
    match (a, b) {
        (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Value::Composite(a), Value::Composite(b)) => {
            same_ty(a.ty, b.ty) && a.tag == b.tag && all(&a.parts, &b.parts)
        }
        (Value::Stack(a), Value::Stack(b)) => all(a, b),
        // A handle of a context precedes the captures of the program.
        (Value::Closure(a), Value::Closure(b)) => {
            let n = a.captures.len().min(b.captures.len());
            all(&a.captures[a.captures.len() - n..], &b.captures[b.captures.len() - n..])
        }
        (Value::Array(a), Value::Array(b)) => {
            a.same(b)
                || a.shape() == b.shape()
                    && same_ty(Some(a.elem_ty()), Some(b.elem_ty()))
                    && a.iter().zip(b.iter()).all(|(a, b)| alike_within(&a, &b, cells))
        }
        (Value::Ref(a), Value::Ref(b)) => match (cells.checked_sub(1), a.get(), b.get()) {
            (Some(cells), Ok(a), Ok(b)) => alike_within(&a, &b, cells),
            (_, a, b) => a.is_ok() == b.is_ok(),
        },
        (Value::Opaque(a), Value::Opaque(b)) => {
            a.name == b.name && format!("{:?}", a.value) == format!("{:?}", b.value)
        }
        _ => a.same(b),
    }
}

/// Whether two types are the same; those created for a context differ between engines, but have the same
/// name.
fn same_ty(a: Option<Ty>, b: Option<Ty>) -> bool {
    a == b || a.map(|ty| ty.to_string()) == b.map(|ty| ty.to_string())
}
