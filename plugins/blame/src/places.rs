//! The places of floats in values, in source syntax: `x[3]`, `planet.mass`, `grid[1][2]`.

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};

/// Visits the floats of named values with their places, in order, as long as `visit` returns `true`.
pub(crate) fn each_place(values: &[(String, Value<'_>)], visit: &mut dyn FnMut(&str, f64) -> bool) -> bool {
    values.iter().all(|(name, value)| each_below(value, name, visit))
}

fn each_below(value: &Value<'_>, place: &str, visit: &mut dyn FnMut(&str, f64) -> bool) -> bool {
    match value {
        Value::F64(x) => visit(place, *x),
        Value::F32(x) => visit(place, f64::from(*x)),
        Value::Array(array) => (0..array.len())
            .zip(array.iter())
            .all(|(at, elem)| each_below(&elem, &format!("{place}{}", subscript(array, at)), visit)),
        Value::Composite(composite) => composite
            .parts
            .iter()
            .enumerate()
            .all(|(at, part)| each_below(part, &format!("{place}{}", field(composite.ty, at)), visit)),
        Value::Stack(elems) => {
            elems.iter().enumerate().all(|(at, elem)| each_below(elem, &format!("{place}[{at}]"), visit))
        }
        Value::Ref(cell) => cell.get().map_or(true, |content| each_below(&content, place, visit)),
        _ => true,
    }
}

/// The indices of an element, one for each axis.
fn subscript(array: &Array<'_>, at: usize) -> String {
    let mut rest = at;
    let mut indices = Vec::new();
    for length in array.shape().iter().rev() {
        let length = (*length).max(1);
        indices.push(rest % length);
        rest /= length;
    }
    indices.iter().rev().map(|index| format!("[{index}]")).collect()
}

/// The part of a struct by its name, of a tuple or variant by its number.
fn field(ty: Option<Ty>, at: usize) -> String {
    let fields = ty.and_then(|ty| ty.as_nominal()?.fields());
    match fields.and_then(|fields| fields.get(at)) {
        Some(field) => format!(".{}", field.name),
        None => format!(".{at}"),
    }
}
