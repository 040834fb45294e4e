//! Errors in a program that are detected before types are inferred.
//!
//! - Every error has a location; the front end renders the source line, so messages stay short.

use overdub_context::{Code, Span, Symbol};
use thiserror::Error;

use crate::codes;

/// An error in a program: the cause, the location, and advice.
#[derive(Clone, Debug, Error)]
#[error("{cause}")]
pub struct ResolveError {
    /// The source location.
    pub span: Span,
    /// The cause.
    pub cause: Cause,
    /// Advice.
    pub help: Option<String>,
}

/// The cause of an error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Cause {
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// The file.
        path: String,
        /// The reason reported by the system.
        reason: String,
    },
    /// The text is not Rust.
    #[error("{0}")]
    Syntax(String),
    /// A path does not resolve.
    #[error("cannot find {what} `{path}`")]
    NotFound {
        /// The expected kind of item: a type, a value, a trait, a module, a macro.
        what: &'static str,
        /// The path as written.
        path: String,
    },
    /// A path resolves to an item of another kind.
    #[error("`{path}` is {found}, not {expected}")]
    WrongKind {
        /// The path as written.
        path: String,
        /// The kind of the item found.
        found: &'static str,
        /// The expected kind.
        expected: &'static str,
    },
    /// A macro cannot be expanded.
    #[error("macro `{name}!`: {reason}")]
    Macro {
        /// The macro.
        name: Symbol,
        /// The reason.
        reason: String,
    },
    /// A manifest is malformed.
    #[error("{0}")]
    Manifest(String),
    /// An unsupported construct.
    #[error("{0}")]
    Unsupported(String),
}

impl Cause {
    /// The code, by which documentation refers to it.
    pub fn code(&self) -> Code {
        match self {
            Cause::Read { .. } => codes::UNREADABLE,
            Cause::Syntax(_) => codes::SYNTAX,
            Cause::NotFound { .. } => codes::NOT_FOUND,
            Cause::WrongKind { .. } => codes::WRONG_KIND,
            Cause::Macro { .. } => codes::MACRO,
            Cause::Manifest(_) => codes::MANIFEST,
            Cause::Unsupported(_) => codes::UNSUPPORTED,
        }
    }
}

impl ResolveError {
    /// An error at a location.
    pub fn new(span: Span, cause: Cause) -> ResolveError {
        ResolveError { span, cause, help: None }
    }

    /// Adds advice.
    pub fn with_help(mut self, help: impl Into<String>) -> ResolveError {
        self.help = Some(help.into());
        self
    }
}

/// The reason why [`crate::Program::lookup`] finds nothing.
#[derive(Clone, Debug, Error)]
#[error("no function `{path}`")]
pub struct LookupError {
    /// The requested path.
    pub path: String,
    /// Similar names, best first.
    pub similar: Vec<String>,
}
