//! Reads values of one type as another type with the same layout in memory: the semantics of pointer casts.
//!
//! Layouts are equal by construction: a struct with one field and the field, `MaybeUninit<T>` and `T`, two
//! structs whose fields have pairwise equal layouts, arrays of elements with equal layouts, integers of the
//! same width, text and its bytes, and structs and arrays with the same number of elements of one type.
//! Integers of different widths are the bytes of each other (`bits.rs`), and a float is the bits of an integer of its width.
//! Everything else is refused; so is a float with a derivative, whose type is another one, as an integer. The reference is
//! [the chapter on layouts](https://doc.rust-lang.org/reference/type-layout.html).

use std::sync::Arc;

use super::bits::bits_as;
use super::holes::{has_hole, uninitialised_read};
use super::niche::held_with_niche;
use super::{Array, Composite, Int, Parts, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::{FloatTy, IntTy, Ty, TyKind};

/// The maximum nesting depth of values that are converted.
const DEEPEST: usize = 64;

/// Converts `value` to type `to`.
///
/// # Errors
/// If the layouts differ, or if a part of `value` is uninitialised that `to` needs.
pub(super) fn reinterpret(value: Value<'static>, to: Ty) -> Result<Value<'static>, Failure> {
    let read = match (Reinterpret { keeps_holes: false, shows_bits: true }).value(value.clone(), to, 0) {
        Err(differs) => regrouped(&value, to).ok_or(differs),
        same => same,
    }?;
    if has_hole(&read, to) { Err(uninitialised(to)) } else { Ok(read) }
}

/// Converts `value` to type `to`, to replace `old`, which determines the lengths of its arrays.
///
/// # Errors
/// If the layouts differ.
pub(super) fn reinterpret_over(
    value: Value<'static>,
    to: Ty,
    old: &Value<'static>,
) -> Result<Value<'static>, Failure> {
    match reinterpret_partly(value.clone(), to) {
        Err(differs) => refill(&value, old).or_else(|| bits_as(&value, to)).ok_or(differs),
        same => same,
    }
}

/// As [`reinterpret`], but uninitialised parts become holes.
pub(super) fn reinterpret_partly(value: Value<'static>, to: Ty) -> Result<Value<'static>, Failure> {
    match (Reinterpret { keeps_holes: true, shows_bits: true }).value(value.clone(), to, 0) {
        Err(differs) => regrouped(&value, to).ok_or(differs),
        same => same,
    }
}

/// The same elements, or the same bits of integers, in other arrays and structs.
fn regrouped(value: &Value<'static>, to: Ty) -> Option<Value<'static>> {
    regroup(value, to).or_else(|| bits_as(value, to))
}

/// The same elements in other arrays and structs; none if they are of several types or their numbers differ.
fn regroup(value: &Value<'static>, to: Ty) -> Option<Value<'static>> {
    [elem_of(to, 0), elem_within(value), None].into_iter().find_map(|elem| {
        let groups = Groups { elem };
        let mut elems = Vec::new();
        groups.elems_of(value, &mut elems, 0)?;
        let mut rest = &elems[..];
        let value_of_groups = groups.group(to, &mut rest, 0, 0)?;
        rest.is_empty().then_some(value_of_groups)
    })
}

/// `old` with its elements replaced by those of `value`.
fn refill(value: &Value<'static>, old: &Value<'static>) -> Option<Value<'static>> {
    let groups = Groups { elem: elem_within(old).or_else(|| elem_within(value)) };
    let (mut elems, mut olds) = (Vec::new(), Vec::new());
    groups.elems_of(value, &mut elems, 0)?;
    groups.elems_of(old, &mut olds, 0)?;
    let same_type = elems.first().map(Value::ty) == olds.first().map(Value::ty);
    let mut rest = &elems[..];
    if elems.len() == olds.len() && same_type { groups.fill(old, &mut rest, 0) } else { None }
}

/// The element type of the innermost arrays in a value.
fn elem_within(value: &Value<'static>) -> Option<Ty> {
    match value {
        Value::Array(array) => match array.elem_ty().as_array() {
            Some(_) => elem_within(&array.get(0)?),
            None => Some(array.elem_ty()),
        },
        Value::Composite(composite) if !is_enum(composite) => composite.parts.iter().find_map(elem_within),
        _ => None,
    }
}

/// The element type of the innermost arrays in values of a type.
fn elem_of(ty: Ty, depth: usize) -> Option<Ty> {
    match ty.kind() {
        _ if depth > DEEPEST => None,
        TyKind::Array(array) => elem_of(array.elem, depth + 1).or(Some(array.elem)),
        TyKind::Tuple(_) | TyKind::Struct(_) => {
            ty.parts(0)?.into_iter().find_map(|part| elem_of(part, depth + 1))
        }
        _ => None,
    }
}

/// Flattens arrays and structs to their elements: values of type `elem`, or numbers if it is none.
struct Groups {
    elem: Option<Ty>,
}

impl Groups {
    fn is_elem(&self, ty: Ty) -> bool {
        match self.elem {
            Some(elem) => ty == elem,
            None => ty.is_number(),
        }
    }

    /// Collects the elements of arrays and structs, in order; none if there are other values, or elements of
    /// several types.
    fn elems_of(&self, value: &Value<'static>, elems: &mut Vec<Value<'static>>, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match value {
            // A zero-sized field.
            Value::Unit => Some(()),
            _ if self.is_elem(value.ty()) => {
                let same = elems.first().is_none_or(|first| first.ty() == value.ty());
                same.then(|| elems.push(value.clone()))
            }
            Value::Composite(composite) if !is_enum(composite) => {
                composite.parts.iter().try_for_each(|part| self.elems_of(part, elems, depth + 1))
            }
            Value::Array(array) => array.iter().try_for_each(|elem| self.elems_of(&elem, elems, depth + 1)),
            _ => None,
        }
    }

    /// Constructs a value of type `to` from the next elements, leaving the last `trailing` of them.
    fn group(
        &self,
        to: Ty,
        rest: &mut &[Value<'static>],
        trailing: usize,
        depth: usize,
    ) -> Option<Value<'static>> {
        if depth > DEEPEST {
            return None;
        }
        if self.is_elem(to) {
            let (first, others) = rest.split_first()?;
            *rest = others;
            return (first.ty() == to).then(|| first.clone());
        }
        match to.kind() {
            TyKind::Unit => Some(Value::Unit),
            TyKind::Tuple(_) | TyKind::Struct(_) => {
                let fields = to.parts(0)?;
                let mut parts = Vec::with_capacity(fields.len());
                for (at, &field) in fields.iter().enumerate() {
                    let after: Option<usize> =
                        fields[at + 1..].iter().map(|&ty| self.count(ty, depth + 1)).sum();
                    parts.push(self.group(field, rest, trailing + after?, depth + 1)?);
                }
                let ty = matches!(to.kind(), TyKind::Struct(_)).then_some(to);
                Some(Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts) })))
            }
            TyKind::Array(array) if array.rank == 1 => {
                let each = self.count(array.elem, depth + 1).filter(|&each| each > 0)?;
                let count = rest.len().checked_sub(trailing)? / each;
                let elems: Option<Vec<_>> =
                    (0..count).map(|_| self.group(array.elem, rest, rest.len() - each, depth + 1)).collect();
                Some(Value::Array(Arc::new(Array::from_values(array.elem, elems?)?)))
            }
            _ => None,
        }
    }

    /// The number of elements in a value of the type; none if the type does not determine it.
    fn count(&self, ty: Ty, depth: usize) -> Option<usize> {
        match ty.kind() {
            _ if self.is_elem(ty) => Some(1),
            _ if depth > DEEPEST => None,
            TyKind::Unit => Some(0),
            TyKind::Tuple(_) | TyKind::Struct(_) => {
                ty.parts(0)?.into_iter().map(|part| self.count(part, depth + 1)).sum()
            }
            _ => None,
        }
    }

    fn fill(
        &self,
        old: &Value<'static>,
        rest: &mut &[Value<'static>],
        depth: usize,
    ) -> Option<Value<'static>> {
        if depth > DEEPEST {
            return None;
        }
        match old {
            Value::Unit => Some(Value::Unit),
            _ if self.is_elem(old.ty()) => {
                let (first, others) = rest.split_first()?;
                *rest = others;
                Some(first.clone())
            }
            Value::Composite(composite) => {
                let parts: Option<Vec<_>> =
                    composite.parts.iter().map(|part| self.fill(part, rest, depth + 1)).collect();
                let (ty, tag) = (composite.ty, composite.tag);
                Some(Value::Composite(Arc::new(Composite { ty, tag, parts: Parts::from_iter(parts?) })))
            }
            Value::Array(array) => {
                let elems: Option<Vec<_>> =
                    array.iter().map(|elem| self.fill(&elem, rest, depth + 1)).collect();
                Some(Value::Array(Arc::new(Array::from_values(array.elem_ty(), elems?)?)))
            }
            _ => None,
        }
    }
}

