//! Finds the functions in a value that leaves the engine.

use crate::Symbol;
use crate::value::{Code, Value};

/// The depth to which cells in cells are searched; cells may form cycles.
const MAX_CELLS: usize = 4;

/// Calls `found` with the code of each function of the program in a value.
pub(super) fn each_code(value: &Value<'_>, found: &mut dyn FnMut(Symbol)) {
    search(value, MAX_CELLS, found);
}

fn search(value: &Value<'_>, cells: usize, found: &mut dyn FnMut(Symbol)) {
    match value {
        Value::Closure(closure) => {
            if let Code::Func(code) = closure.code {
                found(code);
            }
            closure.captures.iter().for_each(|part| search(part, cells, found));
        }
        Value::Composite(composite) => composite.parts.iter().for_each(|part| search(part, cells, found)),
        Value::Array(array) => {
            array.as_values().into_iter().flatten().for_each(|part| search(part, cells, found));
        }
        Value::Stack(elems) => elems.iter().for_each(|part| search(part, cells, found)),
        Value::Ref(cell) if cells > 0 => {
            if let Ok(content) = cell.get() {
                search(&content, cells - 1, found);
            }
        }
        Value::Ref(_)
        | Value::Unit
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::I128(_)
        | Value::U128(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Str(_)
        | Value::Opaque(_) => {}
    }
}
