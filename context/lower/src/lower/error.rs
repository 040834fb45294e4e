//! Errors of lowering, and how code after a diverging expression is omitted.

use overdub_context::codes::INTERNAL;
use overdub_context::ir::{BuildError, LoadError};
use overdub_context::{Code, Span};
use thiserror::Error;

use crate::codes;
use crate::error::ResolveError;
use crate::infer::{InferError, InferErrorKind};

/// An error: the unsupported construct, its location, and advice.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct LowerError {
    /// The code, by which documentation refers to it.
    pub code: Code,
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
        let message: String = message.into();
        let code = if message.starts_with("internal: ") { INTERNAL } else { codes::UNSUPPORTED };
        LowerError { code, span, message, help: None }
    }

    /// The error with a more specific code than that of an unsupported construct.
    #[must_use]
    pub fn coded(mut self, code: Code) -> LowerError {
        self.code = code;
        self
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
        let (code, message) = (error.kind.code(), error.kind.to_string());
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
        LowerError { code, span: error.span, message, help }
    }
}

impl From<ResolveError> for LowerError {
    fn from(error: ResolveError) -> LowerError {
        LowerError {
            code: error.cause.code(),
            span: error.span,
            message: error.cause.to_string(),
            help: error.help,
        }
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
            code: INTERNAL,
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
        LowerError { code: error.code, message: error.message, span: error.span, help: error.help }
    }
}

impl From<LowerError> for LoadError {
    fn from(error: LowerError) -> LoadError {
        LoadError { code: error.code, message: error.message, span: error.span, help: error.help }
    }
}
