//! Why a pattern cannot be found.

use overdub_context::{Failure, Span};

use crate::PatternError;

/// Why a pattern cannot be found.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// The program fails at these arguments, or cannot be loaded.
    #[error("{0}")]
    Program(Failure),
    /// There is nothing to differentiate in.
    #[error("the arguments hold no float")]
    NoInputs,
    /// There is nothing to differentiate.
    #[error("the result holds no float")]
    NoOutputs,
    /// A Hessian is that of a function that returns one float.
    #[error("the second derivatives are those of one float, but the result holds {outputs}")]
    NotScalar {
        /// The number of floats in the result.
        outputs: usize,
    },
    /// The number of floats in the result depends on the inputs, so there is no pattern for every input.
    #[error(
        "the length of the result depends on the values of the arguments: there is no pattern for all of them"
    )]
    UnknownShape,
    /// A local pattern is that at a point, and this is none.
    #[error("input {input} is NaN")]
    NaN {
        /// The number of the input.
        input: usize,
    },
    /// A construct that the analysis has no rule for.
    #[error("{what} at {span}: the pattern cannot be found")]
    Unsupported {
        /// What it is.
        what: String,
        /// Where.
        span: Span,
    },
    /// The analysis takes more memory than it may.
    #[error("the analysis has more than {nodes} sets and floats to keep")]
    TooLarge {
        /// The greatest number of sets and floats.
        nodes: usize,
    },
    /// More `f32` depend on inputs in different ways than an `f32` has bits to number.
    #[error("more than {} different `f32` depend on the inputs; compute with `f64`", super::floats::MAX_F32)]
    TooManySingles,
    /// The pattern itself cannot be made.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl DetectError {
    /// The failure of the program, if that is what stands in the way: it has the line of source.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            DetectError::Program(failure) => Some(failure),
            _ => None,
        }
    }
}
