//! Which of the two reverse modes a function's derivatives are found by.
//!
//! - S1 the transformation comes first: it costs a few times what the function does. Where it does not go, or the
//!   program fails, the run is recorded: that goes everywhere, and says how the program itself fails.

use std::fmt;

use overdub_context::Span;
use overdub_context::ir::LoadError;
use overdub_lower::api::Target;

use super::engine::engine;
use crate::augment::is_float;
use crate::transform::reverse::Transformed;

/// Which of the two reverse modes a function's derivatives are found by.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Strategy {
    /// The function is rewritten, once, into one that takes its own way back.
    Transformation,
    /// Each run is recorded, number by number.
    Recording {
        /// Why the function could not be rewritten, and where in it.
        because: String,
    },
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Transformation => f.write_str("source transformation"),
            Strategy::Recording { because } => write!(f, "recording, since {because}"),
        }
    }
}

impl Strategy {
    pub(super) fn of(made: &Result<Transformed, LoadError>) -> Strategy {
        match made {
            Ok(_) => Strategy::Transformation,
            Err(error) if error.span.is_known() => {
                Strategy::Recording { because: format!("{} ({})", error.message, error.span) }
            }
            Err(error) => Strategy::Recording { because: error.message.clone() },
        }
    }
}

/// A function rewritten for its gradient in what it takes, K3 what it captured excepted; its arguments alone are asked
/// about, by number.
pub(super) fn gradient_of(target: &Target, wrt: &dyn Fn(usize) -> bool) -> Result<Transformed, LoadError> {
    let (function, captures) = (&target.function, target.captures.len());
    if !is_float(function.ir_ret) {
        let message = format!("it returns `{}`, which is no float", function.ir_ret);
        return Err(LoadError { message, span: Span::unknown(), help: None });
    }
    let wrt = |at: usize| at.checked_sub(captures).is_some_and(wrt);
    Transformed::gradient(engine(), function.symbol, &wrt)
}
