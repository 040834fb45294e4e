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

macro_rules! nested {
    ($($mode:ty),*) => {$(
        impl Nest for $mode {
            type Enclosing = ();
            type Core = $mode;

            fn split(self) -> ((), $mode) {
                ((), self)
            }
        }

        impl<B: Layers> Outermost<B> for $mode {
            type Enclosing = ();
            type Core = Composed<$mode, B>;

            fn split_with(self, inner: B) -> ((), Composed<$mode, B>) {
                ((), Composed { mode: self, inner })
            }
        }
    )*};
}

nested!(Reverse, Limited, WithMemory, Forward, Batched);

impl<M: Takes<Given>, B, Given> Takes<Given> for Composed<M, B> {
    type Args = M::Args;
}

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
