//! The memory limit: an upper estimate that is corrected by measuring.
//!
//! Counting what is freed would need a hook in every drop. Instead the meter adds up what is allocated; when the sum
//! passes the limit, or twice what was alive when it was measured last, it walks the values that are alive and goes on
//! from what they take. So a walk costs no more than a constant part of the allocations since the last one.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::failure::Failure;
use crate::limits::{Held, Left, Limit};
use crate::ops::{self, OpDef};
use crate::types::{Ty, TyKind};
use crate::value::{CellRef, Value};

/// The size of a value's own slot.
const SLOT: usize = size_of::<Value<'static>>();

/// Fewer bytes are not measured before they pass the limit.
const FEW: usize = 1 << 20;

pub(super) struct Meter {
    limit: Option<Left<usize>>,
    estimate: usize,
    /// Beyond this it is time to measure.
    measured_beyond: usize,
}

impl Meter {
    pub(super) fn new(limit: Option<Left<usize>>) -> Meter {
        let measured_beyond = limit.map_or(usize::MAX, |limit| limit.left.min(FEW));
        Meter { limit, estimate: 0, measured_beyond }
    }

    pub(super) fn is_on(&self) -> bool {
        self.limit.is_some()
    }

    /// The bytes that are alive, or more.
    pub(super) fn estimate(&self) -> usize {
        self.estimate
    }

    /// Adds `bytes`; says whether it is time to measure.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        self.estimate = self.estimate.saturating_add(bytes);
        self.estimate.saturating_add(Held::bytes()) > self.measured_beyond
    }

    /// The size of the first operand of an operation that returns a `ret`, if the result may be that operand, changed.
    pub(super) fn before(&self, op: &OpDef, ret: Ty, operands: &[Value<'_>]) -> Before {
        match operands.first().filter(|_| self.is_on() && !is_scalar(ret)) {
            Some(_) if MOVES.contains(&op) => Before::Moved,
            Some(first) => Before::Made { address: address(first), bytes: shallow_bytes(first) },
            None => Before::Moved,
        }
    }

    /// Measures what is alive, fails if that and `more` pass the limit.
    pub(super) fn measure<'c>(
        &mut self,
        alive: &[Value<'_>],
        cells: impl Iterator<Item = &'c CellRef>,
        more: usize,
    ) -> Result<(), Failure> {
        let Some(Left { left, limit }) = self.limit else { return Ok(()) };
        self.estimate = std::mem::size_of_val(alive).saturating_add(measured(alive, cells));
        self.estimate = self.estimate.saturating_add(more);
        let held = Held::bytes();
        self.measured_beyond = left.min(self.estimate.saturating_add(held).max(FEW / 2).saturating_mul(2));
        if self.estimate.saturating_add(held) > left {
            return Err(Failure::of_limit(Limit::Memory(limit)));
        }
        Ok(())
    }
}

/// Operations whose results are parts of what was there before.
const MOVES: &[&OpDef] = &[&ops::FIELD, &ops::PAYLOAD, &ops::GET, &ops::GET_UNCHECKED, &ops::SELECT];

/// What there was before a result was stored.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// The result itself.
    Moved,
    /// The first operand, which an operation may have changed in place.
    Made { address: Option<*const ()>, bytes: usize },
}

impl Before {
    /// What a result takes that nothing took before.
    pub(super) fn more_in(self, result: &Value<'_>) -> usize {
        match self {
            Before::Moved => 0,
            // The value existed before.
            Before::Made { .. } if is_shared(result) => 0,
            Before::Made { address: Some(at), bytes } if address(result) == Some(at) => {
                shallow_bytes(result).saturating_sub(bytes)
            }
            Before::Made { .. } => shallow_bytes(result),
        }
    }
}

/// Whether values of a type take their slot only.
fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_))
}

