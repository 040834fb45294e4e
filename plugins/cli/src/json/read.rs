//! JSON to values.

use std::sync::Arc;

use overdub_context::ir::{Field, IntTy, Nominal, Ty, TyKind};
use overdub_context::value::{Array, CellRef, Composite, Value};
use serde_json::{Map, Value as Json};

use super::strided;

/// An argument that does not fit its parameter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("argument `{place}`: expected {expected}, found {found}")]
pub struct ArgError {
    /// The part of the argument: `points[3].x`.
    pub place: String,
    /// What the type requires.
    pub expected: String,
    /// What the JSON contains.
    pub found: String,
}

/// The value of type `ty` for `json`; `place` is its name in errors.
///
/// # Errors
/// If the JSON does not have the shape of the type, naming the part.
pub fn read(json: &Json, ty: Ty, place: &str) -> Result<Value<'static>, ArgError> {
    JsonReader { place: place.to_string() }.value(json, ty)
}

/// A reference to a new cell that holds `value`: a `&mut` argument that the function may keep.
pub fn in_a_cell(value: Value<'static>) -> Value<'static> {
    Value::Ref(Box::new(CellRef::new(value)))
}

/// The iterator over a vector: its elements, and the indices of the next one and of the end.
const VEC_ITER: &str = "std::vec::into_iter::IntoIter";

struct JsonReader {
    place: String,
}

impl JsonReader {
    fn value(&mut self, json: &Json, ty: Ty) -> Result<Value<'static>, ArgError> {
        match ty.kind() {
            TyKind::Unit => match json {
                Json::Null => Ok(Value::Unit),
                Json::Array(parts) if parts.is_empty() => Ok(Value::Unit),
                _ => Err(self.fault("null", json)),
            },
            TyKind::Bool => {
                json.as_bool().map(Value::Bool).ok_or_else(|| self.fault("`true` or `false`", json))
            }
            TyKind::Char => self.character(json),
            TyKind::Str => json.as_str().map(Value::str).ok_or_else(|| self.fault("a string", json)),
            TyKind::Int(int) => self.integer(json, *int),
            TyKind::Float(_) if ty == Ty::f32() => {
                let text = self.float_text(json)?;
                text.parse().map(Value::F32).map_err(|_| self.fault("a number", json))
            }
            TyKind::Float(_) => {
                let text = self.float_text(json)?;
                text.parse().map(Value::F64).map_err(|_| self.fault("a number", json))
            }
            TyKind::Tuple(parts) => {
                let values = self.list(json, parts.len(), parts.iter().copied())?;
                Ok(Value::tuple(values))
            }
            TyKind::Array(array) if array.rank == 1 => {
                let Json::Array(elems) = json else { return Err(self.fault("a list", json)) };
                let elem_ty = array.elem;
                let values = self.list(json, elems.len(), std::iter::repeat_n(elem_ty, elems.len()))?;
                let array = Array::from_values(elem_ty, values);
                array.map(|array| Value::Array(Arc::new(array))).ok_or_else(|| self.fault("a list", json))
            }
            TyKind::Array(array) => self.nested(json, array.elem, array.rank),
            TyKind::Struct(nominal) => self.structure(json, ty, *nominal),
            TyKind::Enum(nominal) => self.variant(json, ty, *nominal),
            // A cell (`Cell`, `RefCell`) is written as its content.
            TyKind::Ref(target) => self.value(json, *target).map(in_a_cell),
            TyKind::Never | TyKind::Closure(_) | TyKind::Fn(_) | TyKind::Stack(_) | TyKind::Opaque(_) => {
                Err(self.fault(&format!("a type that JSON can write, not `{}`", ty.in_rust()), json))
            }
        }
    }

    fn fault(&self, expected: &str, found: &Json) -> ArgError {
        let text = found.to_string();
        let short = if text.chars().count() <= 40 {
            text
        } else {
            text.chars().take(37).chain("...".chars()).collect()
        };
        ArgError { place: self.place.clone(), expected: expected.to_string(), found: format!("`{short}`") }
    }

    fn within<T>(
        &mut self,
        step: &str,
        f: impl FnOnce(&mut Self) -> Result<T, ArgError>,
    ) -> Result<T, ArgError> {
        let before = self.place.len();
        self.place.push_str(step);
        let result = f(self);
        self.place.truncate(before);
        result
    }

    fn float_text(&self, json: &Json) -> Result<String, ArgError> {
        match json {
            Json::Number(number) => Ok(number.to_string()),
            Json::String(text) if matches!(text.as_str(), "NaN" | "inf" | "+inf" | "-inf") => {
                Ok(text.clone())
            }
            _ => Err(self.fault("a number, \"NaN\", \"inf\" or \"-inf\"", json)),
        }
    }

    fn integer(&self, json: &Json, int: IntTy) -> Result<Value<'static>, ArgError> {
        let expected = || format!("an integer of type `{}`", int.name());
        let Json::Number(number) = json else { return Err(self.fault(&expected(), json)) };
        let text = number.to_string();
        if int == IntTy::U128 {
            return text.parse::<u128>().map(Value::from).map_err(|_| self.fault(&expected(), json));
        }
        let wide: i128 = text.parse().map_err(|_| self.fault(&expected(), json))?;
        let value = Value::int(int, wide);
        if value.as_int() == Some((int, wide)) { Ok(value) } else { Err(self.fault(&expected(), json)) }
    }

    fn character(&self, json: &Json) -> Result<Value<'static>, ArgError> {
        let mut chars = json.as_str().unwrap_or_default().chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Value::Char(c)),
            _ => Err(self.fault("a string of one character", json)),
        }
    }

    fn list(
        &mut self,
        json: &Json,
        len: usize,
        tys: impl Iterator<Item = Ty>,
    ) -> Result<Vec<Value<'static>>, ArgError> {
        let parts = match json {
            Json::Array(parts) if parts.len() == len => parts,
            _ => return Err(self.fault(&format!("a list of {len}"), json)),
        };
        let mut values = Vec::with_capacity(len);
        for (i, (part, ty)) in parts.iter().zip(tys).enumerate() {
            values.push(self.within(&format!("[{i}]"), |reader| reader.value(part, ty))?);
        }
        Ok(values)
    }

    /// An array with more than one axis, as nested lists of equal lengths.
    fn nested(&mut self, json: &Json, elem: Ty, rank: u32) -> Result<Value<'static>, ArgError> {
        let mut shape = strided::lengths(json);
        if shape.len() < rank as usize {
            return Err(self.fault("nested lists", json));
        }
        shape.truncate(rank as usize);
        let elems = self.rows(json, elem, &shape)?;
        let array = elems.reshape(&shape).map(|array| Value::Array(Arc::new(array)));
        array.ok_or_else(|| self.fault("nested lists of equal lengths", json))
    }

    /// The elements of nested lists of these lengths, as a vector.
    fn rows(&mut self, json: &Json, elem: Ty, shape: &[usize]) -> Result<Array<'static>, ArgError> {
        let mut elems = Vec::new();
        self.flatten(json, elem, shape, &mut elems)?;
        Array::from_values(elem, elems).ok_or_else(|| self.fault("nested lists of equal lengths", json))
    }

    fn flatten(
        &mut self,
        json: &Json,
        elem: Ty,
        shape: &[usize],
        elems: &mut Vec<Value<'static>>,
    ) -> Result<(), ArgError> {
        let Some((&len, inner)) = shape.split_first() else {
            elems.push(self.value(json, elem)?);
            return Ok(());
        };
        let parts = match json {
            Json::Array(parts) if parts.len() == len => parts,
            _ => return Err(self.fault(&format!("a list of {len}, as long as its neighbours"), json)),
        };
        for (i, part) in parts.iter().enumerate() {
            self.within(&format!("[{i}]"), |reader| reader.flatten(part, elem, inner, elems))?;
        }
        Ok(())
    }

    fn structure(&mut self, json: &Json, ty: Ty, nominal: Nominal) -> Result<Value<'static>, ArgError> {
        let Some(fields) = nominal.fields() else { return Err(self.fault("a struct that is defined", json)) };
        if let (Json::Array(elems), [list, ..], VEC_ITER) = (json, fields, &*nominal.name()) {
            // An iterator is written as the list of its elements.
            let (list, len) = (self.value(json, list.ty)?, elems.len());
            return Ok(composite(ty, 0, vec![list, Value::from(0usize), Value::from(len)]));
        }
        if let (Json::Array(_), Some(elem)) = (json, strided::elem(nominal)) {
            let shape = strided::lengths(json);
            let elems = self.rows(json, elem, &shape)?;
            return strided::array(ty, &shape, elems).ok_or_else(|| self.fault("nested lists", json));
        }
        let parts = self.fields(json, fields, &format!("`{nominal}`"))?;
        Ok(composite(ty, 0, parts))
    }

    /// The fields of a struct or variant: an object, or a list if they are numbered.
    fn fields(&mut self, json: &Json, fields: &[Field], what: &str) -> Result<Vec<Value<'static>>, ArgError> {
        let numbered =
            fields.first().is_some_and(|field| field.name.starts_with(|c: char| c.is_ascii_digit()));
        if numbered && json.is_array() {
            return self.list(json, fields.len(), fields.iter().map(|field| field.ty));
        }
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let shape = format!("{what}, an object with {}", listed(&names));
        let Json::Object(map) = json else { return Err(self.fault(&shape, json)) };
        if let Some(unknown) = map.keys().find(|key| !names.contains(&key.as_str())) {
            return Err(ArgError {
                place: self.place.clone(),
                expected: shape,
                found: format!("the field `{unknown}`"),
            });
        }
        fields.iter().map(|field| self.field(map, field, &shape)).collect()
    }

    fn field(
        &mut self,
        map: &Map<String, Json>,
        field: &Field,
        shape: &str,
    ) -> Result<Value<'static>, ArgError> {
        match map.get(field.name.as_str()) {
            Some(json) => self.within(&format!(".{}", field.name), |reader| reader.value(json, field.ty)),
            // A marker type needs no entry.
            None if field.ty.as_nominal().and_then(Nominal::fields).is_some_and(<[Field]>::is_empty) => {
                Ok(composite(field.ty, 0, Vec::new()))
            }
            None => Err(ArgError {
                place: self.place.clone(),
                expected: shape.to_string(),
                found: format!("no field `{}`", field.name),
            }),
        }
    }

    fn variant(&mut self, json: &Json, ty: Ty, nominal: Nominal) -> Result<Value<'static>, ArgError> {
        let Some(variants) = nominal.variants() else {
            return Err(self.fault("an enum that is defined", json));
        };
        if let Some(elem) = ty.as_option() {
            return match json {
                Json::Null => Ok(composite(ty, 0, Vec::new())),
                Json::Object(map) if map.len() == 1 && map.contains_key("Some") => {
                    Ok(composite(ty, 1, vec![self.value(&map["Some"], elem)?]))
                }
                _ => Ok(composite(ty, 1, vec![self.value(json, elem)?])),
            };
        }
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        let shape = format!("a variant of `{nominal}`: {}", listed(&names));
        let (name, payload) = match json {
            Json::String(name) => (name, None),
            Json::Object(map) if map.len() == 1 => {
                let (name, payload) = map.iter().next().expect("it has one entry");
                (name, Some(payload))
            }
            _ => return Err(self.fault(&shape, json)),
        };
        let Some((tag, variant)) = (0u32..).zip(variants).find(|(_, variant)| variant.name.as_str() == name)
        else {
            return Err(self.fault(&shape, json));
        };
        let fields = variant.fields.as_slice();
        let parts = match (payload, fields) {
            (None, []) => Vec::new(),
            (Some(payload), [field]) if &*field.name == "0" => {
                vec![self.within(&format!(".{name}"), |reader| reader.value(payload, field.ty))?]
            }
            (Some(payload), _) => self.within(&format!(".{name}"), |reader| {
                reader.fields(payload, fields, &format!("`{nominal}::{name}`"))
            })?,
            (None, _) => {
                return Err(
                    self.fault(&format!("the payload of `{nominal}::{name}`: {{\"{name}\": …}}"), json)
                );
            }
        };
        Ok(composite(ty, tag, parts))
    }
}

fn composite(ty: Ty, tag: u32, parts: Vec<Value<'static>>) -> Value<'static> {
    Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts: parts.into() }))
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "no fields".to_string() } else { quoted.join(", ") }
}
