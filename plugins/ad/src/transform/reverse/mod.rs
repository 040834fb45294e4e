//! Reverse mode by source transformation: a function becomes one that also returns its reverse sweep.
//!
//! After Innes, *Don't Unroll Adjoint* (2019), on inlined and optimised code as Enzyme does it: each block of the
//! primal has a block of the reverse sweep. The path through the control flow, and the values of blocks that run more
//! than once, are pushed on typed stacks; cheap values are recomputed. The result is ordinary IR (arithmetic,
//! structure, stacks), so it is differentiated again like any function.
//!
//! Functions that keep derivatives where no type shows them (in cells, behind function values) are refused with a
//! reason; the tape takes those.

mod accumulate;
mod activity;
mod adjoint;
mod array_adjoints;
mod checkpoint_plan;
mod context;
mod cotangent;
mod custom_rules;
mod devirtualize;
mod enum_adjoints;
mod equal_lengths;
mod forward_sweep;
mod induction;
mod liveness;
mod loop_fusion;
mod nd_adjoints;
mod normalize_cfg;
mod output;
mod primal;
mod primal_values;
mod reassociation;
mod reverse_cfg;
mod reverse_sweep;
mod slice_adjoints;
mod tape_report;
mod transformed;
mod transformer;

use overdub_context::ir::{BuildError, Ty};
use overdub_context::{Span, Symbol};

pub(crate) use activity::{Activity, of_library};
pub use context::ReverseTransform;
pub(crate) use context::{direct_gradient, is_of_library};
pub(crate) use cotangent::{Helpers, cotangent, holds_array};
pub(crate) use devirtualize::devirtualize;
pub(crate) use normalize_cfg::incoming;
pub use output::ReverseOutput;
pub(crate) use primal::{call_of, tys_of, valued};
pub use tape_report::{TapeReport, tape_report};
pub use transformed::{TransformPullback, Transformed};
pub(crate) use transformed::{all_shaped, parts_of_value, plain, refused, seed};
pub use transformer::{Reversed, reverse};

/// Why a function has no reverse transformation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{func}` at {span}: {cause}")]
pub struct Refusal {
    /// The function.
    pub func: Symbol,
    /// The place in it.
    pub span: Span,
    /// The reason.
    pub cause: Cause,
}

/// Reasons for which a function has no reverse transformation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Cause {
    /// A function is missing or cannot be loaded.
    #[error("there is no function `{0}` to go into")]
    Missing(Symbol),
    /// No path through the function returns.
    #[error("the function never returns")]
    NeverReturns,
    /// The control flow is irreducible: a loop has two entries.
    #[error("a loop is entered in two places")]
    Irreducible,
    /// Derivatives flow through values of a type that has no cotangent type.
    #[error("derivatives flow through values of type `{0}`")]
    Type(Ty),
    /// Derivatives flow where no type shows them.
    #[error("derivatives flow through `{0}` into what no type shows")]
    Hidden(&'static str),
    /// Derivatives flow through the call of a function value.
    #[error("derivatives flow through the call of a function value")]
    Call,
    /// An operation has no derivative.
    #[error("`{0}` has no derivative: {1}")]
    Refused(&'static str, &'static str),
    /// An operation has no rule here.
    #[error("`{0}` has no rule for the reverse sweep")]
    NoRule(&'static str),
    /// What was built does not fit together.
    #[error(transparent)]
    Build(BuildError),
    /// A function has a custom rule that the transformation does not apply.
    #[error("`{0}` has a rule of its own, which this transformation does not apply")]
    CustomRule(Symbol),
    /// An array operation cannot be expanded into loops.
    #[error("{0}")]
    Expands(String),
    /// A reason with its place.
    #[error("{0}")]
    At(Box<Cause>, Span),
}

impl Cause {
    pub(crate) fn at(self, span: Span) -> Cause {
        match self {
            Cause::At(..) => self,
            cause if span.is_known() => Cause::At(Box::new(cause), span),
            cause => cause,
        }
    }

    pub(crate) fn refuse(self, func: Symbol, span: Span) -> Refusal {
        match self {
            Cause::At(cause, span) => Refusal { func, span, cause: *cause },
            cause => Refusal { func, span, cause },
        }
    }
}
