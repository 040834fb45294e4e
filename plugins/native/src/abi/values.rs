//! Values as words, one for each leaf, and back: H1 to H16 of `docs/native.md`.
//!
//! - W1 a counted word is the pointer inside of the value, given away by `into_raw`: whoever holds the word owns one
//!   count of it.
//! - W2 the pointer to a vector's elements is good as long as the word beside it is held and nobody writes through
//!   another; where `Own` is 1 it is good for writing.
//! - W3 lifetimes are not seen here: values are called `'static`, and a run gives its caller back `Value<'a>` only.
//! - W7 a hole (L3) is `()` as a value, and back; a value that owns nothing and has no place for a hole cannot be one.
//! - W6 the word of a lent vector is that of an array without elements, which lives for ever and is not counted: its
//!   elements are where the word beside it says, for the call that they are lent to. A value of it is a copy.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::value::{Array, CellRef, Closure, Code, Composite, Int, Opaque, Parts, Value};

use crate::abi::layout::{Component, Counted, Field, HOLES, Layout, Shape};
use crate::checks;
use crate::runtime::tape::Tape;
use crate::runtime::vectors;

/// A value is not of the type that the IR says.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// What it should be.
    pub(crate) ty: Ty,
}

/// What happens to the words of a value that is made of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Transfer {
    /// The value gets their counts.
    Move,
    /// They keep them.
    Share,
}

/// The value that a counted word is; `()` for a hole.
///
/// # Safety
/// The word owns nothing (L3) or is a pointer of this kind (W1), and one count of it is the caller's to give.
pub(crate) unsafe fn counted_value(counted: Counted, word: u64) -> Value<'static> {
    // A tape says itself when it is given up.
    if counted != Counted::Tape && !checks::lost(counted, word) {
        return Value::Unit;
    }
    // SAFETY: passed on.
    unsafe { value_at(counted, word) }
}

