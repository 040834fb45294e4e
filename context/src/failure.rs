//! How a running program fails: what happened, where, and the call stack.

use std::fmt;

use crate::limits::Limit;
use crate::{Span, Symbol};

/// A failure of a running program.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(Box<Report>);

/// What a failure says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What kind it is.
    pub kind: FailureKind,
    /// What happened, as Rust's own message has it where there is one.
    pub message: String,
    /// The place of the instruction that failed.
    pub span: Span,
    /// The functions that were running, the innermost first, each with the place where it was.
    pub stack: Vec<StackEntry>,
    /// What to do about it, where that is known.
    pub help: Option<String>,
    /// The limit of the run that was hit, if one was.
    pub limit: Option<Limit>,
}

/// A function that was running when a failure happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// The function.
    pub func: Symbol,
    /// Where it was: the failing instruction, or the call to the entry before.
    pub span: Span,
}

/// The kinds of failures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureKind {
    /// The program said so: `panic!`, `unwrap` on `None`, an assertion.
    Panic,
    /// Integer overflow.
    Overflow,
    /// An index or range that does not lie in the array.
    Bounds,
    /// Division or remainder by zero.
    DivisionByZero,
    /// Another operand that the operation is not defined for.
    Domain,
    /// The call stack's limit.
    StackLimit,
    /// The limit of steps.
    StepLimit,
    /// The memory limit.
    MemoryLimit,
    /// The limit of time.
    TimeLimit,
    /// The run was cancelled.
    Cancelled,
    /// A called function cannot be loaded.
    Load,
    /// A host function failed.
    Host,
    /// The program's `unsafe` code did what Rust calls undefined behaviour.
    Undefined,
    /// A value had another type than the IR says: the IR was not verified.
    Type,
}

impl Failure {
    /// A failure at a place that the machine fills in.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        let message = message.into();
        let (span, stack) = (Span::unknown(), Vec::new());
        Failure(Box::new(Report { kind, message, span, stack, help: None, limit: None }))
    }

    /// The failure of a run that hit a limit.
    #[cold]
    pub fn of_limit(limit: Limit) -> Failure {
        let kind = match limit {
            Limit::Time(_) => FailureKind::TimeLimit,
            Limit::Memory(_) => FailureKind::MemoryLimit,
            Limit::Steps(_) => FailureKind::StepLimit,
            Limit::Depth(_) | Limit::Callbacks(_) => FailureKind::StackLimit,
            Limit::Cancelled => FailureKind::Cancelled,
        };
        let mut failure = Failure::new(kind, limit.to_string());
        failure.0.limit = Some(limit);
        failure
    }

    /// What it says.
    pub fn report(&self) -> &Report {
        &self.0
    }

    /// Its kind.
    pub fn kind(&self) -> FailureKind {
        self.0.kind
    }

    /// The limit of the run that was hit, if that is what happened.
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit
    }

    /// The same failure in this place, unless it has one.
    #[must_use]
    pub fn at(mut self, span: Span) -> Failure {
        if !self.0.span.is_known() {
            self.0.span = span.as_written();
        }
        self
    }

    /// The same failure with advice.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Failure {
        self.0.help = help;
        self
    }

    /// The same failure, having passed through a call in `func` at `span`.
    #[must_use]
    pub fn through(mut self, func: Symbol, span: Span) -> Failure {
        self.0.stack.push(StackEntry { func, span });
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if self.0.span.is_known() {
            write!(f, " at {}", self.0.span)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Failure {}
