//! Tapes: stacks of scalar records, stored as contiguous words, which compiled code pushes and pops itself.
//!
//! - RECORDS1 the words from `base` to `top` are whole records; there is room up to `end`.
//! - RECORDS2 (H2) a tape whose count is 1 has one owner, which may change it; if the count is higher, an
//!   owner copies it first.
//! - RECORDS3 (H2) a tape does not leave its run; a tape in a constant is never changed, since the constant holds a
//!   count.
//! - RECORDS4 a tape begins with its count.

use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::Failure;
use overdub_context::value::Value;

use crate::abi::layout::{Counted, Layout};
use crate::checks::{self, Holder, Holding};
use crate::values::freed::drop_tape;
use crate::values::vectors::Reserve;
use crate::values::{self, Transfer};

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// A tape grows by doubling, from this many records.
const FEWEST: usize = 32;

/// A stack of records.
#[repr(C)]
pub(crate) struct Tape {
    count: AtomicUsize,
    base: *mut u64,
    top: *mut u64,
    end: *mut u64,
    record: Arc<Layout>,
    /// The address of the [`TapeSite`] that made it, or 0.
    site: usize,
}

/// An instruction of compiled code that creates a tape.
#[derive(Debug)]
pub(crate) struct TapeSite {
    pub(crate) record: Arc<Layout>,
}

/// Field offsets that compiled code uses.
pub(crate) const COUNT: usize = offset_of!(Tape, count);
pub(crate) const BASE: usize = offset_of!(Tape, base);
pub(crate) const TOP: usize = offset_of!(Tape, top);
pub(crate) const END: usize = offset_of!(Tape, end);

const _: () = assert!(COUNT == 0, "RECORDS4: the checking mode reads the count of any tape");

impl Tape {
    /// A tape of these values; `None` if one of them is not such a record.
    pub(crate) fn of_values(record: &Arc<Layout>, values: Vec<Value<'static>>) -> Option<*mut Tape> {
        let width = record.components.len();
        let mut all = vec![0; width * values.len()];
        for (value, record_words) in values.into_iter().zip(all.chunks_exact_mut(width)) {
            values::write(record, value, record_words).ok()?;
        }
        Some(Tape::of(record.clone(), all, 0))
    }

    fn of(record: Arc<Layout>, words: Vec<u64>, site: usize) -> *mut Tape {
        let null = std::ptr::null_mut();
        let mut tape = Tape { count: AtomicUsize::new(1), base: null, top: null, end: null, record, site };
        tape.hold(words);
        let tape = Box::into_raw(Box::new(tape));
        checks::gained(Counted::Tape, tape as usize as u64);
        tape
    }

    /// Takes over a vector of words; the previous words are not freed.
    fn hold(&mut self, words: Vec<u64>) {
        let mut words = std::mem::ManuallyDrop::new(words);
        self.base = words.as_mut_ptr();
        // SAFETY: both are within the allocation, or one past its end.
        (self.top, self.end) = unsafe { (self.base.add(words.len()), self.base.add(words.capacity())) };
    }

    /// Returns the words as a vector; the tape must not use them again.
    fn released(&mut self) -> Vec<u64> {
        let len = (self.top as usize - self.base as usize) / WORD;
        let capacity = (self.end as usize - self.base as usize) / WORD;
        // SAFETY: RECORDS1, and `hold` took them from a vector of this capacity; compiled code has written those
        // below `top`.
        unsafe { Vec::from_raw_parts(self.base, len, capacity) }
    }

    fn words(&self) -> &[u64] {
        let len = (self.top as usize - self.base as usize) / WORD;
        // SAFETY: RECORDS1.
        unsafe { std::slice::from_raw_parts(self.base, len) }
    }

