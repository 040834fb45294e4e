//! The engines that compute derivatives, and the reasons for choosing one.

use std::fmt;

use overdub_context::Span;
use overdub_context::ir::LoadError;

/// The engine that computes a derivative.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Strategy {
    /// Forward mode: each float of the program is a dual number, with a tangent for each direction.
    Duals,
    /// Source transformation: the function is rewritten once, into a forward and a reverse sweep, or, in forward mode, into
    /// one function that computes tangents, too.
    Transformation,
    /// Forward mode by source transformation, applied to the transformed gradient: Hessian-vector products.
    ForwardOverReverse,
    /// Reverse mode by a tape: each run records its operations, float by float.
    Recording {
        /// Why the function cannot be transformed.
        because: String,
        /// The place in the source that prevents it; unknown if it is the function as a whole.
        at: Span,
    },
    /// A tape that records dual numbers: Hessian-vector products.
    RecordingOverDuals {
        /// Why the function cannot be transformed.
        because: String,
        /// The place in the source that prevents it; unknown if it is the function as a whole.
        at: Span,
    },
}

impl Strategy {
    /// The name of the engine.
    pub fn engine(&self) -> &'static str {
        match self {
            Strategy::Duals => "dual numbers",
            Strategy::Transformation => "source transformation",
            Strategy::ForwardOverReverse => "forward over reverse source transformation",
            Strategy::Recording { .. } => "recording",
            Strategy::RecordingOverDuals { .. } => "recording over dual numbers",
        }
    }

    /// Why this engine was chosen and not another.
    pub fn reason(&self) -> &str {
        match self {
            Strategy::Duals => "a few directions cost less forward than a reverse sweep does",
            Strategy::Transformation => "the function can be transformed, which costs less than a tape",
            Strategy::ForwardOverReverse => "the gradient can be transformed, which costs less than a tape",
            Strategy::Recording { because, .. } | Strategy::RecordingOverDuals { because, .. } => because,
        }
    }

    /// The place in the source that kept a faster engine from being chosen; unknown if nothing did.
    pub fn obstacle(&self) -> Span {
        match self {
            Strategy::Recording { at, .. } | Strategy::RecordingOverDuals { at, .. } => *at,
            Strategy::Duals | Strategy::Transformation | Strategy::ForwardOverReverse => Span::unknown(),
        }
    }

    /// A tape, because the transformation was refused.
    pub(crate) fn recording(refusal: LoadError) -> Strategy {
        Strategy::Recording { because: refusal.message, at: refusal.span }
    }

    /// A tape over dual numbers, because a transformation was refused.
    pub(crate) fn recording_over_duals(refusal: LoadError) -> Strategy {
        Strategy::RecordingOverDuals { because: refusal.message, at: refusal.span }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.engine())?;
        match self {
            Strategy::Recording { because, at } | Strategy::RecordingOverDuals { because, at } => {
                write!(f, ", since {because}")?;
                if at.is_known() { write!(f, " ({at})") } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}