fn is_enum(composite: &Composite<'static>) -> bool {
    composite.ty.is_some_and(|ty| matches!(ty.kind(), TyKind::Enum(_)))
}

/// The union with this field active; the field is a hole, and a struct consists of holes, if the content of
/// another field cannot be read as its type.
///
/// # Errors
/// If the value is not a union with such a field.
pub(crate) fn active_field(union: Value<'static>, field: u32) -> Result<Value<'static>, Failure> {
    let Value::Composite(composite) = &union else {
        return Err(Failure::new(FailureKind::Undefined, "a union is read that nothing was written to"));
    };
    let (Some(ty), tag) = (composite.ty, composite.tag) else { return Ok(union) };
    if tag == field {
        return Ok(union);
    }
    let to = ty.parts(field).and_then(|parts| parts.first().copied());
    let (Some(to), Some(part)) = (to, composite.parts.first()) else {
        let message = format!("`{ty}` has no field of number {field}");
        return Err(Failure::new(FailureKind::Type, message));
    };
    let fields = Reinterpret { keeps_holes: true, shows_bits: false };
    let same = || fields.value(part.clone(), to, 0).ok().or_else(|| regroup(part, to));
    let has_bytes = !matches!(part, Value::Unit);
    let read = match bits_as(part, to).or_else(same).filter(|_| has_bytes) {
        Some(read) => read,
        None => holes(to, 0),
    };
    let parts = Parts::from_iter([read]);
    Ok(Value::Composite(Arc::new(Composite { ty: Some(ty), tag: field, parts })))
}

struct Reinterpret {
    keeps_holes: bool,
    /// Whether floats are the bits of integers, and the other way round. Not in unions: analyses that represent floats by
    /// numbers of their own do not see what is read from them.
    shows_bits: bool,
}

impl Reinterpret {
    fn value(&self, value: Value<'static>, to: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        if depth > DEEPEST {
            return Err(differs(&value, to));
        }
        if let Some(inner) = to.maybe_uninit_of() {
            return self.as_maybe_uninit(value, to, inner, depth);
        }
        if let Value::Composite(composite) = &value {
            if composite.ty == Some(to) {
                return Ok(value);
            }
            if composite.ty.and_then(Ty::maybe_uninit_of).is_some() {
                return match composite.parts.first() {
                    Some(init) => self.value(init.clone(), to, depth + 1),
                    None if self.keeps_holes => Ok(holes(to, depth)),
                    None => Err(uninitialised(to)),
                };
            }
        }
        if let Some(held) = held_with_niche(&value, to) {
            return Ok(held);
        }
        match (to.kind(), value) {
            (TyKind::Unit, Value::Unit) => Ok(Value::Unit),
            // A hole may have any type.
            (_, Value::Unit) if self.keeps_holes => Ok(Value::Unit),
            (_, Value::Unit) => Err(uninitialised(to)),
            (TyKind::Array(array), Value::Array(elems)) if array.rank == 1 => {
                self.array(elems, array.elem, depth)
            }
            (TyKind::Array(array), Value::Str(text))
                if array.rank == 1 && array.elem == Ty::int(IntTy::U8) =>
            {
                let bytes = text.bytes().map(|byte| Value::int(IntTy::U8, i128::from(byte)));
                let bytes = Array::from_values(array.elem, bytes).ok_or_else(|| uninitialised(to))?;
                Ok(Value::Array(Arc::new(bytes)))
            }
            (TyKind::Str, Value::Array(bytes)) if bytes.elem_ty() == Ty::int(IntTy::U8) => {
                let bytes = bytes.iter().map(|byte| byte.as_int().map_or(0, |(_, byte)| byte as u8));
                match String::from_utf8(bytes.collect()) {
                    Ok(text) => Ok(Value::from(text.as_str())),
                    Err(_) => {
                        let message = "bytes that are not UTF-8 are read as text";
                        Err(Failure::new(FailureKind::Undefined, message))
                    }
                }
            }
            (TyKind::Array(array), Value::Composite(composite))
                if array.rank == 1 && !is_enum(&composite) && sized_parts(&composite).nth(1).is_some() =>
            {
                let elems: Result<Vec<_>, Failure> = sized_parts(&composite)
                    .map(|part| self.value(part.clone(), array.elem, depth + 1))
                    .collect();
                let elems = Array::from_values(array.elem, elems?);
                elems.map(|elems| Value::Array(Arc::new(elems))).ok_or_else(|| uninitialised(array.elem))
            }
            (TyKind::Tuple(_) | TyKind::Struct(_), value) => self.composite(value, to, depth),
            (TyKind::Int(int), Value::Int(from)) if from.ty().bits() == int.bits() => {
                Ok(Value::Int(Int::wrapping(*int, from.bits())))
            }
            (TyKind::Int(int), Value::F64(float)) if self.shows_bits && int.bits() == 64 => {
                Ok(Value::Int(Int::wrapping(*int, float.to_bits())))
            }
            (TyKind::Int(int), Value::F32(float)) if self.shows_bits && int.bits() == 32 => {
                Ok(Value::Int(Int::wrapping(*int, u64::from(float.to_bits()))))
            }
            (TyKind::Float(FloatTy::F64), Value::Int(bits)) if self.shows_bits && bits.ty().bits() == 64 => {
                Ok(Value::F64(f64::from_bits(bits.bits())))
            }
            (TyKind::Float(FloatTy::F32), Value::Int(bits)) if self.shows_bits && bits.ty().bits() == 32 => {
                Ok(Value::F32(f32::from_bits(bits.bits() as u32)))
            }
            // An opaque value that represents a scalar in an analysis of the program.
            (TyKind::Float(_) | TyKind::Int(_) | TyKind::Bool | TyKind::Char, value @ Value::Opaque(_)) => {
                Ok(value)
            }
            (TyKind::Bool, value @ Value::Bool(_))
            | (TyKind::Char, value @ Value::Char(_))
            | (TyKind::Str, value @ Value::Str(_))
            | (TyKind::Ref(_), value @ Value::Ref(_))
            | (TyKind::Closure(..) | TyKind::Fn(..), value @ Value::Closure(_)) => Ok(value),
            (TyKind::Float(FloatTy::F64), value @ Value::F64(_))
            | (TyKind::Float(FloatTy::F32), value @ Value::F32(_)) => Ok(value),
            (_, Value::Composite(composite)) => match only_part(&composite) {
                Some(part) => self.value(part, to, depth + 1),
                None => Err(differs(&Value::Composite(composite), to)),
            },
            (_, value) => Err(differs(&value, to)),
        }
    }

    fn as_maybe_uninit(
        &self,
        value: Value<'static>,
        to: Ty,
        inner: Ty,
        depth: usize,
    ) -> Result<Value<'static>, Failure> {
        let part = match &value {
            Value::Composite(composite) if composite.ty == Some(to) => return Ok(value),
            Value::Composite(composite) if composite.ty.is_some_and(|ty| ty.maybe_uninit_of().is_some()) => {
                composite.parts.first().cloned()
            }
            Value::Unit if *inner.kind() != TyKind::Unit => None,
            _ => Some(value),
        };
        let (tag, parts) = match part {
            Some(part) => (1, Parts::from_iter([self.value(part, inner, depth + 1)?])),
            None => (0, Parts::from_iter([])),
        };
        Ok(Value::Composite(Arc::new(Composite { ty: Some(to), tag, parts })))
    }

    fn array(&self, elems: Arc<Array<'static>>, elem: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        if elems.elem_ty() == elem {
            return Ok(Value::Array(elems));
        }
        let mut converted = Vec::with_capacity(elems.len());
        for value in elems.iter() {
            let same = self.value(value.clone(), elem, depth + 1);
            converted.push(same.or_else(|differs| regrouped(&value, elem).ok_or(differs))?);
        }
        match Array::from_values(elem, converted) {
            Some(array) => Ok(Value::Array(Arc::new(array))),
            // An array of scalars cannot contain a hole.
            None => Err(uninitialised(elem)),
        }
    }

    fn composite(&self, value: Value<'static>, to: Ty, depth: usize) -> Result<Value<'static>, Failure> {
        let fields = to.parts(0).unwrap_or_default();
        let ty = match to.kind() {
            TyKind::Tuple(_) => None,
            _ => Some(to),
        };
        let composite_of = |parts: Vec<Value<'static>>| {
            Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts) }))
        };
        let parts: Option<Vec<Value<'static>>> = match &value {
            Value::Composite(composite) if !is_enum(composite) => {
                Some(composite.parts.iter().cloned().collect())
            }
            // Not a struct that ends in a slice behind a `PhantomData`.
            Value::Array(array) if fields.len() > 1 && !fields.contains(&Ty::unit()) => {
                Some(array.iter().collect())
            }
            _ => None,
        };
        // A struct that holds nothing else than a value of the type.
        if let Value::Composite(composite) = &value
            && let Some(part) = only_part(composite)
            && part.ty() == to
        {
            return Ok(part);
        }
        if let Some(parts) = parts.filter(|parts| parts.len() == fields.len()) {
            let parts: Result<Vec<_>, Failure> = parts
                .into_iter()
                .zip(&fields)
                .map(|(part, &field)| self.value(part, field, depth + 1))
                .collect();
            return parts.map(composite_of);
        }
        let sized: Vec<usize> = (0..fields.len()).filter(|&k| *fields[k].kind() != TyKind::Unit).collect();
        let [at] = sized[..] else {
            return match &value {
                Value::Composite(composite) => match only_part(composite) {
                    Some(part) => self.value(part, to, depth + 1),
                    None => Err(differs(&value, to)),
                },
                _ => Err(differs(&value, to)),
            };
        };
        let mut parts = vec![Value::Unit; fields.len()];
        parts[at] = self.value(value, fields[at], depth + 1)?;
        Ok(composite_of(parts))
    }
}

