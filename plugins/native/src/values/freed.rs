//! Freeing values and tapes. In the checking mode their blocks are overwritten and quarantined (CHECKMODE4).

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::value::{Array, CellRef, Opaque, Value};

use crate::abi::layout::Elem;
use crate::checks::{self, Dead, ON, Overwritten, POISON};
use crate::values::packed_elements::PackedElements;
use crate::values::scalars;
use crate::values::tape::Tape;

/// Frees a tape that has no owners.
#[inline(always)]
pub(crate) fn drop_tape(tape: Box<Tape>) {
    if ON {
        quarantine_tape(tape);
    } else {
        drop(tape);
    }
}

/// Drops a value that compiled code released; a block without other owners is quarantined (CHECKMODE4).
#[inline(always)]
pub(crate) fn drop_value(value: Value<'static>) {
    if ON {
        quarantine_value(value);
    } else {
        drop(value);
    }
}

/// Drops a value; a block without other owners is quarantined.
fn quarantine_value(mut value: Value<'static>) {
    if let Some(word) = poison(&mut value) {
        drop(checks::quarantine(word, Dead::Value(value, is_poisoned)));
    }
}

/// Quarantines a tape without owners.
fn quarantine_tape(mut tape: Box<Tape>) {
    tape.poison();
    let word = &raw const *tape as usize as u64;
    drop(checks::quarantine(word, Dead::Other(tape)));
}

impl Overwritten for Tape {
    fn bytes(&self) -> usize {
        Tape::bytes(self)
    }

    fn is_unchanged(&self) -> bool {
        self.is_poisoned()
    }
}

/// Overwrites a block without other owners and drops its contents; returns its word, or `None` if it has
/// other owners.
fn poison(value: &mut Value<'static>) -> Option<u64> {
    let word = match value {
        Value::Str(text) => {
            let unique = Arc::get_mut(text)?;
            *unique = "freed".into();
            Arc::as_ptr(text) as usize
        }
        Value::Composite(composite) => {
            drop(std::mem::take(&mut Arc::get_mut(composite)?.parts));
            Arc::as_ptr(composite) as usize
        }
        Value::Closure(closure) => {
            drop(std::mem::take(&mut Arc::get_mut(closure)?.captures));
            Arc::as_ptr(closure) as usize
        }
        Value::Stack(elems) => {
            drop(std::mem::take(Arc::get_mut(elems)?));
            Arc::as_ptr(elems) as usize
        }
        Value::Array(array) => {
            poison_array(Arc::get_mut(array)?);
            Arc::as_ptr(array) as usize
        }
        Value::Ref(reference) => {
            **reference = CellRef::new(Value::Unit);
            &raw const **reference as usize
        }
        Value::Opaque(opaque) => {
            **opaque = Opaque { name: Symbol::new("freed"), value: Box::new(()) };
            &raw const **opaque as usize
        }
        Value::I128(n) => {
            **n = i128::from(POISON);
            &raw const **n as usize
        }
        Value::U128(n) => {
            **n = u128::from(POISON);
            &raw const **n as usize
        }
        Value::Unit | Value::Bool(_) | Value::Char(_) | Value::Int(_) | Value::F32(_) | Value::F64(_) => {
            return None;
        }
    };
    Some(word as u64)
}

/// Overwrites the elements of an array without other owners and drops them.
fn poison_array(array: &mut Array<'static>) {
    if array.bytes() == 0 || array.bytes_to_write() > 0 {
        // The elements are borrowed, or shared with another array.
        *array = Array::empty(array.elem_ty());
    } else if let Some(elem) = Elem::of(array.elem_ty()) {
        scalars::poison(elem, array);
    } else if array.as_packed::<PackedElements>().is_some() {
        // An empty slice shares its allocation although it has nothing to write.
        if array.edit_packed::<PackedElements, _>(|rows, _| (rows.poison(), ())).is_none() {
            *array = Array::empty(array.elem_ty());
        }
    } else if let Some(values) = array.to_values_mut() {
        values.iter_mut().for_each(|value| drop(value.take()));
    }
}

/// Whether the block of a value is unchanged since [`poison`].
fn is_poisoned(value: &Value<'static>) -> bool {
    let Value::Array(array) = value else { return true };
    match Elem::of(array.elem_ty()) {
        Some(elem) => array.bytes() == 0 || scalars::is_poisoned(elem, array),
        None => array.as_packed::<PackedElements>().is_none_or(|(rows, _)| rows.is_poisoned()),
    }
}
