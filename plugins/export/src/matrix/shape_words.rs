//! The words of a shape: the lengths of arrays and texts, the numbers of variants, and integers, `bool`s and `char`s, in the order
//! of the value.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;

use super::Unsupported;

/// The names of the parts of a tuple or struct.
pub(super) fn part_names(ty: Ty) -> Option<Vec<String>> {
    match ty.kind() {
        TyKind::Tuple(parts) => Some((0..parts.len()).map(|number| number.to_string()).collect()),
        TyKind::Struct(nominal) => {
            Some(nominal.fields()?.iter().map(|field| field.name.to_string()).collect())
        }
        _ => None,
    }
}

/// Whether values of a type differ in more than floats.
pub(super) fn has_shape(ty: Ty) -> bool {
    ty.contains(|part| {
        !matches!(part.kind(), TyKind::Float(_) | TyKind::Unit | TyKind::Tuple(_) | TyKind::Struct(_))
    })
}

/// Adds the words of a value.
pub(super) fn add_words(value: &Value<'_>, ty: Ty, words: &mut Vec<u64>) -> Result<(), Unsupported> {
    match value {
        Value::Unit | Value::F64(_) | Value::F32(_) => {}
        Value::Bool(b) => words.push(u64::from(*b)),
        Value::Char(c) => words.push(u64::from(u32::from(*c))),
        Value::Int(_) => words.extend(value.as_int().map(|(_, n)| n as u64)),
        Value::I128(n) => words.extend([**n as u64, (**n >> 64) as u64]),
        Value::U128(n) => words.extend([**n as u64, (**n >> 64) as u64]),
        Value::Str(text) => {
            let chars = text.as_str().chars();
            words.push(chars.clone().count() as u64);
            words.extend(chars.map(|c| u64::from(u32::from(c))));
        }
        Value::Array(array) => {
            words.push(array.len() as u64);
            if has_shape(array.elem_ty()) {
                array.iter().try_for_each(|elem| add_words(&elem, array.elem_ty(), words))?;
            }
        }
        Value::Composite(composite) => {
            if matches!(ty.kind(), TyKind::Enum(_)) {
                words.push(u64::from(composite.tag));
            }
            let tys = ty.parts(composite.tag).ok_or(Unsupported::Shape(ty))?;
            composite.parts.iter().zip(tys).try_for_each(|(part, ty)| add_words(part, ty, words))?;
        }
        Value::Stack(_) | Value::Closure(_) | Value::Ref(_) | Value::Opaque(_) => {
            return Err(Unsupported::Shape(ty));
        }
    }
    Ok(())
}

/// A number, `bool` or `char` in a message.
pub(super) fn shown(value: &Value<'_>) -> String {
    match value {
        Value::U128(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Char(c) => format!("{c:?}"),
        other => other.as_int().map(|(_, n)| n.to_string()).unwrap_or_default(),
    }
}