/// As above, without a record in the checking mode.
///
/// # Safety
/// As for [`counted_value`].
unsafe fn value_at(counted: Counted, word: u64) -> Value<'static> {
    if word < HOLES {
        return Value::Unit;
    }
    let at = word as usize as *const ();
    // SAFETY: by W1 the pointer came from `into_raw` of this very kind, and the caller gives its count away.
    unsafe {
        match counted {
            Counted::Str => Value::Str(Arc::from_raw(at.cast::<String>())),
            Counted::Composite => Value::Composite(Arc::from_raw(at.cast::<Composite<'static>>())),
            Counted::Array => {
                if vectors::is_lent(word) {
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

/// The word that a counted value is; a hole is null.
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

/// The word of an array, which has its count.
pub(crate) fn array_word(array: Arc<Array<'static>>) -> u64 {
    let word = Arc::into_raw(array) as usize as u64;
    checks::gained(Counted::Array, word);
    word
}

/// The count of a block, if it has one.
///
/// # Safety
/// The word is that of a live block of this kind (W1).
pub(crate) unsafe fn strong_count(counted: Counted, word: u64) -> Option<usize> {
    if counted == Counted::Tape {
        // SAFETY: passed on.
        return unsafe { (word as usize as *const Tape).as_ref() }.map(Tape::owners);
    }
    // SAFETY: passed on; the value is never dropped.
    match &*ManuallyDrop::new(unsafe { value_at(counted, word) }) {
        Value::Str(text) => Some(Arc::strong_count(text)),
        Value::Composite(composite) => Some(Arc::strong_count(composite)),
        Value::Array(array) => Some(Arc::strong_count(array)),
        Value::Closure(closure) => Some(Arc::strong_count(closure)),
        Value::Stack(elems) => Some(Arc::strong_count(elems)),
        _ => None,
    }
}

/// One more count of a counted word; for what is not shared by counting, a word of a copy.
///
/// # Safety
/// As for [`counted_value`], but the count stays the caller's.
pub(crate) unsafe fn share(counted: Counted, word: u64) -> u64 {
    if word < HOLES || counted == Counted::Array && vectors::is_lent(word) {
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
    // SAFETY: the value is never dropped, so the caller's count stays.
    let value = ManuallyDrop::new(unsafe { value_at(counted, word) });
    counted_word(counted, Value::clone(&value)).expect("a clone is of its original's kind")
}

/// Gives up a count of a counted word.
///
/// # Safety
/// As for [`counted_value`].
pub(crate) unsafe fn release(counted: Counted, word: u64) {
    if word < HOLES || counted == Counted::Array && vectors::is_lent(word) {
        return;
    }
    if counted == Counted::Tape {
        // SAFETY: passed on.
        return unsafe { Tape::release(word as usize as *mut Tape) };
    }
    // SAFETY: passed on.
    checks::drop_value(unsafe { counted_value(counted, word) });
}

/// The value that the words of a layout are.
///
/// # Safety
/// `words` are those of a value of this layout (W1, W2); with [`Transfer::Move`] they are not used again.
pub(crate) unsafe fn value_of(layout: &Layout, words: &[u64], transfer: Transfer) -> Value<'static> {
    if layout.is_hole(words) {
        return Value::Unit;
    }
    // SAFETY: passed on, part by part.
    unsafe {
        match &layout.shape {
            Shape::Empty => Value::Unit,
            Shape::Bool => Value::Bool(words[0] & 1 != 0),
            Shape::Char => {
                Value::Char(char::from_u32(words[0] as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            Shape::Int(int) => Value::Int(Int::wrapping(*int, words[0])),
            Shape::Float(FloatTy::F32) => Value::F32(f32::from_bits(words[0] as u32)),
            Shape::Float(FloatTy::F64) => Value::F64(f64::from_bits(words[0])),
            Shape::Aggregate(ty, parts) => {
                let parts = values_of(parts, words, transfer);
                Value::Composite(Arc::new(Composite { ty: *ty, tag: 0, parts }))
            }
            Shape::Closure(code, captures) => {
                let captures = values_of(captures, words, transfer);
                Value::Closure(Arc::new(Closure { code: Code::Func(*code), captures }))
            }
            Shape::Enum(ty, variants) => {
                let tag = words[0] as u32;
                let parts = variants.get(tag as usize).map_or(&[][..], Vec::as_slice);
                let parts = values_of(parts, words, transfer);
                Value::Composite(Arc::new(Composite { ty: Some(*ty), tag, parts }))
            }
            Shape::Vector(_) | Shape::Packed(_) => vectors::value_of(&layout.shape, words, transfer),
            Shape::Tape(_) => {
                if transfer == Transfer::Share {
                    share(Counted::Tape, words[0]);
                }
                counted_value(Counted::Tape, words[0])
            }
            Shape::Counted(counted) => taken(*counted, words[0], transfer),
        }
    }
}

pub(crate) unsafe fn taken(counted: Counted, word: u64, transfer: Transfer) -> Value<'static> {
    // SAFETY: passed on from `value_of`.
    unsafe {
        match transfer {
            Transfer::Move => counted_value(counted, word),
            Transfer::Share if counted == Counted::Array && vectors::is_lent(word) => {
                counted_value(counted, word)
            }
            Transfer::Share if !checks::seen(counted, word) => Value::Unit,
            Transfer::Share => Value::clone(&ManuallyDrop::new(value_at(counted, word))),
        }
    }
}

unsafe fn values_of(parts: &[Field], words: &[u64], transfer: Transfer) -> Parts<'static> {
    let mut own = smallvec::SmallVec::<[u64; 8]>::new();
    parts
        .iter()
        .map(|part| {
            own.clear();
            own.extend(part.components.iter().map(|&at| words[at]));
            // SAFETY: a part's words are those of a value of the part's layout.
            unsafe { value_of(&part.layout, &own, transfer) }
        })
        .collect()
}

/// What becomes of arrays whose elements are values and could be rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// They are packed, which looks at every element.
    Pack,
    /// They stay; compiled code leaves them to the evaluators.
    Keep,
}

/// Writes the words that a value is; leaves that it does not use become null.
pub(crate) fn write(layout: &Layout, value: Value<'static>, words: &mut [u64]) -> Result<(), Mismatch> {
    write_with(layout, value, words, Packing::Keep)
}

/// As above, with a choice (H16). A value of another type leaves words that own nothing.
pub(crate) fn write_with(
    layout: &Layout,
    value: Value<'static>,
    words: &mut [u64],
    packing: Packing,
) -> Result<(), Mismatch> {
    words.fill(0);
    write_words(layout, value, words, packing).inspect_err(|_| {
        // SAFETY: parts before the one that is wrong were written, and nobody uses them; the other words are zero.
        unsafe { release_all(layout, words) };
        words.fill(0);
    })
}

/// Gives up the counts of words.
///
/// # Safety
/// They are words of this layout (W1), or zero, and not used again.
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
        (Shape::Empty, Value::Unit) => {}
        (Shape::Bool, Value::Bool(b)) => words[0] = u64::from(b),
        (Shape::Char, Value::Char(c)) => words[0] = u64::from(u32::from(c)),
        (Shape::Int(ty), Value::Int(int)) if int.ty() == *ty => words[0] = int.bits(),
        (Shape::Float(FloatTy::F32), Value::F32(x)) => words[0] = u64::from(x.to_bits()),
        (Shape::Float(FloatTy::F64), Value::F64(x)) => words[0] = x.to_bits(),
        (_, Value::Unit) => {
            let hole = layout.hole.ok_or(mismatch)?;
            words[hole.component] = hole.word;
        }
        (Shape::Aggregate(ty, parts), Value::Composite(composite)) if composite.ty == *ty => {
            write_parts(parts, composite, words, packing).ok_or(mismatch)?;
        }
        (Shape::Closure(code, captures), Value::Closure(closure)) => {
            if !matches!(&closure.code, Code::Func(name) if name == code) {
                return Err(mismatch);
            }
            let closure = Arc::unwrap_or_clone(closure);
            write_values(captures, closure.captures, words, packing).ok_or(mismatch)?;
        }
        (Shape::Enum(ty, variants), Value::Composite(composite)) if composite.ty == Some(*ty) => {
            words[0] = u64::from(composite.tag);
            let Some(parts) = variants.get(composite.tag as usize) else { return Err(mismatch) };
            write_parts(parts, composite, words, packing).ok_or(mismatch)?;
        }
        (Shape::Vector(elem), Value::Array(array)) => {
            vectors::write_vector(*elem, array, words).ok_or(mismatch)?;
        }
        (Shape::Packed(elem), Value::Array(array)) if is_array_of(layout.ty, &array) => {
            vectors::write_packed(*elem, array, words, packing).ok_or(mismatch)?;
        }
        (Shape::Tape(record), Value::Stack(elems)) => {
            let tape = Tape::of_values(record, Arc::unwrap_or_clone(elems)).ok_or(mismatch)?;
            words[0] = tape as usize as u64;
        }
        (Shape::Counted(counted), value) => words[0] = counted_word(*counted, value).ok_or(mismatch)?,
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
    let mut own = smallvec::SmallVec::<[u64; 8]>::new();
    for (part, value) in parts.iter().zip(values.iter_mut()) {
        own.clear();
        own.resize(part.components.len(), 0);
        // A hole in the place of a scalar: the value is not of its type.
        write_with(&part.layout, value.take(), &mut own, packing).ok()?;
        for (&at, word) in part.components.iter().zip(&own) {
            words[at] = *word;
        }
    }
    Some(())
}

/// Whether an array is of a type.
pub(crate) fn is_array_of(ty: Ty, array: &Array<'_>) -> bool {
    ty.as_array().is_some_and(|ty| ty.elem == array.elem_ty() && ty.rank as usize == array.rank())
}

/// Whether a value is of the layout, as far as the layout looks into it.
pub(crate) fn fits(layout: &Layout, value: &Value<'static>) -> bool {
    let all = |parts: &[Field], values: &[Value<'static>]| {
        parts.len() == values.len() && parts.iter().zip(values).all(|(part, value)| fits(&part.layout, value))
    };
    match (&layout.shape, value) {
        (Shape::Empty, Value::Unit) | (Shape::Bool, Value::Bool(_)) | (Shape::Char, Value::Char(_)) => true,
        (Shape::Int(ty), Value::Int(int)) => int.ty() == *ty,
        (Shape::Float(FloatTy::F32), Value::F32(_)) | (Shape::Float(FloatTy::F64), Value::F64(_)) => true,
        (Shape::Aggregate(ty, parts), Value::Composite(composite)) => {
            composite.ty == *ty && all(parts, &composite.parts)
        }
        (Shape::Closure(code, captures), Value::Closure(closure)) => {
            matches!(&closure.code, Code::Func(name) if name == code) && all(captures, &closure.captures)
        }
        (Shape::Enum(ty, variants), Value::Composite(composite)) => {
            composite.ty == Some(*ty)
                && variants.get(composite.tag as usize).is_some_and(|parts| all(parts, &composite.parts))
        }
        (Shape::Vector(_) | Shape::Packed(_), Value::Array(array)) => is_array_of(layout.ty, array),
        (Shape::Tape(record), Value::Stack(elems)) => elems.iter().all(|elem| fits(record, elem)),
        (Shape::Counted(counted), value) => match (counted, value) {
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
