//! Why a sparse derivative cannot be computed.

use overdub_context::{Failure, Span, Symbol};

use crate::DetectError;
use crate::coloring::{ColoringError, InvalidColoring};

/// Why a sparse derivative cannot be computed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// Its pattern cannot be found.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The pattern cannot be colored.
    #[error(transparent)]
    Coloring(#[from] ColoringError),
    /// A given coloring does not fit the pattern.
    #[error(transparent)]
    Invalid(#[from] InvalidColoring),
    /// The program fails, or has no derivative.
    #[error("{0}")]
    Program(Failure),
    /// The arguments or the result have another number of floats than those for which the pattern was found.
    #[error("the {what} hold {got} floats, but the pattern was found for {expected}")]
    Shape {
        /// `arguments`, `results` or `values`.
        what: &'static str,
        /// The number given.
        got: usize,
        /// The expected number.
        expected: usize,
    },
    /// The Hessian of a Lagrangian is requested without a weight for each float that the function returns.
    #[error(
        "the Hessian of a Lagrangian takes {expected} weights, got {got}; `evaluate_weighted` is given them"
    )]
    Weights {
        /// The number given.
        got: usize,
        /// The number of floats that the function returns.
        expected: usize,
    },
    /// A coloring of both rows and columns was given.
    #[error(
        "a coloring of both rows and columns is for products of either kind; color columns or rows alone"
    )]
    BothSides,
    /// A pattern that was found at another input does not hold at this one.
    #[error(
        "entry ({row}, {col}), made at {span}, is not in the pattern, which was found at another input of `{func}`; \
         prepare it with a global pattern, or again at this input"
    )]
    Outside {
        /// The row of the entry.
        row: usize,
        /// Its column.
        col: usize,
        /// The function.
        func: Symbol,
        /// The statement that computed the entry; the function if the entry is an input, unchanged.
        span: Span,
    },
}

impl SparseError {
    /// The place in the source that is the obstacle, if it is known.
    pub fn span(&self) -> Span {
        match self {
            SparseError::Outside { span, .. }
            | SparseError::Detect(DetectError::Unsupported { span, .. }) => *span,
            SparseError::Program(failure) | SparseError::Detect(DetectError::Program(failure)) => {
                failure.report().span
            }
            _ => Span::unknown(),
        }
    }
}

pub(crate) fn expect(what: &'static str, got: usize, expected: usize) -> Result<(), SparseError> {
    if got == expected { Ok(()) } else { Err(SparseError::Shape { what, got, expected }) }
}
