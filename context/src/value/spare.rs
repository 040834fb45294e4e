//! Memory behind the elements of a vector, within its capacity: values that were written there through pointers.
//!
//! - SPARE1 only an array in a cell has such values, and no value that is read or moved out of the cell takes
//!   them along. So no edit of an array can make them stale: edits happen outside of cells.
//! - SPARE2 `set_len` may declare elements that nothing was written to, of scalar types. They are behind the others
//!   until all before them are written; until then a part of them can be read, but not the whole vector.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cell::{misfit, no_part};
use super::holes::uninitialised_read;
use super::pointer::Path;
use super::pointer_access::{read, write};
use super::{Array, Composite, Parts, PathElem, Value};
use crate::failure::Failure;
use crate::types::{Ty, TyKind};

/// The memory behind the elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    /// The values by their index, which is not less than the length; a hole where nothing was written.
    values: BTreeMap<usize, Value<'static>>,
    /// The length that was declared, if elements are missing (SPARE2).
    declared: Option<usize>,
}

/// Whether any array may have such values: reading from cells searches for them only then.
static IN_USE: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The number of values behind elements that this thread wrote since the last operation asked.
    static NEW: Cell<usize> = const { Cell::new(0) };
}

/// An upper estimate of the bytes of one value and its entry in the map.
const ENTRY: usize = 2 * (size_of::<usize>() + size_of::<Value<'static>>());

/// The bytes of the values behind elements that this thread wrote since the last call.
pub(crate) fn new_spare_bytes() -> usize {
    if IN_USE.load(Ordering::Relaxed) { NEW.take() * ENTRY } else { 0 }
}

impl Array<'_> {
    /// The size in bytes of the memory behind the elements, without what its values refer to.
    pub(super) fn spare_bytes(&self) -> usize {
        self.spare.as_ref().map_or(0, |spare| spare.values.len() * ENTRY)
    }

    /// The values behind the elements.
    pub(crate) fn spare_values(&self) -> impl Iterator<Item = &Value<'static>> {
        self.spare.iter().flat_map(|spare| spare.values.values())
    }
}

impl Array<'static> {
    /// Whether a step from the array leads, at least in part, behind its elements, but not beyond its capacity.
    pub(super) fn is_spare(&self, step: PathElem) -> bool {
        let within =
            |from: usize, to: usize| from <= to && to > self.len() && to <= self.capacity && self.rank() == 1;
        match step {
            PathElem::Elem(at) => at.checked_add(1).is_some_and(|end| within(at, end)),
            PathElem::Slice(from, to) => within(from, to),
            _ => false,
        }
    }

    /// The value behind the elements at an index; none if nothing was written there.
    pub(super) fn spare(&self, at: usize) -> Option<&Value<'static>> {
        self.spare.as_ref()?.values.get(&at)
    }

    /// The place behind the elements at an index.
    pub(super) fn spare_mut(&mut self, at: usize) -> &mut Value<'static> {
        IN_USE.store(true, Ordering::Relaxed);
        let spare = self.spare.get_or_insert_default();
        Arc::make_mut(spare).values.entry(at).or_insert_with(|| {
            NEW.set(NEW.get() + 1);
            Value::Unit
        })
    }

    /// Changes the length without touching the memory: elements that are cut off stay behind the others, and
    /// what was written behind them is included. If it `declares`, the others are missing until they are written
    /// (SPARE2). Returns the new length, which is less than `len` if nothing was written behind the elements; `None` if
    /// the array is no vector, or a value is not of the element type.
    pub(super) fn set_len(&mut self, len: usize, declares: bool) -> Option<usize> {
        let old = self.len();
        let mut spare = self.spare.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        if len < old {
            IN_USE.store(true, Ordering::Relaxed);
            spare.values.extend((len..old).filter_map(|at| Some((at, self.get(at)?))));
            self.capacity = self.capacity.max(old);
            self.truncate(len)?;
        }
        spare.declared = Some(len);
        self.spare = Some(Arc::new(spare));
        self.include_written()?;
        let missing = self.len() < len;
        if let Some(spare) = &mut self.spare {
            IN_USE.store(true, Ordering::Relaxed);
            Arc::make_mut(spare).declared = (missing && declares).then_some(len);
        }
        self.spare = self.spare.take().filter(|spare| !spare.values.is_empty() || spare.declared.is_some());
        Some(if declares { len } else { self.len() })
    }

    /// Appends what was written behind the elements, up to the declared length or to the first that is missing.
    fn include_written(&mut self) -> Option<()> {
        let Some(len) = self.spare.as_ref().and_then(|spare| spare.declared) else { return Some(()) };
        let mut spare = self.spare.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        let is_unit = self.elem_ty() == Ty::unit();
        while self.len() < len {
            match spare.values.remove(&self.len()) {
                Some(Value::Unit) | None if !is_unit => break,
                None => break,
                Some(value) => self.push(value)?,
            }
        }
        spare.declared = (self.len() < len).then_some(len);
        let is_used = !spare.values.is_empty() || spare.declared.is_some();
        self.spare = is_used.then(|| Arc::new(spare));
        Some(())
    }
}

