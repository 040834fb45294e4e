//! What compiled code reads and writes itself: whether it is there, and whether it may be written (K3).

use std::mem::ManuallyDrop;
use std::sync::Arc;

use overdub_context::value::Array;

use super::ON;
use super::ledger::{self, Ledger};
use crate::layout::{Counted, Elem, HOLES};
use crate::rows::Rows;
use crate::tape::Tape;
use crate::vectors;

/// What compiled code does to elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    /// Writes behind the last one, where there is room.
    Append,
}

/// Elements that compiled code is about to read or write: the words of the vector, from which one on, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Elements {
    pub(crate) handle: u64,
    pub(crate) data: u64,
    pub(crate) len: u64,
    pub(crate) from: u64,
    pub(crate) count: u64,
}

impl Elements {
    /// All elements of the vector of these words.
    pub(crate) fn whole(words: &[u64]) -> Elements {
        Elements { handle: words[0], data: words[1], len: words[2], from: 0, count: words[2] }
    }
}

/// The vectors that were checked since something was counted last: they need not be looked at again.
#[derive(Default)]
pub(super) struct Cache {
    known: [(u64, u64, u64, u32); 8],
}

impl Cache {
    pub(super) fn clear(&mut self) {
        self.known = Default::default();
    }

    fn knows(&mut self, elements: &Elements, access: Access) -> bool {
        let key = (elements.handle, elements.data, elements.len, access as u32 + 1);
        let slot = &mut self.known[(elements.handle >> 4) as usize % 8];
        std::mem::replace(slot, key) == key
    }
}

/// Vectors of scalars.
pub(crate) fn vector(elem: Elem, elements: Elements, access: Access) {
    if !ON {
        return;
    }
    let size = 1 << elem.log2_size();
    check(elements, access, |ledger| {
        if vectors::is_lent(elements.handle) {
            return leased(ledger, &elements, size, access);
        }
        // SAFETY: the ledger knows the block as live.
        let array =
            ManuallyDrop::new(unsafe { Arc::from_raw(elements.handle as usize as *const Array<'static>) });
        if Elem::of(array.elem_ty()) != Some(elem) {
            return Err(format!("the array has elements of {:?}, not {elem:?}", array.elem_ty()));
        }
        let seen = array.buffer_address() as usize;
        let bytes = if array.bytes() == 0 { seen_bytes(&array, size) } else { array.bytes() };
        within(&elements, size, access, seen..seen + bytes)?;
        is_own(&array, access)
    });
}

/// The bytes of a borrowed array, which sees all that it may.
fn seen_bytes(array: &Array<'_>, size: usize) -> usize {
    array.len() * size
}

fn leased(ledger: &Ledger, elements: &Elements, size: usize, access: Access) -> Result<(), String> {
    let lease = ledger.leases.iter().rev().find(|(from, to, is_written)| {
        is_within(elements, size, access, &(*from..*to)) && (*is_written || access == Access::Read)
    });
    match lease {
        Some(_) => Ok(()),
        None => Err("the caller lends no such memory".into()),
    }
}

/// Vectors of rows, each of so many bytes.
pub(super) fn rows(bytes: usize, elements: Elements, access: Access) {
    check(elements, access, |_| {
        // SAFETY: the ledger knows the block as live.
        let array =
            ManuallyDrop::new(unsafe { Arc::from_raw(elements.handle as usize as *const Array<'static>) });
        let Some((rows, _)) = array.as_packed::<Rows>() else { return Err("the array has no rows".into()) };
        within(&elements, bytes, access, rows.places())?;
        is_own(&array, access)
    });
}

fn within(
    elements: &Elements,
    size: usize,
    access: Access,
    memory: std::ops::Range<usize>,
) -> Result<(), String> {
    if is_within(elements, size, access, &memory) {
        return Ok(());
    }
    let Elements { data, len, from, count, .. } = elements;
    Err(format!(
        "{count} elements from {from} on, of {len} at {data:#x}, do not lie in {:#x}..{:#x}",
        memory.start, memory.end
    ))
}

fn is_within(elements: &Elements, size: usize, access: Access, memory: &std::ops::Range<usize>) -> bool {
    let Elements { data, len, from, count, .. } = *elements;
    let end = from.checked_add(count).filter(|end| *end <= len || access == Access::Append);
    let bytes = end.and_then(|end| usize::try_from(end.max(len)).ok()).and_then(|end| end.checked_mul(size));
    let data = data as usize;
    bytes
        .and_then(|bytes| data.checked_add(bytes))
        .is_some_and(|end| data >= memory.start && end <= memory.end)
}

/// Whether the array may be written, if it is.
fn is_own(array: &Arc<Array<'static>>, access: Access) -> Result<(), String> {
    let (count, copied) = (Arc::strong_count(array), array.bytes_to_write());
    match access {
        Access::Write | Access::Append if count > 1 => {
            Err(format!("its count is {count}: others hold it too"))
        }
        Access::Write | Access::Append if copied > 0 => Err("others see its buffer too".into()),
        _ => Ok(()),
    }
}

fn check(elements: Elements, access: Access, look: impl FnOnce(&Ledger) -> Result<(), String>) {
    let does = match access {
        Access::Read => "reads",
        Access::Write => "writes",
        Access::Append => "appends to",
    };
    ledger::with(|ledger| {
        let is_within = elements.from.checked_add(elements.count).is_some_and(|end| end <= elements.len);
        if (is_within || access == Access::Append)
            && ledger.cache.knows(&elements, access)
            && access != Access::Append
        {
            return;
        }
        if elements.handle < HOLES {
            return ledger.fault(&format!("it {does} the elements of a hole"));
        }
        if !vectors::is_lent(elements.handle) && !ledger.seen(Counted::Array, elements.handle) {
            return;
        }
        if let Err(why) = look(ledger) {
            ledger.fault(&format!("it {does} the array at {:#x}, but {why}", elements.handle));
        }
    });
}

/// A tape, which has no other owner if that is said.
pub(super) fn tape(word: u64, is_alone: bool) {
    ledger::with(|ledger| {
        if word < HOLES {
            return ledger.fault("it reads a tape that is a hole");
        }
        if !ledger.seen(Counted::Tape, word) {
            return;
        }
        // SAFETY: the ledger knows the tape as live.
        let tape = unsafe { &*(word as usize as *const Tape) };
        if is_alone && tape.owners() != 1 {
            let what = format!(
                "it changes the tape at {word:#x}, but its count is {}: others hold it too",
                tape.owners()
            );
            ledger.fault(&what);
        }
    });
}
