//! Ranks on the threads of one process: the same programs as under MPI, without it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::communicator::{CommError, Communicator};
use crate::settings::STACK_BYTES;

/// One of several ranks on the threads of this process.
#[derive(Clone)]
pub struct ThreadRank {
    index: usize,
    shared: Arc<Shared>,
}

struct Shared {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// An exchange has two phases: each rank puts what it sends; once all have, each takes what it receives.
#[derive(Default)]
struct State {
    /// For each rank that has put its parts into the current exchange, those.
    sent: Vec<Option<Vec<Vec<u8>>>>,
    /// How many ranks have taken theirs.
    taken: usize,
    /// A rank that has returned.
    ended: Option<usize>,
    /// The rank that failed first, and why.
    failed: Option<(usize, String)>,
}

/// Ranks could not be run to their end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RanksError<E: fmt::Display> {
    /// This rank failed first.
    #[error("rank {rank}: {error}")]
    Rank {
        /// Its number.
        rank: usize,
        /// Its error.
        error: E,
    },
    /// The system has no thread for a rank.
    #[error("there is no thread for rank {rank}: {reason}")]
    NoThread {
        /// Its number.
        rank: usize,
        /// The system's error.
        reason: String,
    },
}

/// Runs `program` as this many ranks, each on a thread of its own, and returns their results in order.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Communicator, OnAxis, bind, psum, ranks};
///
/// /// A sum over the numbers of all ranks.
/// #[dub]
/// fn total(own: &[f64]) -> f64 { psum(own.iter().sum::<f64>(), "ranks") }
///
/// let data = [1.0, 2.0, 3.0, 4.0];
/// let totals = ranks(2, |rank| {
///     let own = &data[2 * rank.index()..][..2];
///     bind("ranks", &rank, || overdub(OnAxis::new("ranks"), total, (own,)))
/// })?;
/// assert_eq!(totals, [10.0, 10.0]);
/// # Ok::<(), overdub::spmd::RanksError<overdub::Error>>(())
/// ```
///
/// # Errors
/// The error of the rank that failed first; the others end instead of waiting for it. A panic of a rank is passed on.
pub fn ranks<R: Send, E: Send + fmt::Display>(
    size: usize,
    program: impl Fn(ThreadRank) -> Result<R, E> + Sync,
) -> Result<Vec<R>, RanksError<E>> {
    let state = State { sent: (0..size).map(|_| None).collect(), ..State::default() };
    let shared = Arc::new(Shared { size, state: Mutex::new(state), changed: Condvar::new() });
    let (run, of) = (&program, &shared);
    let results = thread::scope(|scope| {
        let mut threads = Vec::with_capacity(size);
        for index in 0..size {
            let builder = thread::Builder::new().stack_size(STACK_BYTES).name(format!("rank {index}"));
            match builder.spawn_scoped(scope, move || of.run(index, run)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    of.end(index, Some("it has no thread".to_owned()));
                    return Err(RanksError::NoThread { rank: index, reason: error.to_string() });
                }
            }
        }
        Ok(threads.into_iter().map(|thread| thread.join().unwrap_or_else(Err)).collect::<Vec<_>>())
    })?;
    let first = shared.lock().failed.as_ref().map(|(rank, _)| *rank);
    let mut all = Vec::with_capacity(size);
    let mut failures = Vec::new();
    for (rank, result) in results.into_iter().enumerate() {
        match result {
            Err(panic) => resume_unwind(panic),
            Ok(Err(error)) if Some(rank) == first => return Err(RanksError::Rank { rank, error }),
            Ok(Err(error)) => failures.push(RanksError::Rank { rank, error }),
            Ok(Ok(result)) => all.push(result),
        }
    }
    failures.into_iter().next().map_or(Ok(all), Err)
}

type Ended<R, E> = Result<Result<R, E>, Box<dyn Any + Send>>;

impl Shared {
    fn run<R, E: fmt::Display>(
        self: &Arc<Shared>,
        index: usize,
        program: impl Fn(ThreadRank) -> Result<R, E>,
    ) -> Ended<R, E> {
        let rank = ThreadRank { index, shared: self.clone() };
        let result = catch_unwind(AssertUnwindSafe(|| program(rank)));
        self.end(
            index,
            match &result {
                Ok(Ok(_)) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("it panicked".to_owned()),
            },
        );
        result
    }

    /// Notes that a rank has returned, and its failure.
    fn end(&self, index: usize, failure: Option<String>) {
        let mut state = self.lock();
        state.ended.get_or_insert(index);
        if let (Some(message), None) = (failure, &state.failed) {
            state.failed = Some((index, message));
        }
        drop(state);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `is_due` holds; fails if it cannot come to hold any more (COMM2).
    fn wait<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        is_due: impl Fn(&State) -> bool,
    ) -> Result<MutexGuard<'s, State>, CommError> {
        while !is_due(&state) {
            if let Some((rank, message)) = &state.failed {
                return Err(CommError::new(format!("rank {rank} failed: {message}")));
            }
            if let Some(rank) = state.ended {
                return Err(CommError::new(format!(
                    "rank {rank} has ended, and does not exchange data any more"
                )));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(state)
    }
}

impl Communicator for ThreadRank {
    fn index(&self) -> usize {
        self.index
    }

    fn size(&self) -> usize {
        self.shared.size
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CommError> {
        let Shared { size, changed, .. } = &*self.shared;
        if parts.len() != *size {
            return Err(CommError::new(format!("{} parts for {size} ranks", parts.len())));
        }
        // The exchange before this one ends when all have taken their parts.
        let mut state = self.shared.wait(self.shared.lock(), |state| state.sent[self.index].is_none())?;
        state.sent[self.index] = Some(parts);
        changed.notify_all();
        let mut state = self.shared.wait(state, |state| state.sent.iter().all(Option::is_some))?;
        let mine =
            state.sent.iter_mut().flatten().map(|parts| std::mem::take(&mut parts[self.index])).collect();
        state.taken += 1;
        if state.taken == *size {
            state.taken = 0;
            state.sent.iter_mut().for_each(|parts| *parts = None);
            changed.notify_all();
        }
        Ok(mine)
    }
}

impl fmt::Debug for ThreadRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadRank").field("index", &self.index).field("size", &self.shared.size).finish()
    }
}
