//! Mutable cells, and references to them and to parts of their content.
//!
//! - A part is found by following the path from the cell's content; values along the path are copied only if
//!   they are written while another value shares them.
//! - A slice can only be the last step: a step into a slice is converted to a step into the array.
//! - Elements are numbered in row-major order, independent of the shape.
//! - A part that was moved out leaves a hole, `()`; a path into a hole is a failure.

use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::pointer_access::outside;
use super::spare::{is_spare, without_spare};
use super::{Array, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::Ty;

/// A reference into a mutable cell: the cell, and the path from its content to the part.
///
/// Copies refer to the same cell. Rust's borrow rules ensure that a part is not read while it is changed
/// elsewhere.
#[derive(Clone)]
pub struct CellRef {
    pub(super) cell: Arc<Mutex<Value<'static>>>,
    pub(super) path: SmallVec<[PathElem; 2]>,
    /// Whether it was created from a shared reference, so that writing through it fails.
    pub(super) read_only: bool,
    /// Whether it is a raw pointer, through which a moved-out value is not replaced.
    pub(super) is_raw: bool,
    /// Whether the value was moved to the cell by overdub, not by the program, so that its address is not the one that
    /// the program knows.
    pub(super) is_relocated: bool,
    /// Whether what it points to may lie between the multiples of its alignment.
    pub(super) is_unaligned: bool,
    /// For a raw pointer into an array.
    pub(super) within: Option<Within>,
    /// Where the memory of the cell is from, for a raw pointer.
    pub(super) origin: Origin,
}

/// The array into which a raw pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Within {
    /// The number of steps to the array.
    pub(super) steps: u32,
    /// The id of its allocation.
    pub(super) allocation: u64,
    /// The number of elements that fit into the allocation.
    pub(super) capacity: usize,
}

/// Where the memory of a cell is from, as far as a pointer to it tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Origin {
    /// From anywhere: a box, a vector, or what a reference points to.
    #[default]
    Unknown,
    /// It is a variable, which cannot be freed.
    Variable,
    /// It was allocated with this layout.
    Allocated(Layout),
}

/// The size and alignment of memory from the allocator, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) size: usize,
    pub(crate) align: usize,
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathElem {
    /// A field of a tuple, struct or variant.
    Field(u32),
    /// An element of an array.
    Elem(usize),
    /// The elements `from .. to` of an array, as a vector.
    Slice(usize, usize),
    /// An element of an array of arrays that all have `row` elements, numbered consecutively across them.
    Flat {
        /// The index of the element.
        at: usize,
        /// The number of elements of each inner array.
        row: usize,
    },
    /// The elements `from .. to` of an array of arrays, numbered as for [`PathElem::Flat`], as a vector.
    FlatSlice {
        /// The index of the first element.
        from: usize,
        /// The index after the last element.
        to: usize,
        /// The number of elements of each inner array.
        row: usize,
    },
    /// The elements `from .. to` of an array as arrays of `per` elements each: what a pointer to the first of them
    /// denotes after a cast to a type that consists of several.
    Chunks {
        /// The index of the first element.
        from: usize,
        /// The index after the last element.
        to: usize,
        /// The number of elements of each array.
        per: usize,
    },
    /// A place that is not an element, as a vector of one.
    Single,
    /// An offset from a place that is not an element: a pointer may have it, but reads and writes fail.
    Past(isize),
    /// The value of type `from`, seen as a `to` with the same layout in memory.
    View {
        /// The type of the value.
        from: Ty,
        /// The type as which it is read and written.
        to: Ty,
        /// Whether the types have the same size, so that pointers to both move by the same number of bytes.
        same_size: bool,
    },
}

impl PathElem {
    /// Whether references have such steps; the other steps occur only in raw pointers.
    pub(super) fn is_of_references(self) -> bool {
        matches!(self, PathElem::Field(_) | PathElem::Elem(_) | PathElem::Slice(..))
    }
}

impl CellRef {
    /// A reference to a new cell that holds `value`.
    pub fn new(value: Value<'static>) -> CellRef {
        CellRef {
            cell: Arc::new(Mutex::new(value)),
            path: SmallVec::new(),
            read_only: false,
            is_raw: false,
            is_relocated: false,
            is_unaligned: false,
            within: None,
            origin: Origin::Unknown,
        }
    }

