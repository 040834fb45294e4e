//! What a run got from outside of it, so that it can be run again with the same results and without repeating effects.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::machine::Machine;
use crate::failure::Failure;
use crate::ops::{self, OpCx, OpDef};
use crate::value::{HostFn, Value};

/// What clocks and host functions gave to a run, and how far it has printed. A clone is the same journal.
///
/// Steps that it knows are not repeated: they give what they gave. Results of host functions that hold cells share
/// these, so what the host changes in them later is not undone.
#[derive(Clone, Default)]
pub struct Journal(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// The results, by the number of the step.
    results: BTreeMap<u64, Result<Value<'static>, Failure>>,
    /// The last step that printed.
    printed: u64,
}

impl Journal {
    /// Nothing yet.
    pub fn new() -> Journal {
        Journal::default()
    }

    /// Forgets what came after this number of steps: from there the run goes another way.
    pub fn forget_after(&self, steps: u64) {
        let mut entries = self.lock();
        entries.results.split_off(&steps.saturating_add(1));
        entries.printed = entries.printed.min(steps);
    }

    /// How many results it keeps.
    pub fn len(&self) -> usize {
        self.lock().results.len()
    }

    /// Whether it keeps none.
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

/// Whether an operation gives another result each time.
pub(super) fn reads_clock(op: &OpDef) -> bool {
    *op == ops::CLOCK_NOW || *op == ops::CLOCK_SYSTEM
}

impl<'a> Machine<'_, '_, 'a> {
    /// What the operation of this step gave when it was run first, if it would give something else now.
    pub(super) fn repeated(&self, op: &OpDef) -> Option<Result<Value<'a>, Failure>> {
        if reads_clock(op) { self.remembered() } else { None }
    }

    fn remembered(&self) -> Option<Result<Value<'a>, Failure>> {
        self.interp.journal.as_ref()?.lock().results.get(&self.steps).cloned()
    }

    /// Keeps the result of this step.
    pub(super) fn remember(&self, result: &Result<Value<'a>, Failure>) {
        let Some(journal) = &self.interp.journal else { return };
        let kept = result.clone().map(Value::into_owned);
        journal.lock().results.insert(self.steps, kept);
    }

    /// Calls a function of the host, or gives what this call gave when the run was here first.
    pub(super) fn call_host(
        &mut self,
        host: &dyn HostFn,
        args: &mut [Value<'a>],
    ) -> Result<Value<'a>, Failure> {
        if let Some(known) = self.remembered() {
            return known;
        }
        let at = self.steps;
        self.leave();
        let value = host.call(&mut OpCx { ret: host.ret(), machine: self }, args);
        self.come_back();
        // Where it called back, what the program did since has to be done again.
        if self.steps == at {
            self.remember(&value);
        }
        value
    }

    /// Whether what this step prints was printed when the run was here before; from now on it was.
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