    /// The records as values.
    pub(crate) fn values(&self) -> Vec<Value<'static>> {
        let records = self.words().chunks_exact(self.record.components.len());
        // SAFETY: RECORDS1: they are words of records, which have no counted components.
        records
            .map(|record_words| unsafe { values::value_of(&self.record, record_words, Transfer::Share) })
            .collect()
    }

    /// Adds an owner.
    pub(crate) fn share(&self) {
        checks::gained(Counted::Tape, std::ptr::from_ref(self) as usize as u64);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// The size of the allocation in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.end as usize - self.base as usize
    }

    /// Overwrites the whole allocation; no records remain.
    pub(crate) fn poison(&mut self) {
        self.top = self.base;
        for at in 0..self.bytes() / WORD {
            // SAFETY: RECORDS1: the word is within the allocation.
            unsafe { self.base.add(at).write(checks::POISON) }
        }
    }

    /// Whether the tape is unchanged since [`Tape::poison`].
    pub(crate) fn is_poisoned(&self) -> bool {
        // SAFETY: RECORDS1; the words were written.
        let word = |at| unsafe { self.base.add(at).read() };
        self.top == self.base && (0..self.bytes() / WORD).all(|at| word(at) == checks::POISON)
    }

    /// Removes an owner.
    ///
    /// # Safety
    /// The caller owns a count, and gives it up.
    pub(crate) unsafe fn release(tape: *mut Tape) {
        if !checks::lost(Counted::Tape, tape as usize as u64) {
            return;
        }
        // SAFETY: the tape is live as long as it has an owner; the last one frees it.
        unsafe {
            if (*tape).count.fetch_sub(1, Ordering::AcqRel) == 1 {
                drop_tape(Box::from_raw(tape));
            }
        }
    }

    /// A tape with these records and no other owner: the given one, or a copy (RECORDS2).
    ///
    /// # Safety
    /// As for [`Tape::release`]; the caller owns a count of the result.
    pub(crate) unsafe fn owned(tape: *mut Tape, reserve: Reserve<'_>) -> Result<*mut Tape, Failure> {
        // SAFETY: the caller owns a count.
        let this = unsafe { &*tape };
        if this.count.load(Ordering::Acquire) == 1 {
            return Ok(tape);
        }
        let reserved = reserve(this.words().len() * WORD);
        let copy = reserved.map(|()| Tape::of(this.record.clone(), this.words().to_vec(), this.site));
        // SAFETY: passed on.
        unsafe { Tape::release(tape) };
        copy
    }

    /// A tape with these records, no other owner, and room for one more record.
    ///
    /// # Safety
    /// As for [`Tape::owned`].
    pub(crate) unsafe fn with_capacity(tape: *mut Tape, reserve: Reserve<'_>) -> Result<*mut Tape, Failure> {
        // SAFETY: passed on; after `owned` the tape has no other owner.
        let this = unsafe { &mut *Tape::owned(tape, reserve)? };
        let width = this.record.components.len();
        if this.end as usize - (this.top as usize) < width * WORD {
            let mut words = this.released();
            let more = words.len().max(FEWEST * width);
            let reserved = reserve(more * WORD);
            if reserved.is_ok() {
                words.reserve_exact(more);
            }
            this.hold(words);
            if let Err(failure) = reserved {
                // SAFETY: passed on.
                unsafe { Tape::release(this) };
                return Err(failure);
            }
        }
        Ok(this)
    }
}

/// The number of free tapes that are kept.
const CAPACITY: usize = 32;

/// The free tapes of a run. A tape is reused by the instruction that made it.
#[derive(Default)]
pub(crate) struct Tapes(Vec<usize>);

impl Tapes {
    /// An empty tape, which the caller owns.
    pub(crate) fn new_tape(&mut self, site: &TapeSite) -> *mut Tape {
        let place = std::ptr::from_ref(site) as usize;
        let is_its = |tape: &usize| {
            // SAFETY: the pool owns the only count of the tape.
            let tape = unsafe { &*(*tape as *const Tape) };
            // The address of a site may be reused by another function's code.
            tape.site == place && Arc::ptr_eq(&tape.record, &site.record)
        };
        match self.0.iter().rposition(is_its) {
            Some(at) => {
                let tape = self.0.swap_remove(at);
                checks::unpooled(Counted::Tape, tape as u64);
                // SAFETY: as above.
                if checks::ON && !unsafe { &*(tape as *const Tape) }.is_poisoned() {
                    checks::fault(&format!(
                        "the tape at {tape:#x} was written after it was given to the pool"
                    ));
                }
                tape as *mut Tape
            }
            None => Tape::of(site.record.clone(), Vec::new(), place),
        }
    }

    /// Releases a tape; its memory is kept if it has no other owner.
    ///
    /// # Safety
    /// As for [`Tape::release`].
    pub(crate) unsafe fn release(&mut self, tape: *mut Tape) {
        if !checks::seen(Counted::Tape, tape as usize as u64) {
            return;
        }
        // SAFETY: the caller owns a count.
        let this = unsafe { &mut *tape };
        let is_unique = this.count.load(Ordering::Acquire) == 1;
        if this.site == 0 || !is_unique || self.0.len() == CAPACITY {
            // SAFETY: passed on.
            return unsafe { Tape::release(tape) };
        }
        this.top = this.base;
        if checks::ON {
            this.poison();
        }
        checks::pooled(Counted::Tape, tape as usize as u64);
        self.0.push(tape as usize);
    }
}

impl Drop for Tapes {
    fn drop(&mut self) {
        let _pool = Holding::by(Holder::Pool);
        for tape in self.0.drain(..) {
            // SAFETY: their counts were given up to `release`.
            unsafe { Tape::release(tape as *mut Tape) };
        }
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        drop(self.released());
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::Ty;

    use super::*;

    #[test]
    fn records_come_back_as_they_went_in_and_a_copy_keeps_its_own() {
        let record = Layout::of(Ty::tuple([Ty::f64(), Ty::bool()]));
        let values: Vec<Value<'static>> =
            (0..100).map(|k| Value::tuple([Value::F64(f64::from(k)), Value::Bool(k % 3 == 0)])).collect();
        let tape = Tape::of_values(&record, values.clone()).expect("they are such records");
        let free: Reserve<'_> = &mut |_| Ok(());
        // SAFETY: each count is given up once.
        unsafe {
            (*tape).share();
            let copy = Tape::with_capacity(tape, free).expect("nothing is refused");
            assert_ne!(tape, copy);
            (*copy).top = (*copy).base;
            assert!((*copy).values().is_empty());
            let kept = (*tape).values();
            assert!(kept.iter().zip(&values).all(|(a, b)| a.same(b)));
            assert_eq!(kept.len(), 100);
            Tape::release(copy);
            Tape::release(tape);
        }
    }
}
