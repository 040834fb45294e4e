//! The memory limit: an upper estimate that is corrected by measuring.
//!
//! Counting freed bytes would need a hook in every drop. Instead the meter adds up allocations; when the sum
//! exceeds the limit, or twice the live size at the last measurement, it walks the live values and continues
//! from their size. So the cost of a walk is at most proportional to the allocations since the last one.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::failure::Failure;
use crate::limits::{ExtraBytes, Left, Limit};
use crate::ops::{self, OpDef};
use crate::types::{Ty, TyKind};
use crate::value::{CellRef, Value};

/// The size of a value's own slot.
const SLOT: usize = size_of::<Value<'static>>();

/// Sizes below this are not measured until they exceed the limit.
const FEW: usize = 1 << 20;

pub(super) struct Meter {
    limit: Option<Left<usize>>,
    estimate: usize,
    /// The estimate above which the live values are measured.
    measure_threshold: usize,
}

impl Meter {
    pub(super) fn new(limit: Option<Left<usize>>) -> Meter {
        let measure_threshold = limit.map_or(usize::MAX, |limit| limit.left.min(FEW));
        Meter { limit, estimate: 0, measure_threshold }
    }

    pub(super) fn is_on(&self) -> bool {
        self.limit.is_some()
    }

    /// An upper estimate of the live bytes.
    pub(super) fn estimate(&self) -> usize {
        self.estimate
    }

    /// Adds `bytes`; returns whether the live values are to be measured.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        self.estimate = self.estimate.saturating_add(bytes);
        self.estimate.saturating_add(ExtraBytes::bytes()) > self.measure_threshold
    }

    /// The size of the first operand of an operation that returns a `ret`, if the result may be that operand, changed.
    pub(super) fn before(&self, op: &OpDef, ret: Ty, operands: &[Value<'_>]) -> Before {
        match operands.first().filter(|_| self.is_on() && !is_scalar(ret)) {
            Some(_) if MOVES.contains(&op) => Before::Moved,
            Some(first) => Before::Operand { address: address(first), bytes: shallow_bytes(first) },
            None => Before::Moved,
        }
    }

    /// Measures the live values; fails if their size plus `more` exceeds the limit.
    pub(super) fn measure<'c>(
        &mut self,
        live: &[Value<'_>],
        cells: impl Iterator<Item = &'c CellRef>,
        more: usize,
    ) -> Result<(), Failure> {
        let Some(Left { left, limit }) = self.limit else { return Ok(()) };
        self.estimate = std::mem::size_of_val(live).saturating_add(measured(live, cells));
        self.estimate = self.estimate.saturating_add(more);
        let extra = ExtraBytes::bytes();
        self.measure_threshold = left.min(self.estimate.saturating_add(extra).max(FEW / 2).saturating_mul(2));
        if self.estimate.saturating_add(extra) > left {
            return Err(Failure::of_limit(Limit::Memory(limit)));
        }
        Ok(())
    }
}

/// Operations whose results are parts of existing values.
const MOVES: &[&OpDef] = &[&ops::FIELD, &ops::PAYLOAD, &ops::GET, &ops::GET_UNCHECKED, &ops::SELECT];

/// The state before a result was stored.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// The result itself existed.
    Moved,
    /// The first operand, which the operation may have updated in place.
    Operand { address: Option<*const ()>, bytes: usize },
}

impl Before {
    /// The number of additional bytes that a result takes.
    pub(super) fn more_in(self, result: &Value<'_>) -> usize {
        match self {
            Before::Moved => 0,
            // The value already existed.
            Before::Operand { .. } if is_shared(result) => 0,
            Before::Operand { address: Some(at), bytes } if address(result) == Some(at) => {
                shallow_bytes(result).saturating_sub(bytes)
            }
            Before::Operand { .. } => shallow_bytes(result),
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

/// The address of a value, if it is counted.
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

/// The size in bytes of values and everything reachable from them, each counted once.
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

/// The size of values and cells besides their slots, and of everything reachable from them, each counted
/// once.
fn measured<'c>(live: &[Value<'_>], cells: impl Iterator<Item = &'c CellRef>) -> usize {
    measured_unseen(&mut HashSet::new(), live, cells)
}

/// Like [`measured`], but skips the addresses in `seen` and adds the new ones to it.
pub(super) fn measured_unseen<'c>(
    seen: &mut HashSet<*const ()>,
    live: &[Value<'_>],
    cells: impl Iterator<Item = &'c CellRef>,
) -> usize {
    let mut cells: Vec<CellRef> = cells.cloned().collect();
    let mut bytes = walk(live, seen, &mut cells);
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
fn walk(live: &[Value<'_>], seen: &mut HashSet<*const ()>, cells: &mut Vec<CellRef>) -> usize {
    let mut bytes = 0_usize;
    let mut pending: Vec<&Value<'_>> = live.iter().collect();
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
            if let Value::Array(array) = value {
                for behind in array.spare_values() {
                    bytes = bytes.saturating_add(walk(std::slice::from_ref(behind), seen, cells));
                }
            }
        }
    }
    bytes
}

/// The size of a value besides its slot, without its parts.
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
