//! What is known of the functions of each version of a module.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use hashbrown::{HashMap, HashSet};
use overdub_context::Symbol;
use overdub_context::engine::BatchForm;
use overdub_context::ir::Module;

use crate::library::Library;

/// The number of module versions that are remembered.
const MAX_PROGRAMS: usize = 16;

/// How a function is run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// By the executor below: it has not run for long enough.
    Cold,
    /// By the executor below, until it is compiled.
    Compiling,
    /// As it was compiled.
    Compiled,
    /// By the executor below: it cannot be compiled, for this reason.
    Refused(String),
}

/// A function, and how it is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entry {
    pub(crate) func: Symbol,
    /// For many elements, or else for one.
    pub(crate) batch: Option<BatchForm>,
}

impl From<Symbol> for Entry {
    fn from(func: Symbol) -> Entry {
        Entry { func, batch: None }
    }
}

/// The functions of a version of a module.
#[derive(Debug)]
pub(crate) struct Program {
    module: Weak<Module>,
    epoch: u64,
    functions: Mutex<HashMap<Entry, Tier>>,
}

/// A compilation in the background: the function may be forgotten before it ends, and its name be that of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn(u64);

/// What is known of a function.
#[derive(Clone, Debug)]
pub(crate) enum Tier {
    /// The time that its runs took.
    Cold(Duration),
    Compiling(Turn),
    Compiled(Arc<Library>),
    Refused(Arc<str>),
}

impl Program {
    fn functions(&self) -> MutexGuard<'_, HashMap<Entry, Tier>> {
        self.functions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tier(&self, entry: &Entry) -> Tier {
        self.functions().get(entry).cloned().unwrap_or(Tier::Cold(Duration::ZERO))
    }

    /// Sets what came of a compilation before the first run, unless another thread has done so; whether it had not.
    pub(crate) fn set_first(&self, entry: &Entry, tier: Tier) -> bool {
        let mut functions = self.functions();
        let known = functions.entry_ref(entry).or_insert(Tier::Cold(Duration::ZERO));
        let is_first = matches!(known, Tier::Cold(_));
        if is_first {
            *known = tier;
        }
        is_first
    }

    /// Sets what came of a compilation in the background, unless the function was forgotten meanwhile.
    pub(crate) fn finish(&self, entry: &Entry, turn: Turn, tier: Tier) {
        if let Some(known) = self.functions().get_mut(entry)
            && matches!(known, Tier::Compiling(current) if *current == turn)
        {
            *known = tier;
        }
    }

    /// Adds the time of a run. If the function is to be compiled now, the caller then does that.
    pub(crate) fn add(&self, entry: &Entry, time: Duration, threshold: Duration) -> Option<Turn> {
        static TURNS: AtomicU64 = AtomicU64::new(0);
        let mut functions = self.functions();
        let tier = functions.entry_ref(entry).or_insert(Tier::Cold(Duration::ZERO));
        let Tier::Cold(spent) = tier else { return None };
        *spent += time;
        (*spent >= threshold).then(|| {
            let turn = Turn(TURNS.fetch_add(1, Ordering::Relaxed));
            *tier = Tier::Compiling(turn);
            turn
        })
    }

    fn is_of(&self, module: &Arc<Module>) -> bool {
        std::ptr::eq(self.module.as_ptr(), Arc::as_ptr(module)) && self.epoch == module.epoch()
    }
}

/// The programs that an executor runs.
#[derive(Default, Debug)]
pub(crate) struct Programs(Mutex<Vec<Arc<Program>>>);

impl Programs {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<Program>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The functions of this version of a module.
    pub(crate) fn of(&self, module: &Arc<Module>) -> Arc<Program> {
        let mut programs = self.all();
        if let Some(known) = programs.iter().find(|program| program.is_of(module)) {
            return known.clone();
        }
        programs.retain(|program| program.module.strong_count() > 0);
        if programs.len() >= MAX_PROGRAMS {
            programs.remove(0);
        }
        let program =
            Program { module: Arc::downgrade(module), epoch: module.epoch(), functions: Mutex::default() };
        let program = Arc::new(program);
        programs.push(program.clone());
        program
    }

    /// Forgets functions that are not called any more, and modules that were dropped.
    pub(crate) fn forget(&self, funcs: &[Symbol]) {
        let mut programs = self.all();
        programs.retain(|program| program.module.strong_count() > 0);
        let funcs: HashSet<Symbol> = funcs.iter().copied().collect();
        programs
            .iter()
            .for_each(|program| program.functions().retain(|entry, _| !funcs.contains(&entry.func)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_a_forgotten_function_is_not_that_of_the_next_of_its_name() {
        let module = Arc::new(Module::new());
        let (programs, hot) = (Programs::default(), Duration::from_secs(1));
        let form = BatchForm { mapped: vec![true], width: 64 };
        let func = Symbol::new("f");
        for entry in [Entry::from(func), Entry { func, batch: Some(form) }] {
            let program = programs.of(&module);
            let first = program.add(&entry, hot, hot).expect("it is hot");
            programs.forget(&[func]);
            let second = program.add(&entry, hot, hot).expect("it is hot again");
            program.finish(&entry, first, Tier::Refused("the first".into()));
            assert!(matches!(program.tier(&entry), Tier::Compiling(turn) if turn == second));
            program.finish(&entry, second, Tier::Refused("the second".into()));
            assert!(matches!(program.tier(&entry), Tier::Refused(reason) if &*reason == "the second"));
            programs.forget(&[func]);
            program.finish(&entry, second, Tier::Refused("late".into()));
            assert!(matches!(program.tier(&entry), Tier::Cold(_)));
        }
    }
}
