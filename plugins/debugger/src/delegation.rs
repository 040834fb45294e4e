//! Calls in which nothing stops, evaluated by another executor, such as machine code.
//!
//! - ELSEWHERE1 moments mean the same: the other executor counts the instructions that the interpreter would
//!   have executed (`overdub_context::interp::counted`), so either of them may evaluate what is replayed.
//! - ELSEWHERE2 a call that fails or is cancelled in the other executor counts as not begun: the interpreter
//!   evaluates it again from before the call, up to the place of the failure.
//! - ELSEWHERE3 if a run is repeated up to a moment, only calls that are known to return before it run in the
//!   other executor. These are the long ones: a snapshot follows each, so what is between two snapshots is
//!   short or known.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::{HashMap, HashSet};
use overdub_context::engine::Executor;
use overdub_context::interp::{Delegate, Delegated, Marks, counted};
use overdub_context::ir::{Func, Module};
use overdub_context::limits::{Budget, Cancel, Limits, counting};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use crate::reach::Reaches;

/// Calls that execute at least this many instructions are recorded (ELSEWHERE3).
const LONG: u64 = 1 << 16;

/// The greatest number of calls that are recorded. When it is reached, the shorter half of them is forgotten
/// and interpreted again in a replay.
const MOST_NOTED: usize = 1 << 16;

/// The number of calls from which on the average length of a function's calls is considered known.
const TRIES: u64 = 16;

/// A function whose calls execute fewer instructions than this on average stays in the interpreter: passing arguments to
/// the other executor and back costs more than it saves.
const SHORT: u64 = 400;

