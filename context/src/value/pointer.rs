//! Raw pointers into cells: null, arithmetic, ranges, casts, and reads and writes through them.
//!
//! - Pointer arithmetic changes the *position* of a pointer: the last step of its path that numbers elements.
//!   It is only followed by [`PathElem::View`]s.
//! - Slices created from a pointer and a length are checked when they are read or written, not when they are
//!   created.

use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;

use super::cell::{misfit, no_part, slice};
use super::reinterpret::{reinterpret, reinterpret_over, reinterpret_partly};
use super::spare::{is_spare, read_spare, without_spare, write_spare};
use super::{Array, CellRef, Opaque, PathElem, Value};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::types::{Ty, TyKind};

/// The maximum length of a slice of zero-sized values that is created from a pointer.
const MOST_UNITS: usize = 1 << 20;

pub(super) type Path = SmallVec<[PathElem; 2]>;

impl CellRef {
    /// The null pointer.
    pub fn null() -> CellRef {
        static NULL: LazyLock<CellRef> = LazyLock::new(|| CellRef::read_only(Value::Unit));
        NULL.clone()
    }

    /// Whether the pointer is [`CellRef::null`].
    pub fn is_null(&self) -> bool {
        self.same_cell(&CellRef::null())
    }

    /// A pointer to a new cell that cannot be written through it.
    pub fn read_only(value: Value<'static>) -> CellRef {
        CellRef { read_only: true, ..CellRef::new(value) }
    }

    /// A reference to a new cell for a value whose place in the program is not known.
    pub fn relocated(value: Value<'static>) -> CellRef {
        CellRef { is_relocated: true, ..CellRef::new(value) }
    }

