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
        }
        Value::Ref(cell) if cells > 0 => {
            if let Ok(content) = cell.get() {
                search(&content, cells - 1, found);
            }
        }
        _ => {}
    }
    value.parts().iter().for_each(|part| search(part, cells, found));
}
