//! Floats, and pairs of a float with an attachment: the types and values of augmented floats.
//!
//! - AUG1 a pair is a struct of two fields, the number first.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{Nominal, Ty, TyKind};
use overdub_context::value::{Composite, Value};

/// Whether this is a float type of Rust.
pub(crate) fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

/// The universe of the types of pairs.
pub(crate) fn universe() -> u32 {
    Nominal::universe(Symbol::new("overdub-ad"))
}

/// Whether this is a type of pairs of any domain.
pub(crate) fn is_pair(ty: Ty) -> bool {
    ty.as_nominal().is_some_and(|nominal| nominal.in_universe() == universe())
}

/// A value of a pair type; the type is how a number of the domain is recognised.
pub(crate) fn pair_value(ty: Ty, x: Value<'static>, carried: Value<'static>) -> Value<'static> {
    let parts = [x, carried].into_iter().collect();
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))
}
