//! Running a function of Rust under a context.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, EngineBuilder, Layers, Nest};

use super::{Callable, Error, Takes, Under};
use crate::registry;

/// The innermost of contexts in each other.
type Core<L> = <L as Nest>::Core;

/// The arguments that `Given` holds for a function under `L`.
type Args<L, Given> = <Core<L> as Takes<Given>>::Args;

/// What `F` returns, called with what `L` makes of `Given`.
type Returned<L, F, Given> = <F as Callable<Args<L, Given>>>::Output;

/// What `F` gives under `L`.
type Output<L, F, Given> =
    <<L as Nest>::Around as Layers>::Of<<Core<L> as Under<Given, Returned<L, F, Given>>>::Of>;

/// The executor that replaces the interpreter for registered functions of this process. A crate that links a backend
/// submits it by `inventory`; of several, one is taken.
#[derive(Clone, Copy, Debug)]
pub struct Backend(pub fn(EngineBuilder) -> EngineBuilder);

inventory::collect!(Backend);

impl Backend {
    /// The backend that is linked in, if one is.
    pub fn chosen() -> Option<&'static Backend> {
        inventory::iter::<Backend>.into_iter().next()
    }
}

/// The engine of the program of all that is registered in this process, run by the backend that is linked in, else by
/// the interpreter.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let builder = registry::program().engine_builder();
        match Backend::chosen() {
            Some(Backend(backed)) => backed(builder).build(),
            None => builder.build(),
        }
    })
}

/// Runs a function under a context, or under contexts in each other: `(outer, inner)`, `(outer, (next, inner))`, modes
/// such as differentiations among them. The context decides what that gives.
///
/// # Errors
/// If the function panics, a hook fails, or a function cannot be specialised for the context.
pub fn overdub<L, F, Given>(cx: L, func: F, given: Given) -> Result<Output<L, F, Given>, Error>
where
    L: Nest,
    L::Core: Takes<Given>,
    F: Callable<Args<L, Given>>,
    L::Core: Under<Given, Returned<L, F, Given>>,
{
    overdub_in(engine(), cx, func, given)
}

/// Runs a function under a context in an engine of [`registry::program`]'s module.
///
/// # Errors
/// As for [`overdub`].
pub fn overdub_in<L, F, Given>(
    engine: &Engine,
    cx: L,
    func: F,
    given: Given,
) -> Result<Output<L, F, Given>, Error>
where
    L: Nest,
    L::Core: Takes<Given>,
    F: Callable<Args<L, Given>>,
    L::Core: Under<Given, Returned<L, F, Given>>,
{
    let (around, core) = cx.split();
    core.run_in(&around, engine, &func.target()?.in_engine(engine), given)
}
