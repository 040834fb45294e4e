//! Errors of calls through the typed API.

use std::fmt;

use overdub_context::engine::before_contexts;
use overdub_context::limits::Limit;
use overdub_context::{Failure, FailureKind, Span, Symbol};
use thiserror::Error as ThisError;

use crate::loaded::user_span;
use crate::lower::LowerError;
use crate::source::PRELUDE;

/// What to look at where a function cannot be lowered.
const MISSING: &str = "is all that it names annotated with `#[dub]`: functions, constants, `impl` blocks?";

/// A call that has no result: what happened, where, the call stack, and what to do about it.
#[derive(Clone, PartialEq, Eq, ThisError)]
pub struct Error {
    message: String,
    span: Span,
    stack: Vec<Call>,
    help: Option<String>,
    limit: Option<Limit>,
}

/// A function that was running when a call failed, and where it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function.
    pub func: Symbol,
    /// Where it was: at the failure, or at the call that led to it.
    pub span: Span,
}

impl Error {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), span: Span::unknown(), stack: Vec::new(), help: None, limit: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in the user's files.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The user's functions that were running, the innermost first.
    pub fn stack(&self) -> &[Call] {
        &self.stack
    }

    /// The limit of the run that was hit, if one was.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.span.is_known() {
            write!(f, " at {}", self.span)?;
        }
        match &self.help {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}

/// On lines of their own: what `unwrap` and `main` show.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.span.is_known() {
            write!(f, "\n  at {}", self.span)?;
        }
        for call in &self.stack {
            write!(f, "\n  in `{}` at {}", call.func, call.span)?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl From<LowerError> for Error {
    fn from(error: LowerError) -> Error {
        Error { span: error.span, help: error.help, ..Error::new(error.message) }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let report = failure.report();
        let calls = report.stack.iter().filter(|entry| !entry.span.file.starts_with(PRELUDE));
        let missing = (report.kind == FailureKind::Load).then(|| MISSING.to_owned());
        Error {
            message: report.message.clone(),
            span: user_span(report),
            stack: calls.map(|entry| Call { func: before_contexts(entry.func), span: entry.span }).collect(),
            help: report.help.clone().or(missing),
            limit: report.limit,
        }
    }
}
