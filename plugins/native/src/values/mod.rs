//! Conversion between values and words, one word for each component: H1 to H16 of `docs/native.md`.
//!
//! - WORD1 (H2) a counted word is the pointer inside the `Value`, obtained by `into_raw`: the holder of the word owns
//!   one count.
//! - WORD2 (H7) the address of a vector's elements is valid while the counted word beside it is held and nothing
//!   writes through another word; if the uniqueness flag is 1, the elements may be written.
//! - WORD3 (H10) lifetimes are erased: values are typed `'static`, and a run returns to its caller only a
//!   `Value<'a>`.
//! - WORD4 (H14) a hole (ABI3) becomes `()` and back; a type without holes accepts no `()`.
//! - WORD5 (H9) a vector that is lent for a call has the word of one static empty array, which is not counted; its
//!   elements are at the address beside that word, for the duration of the call. Converting it to a value copies it.

pub(crate) mod freed;
pub(crate) mod packed_elements;
pub(crate) mod packed_layout;
mod scalars;
pub(crate) mod tape;
pub(crate) mod vectors;

use std::mem::ManuallyDrop;
use std::sync::Arc;

use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::value::{Array, CellRef, Closure, Code, Composite, Int, Opaque, Parts, Text, Value};
use overdub_context::{Failure, FailureKind};

use crate::abi::layout::{Component, Counted, Field, HOLES, Layout, LayoutKind};
use crate::abi::uncounted::{is_lent, owns_nothing};
use crate::checks;
use crate::values::freed::drop_value;
use crate::values::tape::Tape;

/// A value that is not of the declared type of the IR.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// The declared type.
    pub(crate) ty: Ty,
}

/// The failure of a value that is not of the declared type (H16).
pub(crate) fn mistyped(what: &str, mismatch: &Mismatch) -> Failure {
    Failure::new(FailureKind::Type, format!("`{what}` gave a value that is no {:?}", mismatch.ty))
}

/// How the counts of words that are converted to a value are treated (H4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Transfer {
    /// The value takes the counts.
    Move,
    /// The words keep their counts, and the value gets counts of its own.
    Share,
}

/// Converts a counted word to a value; a hole becomes `()`.
///
/// # Safety
/// The word owns nothing (ABI3) or is a pointer of this kind (WORD1), and the caller gives up one count of it.
pub(crate) unsafe fn counted_value(counted: Counted, word: u64) -> Value<'static> {
    // `Tape::release` updates the ledger itself.
    if counted != Counted::Tape && !checks::lost(counted, word) {
        return Value::Unit;
    }
    // SAFETY: passed on.
    unsafe { value_at(counted, word) }
}

