//! The errors of the debugger.

use overdub_lower::{FunctionError, ResolveError};
use thiserror::Error;

/// Why a command was not carried out; the session is unchanged.
#[derive(Clone, Debug, Error)]
pub enum DebugError {
    /// The source cannot be loaded.
    #[error("{0}")]
    Source(#[from] ResolveError),
    /// There is no such function.
    #[error("{0}")]
    Function(#[from] FunctionError),
    /// There is no line with code at the place or after it.
    #[error("no code at or after {file}:{line}")]
    NoCode {
        /// The file.
        file: String,
        /// The line.
        line: u32,
    },
    /// No function of this name is reached from the one that is debugged.
    #[error("no function `{0}` is called by what is debugged")]
    NoFunction(String),
    /// The run has ended.
    #[error("the run has ended; go back with `back` or `reverse-continue`")]
    Ended,
    /// There is no interrupted command that could be continued.
    #[error("no command was interrupted here")]
    NotInterrupted,
    /// The command was interrupted before it was done.
    #[error("it was interrupted")]
    Interrupted,
    /// There is no such open call.
    #[error("there is no frame {0}")]
    NoFrame(usize),
    /// There is no such breakpoint.
    #[error("there is no breakpoint {0}")]
    NoBreakpoint(usize),
    /// No variable of this name has a value here.
    #[error("no variable `{0}` has a value here")]
    NoVariable(String),
    /// The closure captures only some parts of this variable.
    #[error("the closure does not capture all of `{name}`, but {parts}")]
    OnlyParts {
        /// The name of the variable.
        name: String,
        /// The names of the captured parts.
        parts: String,
    },
    /// An expression cannot be parsed, or does not fit its place.
    #[error("{0}")]
    Expression(String),
    /// An expression failed when it was evaluated.
    #[error("the expression failed: {0}")]
    Failed(String),
    /// A variable cannot be changed.
    #[error("`{0}` cannot be changed here: it is a part of a value that has no place of its own")]
    NotAPlace(String),
    /// The history has no room for a change.
    #[error(
        "the history has no room for this change: it would take {bytes} bytes, the limit is {limit}; give it more \
         (`--history`), or change a smaller part"
    )]
    HistoryFull {
        /// The bytes that permanent snapshots and changes would take.
        bytes: usize,
        /// The limit of the history.
        limit: usize,
    },
    /// A variable was moved since the start of the statement.
    #[error(
        "`{0}` was moved by the statement that is open, as into its call; change it before that, or in the call"
    )]
    Moved(String),
    /// Variables cannot be changed while a derivative is computed.
    #[error("nothing can be changed while a derivative is debugged; debug the function without it")]
    Differentiated,
    /// The moment has not been reached.
    #[error("the moment {0} was not reached yet; the last one is {1}")]
    NoMoment(u64, u64),
    /// There is no such command.
    #[error("{0}")]
    Usage(String),
}
