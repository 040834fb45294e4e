//! Values to JSON.

use overdub_context::ir::{Field, NominalBody, Ty};
use overdub_context::value::{Composite, Value};
use serde_json::{Map, Number, Value as Json, json};

use super::strided;

/// The JSON for `value`. What JSON cannot express (functions, cells, host values) is a string in `<>`.
pub fn write(value: &Value<'_>) -> Json {
    write_parts(value, Scalars::All)
}

/// The JSON for the floats of `value` in its shape, with null in place of all else: for a derivative.
pub fn write_floats(value: &Value<'_>) -> Json {
    write_parts(value, Scalars::Floats)
}

/// Which scalars are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalars {
    All,
    Floats,
}

fn write_parts(value: &Value<'_>, scalars: Scalars) -> Json {
    match value {
        Value::F64(x) => float(*x, format!("{x:?}")),
        Value::F32(x) => float(f64::from(*x), format!("{x:?}")),
        Value::Array(array) => nested(array.shape(), &mut array.iter(), scalars),
        Value::Stack(elems) => elems.iter().map(|elem| write_parts(elem, scalars)).collect(),
        Value::Composite(composite) => match composite.ty {
            None => composite.parts.iter().map(|part| write_parts(part, scalars)).collect(),
            Some(ty) => nominal(composite, ty, scalars),
        },
        Value::Ref(reference) => reference.get().map_or(Json::Null, |content| write_parts(&content, scalars)),
        _ if scalars == Scalars::Floats => Json::Null,
        Value::Unit => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Char(c) => Json::String(c.to_string()),
        Value::Str(text) => Json::String(text.to_string()),
        Value::Int(int) => number(int.value().to_string()),
        Value::I128(n) => number(n.to_string()),
        Value::U128(n) => number(n.to_string()),
        Value::Closure(_) => json!("<function>"),
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

/// A number without changes; Rust's texts of finite numbers are valid JSON.
fn number(text: String) -> Json {
    text.parse::<Number>().map_or(Json::String(text), Json::Number)
}

fn nested<'a>(shape: &[usize], elems: &mut impl Iterator<Item = Value<'a>>, scalars: Scalars) -> Json {
    match shape {
        [] => elems.next().map_or(Json::Null, |elem| write_parts(&elem, scalars)),
        [len, inner @ ..] => (0..*len).map(|_| nested(inner, elems, scalars)).collect(),
    }
}

fn nominal(composite: &Composite<'_>, ty: Ty, scalars: Scalars) -> Json {
    let Some(nominal) = ty.as_nominal() else { return Json::Null };
    let option = ty.as_option().is_some();
    match nominal.body() {
        None => Json::Null,
        Some(NominalBody::Struct(fields)) => match strided::rows(composite, nominal) {
            Some((shape, elems)) => nested(&shape, &mut elems.into_iter(), scalars),
            None => structure(composite, fields, scalars),
        },
        Some(NominalBody::Enum(_)) if option => {
            composite.parts.first().map_or(Json::Null, |part| write_parts(part, scalars))
        }
        Some(NominalBody::Enum(variants)) => {
            let Some(variant) = variants.get(composite.tag as usize) else { return Json::Null };
            let payload = match (variant.fields.as_slice(), &composite.parts[..]) {
                ([], _) if scalars == Scalars::Floats => return Json::Null,
                ([], _) => return Json::String(variant.name.to_string()),
                ([field], [part]) if &*field.name == "0" => write_parts(part, scalars),
                (fields, _) => structure(composite, fields, scalars),
            };
            Json::Object(Map::from_iter([(variant.name.to_string(), payload)]))
        }
    }
}

fn structure(composite: &Composite<'_>, fields: &[Field], scalars: Scalars) -> Json {
    if fields.first().is_some_and(|field| field.name.starts_with(|c: char| c.is_ascii_digit())) {
        return composite.parts.iter().map(|part| write_parts(part, scalars)).collect();
    }
    let entry = |(field, part): (&Field, &Value<'_>)| (field.name.to_string(), write_parts(part, scalars));
    let entries = fields.iter().zip(&composite.parts).map(entry);
    Json::Object(entries.collect())
}
