//! Values as text for people.

use overdub_context::ir::NominalBody;
use overdub_context::value::{Composite, Value};

/// A value as formatted by Rust's `{:?}`; numbers have no suffix.
///
/// ```
/// use overdub_context::value::Value;
/// assert_eq!(overdub_debugger::show(&Value::from(3_usize)), "3");
/// assert_eq!(overdub_debugger::show(&Value::F64(3.0)), "3.0");
/// ```
pub fn show(value: &Value<'_>) -> String {
    match value {
        Value::F64(x) => format!("{x:?}"),
        Value::F32(x) => format!("{x:?}"),
        Value::Array(array) => nested(array.shape(), &mut array.iter().map(|elem| show(&elem))),
        Value::Stack(elems) => list("[", elems.iter().map(show), "]"),
        Value::Composite(composite) => of_composite(composite),
        Value::Ref(reference) => reference.get().map_or_else(|_| "<moved>".to_owned(), |value| show(&value)),
        Value::Closure(_) => "<function>".to_owned(),
        Value::Opaque(opaque) => format!("<{}>", opaque.name),
        Value::Str(text) => format!("{:?}", text.as_str()),
        value => match value.as_int() {
            Some((_, number)) => number.to_string(),
            None => value.to_string(),
        },
    }
}

fn list(open: &str, parts: impl Iterator<Item = String>, close: &str) -> String {
    format!("{open}{}{close}", parts.collect::<Vec<_>>().join(", "))
}

fn nested(shape: &[usize], elems: &mut dyn Iterator<Item = String>) -> String {
    match shape {
        [] => elems.next().unwrap_or_default(),
        [len, rest @ ..] => {
            let parts: Vec<String> = (0..*len).map(|_| nested(rest, elems)).collect();
            list("[", parts.into_iter(), "]")
        }
    }
}

fn of_composite(composite: &Composite<'_>) -> String {
    let parts = || composite.parts.iter().map(show);
    let nominal = composite.ty.and_then(|ty| ty.as_nominal());
    let Some((nominal, body)) = nominal.and_then(|nominal| Some((nominal, nominal.body()?))) else {
        return list("(", parts(), ")");
    };
    let (name, fields) = match body {
        NominalBody::Struct(fields) => (nominal.name().to_string(), fields),
        NominalBody::Enum(variants) => match variants.get(composite.tag as usize) {
            Some(variant) => (variant.name.to_string(), &variant.fields),
            None => return list("(", parts(), ")"),
        },
    };
    let name = short_name(&name);
    if fields.is_empty() {
        return name.to_owned();
    }
    if fields[0].name.starts_with(|c: char| c.is_ascii_digit()) {
        return list(&format!("{name}("), parts(), ")");
    }
    let named = fields.iter().zip(parts()).map(|(field, part)| format!("{}: {part}", field.name));
    list(&format!("{name} {{ "), named, " }")
}

/// The last part of the name of a type, as written in the source: without what distinguishes types of the
/// same name.
pub fn short_name(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or_default();
    name.split('#').next().unwrap_or_default()
}
