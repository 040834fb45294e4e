//! Abstract values: what is known of an unknown value, as an element of the lattice in which the analysis
//! computes.
//!
//! A known value stands for itself. A float that depends on inputs is an entry of
//! [`Floats`](super::floats::Floats). Any other value that is not known exactly is a host value of the type
//! below, so that it can be anywhere a value can.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use overdub_context::Symbol;
use overdub_context::ir::Ty;
use overdub_context::value::{Array, Opaque, PathElem, Shape, Value};

use super::sets::Dep;

/// A value that is not known exactly.
#[derive(Clone, Debug)]
pub(crate) enum Abstract {
    /// Any value of the type; no float in it depends on more than `dep`.
    Unknown {
        ty: Ty,
        /// The lengths of its axes, if it is an array for which they are known.
        shape: Option<Shape>,
        dep: Dep,
    },
    /// One of these: enums of different variants, closures with different code, references.
    OneOf(Vec<Value<'static>>),
    /// A reference to a part of a cell of the analysis.
    Ref { cell: usize, path: Vec<PathElem> },
    /// An array with other elements at some positions; if two paths share an array, each has its own changes.
    Patched { base: Arc<Array<'static>>, edits: Arc<BTreeMap<usize, Value<'static>>> },
}

static NAME: LazyLock<Symbol> = LazyLock::new(|| Symbol::new("sparsity.abstract"));

impl Abstract {
    /// The abstract value as a host value.
    pub(crate) fn into_value(self) -> Value<'static> {
        Value::Opaque(Box::new(Opaque { name: *NAME, value: Box::new(self) }))
    }

    /// The abstract value, if the value is not known exactly.
    pub(crate) fn of<'v>(value: &'v Value<'_>) -> Option<&'v Abstract> {
        match value {
            Value::Opaque(opaque) => opaque.get(),
            _ => None,
        }
    }
}

/// The type of a value, if it is known.
pub(crate) fn ty_of(value: &Value<'_>) -> Option<Ty> {
    match Abstract::of(value) {
        None => Some(value.ty()),
        Some(Abstract::Unknown { ty, .. }) => Some(*ty),
        Some(Abstract::OneOf(values)) => values.first().and_then(ty_of),
        Some(Abstract::Patched { base, .. }) => Some(base.ty()),
        Some(Abstract::Ref { .. }) => None,
    }
}

/// Whether an array of scalars other than floats stores its elements one by one, because some are not known.
pub(crate) fn is_loose(array: &Array<'_>) -> bool {
    array.as_values().is_some() && is_packed_scalar(array.elem_ty())
}

/// Whether elements of this type are packed in an array.
pub(crate) fn is_packed_scalar(ty: Ty) -> bool {
    use overdub_context::ir::TyKind;
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}
