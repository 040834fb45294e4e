//! The pass pipeline: iterations up to a fixpoint, then the phases before code generation.
//!
//! - PIPE1 in debug builds the result is verified, in those from the folder of overdub the function after each pass; a pass
//!   that breaks it is named.
//! - PIPE2 the iterations end when no pass changed anything in one, or after [`MAX_ITERATIONS`].
//! - PIPE3 a pass that changed nothing is skipped until another pass makes a change on which it has to rerun.
//! - PIPE4 passes that improve machine code but make a function harder to transform run after the fixpoint:
//!   one phase after the other, each once, followed by the clean-up if it changed something.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use overdub_context::ir::{Func, Inst, LoadError};
use overdub_context::text::Printer;
use overdub_context::verify::verify;
use overdub_context::{Symbol, engine};

use crate::pass::{Effect, Pass, Phase, RerunOn, in_phase};
use crate::support::scope::Scope;
use crate::verified::Verified;
use overdub_context::edit::FuncEditor;

/// A sequence of passes.
#[derive(Clone)]
pub struct Pipeline<'p> {
    passes: Vec<&'static Pass>,
    iterations: usize,
    /// The phases after the fixpoint (PIPE4).
    final_phases: Vec<Vec<&'static Pass>>,
    labels: Labels,
    dump: Option<Dump<'p>>,
    watch: Option<Watch<'p>>,
    verified: Verified,
}

/// Whether the result keeps the names of variables and blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Labels {
    Kept,
    Dropped,
}

/// Called with the name of each pass that changed the function, and the function after it.
type Dump<'p> = &'p dyn Fn(&str, &Func);

/// Called after each pass with its name, whether it changed the function, and its time.
type Watch<'p> = &'p dyn Fn(&str, bool, Duration);

/// The limit of iterations, larger than any known program needs.
const MAX_ITERATIONS: usize = 16;

impl<'p> Pipeline<'p> {
    /// Runs these passes once, in this order.
    pub fn once(passes: impl IntoIterator<Item = &'static Pass>) -> Pipeline<'p> {
        Pipeline {
            passes: passes.into_iter().collect(),
            iterations: 1,
            final_phases: Vec::new(),
            labels: Labels::Kept,
            dump: None,
            watch: None,
            verified: Verified::BY_DEFAULT,
        }
    }

    /// Runs the passes of [`Phase::Fixpoint`] until none of them changes the function.
    pub fn optimising() -> Pipeline<'p> {
        Pipeline { passes: in_phase(Phase::Fixpoint), iterations: MAX_ITERATIONS, ..Pipeline::once([]) }
    }

