//! Panics in the `Clone` or `Drop` of host values, which are parked until the run ends (RUN3, H20).

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The first panic of a host value's `Clone` or `Drop` (RUN3).
    static PARKED: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Whether any thread has ever parked one, so that short calls need not look.
static ANY_PARKED: AtomicBool = AtomicBool::new(false);

/// Parks such a panic until the run ends (RUN3).
pub(crate) fn park_panic(payload: Box<dyn Any + Send>) {
    ANY_PARKED.store(true, Ordering::Relaxed);
    let first = PARKED.take();
    if first.is_some() {
        // Dropping the payload may panic; the payload of that panic is not dropped, as this might never end.
        if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(another);
        }
        return PARKED.set(first);
    }
    PARKED.set(Some(payload));
}

/// Whether a panic may be parked.
pub(crate) fn may_be_parked() -> bool {
    ANY_PARKED.load(Ordering::Relaxed)
}

/// Takes the parked panic of this thread.
pub(super) fn take_parked() -> Option<Box<dyn Any + Send>> {
    if may_be_parked() { PARKED.take() } else { None }
}
