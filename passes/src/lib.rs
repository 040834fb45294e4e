//! Passes: functions from IR to IR, one per file.
//!
//! [`PASSES`] is the one list of them, [`Pipeline`] their order, [`Scope`] what they know besides the function.
//! Passes share a [`Work`], the function while it is changed, so that a pipeline copies it once and not for each pass.
//!
//! - A pass never changes what a function returns, to the bit, nor how it fails, call stack and all, but for the calls
//!   that `tail` makes loops of, and for limits of depth, steps and memory.
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
    /// The function after this pass.
    pub fn apply(&self, func: &Func, scope: &Scope<'_>) -> Func {
        let mut work = Work::new(func);
        (self.run)(&mut work, scope);
        work.finish()
    }
}

/// All passes, in the order in which they help each other.
pub static PASSES: &[Pass] = &[
    Pass { name: "tail", run: tail::run, runs: Runs::ToFixpoint },
    Pass { name: "inline", run: inline::run, runs: Runs::ToFixpoint },
    Pass { name: "branches", run: branches::run, runs: Runs::ToFixpoint },
    Pass { name: "cells", run: cells::run, runs: Runs::ToFixpoint },
    Pass { name: "variants", run: variants::run, runs: Runs::ToFixpoint },
    Pass { name: "scalars", run: scalars::run, runs: Runs::ToFixpoint },
    Pass { name: "simplify", run: simplify::run, runs: Runs::ToFixpoint },
    Pass { name: "thread", run: thread::run, runs: Runs::ToFixpoint },
    Pass { name: "gvn", run: gvn::run, runs: Runs::ToFixpoint },
    Pass { name: "licm", run: licm::run, runs: Runs::ToFixpoint },
    Pass { name: "dce", run: dce::run, runs: Runs::ToFixpoint },
    Pass { name: "bounds", run: bounds::run, runs: Runs::ToFixpoint },
    Pass { name: "views", run: views::run, runs: Runs::BeforeCompiling },
    Pass { name: "overflow", run: overflow::run, runs: Runs::BeforeCompiling },
    Pass { name: "rotate", run: rotate::run, runs: Runs::BeforeCompiling },
    Pass { name: "versions", run: versions::run, runs: Runs::BehindRotation },
    Pass { name: "fast", run: fast::run, runs: Runs::OnRequest },
    Pass { name: "dup", run: dup::run, runs: Runs::OnRequest },
];

/// The pass of this name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}