    /// Moves out the content of a whole cell; later uses of the cell fail.
    ///
    /// # Errors
    /// If the pointer points into a cell, or to a cell that was freed.
    pub fn free(&self) -> Result<Value<'static>, Failure> {
        if self.is_null() {
            return Err(null_used());
        }
        if let Some(value) = self.free_single()? {
            return Ok(value);
        }
        if !self.path.is_empty() {
            let message = "memory is freed by a pointer that does not point to where its allocation begins";
            return Err(Failure::new(FailureKind::Undefined, message));
        }
        self.check_writable()?;
        self.with(|content| match content {
            freed if is_freed(freed) => Err(freed_used()),
            content => Ok(without_spare(std::mem::replace(content, freed()))),
        })
    }

    /// The reference as a raw pointer.
    #[must_use]
    pub fn raw(&self) -> CellRef {
        CellRef { is_raw: true, ..self.clone() }
    }

    /// The raw pointer as a reference. A raw pointer does not write to a place that was moved out, since a call
    /// that has the value for the time being would not see it; a reference that the call borrows may.
    #[must_use]
    pub fn reborrow(&self) -> CellRef {
        CellRef { is_raw: false, ..self.clone() }
    }

    /// A raw pointer to the first element of the array that this points to. It is valid as long as that array
    /// exists: a replacement, because the array was swapped or moved, has another allocation.
    pub fn first(&self) -> CellRef {
        let mut first = self.step(PathElem::Elem(0));
        first.is_raw = true;
        // A place viewed as an array of one has no position: the pointer is to the place itself.
        let Some(before) = (first.path.len() - trailing_views(&first.path)).checked_sub(1) else {
            return first;
        };
        let allocation = self.with(|content| {
            array_at(content, &first.path[..before]).map(|array| Arc::make_mut(array).allocation())
        });
        // A pointer into nested arrays records the outermost one.
        first.within = first.within.or(allocation.map(|allocation| (before as u32, allocation)));
        first
    }

    /// Fails if the array to which the path leads is not the one from which the pointer was derived.
    pub(super) fn check_allocation(&self, content: &Value<'static>) -> Result<(), Failure> {
        let Some((steps, allocation)) = self.within else { return Ok(()) };
        let mut at = content;
        for step in &self.path[..(steps as usize).min(self.path.len())] {
            let part = match (step, at) {
                (PathElem::Field(k), Value::Composite(composite)) => composite.parts.get(*k as usize),
                (PathElem::Elem(i), Value::Array(array)) => {
                    array.as_values().and_then(|values| values.get(*i))
                }
                _ => None,
            };
            match part {
                Some(part) => at = part,
                // The mismatch is reported by the read or write itself.
                None => return Ok(()),
            }
        }
        match at {
            Value::Array(array) if array.allocation != allocation => Err(moved()),
            _ => Ok(()),
        }
    }

    /// Whether writing through the pointer fails.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Pointer arithmetic by a number of elements; `None` on overflow, and after a cast to a type of another
    /// size.
    pub fn offset(&self, by: isize) -> Option<CellRef> {
        let mut moved = self.clone();
        if by == 0 {
            return Some(moved);
        }
        if let Some(bytes) = self.or_bytes().ok()? {
            return bytes.offset(by);
        }
        let views = trailing_views(&self.path);
        let at = self.path.len() - views;
        if self.path[at..].iter().any(|view| matches!(view, PathElem::View { same_size: false, .. })) {
            return None;
        }
        let further = |from: usize, by: isize| from.wrapping_add_signed(by);
        let position = at.checked_sub(1).and_then(|at| self.path.get(at));
        let step = match position {
            Some(&PathElem::Elem(from)) => PathElem::Elem(further(from, by)),
            Some(&PathElem::Flat { at, row }) => PathElem::Flat { at: further(at, by), row },
            Some(&PathElem::Slice(from, to)) => {
                let by = by.checked_mul(isize::try_from(to - from).ok()?)?;
                PathElem::Slice(further(from, by), further(to, by))
            }
            Some(&PathElem::FlatSlice { from, to, row }) => {
                let by = by.checked_mul(isize::try_from(to - from).ok()?)?;
                PathElem::FlatSlice { from: further(from, by), to: further(to, by), row }
            }
            Some(&PathElem::Past(was)) => PathElem::Past(was.checked_add(by)?),
            _ => {
                moved.path.insert(at, PathElem::Past(by));
                return Some(moved);
            }
        };
        if step == PathElem::Past(0) {
            moved.path.remove(at - 1);
        } else {
            moved.path[at - 1] = step;
        }
        Some(moved)
    }

    /// A pointer to a slice of `len` elements from here on; `None` if they would exceed the pointer's target.
    pub fn range(&self, len: usize) -> Option<CellRef> {
        if let Some(bytes) = self.or_bytes().ok()? {
            return bytes.range(len);
        }
        let views = trailing_views(&self.path);
        let at = self.path.len() - views;
        // Zero-sized values need no memory, but each takes space in this representation, so their number is
        // limited.
        if let Some(PathElem::View { to, .. }) = self.path.last()
            && *to.kind() == TyKind::Unit
        {
            if len > MOST_UNITS {
                return None;
            }
            let none = Array::repeat(*to, Value::Unit, len)?;
            return Some(CellRef::read_only(Value::Array(Arc::new(none))));
        }
        let mut range = self.clone();
        for view in &mut range.path[at..] {
            let PathElem::View { from, to, same_size: true } = *view else { return None };
            *view = PathElem::View { from: Ty::array(from, 1), to: Ty::array(to, 1), same_size: true };
        }
        match at.checked_sub(1).and_then(|at| self.path.get(at)) {
            Some(&PathElem::Elem(from)) => range.path[at - 1] = PathElem::Slice(from, from.checked_add(len)?),
            Some(&PathElem::Flat { at: from, row }) => {
                range.path[at - 1] = PathElem::FlatSlice { from, to: from.checked_add(len)?, row }
            }
            Some(&PathElem::Past(_)) if len > 0 => return None,
            position => {
                let at = if matches!(position, Some(PathElem::Past(_))) {
                    range.path.remove(at - 1);
                    at - 1
                } else {
                    at
                };
                if len > 1 {
                    return None;
                }
                range.path.insert(at, PathElem::Single);
                if len == 0 {
                    range.path.insert(at + 1, PathElem::Slice(0, 0));
                }
            }
        }
        Some(range)
    }

    /// Moves out the elements of an array from the first one on; the entire array becomes a hole.
    ///
    /// # Errors
    /// If the pointer does not point to the first elements of an array.
    pub fn take_array(&self) -> Result<Value<'static>, Failure> {
        let Some(owner) = owner(&self.path) else {
            let message = "a vector is made of memory that does not begin where its allocation does";
            return Err(Failure::new(FailureKind::Undefined, message));
        };
        if self.read_only {
            return Err(not_writable());
        }
        self.with(|content| {
            let moved_out = read(content, &self.path)?;
            write(content, &self.path[..owner], Value::Unit)?;
            Ok(without_spare(moved_out))
        })
    }

    /// The place viewed as a `to`; see [`PathElem::View`].
    #[must_use]
    pub fn view(&self, from: Ty, to: Ty, same_size: bool) -> CellRef {
        self.step(PathElem::View { from, to, same_size })
    }

    /// A pointer to the first element of the inner array of `row` elements that this points to; if that is
    /// itself an element, pointer arithmetic continues into adjacent inner arrays.
    #[must_use]
    pub fn flat(&self, row: usize) -> CellRef {
        let mut inner = self.clone();
        match inner.path[..] {
            [.., PathElem::Elem(at)] => {
                inner.path.pop();
                inner.path.push(PathElem::Flat { at: at.wrapping_mul(row), row });
                inner
            }
            // Structs of an array, each viewed as an array. The step into the array precedes the view.
            [.., PathElem::Elem(at), PathElem::View { from, to, same_size }] => {
                inner.path.truncate(inner.path.len() - 2);
                inner.path.push(PathElem::View { from: Ty::array(from, 1), to: Ty::array(to, 1), same_size });
                inner.path.push(PathElem::Flat { at: at.wrapping_mul(row), row });
                inner
            }
            _ => self.first(),
        }
    }
}

