//! Enums that are stored as the value in one of their variants.
//!
//! - NICHE1 only types that certainly have unused values count: rustc stores the other variant as one of these.

use super::Value;
use crate::types::{Ty, TyKind};

/// The maximal nesting depth of types that are examined.
const DEEPEST: usize = 64;

/// The value of type `to` in a variant of an enum with one other variant, which holds nothing, as `Some` does: if `to`
/// has unused values, the enum and the value have one layout.
pub(super) fn held_with_niche(value: &Value<'static>, to: Ty) -> Option<Value<'static>> {
    let Value::Composite(composite) = value else { return None };
    let ty = composite.ty.filter(|ty| matches!(ty.kind(), TyKind::Enum(_)))?;
    let [held] = &composite.parts[..] else { return None };
    let other = ty.parts(1_u32.checked_sub(composite.tag)?)?;
    let is_only_other = other.is_empty() && ty.parts(2).is_none();
    (is_only_other && held.ty() == to && has_niche(to, 0)).then(|| held.clone())
}

fn has_niche(ty: Ty, depth: usize) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char => true,
        TyKind::Enum(_) => ty.maybe_uninit_of().is_none() && ty.parts(1).is_some(),
        TyKind::Tuple(_) | TyKind::Struct(_) if depth < DEEPEST => {
            ty.parts(0).is_some_and(|parts| parts.into_iter().any(|part| has_niche(part, depth + 1)))
        }
        _ => false,
    }
}
