//! Reading and writing through the path of a reference or raw pointer.

use std::sync::Arc;

use smallvec::SmallVec;

use super::cell::{misfit, no_part, slice};
use super::pointer::{Path, trailing_views};
use super::reinterpret::{reinterpret, reinterpret_over, reinterpret_partly};
use super::spare::{is_spare, read_spare, without_spare, write_spare};
use super::{Array, CellRef, PathElem, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

impl CellRef {
    /// Moves out the elements of an array from the first one on; the entire array becomes a hole.
    ///
    /// # Errors
    /// If the pointer does not point to the first elements of an array, or the array has another capacity.
    pub fn take_array(&self, capacity: Option<usize>) -> Result<Value<'static>, Failure> {
        let Some(owner) = owner(&self.path) else {
            let message = "a vector is made of memory that does not begin where its allocation does";
            return Err(Failure::new(FailureKind::Undefined, message));
        };
        if self.read_only {
            return Err(not_writable());
        }
        self.with(|content| {
            let moved_out = read(content, &self.path)?;
            if let (Value::Array(array), Some(capacity)) = (read(content, &self.path[..owner])?, capacity)
                && owner + 1 == self.path.len()
                && array.capacity.max(array.len()) != capacity
            {
                return Err(other_capacity(array.capacity.max(array.len()), capacity));
            }
            write(content, &self.path[..owner], Value::Unit)?;
            without_spare(moved_out)
        })
    }
}

impl CellRef {
    /// As [`CellRef::get`], but what was not initialised becomes holes, also behind a pointer to another type. None if that is
    /// the whole.
    pub(crate) fn get_partly(&self) -> Result<Option<Value<'static>>, Failure> {
        let Some((PathElem::View { to, .. }, path)) = self.path.split_last() else {
            return self.get().map(Some);
        };
        let seen = CellRef { path: path.iter().copied().collect(), ..self.clone() };
        let content = reinterpret_partly(seen.read(Value::clone)?, *to)?;
        Ok(Some(content).filter(|content| !matches!(content, Value::Unit)))
    }

    /// The type as which a pointer to another type sees what it points to.
    pub(crate) fn seen_as(&self) -> Option<Ty> {
        match self.path.last()? {
            PathElem::View { to, .. } => Some(*to),
            _ => None,
        }
    }
}

