//! The order in which passes run, to a fixpoint with a bound.
//!
//! - P1 between passes the function is verified in debug builds; a pass that breaks it is named.
//! - P2 a round in which no pass changes anything ends it, and so does the bound of rounds.
//! - P3 a pass that changed nothing is left out until another one changes something.
//! - P4 what makes machine code better, and bodies worse for whoever rewrites them, comes behind the rounds, once.

use std::sync::Arc;

use overdub_context::ir::{Func, Inst, LoadError};
use overdub_context::text::Printer;
use overdub_context::{Symbol, engine};

use crate::scope::Scope;
use crate::work::Work;
use crate::{PASSES, Pass, Runs, by_name};

/// Passes in their order.
#[derive(Clone)]
pub struct Pipeline<'p> {
    passes: Vec<&'static Pass>,
    rounds: usize,
    /// What comes behind the rounds.
    last: Vec<&'static Pass>,
    labels: Labels,
    dump: Option<Dump<'p>>,
}

/// Whether what is made prints as the source did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Labels {
    Kept,
    Dropped,
}

/// What is shown the function after a pass, with the pass's name.
type Dump<'p> = &'p dyn Fn(&str, &Func);

/// More rounds than any program has been seen to need.
const ROUNDS: usize = 16;

/// What cleans up behind the passes that run before compiling.
static CLEAN_UP: &[&str] = &["branches", "gvn", "licm", "dce", "branches"];

impl<'p> Pipeline<'p> {
    /// These passes, once in this order.
    pub fn once(passes: impl IntoIterator<Item = &'static Pass>) -> Pipeline<'p> {
        Pipeline {
            passes: passes.into_iter().collect(),
            rounds: 1,
            last: Vec::new(),
            labels: Labels::Kept,
            dump: None,
        }
    }

    /// All passes that make a function better, until they find nothing to do any more.
    pub fn optimising() -> Pipeline<'p> {
        let passes = PASSES.iter().filter(|pass| pass.runs == Runs::ToFixpoint).collect();
        Pipeline { passes, rounds: ROUNDS, last: Vec::new(), labels: Labels::Kept, dump: None }
    }

    /// The same, then what helps where machine code is made of the function (P4).
    pub fn compiling() -> Pipeline<'p> {
        let clean = || CLEAN_UP.iter().filter_map(|name| by_name(name));
        let those = |runs: Runs| PASSES.iter().filter(move |pass| pass.runs == runs).chain(clean());
        let last = those(Runs::BeforeCompiling).chain(those(Runs::BehindRotation)).collect();
        Pipeline { last, ..Pipeline::optimising() }
    }

    /// The same, showing the function to `dump` after each pass that changes it.
    #[must_use]
    pub fn dumping(self, dump: &'p dyn Fn(&str, &Func)) -> Pipeline<'p> {
        Pipeline { dump: Some(dump), ..self }
    }

    /// The same for whoever does not print what is made: its variables and blocks have no names.
    #[must_use]
    pub fn unlabelled(self) -> Pipeline<'p> {
        Pipeline { labels: Labels::Dropped, ..self }
    }

    /// The function after the passes.
    pub fn run(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut work = Work::new(func);
        let mut state = State::default();
        for _ in 0..self.rounds {
            if !self.round(&self.passes, &mut work, scope, &mut state) {
                break;
            }
        }
        self.round(&self.last, &mut work, scope, &mut state);
        match self.labels {
            Labels::Kept => work.finish(),
            Labels::Dropped => work.finish_unlabelled(),
        }
    }

    /// Each pass once; whether one changed anything.
    fn round(
        &self,
        passes: &[&'static Pass],
        work: &mut Work<'_>,
        scope: &Scope<'_>,
        state: &mut State,
    ) -> bool {
        let before = state.changes;
        for pass in passes {
            if state.is_done_with(pass) {
                continue;
            }
            if (pass.run)(work, scope) {
                state.changes += 1;
                self.look(pass, work);
            } else {
                state.unchanged.push((pass.name, state.changes));
            }
        }
        state.changes > before
    }

    /// P1, and the dump.
    fn look(&self, pass: &Pass, work: &Work<'_>) {
        if self.dump.is_none() && !cfg!(debug_assertions) {
            return;
        }
        let func = work.clone().finish();
        if let Some(dump) = self.dump {
            dump(pass.name, &func);
        }
        if cfg!(debug_assertions)
            && let Err(error) = overdub_context::verify::verify(&func)
        {
            panic!(
                "the pass `{}` leaves an invalid function: {error}\n{}",
                pass.name,
                Printer::new().func(&func)
            );
        }
    }
}

/// What passes found so far (P3).
#[derive(Default)]
struct State {
    /// How often a pass changed something.
    changes: usize,
    /// The passes that changed nothing, each with how many changes there had been.
    unchanged: Vec<(&'static str, usize)>,
}

impl State {
    /// Whether the pass changed nothing in the function as it is.
    fn is_done_with(&self, pass: &Pass) -> bool {
        let now = self.unchanged.iter().rev().take_while(|(_, changes)| *changes == self.changes);
        now.into_iter().any(|(name, _)| *name == pass.name)
    }
}

/// The function inlined and optimised, by all passes.
pub fn optimise(func: &Func, scope: &Scope<'_>) -> Func {
    Pipeline::optimising().run(func, scope)
}

/// The same for whoever makes machine code of it; its variables and blocks have no names.
pub fn optimise_to_compile(func: &Func, scope: &Scope<'_>) -> Func {
    Pipeline::compiling().unlabelled().run(func, scope)
}

/// What prepares bodies for the engine's contexts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Optimising;

impl engine::Optimizer for Optimising {
    fn optimised(
        &self,
        func: &Arc<Func>,
        callee: &dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError>,
        keep: &dyn Fn(&Func, &Inst) -> bool,
    ) -> Result<Arc<Func>, LoadError> {
        // What cannot be had is not inlined; who calls it finds out.
        let callee = |name| callee(name).ok().flatten();
        Ok(Arc::new(optimise(func, &Scope::new(&callee).keeping(keep))))
    }
}

impl std::fmt::Debug for Pipeline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.passes.iter().map(|pass| pass.name).collect();
        f.debug_struct("Pipeline")
            .field("passes", &names)
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}
