//! Mutable cells, and references to them and to parts of what they hold.
//!
//! - A part is found by walking the path from the cell's content; nothing on the way is copied unless it is written
//!   while another value shares it.
//! - A slice can only be the last step: a step into a slice is a step into the array.
//! - Elements are counted in row-major order, whatever the shape.
//! - A part that was moved out leaves a hole, `()`; a path into a hole is a failure.

use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::pointer::outside;
use super::{Array, Value};
use crate::failure::{Failure, FailureKind};
use crate::types::Ty;

/// A reference into a mutable cell: the cell, and the way from its content to the part.
///
/// Copies refer to the same cell. Rust's borrow rules make sure that nobody sees a part while another changes it.
#[derive(Clone)]
pub struct CellRef {
    pub(super) cell: Arc<Mutex<Value<'static>>>,
    pub(super) path: SmallVec<[Step; 2]>,
    /// Whether it was made from a shared reference: nothing is written through it.
    pub(super) read_only: bool,
    /// Whether it is a raw pointer: what was moved out is not replaced through it.
    pub(super) is_raw: bool,
    /// For a raw pointer into an array: how many steps lead to the array, and its allocation.
    pub(super) within: Option<(u32, u64)>,
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A field of a tuple, struct or variant.
    Field(u32),
    /// An element of an array.
    Elem(usize),
    /// The elements `from .. to` of an array, as a vector.
    Slice(usize, usize),
    /// An element of an array of arrays that all have `row` elements, counted through all of them.
    Flat {
        /// Which element.
        at: usize,
        /// How many elements each inner array has.
        row: usize,
    },
    /// The elements `from .. to` of an array of arrays, counted and numbered as for [`Step::Flat`], as a vector.
    FlatSlice {
        /// The first element.
        from: usize,
        /// The one after the last.
        to: usize,
        /// How many elements each inner array has.
        row: usize,
    },
    /// A place that is no element as a vector of one.
    Single,
    /// So many places away from one that is no element: a pointer may point there, but nothing is read or written.
    Past(isize),
    /// What lies there, of type `from`, as a `to` with the same layout in memory.
    View {
        /// The type of what lies there.
        from: Ty,
        /// The type that it is read and written as.
        to: Ty,
        /// Whether pointers to both move by the same number of bytes.
        same_size: bool,
    },
}

impl Step {
    /// Whether references take it; the others are those of raw pointers.
    pub(super) fn is_of_references(self) -> bool {
        matches!(self, Step::Field(_) | Step::Elem(_) | Step::Slice(..))
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
            within: None,
        }
    }

    /// The reference one step further in.
    #[must_use]
    pub fn step(&self, step: Step) -> CellRef {
        let mut path = self.path.clone();
        super::pointer::extend(&mut path, step);
        CellRef { path, ..self.clone_without_path() }
    }

    /// The same part of another cell.
    pub(crate) fn in_cell(&self, cell: &CellRef) -> CellRef {
        CellRef { cell: cell.cell.clone(), ..self.clone() }
    }

    /// The way from the cell's content to the part.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// Whether both refer to one cell.
    pub fn same_cell(&self, other: &CellRef) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell)
    }

    /// What tells its cell from others.
    pub(crate) fn address(&self) -> *const () {
        Arc::as_ptr(&self.cell).cast()
    }

    /// Runs `f` on the content of the whole cell; it may not reach for the same cell again.
    pub fn with<R>(&self, f: impl FnOnce(&mut Value<'static>) -> R) -> R {
        f(&mut self.cell.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The part it refers to; a slice is a view.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn get(&self) -> Result<Value<'static>, Failure> {
        self.look(|part| match part {
            ReadTarget::Whole(value) => value.clone(),
            ReadTarget::Made(value) => value,
        })
        .and_then(|value| {
            if super::pointer::is_freed(&value) { Err(super::pointer::freed_used()) } else { Ok(value) }
        })
    }

    /// Runs `f` on the part it refers to, without copying it; it may not reach for the same cell again.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn read<R>(&self, f: impl FnOnce(&Value<'static>) -> R) -> Result<R, Failure> {
        self.look(|part| match part {
            ReadTarget::Whole(value) => f(value),
            ReadTarget::Made(value) => f(&value),
        })
    }

    /// Puts a value in the place of the part; the elements of an array in the place of a slice of as many.
    ///
    /// # Errors
    /// If there is no such part, or the value does not fit there.
    pub fn set(&self, value: Value<'static>) -> Result<(), Failure> {
        self.check_writable()?;
        if !self.is_reference() {
            let path = &self.path;
            let before = self.with(|content| {
                self.check_allocation(content)?;
                super::pointer::write(content, path, value)
            })?;
            drop(before);
            return Ok(());
        }
        let before = self.with(|content| match self.find(content)? {
            WriteTarget::Whole(Value::Unit) if self.is_raw && !matches!(value, Value::Unit) => {
                Err(super::pointer::moved())
            }
            WriteTarget::Whole(place) if super::pointer::is_freed(place) => Err(super::pointer::freed_used()),
            WriteTarget::Whole(place) => Ok(std::mem::replace(place, value)),
            WriteTarget::Elem(array, at) => array.set(at, value).ok_or_else(misfit).map(|()| Value::Unit),
            WriteTarget::Slice(array, from, to) => match &value {
                Value::Array(part) if part.len() == to - from => {
                    array.set_slice(from, part).ok_or_else(misfit).map(|()| Value::Unit)
                }
                _ => Err(misfit()),
            },
        })?;
        // What was there may hold the last reference to another cell: it goes after this one is unlocked.
        drop(before);
        Ok(())
    }

    /// Moves the part out and leaves a hole; scalars in arrays and slices stay where they are.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn take(&self) -> Result<Value<'static>, Failure> {
        self.check_writable()?;
        if !self.is_reference() {
            return self.get();
        }
        self.with(|content| match self.find(content)? {
            WriteTarget::Whole(place) if super::pointer::is_freed(place) => Err(super::pointer::freed_used()),
            WriteTarget::Whole(place) => Ok(place.take()),
            WriteTarget::Elem(array, at) => array.get(at).ok_or_else(|| no_part(Step::Elem(at))),
            WriteTarget::Slice(array, from, to) => slice(array, from, to),
        })
    }

    fn clone_without_path(&self) -> CellRef {
        CellRef { cell: self.cell.clone(), path: SmallVec::new(), ..*self }
    }

    /// Where in the content it points to.
    fn find<'v>(&self, content: &'v mut Value<'static>) -> Result<WriteTarget<'v>, Failure> {
        self.check_allocation(content)?;
        find(content, &self.path)
    }

    /// Whether its way is one that references take: no step is one of raw pointers.
    fn is_reference(&self) -> bool {
        self.path.iter().all(|step| step.is_of_references())
    }

    /// Why a part was not found: a null pointer and a freed cell have none.
    #[cold]
    fn explained(&self, failure: Failure) -> Failure {
        if self.is_null() {
            super::pointer::null_used()
        } else if self.with(|content| super::pointer::is_freed(content)) {
            super::pointer::freed_used()
        } else {
            failure
        }
    }

    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        match self.read_only {
            true if self.is_null() => Err(super::pointer::null_used()),
            true => Err(super::pointer::not_writable()),
            false => Ok(()),
        }
    }

    fn look<R>(&self, f: impl FnOnce(ReadTarget<'_>) -> R) -> Result<R, Failure> {
        if !self.is_reference() {
            return self
                .with(|content| {
                    self.check_allocation(content)?;
                    super::pointer::read(content, &self.path)
                })
                .map(|value| f(ReadTarget::Made(value)))
                .map_err(|failure| self.explained(failure));
        }
        self.with(|content| {
            self.check_allocation(content)?;
            let mut at: &Value<'static> = content;
            let mut steps = self.path.iter();
            while let Some(&step) = steps.next() {
                let part = match (step, at) {
                    (Step::Field(k), Value::Composite(composite)) => composite.parts.get(k as usize),
                    (Step::Elem(i), Value::Array(array)) => match array.as_values() {
                        Some(values) => Some(values.get(i).ok_or_else(|| outside(step, array))?),
                        None if steps.len() == 0 => {
                            return array
                                .get(i)
                                .map(|elem| f(ReadTarget::Made(elem)))
                                .ok_or_else(|| outside(step, array));
                        }
                        None => None,
                    },
                    (Step::Slice(from, to), Value::Array(array)) if steps.len() == 0 => {
                        return Ok(f(ReadTarget::Made(slice(array, from, to)?)));
                    }
                    _ => None,
                };
                at = part.ok_or_else(|| no_part(step))?;
            }
            Ok(f(ReadTarget::Whole(at)))
        })
    }
}

