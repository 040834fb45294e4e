//! A record of a run's external inputs, so that it can be repeated with the same results and without
//! repeating effects.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::machine::Machine;
use crate::failure::Failure;
use crate::ops::{self, OpCx, OpDef};
use crate::value::{HostFn, Value};

/// The results of clocks and host functions in a run, and the last step whose output was printed. Clones
/// share the same journal.
///
/// Recorded steps are not repeated: they return the recorded results. Results of host functions that contain
/// cells share these, so later changes by the host are not undone.
#[derive(Clone, Default)]
pub struct Journal(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// The results, by step number.
    results: BTreeMap<u64, Result<Value<'static>, Failure>>,
    /// The last step that printed.
    printed: u64,
}

impl Journal {
    /// An empty journal.
    pub fn new() -> Journal {
        Journal::default()
    }

    /// Forgets everything after this number of steps, from where the run takes a different course.
    pub fn forget_after(&self, steps: u64) {
        let mut entries = self.lock();
        entries.results.split_off(&steps.saturating_add(1));
        entries.printed = entries.printed.min(steps);
    }

    /// The number of recorded results.
    pub fn len(&self) -> usize {
        self.lock().results.len()
    }

    /// Whether no results are recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("results", &self.len()).finish_non_exhaustive()
    }
}

/// Whether an operation returns a different result each time.
pub(super) fn reads_clock(op: &OpDef) -> bool {
    *op == ops::CLOCK_NOW || *op == ops::CLOCK_SYSTEM
}

impl<'a> Machine<'_, '_, 'a> {
    /// The recorded result of this step's operation, if evaluating it again could return a different one.
    pub(super) fn repeated(&self, op: &OpDef) -> Option<Result<Value<'a>, Failure>> {
        if reads_clock(op) { self.remembered() } else { None }
    }

    fn remembered(&self) -> Option<Result<Value<'a>, Failure>> {
        self.interp.journal.as_ref()?.lock().results.get(&self.steps).cloned()
    }

    /// Records the result of this step.
    pub(super) fn remember(&self, result: &Result<Value<'a>, Failure>) {
        let Some(journal) = &self.interp.journal else { return };
        let recorded = result.clone().map(Value::into_owned);
        journal.lock().results.insert(self.steps, recorded);
    }

    /// Calls a function of the host, or returns the recorded result of this call.
    pub(super) fn call_host(
        &mut self,
        host: &dyn HostFn,
        args: &mut [Value<'a>],
    ) -> Result<Value<'a>, Failure> {
        if let Some(known) = self.remembered() {
            return known;
        }
        let at = self.steps;
        self.report_before_nested();
        let value = host.call(&mut OpCx { ret: host.ret(), machine: self }, args);
        self.refresh_budget();
        // If the host called back, the steps of the program since then have to be repeated.
        if self.steps == at {
            self.remember(&value);
        }
        value
    }

    /// Whether the output of this step was already printed in an earlier run; records that it is printed now.
    pub(super) fn was_printed(&mut self) -> bool {
        let Some(journal) = self.interp.journal.clone() else { return false };
        // A host function may print more than once.
        if self.printing == Some(self.steps) {
            return false;
        }
        let mut entries = journal.lock();
        let before = entries.printed >= self.steps;
        entries.printed = entries.printed.max(self.steps);
        if !before {
            self.printing = Some(self.steps);
        }
        before
    }
}
