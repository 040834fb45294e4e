//! Derivatives of functions in lanes: modes of differentiation around lanes.

use std::fmt;
use std::marker::PhantomData;

use overdub_ad::api::{Forward, InsideMode, Reverse};
use overdub_ad::custom::ActiveRules;
use overdub_context::engine::{Engine, Layers};
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Error, Takes, Target, Under};

use super::{Lanes, LanesOf};
use crate::each::FirstFailure;
use crate::inputs::{Inputs, SummedInputs};
use crate::mapping::{Mapping, all_of};
use crate::over::collected;

/// The core of `(Reverse, Lanes)` and `(Forward, Lanes)`: the derivative of the list that lanes give.
#[derive(Clone, Copy, Debug)]
pub struct DerivativeOfLanes<M> {
    lanes: LanesOf,
    mode: M,
}

macro_rules! inside {
    ($($lanes:ty, $mode:ty;)*) => {$(
        impl InsideMode<$mode> for $lanes {
            type Core = DerivativeOfLanes<$mode>;

            fn inside(self, mode: $mode) -> DerivativeOfLanes<$mode> {
                DerivativeOfLanes { lanes: self.into(), mode }
            }
        }
    )*};
}

inside! {
    Lanes, Reverse;
    Lanes, Forward;
    LanesOf, Reverse;
    LanesOf, Forward;
}

impl<I: Inputs<Args>, Args> Takes<I, Args> for DerivativeOfLanes<Reverse> {}

impl<'a, I, Args, R> Under<I, Args, R> for DerivativeOfLanes<Reverse>
where
    I: SummedInputs<'a, Args>,
    Args: Arguments<'a>,
    R: FromValue + Floats + Send,
{
    type Of = (Vec<R>, MappedPullback<I, Args, R>);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        inputs: I,
    ) -> Result<O::Of<Self::Of>, Error> {
        let Reverse = self.mode;
        let settings = self.lanes.settings();
        let values = Mapping::new(&settings, engine, target, &inputs)?.values::<FirstFailure, R>()?;
        let (lanes, engine, target) = (self.lanes, engine.clone(), target.clone());
        let rules = ActiveRules::current();
        let pullback = MappedPullback { inputs, lanes, engine, target, rules, marker: PhantomData };
        closed(enclosing, &pullback.engine.clone(), &pullback.target.clone(), (values, pullback))
    }
}

impl<I: Inputs<Args>, J: Inputs<Args>, Args> Takes<(I, J), Args> for DerivativeOfLanes<Forward> {}

impl<'a, I, J, Args, R> Under<(I, J), Args, R> for DerivativeOfLanes<Forward>
where
    I: Inputs<Args>,
    J: Inputs<Args>,
    Args: Arguments<'a>,
    R: FromValue + Floats + Send,
    R::Of: Send,
{
    type Of = (Vec<R>, Vec<R::Of>);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        (inputs, tangents): (I, J),
    ) -> Result<O::Of<Self::Of>, Error> {
        let Forward = self.mode;
        let settings = self.lanes.settings();
        let mapping = Mapping::new(&settings, engine, target, &inputs)?;
        let along = mapping.jvps::<FirstFailure, R, J>(all_of(target), &tangents)?;
        closed(enclosing, engine, target, along.into_iter().unzip())
    }
}

/// A result under contexts, which must be none: the derivative of a list is not made of calls that they could see.
fn closed<O: Layers, R>(
    enclosing: &O,
    engine: &Engine,
    target: &Target,
    result: R,
) -> Result<O::Of<R>, Error> {
    let (symbol, specialized) = enclosing.specialize(engine, target.function.symbol);
    if symbol != target.function.symbol {
        let error = Error::new("contexts are not around the derivative of lanes");
        return Err(error.with_help("nest them inside: `(Lanes, (cx, Reverse))`"));
    }
    let (_, open) = enclosing.open(&specialized, Vec::new());
    Ok(enclosing.close(open, engine, Value::Unit, |_| Ok(result))?)
}

/// The pullback of a function in lanes: maps a cotangent of each result to the derivatives of the inputs.
///
/// It runs the function again each time it is called, in lanes where [`Over::check_lanes_of_vjps`] tells so.
///
/// [`Over::check_lanes_of_vjps`]: crate::Over::check_lanes_of_vjps
pub struct MappedPullback<I, Args, R> {
    inputs: I,
    lanes: LanesOf,
    engine: Engine,
    target: Target,
    rules: ActiveRules,
    marker: PhantomData<fn() -> (Args, R)>,
}

impl<I, Args, R> MappedPullback<I, Args, R> {
    /// For a cotangent of the result of each element, the derivatives in the shapes of the inputs: a list with one for each
    /// element if an argument is mapped over, else one that is summed over all elements, in the order of
    /// [`Over::sum_and_gradient`](crate::Over::sum_and_gradient).
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::spmd::{Fixed, Lanes};
    ///
    /// #[dub]
    /// fn wave(x: f64, k: f64) -> f64 { (k * x).sin() }
    ///
    /// let (_, pullback) = overdub((Reverse, Lanes), wave, (&[0.0, 1.0], Fixed(2.0)))?;
    /// let (dxs, dk) = pullback.call(&[1.0, 0.0])?;
    /// assert_eq!((dxs, dk), (vec![2.0, 0.0], 0.0));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is not a cotangent in the shape of its result for each element, an element fails, or the function has no
    /// derivative.
    pub fn call<'a>(&self, cotangents: &[R::Of]) -> Result<I::Gradient, Error>
    where
        I: SummedInputs<'a, Args>,
        Args: Arguments<'a>,
        R: FromValue + Floats,
        R::Of: Clone + Sync,
    {
        let (target, captured) = (&self.target, self.target.captures.len());
        let (wrt, settings) = (all_of(target), self.lanes.settings());
        let (collected, shared) = collected(&self.inputs, &wrt, captured);
        let mapping = Mapping::new(&settings, &self.engine, target, &self.inputs)?;
        let pulled = || mapping.pullback::<R>(wrt, cotangents, (&collected, &shared));
        let mut parts = self.rules.during(pulled)?;
        let gradient = I::gradient(parts.split_off(captured.min(parts.len())));
        gradient.map_err(|error| Error::new(error.to_string()))
    }
}

impl<I: Clone, Args, R> Clone for MappedPullback<I, Args, R> {
    fn clone(&self) -> Self {
        let (lanes, engine, target, rules) =
            (self.lanes, self.engine.clone(), self.target.clone(), self.rules.clone());
        MappedPullback { inputs: self.inputs.clone(), lanes, engine, target, rules, marker: PhantomData }
    }
}

impl<I, Args, R> fmt::Debug for MappedPullback<I, Args, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedPullback").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