/// The other executor, and what is known of the calls that it evaluates.
pub(crate) struct Delegation {
    executor: Arc<dyn Executor>,
    module: Arc<Module>,
    counted: Arc<Module>,
    reaches: Reaches,
    interrupted: Arc<AtomicBool>,
    long: Mutex<BTreeMap<u64, u64>>,
    /// For each function, the number of calls and of the instructions that they took.
    call_stats: Mutex<HashMap<Symbol, (u64, u64)>>,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Delegation {
    pub(crate) fn new(
        executor: Arc<dyn Executor>,
        module: Arc<Module>,
        interrupted: Arc<AtomicBool>,
    ) -> Delegation {
        Delegation {
            executor,
            counted: Arc::new(counted(module.clone())),
            reaches: Reaches::new(module.clone()),
            module,
            interrupted,
            long: Mutex::default(),
            call_stats: Mutex::default(),
        }
    }

    /// Forgets calls that return after a moment.
    pub(crate) fn forget_after(&self, moment: u64) {
        lock(&self.long).retain(|_, end| *end <= moment);
    }

    fn note(&self, func: Symbol, begin: u64, steps: u64) {
        {
            let mut call_stats = lock(&self.call_stats);
            let (calls, all) = call_stats.entry(func).or_default();
            *calls += 1;
            *all = all.saturating_add(steps);
        }
        if steps < LONG {
            return;
        }
        let mut long = lock(&self.long);
        long.insert(begin, begin.saturating_add(steps));
        if long.len() > MOST_NOTED {
            let mut lengths: Vec<u64> = long.iter().map(|(begin, end)| end - begin).collect();
            lengths.sort_unstable();
            let least = lengths[lengths.len() / 2];
            long.retain(|begin, end| *end - *begin > least);
        }
    }

    fn is_worth_it(&self, func: Symbol) -> bool {
        let (calls, steps) = lock(&self.call_stats).get(&func).copied().unwrap_or_default();
        calls < TRIES || steps / calls >= SHORT
    }

    /// Whether the other executor can run a function and all that it reaches, none of which is marked.
    pub(crate) fn can_run(&self, func: &Func, is_marked: &dyn Fn(&Func) -> bool) -> bool {
        let reach = self.reaches.of(func);
        reach.is_pure
            && reach.funcs.iter().all(|name| self.reaches.func(*name).is_some_and(|func| !is_marked(&func)))
    }

    fn limits(&self) -> Limits {
        Limits::default().with_cancel(Cancel::by(self.interrupted.clone()))
    }

    /// Runs a function as a whole, without counting.
    pub(crate) fn run(&self, func: Symbol, args: Vec<Value<'static>>) -> Result<Value<'static>, Failure> {
        self.limits().during(|| self.executor.run(&self.module, func, args))
    }

    /// The number of instructions that a run of a function takes, if it returns.
    pub(crate) fn count(&self, func: Symbol, args: Vec<Value<'static>>) -> Option<u64> {
        let (result, steps) = counting(|| self.executor.run(&self.counted, func, args));
        result.is_ok().then_some(steps)
    }
}

/// The calls of a piece of a run that the other executor evaluates.
#[derive(Clone, Copy)]
pub(crate) enum Calls {
    /// All that it can evaluate.
    All,
    /// Those that are known to return at this moment or before it (ELSEWHERE3).
    Known(u64),
}

/// The calls of a piece of a run.
pub(crate) struct DelegatedCalls {
    delegation: Arc<Delegation>,
    calls: Mutex<Calls>,
    marks: Option<Marks>,
    /// Whether functions have marks.
    is_marked: Mutex<HashMap<Symbol, bool>>,
    /// Functions that failed in the other executor. Their other calls are interpreted, too: in an endless
    /// recursion each call would fail.
    failed: Mutex<HashSet<Symbol>>,
    /// Whether the last failure came from the other executor.
    has_failed: Mutex<bool>,
}

impl DelegatedCalls {
    pub(crate) fn new(delegation: &Arc<Delegation>, marks: Option<Marks>) -> DelegatedCalls {
        let (delegation, calls) = (delegation.clone(), Mutex::new(Calls::Known(0)));
        let (is_marked, failed) = (Mutex::default(), Mutex::default());
        DelegatedCalls { delegation, calls, marks, is_marked, failed, has_failed: Mutex::default() }
    }

    /// Sets which calls are evaluated by the other executor from now on.
    pub(crate) fn evaluate(&self, calls: Calls) {
        *lock(&self.calls) = calls;
    }

    /// Whether the last failure since the previous query came from the other executor.
    pub(crate) fn take_failure(&self) -> bool {
        std::mem::take(&mut *lock(&self.has_failed))
    }

    fn is_marked(&self, func: &Func) -> bool {
        let Some(marks) = &self.marks else { return false };
        *lock(&self.is_marked).entry(func.name).or_insert_with(|| !marks(func).is_empty())
    }
}

impl Delegate for DelegatedCalls {
    fn takes(&self, func: &Func) -> bool {
        self.delegation.reaches.of(func).repeats
            && self.delegation.can_run(func, &|func| self.is_marked(func))
    }

    fn call<'a>(&self, func: Symbol, steps: u64, args: Vec<Value<'a>>) -> Delegated<'a> {
        let Delegation { executor, counted, long, .. } = &*self.delegation;
        // If steps are limited, the interpreter counts them.
        let is_metered = Budget::current().is_some_and(|budget| budget.counts_steps());
        let calls = *lock(&self.calls);
        let is_selected = match calls {
            Calls::All => self.delegation.is_worth_it(func) && !lock(&self.failed).contains(&func),
            Calls::Known(until) => lock(long).get(&steps).is_some_and(|end| *end <= until),
        };
        if is_metered || !is_selected {
            return Delegated::Declined(args);
        }
        let limits = match calls {
            Calls::All => self.delegation.limits(),
            Calls::Known(_) => Limits::default(),
        };
        let (result, step_count) = counting(|| limits.during(|| executor.run(counted, func, args)));
        match result {
            Ok(value) => {
                self.delegation.note(func, steps, step_count);
                Delegated::Returned { value, steps: step_count }
            }
            Err(failure) => {
                lock(&self.failed).insert(func);
                *lock(&self.has_failed) = true;
                Delegated::Failed(failure)
            }
        }
    }
}
