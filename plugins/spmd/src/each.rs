//! The elements of a mapped call, run to a list of results in their order: those of all, or those before the first failure.

use std::sync::{Mutex, PoisonError};

use overdub_context::limits::Budget;

use crate::error::{ElementError, MapError};
use crate::schedule::{Schedule, check};
use crate::settings::Settings;

/// The greatest number of elements of a block, between two reports of progress.
const BLOCK: usize = 256;

/// The number of blocks for each thread, if there are as many elements: they may take different times.
const BLOCKS: usize = 16;

/// What becomes of elements that fail: [`FirstFailure`], or [`EachFailure`].
pub trait Failures {
    /// The results of all elements, in order.
    type Results<T, E>;

    #[doc(hidden)]
    fn run<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Self::Results<T, E>, MapError<E>>;
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

    fn run<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, MapError<E>> {
        let budget = Budget::current();
        blocks(run, begin, |_, state, at| {
            check::<E>(budget.as_ref())?;
            each(state, at)
        })
    }
}

impl Failures for EachFailure {
    type Results<T, E> = Vec<Result<T, E>>;

    fn run<W, T: Send, E: ElementError>(
        run: &Run<'_>,
        begin: impl Fn() -> W + Sync,
        each: impl Fn(&mut W, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<Result<T, E>>, MapError<E>> {
        let budget = Budget::current();
        blocks(run, begin, |schedule, state, at| {
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
    each: impl Fn(&Schedule<'_>, &mut W, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, MapError<E>> {
    let block = (len / (settings.threads() * BLOCKS)).clamp(1, BLOCK);
    let schedule = Schedule { settings, len, block };
    let done: Mutex<Vec<(usize, Vec<T>)>> = Mutex::new(Vec::new());
    schedule.run(
        begin,
        |state, results: &mut Vec<T>, at| {
            if results.is_empty() {
                results.reserve_exact(schedule.block.min(len - at));
            }
            results.push(each(&schedule, state, at)?);
            Ok(())
        },
        |number, results| done.lock().unwrap_or_else(PoisonError::into_inner).push((number, results)),
    )?;
    let mut blocks = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    blocks.sort_unstable_by_key(|(number, _)| *number);
    let mut all = Vec::with_capacity(len);
    blocks.into_iter().for_each(|(_, results)| all.extend(results));
    Ok(all)
}
