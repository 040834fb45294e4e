//! Optimisation passes: functions from IR to IR.
//!
//! [`PASSES`] lists the passes with their places in the pipeline, [`Pipeline`] runs them, and [`Scope`]
//! provides what they need besides the function. All passes of a pipeline edit one [`FuncEditor`], so that
//! the function is copied once and not once per pass.
//!
//! - PASS1 a pass never changes what a function returns, to the bit, nor how it fails, call stack included.
//!   Exceptions: the calls that `tail_recursion_elim` turns into loops; the limits of depth, steps and
//!   memory; functions that read a moved-out place, contrary to the requirements of [`overdub_context::ops`],
//!   and may get the moved value instead of a failure; and `fast_math`, which no pipeline runs.
//! - PASS2 passes are deterministic: the same function in the same scope gives the same text.
//! - PASS3 a module uses its own layer and those below, never one above: `support` (analyses and shared edits),
//!   `verified`, `pass` (one pass per file), `pipeline`, `executor`.

mod executor;
mod pass;
mod pipeline;
mod support;
mod verified;

pub use executor::Optimised;
pub use overdub_context::edit::FuncEditor;
pub use pass::{PASSES, Pass, Phase, by_name, fast_math, in_phase};
pub use pipeline::{Optimising, Pipeline, optimise, optimise_to_compile};
pub use support::instruction_set::InstructionSet;
pub use support::scope::{Limits, Scope, callees};
