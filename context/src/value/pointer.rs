//! Raw pointers into cells: null, arithmetic, ranges and casts.
//!
//! - Pointer arithmetic changes the *position* of a pointer: the last step of its path that numbers elements.
//!   It is only followed by [`PathElem::View`]s.
//! - Slices created from a pointer and a length are checked when they are read or written, not when they are
//!   created.

use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;

use super::cell::{Origin, Within};
use super::pointer_access::read;
use super::spare::without_spare;
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

    /// Whether the pointer is [`CellRef::null`]; one that was moved away from it is not, though it points to nothing either.
    pub fn is_null(&self) -> bool {
        self.is_from_null() && !self.path.iter().any(|step| matches!(step, PathElem::Past(_)))
    }

    /// Whether the pointer is the null pointer, or was computed from it.
    pub(crate) fn is_from_null(&self) -> bool {
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
        if self.is_from_null() {
            return Err(null_used());
        }
        self.check_allocated()?;
        if let Some(value) = self.free_single()? {
            return Ok(value);
        }
        self.check_writable()?;
        self.with(|content| match content {
            freed if is_freed(freed) => Err(freed_used()),
            content if !is_whole(content, &self.path) => {
                let message =
                    "memory is freed by a pointer that does not point to where its allocation begins";
                Err(Failure::new(FailureKind::Undefined, message))
            }
            content => {
                let value = read(content, &self.path)?;
                *content = freed();
                without_spare(value)
            }
        })
    }

    /// Ends the life of the variable in the cell: later uses of the cell fail. One that was moved out stays that.
    pub fn end(&self) {
        let content = self.with(|content| match content {
            Value::Unit => Value::Unit,
            content => std::mem::replace(content, freed()),
        });
        drop(content);
    }

    /// The reference as a raw pointer.
    #[must_use]
    pub fn raw(&self) -> CellRef {
        CellRef { is_raw: true, ..self.clone() }
    }

    /// A raw pointer to a variable, whose memory cannot be freed through it.
    #[must_use]
    pub fn of_variable(&self) -> CellRef {
        CellRef { origin: Origin::Variable, ..self.raw() }
    }

    /// The pointer, through which values may be read and written that are not aligned.
    #[must_use]
    pub fn unaligned(&self) -> CellRef {
        CellRef { is_unaligned: true, ..self.clone() }
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
        let within = self.with(|content| {
            array_at(content, &first.path[..before]).map(|array| Within {
                steps: before as u32,
                allocation: Arc::make_mut(array).allocation(),
                capacity: array.capacity.max(array.len()),
            })
        });
        // A pointer into nested arrays records the outermost one.
        first.within = first.within.or(within);
        first
    }

    /// Fails if the array to which the path leads is not the one from which the pointer was derived.
    pub(super) fn check_allocation(&self, content: &Value<'static>) -> Result<(), Failure> {
        let Some(Within { steps, allocation, capacity }) = self.within else { return Ok(()) };
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
            Value::Array(array) if array.allocation != allocation || array.len() > capacity => Err(moved()),
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
            // Each element of the slice consists of several of the array.
            Some(&PathElem::Slice(from, to)) if from < to => {
                let per = to - from;
                range.path[at - 1] =
                    PathElem::Chunks { from, to: from.checked_add(per.checked_mul(len)?)?, per };
            }
            // Each of them is an array of arrays.
            Some(&PathElem::Chunks { from, to, per }) if from < to => {
                let (all, rows) = ((to - from).checked_mul(len)?, (to - from).checked_div(per)?);
                range.path[at - 1] = PathElem::Chunks { from, to: from.checked_add(all)?, per };
                range.path.insert(at, PathElem::Chunks { from: 0, to: rows.checked_mul(len)?, per: rows });
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

    /// The length of the slice that this points to, if its path tells it.
    pub fn slice_len(&self) -> Option<usize> {
        let (slice, view) = match self.path[..] {
            [.., slice, PathElem::View { from, to, same_size: true }] => (slice, Some((from, to))),
            [.., slice] => (slice, None),
            [] => return None,
        };
        match slice {
            PathElem::Slice(from, to) if view.is_none_or(|(a, b)| is_elementwise(a, b)) => Some(to - from),
            PathElem::Chunks { from, to, per } => (to - from).checked_div(per),
            _ => None,
        }
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

/// Whether a path leads to the whole content of a cell: as another type of the same size, or as all elements.
fn is_whole(content: &Value<'static>, path: &[PathElem]) -> bool {
    path.iter().all(|step| match (step, content) {
        (PathElem::View { same_size, .. }, _) => *same_size,
        (PathElem::Slice(0, to), Value::Array(array)) => *to == array.len(),
        _ => false,
    })
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
    Failure::new(FailureKind::Undefined, "memory is used that was freed, or a variable that no longer exists")
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
        (Some(PathElem::Chunks { from, per, .. }), PathElem::Elem(at)) => {
            let first = from.saturating_add(at.saturating_mul(per));
            Some(PathElem::Slice(first, first.saturating_add(per)))
        }
        (Some(PathElem::Chunks { from: start, per, .. }), PathElem::Slice(from, to)) => {
            let at = |chunk: usize| start.saturating_add(chunk.saturating_mul(per));
            Some(PathElem::Chunks { from: at(from), to: at(to), per })
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
            let follows_slice = match path.len().checked_sub(2).map(|before| path[before]) {
                Some(PathElem::Chunks { .. }) => true,
                Some(PathElem::Slice(..) | PathElem::FlatSlice { .. } | PathElem::Single) => {
                    is_elementwise(from, to)
                }
                _ => false,
            };
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

/// Whether a view of an array has an element for each of the array's, and not more or fewer.
fn is_elementwise(from: Ty, to: Ty) -> bool {
    match (from.as_array(), to.as_array()) {
        (Some(a), Some(b)) => scalars(a.elem, 0) == scalars(b.elem, 0),
        _ => false,
    }
}

/// The number of scalars in values of a type and the width of integers among them; none if the type has arrays.
fn scalars(ty: Ty, depth: usize) -> Option<(usize, u32)> {
    if let Some(inner) = ty.maybe_uninit_of() {
        return scalars(inner, depth + 1);
    }
    match ty.kind() {
        TyKind::Array(_) => None,
        TyKind::Unit => Some((0, 0)),
        TyKind::Int(int) => Some((1, int.bits())),
        TyKind::Tuple(_) | TyKind::Struct(_) if depth < 64 => {
            ty.parts(0)?.into_iter().try_fold((0, 0), |(count, width), part| {
                let (more, other) = scalars(part, depth + 1)?;
                Some((count + more, width.max(other)))
            })
        }
        _ => Some((1, 0)),
    }
}