/// A union with this field active, and nothing written to it.
pub(crate) fn nothing_in(union: Ty, field: u32) -> Value<'static> {
    let parts = union.parts(field).unwrap_or_default().into_iter().map(|part| holes(part, 0));
    Value::Composite(Arc::new(Composite { ty: Some(union), tag: field, parts: Parts::from_iter(parts) }))
}

/// A value of type `to` without any initialised part.
fn holes(to: Ty, depth: usize) -> Value<'static> {
    let ty = match to.kind() {
        TyKind::Tuple(_) => None,
        TyKind::Struct(_) => Some(to),
        _ => return Value::Unit,
    };
    if depth > DEEPEST {
        return Value::Unit;
    }
    let parts = to.parts(0).unwrap_or_default().into_iter().map(|part| holes(part, depth + 1));
    Value::Composite(Arc::new(Composite { ty, tag: 0, parts: Parts::from_iter(parts) }))
}

/// The parts that are not zero-sized.
fn sized_parts<'c>(composite: &'c Composite<'static>) -> impl Iterator<Item = &'c Value<'static>> {
    composite.parts.iter().filter(|part| !matches!(part, Value::Unit))
}

/// The only part of a struct or tuple that is not zero-sized.
fn only_part(composite: &Composite<'static>) -> Option<Value<'static>> {
    if is_enum(composite) {
        return None;
    }
    let mut sized = sized_parts(composite);
    match (sized.next(), sized.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    }
}

#[cold]
fn uninitialised(to: Ty) -> Failure {
    uninitialised_read(&format!(" as `{to}`"))
}

#[cold]
fn differs(value: &Value<'static>, to: Ty) -> Failure {
    let message = format!(
        "a value of type `{}` is read through a pointer as `{to}`, which has another layout",
        value.ty()
    );
    Failure::new(FailureKind::Undefined, message).with_help(Some(
        "what pointer casts convert is listed in the guide; convert the value instead".to_owned(),
    ))
}
