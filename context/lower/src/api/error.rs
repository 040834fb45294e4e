//! Errors of calls through the typed API.

use std::fmt;

use overdub_context::engine::before_contexts;
use overdub_context::limits::Limit;
use overdub_context::{Code, Failure, FailureKind, Span, StackEntry, Symbol};

use crate::codes;
use crate::loaded::user_span;
use crate::lower::{LowerError, without_entry};
use crate::registry;
use crate::source::PRELUDE;

/// The general advice for a function that cannot be lowered.
const MISSING: &str = "is all that it names annotated with `#[dub]`: functions, constants, `impl` blocks? \
                       `overdub::source!(crate)` does without annotations";

/// The general advice if all functions of a crate are known.
const ADVICE_NOT_LOWERED: &str =
    "compute it outside and pass it as an argument, or say what it means by a rule or a replacement";

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
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.0.source.as_ref()?;
        Some(source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
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
        write!(f, "{} [{}]", self.message(), self.code())?;
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

/// The advice for a function that cannot be lowered.
fn advice(specific: Option<String>) -> String {
    let has_sources = registry::program().program().has_sources();
    let general = || if has_sources { ADVICE_NOT_LOWERED } else { MISSING }.to_owned();
    rebuild_advice().or(specific).unwrap_or_else(general)
}

/// The advice if files are ignored because they changed after the program was built.
fn rebuild_advice() -> Option<String> {
    let files = registry::program().program().changed_files();
    (!files.is_empty())
        .then(|| format!("build again: {} changed after this program was built", files.join(", ")))
}

/// The obstacles to lowering a function of registered items and its callees, besides the one that an error
/// reports.
fn other_obstacles(error: &Error, outermost: Symbol) -> Vec<Missing> {
    let all = registry::program().lowering().missing_from(outermost);
    let others =
        all.into_iter().filter(|found| found.message != error.message() || found.span != error.span());
    others.map(|found| Missing { message: found.message, span: found.span }).collect()
}