    /// The reference extended by one step.
    #[must_use]
    pub fn step(&self, step: PathElem) -> CellRef {
        let mut path = self.path.clone();
        super::pointer::extend(&mut path, step);
        CellRef { path, ..self.clone_without_path() }
    }

    /// The reference to the same part of another cell.
    pub(crate) fn in_cell(&self, cell: &CellRef) -> CellRef {
        CellRef { cell: cell.cell.clone(), ..self.clone() }
    }

    /// The path from the cell's content to the part.
    pub fn path(&self) -> &[PathElem] {
        &self.path
    }

    /// Whether both refer to the same cell.
    pub fn same_cell(&self, other: &CellRef) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell)
    }

    /// The identity of the cell.
    pub(crate) fn address(&self) -> *const () {
        Arc::as_ptr(&self.cell).cast()
    }

    /// Runs `f` on the content of the whole cell; `f` must not access the same cell.
    pub fn with<R>(&self, f: impl FnOnce(&mut Value<'static>) -> R) -> R {
        f(&mut self.cell.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The part; a slice is a view.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn get(&self) -> Result<Value<'static>, Failure> {
        self.with_target(|part| match part {
            ReadTarget::Stored(value) => value.clone(),
            ReadTarget::Computed(value) => value,
        })
        .and_then(|value| {
            if super::pointer::is_freed(&value) {
                Err(super::pointer::freed_used())
            } else {
                without_spare(value)
            }
        })
    }

    /// Runs `f` on the part, without copying it; `f` must not access the same cell.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn read<R>(&self, f: impl FnOnce(&Value<'static>) -> R) -> Result<R, Failure> {
        self.with_target(|part| match part {
            ReadTarget::Stored(value) => f(value),
            ReadTarget::Computed(value) => f(&value),
        })
    }

    /// Replaces the part by a value; the elements of a slice by those of an array of the same length.
    ///
    /// # Errors
    /// If there is no such part, or the value does not fit there.
    pub fn set(&self, value: Value<'static>) -> Result<(), Failure> {
        self.check_writable()?;
        if let Some(bytes) = self.or_bytes()? {
            return bytes.set(value);
        }
        if !self.is_reference() {
            self.check_aligned()?;
            let path = &self.path;
            let before = self.with(|content| {
                self.check_allocation(content)?;
                super::pointer_access::write(content, path, value)
            })?;
            drop(before);
            return Ok(());
        }
        let before = self.with(|content| match self.find(content)? {
            WriteTarget::Stored(Value::Unit) if self.is_raw && !matches!(value, Value::Unit) => {
                Err(super::pointer::moved())
            }
            WriteTarget::Stored(place) if super::pointer::is_freed(place) => {
                Err(super::pointer::freed_used())
            }
            WriteTarget::Stored(place) if self.is_raw && super::same::is_of_other_type(place, &value) => {
                Err(changed_variant(value.ty(), place.ty()))
            }
            WriteTarget::Stored(place) => Ok(std::mem::replace(place, value)),
            WriteTarget::Elem(array, at) => array.set(at, value).ok_or_else(misfit).map(|()| Value::Unit),
            WriteTarget::Slice(array, from, to) => match &value {
                Value::Array(part) if part.len() == to - from => {
                    array.set_slice(from, part).ok_or_else(misfit).map(|()| Value::Unit)
                }
                _ => Err(misfit()),
            },
            WriteTarget::Spare(array, steps) => super::pointer_access::write(array, steps, value),
        });
        let before = before.map_err(|failure| self.explained(failure))?;
        // The old value may hold the last reference to another cell, so it is dropped after this one is
        // unlocked.
        drop(before);
        Ok(())
    }

    /// Moves the part out and leaves a hole; scalars in arrays and slices are copied.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn take(&self) -> Result<Value<'static>, Failure> {
        self.check_writable()?;
        if !self.is_reference() {
            return self.get();
        }
        self.with(|content| match self.find(content)? {
            WriteTarget::Stored(place) if super::pointer::is_freed(place) => {
                Err(super::pointer::freed_used())
            }
            WriteTarget::Stored(place) => without_spare(place.take()),
            WriteTarget::Elem(array, at) => array.get(at).ok_or_else(|| no_part(PathElem::Elem(at))),
            WriteTarget::Slice(array, from, to) => slice(array, from, to).and_then(without_spare),
            WriteTarget::Spare(array, steps) => super::pointer_access::read(array, steps),
        })
    }

    /// Changes the length of the vector without touching its memory: elements that are cut off stay behind the
    /// others, and what was written behind them through pointers is included. Returns the new length, which is
    /// less than `len` where nothing was written, unless it `declares` what is missing.
    ///
    /// # Errors
    /// If this does not point to a vector, or what was written is of another type.
    pub fn set_len(&self, len: usize, declares: bool) -> Result<usize, Failure> {
        self.check_writable()?;
        if !self.is_reference() {
            return Err(misfit());
        }
        self.with(|content| match self.find(content)? {
            WriteTarget::Stored(Value::Array(array)) => {
                Arc::make_mut(array).set_len(len, declares).ok_or_else(misfit)
            }
            _ => Err(misfit()),
        })
    }

    fn clone_without_path(&self) -> CellRef {
        CellRef { cell: self.cell.clone(), path: SmallVec::new(), ..*self }
    }

    /// Finds the part in the content, for writing.
    fn find<'v>(&'v self, content: &'v mut Value<'static>) -> Result<WriteTarget<'v>, Failure> {
        self.check_allocation(content)?;
        find(content, &self.path)
    }

    /// Whether the path contains only steps of references, and none of raw pointers.
    fn is_reference(&self) -> bool {
        self.path.iter().all(|step| step.is_of_references())
    }

    /// The failure for a part that was not found: null pointers and freed cells have specific ones.
    #[cold]
    fn explained(&self, failure: Failure) -> Failure {
        if self.is_from_null() {
            super::pointer::null_used()
        } else if self.with(|content| super::pointer::is_freed(content)) {
            super::pointer::freed_used()
        } else {
            failure
        }
    }

    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        match self.read_only {
            true if self.is_from_null() => Err(super::pointer::null_used()),
            true => Err(super::pointer_access::not_writable()),
            false => Ok(()),
        }
    }

    fn with_target<R>(&self, f: impl FnOnce(ReadTarget<'_>) -> R) -> Result<R, Failure> {
        if let Some(value) = self.read_untyped() {
            return Ok(f(ReadTarget::Computed(value)));
        }
        if let Some(bytes) = self.or_bytes()? {
            return bytes.with_target(f);
        }
        if !self.is_reference() {
            self.check_aligned()?;
            return self
                .with(|content| {
                    self.check_allocation(content)?;
                    super::pointer_access::read(content, &self.path)
                })
                .map(|value| f(ReadTarget::Computed(value)))
                .map_err(|failure| self.explained(failure));
        }
        let found = self.with(|content| {
            self.check_allocation(content)?;
            let mut at: &Value<'static> = content;
            let mut steps = self.path.iter();
            while let Some(&step) = steps.next() {
                if let Value::Array(array) = at
                    && array.is_spare(step)
                {
                    let rest = &self.path[self.path.len() - steps.len() - 1..];
                    return Ok(f(ReadTarget::Computed(super::pointer_access::read(at, rest)?)));
                }
                let part = match (step, at) {
                    (PathElem::Field(k), Value::Composite(composite)) => composite.parts.get(k as usize),
                    (PathElem::Elem(i), Value::Array(array)) => match array.as_values() {
                        Some(values) => Some(values.get(i).ok_or_else(|| outside(step, array))?),
                        None if steps.len() == 0 => {
                            return array
                                .get(i)
                                .map(|elem| f(ReadTarget::Computed(elem)))
                                .ok_or_else(|| outside(step, array));
                        }
                        None => None,
                    },
                    (PathElem::Slice(from, to), Value::Array(array)) if steps.len() == 0 => {
                        return Ok(f(ReadTarget::Computed(slice(array, from, to)?)));
                    }
                    _ => None,
                };
                at = part.ok_or_else(|| no_part(step))?;
            }
            Ok(f(ReadTarget::Stored(at)))
        });
        found.map_err(|failure| self.explained(failure))
    }
}