    /// Like [`Pipeline::optimising`], followed by the phases before code generation (PIPE4).
    pub fn compiling() -> Pipeline<'p> {
        let final_phases = vec![in_phase(Phase::PreCodegen), in_phase(Phase::PostRotate)];
        Pipeline { final_phases, ..Pipeline::optimising() }
    }

    /// Calls `dump` with the function after each pass that changed it.
    #[must_use]
    pub fn dumping(self, dump: &'p dyn Fn(&str, &Func)) -> Pipeline<'p> {
        Pipeline { dump: Some(dump), ..self }
    }

    /// Calls `watch` after each pass with whether it changed the function, and its time.
    #[must_use]
    pub fn watching(self, watch: &'p dyn Fn(&str, bool, Duration)) -> Pipeline<'p> {
        Pipeline { watch: Some(watch), ..self }
    }

    /// Drops the names of variables and blocks, which saves time where the result is not printed.
    #[must_use]
    pub fn unlabelled(self) -> Pipeline<'p> {
        Pipeline { labels: Labels::Dropped, ..self }
    }

    /// The optimised function.
    pub fn run(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut editor = FuncEditor::new(func);
        let mut progress = Progress::default();
        for _ in 0..self.iterations {
            if !self.iteration(&self.passes, &mut editor, scope, &mut progress) {
                break;
            }
        }
        for phase in &self.final_phases {
            if self.iteration(phase, &mut editor, scope, &mut progress) {
                self.iteration(&in_phase(Phase::Cleanup), &mut editor, scope, &mut progress);
            }
        }
        let result = match self.labels {
            Labels::Kept => editor.finish(),
            Labels::Dropped => editor.finish_unlabelled(),
        };
        if self.verified == Verified::Result
            && let Err(error) = verify(&result)
        {
            // The same again, to name the pass.
            Pipeline { verified: Verified::EachPass, dump: None, watch: None, ..self.clone() }
                .run(func, scope);
            panic!("the passes leave an invalid function: {error}\n{}", Printer::new().func(&result));
        }
        result
    }

    /// Runs each pass once; returns whether one changed the function.
    fn iteration(
        &self,
        passes: &[&'static Pass],
        editor: &mut FuncEditor<'_>,
        scope: &Scope<'_>,
        progress: &mut Progress,
    ) -> bool {
        let before = progress.current.all;
        for pass in passes {
            if progress.is_done_with(pass) {
                continue;
            }
            let begin = self.watch.map(|_| Instant::now());
            let changed = (pass.run)(editor, scope);
            if let Some((watch, begin)) = self.watch.zip(begin) {
                watch(pass.name, changed, begin.elapsed());
            }
            progress.note(pass, changed);
            if changed {
                self.inspect(pass, editor);
            }
        }
        progress.current.all > before
    }

    /// Calls the dump and verifies the function (PIPE1).
    fn inspect(&self, pass: &Pass, editor: &FuncEditor<'_>) {
        if self.dump.is_none() && self.verified != Verified::EachPass {
            return;
        }
        let func = editor.clone().finish();
        if let Some(dump) = self.dump {
            dump(pass.name, &func);
        }
        if self.verified == Verified::EachPass
            && let Err(error) = verify(&func)
        {
            panic!(
                "the pass `{}` leaves an invalid function: {error}\n{}",
                pass.name,
                Printer::new().func(&func)
            );
        }
    }
}

/// The passes that have nothing left to do (PIPE3).
#[derive(Default)]
struct Progress {
    current: Changes,
    /// The passes that found nothing to change, each with the change counts at that time.
    done: HashMap<&'static str, Changes>,
}

/// The number of passes that changed the function so far.
#[derive(Clone, Copy, Default)]
struct Changes {
    all: usize,
    /// Excluding passes that only removed dead code.
    of_values: usize,
}

impl Progress {
    /// Whether no change since the last run of the pass is one that it reruns on.
    fn is_done_with(&self, pass: &Pass) -> bool {
        self.done.get(pass.name).is_some_and(|since| match pass.rerun_on {
            RerunOn::AnyChange => since.all == self.current.all,
            RerunOn::ValueChange => since.of_values == self.current.of_values,
        })
    }

    fn note(&mut self, pass: &Pass, changed: bool) {
        self.current.all += usize::from(changed);
        self.current.of_values += usize::from(changed && pass.effect == Effect::AnyChange);
        if !changed || pass.effect == Effect::DeadCodeOnly {
            self.done.insert(pass.name, self.current);
        }
    }
}

/// The function after [`Pipeline::optimising`].
pub fn optimise(func: &Func, scope: &Scope<'_>) -> Func {
    Pipeline::optimising().run(func, scope)
}

/// The function after [`Pipeline::compiling`], for code generation; its variables and blocks have no names.
pub fn optimise_to_compile(func: &Func, scope: &Scope<'_>) -> Func {
    Pipeline::compiling().unlabelled().run(func, scope)
}

/// The optimiser that the engine uses for the bodies of functions that contexts rewrite.
#[derive(Clone, Copy, Default, Debug)]
pub struct Optimising;

impl engine::Optimizer for Optimising {
    fn optimised(
        &self,
        func: &Arc<Func>,
        callee: &dyn Fn(Symbol) -> Result<Option<Arc<Func>>, LoadError>,
        keep: &dyn Fn(&Func, &Inst) -> bool,
    ) -> Result<Arc<Func>, LoadError> {
        // A callee that fails to load is not inlined: the call itself reports the error.
        let callee = |name| callee(name).ok().flatten();
        Ok(Arc::new(optimise(func, &Scope::new(&callee).keeping(keep))))
    }
}

impl std::fmt::Debug for Pipeline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.passes.iter().map(|pass| pass.name).collect();
        f.debug_struct("Pipeline")
            .field("passes", &names)
            .field("iterations", &self.iterations)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use overdub_context::ir::Block;
    use overdub_context::text;

    use super::*;
    use crate::pass::RerunOn;

    /// A pass that makes instructions use their own results.
    static BREAKING: Pass = Pass {
        name: "breaking",
        run: |editor, _| {
            for inst in &mut editor.body(Block::ENTRY).insts {
                inst.kind.operands_mut().for_each(|operand| *operand = inst.result.into());
            }
            true
        },
        slots: &[],
        effect: Effect::AnyChange,
        rerun_on: RerunOn::AnyChange,
    };

    fn run_verifying(verified: Verified) {
        let func = text::parse_func("fn @f(%x: f64) -> f64 {\n  %y: f64 = neg %x\n  ret %y\n}")
            .expect("it is a function");
        Pipeline { verified, ..Pipeline::once([&BREAKING]) }.run(&func, &Scope::none());
    }

    #[test]
    fn builds_from_this_folder_verify_after_each_pass() {
        assert!(!cfg!(debug_assertions) || Verified::BY_DEFAULT == Verified::EachPass);
    }

    #[test]
    #[should_panic(expected = "the pass `breaking` leaves an invalid function")]
    fn a_pass_that_breaks_a_function_is_named() {
        run_verifying(Verified::EachPass);
    }

    #[test]
    #[should_panic(expected = "the pass `breaking` leaves an invalid function")]
    fn a_pass_is_named_where_only_the_result_is_verified() {
        run_verifying(Verified::Result);
    }
}
