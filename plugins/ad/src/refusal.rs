//! Refusals: why a function has no derivative by source transformation.

use overdub_context::ir::{BuildError, Ty};
use overdub_context::{Span, Symbol};

/// The refusal to transform a function, with its place and its reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{func}` at {span}: {cause}")]
pub struct Refusal {
    /// The function.
    pub func: Symbol,
    /// The place within the function.
    pub span: Span,
    /// The reason.
    pub cause: Cause,
}

/// Reasons why a function has no transformation.
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
    /// The type of a result does not tell which gradients it has.
    #[error(
        "it returns `{0}`, and the gradients of each float are those of one to 16 floats in tuples and structs: a Jacobian has the \
         rows of any"
    )]
    FewFloats(Ty),
    /// Derivatives flow through values whose types do not show them.
    #[error("derivatives flow through `{0}` into what no type shows")]
    Hidden(&'static str),
    /// Derivatives flow through the call of a function value.
    #[error("derivatives flow through the call of a function value")]
    Call,
    /// An operation has no derivative.
    #[error("`{0}` has no derivative: {1}")]
    Refused(&'static str, &'static str),
    /// An operation has no rule for this transformation.
    #[error("`{0}` has no rule for the reverse sweep")]
    NoRule(&'static str),
    /// The generated function is malformed.
    #[error(transparent)]
    Build(BuildError),
    /// A function has a custom rule that the transformation does not apply.
    #[error("`{0}` has a rule of its own, which this transformation does not apply")]
    CustomRule(Symbol),
    /// An array operation cannot be expanded into loops.
    #[error("{0}")]
    Expands(String),
    /// The entries of the Jacobian cannot be written one by one.
    #[error("{0}")]
    Entries(&'static str),
    /// A reason, with its place in the source.
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
