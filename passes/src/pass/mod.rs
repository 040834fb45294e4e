//! The passes, one per file, and [`PASSES`], the list that specifies when each runs.

mod bounds_check_elim;
mod dce;
mod dup;
mod exit_values;
pub mod fast_math;
mod gvn;
mod inline;
mod jump_threading;
mod licm;
mod loop_rotate;
mod loop_unroll;
mod loop_versioning;
mod mem2reg;
mod overflow_check_elim;
mod pointer_indexing;
mod predictive_commoning;
mod simplify;
mod simplify_cfg;
mod slice_forwarding;
mod sroa;
mod sroa_arrays;
mod sroa_enums;
mod tail_recursion_elim;

use overdub_context::ir::Func;

use crate::support::scope::Scope;
use Phase::{Cleanup, Fixpoint, PostRotate, PreCodegen};
use overdub_context::edit::FuncEditor;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The name used by cases and tools; the file of the pass has the same name.
    pub name: &'static str,
    /// Changes the function; returns whether it did.
    pub run: fn(&mut FuncEditor<'_>, &Scope<'_>) -> bool,
    /// The phases that run the pass, each with its place in the order of that phase; a pass without slots
    /// runs on request only.
    pub slots: &'static [(Phase, u8)],
    /// What a change by this pass may invalidate.
    pub(crate) effect: Effect,
    /// The changes after which the pass is worth running again.
    pub(crate) rerun_on: RerunOn,
}

/// A part of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Rounds of passes, until none of them changes the function.
    Fixpoint,
    /// Once after the fixpoint, where machine code is generated.
    PreCodegen,
    /// Once after the previous phase and its clean-up: passes that need rotated loops.
    PostRotate,
    /// Once after each of the two previous phases, if it changed something.
    Cleanup,
}

/// What a change by a pass consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    AnyChange,
    /// The pass only removes dead code, all of it at once: it finds nothing more in its own result.
    DeadCodeOnly,
}

/// The changes after which a pass that found nothing is worth running again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RerunOn {
    AnyChange,
    /// A change of values or of control flow; the removal of dead code is not one.
    ValueChange,
}

/// All passes. In a round, composites are replaced first, and dead code is removed before branches are
/// simplified: a block that only forwards its arguments is then recognised as such, and jump threading can
/// specialise its successor for each predecessor. Merging blocks exposes further composites that can be
/// replaced, which in turn exposes redundant block parameters. All of this precedes the passes on
/// computations, so that a second round finds little.
pub static PASSES: &[Pass] = &[
    Pass::new("tail_recursion_elim", tail_recursion_elim::run, &[(Fixpoint, 1)]),
    Pass::new("inline", inline::run, &[(Fixpoint, 2)]),
    Pass::new(
        "simplify_cfg",
        simplify_cfg::run,
        &[(Fixpoint, 3), (Fixpoint, 9), (Fixpoint, 11), (Cleanup, 1), (Cleanup, 5)],
    ),
    Pass::new("mem2reg", mem2reg::run, &[(Fixpoint, 4)]),
    Pass::new("sroa_enums", sroa_enums::run, &[(Fixpoint, 5)]),
    Pass::new("sroa", sroa::run, &[(Fixpoint, 6), (Fixpoint, 10)]),
    Pass::new("jump_threading", jump_threading::run, &[(Fixpoint, 7)]),
    Pass::new("simplify", simplify::run, &[(Fixpoint, 12)]).rerun_on(RerunOn::ValueChange),
    Pass::new("gvn", gvn::run, &[(Fixpoint, 13), (Cleanup, 2)]).rerun_on(RerunOn::ValueChange),
    Pass::new("licm", licm::run, &[(Fixpoint, 14), (Cleanup, 3)]),
    Pass::new("dce", dce::run, &[(Fixpoint, 8), (Fixpoint, 15), (Cleanup, 4)]).effect(Effect::DeadCodeOnly),
    Pass::new("bounds_check_elim", bounds_check_elim::run, &[(Fixpoint, 16)]),
    Pass::new("pointer_indexing", pointer_indexing::run, &[(Fixpoint, 17)]),
    Pass::new("slice_forwarding", slice_forwarding::run, &[(Fixpoint, 18)]),
    Pass::new("loop_unroll", loop_unroll::run, &[(Fixpoint, 19)]),
    Pass::new("sroa_arrays", sroa_arrays::run, &[(Fixpoint, 20)]),
    Pass::new("overflow_check_elim", overflow_check_elim::run, &[(PreCodegen, 1)]),
    Pass::new("predictive_commoning", predictive_commoning::run, &[(PreCodegen, 2)]),
    Pass::new("loop_rotate", loop_rotate::run, &[(PreCodegen, 3)]),
    Pass::new("loop_versioning", loop_versioning::run, &[(PostRotate, 1)]),
    Pass::new("exit_values", exit_values::run, &[]),
    Pass::new("fast_math", fast_math::run, &[]),
    Pass::new("dup", dup::run, &[]),
];

impl Pass {
    /// A pass that may change anything, and may find something after any change.
    const fn new(
        name: &'static str,
        run: fn(&mut FuncEditor<'_>, &Scope<'_>) -> bool,
        slots: &'static [(Phase, u8)],
    ) -> Pass {
        Pass { name, run, slots, effect: Effect::AnyChange, rerun_on: RerunOn::AnyChange }
    }

    const fn effect(self, effect: Effect) -> Pass {
        Pass { effect, ..self }
    }

    const fn rerun_on(self, rerun_on: RerunOn) -> Pass {
        Pass { rerun_on, ..self }
    }

    /// The function after this pass.
    pub fn apply(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut editor = FuncEditor::new(func);
        (self.run)(&mut editor, scope);
        editor.finish()
    }

    /// Whether the pipeline runs it in this phase.
    pub fn runs_in(&self, phase: Phase) -> bool {
        self.slots.iter().any(|(other, _)| *other == phase)
    }
}

/// The pass of this name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// The passes of a phase in order; a pass with several slots appears several times.
pub fn in_phase(phase: Phase) -> Vec<&'static Pass> {
    let slots = |pass: &'static Pass| pass.slots.iter().map(move |slot| (slot, pass));
    let mut ordered: Vec<(u8, &'static Pass)> = PASSES
        .iter()
        .flat_map(slots)
        .filter(|((other, _), _)| *other == phase)
        .map(|((_, place), pass)| (*place, pass))
        .collect();
    ordered.sort_by_key(|(place, _)| *place);
    ordered.into_iter().map(|(_, pass)| pass).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slots_of_each_phase_are_numbered_from_one_without_gaps() {
        for phase in [Fixpoint, PreCodegen, PostRotate, Cleanup] {
            let slots = PASSES.iter().flat_map(|pass| pass.slots);
            let mut places: Vec<u8> =
                slots.filter(|(other, _)| *other == phase).map(|(_, place)| *place).collect();
            places.sort_unstable();
            assert_eq!(places, (1..=places.len() as u8).collect::<Vec<_>>(), "{phase:?}");
        }
    }

    #[test]
    fn the_names_of_passes_are_unique() {
        for pass in PASSES {
            assert_eq!(PASSES.iter().filter(|other| other.name == pass.name).count(), 1, "{}", pass.name);
        }
    }
}
