//! Errors of calls through the typed API.

use std::fmt;

use overdub_context::engine::before_contexts;
use overdub_context::limits::Limit;
use overdub_context::{Code, Failure, FailureKind, Span, StackEntry, Symbol};

use super::advice::{advice, rebuild_advice};
use crate::codes;
use crate::loaded::user_span;
use crate::lower::{LowerError, without_entry};
use crate::registry;
use crate::source::PRELUDE;

/// An error of a call: the message, the location, the call stack, and advice.
///
/// ```
/// use overdub_context::Failure;
/// use overdub_lower::api::{Error, ErrorKind};
///
/// fn advice(error: &Error) -> &str {
///     match error.kind() {
///         ErrorKind::Program => "the function panicked, as Rust's own call would",
///         ErrorKind::Unsupported => "overdub does not know this function, or cannot run it",
///         ErrorKind::Limit => "give it more time or memory",
///         _ => "see the message",
///     }
/// }
///
/// let error = Error::new("the argument is too short");
/// assert_eq!(error.kind(), ErrorKind::Argument);
/// assert_eq!(advice(&error), "see the message");
/// assert!(std::error::Error::source(&error).is_none());
/// ```
///
/// For a run that failed, [`source`](std::error::Error::source) is the [`Failure`].
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Content>);

/// The kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The program failed as Rust's own call would: it panicked, an index was out of bounds, an integer
    /// overflowed; or its `unsafe` code had undefined behaviour.
    Program,
    /// The source of a function is not known, or contains an unsupported construct.
    Unsupported,
    /// The arguments, or a query about them, do not fit the function.
    Argument,
    /// A limit of the run was hit: see [`Error::limit`].
    Limit,
    /// A context failed: a hook, a rule, a replacement, or a derivative that does not exist.
    Context,
}

#[derive(Clone, PartialEq, Eq)]
struct Content {
    kind: ErrorKind,
    code: Code,
    message: String,
    span: Span,
    stack: Vec<Call>,
    help: Option<String>,
    limit: Option<Limit>,
    /// The number of the element that failed.
    element: Option<usize>,
    missing: Vec<Missing>,
    source: Option<Failure>,
}

/// A further obstacle to running a function: an unsupported construct, an unresolved name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The description.
    pub message: String,
    /// The source location in the user's files.
    pub span: Span,
}

/// A function that was active when a call failed, and its current location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function.
    pub func: Symbol,
    /// The location of the failure, or of the call that led to it.
    pub span: Span,
}

impl Error {
    /// An error of kind [`ErrorKind::Argument`] without a location.
    pub fn new(message: impl Into<String>) -> Error {
        Error::of_kind(ErrorKind::Argument, codes::ARGUMENT, message.into())
    }

    fn of_kind(kind: ErrorKind, code: Code, message: String) -> Error {
        Error(Box::new(Content {
            kind,
            code,
            message,
            span: Span::unknown(),
            stack: Vec::new(),
            help: None,
            limit: None,
            element: None,
            missing: Vec::new(),
            source: None,
        }))
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// The error of one of many elements that the function is run for, numbered from 0.
    ///
    /// ```
    /// let error = overdub_lower::api::Error::new("35 is no multiple of 10").at_element(1);
    /// assert_eq!((error.element(), error.message()), (Some(1), "35 is no multiple of 10"));
    /// assert_eq!(error.to_string(), "element 1: 35 is no multiple of 10 [OD0310]");
    /// ```
    #[must_use]
    pub fn at_element(mut self, number: usize) -> Error {
        self.0.element = Some(number);
        self
    }

    /// The number of the element that failed, from 0, if the function was run for many elements; the rest of the error is that
    /// of a call for this element alone.
    pub fn element(&self) -> Option<usize> {
        self.0.element
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The code, by which documentation refers to the error: `overdub explain OD0103` prints its page, with an example and
    /// what to do.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The source location in the user's files.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// The user's functions that were active, the innermost first.
    pub fn stack(&self) -> &[Call] {
        &self.0.stack
    }

    /// The limit of the run that was hit, if one was.
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit
    }

    /// For a function that cannot be lowered: the other obstacles in it and in its callees.
    pub fn missing(&self) -> &[Missing] {
        &self.0.missing
    }

    /// The advice.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Writes the message, after the number of the element.
    fn fmt_message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.element() {
            write!(f, "element {number}: ")?;
        }
        f.write_str(self.message())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.0.source.as_ref()?;
        Some(source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_message(f)?;
        if self.span().is_known() {
            write!(f, " at {}", self.span())?;
        }
        write!(f, " [{}]", self.code())?;
        match self.help() {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}

/// The error on multiple lines, as `unwrap` and `main` show it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_message(f)?;
        write!(f, " [{}]", self.code())?;
        if self.span().is_known() {
            write!(f, "\n  at {}", self.span())?;
        }
        for call in self.stack() {
            write!(f, "\n  in `{}` at {}", call.func, call.span)?;
        }
        for missing in self.missing() {
            write!(f, "\n  also: {} at {}", missing.message, missing.span)?;
        }
        match self.help() {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl From<LowerError> for Error {
    fn from(error: LowerError) -> Error {
        let mut new = Error::of_kind(ErrorKind::Unsupported, error.code, error.message);
        (new.0.span, new.0.help) = (error.span, rebuild_advice().or(error.help));
        new
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let report = failure.report();
        let kind = kind_of(report.kind);
        let is_users = |entry: &&StackEntry| {
            let func = before_contexts(entry.func);
            !entry.span.file.starts_with(PRELUDE) && without_entry(&func) == func.as_str()
        };
        let calls = report.stack.iter().filter(is_users);
        let mut error = Error::of_kind(kind, report.code, report.message.clone());
        let content = &mut error.0;
        content.span = user_span(report);
        content.stack =
            calls.map(|entry| Call { func: before_contexts(entry.func), span: entry.span }).collect();
        content.limit = report.limit;
        content.help = report.help.clone();
        if kind == ErrorKind::Unsupported {
            content.help = Some(advice(report.help.clone()));
            if let Some(outermost) = report.stack.last() {
                error.0.missing = other_obstacles(&error, before_contexts(outermost.func));
            }
        }
        error.0.source = Some(failure);
        error
    }
}

fn kind_of(kind: FailureKind) -> ErrorKind {
    match kind {
        FailureKind::Load => ErrorKind::Unsupported,
        FailureKind::Host => ErrorKind::Context,
        FailureKind::Type => ErrorKind::Argument,
        FailureKind::StackLimit
        | FailureKind::StepLimit
        | FailureKind::MemoryLimit
        | FailureKind::TimeLimit
        | FailureKind::Cancelled => ErrorKind::Limit,
        FailureKind::Panic
        | FailureKind::Overflow
        | FailureKind::Bounds
        | FailureKind::DivisionByZero
        | FailureKind::Domain
        | FailureKind::Undefined => ErrorKind::Program,
    }
}

/// The obstacles to lowering a function of registered items and its callees, besides the one that an error
/// reports.
fn other_obstacles(error: &Error, outermost: Symbol) -> Vec<Missing> {
    let all = registry::program().lowering().missing_from(outermost);
    let others =
        all.into_iter().filter(|found| found.message != error.message() || found.span != error.span());
    others.map(|found| Missing { message: found.message, span: found.span }).collect()
}
