//! Running a function of Rust under a context.

use std::sync::OnceLock;

use overdub_context::engine::Engine;

use super::{Callable, Error, Takes, Under};
use crate::registry;

/// What `F` returns, called with what `L` makes of `Given`.
type Returned<L, F, Given> = <F as Callable<<L as Takes<Given>>::Args>>::Output;

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
pub fn overdub<L, F, Given>(cx: L, func: F, given: Given) -> Result<L::Of, Error>
where
    F: Callable<<L as Takes<Given>>::Args>,
    L: Takes<Given> + Under<Given, Returned<L, F, Given>>,
{
    overdub_in(engine(), cx, func, given)
}

/// Runs a function under a context in an engine of [`registry::program`]'s module.
///
/// # Errors
/// As [`overdub`].
pub fn overdub_in<L, F, Given>(engine: &Engine, cx: L, func: F, given: Given) -> Result<L::Of, Error>
where
    F: Callable<<L as Takes<Given>>::Args>,
    L: Takes<Given> + Under<Given, Returned<L, F, Given>>,
{
    cx.run(engine, &func.target()?, given)
}
