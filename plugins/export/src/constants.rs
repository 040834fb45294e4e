//! The functions that constants contain.

use overdub_context::Symbol;
use overdub_context::value::{Code, Value};

/// The functions that a constant contains.
pub(crate) fn functions_in(value: &Value<'_>, visit: &mut dyn FnMut(Symbol)) {
    match value {
        Value::Closure(closure) => {
            if let Code::Func(code) = closure.code {
                visit(code);
            }
        }
        Value::Composite(composite) => {
            composite.parts.iter().for_each(|part| functions_in(part, visit));
        }
        Value::Array(array) if !array.elem_ty().is_number() => {
            array.iter().for_each(|elem| functions_in(&elem, visit));
        }
        _ => {}
    }
}
