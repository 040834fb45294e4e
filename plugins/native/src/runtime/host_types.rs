//! Checks that host code returns values of the declared type (CHECKMODE6, H16).

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::{Composite, Value};

use crate::checks::ON;
use crate::values::Mismatch;

/// The greatest number of parts of a value that are checked.
const MOST_PARTS: usize = 1000;

/// Whether holes are allowed in a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holes {
    Forbidden,
    /// In place of a part that leaves one.
    Inside,
}

/// Checks that a value from the host is of this type, in the checking mode only: the conversion to words
/// checks what compiled code relies on in any mode.
pub(crate) fn type_of(value: &Value<'_>, ty: Ty, holes: Holes) -> Result<(), Mismatch> {
    if !ON {
        return Ok(());
    }
    let mut pending = vec![(value, ty, Holes::Forbidden)];
    let mut checked = 0;
    while let Some((value, ty, allowed)) = pending.pop() {
        checked += 1;
        if checked > MOST_PARTS {
            return Ok(());
        }
        let is_hole = matches!(value, Value::Unit) && allowed == Holes::Inside && ops::leaves_hole(ty);
        if is_hole {
            continue;
        }
        match value {
            Value::Composite(composite) => {
                let parts = parts_of(composite, ty).ok_or(Mismatch { ty })?;
                pending.extend(composite.parts.iter().zip(parts).map(|(part, ty)| (part, ty, holes)));
            }
            value if value.is_a(ty) => {}
            _ => return Err(Mismatch { ty }),
        }
    }
    Ok(())
}

/// The types of the parts of a composite, if it can be of this type.
fn parts_of(composite: &Composite<'_>, ty: Ty) -> Option<Vec<Ty>> {
    let fields = match (composite.ty, ty.kind()) {
        (None, TyKind::Tuple(parts)) => parts.to_vec(),
        (Some(is), TyKind::Struct(_) | TyKind::Enum(_)) if is == ty => ty.parts(composite.tag)?,
        _ => return None,
    };
    (fields.len() == composite.parts.len()).then_some(fields)
}
