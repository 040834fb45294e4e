//! The words of vectors, of scalars and of packed elements.
//!
//! - VEC1 the words of a vector determine its elements: the array that the first word points to may see more
//!   of them, or, after pushes (VEC2, PACKED3), fewer.
//! - VEC2 the scalars of a vector that was pushed to are in a buffer whose capacity is a power of two;
//!   elements after the length may be written by further pushes.

use std::sync::Arc;

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Pack, Scalar, Slice, Value};
use overdub_context::{Failure, FailureKind};

use crate::abi::layout::{Counted, Elem, HOLES, LayoutKind};
use crate::abi::uncounted::{is_lent, lent};
use crate::checks::{self, Access, Elements};
use crate::values::packed_elements::{self, PackedElements};
use crate::values::scalars::{FromWord, with_elem};
use crate::values::{self, Packing, Transfer, counted_value, counted_value_of};

/// The uniqueness flag of a vector that may be written in place.
pub(crate) const UNIQUE: u64 = 1;
/// The flag of such a vector that may also grow in place: scalars according to VEC2, or all packed elements
/// of an allocation (PACKED3).
pub(crate) const GROWABLE: u64 = 3;

/// The uniqueness flag of a vector: the component is one byte, and the other bytes of the word are undefined
/// (H1).
fn unique_flag(words: &[u64]) -> u64 {
    words[3] & 0xff
}

/// The four words of an array; the flag is 1 if it has no other owner (WORD2, H7, H8).
pub(crate) fn write_vector(elem: Elem, mut array: Arc<Array<'static>>, words: &mut [u64]) -> Option<()> {
    if array.rank() != 1 {
        return None;
    }
    let unique = Arc::get_mut(&mut array).filter(|array| array.bytes_to_write() == 0 && !array.is_empty());
    let (data, unique) = with_elem!(elem, T => match unique {
        Some(unique) => (unique.to_mut::<T>()?.as_mut_ptr() as usize, 1),
        None => (array.as_slice::<T>()?.as_ptr() as usize, 0),
    });
    words[1] = data as u64;
    words[2] = array.len() as u64;
    words[3] = unique;
    words[0] = values::array_word(array);
    Some(())
}

/// The four words of a slice that is lent for a call (WORD5); none if it is not one of `elem`s.
#[inline]
pub(crate) fn lend(elem: Elem, slice: Slice<'_>, words: &mut [u64]) -> Option<()> {
    with_elem!(elem, T => lend_elems(T::of_slice(slice)?, words))
}

/// The four words of elements that are lent for a call (WORD5).
#[inline]
pub(crate) fn lend_elems<T>(elems: &[T], words: &mut [u64]) -> Option<()> {
    let (data, len) = (elems.as_ptr().expose_provenance(), elems.len());
    let words = words.first_chunk_mut::<4>()?;
    *words = [lent(), data as u64, len as u64, 0];
    checks::lease(data, size_of_val(elems), false);
    Some(())
}

/// The four words of an array that the caller continues to hold.
pub(crate) fn share_vector(elem: Elem, array: &Arc<Array<'static>>, words: &mut [u64]) -> Option<()> {
    words[1] = with_elem!(elem, T => array.as_slice::<T>()?.as_ptr() as usize) as u64;
    words[2] = array.len() as u64;
    words[3] = 0;
    words[0] = values::array_word(array.clone());
    Some(())
}

/// Reserves this many bytes of the memory limit.
pub(crate) type Reserve<'r> = &'r mut dyn FnMut(usize) -> Result<(), Failure>;

/// Makes a vector the only owner of its buffer, so that it may be written in place.
///
/// # Safety
/// `words` are those of a vector of `elem`s (WORD1); it is released if this fails.
pub(crate) unsafe fn make_unique(elem: Elem, words: &mut [u64], reserve: Reserve<'_>) -> Result<(), Failure> {
    reserve_copy(elem, words, reserve)?;
    // SAFETY: the word is overwritten before it is used again.
    let value = unsafe { counted_value(Counted::Array, words[0]) };
    let Value::Array(array) = value else { return Err(hole("set")) };
    let (from, len) = (words[1] as usize, words[2] as usize);
    // SAFETY: passed on.
    let mut array = with_elem!(elem, T => unsafe { viewed::<T>(array, from, len) });
    let changed = Arc::make_mut(&mut array);
    let copied = changed.bytes_to_write();
    if copied > 0 {
        reserve(copied)?;
    }
    let data = with_elem!(elem, T => changed.to_mut::<T>().map(|elems| elems.as_mut_ptr() as usize));
    words[1] = data.ok_or_else(|| hole("set"))? as u64;
    words[3] = 1;
    words[0] = values::array_word(array);
    Ok(())
}

/// Reserves the memory for a copy of a lent slice (WORD5).
fn reserve_copy(elem: Elem, words: &[u64], reserve: Reserve<'_>) -> Result<(), Failure> {
    if is_lent(words[0]) { reserve((words[2] as usize) << elem.log2_size()) } else { Ok(()) }
}

