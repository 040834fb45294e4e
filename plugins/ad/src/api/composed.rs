//! Derivatives of functions under contexts: `overdub((mode, cx), f, args)`.
//!
//! - COMPOSED1 the inner contexts are around the function alone: the derivative is that of the function under them.
//!   Their handles come before its arguments, and hold no floats.
//! - COMPOSED2 the outer contexts see the calls of the derivative, including those of a pullback called
//!   later: their metadata are those at the end of the run that made the pullback.

use overdub_context::engine::{Engine, Layers, Nest, Outermost};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lower::api::{Error, Takes, Target};

use super::{Batched, Forward, Limited, Reverse, WithMemory};

/// A mode of differentiation, applied around contexts.
#[derive(Clone, Copy, Debug)]
pub struct Composed<M, B> {
    pub(super) mode: M,
    pub(super) inner: B,
}

/// What a mode of differentiation `M` can be around: contexts, and layers of other crates that have derivatives of their own.
#[diagnostic::on_unimplemented(
    message = "`{M}` runs no function under `{Self}`",
    note = "several contexts are nested as pairs, the outermost first: `(outer, inner)`, `(outer, (next, inner))`"
)]
pub trait InsideMode<M> {
    /// The core of both.
    type Core;

    /// The mode around these layers.
    fn inside(self, mode: M) -> Self::Core;
}

impl<M, B: Layers> InsideMode<M> for B {
    type Core = Composed<M, B>;

    fn inside(self, mode: M) -> Composed<M, B> {
        Composed { mode, inner: self }
    }
}

macro_rules! nested {
    ($($mode:ty),*) => {$(
        impl Nest for $mode {
            type Enclosing = ();
            type Core = $mode;

            fn split(self) -> ((), $mode) {
                ((), self)
            }
        }

        impl<B: InsideMode<$mode>> Outermost<B> for $mode {
            type Enclosing = ();
            type Core = B::Core;

            fn split_with(self, inner: B) -> ((), B::Core) {
                ((), inner.inside(self))
            }
        }
    )*};
}

nested!(Reverse, Limited, WithMemory, Forward, Batched);

impl<M: Takes<Given, Args>, B, Given, Args> Takes<Given, Args> for Composed<M, B> {}

/// A function under its inner contexts, before it runs.
pub(super) struct Inner<'i, B: Layers> {
    inner: &'i B,
    engine: &'i Engine,
    specialized: B::Specialized,
    /// The function that is differentiated.
    pub(super) func: Symbol,
}

impl<'i, B: Layers> Inner<'i, B> {
    pub(super) fn of(inner: &'i B, engine: &'i Engine, target: &Target) -> Inner<'i, B> {
        let (func, specialized) = inner.specialize(engine, target.function.symbol);
        Inner { inner, engine, specialized, func }
    }

    /// Begins a run: prepends the handles to the arguments.
    pub(super) fn open(&self, args: Vec<Value<'static>>) -> (Vec<Value<'static>>, B::Open) {
        self.inner.open(&self.specialized, args)
    }

    /// Ends a run.
    pub(super) fn close<R>(
        &self,
        open: B::Open,
        value: Value<'static>,
        read: impl FnOnce(Value<'static>) -> Result<R, Error>,
    ) -> Result<B::Of<R>, Failure> {
        self.inner.close(open, self.engine, value, |value| read(value).map_err(failed))
    }
}

/// An error of the typed interface, converted to a failure of an engine.
pub(super) fn failed(error: Error) -> Failure {
    Failure::new(FailureKind::Host, error.message()).with_help(error.help().map(str::to_owned))
}
