//! The mismatches that a check can find.

use overdub_context::Code;
use overdub_context::limits::Limit;
use overdub_lower::api::Error;
use thiserror::Error as ThisError;

use super::{Estimate, Slope};
use crate::codes;

/// What is wrong with a derivative.
#[derive(Clone, Debug, ThisError)]
pub enum Mismatch {
    /// There is no derivative at a point where the function has a value.
    #[error("no derivative: {}", without_code(.0))]
    None(Error),
    /// A run hit a limit before there was anything to compare.
    #[error("not checked: {}", without_code(.0))]
    Stopped(Error),
    /// The function panics but its derivative does not.
    #[error("the function fails ({0}), its derivative does not")]
    NoFailure(Error),
    /// The function returns a different value under differentiation.
    #[error("the value is {expected}, with its derivative it is {differentiated}")]
    Value {
        /// The value that the primal function returns.
        expected: f64,
        /// The value that it returns under differentiation.
        differentiated: f64,
    },
    /// The function as compiled by rustc returns a different value.
    #[error("overdub's run returns {run}, the compiled function {compiled}")]
    Compiled {
        /// The value that overdub's run returns.
        run: f64,
        /// The value that Rust's own call returns.
        compiled: f64,
    },
    /// The derivative disagrees with differences of the function.
    #[error("in `{place}` the derivative is {derivative}, {}", shown(.slope))]
    Differences {
        /// The float with respect to which the derivative was taken.
        place: String,
        /// The derivative.
        derivative: f64,
        /// The slope by differences.
        slope: Slope,
    },
    /// Forward and reverse mode disagree along a direction.
    #[error("along a direction reverse mode says {reverse}, forward mode {forward}")]
    Modes {
        /// The product of the gradient with the direction.
        reverse: f64,
        /// The tangent along the direction, by forward mode.
        forward: f64,
    },
    /// The tape and the reverse transformation disagree.
    #[error("in `{place}` recording gives {recorded}, the source transformation {transformed}")]
    Engines {
        /// The float with respect to which the derivative was taken.
        place: String,
        /// The derivative by the tape.
        recorded: f64,
        /// The derivative by the transformation.
        transformed: f64,
    },
    /// A second call of a pullback differs from the first.
    #[error("in `{place}` the pullback gives {first}, and then {second} for the same cotangent")]
    Repeats {
        /// The float with respect to which the derivative was taken.
        place: String,
        /// The result of the first call.
        first: f64,
        /// The result of the second call.
        second: f64,
    },
    /// The pullback is not linear.
    #[error("in `{place}` the pullback gives {once}, and {twice} for twice the cotangent")]
    Linear {
        /// The float with respect to which the derivative was taken.
        place: String,
        /// The result for the cotangent.
        once: f64,
        /// The result for twice the cotangent.
        twice: f64,
    },
    /// The number of allocations of a pullback differs between calls.
    #[error("the pullback allocates {first} times, and then {second} times for the same cotangent")]
    Allocates {
        /// The number of allocations of the first call.
        first: usize,
        /// The number of allocations of the second call.
        second: usize,
    },
    /// All inputs were skipped.
    #[error("nothing was compared in {cases} cases: {reason}")]
    Nothing {
        /// The number of inputs.
        cases: usize,
        /// Why the first was skipped.
        reason: String,
    },
}

impl Mismatch {
    /// The code, by which documentation refers to it.
    pub fn code(&self) -> Code {
        match self {
            Mismatch::None(error) | Mismatch::Stopped(error) => error.code(),
            Mismatch::Nothing { .. } => codes::NOTHING_COMPARED,
            Mismatch::Compiled { .. } => codes::COMPILED_DIFFERS,
            Mismatch::NoFailure(_)
            | Mismatch::Value { .. }
            | Mismatch::Differences { .. }
            | Mismatch::Modes { .. }
            | Mismatch::Engines { .. }
            | Mismatch::Repeats { .. }
            | Mismatch::Linear { .. }
            | Mismatch::Allocates { .. } => codes::WRONG_DERIVATIVE,
        }
    }

    /// The limit that stopped a run, if that is the mismatch.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Mismatch::Stopped(error) | Mismatch::None(error) => error.limit(),
            _ => None,
        }
    }
}

/// The error with its place and advice; its code is that of the mismatch.
fn without_code(error: &Error) -> String {
    error.to_string().replacen(&format!(" [{}]", error.code()), "", 1)
}

fn shown(slope: &Slope) -> String {
    let estimate = |Estimate { slope, error }: &Estimate| format!("{slope} (give or take {error:.1e})");
    match slope {
        Slope::Smooth(both) => format!("differences say {}", estimate(both)),
        Slope::Kink { left, right } => {
            format!("differences say {} on the left, {} on the right", estimate(left), estimate(right))
        }
        Slope::Unsettled(both) => format!("differences do not settle: {}", estimate(both)),
    }
}
