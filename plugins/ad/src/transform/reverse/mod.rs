//! Reverse mode by source transformation: a function becomes one that also returns its reverse sweep.
//!
//! After Innes, *Don't Unroll Adjoint* (2019), on inlined and optimised code as Enzyme does it: each block of
//! the primal has a block of the reverse sweep. The path taken through the control flow, and the values of
//! blocks that run more than once, are pushed on typed stacks; cheap values are recomputed. The result is
//! ordinary IR (arithmetic, structure, stacks), so it is differentiated again like any function.
//!
//! Functions that hold derivatives in values whose types do not show them (cells, function values) are
//! refused with a reason and left to the tape.

mod accumulate;
mod accumulators;
mod adjoint;
mod call_adjoint;
mod checkpoint_plan;
mod checkpointed_calls;
mod computed;
mod context;
mod custom_rules;
mod default_value;
mod devirtualize;
mod equal_lengths;
mod forward_sweep;
mod induction;
mod liveness;
mod loop_fusion;
mod memory;
mod minimum_cut;
mod named_values;
mod naming_calls;
mod output;
mod plan_comparison;
mod primal;
mod primal_values;
mod recomputation;
mod record_places;
mod recorded_cut;
mod recorded_partials;
mod restored;
mod reverse_cfg;
mod reverse_sweep;
mod sweep_cotangents;
mod tape_report;
mod transformed;
mod transformer;
mod unread;

mod zero_cotangents;

pub use crate::refusal::{Cause, Refusal};
pub use context::ReverseTransform;
pub(crate) use context::{direct_gradient, is_of_library};
pub(crate) use devirtualize::devirtualize;
pub use output::{ReverseOutput, few_floats};
pub(crate) use primal::{call_of, ty_of, tys_of, valued};
pub(crate) use recomputation::Recomputation;
pub use tape_report::TapeReport;
pub use transformed::{TransformPullback, Transformed, active, all_shaped, cotangent_of};
pub(crate) use transformed::{parts_of_value, primal_func, refused};
pub use transformer::{Reversed, reverse};
