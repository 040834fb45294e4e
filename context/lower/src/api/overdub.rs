//! Runs a Rust function under a context.

use std::sync::OnceLock;

use overdub_context::engine::{Engine, EngineBuilder, Layers, Nest};

use super::{Callable, Error, Takes, Under};
use crate::registry;

/// The innermost of nested contexts.
type Core<L> = <L as Nest>::Core;

/// The return type of `F`.
type Returned<F, Args> = <F as Callable<Args>>::Output;

/// The type of the result of running `F` under `L`.
type Output<L, F, Given, Args> =
    <<L as Nest>::Enclosing as Layers>::Of<<Core<L> as Under<Given, Args, Returned<F, Args>>>::Of>;

/// The executor that replaces the interpreter for registered functions of this process. A crate that links a
/// backend submits it by `inventory`; if there are several, an arbitrary one is used.
#[derive(Clone, Copy, Debug)]
pub struct Backend(pub fn(EngineBuilder) -> EngineBuilder);

inventory::collect!(Backend);

impl Backend {
    /// The backend that is linked in, if there is one.
    pub fn chosen() -> Option<&'static Backend> {
        inventory::iter::<Backend>.into_iter().next()
    }
}

/// The engine for all registered items of this process, run by the linked backend, or by the interpreter if
/// there is none.
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

/// Runs a function under a context, or under nested contexts: `(outer, inner)`, `(outer, (next, inner))`,
/// possibly with modes such as differentiation. The context determines the result.
///
/// # Errors
/// If the function panics, a hook fails, or a function cannot be specialised for the context.
pub fn overdub<L, F, Given, Args>(cx: L, func: F, args: Given) -> Result<Output<L, F, Given, Args>, Error>
where
    L: Nest,
    L::Core: Takes<Given, Args>,
    F: Callable<Args>,
    L::Core: Under<Given, Args, Returned<F, Args>>,
{
    overdub_in(engine(), cx, func, args)
}

/// Runs a function under a context in an engine of [`registry::program`]'s module.
///
/// # Errors
/// As for [`overdub`].
pub fn overdub_in<L, F, Given, Args>(
    engine: &Engine,
    cx: L,
    func: F,
    args: Given,
) -> Result<Output<L, F, Given, Args>, Error>
where
    L: Nest,
    L::Core: Takes<Given, Args>,
    F: Callable<Args>,
    L::Core: Under<Given, Args, Returned<F, Args>>,
{
    let (enclosing, core) = cx.split();
    core.run_in(&enclosing, engine, &func.target()?.in_engine(engine), args)
}
