//! The order in which passes run, to a fixpoint with a bound.
//!
//! - PIPE1 after each pass the function is verified in debug builds; a pass that breaks it is named.
//! - PIPE2 the rounds end when no pass changed anything in one, or after [`MAX_ROUNDS`].
//! - PIPE3 a pass that changed nothing is skipped until another one makes a change that it is to run again on.
//! - PIPE4 passes that improve machine code, and make a function harder to transform, run after the fixpoint: one phase
//!   after the other, each once, followed by the clean-up if it changed something.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use overdub_context::ir::{Func, Inst, LoadError};
use overdub_context::text::Printer;
use overdub_context::{Symbol, engine};

use crate::pass::{Effect, Pass, Phase, RerunOn, in_phase};
use crate::support::func_editor::FuncEditor;
use crate::support::scope::Scope;

/// Passes in their order.
#[derive(Clone)]
pub struct Pipeline<'p> {
    passes: Vec<&'static Pass>,
    rounds: usize,
    /// What comes behind the rounds.
    last: Vec<Vec<&'static Pass>>,
    labels: Labels,
    dump: Option<Dump<'p>>,
    watch: Option<Watch<'p>>,
}

/// Whether what is made prints as the source did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Labels {
    Kept,
    Dropped,
}

/// What is shown the function after a pass, with the pass's name.
type Dump<'p> = &'p dyn Fn(&str, &Func);

/// What is told that a pass ran: its name, whether it changed anything, and how long it took.
type Watch<'p> = &'p dyn Fn(&str, bool, Duration);

/// More rounds than any program has been seen to need.
const MAX_ROUNDS: usize = 16;

impl<'p> Pipeline<'p> {
    /// These passes, once in this order.
    pub fn once(passes: impl IntoIterator<Item = &'static Pass>) -> Pipeline<'p> {
        Pipeline {
            passes: passes.into_iter().collect(),
            rounds: 1,
            last: Vec::new(),
            labels: Labels::Kept,
            dump: None,
            watch: None,
        }
    }

    /// All passes that make a function better, until they find nothing to do any more.
    pub fn optimising() -> Pipeline<'p> {
        Pipeline { passes: in_phase(Phase::Fixpoint), rounds: MAX_ROUNDS, ..Pipeline::once([]) }
    }

    /// The same, then what helps where machine code is made of the function (P4).
    pub fn compiling() -> Pipeline<'p> {
        let last = vec![in_phase(Phase::PreCodegen), in_phase(Phase::PostRotate)];
        Pipeline { last, ..Pipeline::optimising() }
    }

    /// The same, showing the function to `dump` after each pass that changes it.
    #[must_use]
    pub fn dumping(self, dump: &'p dyn Fn(&str, &Func)) -> Pipeline<'p> {
        Pipeline { dump: Some(dump), ..self }
    }

    /// The same, telling `watch` of each pass that ran whether it changed anything, and how long it took.
    #[must_use]
    pub fn watching(self, watch: &'p dyn Fn(&str, bool, Duration)) -> Pipeline<'p> {
        Pipeline { watch: Some(watch), ..self }
    }

    /// The same for whoever does not print what is made: its variables and blocks have no names.
    #[must_use]
    pub fn unlabelled(self) -> Pipeline<'p> {
        Pipeline { labels: Labels::Dropped, ..self }
    }

    /// The function after the passes.
    pub fn run(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut editor = FuncEditor::new(func);
        let mut state = State::default();
        for _ in 0..self.rounds {
            if !self.round(&self.passes, &mut editor, scope, &mut state) {
                break;
            }
        }
        for stage in &self.last {
            if self.round(stage, &mut editor, scope, &mut state) {
                self.round(&in_phase(Phase::Cleanup), &mut editor, scope, &mut state);
            }
        }
        match self.labels {
            Labels::Kept => editor.finish(),
            Labels::Dropped => editor.finish_unlabelled(),
        }
    }

    /// Each pass once; whether one changed anything.
    fn round(
        &self,
        passes: &[&'static Pass],
        editor: &mut FuncEditor<'_>,
        scope: &Scope<'_>,
        state: &mut State,
    ) -> bool {
        let before = state.now.changes;
        for pass in passes {
            if state.is_done_with(pass) {
                continue;
            }
            let begin = self.watch.map(|_| Instant::now());
            let changed = (pass.run)(editor, scope);
            if let Some((watch, begin)) = self.watch.zip(begin) {
                watch(pass.name, changed, begin.elapsed());
            }
            state.note(pass, changed);
            if changed {
                self.look(pass, editor);
            }
        }
        state.now.changes > before
    }

    /// P1, and the dump.
    fn look(&self, pass: &Pass, editor: &FuncEditor<'_>) {
        if self.dump.is_none() && !cfg!(debug_assertions) {
            return;
        }
        let func = editor.clone().finish();
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
    now: Moment,
    /// The passes that find nothing more, and since when.
    done: HashMap<&'static str, Moment>,
}

/// How often something was changed before.
#[derive(Clone, Copy, Default)]
struct Moment {
    changes: usize,
    /// Those of them by which more than dead code went.
    of_values: usize,
}

impl State {
    /// Whether the pass finds nothing in the function as it is.
    fn is_done_with(&self, pass: &Pass) -> bool {
        self.done.get(pass.name).is_some_and(|since| match pass.rerun_on {
            RerunOn::AnyChange => since.changes == self.now.changes,
            RerunOn::ValueChange => since.of_values == self.now.of_values,
        })
    }

    fn note(&mut self, pass: &Pass, changed: bool) {
        self.now.changes += usize::from(changed);
        self.now.of_values += usize::from(changed && pass.effect == Effect::AnyChange);
        if !changed || pass.effect == Effect::DeadCodeOnly {
            self.done.insert(pass.name, self.now);
        }
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
