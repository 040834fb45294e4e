//! Values as words, one for each leaf, and back.
//!
//! - W1 a counted word is the pointer inside of the value, given away by `into_raw`: whoever holds the word owns one
//!   count of it.
//! - W2 the pointer to a vector's elements is good as long as the word beside it is held and nobody writes through
//!   another; where `Own` is 1 it is good for writing.
//! - W3 lifetimes are not seen here: values are called `'static`, and a run gives its caller back `Value<'a>` only.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use overdub_context::ir::{FloatTy, Ty, TyKind};
use overdub_context::ops::Machine;
use overdub_context::value::{Array, CellRef, Closure, Code, Composite, Int, Opaque, Parts, Scalar, Value};
use overdub_context::{Failure, FailureKind};

use crate::layout::{Counted, Elem, Layout, Part, Shape};
use crate::run::Run;
use crate::tape::Tape;

/// A value is not of the type that the IR says.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// What it should be.
    pub(crate) ty: Ty,
}

/// What happens to the words of a value that is made of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taking {
    /// The value gets their counts.
    Move,
    /// They keep them.
    Share,
}

/// Runs `$body` with `$T` the Rust type of the elements.
macro_rules! with_elem {
    ($elem:expr, $T:ident => $body:expr) => {
        with_elem!(@ $elem, $T, $body, F64 f64, F32 f32, Bool bool, Char char, I8 i8, I16 i16, I32 i32, I64 i64,
            Isize isize, U8 u8, U16 u16, U32 u32, U64 u64, Usize usize)
    };
    (@ $elem:expr, $T:ident, $body:expr, $($variant:ident $rust:ident),*) => {
        match $elem {
            $(Elem::$variant => {
                type $T = $rust;
                $body
            })*
        }
    };
}

