//! Contexts around each element, and around all elements.

use std::sync::Arc;

use overdub_context::engine::{Engine, Layers, Nest};
use overdub_context::value::Value;
use overdub_lower::Function;
use overdub_lower::api::{Error, Takes, Target, Under};

use super::one_run::OneRun;
use crate::inputs::{Inputs, len};
use crate::over::Output;
use crate::schedule::one_by_one;

/// The core of `(Lanes, cx)`: each element alone under contexts or modes.
#[derive(Clone, Copy, Debug)]
pub struct EachUnder<B>(pub(super) B);

impl<B, I, Args> Takes<I, Args> for EachUnder<B>
where
    B: Nest,
    B::Core: Takes<Args, Args>,
    I: Inputs<Args>,
{
}

impl<B, I, Args, R> Under<I, Args, R> for EachUnder<B>
where
    B: Nest + Clone,
    B::Core: Under<Args, Args, R>,
    I: Inputs<Args>,
{
    type Of = Each<B, Args, R>;

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        inputs: I,
    ) -> Result<O::Of<Self::Of>, Error> {
        each_under(enclosing, &self.0, engine, target, &inputs)
    }
}

/// The results of all elements.
type Each<B, Args, R> = Vec<Output<B, Args, R>>;

/// Runs each element under `inner`, and all of them in one run of `enclosing`.
pub(super) fn each_under<O, B, I, Args, R>(
    enclosing: &O,
    inner: &B,
    engine: &Engine,
    target: &Target,
    inputs: &I,
) -> Result<O::Of<Each<B, Args, R>>, Error>
where
    O: Layers,
    B: Nest + Clone,
    B::Core: Under<Args, Args, R>,
    I: Inputs<Args>,
{
    let len = len::<Error>(&inputs.lengths())?;
    let run = OneRun::new(enclosing);
    let results = one_by_one(len, |at| {
        let (around, core) = inner.clone().split();
        core.run_in(&(run.part(), around), engine, target, inputs.at(at))
    })?;
    Ok(run.close(engine, target.function.symbol, results)?)
}

/// A function under contexts that only change what it computes, in a run of them that is told nothing.
pub(super) struct Changed<O: Layers> {
    pub(super) target: Target,
    open: O::Open,
    /// Keeps the name of the function.
    _specialized: O::Specialized,
}

impl<O: Layers> Changed<O> {
    /// None if the contexts have to be told what each element does (LANECX3).
    pub(super) fn by(enclosing: &O, engine: &Engine, target: &Target) -> Option<Changed<O>> {
        if enclosing.domain_name().is_some() {
            return None;
        }
        let (symbol, specialized) = enclosing.specialize(engine, target.function.symbol);
        let (handles, open) = enclosing.open(&specialized, Vec::new());
        let function = Arc::new(Function { symbol, ..Function::clone(&target.function) });
        let target = Target::new(function, target.captures.clone());
        handles.is_empty().then_some(Changed { target, open, _specialized: specialized })
    }

    /// Ends the run, which has this result.
    pub(super) fn close<R>(self, enclosing: &O, engine: &Engine, result: R) -> Result<O::Of<R>, Error> {
        Ok(enclosing.close(self.open, engine, Value::Unit, |_| Ok(result))?)
    }
}
