//! Refusals: why a function has no derivative by source transformation.

use overdub_context::ir::{BuildError, Ty};
use overdub_context::{Code, Span, Symbol};

use crate::codes;

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
    /// The names that a checkpoint keeps, or the name of a value in it, are computed.
    #[error(
        "the names of values in a checkpoint are computed: name them by literals, and list literals in `checkpoint_saving`"
    )]
    UnknownNames,
    /// A checkpoint is to keep a value that it does not name; these are named.
    #[error("nothing in the checkpoint has the name `{name}`: {}", listed(.named))]
    NoSuchName {
        /// The name that is to be kept.
        name: String,
        /// The names of values in the checkpoint.
        named: Vec<String>,
    },
    /// A named value refers to what may change.
    #[error(
        "`{0}` names a value of type `{1}`, which refers to what may change before it is read: name the value it refers to"
    )]
    NamedReference(String, Ty),
    /// The entries of the Jacobian cannot be written one by one.
    #[error("{0}")]
    Entries(&'static str),
    /// A reason, with its place in the source.
    #[error("{0}")]
    At(Box<Cause>, Span),
}

/// What a checkpoint could keep.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let found = match names.is_empty() {
        true => "`checkpoint_name` names none there".to_owned(),
        false => format!("there are {}", names.join(", ")),
    };
    format!("{found}; functions that call themselves, and checkpoints within it, are not searched")
}

impl Cause {
    pub(crate) fn at(self, span: Span) -> Cause {
        match self {
            Cause::At(..) => self,
            cause if span.is_known() => Cause::At(Box::new(cause), span),
            cause => cause,
        }
    }

    /// The code of the refusal.
    pub(crate) fn code(&self) -> Code {
        match self {
            Cause::At(cause, _) => cause.code(),
            Cause::UnknownNames | Cause::NoSuchName { .. } | Cause::NamedReference(..) => {
                codes::CHECKPOINT_NAMES
            }
            _ => codes::NO_DERIVATIVE,
        }
    }

    pub(crate) fn refuse(self, func: Symbol, span: Span) -> Refusal {
        match self {
            Cause::At(cause, span) => Refusal { func, span, cause: *cause },
            cause => Refusal { func, span, cause },
        }
    }
}
