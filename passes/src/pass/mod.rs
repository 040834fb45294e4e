//! The passes, one per file, and the list of them.

mod bounds_check_elim;
mod dce;
mod dup;
pub mod fast_math;
mod gvn;
mod inline;
mod jump_threading;
mod licm;
mod loop_rotate;
mod loop_versioning;
mod mem2reg;
mod overflow_check_elim;
mod simplify;
mod simplify_cfg;
mod slice_forwarding;
mod sroa;
mod sroa_enums;
mod tail_recursion_elim;

use overdub_context::ir::Func;

use crate::support::func_editor::FuncEditor;
use crate::support::scope::Scope;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    /// Changes the function; says whether it did.
    pub run: fn(&mut FuncEditor<'_>, &Scope<'_>) -> bool,
    /// When it runs.
    pub phase: Phase,
    /// What a change by this pass may invalidate.
    pub(crate) effect: Effect,
    /// Which changes make the pass worth running again.
    pub(crate) rerun_on: RerunOn,
}

/// What a change by a pass consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    AnyChange,
    /// The pass only removes dead code, all of it at once: it finds nothing more in its own result.
    DeadCodeOnly,
}

/// Which changes make it worthwhile to run a pass again that found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RerunOn {
    AnyChange,
    /// A change of values or of control flow; the removal of dead code is not one.
    ValueChange,
}

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// In rounds with the other passes of this phase, until none changes the function.
    Fixpoint,
    /// Once after the fixpoint, and only where machine code is generated.
    PreCodegen,
    /// Once after the previous phase and its clean-up: it needs rotated loops.
    PostRotate,
    /// Never by a pipeline, only by name.
    OnRequest,
}

impl Pass {
    /// A pass that may change anything, and may find something in whatever others change.
    const fn rewriting(name: &'static str, run: fn(&mut FuncEditor<'_>, &Scope<'_>) -> bool) -> Pass {
        Pass { name, run, phase: Phase::Fixpoint, effect: Effect::AnyChange, rerun_on: RerunOn::AnyChange }
    }

    /// The function after this pass.
    pub fn apply(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut editor = FuncEditor::new(func);
        (self.run)(&mut editor, scope);
        editor.finish()
    }
}

/// All passes, each behind those that help it most; [`Pipeline`] runs some more than once in a round.
pub static PASSES: &[Pass] = &[
    Pass::rewriting("tail_recursion_elim", tail_recursion_elim::run),
    Pass::rewriting("inline", inline::run),
    Pass::rewriting("simplify_cfg", simplify_cfg::run),
    Pass::rewriting("mem2reg", mem2reg::run),
    Pass::rewriting("sroa_enums", sroa_enums::run),
    Pass::rewriting("sroa", sroa::run),
    Pass::rewriting("jump_threading", jump_threading::run),
    Pass { rerun_on: RerunOn::ValueChange, ..Pass::rewriting("simplify", simplify::run) },
    Pass { rerun_on: RerunOn::ValueChange, ..Pass::rewriting("gvn", gvn::run) },
    Pass::rewriting("licm", licm::run),
    Pass { effect: Effect::DeadCodeOnly, ..Pass::rewriting("dce", dce::run) },
    Pass::rewriting("bounds_check_elim", bounds_check_elim::run),
    Pass { phase: Phase::PreCodegen, ..Pass::rewriting("slice_forwarding", slice_forwarding::run) },
    Pass { phase: Phase::PreCodegen, ..Pass::rewriting("overflow_check_elim", overflow_check_elim::run) },
    Pass { phase: Phase::PreCodegen, ..Pass::rewriting("loop_rotate", loop_rotate::run) },
    Pass { phase: Phase::PostRotate, ..Pass::rewriting("loop_versioning", loop_versioning::run) },
    Pass { phase: Phase::OnRequest, ..Pass::rewriting("fast_math", fast_math::run) },
    Pass { phase: Phase::OnRequest, ..Pass::rewriting("dup", dup::run) },
];

/// The pass of this name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}
