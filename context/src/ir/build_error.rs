//! Errors of the builder, with their locations.

use super::typing::TypeError;
use crate::{Span, Symbol};

/// The reason why a function cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{cause}")]
pub struct BuildError {
    /// The fault.
    pub cause: Box<BuildFault>,
    /// The function that was being built.
    pub func: Symbol,
    /// The source location.
    pub span: Span,
}

/// The possible faults while building a function.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildFault {
    /// The types do not fit.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// Something was appended while no block was open: none was switched to, or it already has its
    /// terminator.
    #[error("nothing can be appended here: no block is open")]
    NoOpenBlock,
    /// A reachable block has no terminator.
    #[error("block `^{0}` does not end in a terminator")]
    Unterminated(String),
    /// A block was switched to again after its terminator.
    #[error("block `^{0}` already ends in a terminator")]
    Terminated(String),
    /// A variable is used but not defined.
    #[error("`%{0}` is used but nothing defines it")]
    Undefined(String),
    /// A variable is defined twice.
    #[error("`%{0}` is defined twice")]
    DefinedTwice(String),
    /// A variable or block of another function was used.
    #[error("`{0}` does not belong to this function")]
    Foreign(String),
    /// A branch to a block whose predecessors were declared complete.
    #[error("a branch was added to block `^{0}` after it was sealed")]
    Sealed(String),
    /// A constant that is not plain data.
    #[error("a constant is only data, got `{0}`")]
    NotData(String),
}

impl BuildError {
    pub(super) fn new(cause: impl Into<BuildFault>, func: Symbol, span: Span) -> BuildError {
        BuildError { cause: Box::new(cause.into()), func, span }
    }
}