/// Fills a free buffer with `len` copies of an element.
///
/// # Safety
/// There is room for `len` `elem`s from `data` on, which have no other reader.
pub(crate) unsafe fn fill(elem: Elem, data: u64, bits: u64, len: usize) {
    with_elem!(elem, T => {
        // SAFETY: passed on.
        unsafe { std::slice::from_raw_parts_mut(data as usize as *mut T, len) }.fill(T::from_word(bits));
    });
}

/// Creates a vector of `len` copies of an element: at most `isize::MAX` bytes.
pub(crate) fn repeat(
    elem: Elem,
    words: &mut [u64],
    bits: u64,
    len: usize,
    reserve: Reserve<'_>,
) -> Result<(), Failure> {
    /// From this size on, memory is reserved by `try_reserve` first, since the allocator aborts the process
    /// if it fails.
    const MUCH: usize = 64 << 20;
    let bytes = len << elem.log2_size();
    reserve(bytes)?;
    if bytes >= MUCH && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        let message = format!("memory allocation of {bytes} bytes failed");
        return Err(Failure::new(FailureKind::MemoryLimit, message));
    }
    with_elem!(elem, T => {
        let mut array = Arc::new(Array::from_vec(vec![T::from_word(bits); len]));
        let unique = Arc::get_mut(&mut array).and_then(|unique| unique.to_mut::<T>()).ok_or_else(|| hole("repeat"))?;
        words[1] = unique.as_mut_ptr() as usize as u64;
        words[0] = values::array_word(array);
    });
    words[2] = len as u64;
    words[3] = 1;
    Ok(())
}

