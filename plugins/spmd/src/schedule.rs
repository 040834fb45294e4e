//! Runs blocks of elements on threads, with one outcome for every number of threads.
//!
//! - SCHEDULE1 blocks are begun in order. After a failure, elements with smaller numbers still run, so the failure that is
//!   reported is that of the first element that fails.
//! - SCHEDULE2 the size of a block is given, so what is computed for a block does not depend on the number of threads.
//! - SCHEDULE3 the threads run within the budget of the calling thread, and count their steps there.

use std::cell::Cell;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use overdub_context::limits::{Budget, Limits, count_steps, counting};

use crate::axis::{MappedAxes, in_mapped_call};
use crate::error::{ElementError, MapError};
use crate::settings::{STACK_BYTES, Settings};

thread_local! {
    static CURRENT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The number of the element that runs on this thread; none outside of mapped calls. A sink that programs print into, or a
/// hook of a context, tells elements apart by it.
///
/// ```
/// # use overdub::prelude::*;
/// use std::sync::{Arc, Mutex};
/// use overdub::context::engine::{Interpreting, Sink};
/// use overdub::spmd::{current_element, map};
///
/// #[dub]
/// fn shout(x: f64) { println!("{x}!"); }
///
/// let said = Arc::new(Mutex::new(vec![String::new(); 3]));
/// let kept = said.clone();
/// let sink: Sink = Arc::new(Mutex::new(move |text: &str| {
///     if let Some(at) = current_element() { kept.lock().expect("no panic")[at].push_str(text) }
/// }));
/// let builder = overdub::lower::registry::program().engine_builder();
/// let engine = builder.executor(Interpreting::new().printing(sink)).build();
/// map(shout).in_engine(&engine).threads(2).over((&[1.0, 2.0, 3.0],)).values()?;
/// assert_eq!(said.lock().expect("no panic").concat(), "1!\n2!\n3!\n");
/// # Ok::<(), overdub::spmd::MapError>(())
/// ```
pub fn current_element() -> Option<usize> {
    CURRENT.get()
}

/// Restores the element of an enclosing mapped call, even if an element panics.
struct Enclosing(Option<usize>);

impl Drop for Enclosing {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Elements in blocks, and how they are run.
pub(crate) struct Schedule<'s> {
    pub(crate) settings: &'s Settings,
    pub(crate) len: usize,
    /// The number of elements of a block, at least 1.
    pub(crate) block: usize,
}

/// What the threads share.
struct Shared<E> {
    next: AtomicUsize,
    /// The number of the first element that is known to fail.
    first: AtomicUsize,
    failure: Mutex<Option<(usize, E)>>,
    is_cancelled: AtomicBool,
    done: Mutex<usize>,
}

impl Schedule<'_> {
    /// Runs `step` for the elements with the state of its thread, which `begin` makes, and what its block has so far; it returns
    /// how many elements it ran, one or all of the block. `end` takes the number of each finished block, and what it has.
    pub(crate) fn run<W, B: Default, E: ElementError>(
        &self,
        begin: impl Fn() -> W + Sync,
        step: impl Fn(&mut W, &mut B, usize) -> Result<usize, E> + Sync,
        end: impl Fn(usize, B) + Sync,
    ) -> Result<(), MapError<E>> {
        let shared = Shared {
            next: AtomicUsize::new(0),
            first: AtomicUsize::new(usize::MAX),
            failure: Mutex::new(None),
            is_cancelled: AtomicBool::new(false),
            done: Mutex::new(0),
        };
        let work = || {
            let mut state = begin();
            while let Some((number, elements)) = self.next(&shared) {
                let count = elements.len();
                let mut block = B::default();
                if self.block(&shared, elements, |at| step(&mut state, &mut block, at)) {
                    end(number, block);
                    self.settings.advance(&shared.done, count, self.len);
                }
            }
        };
        let limits = match &self.settings.cancel {
            Some(cancel) => Limits::default().with_cancel(cancel.clone()),
            None => Limits::default(),
        };
        let budget = match &self.settings.cancel {
            Some(_) => Some(Budget::new(&limits)),
            None => Budget::current(),
        };
        self.on_threads(budget.as_ref(), &work);
        let done = *shared.done.lock().unwrap_or_else(PoisonError::into_inner);
        match shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            _ if shared.is_cancelled.into_inner() => Err(MapError::Cancelled { done, len: self.len }),
            Some((index, error)) => Err(MapError::Element { index, error }),
            None => Ok(()),
        }
    }

    /// The elements of the block that an element is in.
    pub(crate) fn range(&self, at: usize) -> Range<usize> {
        let start = at - at % self.block;
        start..self.len.min(start.saturating_add(self.block))
    }

    /// The next block, unless an element before it failed.
    fn next<E>(&self, shared: &Shared<E>) -> Option<(usize, Range<usize>)> {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let start = number.checked_mul(self.block).filter(|start| *start < self.len)?;
        let goes_on =
            start < shared.first.load(Ordering::Acquire) && !shared.is_cancelled.load(Ordering::Relaxed);
        goes_on.then(|| (number, start..self.len.min(start.saturating_add(self.block))))
    }

    /// Whether all elements of a block were run, and none failed.
    fn block<E: ElementError>(
        &self,
        shared: &Shared<E>,
        elements: Range<usize>,
        mut step: impl FnMut(usize) -> Result<usize, E>,
    ) -> bool {
        let _enclosing = Enclosing(CURRENT.get());
        let mut at = elements.start;
        while at < elements.end {
            CURRENT.set(Some(at));
            // SCHEDULE1
            if at > shared.first.load(Ordering::Relaxed) {
                return false;
            }
            if self.settings.is_cancelled() {
                shared.is_cancelled.store(true, Ordering::Relaxed);
                return false;
            }
            let error = match step(at) {
                Ok(count) => {
                    at += count.max(1);
                    continue;
                }
                Err(error) => error,
            };
            if self.was_cancelled(&error) {
                shared.is_cancelled.store(true, Ordering::Relaxed);
                return false;
            }
            shared.first.fetch_min(at, Ordering::AcqRel);
            let mut failure = shared.failure.lock().unwrap_or_else(PoisonError::into_inner);
            if failure.as_ref().is_none_or(|(earlier, _)| at < *earlier) {
                *failure = Some((at, error));
            }
            return false;
        }
        true
    }

    /// Whether an element failed because the call was cancelled.
    pub(crate) fn was_cancelled(&self, error: &impl ElementError) -> bool {
        self.settings.is_cancelled() && error.limit().is_some_and(|limit| limit.name() == "cancel")
    }

    /// Runs `work` on all threads (SCHEDULE3), of which the calling thread is one. If the system has no more threads, fewer do
    /// the same work.
    fn on_threads(&self, budget: Option<&Budget>, work: &(dyn Fn() + Sync)) {
        let axes = MappedAxes::current();
        let work = &|| in_mapped_call(&axes, work);
        let within = || match budget {
            // A budget of its own within that of all, whose counts are then not contended.
            Some(budget) => budget.during(|| Limits::default().during(work)),
            None => work(),
        };
        let others = self.settings.threads().min(self.len.div_ceil(self.block)).saturating_sub(1);
        if others == 0 {
            return within();
        }
        thread::scope(|scope| {
            let spawned = (0..others).map_while(|_| {
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, || counting(within).1).ok()
            });
            let spawned: Vec<_> = spawned.collect();
            within();
            for thread in spawned {
                match thread.join() {
                    Ok(steps) => count_steps(steps),
                    Err(panic) => resume_unwind(panic),
                }
            }
        });
    }
}

/// Runs elements one after the other on this thread, up to the first that fails.
pub(crate) fn one_by_one<T, E: ElementError>(
    len: usize,
    mut each: impl FnMut(usize) -> Result<T, E>,
) -> Result<Vec<T>, MapError<E>> {
    let budget = Budget::current();
    let _enclosing = Enclosing(CURRENT.get());
    let run = |index| {
        CURRENT.set(Some(index));
        check::<E>(budget.as_ref())
            .and_then(|()| each(index))
            .map_err(|error| MapError::Element { index, error })
    };
    in_mapped_call(&MappedAxes::current(), || (0..len).map(run).collect())
}

/// Fails if the time of the enclosing run or code is over, or if it was cancelled: a short run does not look at the clock.
pub(crate) fn check<E: ElementError>(budget: Option<&Budget>) -> Result<(), E> {
    match budget {
        Some(budget) if budget.interrupts() => Ok(budget.check()?),
        _ => Ok(()),
    }
}