/// Reads the value at the end of a path.
pub(super) fn read(at: &Value<'static>, path: &[PathElem]) -> Result<Value<'static>, Failure> {
    let Some((&step, rest)) = path.split_first() else { return Ok(at.clone()) };
    match (step, at) {
        (_, Value::Array(array)) if array.is_spare(step) => read_spare(array, step, rest),
        (PathElem::Field(k), Value::Composite(composite)) => {
            read(composite.parts.get(k as usize).ok_or_else(|| no_part(step))?, rest)
        }
        (PathElem::Elem(i), Value::Array(array)) => match array.as_values() {
            Some(values) => read(values.get(i).ok_or_else(|| outside(step, array))?, rest),
            None => read(&array.get(i).ok_or_else(|| outside(step, array))?, rest),
        },
        (PathElem::Slice(from, to), Value::Array(array)) if from <= to && to <= array.len() => {
            read(&slice(array, from, to)?, rest)
        }
        (PathElem::Slice(..) | PathElem::FlatSlice { .. } | PathElem::Chunks { .. }, Value::Array(array))
            if !is_within(step, at) =>
        {
            Err(outside(step, array))
        }
        (PathElem::Flat { at: i, row }, Value::Array(_)) if row > 0 => {
            let inner = read(at, &[PathElem::Elem(i / row), PathElem::Elem(i % row)])?;
            read(&inner, rest)
        }
        (PathElem::FlatSlice { from, to, row }, Value::Array(outer)) => {
            let elem = outer.elem_ty().as_array().ok_or_else(|| no_part(step))?.elem;
            let mut elems = Array::empty(elem);
            let mut next = from;
            while next < to {
                let (inner, start) = (read(at, &[PathElem::Elem(next / row)])?, next % row);
                let count = (row - start).min(to - next);
                let part = inner.as_array().and_then(|inner| inner.slice(start, start + count));
                elems.append(&part.ok_or_else(|| no_part(step))?).ok_or_else(misfit)?;
                next += count;
            }
            read(&Value::Array(Arc::new(elems)), rest)
        }
        (PathElem::Chunks { from, to, per }, Value::Array(array)) => {
            let starts = (from..to).step_by(per.max(1));
            let chunks: Result<Vec<_>, Failure> =
                starts.map(|start| slice(array, start, start + per)).collect();
            let chunks = Array::from_values(Ty::array(array.elem_ty(), 1), chunks?).ok_or_else(misfit)?;
            read(&Value::Array(Arc::new(chunks)), rest)
        }
        (PathElem::Single, value) => read(&single(value)?, rest),
        (PathElem::View { from, to, .. }, _) if is_other_function(from, to) => Err(other_function()),
        (PathElem::View { to, .. }, value) if rest.is_empty() => reinterpret(value.clone(), to),
        (PathElem::View { to, .. }, value) => read(&reinterpret_partly(value.clone(), to)?, rest),
        _ => Err(no_part(step)),
    }
}

/// Whether functions of one type are seen as those of another type, by which they cannot be called.
fn is_other_function(from: Ty, to: Ty) -> bool {
    let is_function = |ty: Ty| matches!(ty.kind(), TyKind::Fn(_));
    is_function(from) && is_function(to) && from != to
}

#[cold]
fn other_function() -> Failure {
    let message = "a function pointer becomes one of another type, by which it cannot be called";
    Failure::new(FailureKind::Undefined, message)
}

/// The length of the path to an array, if the rest of the path denotes its first elements.
fn owner(path: &[PathElem]) -> Option<usize> {
    let at = path.len() - trailing_views(path);
    match path.get(at.checked_sub(1)?) {
        Some(PathElem::Slice(0, _)) => Some(at - 1),
        _ => None,
    }
}

/// Replaces the value at the end of a path, and returns the old one.
pub(super) fn write(
    place: &mut Value<'static>,
    path: &[PathElem],
    value: Value<'static>,
) -> Result<Value<'static>, Failure> {
    let Some((&step, rest)) = path.split_first() else { return Ok(std::mem::replace(place, value)) };
    if is_spare(place, path) {
        return write_spare(place, step, rest, value);
    }
    match step {
        PathElem::Field(k) => match place {
            Value::Composite(composite) => {
                let part = Arc::make_mut(composite).parts.get_mut(k as usize);
                write(part.ok_or_else(|| no_part(step))?, rest, value)
            }
            _ => Err(no_part(step)),
        },
        PathElem::Elem(i) => match place {
            Value::Array(array) if i < array.len() => {
                let array = Arc::make_mut(array);
                if let Some(values) = array.to_values_mut() {
                    return write(values.get_mut(i).ok_or_else(|| no_part(step))?, rest, value);
                }
                let mut elem = array.get(i).ok_or_else(|| no_part(step))?;
                let before = write(&mut elem, rest, value)?;
                array.set(i, elem).ok_or_else(misfit).map(|()| before)
            }
            Value::Array(array) => Err(outside(step, array)),
            _ => Err(no_part(step)),
        },
        PathElem::Flat { at, row } if row > 0 => {
            let mut steps: Path = SmallVec::from_slice(&[PathElem::Elem(at / row), PathElem::Elem(at % row)]);
            steps.extend_from_slice(rest);
            write(place, &steps, value)
        }
        PathElem::Slice(..)
        | PathElem::FlatSlice { .. }
        | PathElem::Chunks { .. }
        | PathElem::Single
        | PathElem::View { .. } => {
            let value = if rest.is_empty() {
                value
            } else {
                let mut seen = match step {
                    PathElem::View { to, .. } => reinterpret_partly(place.clone(), to)?,
                    _ => read(place, &[step])?,
                };
                write(&mut seen, rest, value)?;
                seen
            };
            write_whole(place, step, value)
        }
        _ => Err(no_part(step)),
    }
}