/// A part of a cell's content, to be read.
enum ReadTarget<'v> {
    Whole(&'v Value<'static>),
    Made(Value<'static>),
}

/// Where a part of a cell's content is, to be written.
enum WriteTarget<'v> {
    Whole(&'v mut Value<'static>),
    Elem(&'v mut Array<'static>, usize),
    Slice(&'v mut Array<'static>, usize, usize),
}

fn find<'v>(mut at: &'v mut Value<'static>, path: &[Step]) -> Result<WriteTarget<'v>, Failure> {
    for (i, &step) in path.iter().enumerate() {
        let last = i + 1 == path.len();
        at = match (step, at) {
            (Step::Field(k), Value::Composite(composite)) => {
                Arc::make_mut(composite).parts.get_mut(k as usize).ok_or_else(|| no_part(step))?
            }
            (Step::Elem(i), Value::Array(array)) => {
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
            (Step::Slice(from, to), Value::Array(array)) => {
                let array = Arc::make_mut(array);
                if !last || from > to || to > array.len() {
                    return Err(outside(step, array));
                }
                return Ok(WriteTarget::Slice(array, from, to));
            }
            _ => return Err(no_part(step)),
        };
    }
    Ok(WriteTarget::Whole(at))
}

pub(super) fn slice(array: &Array<'static>, from: usize, to: usize) -> Result<Value<'static>, Failure> {
    let elems = if array.rank() == 1 { Some(array.clone()) } else { array.clone().reshape(&[array.len()]) };
    let part =
        elems.and_then(|elems| elems.slice(from, to)).ok_or_else(|| outside(Step::Slice(from, to), array))?;
    Ok(Value::Array(Arc::new(part)))
}

#[cold]
pub(super) fn no_part(step: Step) -> Failure {
    let what = match step {
        Step::Flat { at, .. } => format!("no element {at}"),
        Step::FlatSlice { from, to, .. } => format!("no elements {from}..{to}"),
        Step::Single | Step::View { .. } => "no such part".to_owned(),
        Step::Past(by) => {
            let message =
                format!("a pointer points {by} elements away from a place that is no element of an array");
            return Failure::new(FailureKind::Undefined, message);
        }
        Step::Field(k) => format!("no field {k}"),
        Step::Elem(i) => format!("no element {i}"),
        Step::Slice(from, to) => format!("no elements {from}..{to}"),
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
    /// Shows the path but not the content, which may refer to the cell again.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ref{:?}", self.path())
    }
}
