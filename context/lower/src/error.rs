//! What can be wrong with a program before its types are looked at.
//!
//! - Every fault has a place; the front end renders the source line, so messages stay short.

use overdub_context::{Span, Symbol};
use thiserror::Error;

/// A fault in a program: what, where, and what to do about it.
#[derive(Clone, Debug, Error)]
#[error("{cause}")]
pub struct ResolveError {
    /// Where.
    pub span: Span,
    /// What.
    pub cause: Cause,
    /// What to do about it.
    pub help: Option<String>,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Cause {
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The text is not Rust.
    #[error("{0}")]
    Syntax(String),
    /// A path leads nowhere.
    #[error("cannot find {what} `{path}`")]
    NotFound {
        /// A type, a value, a trait, a module, a macro.
        what: &'static str,
        /// As written.
        path: String,
    },
    /// A path leads to something of another kind.
    #[error("`{path}` is {found}, not {wanted}")]
    WrongKind {
        /// As written.
        path: String,
        /// What it is.
        found: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A macro cannot be expanded.
    #[error("macro `{name}!`: {reason}")]
    Macro {
        /// The macro.
        name: Symbol,
        /// Why.
        reason: String,
    },
    /// A manifest cannot be understood.
    #[error("{0}")]
    Manifest(String),
    /// A construct that has no meaning here.
    #[error("{0}")]
    Unsupported(String),
}

impl ResolveError {
    /// A fault at a place.
    pub fn new(span: Span, cause: Cause) -> ResolveError {
        ResolveError { span, cause, help: None }
    }

    /// With advice.
    pub fn with_help(mut self, help: impl Into<String>) -> ResolveError {
        self.help = Some(help.into());
        self
    }
}

/// Why [`crate::Program::lookup`] finds nothing.
#[derive(Clone, Debug, Error)]
#[error("no function `{path}`")]
pub struct LookupError {
    /// What was asked for.
    pub path: String,
    /// Names that are close, best first.
    pub similar: Vec<String>,
}
