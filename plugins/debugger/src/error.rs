//! What a debugger refuses, and why.

use overdub_lower::{FunctionError, ResolveError};
use thiserror::Error;

/// Why a command could not be carried out; the session is as it was.
#[derive(Clone, Debug, Error)]
pub enum DebugError {
    /// The source cannot be loaded.
    #[error("{0}")]
    Source(#[from] ResolveError),
    /// There is no such function.
    #[error("{0}")]
    Function(#[from] FunctionError),
    /// No line with code is at a place or after it.
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
    /// No command was interrupted that could be gone on with.
    #[error("no command was interrupted here")]
    NotInterrupted,
    /// It was told to pause before it was done.
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
    /// An expression cannot be read, or does not fit its place.
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
        /// What snapshots and changes that cannot be given up would take.
        bytes: usize,
        /// What the history may take.
        limit: usize,
    },
    /// A variable was moved since the statement began.
    #[error(
        "`{0}` was moved by the statement that is open, as into its call; change it before that, or in the call"
    )]
    Moved(String),
    /// Nothing can be changed while a derivative is computed.
    #[error("nothing can be changed while a derivative is debugged; debug the function without it")]
    Differentiated,
    /// The moment was never reached.
    #[error("the moment {0} was not reached yet; the last one is {1}")]
    NoMoment(u64, u64),
    /// A command that nobody knows.
    #[error("{0}")]
    Usage(String),
}
