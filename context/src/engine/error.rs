//! Errors of specialising a function for a context.

use std::fmt;

use super::{Named, PassError};
use crate::ir::{BuildError, LoadError};
use crate::verify::VerifyError;
use crate::{Span, Symbol, codes};

/// The reason why a function cannot be specialised for a context.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ContextError {
    /// The pass cannot rewrite the body.
    #[error("the context `{context}` cannot rewrite `@{func}`: {error}")]
    Pass {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// The error of the pass.
        error: PassError,
    },
    /// The body that the pass returned is not valid.
    #[error("the pass of the context `{context}` made an invalid body for `@{func}`: {error}")]
    Invalid {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// The faults of the body.
        error: VerifyError,
    },
    /// The rewritten function cannot be built: an answer of the context does not fit the call.
    #[error("under the context `{context}`, `@{func}` cannot be built: {error}")]
    Build {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// The mismatch.
        error: BuildError,
    },
    /// The domain does not handle an operation.
    #[error("the domain of the context `{context}` has no meaning for `{op}`")]
    NoMeaning {
        /// The context.
        context: Symbol,
        /// The operation.
        op: &'static str,
        /// The location of the operation.
        span: Span,
    },
    /// The domain refuses an operation.
    #[error("under the context `{context}` there is no `{op}`: {reason}")]
    Refused {
        /// The context.
        context: Symbol,
        /// The operation.
        op: &'static str,
        /// The reason.
        reason: String,
        /// Advice.
        help: Option<String>,
        /// The location of the operation.
        span: Span,
    },
    /// The replacement of a call does not exist or does not fit.
    #[error("the context `{context}` cannot put {} in the place of `{called}`: {reason}", Quoted(*.instead))]
    Replacement {
        /// The context.
        context: Symbol,
        /// The callee.
        called: Symbol,
        /// The replacement that the context named.
        instead: Symbol,
        /// Why it cannot replace the call.
        reason: Box<str>,
        /// Advice.
        help: Option<Box<str>>,
        /// The call.
        span: Span,
    },
    /// A name that the context refers to does not exist.
    #[error("the context `{context}` names {}", Nothing(*.named))]
    Unknown {
        /// The context.
        context: Symbol,
        /// The name.
        named: Named,
        /// Suggestions of similar names.
        help: Option<String>,
    },
    /// A context without a handle requested a hook or host method, which needs one.
    #[error("the context `{context}` carries nothing, so it has no hook or host method at `{callee}`")]
    NoHandle {
        /// The context.
        context: Symbol,
        /// The callee.
        callee: &'static str,
        /// The location of the call.
        span: Span,
    },
}

/// A name in quotes; a description is not quoted.
struct Quoted(Symbol);

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.starts_with("a constant") { write!(f, "{}", self.0) } else { write!(f, "`{}`", self.0) }
    }
}

/// The name that is missing.
struct Nothing(Named);

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Named::Called(name) => write!(f, "`{name}`, and no function or operation is called so"),
            Named::Within(name) => write!(f, "`{name}`, and no function, type or module is called so"),
        }
    }
}

impl ContextError {
    pub(super) fn into_load(self) -> LoadError {
        let code = match &self {
            ContextError::Pass { error, .. } => error.code,
            ContextError::Invalid { .. } | ContextError::Build { .. } | ContextError::NoHandle { .. } => {
                codes::CONTEXT
            }
            ContextError::NoMeaning { .. } | ContextError::Refused { .. } => codes::NO_MEANING,
            ContextError::Replacement { .. } => codes::REPLACEMENT,
            ContextError::Unknown { .. } => codes::NAMES_NOTHING,
        };
        let (span, help) = match &self {
            ContextError::Pass { error, .. } => (error.span, error.help.clone()),
            ContextError::Invalid { error, .. } => {
                (error.faults.first().map_or(Span::unknown(), |fault| fault.span), None)
            }
            ContextError::Build { error, .. } => (error.span, None),
            ContextError::NoMeaning { span, .. } => {
                let help = "let the domain's `lifted` answer for this operation, with `Lifted::Untagged` where what \
                            the values carry is to be dropped";
                (*span, Some(help.to_owned()))
            }
            ContextError::Refused { span, help, .. } => (*span, help.clone()),
            ContextError::Replacement { span, help, .. } => (*span, help.as_deref().map(str::to_owned)),
            ContextError::Unknown { help, .. } => (Span::unknown(), help.clone()),
            ContextError::NoHandle { span, .. } => {
                (*span, Some("let the context's `needs_handle` be `NeedsHandle::Yes`".to_owned()))
            }
        };
        LoadError { code, message: self.to_string(), span, help }
    }
}
