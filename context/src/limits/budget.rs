//! Budgets: limits shared by several runs, and the amounts used.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::nesting::{self, Left, Open};
use super::{Cancel, Limit, Limits};
use crate::failure::Failure;

/// The remainder of limits. Clones are the same budget: it can be [entered](Budget::during) on other threads,
/// whose runs then share its steps and its deadline.
#[derive(Clone)]
pub struct Budget(Arc<State>);

struct State {
    /// The deadline, and the time limit that determines it.
    deadline: Option<(Instant, Duration)>,
    cancels: Vec<Cancel>,
    /// The budget's own limit of steps, and those of the enclosing budgets.
    steps: Vec<Arc<Steps>>,
    depth: Option<Left<usize>>,
    callbacks: Option<Left<usize>>,
    memory: Option<Left<usize>>,
}

/// A limit of steps.
struct Steps {
    limit: u64,
    counted: AtomicU64,
}

impl Budget {
    /// The budget that limits allow from now on, within that of the enclosing run or code on this thread.
    pub fn new(limits: &Limits) -> Budget {
        Budget::within(limits, Budget::current().as_ref(), nesting::open())
    }

    /// The budget of the enclosing run or code on this thread.
    pub fn current() -> Option<Budget> {
        nesting::current()
    }

    pub(super) fn within(limits: &Limits, outer: Option<&Budget>, open: Open) -> Budget {
        let outer = outer.map(|outer| &*outer.0);
        let own = limits.time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        let deadline = own.into_iter().chain(outer.and_then(|outer| outer.deadline)).min();
        let outer_cancels = outer.map_or(&[][..], |outer| &outer.cancels);
        let cancels = limits.cancel.iter().chain(outer_cancels).cloned().collect();
        let steps = limits.steps.map(|limit| Arc::new(Steps { limit, counted: AtomicU64::new(0) }));
        let outer_steps = outer.map_or(&[][..], |outer| &outer.steps);
        let steps = steps.into_iter().chain(outer_steps.iter().cloned()).collect();
        // Limits of depth and memory are absolute, counted from the outermost run.
        let least = |limit_here: Option<usize>, used: usize, outer: Option<Left<usize>>| {
            let limit_here = limit_here.map(|limit| Left { left: limit.saturating_add(used), limit });
            limit_here.into_iter().chain(outer).min_by_key(|end| end.left)
        };
        Budget(Arc::new(State {
            deadline,
            cancels,
            steps,
            depth: least(limits.depth, open.calls, outer.and_then(|outer| outer.depth)),
            callbacks: least(limits.callbacks, open.callbacks, outer.and_then(|outer| outer.callbacks)),
            memory: least(limits.memory, open.bytes, outer.and_then(|outer| outer.memory)),
        }))
    }

    /// Runs Rust code within this budget on this thread.
    pub fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        nesting::during(Some(self.clone()), f)
    }

    /// Runs Rust code that does not belong to a run, though the run waits for it, such as loading a function:
    /// outside of every budget.
    pub fn suspended<R>(f: impl FnOnce() -> R) -> R {
        nesting::during(None, f)
    }

    /// Checks that time is left and the run is not cancelled.
    ///
    /// # Errors
    /// The limit that is hit.
    pub fn check(&self) -> Result<(), Failure> {
        if self.0.cancels.iter().any(Cancel::is_cancelled) {
            return Err(Failure::of_limit(Limit::Cancelled));
        }
        match self.0.deadline {
            Some((at, time)) if Instant::now() >= at => Err(Failure::of_limit(Limit::Time(time))),
            _ => Ok(()),
        }
    }

    /// Whether a run has to check the budget regularly: time, steps or cancellation are limited.
    pub fn interrupts(&self) -> bool {
        self.0.deadline.is_some() || !self.0.cancels.is_empty() || self.counts_steps()
    }

    /// Whether steps are limited.
    pub fn counts_steps(&self) -> bool {
        !self.0.steps.is_empty()
    }

    /// The remaining steps; none if they are not limited.
    pub fn steps_left(&self) -> Option<Left<u64>> {
        let left = self.0.steps.iter().map(|steps| Left {
            left: steps.limit.saturating_sub(steps.counted.load(Ordering::Relaxed)),
            limit: steps.limit,
        });
        left.min_by_key(|left| left.left)
    }

    /// The step limit that was exceeded, if any: an executor that counts in batches may exceed one.
    pub fn passed_steps(&self) -> Option<u64> {
        let passed = |steps: &&Arc<Steps>| steps.counted.load(Ordering::Relaxed) > steps.limit;
        self.0.steps.iter().find(passed).map(|steps| steps.limit)
    }

    /// Deducts steps that were run.
    pub fn take_steps(&self, steps: u64) {
        for counted in &self.0.steps {
            counted.counted.fetch_add(steps, Ordering::Relaxed);
        }
    }

    pub(super) fn ends(&self) -> [Option<Left<usize>>; 3] {
        [self.0.depth, self.0.callbacks, self.0.memory]
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("deadline", &self.0.deadline.map(|(_, time)| time))
            .field("steps", &self.steps_left().map(|steps| steps.left))
            .field("depth", &self.0.depth.map(|depth| depth.limit))
            .field("memory", &self.0.memory.map(|memory| memory.limit))
            .finish_non_exhaustive()
    }
}
