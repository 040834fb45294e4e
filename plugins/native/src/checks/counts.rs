//! The reference counts of blocks, by their kind.

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::value::{Array, Closure, Composite, Text, Value};

use crate::abi::layout::Counted;

/// The reference count of a block; `None` for boxes.
///
/// # Safety
/// The word is that of a live block of this kind (WORD1).
pub(super) unsafe fn strong_count(counted: Counted, word: u64) -> Option<usize> {
    let at = word as usize as *const ();
    // SAFETY: passed on; RECORDS4.
    unsafe {
        match counted {
            Counted::Str => Some(count_of::<Text>(at)),
            Counted::Composite => Some(count_of::<Composite<'static>>(at)),
            Counted::Array => Some(count_of::<Array<'static>>(at)),
            Counted::Closure => Some(count_of::<Closure<'static>>(at)),
            Counted::Stack => Some(count_of::<Vec<Value<'static>>>(at)),
            Counted::Tape => Some((*at.cast::<AtomicUsize>()).load(Ordering::Acquire)),
            Counted::Ref | Counted::Opaque | Counted::I128 | Counted::U128 => None,
        }
    }
}

/// The count of a block that is held by `Arc`s.
///
/// # Safety
/// The pointer came from `Arc::<T>::into_raw`, and the block is live.
unsafe fn count_of<T>(at: *const ()) -> usize {
    // SAFETY: passed on; the count is not given up.
    Arc::strong_count(&ManuallyDrop::new(unsafe { Arc::from_raw(at.cast::<T>()) }))
}