/// Whether a value has another owner.
fn is_shared(value: &Value<'_>) -> bool {
    match value {
        Value::Composite(composite) => Arc::strong_count(composite) > 1,
        Value::Closure(closure) => Arc::strong_count(closure) > 1,
        Value::Stack(elems) => Arc::strong_count(elems) > 1,
        Value::Array(array) => Arc::strong_count(array) > 1 || array.bytes_to_write() > 0,
        Value::Str(text) => Arc::strong_count(text) > 1,
        _ => false,
    }
}

/// Where a value lies, if it is counted.
fn address(value: &Value<'_>) -> Option<*const ()> {
    match value {
        Value::Composite(composite) => Some(Arc::as_ptr(composite).cast()),
        Value::Closure(closure) => Some(Arc::as_ptr(closure).cast()),
        Value::Stack(elems) => Some(Arc::as_ptr(elems).cast()),
        Value::Array(array) => Some(array.buffer_address()),
        Value::Str(text) => Some(Arc::as_ptr(text).cast()),
        _ => None,
    }
}

/// How many bytes values take, with all that they lead to, each counted once.
///
/// ```
/// use overdub_context::interp::bytes_of;
/// use overdub_context::value::Value;
/// assert!(bytes_of(&[Value::floats(vec![0.0; 1000])]) >= 8000);
/// assert!(bytes_of(&[Value::F64(1.0)]) < 100);
/// ```
pub fn bytes_of(values: &[Value<'_>]) -> usize {
    size_of_val(values) + measured(values, std::iter::empty::<&CellRef>())
}

/// What values and cells take besides their slots, and all that they lead to, each counted once.
fn measured<'c>(alive: &[Value<'_>], cells: impl Iterator<Item = &'c CellRef>) -> usize {
    measured_beside(&mut HashSet::new(), alive, cells)
}

/// The same without what is in `seen`, to which it is added.
pub(super) fn measured_beside<'c>(
    seen: &mut HashSet<*const ()>,
    alive: &[Value<'_>],
    cells: impl Iterator<Item = &'c CellRef>,
) -> usize {
    let mut cells: Vec<CellRef> = cells.cloned().collect();
    let mut bytes = walk(alive, seen, &mut cells);
    while let Some(cell) = cells.pop() {
        if seen.insert(cell.address()) {
            let content = cell.with(|content| content.clone());
            let content = std::slice::from_ref(&content);
            bytes = bytes.saturating_add(SLOT).saturating_add(walk(content, seen, &mut cells));
        }
    }
    bytes
}

/// The size of a value without the contents of its cells, which are added to `cells`.
fn walk(alive: &[Value<'_>], seen: &mut HashSet<*const ()>, cells: &mut Vec<CellRef>) -> usize {
    let mut bytes = 0_usize;
    let mut pending: Vec<&Value<'_>> = alive.iter().collect();
    while let Some(value) = pending.pop() {
        let parts: &[Value<'_>] = match value {
            Value::Composite(composite) => &composite.parts,
            Value::Closure(closure) => &closure.captures,
            Value::Stack(elems) => elems,
            Value::Array(array) => array.as_values().unwrap_or_default(),
            Value::Str(_) => &[],
            Value::Ref(reference) => {
                cells.push(CellRef::clone(reference));
                continue;
            }
            _ => continue,
        };
        if address(value).is_none_or(|address| seen.insert(address)) {
            bytes = bytes.saturating_add(shallow_bytes(value));
            pending.extend(parts);
        }
    }
    bytes
}

/// What a value takes besides its slot, without what its parts take besides theirs.
fn shallow_bytes(value: &Value<'_>) -> usize {
    match value {
        Value::Str(text) => text.capacity() + 2 * SLOT,
        Value::Composite(composite) => (composite.parts.len().max(3) + 3) * SLOT,
        Value::Closure(closure) => (closure.captures.len().max(3) + 3) * SLOT,
        Value::Stack(elems) => (elems.len() + 2) * SLOT,
        Value::Array(array) => array.bytes(),
        Value::I128(_) | Value::U128(_) | Value::Ref(_) | Value::Opaque(_) => 4 * SLOT,
        Value::Unit | Value::Bool(_) | Value::Char(_) | Value::Int(_) | Value::F32(_) | Value::F64(_) => 0,
    }
}
