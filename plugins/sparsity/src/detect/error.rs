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
    /// There are no floats to differentiate with respect to.
    #[error("the arguments hold no float")]
    NoInputs,
    /// There are no floats to differentiate.
    #[error("the result holds no float")]
    NoOutputs,
    /// A Hessian requires a function that returns one float.
    #[error("the second derivatives are those of one float, but the result holds {outputs}")]
    NotScalar {
        /// The number of floats in the result.
        outputs: usize,
    },
    /// The number of floats in the result depends on the inputs, so no pattern holds for every input.
    #[error(
        "the length of the result depends on the values of the arguments: there is no pattern for all of them"
    )]
    UnknownShape,
    /// A local pattern is requested at a NaN, which is not a point.
    #[error("input {input} is NaN")]
    NaN {
        /// The index of the input.
        input: usize,
    },
    /// A construct that the analysis has no rule for.
    #[error("{what} at {span}: the pattern cannot be found")]
    Unsupported {
        /// The name of the construct.
        what: String,
        /// Its place in the source.
        span: Span,
    },
    /// The analysis takes more memory than is allowed.
    #[error("the analysis has more than {nodes} sets and floats to keep")]
    TooLarge {
        /// The greatest number of sets and floats.
        nodes: usize,
    },
    /// More `f32` values depend on inputs in different ways than an `f32` has bits to number.
    #[error("more than {} different `f32` depend on the inputs; compute with `f64`", super::floats::MAX_F32)]
    TooManySingles,
    /// The pattern itself is invalid.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl DetectError {
    /// The failure of the program, if that is the reason: it has a source line.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            DetectError::Program(failure) => Some(failure),
            _ => None,
        }
    }
}
