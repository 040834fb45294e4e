//! The lengths of fixed-size arrays, which are not part of the types of values.

use overdub_lower::infer::{Arg, Const, ListShape, Ty, TyKind, Types};
use serde_json::Value as Json;

use super::ArgError;

/// Checks that each list for a `[T; N]` has `N` elements.
///
/// # Errors
/// If one has another length, naming it.
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
            // A collection: its elements have the type of its first type argument.
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

/// The nested lists in `json`, as shapes from which the lengths of arrays are inferred.
pub fn shape(json: &Json) -> ListShape {
    match json {
        Json::Array(parts) => ListShape::List(parts.iter().map(shape).collect()),
        _ => ListShape::Other,
    }
}