/// The content of a freed cell.
#[derive(Clone, Debug)]
struct Freed;

static FREED: LazyLock<Symbol> = LazyLock::new(|| Symbol::new("freed"));

pub(super) fn freed() -> Value<'static> {
    Value::Opaque(Box::new(Opaque { name: *FREED, value: Box::new(Freed) }))
}

/// Whether a cell with this content was freed.
pub(super) fn is_freed(content: &Value<'static>) -> bool {
    matches!(content, Value::Opaque(opaque) if opaque.name == *FREED)
}

#[cold]
pub(super) fn freed_used() -> Failure {
    Failure::new(FailureKind::Undefined, "memory is used that was freed")
}

#[cold]
pub(super) fn null_used() -> Failure {
    Failure::new(FailureKind::Undefined, "a null pointer is read or written through")
}

/// The array at the end of a path that consists only of fields and elements.
fn array_at<'v>(content: &'v mut Value<'static>, path: &[PathElem]) -> Option<&'v mut Arc<Array<'static>>> {
    let mut at = content;
    for step in path {
        at = match (step, at) {
            (PathElem::Field(k), Value::Composite(composite)) => {
                Arc::make_mut(composite).parts.get_mut(*k as usize)?
            }
            (PathElem::Elem(i), Value::Array(array)) => Arc::make_mut(array).to_values_mut()?.get_mut(*i)?,
            _ => return None,
        };
    }
    match at {
        Value::Array(array) => Some(array),
        _ => None,
    }
}

#[cold]
pub(super) fn moved() -> Failure {
    let message = "what a raw pointer points into was moved, exchanged for something else, or allocated anew";
    Failure::new(FailureKind::Undefined, message).with_help(Some(
        "where Rust lets a pointer into a vector outlive a move of the vector, make the pointer after the move".to_owned(),
    ))
}

pub(super) fn trailing_views(path: &[PathElem]) -> usize {
    path.iter().rev().take_while(|step| matches!(step, PathElem::View { .. })).count()
}