/// The value that a counted word is; `()` for null.
///
/// # Safety
/// The word is null or a pointer of this kind (W1), and one count of it is the caller's to give.
unsafe fn counted_value(counted: Counted, word: u64) -> Value<'static> {
    let at = word as usize as *const ();
    if at.is_null() {
        return Value::Unit;
    }
    // SAFETY: by W1 the pointer came from `into_raw` of this very kind, and the caller gives its count away.
    unsafe {
        match counted {
            Counted::Str => Value::Str(Arc::from_raw(at.cast::<String>())),
            Counted::Composite => Value::Composite(Arc::from_raw(at.cast::<Composite<'static>>())),
            Counted::Array => Value::Array(Arc::from_raw(at.cast::<Array<'static>>())),
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
    Some(at as usize as u64)
}

/// One more count of a counted word; for what is not shared by counting, a word of a copy.
///
/// # Safety
/// As for [`counted_value`], but the count stays the caller's.
pub(crate) unsafe fn share(counted: Counted, word: u64) -> u64 {
    if counted == Counted::Tape {
        // SAFETY: passed on.
        if let Some(tape) = unsafe { (word as usize as *const Tape).as_ref() } {
            tape.share();
        }
        return word;
    }
    // SAFETY: the value is never dropped, so the caller's count stays.
    let value = ManuallyDrop::new(unsafe { counted_value(counted, word) });
    counted_word(counted, Value::clone(&value)).expect("a clone is of its original's kind")
}

/// Gives up a count of a counted word.
///
/// # Safety
/// As for [`counted_value`].
pub(crate) unsafe fn release(counted: Counted, word: u64) {
    if counted == Counted::Tape {
        if word != 0 {
            // SAFETY: passed on.
            unsafe { Tape::release(word as usize as *mut Tape) };
        }
        return;
    }
    // SAFETY: passed on.
    drop(unsafe { counted_value(counted, word) });
}

/// The array that a word is, if it is not null.
///
/// # Safety
/// As for [`counted_value`].
pub(crate) unsafe fn array_of(word: u64) -> Option<Arc<Array<'static>>> {
    // SAFETY: passed on.
    match unsafe { counted_value(Counted::Array, word) } {
        Value::Array(array) => Some(array),
        _ => None,
    }
}

/// The value that the words of a layout are.
///
/// # Safety
/// `words` are those of a value of this layout (W1, W2); with [`Taking::Move`] they are not used again.
pub(crate) unsafe fn value_of(layout: &Layout, words: &[u64], taking: Taking) -> Value<'static> {
    // SAFETY: passed on, part by part.
    unsafe {
        match &layout.shape {
            Shape::Nothing => Value::Unit,
            Shape::Bool => Value::Bool(words[0] & 1 != 0),
            Shape::Char => {
                Value::Char(char::from_u32(words[0] as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            Shape::Int(int) => Value::Int(Int::wrapping(*int, words[0])),
            Shape::Float(FloatTy::F32) => Value::F32(f32::from_bits(words[0] as u32)),
            Shape::Float(FloatTy::F64) => Value::F64(f64::from_bits(words[0])),
            Shape::Parts(ty, parts) => {
                let parts = values_of(parts, words, taking);
                Value::Composite(Arc::new(Composite { ty: *ty, tag: 0, parts }))
            }
            Shape::Closure(code, captures) => {
                let captures = values_of(captures, words, taking);
                Value::Closure(Arc::new(Closure { code: Code::Func(*code), captures }))
            }
            Shape::Enum(ty, variants) => {
                let tag = words[0] as u32;
                let parts = variants.get(tag as usize).map_or(&[][..], Vec::as_slice);
                let parts = values_of(parts, words, taking);
                Value::Composite(Arc::new(Composite { ty: Some(*ty), tag, parts }))
            }
            Shape::Vector(_) => taken(Counted::Array, words[0], taking),
            Shape::Tape(_) => {
                if taking == Taking::Share {
                    share(Counted::Tape, words[0]);
                }
                counted_value(Counted::Tape, words[0])
            }
            Shape::Counted(counted) => taken(*counted, words[0], taking),
        }
    }
}

unsafe fn taken(counted: Counted, word: u64, taking: Taking) -> Value<'static> {
    // SAFETY: passed on from `value_of`.
    unsafe {
        match taking {
            Taking::Move => counted_value(counted, word),
            Taking::Share => Value::clone(&ManuallyDrop::new(counted_value(counted, word))),
        }
    }
}

unsafe fn values_of(parts: &[Part], words: &[u64], taking: Taking) -> Parts<'static> {
    let mut own = smallvec::SmallVec::<[u64; 8]>::new();
    parts
        .iter()
        .map(|part| {
            own.clear();
            own.extend(part.leaves.iter().map(|&at| words[at]));
            // SAFETY: a part's words are those of a value of the part's layout.
            unsafe { value_of(&part.layout, &own, taking) }
        })
        .collect()
}

/// Writes the words that a value is; leaves that it does not use become null.
pub(crate) fn write(layout: &Layout, value: Value<'static>, words: &mut [u64]) -> Result<(), Mismatch> {
    words.fill(0);
    let mismatch = Mismatch { ty: layout.ty };
    match (&layout.shape, value) {
        (Shape::Nothing, Value::Unit) => {}
        (Shape::Bool, Value::Bool(b)) => words[0] = u64::from(b),
        (Shape::Char, Value::Char(c)) => words[0] = u64::from(u32::from(c)),
        (Shape::Int(ty), Value::Int(int)) if int.ty() == *ty => words[0] = int.bits(),
        (Shape::Float(FloatTy::F32), Value::F32(x)) => words[0] = u64::from(x.to_bits()),
        (Shape::Float(FloatTy::F64), Value::F64(x)) => words[0] = x.to_bits(),
        // A hole; of a scalar there is none.
        (Shape::Parts(..) | Shape::Closure(..) | Shape::Enum(..), Value::Unit) => {}
        (Shape::Parts(ty, parts), Value::Composite(composite)) if composite.ty == *ty => {
            write_parts(parts, composite, words).ok_or(mismatch)?;
        }
        (Shape::Closure(code, captures), Value::Closure(closure)) => {
            if !matches!(&closure.code, Code::Func(name) if name == code) {
                return Err(mismatch);
            }
            let closure = Arc::unwrap_or_clone(closure);
            write_values(captures, closure.captures, words).ok_or(mismatch)?;
        }
        (Shape::Enum(ty, variants), Value::Composite(composite)) if composite.ty == Some(*ty) => {
            words[0] = u64::from(composite.tag);
            let Some(parts) = variants.get(composite.tag as usize) else { return Err(mismatch) };
            write_parts(parts, composite, words).ok_or(mismatch)?;
        }
        (Shape::Vector(elem), Value::Array(array)) => write_vector(*elem, array, words).ok_or(mismatch)?,
        (Shape::Vector(_) | Shape::Tape(_), Value::Unit) => {}
        (Shape::Tape(record), Value::Stack(elems)) => {
            let tape = Tape::of_values(record, Arc::unwrap_or_clone(elems)).ok_or(mismatch)?;
            words[0] = tape as usize as u64;
        }
        (Shape::Counted(counted), value) => words[0] = counted_word(*counted, value).ok_or(mismatch)?,
        _ => return Err(mismatch),
    }
    Ok(())
}

fn write_parts(parts: &[Part], composite: Arc<Composite<'static>>, words: &mut [u64]) -> Option<()> {
    write_values(parts, Arc::unwrap_or_clone(composite).parts, words)
}

fn write_values(parts: &[Part], mut values: Parts<'static>, words: &mut [u64]) -> Option<()> {
    if parts.len() != values.len() {
        return None;
    }
    let mut own = smallvec::SmallVec::<[u64; 8]>::new();
    for (part, value) in parts.iter().zip(values.iter_mut()) {
        own.clear();
        own.resize(part.leaves.len(), 0);
        // A hole in the place of a scalar: the value is not of its type.
        write(&part.layout, value.take(), &mut own).ok()?;
        for (&at, word) in part.leaves.iter().zip(&own) {
            words[at] = *word;
        }
    }
    Some(())
}

/// The four words of a vector: in place if nobody else holds it (W2).
pub(crate) fn write_vector(elem: Elem, mut array: Arc<Array<'static>>, words: &mut [u64]) -> Option<()> {
    if array.rank() != 1 {
        return None;
    }
    let own = Arc::get_mut(&mut array).filter(|array| array.bytes_to_write() == 0 && !array.is_empty());
    let (data, own) = with_elem!(elem, T => match own {
        Some(own) => (own.to_mut::<T>()?.as_mut_ptr() as usize, 1),
        None => (array.as_slice::<T>()?.as_ptr() as usize, 0),
    });
    words[1] = data as u64;
    words[2] = array.len() as u64;
    words[3] = own;
    words[0] = Arc::into_raw(array) as usize as u64;
    Some(())
}

/// The four words of a vector that somebody else goes on holding.
pub(crate) fn lend_vector(elem: Elem, array: &Arc<Array<'static>>, words: &mut [u64]) -> Option<()> {
    words[1] = with_elem!(elem, T => array.as_slice::<T>()?.as_ptr() as usize) as u64;
    words[2] = array.len() as u64;
    words[3] = 0;
    words[0] = Arc::into_raw(array.clone()) as usize as u64;
    Some(())
}

/// Asks for so many bytes.
pub(crate) type Reserve<'r> = &'r mut dyn FnMut(usize) -> Result<(), Failure>;

/// Makes a vector's buffer its own, so that it may be written in place.
///
/// # Safety
/// `words` are those of a vector of `elem`s (W1); its count is given up where this fails.
pub(crate) unsafe fn own_vector(elem: Elem, words: &mut [u64], reserve: Reserve<'_>) -> Result<(), Failure> {
    // SAFETY: the word is not used again before it is written anew.
    let value = unsafe { counted_value(Counted::Array, words[0]) };
    let Value::Array(mut array) = value else { return Err(hole("set")) };
    let changed = Arc::make_mut(&mut array);
    let copied = changed.bytes_to_write();
    if copied > 0 {
        reserve(copied)?;
    }
    let data = with_elem!(elem, T => changed.to_mut::<T>().map(|elems| elems.as_mut_ptr() as usize));
    words[1] = data.ok_or_else(|| hole("set"))? as u64;
    words[3] = 1;
    words[0] = Arc::into_raw(array) as usize as u64;
    Ok(())
}

/// Makes a vector of `len` times an element: no more than `isize::MAX` bytes.
pub(crate) fn repeat(
    elem: Elem,
    words: &mut [u64],
    bits: u64,
    len: usize,
    run: &mut Run,
) -> Result<(), Failure> {
    /// From here on the allocator is asked first: it aborts the process where it cannot.
    const MUCH: usize = 64 << 20;
    let bytes = len << elem.log2_size();
    Machine::reserve(run, bytes)?;
    if bytes >= MUCH && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        let message = format!("memory allocation of {bytes} bytes failed");
        return Err(Failure::new(FailureKind::MemoryLimit, message));
    }
    with_elem!(elem, T => {
        let value = T::from_word(bits);
        let known = run.spare.repeat(value, len);
        let mut array = known.unwrap_or_else(|| Arc::new(Array::from_vec(vec![value; len])));
        let own = Arc::get_mut(&mut array).and_then(|own| own.to_mut::<T>()).ok_or_else(|| hole("repeat"))?;
        words[1] = own.as_mut_ptr() as usize as u64;
        words[0] = Arc::into_raw(array) as usize as u64;
    });
    words[2] = len as u64;
    words[3] = 1;
    Ok(())
}

/// Appends an element.
///
/// # Safety
/// As for [`own_vector`].
pub(crate) unsafe fn push(
    elem: Elem,
    words: &mut [u64],
    bits: u64,
    reserve: Reserve<'_>,
) -> Result<(), Failure> {
    /// A vector grows by doubling; from this length on it is worth accounting for.
    const LONG: usize = 1024;
    let len = words[2] as usize;
    if words[3] == 1 && (len < LONG || !len.is_power_of_two()) {
        // SAFETY: W2: nobody else holds the array, so there is no need to count.
        let array = unsafe { &mut *(words[0] as usize as *mut Array<'static>) };
        let data = with_elem!(elem, T => {
            array.push_scalar(T::from_word(bits)).map(|elems| elems.as_mut_ptr() as usize)
        });
        if let Some(data) = data {
            (words[1], words[2]) = (data as u64, len as u64 + 1);
            return Ok(());
        }
    }
    // SAFETY: the word is not used again before it is written anew.
    let value = unsafe { counted_value(Counted::Array, words[0]) };
    let Value::Array(mut array) = value else { return Err(hole("push")) };
    let changed = Arc::make_mut(&mut array);
    let copied = changed.bytes_to_write();
    if copied > 0 {
        reserve(copied)?;
    }
    let len = changed.len();
    if len >= LONG && len.is_power_of_two() {
        reserve(len << elem.log2_size())?;
    }
    let data = with_elem!(elem, T => {
        let pushed = changed.push(T::from_word(bits).to_value());
        pushed.and_then(|()| changed.to_mut::<T>()).map(|elems| elems.as_mut_ptr() as usize)
    });
    words[1] = data.ok_or_else(|| hole("push"))? as u64;
    words[2] = changed.len() as u64;
    words[3] = 1;
    words[0] = Arc::into_raw(array) as usize as u64;
    Ok(())
}

/// Whether an array is of a type.
fn is_array_of(ty: Ty, array: &Array<'_>) -> bool {
    ty.as_array().is_some_and(|ty| ty.elem == array.elem_ty() && ty.rank as usize == array.rank())
}

/// A scalar that is the lowest bits of a word.
trait FromWord: Scalar {
    fn from_word(word: u64) -> Self;
}

macro_rules! from_word {
    ($($T:ty: $word:ident => $x:expr;)*) => {$(
        impl FromWord for $T {
            fn from_word($word: u64) -> $T {
                $x
            }
        }
    )*};
}

from_word! {
    f64: word => f64::from_bits(word);
    f32: word => f32::from_bits(word as u32);
    bool: word => word & 1 != 0;
    char: word => char::from_u32(word as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    i8: word => word as i8;
    i16: word => word as i16;
    i32: word => word as i32;
    i64: word => word as i64;
    isize: word => word as isize;
    u8: word => word as u8;
    u16: word => word as u16;
    u32: word => word as u32;
    u64: word => word;
    usize: word => word as usize;
}

/// Something was taken out and not put back.
#[cold]
fn hole(op: &str) -> Failure {
    Failure::new(FailureKind::Type, format!("`{op}` does not take (unit)"))
}

/// Whether a value is of the layout, as far as the layout looks into it.
pub(crate) fn fits(layout: &Layout, value: &Value<'static>) -> bool {
    let all = |parts: &[Part], values: &[Value<'static>]| {
        parts.len() == values.len() && parts.iter().zip(values).all(|(part, value)| fits(&part.layout, value))
    };
    match (&layout.shape, value) {
        (Shape::Nothing, Value::Unit) | (Shape::Bool, Value::Bool(_)) | (Shape::Char, Value::Char(_)) => true,
        (Shape::Int(ty), Value::Int(int)) => int.ty() == *ty,
        (Shape::Float(FloatTy::F32), Value::F32(_)) | (Shape::Float(FloatTy::F64), Value::F64(_)) => true,
        (Shape::Parts(ty, parts), Value::Composite(composite)) => {
            composite.ty == *ty && all(parts, &composite.parts)
        }
        (Shape::Closure(code, captures), Value::Closure(closure)) => {
            matches!(&closure.code, Code::Func(name) if name == code) && all(captures, &closure.captures)
        }
        (Shape::Enum(ty, variants), Value::Composite(composite)) => {
            composite.ty == Some(*ty)
                && variants.get(composite.tag as usize).is_some_and(|parts| all(parts, &composite.parts))
        }
        (Shape::Vector(_), Value::Array(array)) => is_array_of(layout.ty, array),
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
