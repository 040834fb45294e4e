//! Holes: parts of a value that were not initialised.

use super::Value;
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

/// The maximum nesting depth of values that are searched.
const DEEPEST: usize = 64;

/// How failures of reading such parts begin.
const READ: &str = "memory that was not initialised is read";

/// The failure of reading a part that was not initialised, as what is said.
#[cold]
pub(super) fn uninitialised_read(how: &str) -> Failure {
    Failure::new(FailureKind::Undefined, format!("{READ}{how}"))
}

/// Whether a failure is one of [`uninitialised_read`].
pub(crate) fn is_uninitialised_read(failure: &Failure) -> bool {
    failure.kind() == FailureKind::Undefined && failure.report().message.starts_with(READ)
}

/// Whether a part of a value of a type is a hole, where the type needs a value.
pub(crate) fn has_hole(value: &Value<'_>, ty: Ty) -> bool {
    is_within(value, ty, 0)
}

fn is_within(value: &Value<'_>, ty: Ty, depth: usize) -> bool {
    if depth > DEEPEST || ty.maybe_uninit_of().is_some() {
        return false;
    }
    match (value, ty.kind()) {
        // A type without values to hold is complete without one.
        (Value::Unit, TyKind::Tuple(_) | TyKind::Struct(_)) => {
            ty.parts(0).unwrap_or_default().into_iter().any(|part| is_within(value, part, depth + 1))
        }
        (Value::Unit, kind) => matches!(
            kind,
            TyKind::Int(_)
                | TyKind::Float(_)
                | TyKind::Bool
                | TyKind::Char
                | TyKind::Str
                | TyKind::Array(_)
                | TyKind::Ref(_)
                | TyKind::Closure(_)
                | TyKind::Fn(_)
                | TyKind::Enum(_)
        ),
        (Value::Composite(composite), TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_)) => {
            let tys = ty.parts(composite.tag).unwrap_or_default();
            composite.parts.iter().zip(tys).any(|(part, ty)| is_within(part, ty, depth + 1))
        }
        (Value::Array(array), TyKind::Array(of)) if !array.is_packed() => array
            .as_values()
            .is_some_and(|elems| elems.iter().any(|elem| is_within(elem, of.elem, depth + 1))),
        _ => false,
    }
}