/// The number of bytes from the first element of a vector on that may be written; 0 if it has another owner.
///
/// # Safety
/// `words` are those of a vector of `elem`s (WORD1).
pub(crate) unsafe fn bytes_to_fill(elem: Elem, words: &[u64]) -> u64 {
    if words[0] < HOLES || unique_flag(words) == 0 {
        return 0;
    }
    // SAFETY: WORD1.
    let array = unsafe { &*(words[0] as usize as *const Array<'static>) };
    // A reused buffer must not bring along spare capacity that `with_room` promised to another vector.
    if array.capacity() > 0 {
        return 0;
    }
    // The words may see more or fewer elements than the array (VEC1).
    let seen =
        with_elem!(elem, T => array.as_slice::<T>().map(|seen| (seen.as_ptr() as usize, size_of_val(seen))));
    seen.filter(|(data, _)| *data == words[1] as usize).map_or(0, |(_, bytes)| bytes as u64)
}

/// Appends an element.
///
/// # Safety
/// As for [`make_unique`].
pub(crate) unsafe fn push(
    elem: Elem,
    words: &mut [u64],
    bits: u64,
    reserve: Reserve<'_>,
) -> Result<(), Failure> {
    /// Growth doubles the buffer; from this length on it is charged to the memory limit.
    const LONG: usize = 1024;
    let len = words[2] as usize;
    if unique_flag(words) != 0 && !is_lent(words[0]) && (len < LONG || !len.is_power_of_two()) {
        checks::vector(elem, Elements::all(words), Access::Write);
        checks::buffers_changed();
        // SAFETY: WORD2: the array has no other owner.
        let array = unsafe { &mut *(words[0] as usize as *mut Array<'static>) };
        if let Some(data) = with_elem!(elem, T => grown(array, len, T::from_word(bits))) {
            (words[1], words[2], words[3]) = (data as u64, len as u64 + 1, GROWABLE);
            return Ok(());
        }
    }
    reserve_copy(elem, words, reserve)?;
    // SAFETY: the word is overwritten before it is used again.
    let value = unsafe { counted_value(Counted::Array, words[0]) };
    let Value::Array(array) = value else { return Err(hole("push")) };
    // SAFETY: passed on.
    let mut array = with_elem!(elem, T => unsafe { viewed::<T>(array, words[1] as usize, len) });
    let changed = Arc::make_mut(&mut array);
    let copied = changed.bytes_to_write();
    if copied > 0 {
        reserve(copied)?;
    }
    let len = changed.len();
    if len >= LONG && len.is_power_of_two() {
        reserve(len << elem.log2_size())?;
    }
    let data = with_elem!(elem, T => grown(changed, len, T::from_word(bits)));
    words[1] = data.ok_or_else(|| hole("push"))? as u64;
    words[2] = len as u64 + 1;
    words[3] = GROWABLE;
    words[0] = values::array_word(array);
    Ok(())
}

/// Converts the words of a vector to a value.
///
/// # Safety
/// As for [`crate::values::value_of`].
pub(crate) unsafe fn value_of(shape: &LayoutKind, words: &[u64], transfer: Transfer) -> Value<'static> {
    // SAFETY: passed on.
    let value = unsafe { counted_value_of(Counted::Array, words[0], transfer) };
    let Value::Array(array) = value else { return value };
    let (data, len) = (words[1] as usize, words[2] as usize);
    Value::Array(match shape {
        // SAFETY: passed on.
        LayoutKind::Vector(elem) => with_elem!(*elem, T => unsafe { viewed::<T>(array, data, len) }),
        _ => viewed_packed(array, data, len),
    })
}

/// The scalars from an address on, which the array sees (VEC1), or which are lent (WORD5).
///
/// # Safety
/// The words are those of a vector of `T`s (WORD1, WORD2).
unsafe fn viewed<T: Scalar>(array: Arc<Array<'static>>, data: usize, len: usize) -> Arc<Array<'static>> {
    if is_lent(Arc::as_ptr(&array) as usize as u64) {
        // SAFETY: WORD2, WORD5: the elements are at this address.
        let elems = unsafe { std::slice::from_raw_parts(data as *const T, len) };
        return Arc::new(Array::from_vec(elems.to_vec()));
    }
    let Some(seen) = array.as_slice::<T>() else { return array };
    let from = data.saturating_sub(seen.as_ptr() as usize) / size_of::<T>();
    // An empty vector may be behind the last element; one of no elements has no address.
    let from = if len == 0 && from > seen.len() { 0 } else { from };
    if (from, len) == (0, seen.len()) {
        return array;
    }
    let all = array.with_len(from + len);
    all.and_then(|all| all.slice(from, from + len)).map_or(array, Arc::new)
}

/// The packed elements from an address on, some of which the array sees (VEC1).
fn viewed_packed(mut array: Arc<Array<'static>>, data: usize, len: usize) -> Arc<Array<'static>> {
    let Some((rows, view)) = array.as_packed::<PackedElements>() else { return array };
    let from = (data - rows.place(0) as usize) / (rows.record.width() * size_of::<u64>());
    if view == (from..from + len) {
        return array;
    }
    if from == view.start
        && let Some(unique) = Arc::get_mut(&mut array)
        && unique.edit_packed::<PackedElements, ()>(|_, _| (len, ())).is_some()
    {
        return array;
    }
    array.viewed(from..from + len).map_or(array, Arc::new)
}

/// The four words of an array of other elements; `None` if the elements are packed by another `Pack` and stay
/// so: each read creates such an element anew, so nothing would hold a borrowed part of it (H25).
#[must_use]
pub(crate) fn write_packed(
    elem: Ty,
    mut array: Arc<Array<'static>>,
    words: &mut [u64],
    packing: Packing,
) -> Option<()> {
    if packing == Packing::Pack {
        array = packed_elements::packed(array);
    }
    if array.is_packed() && array.as_packed::<PackedElements>().is_none() {
        if packing == Packing::Keep {
            return None;
        }
        Arc::make_mut(&mut array).to_values_mut()?;
    }
    words.fill(0);
    if let Some((rows, view)) = array.as_packed::<PackedElements>()
        && rows.record.layout.ty == elem
    {
        (words[1], words[2]) = (rows.place(view.start) as u64, view.len() as u64);
        let is_in_place = |unique: &mut Array<'static>| {
            unique.edit_packed::<PackedElements, _>(|rows, view| (view.len(), rows.len()))
        };
        words[3] = match Arc::get_mut(&mut array).and_then(is_in_place) {
            None => 0,
            Some(all) if view_is_all(&array, all) => GROWABLE,
            Some(_) => UNIQUE,
        };
    }
    words[0] = values::array_word(array);
    Some(())
}

fn view_is_all(array: &Array<'_>, all: usize) -> bool {
    array.as_packed::<PackedElements>().is_some_and(|(_, view)| view == (0..all))
}

/// Appends to a vector of `len` scalars (VEC1, VEC2); returns the address of the first.
fn grown<T: Scalar>(array: &mut Array<'static>, len: usize, value: T) -> Option<usize> {
    if array.len() != len {
        *array = array.with_len(len)?;
    }
    array.push_growing(value).map(|elems| elems.as_mut_ptr() as usize)
}

/// Makes a vector the only owner of its packed elements.
///
/// # Safety
/// `words` are those of a vector of packed elements (WORD1); it is released if this fails.
pub(crate) unsafe fn make_packed_unique(words: &mut [u64], reserve: Reserve<'_>) -> Result<(), Failure> {
    // SAFETY: the words are overwritten before they are used again.
    let value = unsafe { counted_value(Counted::Array, words[0]) };
    let Value::Array(array) = value else { return Err(hole("set")) };
    let mut array = viewed_packed(array, words[1] as usize, words[2] as usize);
    let Some((rows, view)) = array.as_packed::<PackedElements>() else { return Err(hole("set")) };
    let record = rows.record.clone();
    if Arc::get_mut(&mut array)
        .and_then(|unique| unique.edit_packed::<PackedElements, ()>(|_, view| (view.len(), ())))
        .is_none()
    {
        reserve(view.len() * record.width() * size_of::<u64>())?;
        let (rows, view) = array.as_packed::<PackedElements>().ok_or_else(|| hole("set"))?;
        array = Arc::new(Array::packed(record.layout.ty, rows.part(view)));
    }
    write_packed(record.layout.ty, array, words, Packing::Keep).ok_or_else(|| hole("set"))
}

/// The failure of an operation on a hole (H15).
#[cold]
fn hole(op: &str) -> Failure {
    Failure::new(FailureKind::Type, format!("`{op}` does not take (unit)"))
}
