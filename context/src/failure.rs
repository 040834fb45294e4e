//! Failures of running programs: the message, the location, and the call stack.

use std::fmt;

use crate::limits::Limit;
use crate::{Code, Span, Symbol, codes};

/// A failure of a running program.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(Box<Report>);

/// The contents of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// The code, by which documentation refers to it.
    pub code: Code,
    /// The message, worded like Rust's own where there is one.
    pub message: String,
    /// The source location of the instruction that failed.
    pub span: Span,
    /// The active functions, the innermost first, each with its current location.
    pub stack: Vec<StackEntry>,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// The limit of the run that was hit, if one was.
    pub limit: Option<Limit>,
}

/// A function that was active when a failure happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// The function.
    pub func: Symbol,
    /// The current location: the failing instruction, or the call to the preceding entry.
    pub span: Span,
}

/// The kinds of failures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FailureKind {
    /// Raised by the program: `panic!`, `unwrap` on `None`, an assertion.
    Panic,
    /// Integer overflow.
    Overflow,
    /// An index or range that is not within the array.
    Bounds,
    /// Division or remainder by zero.
    DivisionByZero,
    /// Another operand that the operation is not defined for.
    Domain,
    /// The limit of the call stack.
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
    /// The program's `unsafe` code had undefined behaviour.
    Undefined,
    /// A value had a type other than declared in the IR: the IR was not verified.
    Type,
}

impl FailureKind {
    /// The code of failures of this kind that have no more specific one.
    pub fn code(self) -> Code {
        match self {
            FailureKind::Panic => codes::PANIC,
            FailureKind::Overflow => codes::OVERFLOW,
            FailureKind::Bounds => codes::BOUNDS,
            FailureKind::DivisionByZero => codes::DIVISION,
            FailureKind::Domain => codes::DOMAIN,
            FailureKind::StackLimit => codes::STACK_LIMIT,
            FailureKind::StepLimit => codes::STEP_LIMIT,
            FailureKind::MemoryLimit => codes::MEMORY_LIMIT,
            FailureKind::TimeLimit => codes::TIME_LIMIT,
            FailureKind::Cancelled => codes::CANCELLED,
            FailureKind::Load => codes::MISSING,
            FailureKind::Host => codes::HOST,
            FailureKind::Undefined => codes::UNDEFINED,
            FailureKind::Type => codes::TYPE,
        }
    }
}

impl Failure {
    /// A failure whose location is filled in by the machine.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        let message = message.into();
        let (span, stack) = (Span::unknown(), Vec::new());
        Failure(Box::new(Report { kind, code: kind.code(), message, span, stack, help: None, limit: None }))
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

    /// The contents of the failure.
    pub fn report(&self) -> &Report {
        &self.0
    }

    /// The kind of the failure.
    pub fn kind(&self) -> FailureKind {
        self.0.kind
    }

    /// The code, by which documentation refers to it.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The limit of the run that was hit, if one was.
    pub fn limit(&self) -> Option<Limit> {
        self.0.limit
    }

    /// The failure with this location, unless it already has one.
    #[must_use]
    pub fn at(mut self, span: Span) -> Failure {
        if !self.0.span.is_known() {
            self.0.span = span.as_written();
        }
        self
    }

    /// The failure with a more specific code than that of its kind.
    #[must_use]
    pub fn coded(mut self, code: Code) -> Failure {
        self.0.code = code;
        self
    }

    /// The failure with advice.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Failure {
        self.0.help = help;
        self
    }

    /// The failure after unwinding through a call in `func` at `span`.
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
