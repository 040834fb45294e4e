//! The buffer pool of a run: buffers of released vectors, and slots that the caller lends, for vectors of
//! scalars that the run creates.
//!
//! - POOL1 a free buffer belongs to a vector of scalars with no other owner: its bytes, from its address on,
//!   may be written in place.
//! - POOL2 compiled code takes the last free buffer itself ([`crate::runtime::zero_fill`]): it relies on the offsets of
//!   the fields.
//! - POOL3 a lent buffer (WORD5) is memory of the caller, for the duration of one call.

use std::mem::offset_of;

use crate::abi::layout::{Counted, Elem};
use crate::abi::uncounted::is_lent;
use crate::checks::{self, Holder, Holding};
use crate::values;
use crate::values::vectors;

/// The number of free buffers that are kept.
const CAPACITY: usize = 16;

/// A request is served by a buffer up to 2^n times as large.
pub(crate) const LARGER: u32 = 2;

/// What a buffer may be used for: the kind of its elements, and the first component of the part of the result
/// that the vector becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct BufferKind(pub(crate) u32);

impl BufferKind {
    pub(crate) fn new(elem: Elem, result_component: Option<usize>) -> BufferKind {
        let component = result_component.map_or(0, |component| component as u32 + 1);
        BufferKind(elem as u32 | component << 8)
    }
}

/// A free buffer.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct FreeBuffer {
    /// The first two words of its vector.
    handle: u64,
    data: u64,
    bytes: u64,
    kind: u64,
}

/// The free buffers of a run.
#[derive(Default)]
#[repr(C)]
pub(crate) struct BufferPool {
    count: u64,
    free: [FreeBuffer; CAPACITY],
}

/// Field offsets that compiled code uses (POOL2).
pub(crate) const COUNT: usize = offset_of!(BufferPool, count);
pub(crate) const FREE: usize = offset_of!(BufferPool, free);
pub(crate) const HANDLE: usize = offset_of!(FreeBuffer, handle);
pub(crate) const DATA: usize = offset_of!(FreeBuffer, data);
pub(crate) const BYTES: usize = offset_of!(FreeBuffer, bytes);
pub(crate) const KIND: usize = offset_of!(FreeBuffer, kind);

impl BufferPool {
    /// Releases a vector; its buffer is kept if it has no other owner.
    ///
    /// # Safety
    /// `words` are the words of a vector of `elem`s (WORD1), and not used again.
    pub(crate) unsafe fn release(&mut self, elem: Elem, kind: BufferKind, words: &[u64]) {
        let at = self.count as usize;
        // SAFETY: WORD1, WORD2.
        let bytes = if at < CAPACITY { unsafe { vectors::bytes_to_fill(elem, words) } } else { 0 };
        if bytes == 0 {
            // SAFETY: passed on.
            return unsafe { values::release(Counted::Array, words[0]) };
        }
        checks::pooled(Counted::Array, words[0]);
        let free = FreeBuffer { handle: words[0], data: words[1], bytes, kind: kind.0.into() };
        if checks::ON {
            free.poison();
        }
        self.add(free);
    }

    /// Lends memory for a vector of this kind (POOL3), whose word is [`lent()`], if the pool has room. The memory must not be used for
    /// anything else until [`BufferPool::end_loans`].
    #[inline]
    pub(crate) fn lend(&mut self, handle: u64, kind: BufferKind, memory: &mut [f64]) {
        if let Some(free) = self.free.get_mut(self.count as usize)
            && !memory.is_empty()
        {
            let (data, bytes) = (memory.as_mut_ptr().expose_provenance() as u64, size_of_val(memory) as u64);
            checks::lease(data as usize, bytes as usize, true);
            *free = FreeBuffer { handle, data, bytes, kind: kind.0.into() };
            self.count += 1;
        }
    }

    fn add(&mut self, free: FreeBuffer) {
        self.free[self.count as usize] = free;
        self.count += 1;
    }

    /// Ends the loan of buffers that were not taken.
    #[inline]
    pub(crate) fn end_loans(&mut self) {
        if self.count != 0 {
            self.remove_lent();
        }
    }

    fn remove_lent(&mut self) {
        let mut lent_count = 0;
        for at in 0..self.count as usize {
            let free = self.free[at];
            if !is_lent(free.handle) {
                self.free[lent_count] = free;
                lent_count += 1;
            }
        }
        self.count = lent_count as u64;
    }

    /// The first two words of a free vector whose buffer has room for this many bytes and is not much larger,
    /// if there is one.
    pub(crate) fn take(&mut self, kind: BufferKind, bytes: u64) -> Option<[u64; 2]> {
        let fits = |free: &FreeBuffer| {
            free.kind == u64::from(kind.0) && free.bytes >= bytes && free.bytes >> LARGER <= bytes
        };
        let at = self.free[..self.count as usize].iter().rposition(fits)?;
        let found = self.free[at];
        self.count -= 1;
        self.free[at] = self.free[self.count as usize];
        checks::unpooled(Counted::Array, found.handle);
        Some([found.handle, found.data])
    }
}

/// Poisoning, in the checking mode.
impl FreeBuffer {
    const POISON: u8 = 0xdb;

    /// Overwrites the buffer.
    fn poison(&self) {
        // SAFETY: POOL1: it may be written.
        unsafe {
            std::ptr::write_bytes(self.data as usize as *mut u8, FreeBuffer::POISON, self.bytes as usize)
        }
    }

    /// Whether the buffer is unchanged since [`FreeBuffer::poison`].
    fn is_poisoned(&self) -> bool {
        // SAFETY: POOL1: it may be read.
        let byte = |at| unsafe { (self.data as usize as *const u8).add(at).read() };
        (0..self.bytes as usize).all(|at| byte(at) == FreeBuffer::POISON)
    }
}

impl BufferPool {
    /// Reports a fault if a free buffer was written.
    pub(crate) fn check(&self) {
        for free in &self.free[..self.count as usize] {
            if !is_lent(free.handle) && !free.is_poisoned() {
                checks::fault(&format!(
                    "the array at {:#x} was written after it was given to the pool",
                    free.handle
                ));
            }
        }
    }
}

impl Drop for BufferPool {
    fn drop(&mut self) {
        let _pool = Holding::by(Holder::Pool);
        for free in &self.free[..self.count as usize] {
            // SAFETY: POOL1: the handle was given to `release`, and is not used again.
            unsafe { values::release(Counted::Array, free.handle) };
        }
    }
}
