//! The modes under which Rust functions can run: contexts, and modes of other crates that take a function and
//! its arguments.
//!
//! - UNDER1 a context is given the arguments of the function; another mode may be given something else, as long as it
//!   declares the arguments that the function is called with.

use overdub_context::engine::{Context, Engine, Layers};
use overdub_context::value::FromValue;
use overdub_context::{Failure, FailureKind};

use super::{Arguments, Error, Target, TransferredArgs, finish};

/// A mode that accepts `Given` for calls of a function that takes the arguments `Args`, a tuple.
///
/// Most modes have one `Args` for each `Given`. Where there are several, the function determines which: a mode that is given
/// lists may pass their elements by value or by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs no function that is given `{Given}`",
    note = "a context is given the function's arguments as a tuple: `overdub(cx, f, (2.0,))`"
)]
pub trait Takes<Given, Args> {}

/// A mode under which a function that takes `Args` and returns an `R` can be run, given `Given`: a context, or another
/// mode such as differentiation.
///
/// Contexts enclosing it, `(cx, mode)`, are split off by [`Nest`](overdub_context::engine::Nest).
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs no function that is given `{Given}` and returns `{R}`",
    note = "a context is given the function's arguments as a tuple: `overdub(cx, f, (2.0,))`"
)]
pub trait Under<Given, Args, R>: Takes<Given, Args> + Sized {
    /// The type of the result.
    type Of;

    /// Runs the function under enclosing contexts, which see the calls that this mode generates from those of
    /// the function.
    ///
    /// # Errors
    /// If the function panics, or the context refuses it.
    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args: Given,
    ) -> Result<O::Of<Self::Of>, Error>;

    /// Runs the function.
    ///
    /// # Errors
    /// If the function panics, or cannot be specialised for it.
    fn run(self, engine: &Engine, target: &Target, args: Given) -> Result<Self::Of, Error> {
        self.run_in(&(), engine, target, args)
    }
}

impl<C: Context, Args> Takes<Args, Args> for C {}

impl<'a, C: Context, Args: Arguments<'a>, R: FromValue> Under<Args, Args, R> for C {
    type Of = <C as Layers>::Of<R>;

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args: Args,
    ) -> Result<O::Of<Self::Of>, Error> {
        let cx = (enclosing.clone(), self);
        check_no_domain_values(&cx, engine, target)?;
        let TransferredArgs { values, write_backs } = target.transfer(args)?;
        let read = |value| {
            finish(&target.function, value, write_backs)
                .map_err(|error: Error| Failure::new(FailureKind::Host, error.message()))
        };
        Ok(engine.overdub_as(&cx, target.function.symbol, target.values(values), read)?)
    }
}

/// Refuses contexts under which the function takes or returns values of a domain, since Rust's values are
/// plain.
fn check_no_domain_values<L: Layers>(cx: &L, engine: &Engine, target: &Target) -> Result<(), Error> {
    let Some(domain) = cx.domain_name() else { return Ok(()) };
    let symbol = target.function.symbol;
    // A function that the contexts refuse is reported when it runs.
    let prepared = engine.prepare(cx, symbol);
    let Ok(under) = prepared.func() else { return Ok(()) };
    let (Ok(Some(source)), takes) = (engine.module().func(symbol), under.param_tys().collect::<Vec<_>>())
    else {
        return Ok(());
    };
    let source_params: Vec<_> = source.param_tys().collect();
    // The parameters added by contexts come first.
    let takes = &takes[takes.len().saturating_sub(source_params.len())..];
    if *takes == *source_params && under.ret == source.ret {
        return Ok(());
    }
    let message =
        format!("`{symbol}` takes and returns values of the domain `{domain}` here, and is given plain ones");
    let help = "make the arguments values of the domain and run it by an engine: `engine.overdub(&cx, func, values)`";
    Err(Error::new(message).with_help(help))
}
