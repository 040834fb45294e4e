//! Results in lanes: values from a list for each scalar and array that they consist of, or the reason why there are none.

use std::slice::Iter;
use std::sync::Arc;

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};
use overdub_context::{Failure, FailureKind, Span};

/// The number of lists that lanes give for values of a type; none if that is not known.
pub(crate) fn part_count(ty: Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Unit => Some(0),
        TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Char | TyKind::Array(_) => Some(1),
        TyKind::Tuple(_) | TyKind::Struct(_) => ty.parts(0)?.into_iter().map(part_count).sum(),
        _ => None,
    }
}

/// The list of values of a type from those of their parts.
pub(crate) fn list_of<'a>(ty: Ty, parts: &[Array<'a>], len: usize) -> Option<Array<'a>> {
    if let ([one], false) = (parts, matches!(ty.kind(), TyKind::Tuple(_) | TyKind::Struct(_))) {
        return Some(one.clone());
    }
    let value = |number: usize| value_of(ty, &mut parts.iter(), number);
    Array::from_values(ty, (0..len).map(value).collect::<Option<Vec<_>>>()?)
}

/// The value of a type whose parts are at this place of lists.
fn value_of(ty: Ty, lists: &mut Iter<'_, Array<'_>>, at: usize) -> Option<Value<'static>> {
    let composite = |of: Option<Ty>, lists: &mut Iter<'_, Array<'_>>| {
        let parts = ty.parts(0)?.into_iter().map(|part| value_of(part, lists, at));
        let parts = parts.collect::<Option<_>>()?;
        Some(Value::Composite(Arc::new(Composite { ty: of, tag: 0, parts })))
    };
    match ty.kind() {
        TyKind::Unit => Some(Value::Unit),
        TyKind::Tuple(_) => composite(None, lists),
        TyKind::Struct(_) => composite(Some(ty), lists),
        _ => lists.next()?.get(at).map(Value::into_owned),
    }
}

/// The reason why products do not run in lanes.
#[cold]
pub(crate) fn not_in_lanes(why: &str, at: Span) -> Failure {
    let help = "one element runs after the other instead".to_owned();
    let message = format!("the products do not run in lanes: {why}");
    Failure::new(FailureKind::Load, message).at(at).with_help(Some(help))
}