/// Appends a step, merged with the last one if possible.
pub(super) fn extend(path: &mut Path, step: PathElem) {
    let joined = match (path.last().copied(), step) {
        (Some(PathElem::Slice(from, _)), PathElem::Elem(at)) => Some(PathElem::Elem(from.saturating_add(at))),
        (Some(PathElem::Slice(start, _)), PathElem::Slice(from, to)) => {
            Some(PathElem::Slice(start.saturating_add(from), start.saturating_add(to)))
        }
        (Some(PathElem::FlatSlice { from, row, .. }), PathElem::Elem(at)) => {
            Some(PathElem::Flat { at: from.saturating_add(at), row })
        }
        (Some(PathElem::FlatSlice { from: start, row, .. }), PathElem::Slice(from, to)) => {
            Some(PathElem::FlatSlice { from: start.saturating_add(from), to: start.saturating_add(to), row })
        }
        (Some(PathElem::Single), PathElem::Elem(at)) => {
            path.pop();
            if at != 0 {
                path.push(PathElem::Past(at as isize));
            }
            return;
        }
        (
            Some(PathElem::View { from, same_size: first, .. }),
            PathElem::View { to, same_size: second, .. },
        ) => {
            path.pop();
            if from != to {
                // Casting back restores the size.
                path.push(PathElem::View { from, to, same_size: first && second });
            }
            return;
        }
        // Indexing a view of a slice: the step is moved before the view.
        (Some(PathElem::View { from, to, same_size }), PathElem::Elem(_) | PathElem::Slice(..)) => {
            let elems = from.as_array().zip(to.as_array()).filter(|(a, b)| a.rank == 1 && b.rank == 1);
            let follows_slice = path.len() >= 2
                && matches!(
                    path[path.len() - 2],
                    PathElem::Slice(..) | PathElem::FlatSlice { .. } | PathElem::Single
                );
            match elems {
                Some((a, b)) if follows_slice => {
                    path.pop();
                    extend(path, step);
                    let (from, to) = match step {
                        PathElem::Elem(_) => (a.elem, b.elem),
                        _ => (from, to),
                    };
                    path.push(PathElem::View { from, to, same_size });
                    return;
                }
                _ => None,
            }
        }
        _ => None,
    };
    if joined.is_some() {
        path.pop();
    }
    path.push(joined.unwrap_or(step));
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
        (PathElem::Slice(..) | PathElem::FlatSlice { .. }, Value::Array(array)) if !is_within(step, at) => {
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
        (PathElem::Single, value) => read(&single(value)?, rest),
        (PathElem::View { to, .. }, value) if rest.is_empty() => reinterpret(value.clone(), to),
        (PathElem::View { to, .. }, value) => read(&reinterpret_partly(value.clone(), to)?, rest),
        _ => Err(no_part(step)),
    }
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
        PathElem::Slice(..) | PathElem::FlatSlice { .. } | PathElem::Single | PathElem::View { .. } => {
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
        (PathElem::Single, _, Value::Array(part)) if part.len() == 1 => {
            let only = part.get(0).ok_or_else(misfit)?;
            Ok(std::mem::replace(place, only))
        }
        (PathElem::View { from, .. }, _, value) => {
            let value = reinterpret_over(value, from, place)?;
            Ok(std::mem::replace(place, value))
        }
        (_, Value::Array(array), Value::Array(_)) => Err(outside(step, array)),
        _ => Err(misfit()),
    }
}

/// Whether the elements denoted by a step exist.
fn is_within(step: PathElem, array: &Value<'static>) -> bool {
    let Value::Array(array) = array else { return false };
    match step {
        PathElem::Slice(from, to) => from <= to && to <= array.len(),
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
        PathElem::Slice(from, to) | PathElem::FlatSlice { from, to, .. } => {
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
pub(super) fn not_writable() -> Failure {
    let message = "a place is written through a pointer that was made from a shared reference";
    Failure::new(FailureKind::Undefined, message)
        .with_help(Some("make the pointer from `&mut`, or use `UnsafeCell`".to_owned()))
}
