//! Nested runs on one thread: each gets the remainder of the outer runs' limits.

use std::cell::{Cell, RefCell};

use super::budget::Budget;
use super::{DEFAULT_CALLBACKS, DEFAULT_DEPTH, Limit, Limits};
use crate::failure::Failure;

/// If less of the machine stack than this is left, a nested run continues on a new segment of this size.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

/// The open calls and bytes of the runs of this thread that wait for a nested one.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Open {
    pub(super) calls: usize,
    pub(super) callbacks: usize,
    pub(super) bytes: usize,
}

thread_local! {
    static BUDGET: RefCell<Option<Budget>> = const { RefCell::new(None) };
    static OPEN: Cell<Open> = const { Cell::new(Open { calls: 0, callbacks: 0, bytes: 0 }) };
    /// The number of bytes that belong to a run, but not to its values.
    static EXTRA_BYTES: Cell<usize> = const { Cell::new(0) };
    static HAS_BUDGET: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn open() -> Open {
    OPEN.get()
}

pub(super) fn current() -> Option<Budget> {
    if HAS_BUDGET.get() { BUDGET.with_borrow(Clone::clone) } else { None }
}

/// Restores the previous state, even if `f` panics.
struct Restore(Option<Budget>, Open);

impl Drop for Restore {
    fn drop(&mut self) {
        HAS_BUDGET.set(self.0.is_some());
        // A thread that is ending has no budget any more.
        let _ = BUDGET.try_with(|budget| budget.replace(self.0.take()));
        OPEN.set(self.1);
    }
}

pub(super) fn during<R>(budget: Option<Budget>, f: impl FnOnce() -> R) -> R {
    HAS_BUDGET.set(budget.is_some());
    let _restore = Restore(BUDGET.replace(budget), OPEN.get());
    f()
}

/// The remainder of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left<T> {
    /// The remainder.
    pub left: T,
    /// The limit.
    pub limit: T,
}

/// The resources granted to one run. An executor checks them, and reports what is open before it runs code
/// that may begin other runs.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The number of calls that may be open.
    pub depth: Left<usize>,
    /// The number of calls from operations and host functions that may be open.
    pub callbacks: Left<usize>,
    /// The number of bytes that the run's values may occupy.
    pub memory: Option<Left<usize>>,
    /// The budget shared with other runs; none if only open calls are limited.
    pub budget: Option<Budget>,
    open: Open,
}

impl Limits {
    /// Whether a run with these limits, started here, has only the default limits.
    #[inline]
    pub fn are_default_here(&self) -> bool {
        Limits::are_default_outside() && self.is_empty()
    }

    /// Whether a run without limits of its own, started here, has only the default limits.
    #[inline]
    pub fn are_default_outside() -> bool {
        !HAS_BUDGET.get()
    }

    /// Whether a run with these limits, started here, has to check them regularly ([`Budget::interrupts`]).
    pub fn interrupt_here(&self) -> bool {
        let checks_own = self.time.is_some() || self.steps.is_some() || self.cancel.is_some();
        checks_own || HAS_BUDGET.get() && current().is_some_and(|budget| budget.interrupts())
    }

    /// The resources granted to a run with these limits that is started here.
    pub fn grant(&self) -> Grant {
        let open = OPEN.get();
        let outer = current();
        let budget = if self.is_empty() { outer } else { Some(Budget::within(self, outer.as_ref(), open)) };
        let [depth, callbacks, memory] = budget.as_ref().map_or([None; 3], Budget::ends);
        let default = |limit: usize| Left { left: limit, limit };
        let rest = |end: Left<usize>, used: usize| Left { left: end.left.saturating_sub(used), ..end };
        Grant {
            depth: rest(depth.unwrap_or(default(DEFAULT_DEPTH)), open.calls),
            callbacks: rest(callbacks.unwrap_or(default(DEFAULT_CALLBACKS)), open.callbacks),
            memory: memory.map(|memory| rest(memory, open.bytes)),
            budget,
            open,
        }
    }

    /// Begins a run: `f` gets the grant, and runs nested in it get the remainder.
    ///
    /// # Errors
    /// If `f` fails, or if runs are nested too deeply.
    pub fn run<R>(&self, f: impl FnOnce(Grant) -> Result<R, Failure>) -> Result<R, Failure> {
        let grant = self.grant();
        if grant.callbacks.left == 0 {
            return Err(Failure::of_limit(Limit::Callbacks(grant.callbacks.limit)));
        }
        grant.resume(f)
    }
}

impl Grant {
    /// Continues a run that has this grant.
    pub fn resume<R>(self, f: impl FnOnce(Grant) -> R) -> R {
        let within = Restore(current(), self.open);
        if let Some(budget) = &self.budget {
            HAS_BUDGET.set(true);
            BUDGET.set(Some(budget.clone()));
        }
        let callbacks = self.open.callbacks + 1;
        OPEN.set(Open { callbacks, ..self.open });
        let result =
            if callbacks == 1 { f(self) } else { stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || f(self)) };
        drop(within);
        result
    }

    /// Checks that time is left and the run is not cancelled.
    ///
    /// # Errors
    /// The limit that is hit.
    pub fn check(&self) -> Result<(), Failure> {
        self.budget.as_ref().map_or(Ok(()), Budget::check)
    }

    /// Reports what the run has open, for runs nested in it.
    pub fn report_open(&self, calls: usize, callbacks: usize, bytes: usize) {
        OPEN.set(Open {
            calls: self.open.calls.saturating_add(calls),
            callbacks: self.open.callbacks.saturating_add(callbacks + 1),
            bytes: self.open.bytes.saturating_add(bytes),
        });
    }
}

/// Bytes that belong to the current run, but not to its values, as long as this object lives: for example a
/// tape.
#[derive(Debug, Default)]
pub struct ExtraBytes(usize);

impl ExtraBytes {
    /// Holds nothing.
    pub const fn nothing() -> ExtraBytes {
        ExtraBytes(0)
    }

    /// Holds this number of bytes from now on.
    ///
    /// # Errors
    /// If that is more than the limits leave.
    pub fn set(&mut self, bytes: usize) -> Result<(), Failure> {
        let more = bytes > self.0;
        let total = EXTRA_BYTES.get().saturating_sub(self.0).saturating_add(bytes);
        EXTRA_BYTES.set(total);
        self.0 = bytes;
        match current().and_then(|budget| budget.ends()[2]).filter(|_| more) {
            Some(end) if OPEN.get().bytes.saturating_add(total) > end.left => {
                Err(Failure::of_limit(Limit::Memory(end.limit)))
            }
            _ => Ok(()),
        }
    }

    /// The number of bytes held by this object.
    pub fn own_bytes(&self) -> usize {
        self.0
    }

    /// Holds nothing from now on.
    pub fn release(&mut self) {
        *self = ExtraBytes(0);
    }

    /// The number of bytes held on this thread.
    pub fn bytes() -> usize {
        EXTRA_BYTES.get()
    }
}

impl Drop for ExtraBytes {
    fn drop(&mut self) {
        // The object may be dropped on another thread than it was created on.
        let _ = EXTRA_BYTES.try_with(|total| total.set(total.get().saturating_sub(self.0)));
    }
}
