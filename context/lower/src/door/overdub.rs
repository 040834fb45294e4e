//! Running a function of Rust under a context.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, Layers};
use overdub_context::value::FromValue;
use overdub_context::{Failure, FailureKind};

use super::run::{check, finish};
use super::{Arguments, Callable, Error, Handed};
use crate::registry;

/// The engine of the program of all that is registered in this process, run by the interpreter.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| registry::program().engine())
}

/// Runs a function under a context, or under contexts in each other: `(outer, inner)`. The context decides what that
/// gives.
///
/// # Errors
/// Where the function panics, a hook fails, or a function cannot be had under the context.
pub fn overdub<'a, L, F, Args>(cx: L, func: F, args: Args) -> Result<L::Of<F::Output>, Error>
where
    L: Layers,
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    overdub_in(engine(), &cx, func, args)
}

/// Runs a function under a context in an engine of [`registry::program`]'s module.
///
/// # Errors
/// As [`overdub`].
pub fn overdub_in<'a, L, F, Args>(
    engine: &Engine,
    cx: &L,
    func: F,
    args: Args,
) -> Result<L::Of<F::Output>, Error>
where
    L: Layers,
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?;
    let Handed { values, homes } = args.hand_over();
    check(&target.function.params, &values)?;
    let read = |value| {
        finish(&target.function, value, homes)
            .map_err(|error: Error| Failure::new(FailureKind::Host, error.message()))
    };
    Ok(engine.overdub_as(cx, target.function.symbol, target.values(values), read)?)
}
