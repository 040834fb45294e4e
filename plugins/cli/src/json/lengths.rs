//! The lengths of fixed-size arrays, which the types of values do not say.

use overdub_lower::infer::{Arg, Const, ListShape, Ty, TyKind, Types};
use serde_json::Value as Json;

use super::ArgError;

/// Looks whether each list that stands for a `[T; N]` has `N` elements.
///
/// # Errors
/// Where one has not, naming it.
pub fn check_lengths(json: &Json, ty: Ty, types: &Types, place: &str) -> Result<(), ArgError> {
    let inside = |json: &Json, ty: Ty, step: &str| check_lengths(json, ty, types, &format!("{place}{step}"));
    match (ty.kind(), json) {
        (TyKind::Ref(inner) | TyKind::RefMut(inner), _) => inside(json, *inner, ""),
        (TyKind::Array(elem, length), Json::Array(parts)) => {
            if let Const::Value(length) = length
                && usize::try_from(*length) != Ok(parts.len())
            {
                return Err(ArgError {
                    place: place.to_string(),
                    expected: format!("a list of {length}"),
                    found: format!("a list of {}", parts.len()),
                });
            }
            parts.iter().enumerate().try_for_each(|(i, part)| inside(part, *elem, &format!("[{i}]")))
        }
        (TyKind::Slice(elem), Json::Array(parts)) => {
            parts.iter().enumerate().try_for_each(|(i, part)| inside(part, *elem, &format!("[{i}]")))
        }
        (TyKind::Tuple(elems), Json::Array(parts)) => elems
            .iter()
            .zip(parts)
            .enumerate()
            .try_for_each(|(i, (elem, part))| inside(part, *elem, &format!("[{i}]"))),
        (TyKind::Adt(_, args), Json::Array(parts)) => {
            // A collection: its elements are of its first argument's type.
            let Some(Arg::Ty(elem)) = args.first() else { return Ok(()) };
            parts.iter().enumerate().try_for_each(|(i, part)| inside(part, *elem, &format!("[{i}]")))
        }
        (TyKind::Adt(..), Json::Object(map)) => {
            let Ok(variants) = types.variants(ty) else { return Ok(()) };
            let fields = variants.iter().flat_map(|(_, fields)| fields);
            for (name, field) in fields {
                if let Some(part) = map.get(name.as_str()) {
                    inside(part, *field, &format!(".{name}"))?;
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The lists in `json`, as they say the lengths of arrays.
pub fn shape(json: &Json) -> ListShape {
    match json {
        Json::Array(parts) => ListShape::List(parts.iter().map(shape).collect()),
        _ => ListShape::Other,
    }
}