/// As [`counted_value`], without updating the ledger of the checking mode.
///
/// # Safety
/// As for [`counted_value`].
unsafe fn value_at(counted: Counted, word: u64) -> Value<'static> {
    if word < HOLES {
        return Value::Unit;
    }
    let at = word as usize as *const ();
    // SAFETY: by WORD1 the pointer came from `into_raw` of this kind, and the caller gives up a count.
    unsafe {
        match counted {
            Counted::Str => Value::Str(Arc::from_raw(at.cast::<Text>())),
            Counted::Composite => Value::Composite(Arc::from_raw(at.cast::<Composite<'static>>())),
            Counted::Array => {
                if is_lent(word) {
                    Arc::increment_strong_count(at.cast::<Array<'static>>());
                }
                Value::Array(Arc::from_raw(at.cast::<Array<'static>>()))
            }
            Counted::Closure => Value::Closure(Arc::from_raw(at.cast::<Closure<'static>>())),
            Counted::Stack => Value::Stack(Arc::from_raw(at.cast::<Vec<Value<'static>>>())),
            Counted::Tape => {
                let tape = at.cast::<Tape>().cast_mut();
                let values = (*tape).values();
                Tape::release(tape);
                Value::Stack(Arc::new(values))
            }
            Counted::Ref => Value::Ref(Box::from_raw(at.cast::<CellRef>().cast_mut())),
            Counted::Opaque => Value::Opaque(Box::from_raw(at.cast::<Opaque>().cast_mut())),
            Counted::I128 => Value::I128(Box::from_raw(at.cast::<i128>().cast_mut())),
            Counted::U128 => Value::U128(Box::from_raw(at.cast::<u128>().cast_mut())),
        }
    }
}

/// Converts a counted value to a word; a hole becomes null.
fn counted_word(counted: Counted, value: Value<'static>) -> Option<u64> {
    let at: *const () = match (counted, value) {
        (_, Value::Unit) => std::ptr::null(),
        (Counted::Str, Value::Str(text)) => Arc::into_raw(text).cast(),
        (Counted::Composite, Value::Composite(composite)) => Arc::into_raw(composite).cast(),
        (Counted::Array, Value::Array(array)) => Arc::into_raw(array).cast(),
        (Counted::Closure, Value::Closure(closure)) => Arc::into_raw(closure).cast(),
        (Counted::Stack, Value::Stack(elems)) => Arc::into_raw(elems).cast(),
        (Counted::Ref, Value::Ref(reference)) => Box::into_raw(reference).cast_const().cast(),
        (Counted::Opaque, Value::Opaque(opaque)) => Box::into_raw(opaque).cast_const().cast(),
        (Counted::I128, Value::I128(n)) => Box::into_raw(n).cast_const().cast(),
        (Counted::U128, Value::U128(n)) => Box::into_raw(n).cast_const().cast(),
        _ => return None,
    };
    let word = at as usize as u64;
    checks::gained(counted, word);
    Some(word)
}

/// The word of an array, which takes over its count.
pub(crate) fn array_word(array: Arc<Array<'static>>) -> u64 {
    let word = Arc::into_raw(array) as usize as u64;
    checks::gained(Counted::Array, word);
    word
}

/// Adds a count to a counted word; a box is cloned, and the result is the word of the clone (H2).
///
/// # Safety
/// As for [`counted_value`], but the caller keeps its count.
pub(crate) unsafe fn share(counted: Counted, word: u64) -> u64 {
    if owns_nothing(counted, word) {
        return word;
    }
    if !checks::seen(counted, word) {
        return 0;
    }
    if counted == Counted::Tape {
        // SAFETY: passed on.
        unsafe { (*(word as usize as *const Tape)).share() };
        return word;
    }
    // SAFETY: the value is never dropped, so the caller's count remains.
    let value = ManuallyDrop::new(unsafe { value_at(counted, word) });
    counted_word(counted, Value::clone(&value)).expect("a clone is of its original's kind")
}

/// Releases a count of a counted word.
///
/// # Safety
/// As for [`counted_value`].
pub(crate) unsafe fn release(counted: Counted, word: u64) {
    if owns_nothing(counted, word) {
        return;
    }
    if counted == Counted::Tape {
        // SAFETY: passed on.
        return unsafe { Tape::release(word as usize as *mut Tape) };
    }
    // SAFETY: passed on.
    drop_value(unsafe { counted_value(counted, word) });
}

/// Converts the words of a layout to a value.
///
/// # Safety
/// `words` are those of a value of this layout (WORD1, WORD2); with [`Transfer::Move`] they are not used again.
pub(crate) unsafe fn value_of(layout: &Layout, words: &[u64], transfer: Transfer) -> Value<'static> {
    if layout.is_hole(words) {
        return Value::Unit;
    }
    // SAFETY: passed on, part by part.
    unsafe {
        match &layout.shape {
            LayoutKind::Empty => Value::Unit,
            LayoutKind::Bool => Value::Bool(words[0] & 1 != 0),
            LayoutKind::Char => {
                Value::Char(char::from_u32(words[0] as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            LayoutKind::Int(int) => Value::Int(Int::wrapping(*int, words[0])),
            LayoutKind::Float(FloatTy::F32) => Value::F32(f32::from_bits(words[0] as u32)),
            LayoutKind::Float(FloatTy::F64) => Value::F64(f64::from_bits(words[0])),
            LayoutKind::Aggregate(ty, parts) => {
                let parts = values_of(parts, words, transfer);
                Value::Composite(Arc::new(Composite { ty: *ty, tag: 0, parts }))
            }
            LayoutKind::Closure(code, captures) => {
                let captures = values_of(captures, words, transfer);
                Value::Closure(Arc::new(Closure { code: Code::Func(*code), captures }))
            }
            LayoutKind::Enum(ty, variants) => {
                let tag = words[0] as u32;
                let parts = variants.get(tag as usize).map_or(&[][..], Vec::as_slice);
                let parts = values_of(parts, words, transfer);
                Value::Composite(Arc::new(Composite { ty: Some(*ty), tag, parts }))
            }
            LayoutKind::Vector(_) | LayoutKind::Packed(_) => {
                vectors::value_of(&layout.shape, words, transfer)
            }
            LayoutKind::Tape(_) => {
                if transfer == Transfer::Share {
                    share(Counted::Tape, words[0]);
                }
                counted_value(Counted::Tape, words[0])
            }
            LayoutKind::Counted(counted) => counted_value_of(*counted, words[0], transfer),
        }
    }
}

pub(crate) unsafe fn counted_value_of(counted: Counted, word: u64, transfer: Transfer) -> Value<'static> {
    // SAFETY: passed on from `value_of`.
    unsafe {
        match transfer {
            Transfer::Move => counted_value(counted, word),
            Transfer::Share if counted == Counted::Array && is_lent(word) => counted_value(counted, word),
            Transfer::Share if !checks::seen(counted, word) => Value::Unit,
            Transfer::Share => Value::clone(&ManuallyDrop::new(value_at(counted, word))),
        }
    }
}

unsafe fn values_of(parts: &[Field], words: &[u64], transfer: Transfer) -> Parts<'static> {
    let mut words_of_part = smallvec::SmallVec::<[u64; 8]>::new();
    parts
        .iter()
        .map(|part| {
            words_of_part.clear();
            words_of_part.extend(part.components.iter().map(|&at| words[at]));
            // SAFETY: the words of a field are those of a value of the field's layout.
            unsafe { value_of(&part.layout, &words_of_part, transfer) }
        })
        .collect()
}

/// How arrays of values whose elements could be packed are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// They are packed, which visits every element.
    Pack,
    /// They stay as they are, and evaluators run the operations on them.
    Keep,
}

/// Converts a value to words; components that it does not use become null.
pub(crate) fn write(layout: &Layout, value: Value<'static>, words: &mut [u64]) -> Result<(), Mismatch> {
    write_with(layout, value, words, Packing::Keep)
}

/// As [`write()`], with a choice of packing (H16). After a mismatch the words own nothing.
pub(crate) fn write_with(
    layout: &Layout,
    value: Value<'static>,
    words: &mut [u64],
    packing: Packing,
) -> Result<(), Mismatch> {
    words.fill(0);
    write_words(layout, value, words, packing).inspect_err(|_| {
        // SAFETY: fields before the mismatch were written and are not used; the other words are zero.
        unsafe { release_all(layout, words) };
        words.fill(0);
    })
}

/// Releases the counts of words.
///
/// # Safety
/// They are words of this layout (WORD1), or zero, and not used again.
pub(crate) unsafe fn release_all(layout: &Layout, words: &[u64]) {
    for (component, &word) in layout.components.iter().zip(words) {
        if let Component::Counted(counted) = component {
            // SAFETY: passed on.
            unsafe { release(*counted, word) };
        }
    }
}

fn write_words(
    layout: &Layout,
    value: Value<'static>,
    words: &mut [u64],
    packing: Packing,
) -> Result<(), Mismatch> {
    let mismatch = Mismatch { ty: layout.ty };
    match (&layout.shape, value) {
        (LayoutKind::Empty, Value::Unit) => {}
        (LayoutKind::Bool, Value::Bool(b)) => words[0] = u64::from(b),
        (LayoutKind::Char, Value::Char(c)) => words[0] = u64::from(u32::from(c)),
        (LayoutKind::Int(ty), Value::Int(int)) if int.ty() == *ty => words[0] = int.bits(),
        (LayoutKind::Float(FloatTy::F32), Value::F32(x)) => words[0] = u64::from(x.to_bits()),
        (LayoutKind::Float(FloatTy::F64), Value::F64(x)) => words[0] = x.to_bits(),
        (_, Value::Unit) => {
            let hole = layout.hole.ok_or(mismatch)?;
            words[hole.component] = hole.word;
        }
        (LayoutKind::Aggregate(ty, parts), Value::Composite(composite)) if composite.ty == *ty => {
            write_parts(parts, composite, words, packing).ok_or(mismatch)?;
        }
        (LayoutKind::Closure(code, captures), Value::Closure(closure)) => {
            if !matches!(&closure.code, Code::Func(name) if name == code) {
                return Err(mismatch);
            }
            let closure = Arc::unwrap_or_clone(closure);
            write_values(captures, closure.captures, words, packing).ok_or(mismatch)?;
        }
        (LayoutKind::Enum(ty, variants), Value::Composite(composite)) if composite.ty == Some(*ty) => {
            words[0] = u64::from(composite.tag);
            let Some(parts) = variants.get(composite.tag as usize) else { return Err(mismatch) };
            write_parts(parts, composite, words, packing).ok_or(mismatch)?;
        }
        (LayoutKind::Vector(elem), Value::Array(array)) => {
            vectors::write_vector(*elem, array, words).ok_or(mismatch)?;
        }
        (LayoutKind::Packed(elem), Value::Array(array)) if is_array_of(layout.ty, &array) => {
            vectors::write_packed(*elem, array, words, packing).ok_or(mismatch)?;
        }
        (LayoutKind::Tape(record), Value::Stack(elems)) => {
            let tape = Tape::of_values(record, Arc::unwrap_or_clone(elems)).ok_or(mismatch)?;
            words[0] = tape as usize as u64;
        }
        (LayoutKind::Counted(counted), value) => words[0] = counted_word(*counted, value).ok_or(mismatch)?,
        _ => return Err(mismatch),
    }
    Ok(())
}

fn write_parts(
    parts: &[Field],
    composite: Arc<Composite<'static>>,
    words: &mut [u64],
    packing: Packing,
) -> Option<()> {
    write_values(parts, Arc::unwrap_or_clone(composite).parts, words, packing)
}

fn write_values(
    parts: &[Field],
    mut values: Parts<'static>,
    words: &mut [u64],
    packing: Packing,
) -> Option<()> {
    if parts.len() != values.len() {
        return None;
    }
    let mut words_of_part = smallvec::SmallVec::<[u64; 8]>::new();
    for (part, value) in parts.iter().zip(values.iter_mut()) {
        words_of_part.clear();
        words_of_part.resize(part.components.len(), 0);
        // A hole where the field's type has none is a mismatch (H14).
        write_with(&part.layout, value.take(), &mut words_of_part, packing).ok()?;
        for (&at, word) in part.components.iter().zip(&words_of_part) {
            words[at] = *word;
        }
    }
    Some(())
}

/// Whether an array is of this type.
pub(crate) fn is_array_of(ty: Ty, array: &Array<'_>) -> bool {
    ty.as_array().is_some_and(|ty| ty.elem == array.elem_ty() && ty.rank as usize == array.rank())
}

/// Whether a value is of the layout, as deep as the layout is flat (H16).
pub(crate) fn fits(layout: &Layout, value: &Value<'static>) -> bool {
    let all = |parts: &[Field], values: &[Value<'static>]| {
        parts.len() == values.len() && parts.iter().zip(values).all(|(part, value)| fits(&part.layout, value))
    };
    match (&layout.shape, value) {
        (LayoutKind::Empty, Value::Unit)
        | (LayoutKind::Bool, Value::Bool(_))
        | (LayoutKind::Char, Value::Char(_)) => true,
        (LayoutKind::Int(ty), Value::Int(int)) => int.ty() == *ty,
        (LayoutKind::Float(FloatTy::F32), Value::F32(_))
        | (LayoutKind::Float(FloatTy::F64), Value::F64(_)) => true,
        (LayoutKind::Aggregate(ty, parts), Value::Composite(composite)) => {
            composite.ty == *ty && all(parts, &composite.parts)
        }
        (LayoutKind::Closure(code, captures), Value::Closure(closure)) => {
            matches!(&closure.code, Code::Func(name) if name == code) && all(captures, &closure.captures)
        }
        (LayoutKind::Enum(ty, variants), Value::Composite(composite)) => {
            composite.ty == Some(*ty)
                && variants.get(composite.tag as usize).is_some_and(|parts| all(parts, &composite.parts))
        }
        (LayoutKind::Vector(_) | LayoutKind::Packed(_), Value::Array(array)) => is_array_of(layout.ty, array),
        (LayoutKind::Tape(record), Value::Stack(elems)) => elems.iter().all(|elem| fits(record, elem)),
        (LayoutKind::Counted(counted), value) => match (counted, value) {
            (Counted::Array, Value::Array(array)) => is_array_of(layout.ty, array),
            (Counted::Composite, Value::Composite(composite)) => match layout.ty.kind() {
                TyKind::Tuple(_) => composite.ty.is_none(),
                _ => composite.ty == Some(layout.ty),
            },
            (Counted::Str, Value::Str(_))
            | (Counted::Closure, Value::Closure(_))
            | (Counted::Stack, Value::Stack(_))
            | (Counted::Ref, Value::Ref(_))
            | (Counted::Opaque, Value::Opaque(_))
            | (Counted::I128, Value::I128(_))
            | (Counted::U128, Value::U128(_)) => true,
            _ => false,
        },
        _ => false,
    }
}