/// A part of a cell's content, for reading.
enum ReadTarget<'v> {
    Stored(&'v Value<'static>),
    Computed(Value<'static>),
}

/// The location of a part in a cell's content, for writing.
enum WriteTarget<'v> {
    Stored(&'v mut Value<'static>),
    Elem(&'v mut Array<'static>, usize),
    Slice(&'v mut Array<'static>, usize, usize),
    /// An array, and the steps from it to a place behind its elements.
    Spare(&'v mut Value<'static>, &'v [PathElem]),
}

fn find<'v>(mut at: &'v mut Value<'static>, path: &'v [PathElem]) -> Result<WriteTarget<'v>, Failure> {
    for (i, &step) in path.iter().enumerate() {
        let last = i + 1 == path.len();
        if is_spare(at, &path[i..]) {
            return Ok(WriteTarget::Spare(at, &path[i..]));
        }
        at = match (step, at) {
            (PathElem::Field(k), Value::Composite(composite)) => {
                Arc::make_mut(composite).parts.get_mut(k as usize).ok_or_else(|| no_part(step))?
            }
            (PathElem::Elem(i), Value::Array(array)) => {
                if i >= array.len() {
                    return Err(outside(step, array));
                }
                let array = Arc::make_mut(array);
                if last && array.as_values().is_none() {
                    return Ok(WriteTarget::Elem(array, i));
                }
                let values = array.to_values_mut();
                values.and_then(|values| values.get_mut(i)).ok_or_else(|| no_part(step))?
            }
            (PathElem::Slice(from, to), Value::Array(array)) => {
                let array = Arc::make_mut(array);
                if !last || from > to || to > array.len() {
                    return Err(outside(step, array));
                }
                return Ok(WriteTarget::Slice(array, from, to));
            }
            _ => return Err(no_part(step)),
        };
    }
    Ok(WriteTarget::Stored(at))
}

