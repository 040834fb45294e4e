//! JSON to derivatives: a number for each float of a value, in its shape, null for zero.

use std::sync::Arc;

use overdub_context::ir::{Field, NominalBody, Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};
use serde_json::Value as Json;

use super::read::ArgError;
use super::strided;

/// The numbers that `json` has in place of the floats of `value`, in order; null or a missing number is zero.
///
/// # Errors
/// If the JSON does not have the shape of the value, naming the part.
pub fn tangent(json: &Json, value: &Value<'_>, place: &str) -> Result<Vec<f64>, ArgError> {
    let mut found = Vec::new();
    collect(json, value, place, &mut found)?;
    Ok(found)
}

/// The tangent of `value` that `json` has in the shape of the value, as a value of the type of its tangents.
///
/// # Errors
/// If the JSON does not have the shape of the value, naming the part.
pub fn typed_tangent(
    json: &Json,
    value: &Value<'static>,
    ty: Ty,
    place: &str,
) -> Result<Value<'static>, ArgError> {
    let floats = tangent(json, value, place)?;
    shaped(value, ty, &mut floats.into_iter())
        .ok_or_else(|| fault(&format!("a tangent of type `{}`", ty.in_rust()), json, place))
}

/// The tangent of a value from those of its floats in order.
fn shaped(value: &Value<'static>, ty: Ty, floats: &mut dyn Iterator<Item = f64>) -> Option<Value<'static>> {
    match (value, ty.kind()) {
        (_, TyKind::Unit) => Some(Value::Unit),
        (Value::F64(_), _) => floats.next().map(Value::F64),
        (Value::F32(_), _) => floats.next().map(|x| Value::F32(x as f32)),
        (Value::Array(array), TyKind::Array(of)) => {
            let elems: Option<Vec<_>> = array.iter().map(|elem| shaped(&elem, of.elem, floats)).collect();
            Array::from_values(of.elem, elems?)?.reshape(array.shape()).map(Value::from)
        }
        (Value::Composite(composite), TyKind::Tuple(tys)) => {
            let parts = composite.parts.iter().zip(tys).map(|(part, ty)| shaped(part, *ty, floats));
            parts.collect::<Option<Vec<_>>>().map(Value::tuple)
        }
        (Value::Composite(composite), TyKind::Enum(nominal)) => {
            // The first variant of an enum of tangents is zero.
            let tag = composite.tag + 1;
            let fields = &nominal.variants()?.get(tag as usize)?.fields;
            let parts =
                composite.parts.iter().zip(fields).map(|(part, field)| shaped(part, field.ty, floats));
            let parts = parts.collect::<Option<_>>()?;
            Some(Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts })))
        }
        _ => None,
    }
}

fn fault(expected: &str, json: &Json, place: &str) -> ArgError {
    ArgError { place: place.to_owned(), expected: expected.to_owned(), found: format!("`{json}`") }
}

fn collect(json: &Json, value: &Value<'_>, place: &str, found: &mut Vec<f64>) -> Result<(), ArgError> {
    match value {
        Value::F64(_) | Value::F32(_) => found.push(number(json, place)?),
        Value::Array(array) => {
            let elems: Vec<Value<'_>> = array.iter().collect();
            nested(json, array.shape(), &mut elems.iter(), place, found)?;
        }
        Value::Composite(composite) => parts(json, composite, place, found)?,
        Value::Ref(cell) => {
            if let Ok(content) = cell.get() {
                collect(json, &content, place, found)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn number(json: &Json, place: &str) -> Result<f64, ArgError> {
    let text = match json {
        Json::Null => return Ok(0.0),
        Json::Number(number) => number.to_string(),
        Json::String(text) if matches!(text.as_str(), "NaN" | "inf" | "+inf" | "-inf") => text.clone(),
        _ => return Err(fault("a number", json, place)),
    };
    text.parse().map_err(|_| fault("a number", json, place))
}

fn nested<'v, 'a: 'v>(
    json: &Json,
    shape: &[usize],
    elems: &mut impl Iterator<Item = &'v Value<'a>>,
    place: &str,
    found: &mut Vec<f64>,
) -> Result<(), ArgError> {
    let Some((len, inner)) = shape.split_first() else {
        return elems.next().map_or(Ok(()), |elem| collect(json, elem, place, found));
    };
    let list = list(json, *len, place)?;
    for at in 0..*len {
        nested(list.map_or(&Json::Null, |list| &list[at]), inner, elems, &format!("{place}[{at}]"), found)?;
    }
    Ok(())
}

/// A list of this length, or `None` for null.
fn list<'j>(json: &'j Json, len: usize, place: &str) -> Result<Option<&'j Vec<Json>>, ArgError> {
    match json {
        Json::Null => Ok(None),
        Json::Array(list) if list.len() == len => Ok(Some(list)),
        _ => Err(fault(&format!("a list of {len}"), json, place)),
    }
}

fn parts(json: &Json, composite: &Composite<'_>, place: &str, found: &mut Vec<f64>) -> Result<(), ArgError> {
    let nominal = composite.ty.and_then(|ty| ty.as_nominal());
    match nominal.and_then(|nominal| nominal.body()) {
        None => positional(json, composite, place, found),
        Some(NominalBody::Struct(fields)) => {
            match nominal.and_then(|nominal| strided::rows(composite, nominal)) {
                Some((shape, elems)) => nested(json, &shape, &mut elems.iter(), place, found),
                None => named(json, fields, composite, place, found),
            }
        }
        Some(NominalBody::Enum(variants)) => {
            let Some(variant) = variants.get(composite.tag as usize) else { return Ok(()) };
            if composite.ty.is_some_and(|ty| ty.as_option().is_some()) {
                return composite.parts.first().map_or(Ok(()), |part| collect(json, part, place, found));
            }
            let payload = json.get(variant.name.as_str()).unwrap_or(&Json::Null);
            match (variant.fields.as_slice(), &composite.parts[..]) {
                ([field], [part]) if &*field.name == "0" => collect(payload, part, place, found),
                (fields, _) => named(payload, fields, composite, place, found),
            }
        }
    }
}

fn positional(
    json: &Json,
    composite: &Composite<'_>,
    place: &str,
    found: &mut Vec<f64>,
) -> Result<(), ArgError> {
    let list = list(json, composite.parts.len(), place)?;
    for (at, part) in composite.parts.iter().enumerate() {
        let json = list.map_or(&Json::Null, |list| &list[at]);
        collect(json, part, &format!("{place}.{at}"), found)?;
    }
    Ok(())
}

fn named(
    json: &Json,
    fields: &[Field],
    composite: &Composite<'_>,
    place: &str,
    found: &mut Vec<f64>,
) -> Result<(), ArgError> {
    if fields.first().is_some_and(|field| field.name.starts_with(|c: char| c.is_ascii_digit())) {
        return positional(json, composite, place, found);
    }
    if !json.is_null() && !json.is_object() {
        return Err(fault("an object", json, place));
    }
    for (field, part) in fields.iter().zip(&composite.parts) {
        let json = json.get(field.name.as_str()).unwrap_or(&Json::Null);
        collect(json, part, &format!("{place}.{}", field.name), found)?;
    }
    Ok(())
}
