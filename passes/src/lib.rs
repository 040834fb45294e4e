//! Passes: functions from IR to IR, one per file.
//!
//! [`PASSES`] is the one list of them, [`Pipeline`] their order, [`Scope`] what they know besides the function.
//! Passes share a [`FuncEditor`], the function while it is changed, so that a pipeline copies it once and not for each pass.
//!
//! - A pass never changes what a function returns, to the bit, nor how it fails, call stack and all, but for the calls
//!   that `tail_recursion_elim` makes loops of, and for limits of depth, steps and memory. A function that reads a hole, which breaks what
//!   [`overdub_context::ops`] asks of it, may get the part that was taken out instead of its failure.
//! - Same function, same scope, same text.

mod executor;
mod pass;
mod pipeline;
mod support;

pub use executor::Optimised;
pub use pass::{PASSES, Pass, Phase, by_name, fast_math, in_phase};
pub use pipeline::{Optimising, Pipeline, optimise, optimise_to_compile};
pub use support::func_editor::FuncEditor;
pub use support::scope::{Limits, Scope, callees};
