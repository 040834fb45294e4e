//! Runs inside of runs, on one thread: each gets what the outer ones have left.

use std::cell::{Cell, RefCell};

use super::budget::Budget;
use super::{DEFAULT_CALLBACKS, DEFAULT_DEPTH, Limit, Limits};
use crate::failure::Failure;

/// Where less of the machine's stack than this is left, a run inside of a run continues on a new piece of this size.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

/// What the runs of this thread that wait for another one have open.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Open {
    pub(super) calls: usize,
    pub(super) callbacks: usize,
    pub(super) bytes: usize,
}

thread_local! {
    static BUDGET: RefCell<Option<Budget>> = const { RefCell::new(None) };
    static OPEN: Cell<Open> = const { Cell::new(Open { calls: 0, callbacks: 0, bytes: 0 }) };
    /// Bytes that belong to a run, but not to its values.
    static HELD: Cell<usize> = const { Cell::new(0) };
    static HAS_BUDGET: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn open() -> Open {
    OPEN.get()
}

pub(super) fn current() -> Option<Budget> {
    if HAS_BUDGET.get() { BUDGET.with_borrow(Clone::clone) } else { None }
}

/// Puts back what was there before, also where `f` panics.
struct Restore(Option<Budget>, Open);

impl Drop for Restore {
    fn drop(&mut self) {
        HAS_BUDGET.set(self.0.is_some());
        // A thread that ends has no budget any more.
        let _ = BUDGET.try_with(|budget| budget.replace(self.0.take()));
        OPEN.set(self.1);
    }
}

pub(super) fn during<R>(budget: Option<Budget>, f: impl FnOnce() -> R) -> R {
    HAS_BUDGET.set(budget.is_some());
    let _restore = Restore(BUDGET.replace(budget), OPEN.get());
    f()
}

/// What is left of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left<T> {
    /// What is left.
    pub left: T,
    /// The limit.
    pub limit: T,
}

/// What one run may use. Whoever runs a program asks it, and tells it what is open before it runs what may begin other
/// runs.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Calls that may be open.
    pub depth: Left<usize>,
    /// Calls from operations and host functions that may be open.
    pub callbacks: Left<usize>,
    /// Bytes that the run's values may take.
    pub memory: Option<Left<usize>>,
    /// What it shares with other runs; none if nothing is limited but open calls.
    pub budget: Option<Budget>,
    open: Open,
}

impl Limits {
    /// Whether a run with these limits, now and here, has only the default ones.
    pub fn are_default_here(&self) -> bool {
        !HAS_BUDGET.get() && self.is_empty()
    }

    /// Whether a run with these limits, now and here, has to look at them from time to time
    /// ([`Budget::interrupts`]).
    pub fn interrupt_here(&self) -> bool {
        let own = self.time.is_some() || self.steps.is_some() || self.cancel.is_some();
        own || HAS_BUDGET.get() && current().is_some_and(|budget| budget.interrupts())
    }

    /// What a run with these limits may use, now and here.
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

    /// Begins a run: `f` gets what it may use, and runs inside of it get what it leaves.
    ///
    /// # Errors
    /// What `f` fails with, and where runs are too deep in each other.
    pub fn run<R>(&self, f: impl FnOnce(Grant) -> Result<R, Failure>) -> Result<R, Failure> {
        let grant = self.grant();
        if grant.callbacks.left == 0 {
            return Err(Failure::of_limit(Limit::Callbacks(grant.callbacks.limit)));
        }
        grant.resume(f)
    }
}

impl Grant {
    /// Goes on with a run that has this grant.
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

    /// Whether time is left and nobody has cancelled.
    ///
    /// # Errors
    /// The limit that is hit.
    pub fn check(&self) -> Result<(), Failure> {
        self.budget.as_ref().map_or(Ok(()), Budget::check)
    }

    /// Tells what the run has open, for runs that begin inside of it.
    pub fn tell(&self, calls: usize, callbacks: usize, bytes: usize) {
        OPEN.set(Open {
            calls: self.open.calls.saturating_add(calls),
            callbacks: self.open.callbacks.saturating_add(callbacks + 1),
            bytes: self.open.bytes.saturating_add(bytes),
        });
    }
}

/// Bytes that belong to the run at hand, but not to its values, as long as this lives: a tape beside it.
#[derive(Debug, Default)]
pub struct Held(usize);

impl Held {
    /// Nothing yet.
    pub const fn nothing() -> Held {
        Held(0)
    }

    /// Holds this number of bytes from now on.
    ///
    /// # Errors
    /// If that is more than the limits leave.
    pub fn set(&mut self, bytes: usize) -> Result<(), Failure> {
        let more = bytes > self.0;
        let held = HELD.get().saturating_sub(self.0).saturating_add(bytes);
        HELD.set(held);
        self.0 = bytes;
        match current().and_then(|budget| budget.ends()[2]).filter(|_| more) {
            Some(end) if OPEN.get().bytes.saturating_add(held) > end.left => {
                Err(Failure::of_limit(Limit::Memory(end.limit)))
            }
            _ => Ok(()),
        }
    }

    /// What it holds.
    pub fn own_bytes(&self) -> usize {
        self.0
    }

    /// Holds nothing from now on.
    pub fn release(&mut self) {
        *self = Held(0);
    }

    /// What is held on this thread.
    pub fn bytes() -> usize {
        HELD.get()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // It may be dropped on another thread than it was made on.
        let _ = HELD.try_with(|held| held.set(held.get().saturating_sub(self.0)));
    }
}
