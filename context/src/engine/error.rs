//! Why a function cannot be had under a context.

use super::PassError;
use crate::ir::{BuildError, LoadError};
use crate::verify::VerifyError;
use crate::{Span, Symbol};

/// Why a function cannot be had under a context.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ContextError {
    /// The pass has no body to give.
    #[error("the context `{context}` cannot rewrite `@{func}`: {error}")]
    Pass {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What stands in the way.
        error: PassError,
    },
    /// The body that the pass gave is not valid.
    #[error("the pass of the context `{context}` made an invalid body for `@{func}`: {error}")]
    Invalid {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What is wrong with it.
        error: VerifyError,
    },
    /// The rewritten function cannot be built: what the context answered does not fit the call.
    #[error("under the context `{context}`, `@{func}` cannot be built: {error}")]
    Build {
        /// The context.
        context: Symbol,
        /// The function.
        func: Symbol,
        /// What does not fit.
        error: BuildError,
    },
    /// The domain says nothing about an operation.
    #[error("the domain of the context `{context}` has no meaning for `{op}`")]
    NoMeaning {
        /// The context.
        context: Symbol,
        /// The operation.
        op: &'static str,
        /// Where.
        span: Span,
    },
    /// The domain refuses an operation.
    #[error("under the context `{context}` there is no `{op}`: {reason}")]
    Refused {
        /// The context.
        context: Symbol,
        /// The operation.
        op: &'static str,
        /// Why.
        reason: String,
        /// What to do instead.
        help: Option<String>,
        /// Where.
        span: Span,
    },
    /// A context that carries nothing asked for what needs a handle.
    #[error("the context `{context}` carries nothing, so it has no hook or host method at `{callee}`")]
    NoHandle {
        /// The context.
        context: Symbol,
        /// What is called.
        callee: &'static str,
        /// Where.
        span: Span,
    },
}

impl ContextError {
    pub(super) fn into_load(self) -> LoadError {
        let (span, help) = match &self {
            ContextError::Pass { error, .. } => (error.span, error.help.clone()),
            ContextError::Invalid { error, .. } => {
                (error.faults.first().map_or(Span::unknown(), |fault| fault.span), None)
            }
            ContextError::Build { error, .. } => (error.span, None),
            ContextError::NoMeaning { span, .. } => {
                (*span, Some("let the domain's `lifted` answer for this operation".to_owned()))
            }
            ContextError::Refused { span, help, .. } => (*span, help.clone()),
            ContextError::NoHandle { span, .. } => {
                (*span, Some("let the context's `carries` be `Carries::Handle`".to_owned()))
            }
        };
        LoadError { message: self.to_string(), span, help }
    }
}