impl Array<'_> {
    /// The number of elements, with those that are declared but missing (SPARE2).
    pub(crate) fn declared_len(&self) -> usize {
        self.spare.as_ref().and_then(|spare| spare.declared).unwrap_or_else(|| self.len())
    }
}

impl<'a> Array<'a> {
    /// The array in another allocation of this capacity.
    pub(super) fn moved_to(mut self, capacity: usize) -> Array<'a> {
        let _ = self.truncate(capacity);
        if let Some(spare) = &mut self.spare {
            Arc::make_mut(spare).values.retain(|at, _| *at < capacity);
        }
        Array { capacity, allocation: 0, ..self }
    }
}

impl<'a> Array<'a> {
    /// The array with this capacity, in another allocation if its capacity was another one.
    pub(crate) fn grown_to(self, capacity: usize) -> Array<'a> {
        let is_moved = self.capacity.max(self.len()) != capacity.max(self.len());
        let allocation = if is_moved { 0 } else { self.allocation };
        Array { allocation, ..self.with_capacity(capacity) }
    }
}

/// A value that is read or moved out of a cell (SPARE1).
///
/// # Errors
/// If it contains a vector with missing elements (SPARE2).
pub(super) fn without_spare(value: Value<'static>) -> Result<Value<'static>, Failure> {
    if IN_USE.load(Ordering::Relaxed) { removed(value) } else { Ok(value) }
}

fn has_spare(value: &Value<'static>) -> bool {
    match value {
        Value::Array(array) => {
            // Elements that an executor packed came from outside of a cell.
            let elems = if array.is_packed() { None } else { array.as_values() };
            array.spare.is_some() || elems.is_some_and(|elems| elems.iter().any(has_spare))
        }
        Value::Composite(composite) => composite.parts.iter().any(has_spare),
        _ => false,
    }
}

fn removed(value: Value<'static>) -> Result<Value<'static>, Failure> {
    if !has_spare(&value) {
        return Ok(value);
    }
    match value {
        Value::Array(array) if array.declared_len() > array.len() => Err(unwritten()),
        Value::Array(array) => {
            let mut array = Array { spare: None, ..Arc::unwrap_or_clone(array) };
            if array.iter().any(|elem| has_spare(&elem))
                && let Some(elems) = array.to_values_mut()
            {
                for elem in elems {
                    *elem = removed(elem.take())?;
                }
            }
            Ok(Value::Array(Arc::new(array)))
        }
        Value::Composite(mut composite) => {
            for part in Arc::make_mut(&mut composite).parts.iter_mut() {
                *part = removed(part.take())?;
            }
            Ok(Value::Composite(composite))
        }
        value => Ok(value),
    }
}

/// Whether a path leads from an array behind its elements, within its capacity.
pub(super) fn is_spare(at: &Value<'static>, path: &[PathElem]) -> bool {
    matches!((at, path.first()), (Value::Array(array), Some(step)) if array.is_spare(*step))
}

/// The cast of each element in a cast of an array.
fn of_elements(cast: PathElem) -> Option<PathElem> {
    let PathElem::View { from, to, same_size } = cast else { return None };
    Some(PathElem::View { from: from.as_array()?.elem, to: to.as_array()?.elem, same_size })
}

/// Reads a value behind the elements of an array.
pub(super) fn read_spare(
    array: &Array<'static>,
    step: PathElem,
    rest: &[PathElem],
) -> Result<Value<'static>, Failure> {
    match step {
        PathElem::Elem(at) => read(array.spare(at).unwrap_or(&Value::Unit), rest),
        // A part that was not written can be read as `MaybeUninit` only.
        PathElem::Slice(from, to) => {
            let cast = rest.first().and_then(|cast| of_elements(*cast));
            let elem = match cast {
                Some(PathElem::View { to, .. }) => to,
                _ => array.elem_ty(),
            };
            let elems = (from..to).map(|at| match array.get(at) {
                Some(elem) => read(&elem, cast.as_slice()),
                None => read_spare(array, PathElem::Elem(at), cast.as_slice()),
            });
            let elems = elems.collect::<Result<Vec<_>, _>>()?;
            let elems = Array::from_values(elem, elems).filter(|elems| {
                elem == Ty::unit() || elems.as_values().is_none_or(|all| !all.iter().any(is_hole))
            });
            let rest = &rest[usize::from(cast.is_some())..];
            read(&Value::Array(Arc::new(elems.ok_or_else(unwritten)?)), rest)
        }
        _ => Err(no_part(step)),
    }
}

/// Replaces a value behind the elements of an array.
pub(super) fn write_spare(
    place: &mut Value<'static>,
    step: PathElem,
    rest: &[PathElem],
    value: Value<'static>,
) -> Result<Value<'static>, Failure> {
    match (step, &mut *place, value) {
        (PathElem::Elem(at), Value::Array(array), value) => {
            let array = Arc::make_mut(array);
            let elem = array.elem_ty();
            let slot = array.spare_mut(at);
            if is_hole(slot) && matches!(rest.first(), Some(PathElem::Field(_))) {
                *slot = fields_of_holes(elem, 0);
            }
            let before = write(slot, rest, value)?;
            array.include_written().ok_or_else(misfit)?;
            Ok(before)
        }
        (PathElem::Slice(from, to), _, Value::Array(part)) if part.len() == to - from => {
            let cast = match rest {
                [] => None,
                [cast] => Some(of_elements(*cast).ok_or_else(|| no_part(step))?),
                _ => return Err(no_part(step)),
            };
            for (elem, at) in part.iter().zip(from..) {
                let steps: Path = [PathElem::Elem(at)].into_iter().chain(cast).collect();
                write(place, &steps, elem)?;
            }
            Ok(Value::Unit)
        }
        _ => Err(no_part(step)),
    }
}

/// A struct or tuple none of whose fields were written, so that each can be; a hole for other types.
fn fields_of_holes(ty: Ty, depth: usize) -> Value<'static> {
    /// The maximal nesting depth of fields that can be written one by one.
    const DEEPEST: usize = 16;
    let own_ty = match ty.kind() {
        TyKind::Tuple(_) => None,
        TyKind::Struct(_) => Some(ty),
        _ => return Value::Unit,
    };
    if depth > DEEPEST {
        return Value::Unit;
    }
    let fields = ty.parts(0).unwrap_or_default();
    let parts = Parts::from_iter(fields.into_iter().map(|field| fields_of_holes(field, depth + 1)));
    Value::Composite(Arc::new(Composite { ty: own_ty, tag: 0, parts }))
}

fn is_hole(value: &Value<'static>) -> bool {
    matches!(value, Value::Unit)
}

#[cold]
fn unwritten() -> Failure {
    uninitialised_read("")
}