/// Replaces the value that a single step denotes.
fn write_whole(
    place: &mut Value<'static>,
    step: PathElem,
    value: Value<'static>,
) -> Result<Value<'static>, Failure> {
    match (step, &mut *place, value) {
        (PathElem::Slice(from, to), Value::Array(array), Value::Array(part))
            if from <= to && to <= array.len() && part.len() == to - from =>
        {
            Arc::make_mut(array).set_slice(from, &part).ok_or_else(misfit).map(|()| Value::Unit)
        }
        (PathElem::FlatSlice { from, row, to }, _, Value::Array(part))
            if row > 0 && from <= to && part.len() == to - from =>
        {
            for (i, elem) in part.iter().enumerate() {
                write(place, &[PathElem::Flat { at: from + i, row }], elem)?;
            }
            Ok(Value::Unit)
        }
        (PathElem::Chunks { from, to, per }, Value::Array(array), Value::Array(chunks))
            if to <= array.len() && chunks.len().checked_mul(per) == to.checked_sub(from) =>
        {
            let array = Arc::make_mut(array);
            for (at, chunk) in (from..).step_by(per.max(1)).zip(chunks.iter()) {
                let fits = chunk.as_array().filter(|chunk| chunk.len() == per);
                fits.and_then(|chunk| array.set_slice(at, chunk)).ok_or_else(misfit)?;
            }
            Ok(Value::Unit)
        }
        (PathElem::Single, _, Value::Array(part)) if part.len() == 1 => {
            let only = part.get(0).ok_or_else(misfit)?;
            Ok(std::mem::replace(place, only))
        }
        (PathElem::View { from, .. }, _, value) => {
            let mut value = reinterpret_over(value, from, place)?;
            keep_allocation(&mut value, place);
            Ok(std::mem::replace(place, value))
        }
        (_, Value::Array(array), Value::Array(_)) => Err(outside(step, array)),
        _ => Err(misfit()),
    }
}

/// An array whose elements were written as those of another type stays in its memory.
fn keep_allocation(value: &mut Value<'static>, old: &Value<'static>) {
    if let (Value::Array(array), Value::Array(old)) = (value, old) {
        let array = Arc::make_mut(array);
        array.allocation = old.allocation;
        array.capacity = array.capacity.max(old.capacity);
        array.spare.clone_from(&old.spare);
    }
}

/// Whether the elements denoted by a step exist.
fn is_within(step: PathElem, array: &Value<'static>) -> bool {
    let Value::Array(array) = array else { return false };
    match step {
        PathElem::Slice(from, to) | PathElem::Chunks { from, to, .. } => from <= to && to <= array.len(),
        PathElem::FlatSlice { from, to, row } => {
            row > 0 && from <= to && array.len().checked_mul(row).is_some_and(|all| to <= all)
        }
        _ => true,
    }
}

/// A vector of one element.
fn single(value: &Value<'static>) -> Result<Value<'static>, Failure> {
    let elems = Array::from_values(value.ty(), [value.clone()]).ok_or_else(misfit)?;
    Ok(Value::Array(Arc::new(elems)))
}

#[cold]
pub(super) fn outside(step: PathElem, array: &Array<'static>) -> Failure {
    let what = match step {
        PathElem::Slice(from, to)
        | PathElem::FlatSlice { from, to, .. }
        | PathElem::Chunks { from, to, .. } => {
            // The bounds of a range moved to before the array have wrapped around.
            format!("elements {}..{}", from as isize, to as isize)
        }
        PathElem::Elem(at) | PathElem::Flat { at, .. } => format!("element {}", at as isize),
        _ => "another part".to_owned(),
    };
    let message = format!("a pointer leaves what it points into: {what} of an array of {}", array.len());
    Failure::new(FailureKind::Undefined, message)
}

#[cold]
fn other_capacity(capacity: usize, stated: usize) -> Failure {
    let message = format!("a vector of capacity {stated} is made of memory of capacity {capacity}");
    Failure::new(FailureKind::Undefined, message)
}

#[cold]
pub(super) fn not_writable() -> Failure {
    let message = "a place is written through a pointer that was made from a shared reference";
    Failure::new(FailureKind::Undefined, message)
        .with_help(Some("make the pointer from `&mut`, or use `UnsafeCell`".to_owned()))
}
