//! Errors of lowering, and how code after a diverging expression is omitted.

use overdub_context::Span;
use overdub_context::ir::{BuildError, LoadError};
use thiserror::Error;

use crate::error::ResolveError;
use crate::infer::{InferError, InferErrorKind};

/// An error: the unsupported construct, its location, and advice.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct LowerError {
    /// The source location.
    pub span: Span,
    /// The message.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

/// Why lowering an expression yields no value.
#[derive(Debug)]
pub(super) enum Stop {
    /// The expression never has a value: no block is open after it.
    Diverges,
    /// It cannot be lowered.
    Error(Box<LowerError>),
}

/// The result of lowering.
pub(super) type Lowered<T> = Result<T, Stop>;

impl LowerError {
    /// An error for an unsupported construct.
    pub fn new(span: Span, message: impl Into<String>) -> LowerError {
        LowerError { span, message: message.into(), help: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> LowerError {
        self.help = Some(help.into());
        self
    }
}

impl From<LowerError> for Stop {
    fn from(error: LowerError) -> Stop {
        Stop::Error(Box::new(error))
    }
}

impl From<InferError> for LowerError {
    fn from(error: InferError) -> LowerError {
        let message = error.kind.to_string();
        let help = match *error.kind {
            InferErrorKind::Resolve(cause) => cause.help,
            InferErrorKind::TakesFunction { .. } => {
                Some("call it from a function that takes numbers and passes a closure".to_owned())
            }
            InferErrorKind::NoDefault { param, .. } if &*param == "Self" => {
                Some("name a type that implements the trait: `<Type as Trait>::function`".to_owned())
            }
            _ => None,
        };
        LowerError { span: error.span, message, help }
    }
}

impl From<ResolveError> for LowerError {
    fn from(error: ResolveError) -> LowerError {
        LowerError { span: error.span, message: error.cause.to_string(), help: error.help }
    }
}

impl From<InferError> for Stop {
    fn from(error: InferError) -> Stop {
        LowerError::from(error).into()
    }
}

impl From<ResolveError> for Stop {
    fn from(error: ResolveError) -> Stop {
        LowerError::from(error).into()
    }
}

impl From<BuildError> for LowerError {
    fn from(error: BuildError) -> LowerError {
        LowerError {
            span: error.span,
            message: format!("internal: `{}` is lowered to invalid IR: {}", error.func, error.cause),
            help: None,
        }
    }
}

impl From<BuildError> for Stop {
    fn from(error: BuildError) -> Stop {
        LowerError::from(error).into()
    }
}

impl From<LoadError> for LowerError {
    fn from(error: LoadError) -> LowerError {
        LowerError { message: error.message, span: error.span, help: error.help }
    }
}

impl From<LowerError> for LoadError {
    fn from(error: LowerError) -> LoadError {
        LoadError { message: error.message, span: error.span, help: error.help }
    }
}
