//! Arrays of ndarray whose number of axes is not in their type: elements in a vector, with lengths and
//! strides.

use overdub_context::ir::{Nominal, Ty};
use overdub_context::value::{Array, Composite, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// Its fields are the storage, the position of the first element, the lengths, the strides, and a marker.
const STRIDED: &str = "ndarray::data::ArrayBase";

/// The type of the elements of such an array type.
pub(super) fn elem(nominal: Nominal) -> Option<Ty> {
    let [data, ..] = nominal.fields().filter(|_| &*nominal.name() == STRIDED)? else { return None };
    let [elems] = data.ty.as_nominal()?.fields()? else { return None };
    elems.ty.as_array().map(|array| array.elem)
}

/// The lengths of nested lists, following the first element of each.
pub(super) fn lengths(json: &Json) -> Vec<usize> {
    let mut shape = Vec::new();
    let mut level = json;
    while let Json::Array(parts) = level {
        shape.push(parts.len());
        level = parts.first().unwrap_or(&Json::Null);
    }
    shape
}

/// The array of this type with these elements in row-major order.
pub(super) fn array(ty: Ty, shape: &[usize], elems: Array<'static>) -> Option<Value<'static>> {
    let [data, _, _, _, _] = ty.as_nominal()?.fields()? else { return None };
    let mut steps = vec![1isize; shape.len()];
    for at in (1..shape.len()).rev() {
        steps[at - 1] = steps[at] * shape[at].cast_signed();
    }
    let data_value = composite(data.ty, vec![Value::Array(Arc::new(elems))]);
    let (lens, steps) = (Array::from_vec(shape.to_vec()), Array::from_vec(steps));
    Some(composite(
        ty,
        vec![data_value, Value::from(0usize), Value::from(lens), Value::from(steps), Value::Unit],
    ))
}

fn composite(ty: Ty, parts: Vec<Value<'static>>) -> Value<'static> {
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts: parts.into() }))
}

/// The lengths of such an array and its elements in row-major order, if they can be found.
pub(super) fn rows<'a>(array: &Composite<'a>, nominal: Nominal) -> Option<(Vec<usize>, Vec<Value<'a>>)> {
    elem(nominal)?;
    let [data, first, lens, steps, _] = &array.parts[..] else { return None };
    let elems = data.as_composite()?.parts.first()?.as_array()?;
    let (lens, steps) = (lens.as_array()?.as_slice::<usize>()?, steps.as_array()?.as_slice::<isize>()?);
    let mut places = vec![first.as_index()?.cast_signed()];
    for (len, step) in lens.iter().zip(steps) {
        let strided = |place: isize| (0..*len).map(move |at| place + at.cast_signed() * step);
        places = places.into_iter().flat_map(strided).collect();
    }
    let found = places.into_iter().map(|place| elems.get(usize::try_from(place).ok()?));
    Some((lens.to_vec(), found.collect::<Option<_>>()?))
}
