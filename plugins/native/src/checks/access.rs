//! Checks of accesses: whether the memory is live, and whether it may be written (CHECKMODE3).

use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::Arc;

use overdub_context::value::Array;

use super::ON;
use super::counts::strong_count;
use super::ledger::{self, Ledger};
use crate::abi::layout::{Counted, Elem, HOLES};
use crate::abi::uncounted::is_lent;

/// How compiled code accesses elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    /// A write after the last element, within the capacity.
    Append,
}

/// An access to elements: the words of the vector, the first element, and the number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Elements {
    pub(crate) handle: u64,
    pub(crate) data: u64,
    pub(crate) len: u64,
    pub(crate) from: u64,
    pub(crate) count: u64,
}

impl Elements {
    /// All elements of a vector with these words.
    pub(crate) fn all(words: &[u64]) -> Elements {
        Elements { handle: words[0], data: words[1], len: words[2], from: 0, count: words[2] }
    }
}

/// Memory that was found live, and unique if it is written, since the last change of a count.
#[derive(Default)]
pub(super) struct Cache {
    known: [CachedAccess; 8],
}

#[derive(Clone, Copy)]
struct CachedAccess {
    handle: u64,
    access: Access,
    from: usize,
    to: usize,
}

impl Default for CachedAccess {
    fn default() -> CachedAccess {
        CachedAccess { handle: 0, access: Access::Read, from: 0, to: 0 }
    }
}

impl Cache {
    pub(super) fn clear(&mut self) {
        self.known = Default::default();
    }

    fn slot(&mut self, elements: &Elements) -> &mut CachedAccess {
        &mut self.known[((elements.handle >> 4) ^ (elements.data >> 6)) as usize % 8]
    }

    fn contains(&mut self, elements: &Elements, size: usize, access: Access) -> bool {
        let CachedAccess { handle, access: known, from, to } = *self.slot(elements);
        handle == elements.handle && known == access && is_within(elements, size, access, &(from..to))
    }

    fn insert(&mut self, elements: &Elements, access: Access, memory: Range<usize>) {
        *self.slot(elements) =
            CachedAccess { handle: elements.handle, access, from: memory.start, to: memory.end };
    }
}

/// Records that a vector may have a new buffer.
pub(crate) fn buffers_changed() {
    if ON {
        ledger::with(|ledger| ledger.cache.clear());
    }
}

/// Checks an access to scalars.
pub(crate) fn vector(elem: Elem, elements: Elements, access: Access) {
    if !ON {
        return;
    }
    let size = 1 << elem.log2_size();
    check(elements, size, access, |ledger| {
        if is_lent(elements.handle) {
            return leased(ledger, &elements, size, access);
        }
        // SAFETY: the ledger knows the block as live.
        let array =
            ManuallyDrop::new(unsafe { Arc::from_raw(elements.handle as usize as *const Array<'static>) });
        if Elem::of(array.elem_ty()) != Some(elem) {
            return Err(format!("the array has elements of {:?}, not {elem:?}", array.elem_ty()));
        }
        let seen = array.buffer_address() as usize;
        check_unique(&array, access)?;
        Ok(seen..seen + if array.bytes() == 0 { borrowed_bytes(&array, size) } else { array.bytes() })
    });
}

/// The size of a borrowed buffer up to the end of what an array sees of it.
fn borrowed_bytes(array: &Array<'_>, size: usize) -> usize {
    array.view().end * size
}

fn leased(ledger: &Ledger, elements: &Elements, size: usize, access: Access) -> Result<Range<usize>, String> {
    let lease = ledger.leases.iter().rev().find(|(from, to, is_written)| {
        is_within(elements, size, access, &(*from..*to)) && (*is_written || access == Access::Read)
    });
    match lease {
        Some((from, to, _)) => Ok(*from..*to),
        None => Err("the caller lends no such memory".into()),
    }
}

/// Checks an access to rows of this size in bytes; `places` returns the addresses of an array's rows.
pub(crate) fn rows(
    bytes: usize,
    elements: Elements,
    access: Access,
    places: fn(&Array<'_>) -> Option<Range<usize>>,
) {
    check(elements, bytes, access, |_| {
        // SAFETY: the ledger knows the block as live.
        let array =
            ManuallyDrop::new(unsafe { Arc::from_raw(elements.handle as usize as *const Array<'static>) });
        let memory = places(&array).ok_or("the array has no rows")?;
        check_unique(&array, access)?;
        Ok(memory)
    });
}

fn is_within(elements: &Elements, size: usize, access: Access, memory: &Range<usize>) -> bool {
    let Elements { data, len, from, count, .. } = *elements;
    let end = from.checked_add(count).filter(|end| *end <= len || access == Access::Append);
    let bytes = end.and_then(|end| usize::try_from(end.max(len)).ok()).and_then(|end| end.checked_mul(size));
    let data = data as usize;
    bytes
        .and_then(|bytes| data.checked_add(bytes))
        .is_some_and(|end| data >= memory.start && end <= memory.end)
}

/// Whether the array may be written.
fn check_unique(array: &Arc<Array<'static>>, access: Access) -> Result<(), String> {
    let (count, copied) = (Arc::strong_count(array), array.bytes_to_write());
    match access {
        Access::Write | Access::Append if count > 1 => {
            Err(format!("its count is {count}: others hold it too"))
        }
        Access::Write | Access::Append if copied > 0 => Err("others see its buffer too".into()),
        _ => Ok(()),
    }
}

/// Checks an access to elements of `size` bytes; `memory_of` returns the memory of the array.
fn check(
    elements: Elements,
    size: usize,
    access: Access,
    memory_of: impl FnOnce(&Ledger) -> Result<Range<usize>, String>,
) {
    let verb = match access {
        Access::Read => "reads",
        Access::Write => "writes",
        Access::Append => "appends to",
    };
    ledger::with(|ledger| {
        if ledger.cache.contains(&elements, size, access) {
            return;
        }
        let Elements { handle, data, len, from, count } = elements;
        if handle < HOLES {
            return ledger.fault(&format!("it {verb} the elements of a hole"));
        }
        if !is_lent(handle) && !ledger.seen(Counted::Array, handle) {
            return;
        }
        match memory_of(ledger) {
            Ok(memory) if is_within(&elements, size, access, &memory) => {
                ledger.cache.insert(&elements, access, memory);
            }
            Ok(memory) => ledger.fault(&format!(
                "it {verb} the array at {handle:#x}, but {count} elements from {from} on, of {len} at {data:#x}, do not lie in {:#x}..{:#x}",
                memory.start, memory.end
            )),
            Err(why) => ledger.fault(&format!("it {verb} the array at {handle:#x}, but {why}")),
        }
    });
}

/// Checks an access to a tape; if `is_unique`, also that it has one owner.
pub(crate) fn tape(word: u64, is_unique: bool) {
    ledger::with(|ledger| {
        if word < HOLES {
            return ledger.fault("it reads a tape that is a hole");
        }
        if !ledger.seen(Counted::Tape, word) {
            return;
        }
        // SAFETY: the ledger knows the tape as live.
        let owners = unsafe { strong_count(Counted::Tape, word) };
        if is_unique
            && let Some(owners) = owners
            && owners != 1
        {
            let what =
                format!("it changes the tape at {word:#x}, but its count is {owners}: others hold it too");
            ledger.fault(&what);
        }
    });
}