pub(super) fn slice(array: &Array<'static>, from: usize, to: usize) -> Result<Value<'static>, Failure> {
    let elems = if array.rank() == 1 { Some(array.clone()) } else { array.clone().reshape(&[array.len()]) };
    let part = elems
        .and_then(|elems| elems.slice(from, to))
        .ok_or_else(|| outside(PathElem::Slice(from, to), array))?;
    Ok(Value::Array(Arc::new(part)))
}

#[cold]
pub(super) fn no_part(step: PathElem) -> Failure {
    let what = match step {
        PathElem::Flat { at, .. } => format!("no element {at}"),
        PathElem::FlatSlice { from, to, .. } | PathElem::Chunks { from, to, .. } => {
            format!("no elements {from}..{to}")
        }
        PathElem::Single | PathElem::View { .. } => "no such part".to_owned(),
        PathElem::Past(by) => {
            let message =
                format!("a pointer points {by} elements away from a place that is no element of an array");
            return Failure::new(FailureKind::Undefined, message);
        }
        PathElem::Field(k) => format!("no field {k}"),
        PathElem::Elem(i) => format!("no element {i}"),
        PathElem::Slice(from, to) => format!("no elements {from}..{to}"),
    };
    Failure::new(
        FailureKind::Type,
        format!("what a reference points into was freed, moved or changed: it has {what}"),
    )
}

#[cold]
pub(super) fn misfit() -> Failure {
    Failure::new(FailureKind::Type, "a value does not fit the place that a reference points to")
}

impl std::fmt::Debug for CellRef {
    /// Shows the path but not the content, which may contain a reference to the cell.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ref{:?}", self.path())
    }
}

/// The failure of an access as one type to a place that contains another one.
#[cold]
pub(crate) fn changed_variant(accessed: Ty, contained: Ty) -> Failure {
    let message = format!(
        "this is not a value of type `{accessed}` but of type `{contained}`: the enum around it has changed its variant"
    );
    Failure::new(FailureKind::Undefined, message)
}
