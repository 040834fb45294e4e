//! The elements of a mapped call, run to a list of results in their order: those of all, or those before the first failure.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use overdub_context::limits::Budget;

use crate::error::{ElementError, MapError};
use crate::schedule::{Schedule, check};
use crate::settings::Settings;

/// The greatest number of elements of a block, between two reports of progress.
const BLOCK: usize = 256;

/// The greatest number of elements of a block that runs in lanes, the last of which wait for each other.
pub(crate) const LANE_BLOCK: usize = 4096;

/// The number of blocks for each thread, if there are as many elements: they may take different times.
const BLOCKS: usize = 16;

/// What becomes of elements that fail: [`FirstFailure`], or [`EachFailure`].
pub trait Failures {
    /// The results of all elements, in order.
    type Results<T, E>;

    /// Runs elements one by one, where `block` does not run those of a whole block.
    #[doc(hidden)]
    fn run_blocks<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        block: impl Fn(Range<usize>) -> Option<Vec<T>> + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Self::Results<T, E>, MapError<E>>;

    #[doc(hidden)]
    fn run<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Self::Results<T, E>, MapError<E>> {
        Self::run_blocks(run, begin, |_| None, each)
    }
}

/// The first element that fails is the failure of the whole call.
#[derive(Clone, Copy, Debug)]
pub struct FirstFailure;

/// Each element has its own result.
#[derive(Clone, Copy, Debug)]
pub struct EachFailure;

/// The elements of a call, and how they are run.
#[derive(Debug)]
pub struct Run<'s> {
    pub(crate) settings: &'s Settings,
    pub(crate) len: usize,
}

impl Failures for FirstFailure {
    type Results<T, E> = Vec<T>;

    fn run_blocks<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        block: impl Fn(Range<usize>) -> Option<Vec<T>> + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, MapError<E>> {
        let budget = Budget::current();
        blocks(run, begin, block, |_, state, at| {
            check::<E>(budget.as_ref())?;
            each(state, at)
        })
    }
}

impl Failures for EachFailure {
    type Results<T, E> = Vec<Result<T, E>>;

    fn run_blocks<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        block: impl Fn(Range<usize>) -> Option<Vec<T>> + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<Result<T, E>>, MapError<E>> {
        let budget = Budget::current();
        let block = |range| block(range).map(|all| all.into_iter().map(Ok).collect());
        blocks(run, begin, block, |schedule, state, at| {
            match check::<E>(budget.as_ref()).and_then(|()| each(state, at)) {
                Err(error) if schedule.was_cancelled(&error) => Err(error),
                result => Ok(result),
            }
        })
    }
}

fn blocks<W, T: Send, E: ElementError>(
    &Run { settings, len }: &Run<'_>,
    begin: impl Fn() -> W + Sync,
    block: impl Fn(Range<usize>) -> Option<Vec<T>> + Sync,
    each: impl Fn(&Schedule<'_>, &mut W, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, MapError<E>> {
    let length = match settings.lanes {
        Some(_) => (len / settings.threads()).clamp(1, LANE_BLOCK),
        None => (len / (settings.threads() * BLOCKS)).clamp(1, BLOCK),
    };
    let schedule = Schedule { settings, len, block: length };
    let done = Mutex::new(InOrder::with_capacity(len));
    schedule.run(
        begin,
        |state, results: &mut Vec<T>, at| {
            let range = schedule.range(at);
            if at == range.start {
                if let Some(all) = block(range.clone()).filter(|all| all.len() == range.len()) {
                    *results = all;
                    return Ok(range.len());
                }
                results.reserve_exact(range.len());
            }
            results.push(each(&schedule, state, at)?);
            Ok(1)
        },
        |number, results| done.lock().unwrap_or_else(PoisonError::into_inner).put(number, results),
    )?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).all)
}

/// The most results for which there is room before there are any.
const ROOM: usize = 1 << 16;

/// The results of blocks in the order of their numbers, which may be done in another one.
struct InOrder<T> {
    all: Vec<T>,
    /// The number of blocks whose results are in `all`.
    count: usize,
    /// What is done before a block that precedes it.
    early: BTreeMap<usize, Vec<T>>,
}

impl<T> InOrder<T> {
    /// Room for this many results, or for the first of them: an early one may fail, or the call be cancelled.
    fn with_capacity(len: usize) -> InOrder<T> {
        InOrder { all: Vec::with_capacity(len.min(ROOM)), count: 0, early: BTreeMap::new() }
    }

    fn put(&mut self, number: usize, results: Vec<T>) {
        if number != self.count {
            self.early.insert(number, results);
            return;
        }
        let mut next = Some(results);
        while let Some(results) = next {
            self.all.extend(results);
            self.count += 1;
            next = self.early.remove(&self.count);
        }
    }
}
