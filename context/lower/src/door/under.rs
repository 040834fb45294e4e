//! What functions of Rust run under: contexts, and whatever else takes a function and what it is given.
//!
//! - U1 a context is given the arguments of the function; something else may be given more, as long as it says which
//!   part of that the arguments are.

use overdub_context::engine::{Engine, Layers};
use overdub_context::value::FromValue;
use overdub_context::{Failure, FailureKind};

use super::{Arguments, Error, Handed, Target, finish};

/// What takes `Given` for a call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs no function that is given `{Given}`",
    note = "a context is given the function's arguments as a tuple: `overdub(cx, f, (2.0,))`"
)]
pub trait Takes<Given> {
    /// The arguments of the function, a tuple.
    type Args;
}

/// What a function that returns an `R` can be run under, given `Given`.
pub trait Under<Given, R>: Takes<Given> {
    /// What the run gives.
    type Of;

    /// Runs it.
    ///
    /// # Errors
    /// Where the function panics, or cannot be had under this.
    fn run(self, engine: &Engine, target: &Target, given: Given) -> Result<Self::Of, Error>;
}

impl<L: Layers, Args> Takes<Args> for L {
    type Args = Args;
}

impl<'a, L: Layers, Args: Arguments<'a>, R: FromValue> Under<Args, R> for L {
    type Of = L::Of<R>;

    fn run(self, engine: &Engine, target: &Target, given: Args) -> Result<L::Of<R>, Error> {
        let Handed { values, homes } = target.hand_over(given)?;
        let read = |value| {
            finish(&target.function, value, homes)
                .map_err(|error: Error| Failure::new(FailureKind::Host, error.message()))
        };
        Ok(engine.overdub_as(&self, target.function.symbol, target.values(values), read)?)
    }
}
