//! Values as trees: their parts, their types, and their text on one line.

use std::fmt::Write;

use overdub_context::ir::NominalBody;
use overdub_context::value::{Array, Composite, Value};
use overdub_debugger::{short_name, show};

/// The parts of a value.
pub(crate) enum ValueShape {
    /// No visible parts.
    Leaf,
    /// Fields.
    Fields(Vec<(String, Value<'static>)>),
    /// This many elements.
    Elements(usize),
}

/// The parts of a value; a reference has those of what it refers to.
pub(crate) fn shape(value: &Value<'static>) -> ValueShape {
    match value {
        Value::Array(array) => ValueShape::Elements(array.shape().first().copied().unwrap_or(0)),
        Value::Stack(elems) => ValueShape::Elements(elems.len()),
        Value::Composite(composite) if composite.parts.is_empty() => ValueShape::Leaf,
        Value::Composite(composite) => {
            ValueShape::Fields(names(composite).into_iter().zip(composite.parts.iter().cloned()).collect())
        }
        Value::Ref(reference) => reference.get().map_or(ValueShape::Leaf, |value| shape(&value)),
        _ => ValueShape::Leaf,
    }
}

/// A part of a value by its position.
pub(crate) fn part(value: &Value<'static>, at: usize) -> Option<Value<'static>> {
    match value {
        Value::Array(array) if array.rank() > 1 => Some(Value::from(array.row(at)?)),
        Value::Array(array) => array.get(at),
        Value::Stack(elems) => elems.get(at).cloned(),
        Value::Composite(composite) => composite.parts.get(at).cloned(),
        Value::Ref(reference) => part(&reference.get().ok()?, at),
        _ => None,
    }
}

fn names(composite: &Composite<'static>) -> Vec<String> {
    let body = composite.ty.and_then(|ty| ty.as_nominal()).and_then(|nominal| nominal.body());
    let fields = match body {
        Some(NominalBody::Struct(fields)) => Some(fields),
        Some(NominalBody::Enum(variants)) => {
            variants.get(composite.tag as usize).map(|variant| &variant.fields)
        }
        None => None,
    };
    match fields {
        Some(fields) => fields.iter().map(|field| field.name.to_string()).collect(),
        None => (0..composite.parts.len()).map(|at| at.to_string()).collect(),
    }
}

/// Whether the parts of a value are places of Rust: those of a variant have no names of their own.
pub(crate) fn has_places(value: &Value<'static>) -> bool {
    match value {
        Value::Array(array) => array.rank() == 1,
        Value::Composite(composite) => {
            let body = composite.ty.and_then(|ty| ty.as_nominal()).and_then(|nominal| nominal.body());
            !matches!(body, Some(NominalBody::Enum(_)))
        }
        Value::Ref(reference) => reference.get().is_ok_and(|value| has_places(&value)),
        _ => false,
    }
}

/// The type of a value, as far as the value determines it.
pub(crate) fn type_of(value: &Value<'static>) -> Option<String> {
    Some(match value {
        Value::Unit => "()".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Char(_) => "char".to_owned(),
        Value::F32(_) => "f32".to_owned(),
        Value::F64(_) => "f64".to_owned(),
        Value::Str(_) => "str".to_owned(),
        Value::U128(_) => "u128".to_owned(),
        Value::Array(array) => array.ty().to_string(),
        Value::Composite(composite) => {
            let nominal = composite.ty?.as_nominal()?;
            short_name(&nominal.name()).to_owned()
        }
        Value::Ref(reference) => return type_of(&reference.get().ok()?),
        value => value.as_int()?.0.name().to_owned(),
    })
}

/// The number of elements shown of an array that has more than twice as many.
const SHOWN: usize = 5;

/// The length after which the rest is omitted, in bytes.
const LINE: usize = 160;

/// The depth to which values are shown.
const DEPTH: usize = 5;

/// A value on one line, shortened; a long array of floats by its statistics.
pub(crate) fn brief(value: &Value<'static>) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out
}

fn write(out: &mut String, value: &Value<'static>, depth: usize) {
    if out.len() > LINE || depth > DEPTH {
        out.push('…');
        return;
    }
    match value {
        Value::Array(array) => {
            let count = array.shape().first().copied().unwrap_or(0);
            list(out, ("[", "]"), count, |out, at| {
                if let Some(elem) = part(value, at) {
                    write(out, &elem, depth + 1);
                }
            });
            if count > 2 * SHOWN {
                out.push_str(&facts(array));
            }
        }
        Value::Stack(elems) => {
            list(out, ("[", "]"), elems.len(), |out, at| write(out, &elems[at], depth + 1));
        }
        Value::Composite(composite) => of_composite(out, composite, depth),
        Value::Ref(reference) => match reference.get() {
            Ok(value) => write(out, &value, depth),
            Err(_) => out.push_str("<moved>"),
        },
        Value::Str(text) if text.len() > LINE => {
            let begin: String = text.chars().take(LINE).collect();
            out.push_str(&format!("{begin:?}… {} bytes", text.len()));
        }
        value => out.push_str(&show(value)),
    }
}

fn of_composite(out: &mut String, composite: &Composite<'static>, depth: usize) {
    let names = names(composite);
    let nominal = composite.ty.and_then(|ty| ty.as_nominal());
    let name = nominal.map(|nominal| match nominal.variants() {
        Some(variants) => variants.get(composite.tag as usize).map(|variant| variant.name),
        None => Some(nominal.name()),
    });
    if let Some(Some(name)) = name {
        out.push_str(short_name(&name));
        if names.is_empty() {
            return;
        }
    }
    let is_tuple = names.first().is_none_or(|name| name.starts_with(|c: char| c.is_ascii_digit()));
    let brackets = if is_tuple { ("(", ")") } else { (" { ", " }") };
    list(out, brackets, names.len(), |out, at| {
        if !is_tuple {
            out.push_str(&names[at]);
            out.push_str(": ");
        }
        write(out, &composite.parts[at], depth + 1);
    });
}

fn list(
    out: &mut String,
    (open, close): (&str, &str),
    count: usize,
    mut each: impl FnMut(&mut String, usize),
) {
    let shown = if count > 2 * SHOWN { SHOWN } else { count };
    out.push_str(open);
    for at in 0..shown {
        if out.len() > LINE {
            out.push('…');
            break;
        }
        out.push_str(if at > 0 { ", " } else { "" });
        each(out, at);
    }
    out.push_str(if shown < count { ", …" } else { "" });
    out.push_str(close);
}

/// The number of elements, and of floats the least, the greatest, and the number of those that are not
/// finite.
fn facts(array: &Array<'static>) -> String {
    let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    let mut out = format!(" {} elements", shape.join(" × "));
    let (mut least, mut greatest, mut nans) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    let mut count = |x: f64| {
        if x.is_nan() {
            nans += 1;
        } else {
            (least, greatest) = (least.min(x), greatest.max(x));
        }
    };
    if let Some(elems) = array.as_f64s() {
        elems.iter().for_each(|&x| count(x));
    } else if let Some(elems) = array.as_slice::<f32>() {
        elems.iter().for_each(|&x| count(x.into()));
    } else {
        return out;
    }
    if least <= greatest {
        write!(out, " from {least:?} to {greatest:?}").expect("a string takes it");
    }
    if nans > 0 {
        write!(out, ", {nans} NaN").expect("a string takes it");
    }
    out
}

/// A value as formatted by Rust's `{:?}`, if that is not too long or too deep; otherwise shortened.
pub(crate) fn full_text(value: &Value<'static>, most: usize) -> String {
    if is_small(value, most) { show(value) } else { brief(value) }
}

/// The greatest depth of a value for [`full_text`], which recurses.
const FULL_TEXT_DEPTH: usize = 64;

/// Whether a value holds fewer numbers, texts and the like than `most`.
fn is_small(value: &Value<'static>, most: usize) -> bool {
    let (mut pending, mut count) = (vec![(value.clone(), 0)], 0_usize);
    while let Some((value, depth)) = pending.pop() {
        count += match &value {
            Value::Array(array) => array.len(),
            Value::Str(text) => 1 + text.len() / 8,
            _ => 1,
        };
        if count >= most || depth > FULL_TEXT_DEPTH {
            return false;
        }
        let inside = |value: &Value<'static>| (value.clone(), depth + 1);
        match &value {
            Value::Array(array) => pending.extend(array.as_values().unwrap_or_default().iter().map(inside)),
            Value::Stack(elems) => pending.extend(elems.iter().map(inside)),
            Value::Composite(composite) => pending.extend(composite.parts.iter().map(inside)),
            Value::Ref(reference) => pending.extend(reference.get().ok().as_ref().map(inside)),
            _ => {}
        }
    }
    true
}
