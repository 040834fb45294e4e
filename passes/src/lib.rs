//! Passes: functions from IR to IR, one per file.
//!
//! [`PASSES`] is the one list of them, [`Pipeline`] their order, [`Scope`] what they know besides the function.
//! Passes share a [`Work`], the function while it is changed, so that a pipeline copies it once and not for each pass.
//!
//! - A pass never changes what a function returns, to the bit, nor how it fails, call stack and all, but for the calls
//!   that `tail` makes loops of, and for limits of depth, steps and memory. A function that reads a hole, which breaks what
//!   [`overdub_context::ops`] asks of it, may get the part that was taken out instead of its failure.
//! - Same function, same scope, same text.

mod bounds;
mod branches;
mod cells;
mod copies;
mod dce;
mod dup;
mod executor;
mod facts;
pub mod fast;
mod finish;
mod fold;
mod gvn;
mod inline;
mod licm;
mod overflow;
mod params;
mod pipeline;
mod rotate;
mod scalars;
mod scope;
mod shape;
mod simplify;
mod tail;
mod thread;
mod variants;
mod versions;
mod views;
mod ways;
mod work;

use overdub_context::ir::Func;

pub use executor::Optimised;
pub use pipeline::{Optimising, Pipeline, optimise, optimise_to_compile};
pub use scope::{Limits, Scope, callees};
pub use work::Work;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    /// Changes the function; says whether it did.
    pub run: fn(&mut Work<'_>, &Scope<'_>) -> bool,
    /// When it runs.
    pub runs: Runs,
    /// What others, and the pass itself, may find in what it changed.
    leaves: Leaves,
    /// What others have to change for it to find something again.
    heeds: Heeds,
}

/// What may be found in what a pass changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaves {
    Anything,
    /// Dead code went, all of it: this pass finds nothing more in the same function.
    LessCode,
}

/// What makes a pass look again at a function in which it found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heeds {
    Anything,
    /// Another value, another way; not that dead code went.
    Values,
}

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// With the others, until none finds anything to do: it makes a function better, whoever gets it.
    ToFixpoint,
    /// Behind those, where machine code is made of the function.
    BeforeCompiling,
    /// Behind those, and what cleans up behind them.
    BehindRotation,
    /// Only where somebody asks for it.
    OnRequest,
}

impl Pass {
    /// A pass that may change anything, and may find something in whatever others change.
    const fn rewriting(name: &'static str, run: fn(&mut Work<'_>, &Scope<'_>) -> bool) -> Pass {
        Pass { name, run, runs: Runs::ToFixpoint, leaves: Leaves::Anything, heeds: Heeds::Anything }
    }

    /// The function after this pass.
    pub fn apply(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut work = Work::new(func);
        (self.run)(&mut work, scope);
        work.finish()
    }
}

/// All passes, each behind those that help it most; [`Pipeline`] runs some more than once in a round.
pub static PASSES: &[Pass] = &[
    Pass::rewriting("tail", tail::run),
    Pass::rewriting("inline", inline::run),
    Pass::rewriting("branches", branches::run),
    Pass::rewriting("cells", cells::run),
    Pass::rewriting("variants", variants::run),
    Pass::rewriting("scalars", scalars::run),
    Pass::rewriting("thread", thread::run),
    Pass { heeds: Heeds::Values, ..Pass::rewriting("simplify", simplify::run) },
    Pass { heeds: Heeds::Values, ..Pass::rewriting("gvn", gvn::run) },
    Pass::rewriting("licm", licm::run),
    Pass { leaves: Leaves::LessCode, ..Pass::rewriting("dce", dce::run) },
    Pass::rewriting("bounds", bounds::run),
    Pass { runs: Runs::BeforeCompiling, ..Pass::rewriting("views", views::run) },
    Pass { runs: Runs::BeforeCompiling, ..Pass::rewriting("overflow", overflow::run) },
    Pass { runs: Runs::BeforeCompiling, ..Pass::rewriting("rotate", rotate::run) },
    Pass { runs: Runs::BehindRotation, ..Pass::rewriting("versions", versions::run) },
    Pass { runs: Runs::OnRequest, ..Pass::rewriting("fast", fast::run) },
    Pass { runs: Runs::OnRequest, ..Pass::rewriting("dup", dup::run) },
];

/// The pass of this name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}
