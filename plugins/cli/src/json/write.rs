//! Values to JSON.

use overdub_context::ir::{Field, NominalBody, Ty};
use overdub_context::value::{Composite, Value};
use serde_json::{Map, Number, Value as Json, json};

/// The JSON that writes `value`. What JSON cannot write (functions, cells, host values) is a string in `<>`.
pub fn write(value: &Value<'_>) -> Json {
    match value {
        Value::Unit => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Char(c) => Json::String(c.to_string()),
        Value::Str(text) => Json::String(text.to_string()),
        Value::F64(x) => float(*x, format!("{x:?}")),
        Value::F32(x) => float(f64::from(*x), format!("{x:?}")),
        Value::Int(int) => number(int.value().to_string()),
        Value::I128(n) => number(n.to_string()),
        Value::U128(n) => number(n.to_string()),
        Value::Array(array) => nested(array.shape(), &mut array.iter()),
        Value::Stack(elems) => elems.iter().map(write).collect(),
        Value::Composite(composite) => match composite.ty {
            None => composite.parts.iter().map(write).collect(),
            Some(ty) => nominal(composite, ty),
        },
        Value::Closure(_) => json!("<function>"),
        Value::Ref(reference) => reference.get().map_or(Json::Null, |content| write(&content)),
        Value::Opaque(opaque) => json!(format!("<{}>", opaque.name)),
    }
}

fn float(x: f64, shortest: String) -> Json {
    if x.is_nan() {
        json!("NaN")
    } else if x.is_infinite() {
        json!(if x > 0.0 { "inf" } else { "-inf" })
    } else {
        number(shortest)
    }
}

/// A number as it stands; Rust's own texts of finite numbers are JSON.
fn number(text: String) -> Json {
    text.parse::<Number>().map_or(Json::String(text), Json::Number)
}

fn nested<'a>(shape: &[usize], elems: &mut impl Iterator<Item = Value<'a>>) -> Json {
    match shape {
        [] => elems.next().map_or(Json::Null, |elem| write(&elem)),
        [len, inner @ ..] => (0..*len).map(|_| nested(inner, elems)).collect(),
    }
}

fn nominal(composite: &Composite<'_>, ty: Ty) -> Json {
    let Some(nominal) = ty.as_nominal() else { return Json::Null };
    let option = &*nominal.name() == "Option";
    match nominal.body() {
        None => Json::Null,
        Some(NominalBody::Struct(fields)) => structure(composite, fields),
        Some(NominalBody::Enum(_)) if option => composite.parts.first().map_or(Json::Null, write),
        Some(NominalBody::Enum(variants)) => {
            let Some(variant) = variants.get(composite.tag as usize) else { return Json::Null };
            let payload = match (variant.fields.as_slice(), &composite.parts[..]) {
                ([], _) => return Json::String(variant.name.to_string()),
                ([field], [part]) if &*field.name == "0" => write(part),
                (fields, _) => structure(composite, fields),
            };
            Json::Object(Map::from_iter([(variant.name.to_string(), payload)]))
        }
    }
}

fn structure(composite: &Composite<'_>, fields: &[Field]) -> Json {
    if fields.first().is_some_and(|field| field.name.starts_with(|c: char| c.is_ascii_digit())) {
        return composite.parts.iter().map(write).collect();
    }
    let entries =
        fields.iter().zip(&composite.parts).map(|(field, part)| (field.name.to_string(), write(part)));
    Json::Object(entries.collect())
}
