//! Calls of a function for many elements at once.

use std::fmt;
use std::time::Duration;

use super::FuncGuard;
use crate::value::{Array, Value};

/// How a function of one element is called for many: see [`Executor::batch`](super::Executor::batch).
///
/// ```
/// use overdub_context::engine::{BatchForm, Engine};
///
/// let module = overdub_context::text::parse("fn @f(%x: f64, %k: f64) -> f64 {\n  ret %x\n}")?.module();
/// let form = BatchForm { mapped: vec![true, false], width: 64 };
/// // The interpreter has no such calls.
/// assert!(Engine::new(module).batch("f", &form).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BatchForm {
    /// For each parameter, whether it is a list with an argument for each element.
    pub mapped: Vec<bool>,
    /// The number of elements that run side by side.
    pub width: usize,
}

/// What came of a call for many elements.
#[derive(Clone, Debug)]
pub enum BatchOutcome {
    /// A list for each scalar of which the result consists, those of a tuple in order.
    Results(Vec<Array<'static>>),
    /// An element failed, or might have: a call for each element finds out which and why.
    Failed,
    /// Nothing ran: the executor has no code for this call, or not yet, or the call has limits that it does not observe.
    Unavailable,
}

/// Calls a function for many elements at once, from any number of threads.
pub trait Batch: Send + Sync + fmt::Debug {
    /// Calls the function for each element: for a parameter that is mapped over there is a list, whose lengths are equal.
    /// Results are those of a call for each element, to the bit, except for the sign and payload of a `NaN`.
    fn run(&self, args: &[Value<'_>]) -> BatchOutcome;

    /// Adds the time for which elements ran in another way since the call was unavailable: executors compile what takes long.
    fn add_time(&self, _time: Duration) {}
}

/// Calls a function generated for contexts, and keeps those alive.
#[derive(Debug)]
pub(super) struct GuardedBatch {
    pub(super) batch: Box<dyn Batch>,
    pub(super) _guard: FuncGuard,
}

impl Batch for GuardedBatch {
    fn run(&self, args: &[Value<'_>]) -> BatchOutcome {
        self.batch.run(args)
    }

    fn add_time(&self, time: Duration) {
        self.batch.add_time(time);
    }
}
