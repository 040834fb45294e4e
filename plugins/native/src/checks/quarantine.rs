//! The quarantine of freed blocks, which are overwritten and kept, so that no other block reuses their address
//! (CHECKMODE4).

use std::collections::VecDeque;
use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::value::{Array, CellRef, Opaque, Value};

use super::{POISON, ledger};
use crate::abi::layout::Elem;
use crate::runtime::packed_elements::PackedElements;
use crate::runtime::tape::Tape;
use crate::runtime::vectors;

/// The capacity in blocks.
const MOST: usize = 512;

/// The capacity in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The freed blocks of a run, the oldest first.
pub(super) struct Quarantine {
    kept: VecDeque<Buried>,
    bytes: usize,
}

/// A block without an owner.
pub(super) enum Dead {
    Value(Value<'static>),
    Tape(Box<Tape>),
}

struct Buried {
    word: u64,
    block: Dead,
    bytes: usize,
    /// The site that freed it.
    by: usize,
}

impl Quarantine {
    pub(super) fn new() -> Quarantine {
        Quarantine { kept: VecDeque::with_capacity(MOST), bytes: 0 }
    }

    /// The site that freed a block, if it is in quarantine.
    pub(super) fn freed_by(&self, word: u64) -> Option<usize> {
        self.kept.iter().rev().find(|buried| buried.word == word).map(|buried| buried.by)
    }

    /// Adds a block; gives the oldest one if the quarantine is full.
    pub(super) fn add(&mut self, word: u64, block: Dead, by: usize) -> Option<Dead> {
        let bytes = match &block {
            Dead::Value(value) => value.as_array().map_or(0, Array::bytes),
            Dead::Tape(tape) => tape.bytes(),
        };
        if bytes > MOST_BYTES - self.bytes {
            return Some(block);
        }
        let oldest = if self.kept.len() == MOST { self.kept.pop_front() } else { None };
        self.bytes -= oldest.as_ref().map_or(0, |buried| buried.bytes);
        self.bytes += bytes;
        self.kept.push_back(Buried { word, block, bytes, by });
        oldest.map(|buried| buried.block)
    }

    /// Frees all blocks; gives those that were written meanwhile, with the sites that freed them.
    pub(super) fn clear(&mut self) -> Vec<(u64, usize)> {
        self.bytes = 0;
        let changed = self.kept.iter().filter(|buried| !is_poisoned(&buried.block));
        let changed = changed.map(|buried| (buried.word, buried.by)).collect();
        self.kept.clear();
        changed
    }
}

/// Drops a value; a block without other owners is quarantined.
pub(super) fn bury(mut value: Value<'static>) {
    if let Some(word) = poison(&mut value) {
        drop(ledger::bury(word, Dead::Value(value)));
    }
}

/// Quarantines a tape without owners.
pub(super) fn bury_tape(mut tape: Box<Tape>) {
    tape.poison();
    let word = &raw const *tape as usize as u64;
    drop(ledger::bury(word, Dead::Tape(tape)));
}

/// Overwrites a block without other owners and drops its contents; gives its word, or none if it has other owners.
fn poison(value: &mut Value<'static>) -> Option<u64> {
    let word = match value {
        Value::Str(text) => {
            let own = Arc::get_mut(text)?;
            *own = "freed".into();
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
        vectors::poison(elem, array);
    } else if array.as_packed::<PackedElements>().is_some() {
        // An empty slice shares its allocation although it has nothing to write.
        if array.edit_packed::<PackedElements, _>(|rows, _| (rows.poison(), ())).is_none() {
            *array = Array::empty(array.elem_ty());
        }
    } else if let Some(values) = array.to_values_mut() {
        values.iter_mut().for_each(|value| drop(value.take()));
    }
}

fn is_poisoned(block: &Dead) -> bool {
    let array = match block {
        Dead::Tape(tape) => return tape.is_poisoned(),
        Dead::Value(Value::Array(array)) => array,
        Dead::Value(_) => return true,
    };
    match Elem::of(array.elem_ty()) {
        Some(elem) => array.bytes() == 0 || vectors::is_poisoned(elem, array),
        None => array.as_packed::<PackedElements>().is_none_or(|(rows, _)| rows.is_poisoned()),
    }
}
