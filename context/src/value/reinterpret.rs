//! Values of one type read as another that has the same layout in memory: what a cast of a pointer means.
//!
//! Layouts are the same by construction: a struct with one field and the field, `MaybeUninit<T>` and `T`, two structs
//! whose fields have the same layouts one by one, arrays of elements with the same layout, integers of one width.
//! Everything else is refused. A float is never read as an integer or made of one, since it would lose its derivative.
//! The reference is [the chapter on layouts](https://doc.rust-lang.org/reference/type-layout.html).

use std::sync::Arc;

use super::{Array, Composite, Int, Parts, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

/// Values nested deeper than this are not looked into.
const DEEPEST: usize = 64;

/// `value` as one of type `to`.
///
/// # Errors
/// Where the layouts differ, or where a part of `value` is not initialised and `to` needs it.
pub(super) fn reinterpret(value: Value<'static>, to: Ty) -> Result<Value<'static>, Failure> {
    Reinterpret { keeps_holes: false }.value(value, to, 0)
}

/// As [`reinterpret`], but what is not initialised becomes a hole.
pub(super) fn reinterpret_partly(value: Value<'static>, to: Ty) -> Result<Value<'static>, Failure> {
    Reinterpret { keeps_holes: true }.value(value, to, 0)
}

struct Reinterpret {
    keeps_holes: bool,
}

impl Reinterpret {
    fn value(&self, value: Value<'static>, to: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        if depth > DEEPEST {
            return Err(differs(&value, to));
        }
        if let Some(inner) = to.maybe_uninit_of() {
            return self.as_maybe_uninit(value, to, inner, depth);
        }
        if let Value::Composite(composite) = &value {
            if composite.ty == Some(to) {
                return Ok(value);
            }
            if composite.ty.and_then(Ty::maybe_uninit_of).is_some() {
                return match composite.parts.first() {
                    Some(held) => self.value(held.clone(), to, depth + 1),
                    None if self.keeps_holes => self.holes(to),
                    None => Err(uninitialised(to)),
                };
            }
        }
        match (to.kind(), value) {
            (TyKind::Unit, Value::Unit) => Ok(Value::Unit),
            // A hole is nothing of any type.
            (_, Value::Unit) if self.keeps_holes => Ok(Value::Unit),
            (_, Value::Unit) => Err(uninitialised(to)),
            (TyKind::Array(array), Value::Array(elems)) if array.rank == 1 => self.array(elems, array.elem, depth),
            (TyKind::Tuple(_) | TyKind::Struct(_), value) => self.composite(value, to, depth),
            (TyKind::Int(int), Value::Int(from)) if from.ty().bits() == int.bits() => {
                Ok(Value::Int(Int::wrapping(*int, from.bits())))
            }
            (TyKind::Bool, value @ Value::Bool(_))
            | (TyKind::Char, value @ Value::Char(_))
            | (TyKind::Str, value @ Value::Str(_))
            | (TyKind::Ref(_), value @ Value::Ref(_))
            | (TyKind::Closure(..) | TyKind::Fn(..), value @ Value::Closure(_)) => Ok(value),
            (TyKind::Float(crate::types::FloatTy::F64), value @ Value::F64(_))
            | (TyKind::Float(crate::types::FloatTy::F32), value @ Value::F32(_)) => Ok(value),
            (_, Value::Composite(composite)) => match only_part(&composite) {
                Some(part) => self.value(part, to, depth + 1),
                None => Err(differs(&Value::Composite(composite), to)),
            },
            (_, value) => Err(differs(&value, to)),
        }
    }

    fn as_maybe_uninit(
        &self,
        value: Value<'static>,
        to: Ty,
        inner: Ty,
        depth: usize,
    ) -> Result<Value<'static>, Failure> {
        let held = match &value {
            Value::Composite(composite) if composite.ty == Some(to) => return Ok(value),
            Value::Composite(composite) if composite.ty.is_some_and(|ty| ty.maybe_uninit_of().is_some()) => {
                composite.parts.first().cloned()
            }
            Value::Unit if *inner.kind() != TyKind::Unit => None,
            _ => Some(value),
        };
        let (tag, parts) = match held {
            Some(held) => (1, Parts::from_iter([self.value(held, inner, depth + 1)?])),
            None => (0, Parts::from_iter([])),
        };
        Ok(Value::Composite(Arc::new(Composite { ty: Some(to), tag, parts })))
    }

    fn array(&self, elems: Arc<Array<'static>>, elem: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        if elems.elem_ty() == elem {
            return Ok(Value::Array(elems));
        }
        let mut converted = Vec::with_capacity(elems.len());
        for value in elems.iter() {
            converted.push(self.value(value, elem, depth + 1)?);
        }
        match Array::from_values(elem, converted) {
            Some(array) => Ok(Value::Array(Arc::new(array))),
            // A hole does not fit among scalars.
            None => Err(uninitialised(elem)),
        }
    }

    fn composite(&self, value: Value<'static>, to: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        let fields = to.parts(0).unwrap_or_default();
        let ty = match to.kind() {
            TyKind::Tuple(_) => None,
            _ => Some(to),
        };
        let made = |parts: Vec<Value<'static>>| {
            Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts) }))
        };
        if let Value::Composite(composite) = &value
            && !composite.ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Enum(_)))
            && composite.parts.len() == fields.len()
        {
            let parts: Result<Vec<_>, Failure> = composite
                .parts
                .iter()
                .zip(&fields)
                .map(|(part, &field)| self.value(part.clone(), field, depth + 1))
                .collect();
            return parts.map(made);
        }
        let sized: Vec<usize> = (0..fields.len()).filter(|&k| *fields[k].kind() != TyKind::Unit).collect();
        let [at] = sized[..] else {
            return match &value {
                Value::Composite(composite) => match only_part(composite) {
                    Some(part) => self.value(part, to, depth + 1),
                    None => Err(differs(&value, to)),
                },
                _ => Err(differs(&value, to)),
            };
        };
        let mut parts = vec![Value::Unit; fields.len()];
        parts[at] = self.value(value, fields[at], depth + 1)?;
        Ok(made(parts))
    }

    /// A value of type `to` in which nothing is initialised.
    fn holes(&self, to: Ty) -> Result<Value<'static>, Failure> {
        match to.kind() {
            TyKind::Tuple(_) | TyKind::Struct(_) => {
                let ty = match to.kind() {
                    TyKind::Tuple(_) => None,
                    _ => Some(to),
                };
                let parts = Parts::from_iter(to.parts(0).unwrap_or_default().iter().map(|_| Value::Unit));
                Ok(Value::Composite(Arc::new(Composite { ty, tag: 0, parts })))
            }
            _ => Ok(Value::Unit),
        }
    }
}

/// The one part of a struct or tuple that takes room.
fn only_part(composite: &Composite<'static>) -> Option<Value<'static>> {
    if composite.ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Enum(_))) {
        return None;
    }
    let mut sized = composite.parts.iter().filter(|part| !matches!(part, Value::Unit));
    match (sized.next(), sized.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    }
}

#[cold]
fn uninitialised(to: Ty) -> Failure {
    Failure::new(FailureKind::Undefined, format!("memory that was not initialised is read as `{to}`"))
}

#[cold]
fn differs(value: &Value<'static>, to: Ty) -> Failure {
    let message = format!("a value of type `{}` is read through a pointer as `{to}`, which has another layout", value.ty());
    Failure::new(FailureKind::Undefined, message)
        .with_help(Some("what pointer casts convert is listed in the guide; convert the value instead".to_owned()))
}
