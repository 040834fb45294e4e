//! Linearization: a function's derivative at a point as a linear map.

use std::fmt;

use overdub_context::value::{Floats, FromValue, Mismatch, Value};
use overdub_lower::api::{Arguments, Callable, Error, Target, TransferredArgs, finish};

use super::engine::engine;
use super::forward::tangents_of;
use crate::flatten::{floats, with_floats};
use crate::shape::owned_values;
use crate::tape::{self, TAPE_LIMIT};

/// The derivative of a function at a point: a map from tangents of its arguments to the tangent of its
/// result, which does not run the function again.
pub struct Linear<Dy> {
    pullback: tape::TapePullback,
    target: Target,
    args: Vec<Value<'static>>,
    value: Value<'static>,
    read: fn(Value<'_>) -> Result<Dy, Mismatch>,
}

impl<Dy> Linear<Dy> {
    /// The tangent of the result for these tangents of the arguments.
    ///
    /// # Errors
    /// If a tangent does not have the shape of its argument.
    pub fn call<'t>(&self, tangents: impl Arguments<'t>) -> Result<Dy, Error> {
        let tangents = tangents_of(&self.target, &self.args, tangents.transfer().values)?;
        let directions: Vec<f64> = tangents.iter().flat_map(floats).collect();
        let slopes = self.pullback.push_floats(&directions)?;
        let dy = with_floats(&self.value, &mut slopes.into_iter())?;
        let (dy, _) = self.target.function.split(dy);
        (self.read)(dy).map_err(|error| Error::new(error.to_string()))
    }
}

impl<Dy> Clone for Linear<Dy> {
    fn clone(&self) -> Self {
        Linear {
            pullback: self.pullback.clone(),
            target: self.target.clone(),
            args: self.args.clone(),
            value: self.value.clone(),
            read: self.read,
        }
    }
}

impl<Dy> fmt::Debug for Linear<Dy> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linear").field("func", &self.target.function.symbol).finish_non_exhaustive()
    }
}

/// The linear map to the floats of `R`.
type LinearOf<R> = Linear<<R as Floats>::Of>;

/// What a function returns, and its derivative at that point as a linear map: for many directions at one
/// point.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::linearize;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * y }
///
/// let (y, slope) = linearize(f, (2.0, 3.0))?;
/// assert_eq!((y, slope.call((1.0, 0.0))?, slope.call((0.0, 1.0))?), (6.0, 3.0, 2.0));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// If the function panics or has no derivative.
pub fn linearize<'a, F, Args>(func: F, args: Args) -> Result<(F::Output, LinearOf<F::Output>), Error>
where
    F: Callable<Args>,
    F::Output: FromValue + Floats,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine());
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let args = owned_values(&target, values);
    let recorded = tape::record_limited(engine(), target.function.symbol, args.clone(), TAPE_LIMIT)?;
    let value = recorded.value.clone();
    let y = finish(&target.function, recorded.value, write_backs)?;
    let read = F::Output::floats_of;
    Ok((y, Linear { pullback: recorded.pullback, target, args, value, read }))
}
