//! The memory limit: an upper estimate that is corrected by measuring when it reaches the limit.
//!
//! Counting what is freed would need a hook in every drop. Instead the meter adds up what is allocated; when the
//! sum passes the limit, it walks the values that are alive and goes on from what they take.

use hashbrown::HashSet;

use crate::failure::{Failure, FailureKind};
use crate::value::Value;

/// The size of a value's own slot.
const SLOT: usize = size_of::<Value<'static>>();

pub(super) struct Meter {
    limit: Option<usize>,
    estimate: usize,
}

impl Meter {
    pub(super) fn new(limit: Option<usize>) -> Meter {
        Meter { limit, estimate: 0 }
    }

    pub(super) fn is_on(&self) -> bool {
        self.limit.is_some()
    }

    /// Adds `bytes`; says whether it is time to measure.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        self.estimate = self.estimate.saturating_add(bytes);
        self.limit.is_some_and(|limit| self.estimate > limit)
    }

    /// Measures what is alive, fails if that and `more` pass the limit.
    pub(super) fn measure(&mut self, alive: &[Value<'_>], more: usize) -> Result<(), Failure> {
        let Some(limit) = self.limit else { return Ok(()) };
        let mut bytes = std::mem::size_of_val(alive);
        let mut seen = HashSet::new();
        let mut pending: Vec<&Value<'_>> = alive.iter().collect();
        let mut cells = Vec::new();
        while let Some(value) = pending.pop() {
            let (address, parts): (*const (), &[Value<'_>]) = match value {
                Value::Composite(composite) => (std::sync::Arc::as_ptr(composite).cast(), &composite.parts),
                Value::Closure(closure) => (std::sync::Arc::as_ptr(closure).cast(), &closure.captures),
                Value::Stack(elems) => (std::sync::Arc::as_ptr(elems).cast(), elems),
                Value::Array(array) => {
                    let parts = array.as_values().unwrap_or_default();
                    (std::sync::Arc::as_ptr(array).cast(), parts)
                }
                Value::Str(text) => (std::sync::Arc::as_ptr(text).cast(), &[]),
                Value::Ref(reference) => {
                    cells.push(reference);
                    continue;
                }
                _ => continue,
            };
            if seen.insert(address) {
                bytes += shallow_bytes(value);
                pending.extend(parts);
            }
        }
        bytes += cells.iter().map(|cell| cell.with(|content| shallow_bytes(content))).sum::<usize>();
        self.estimate = bytes.saturating_add(more);
        if self.estimate > limit {
            let message = format!("out of memory: the limit is {limit} bytes");
            return Err(Failure::new(FailureKind::MemoryLimit, message));
        }
        Ok(())
    }
}

/// What a value takes besides its slot, without what its parts take besides theirs.
pub(super) fn shallow_bytes(value: &Value<'_>) -> usize {
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
