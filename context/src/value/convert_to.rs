//! Conversion of values to another type, for arguments and results of programs whose types are mapped.

use std::sync::Arc;

use super::{Array, CellRef, Composite, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

/// Converts a part of a value to a part of this type; returns the part itself as `Err` if its own parts are
/// to be converted.
pub type ConvertPart<'c> =
    &'c mut dyn FnMut(Value<'static>, Ty) -> Result<Result<Value<'static>, Value<'static>>, Failure>;

/// Converts a value to a type that differs in some of its parts. `part` is called for every part, outer ones
/// first, with the target type; it is not called for elements of arrays whose element type is a scalar in
/// both.
///
/// ```
/// use overdub_context::ir::Ty;
/// use overdub_context::value::{Value, convert_to};
///
/// // Floats become texts, wherever they are.
/// let value = Value::tuple([Value::F64(1.5), Value::floats(vec![2.0, 3.0])]);
/// let wanted = Ty::tuple([Ty::str(), Ty::array(Ty::str(), 1)]);
/// let texts = convert_to(value, wanted, &mut |part, ty| match part {
///     Value::F64(x) if ty == Ty::str() => Ok(Ok(Value::from(format!("{x:?}").as_str()))),
///     other => Ok(Err(other)),
/// })?;
/// assert_eq!(texts.to_string(), r#"("1.5", ["2.0", "3.0"])"#);
/// # Ok::<(), overdub_context::Failure>(())
/// ```
///
/// # Errors
/// If `part` fails, or the value has another structure than the type.
pub fn convert_to(value: Value<'static>, ty: Ty, part: ConvertPart<'_>) -> Result<Value<'static>, Failure> {
    let value = match part(value, ty)? {
        Ok(converted) => return Ok(converted),
        Err(value) => value,
    };
    match (value, ty.kind()) {
        (Value::Array(array), TyKind::Array(of))
            if array.elem_ty() != of.elem || array.as_values().is_some() =>
        {
            let elems = array.iter().map(|elem| convert_to(elem, of.elem, part));
            let elems = elems.collect::<Result<Vec<_>, _>>()?;
            let flat = Array::from_values(of.elem, elems);
            let shaped = flat.and_then(|flat| flat.reshape(array.shape()));
            shaped.map(Value::from).ok_or_else(|| misfit("an element", of.elem))
        }
        (Value::Composite(composite), _) => {
            let tys = ty.parts(composite.tag).ok_or_else(|| misfit("a composite", ty))?;
            let composite = Arc::unwrap_or_clone(composite);
            let parts = composite.parts.into_iter().zip(tys).map(|(value, ty)| convert_to(value, ty, part));
            let parts = parts.collect::<Result<_, _>>()?;
            let ty = ty.as_nominal().map(|_| ty);
            Ok(Value::Composite(Arc::new(Composite { ty, tag: composite.tag, parts })))
        }
        (Value::Stack(elems), TyKind::Stack(of)) => {
            let elems = elems.iter().map(|elem| convert_to(elem.clone(), *of, part));
            Ok(Value::Stack(Arc::new(elems.collect::<Result<_, _>>()?)))
        }
        (Value::Ref(cell), TyKind::Ref(target)) => {
            let content = convert_to(cell.get()?, *target, part)?;
            Ok(Value::Ref(Box::new(CellRef::new(content))))
        }
        (value, _) => Ok(value),
    }
}

#[cold]
fn misfit(what: &str, ty: Ty) -> Failure {
    Failure::new(FailureKind::Type, format!("{what} is no `{ty}`"))
}
