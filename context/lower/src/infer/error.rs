//! Errors of inference, with their locations.

use overdub_context::codes::INTERNAL;
use overdub_context::{Code, Span, Symbol};
use thiserror::Error;

use crate::codes;
use crate::error::ResolveError;

/// The reason why a body cannot be typed.
#[derive(Clone, Debug, Error)]
#[error("{kind}")]
pub struct InferError {
    /// The source location.
    pub span: Span,
    /// The kind of the error.
    pub kind: Box<InferErrorKind>,
}

/// The kinds of errors. Types and items are given by name.
#[derive(Clone, Debug, Error)]
#[allow(missing_docs)]
pub enum InferErrorKind {
    #[error("expected `{expected}`, found `{found}`")]
    Mismatch { expected: String, found: String },
    #[error("no method `{name}` for `{ty}`")]
    NoMethod { name: Symbol, ty: String },
    #[error("no associated item `{name}` for `{ty}`")]
    NoAssoc { name: Symbol, ty: String },
    #[error("no field `{name}` in `{ty}`")]
    NoField { name: Symbol, ty: String },
    #[error("`{ty}` does not implement `{bound}`")]
    Unsatisfied { ty: String, bound: String },
    /// What is missing may be what a macro would have produced.
    #[error("{missing}: {reason}")]
    NotExpanded { missing: Box<InferErrorKind>, reason: String },
    #[error("the type of this {what} is not known here: `{ty}`")]
    Unknown { what: &'static str, ty: String },
    #[error("`{ty}` cannot be called")]
    NotCallable { ty: String },
    #[error("{expected} arguments expected, {found} given")]
    ArgCount { expected: usize, found: usize },
    #[error("`{ty}` cannot be dereferenced")]
    NotDeref { ty: String },
    #[error("`{ty}` cannot be indexed by `{index}`")]
    NotIndexable { ty: String, index: String },
    #[error("no operator `{op}` for `{lhs}` and `{rhs}`")]
    NoOperator { op: Symbol, lhs: String, rhs: String },
    #[error("`?` is applied to `{ty}`, which is no `Option`, `Result` or `ControlFlow`")]
    NotTry { ty: String },
    #[error("`{from}` cannot be cast to `{to}`")]
    Cast { from: String, to: String },
    #[error("`{name}` is not a struct, variant or constant here")]
    NotCtor { name: String },
    #[error("the value of this constant is not known: {0}")]
    Const(String),
    #[error("`{0}` has no body")]
    NoBody(String),
    #[error("the `impl Trait` that `{0}` returns depends on itself")]
    RecursiveOpaque(String),
    #[error("`{name}` has no type argument for `{param}`")]
    NoDefault { name: String, param: Symbol },
    #[error("`{name}` takes a function (its type parameter `{param}`), which no argument can write")]
    TakesFunction { name: String, param: Symbol },
    #[error("the prelude declares no `{0}`")]
    NoLang(&'static str),
    #[error("types nest too deeply: `{0}`")]
    TooDeep(String),
    #[error("{0}")]
    Unsupported(Symbol),
    #[error("{0}")]
    Resolve(ResolveError),
}

impl InferErrorKind {
    /// The code, by which documentation refers to it.
    pub fn code(&self) -> Code {
        match self {
            InferErrorKind::Mismatch { .. } => codes::MISMATCH,
            InferErrorKind::NoMethod { .. } | InferErrorKind::NoAssoc { .. } => codes::NO_METHOD,
            InferErrorKind::NoField { .. } => codes::NO_FIELD,
            InferErrorKind::Unsatisfied { .. } => codes::UNSATISFIED,
            InferErrorKind::NotExpanded { missing, .. } => missing.code(),
            InferErrorKind::Unknown { .. } => codes::UNKNOWN_TYPE,
            InferErrorKind::NotCallable { .. } => codes::NOT_CALLABLE,
            InferErrorKind::ArgCount { .. } => codes::ARG_COUNT,
            InferErrorKind::NotDeref { .. }
            | InferErrorKind::NotIndexable { .. }
            | InferErrorKind::NoOperator { .. } => codes::NO_OPERATOR,
            InferErrorKind::NotTry { .. } => codes::NOT_TRY,
            InferErrorKind::Cast { .. } => codes::CAST,
            InferErrorKind::NotCtor { .. } => codes::NOT_CTOR,
            InferErrorKind::Const(_) => codes::CONST,
            InferErrorKind::NoBody(_) => codes::NO_BODY,
            InferErrorKind::RecursiveOpaque(_) => codes::RECURSIVE_OPAQUE,
            InferErrorKind::NoDefault { .. } => codes::NO_DEFAULT,
            InferErrorKind::TakesFunction { .. } => codes::TAKES_FUNCTION,
            InferErrorKind::NoLang(_) => INTERNAL,
            InferErrorKind::TooDeep(_) => codes::TOO_DEEP,
            InferErrorKind::Unsupported(_) => codes::UNSUPPORTED,
            InferErrorKind::Resolve(error) => error.cause.code(),
        }
    }
}

impl InferError {
    pub(crate) fn new(span: Span, kind: InferErrorKind) -> InferError {
        InferError { span, kind: Box::new(kind) }
    }
}

impl From<ResolveError> for InferError {
    fn from(error: ResolveError) -> InferError {
        InferError::new(error.span, InferErrorKind::Resolve(error))
    }
}

/// The result of an inference step.
pub type Result<T> = std::result::Result<T, InferError>;
