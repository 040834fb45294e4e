//! The typed context of forward mode along several directions in one run.

use overdub_context::Failure;
use overdub_context::engine::{Engine, Layers};
use overdub_context::value::{Floats, FromValue};
use overdub_lower::api::{Arguments, Error, Takes, Target, TransferredArgs, Under, finish};

use super::Forward;
use super::composed::{Composed, Inner, failed};
use super::forward::tangents_of;
use crate::dual::batched::tangents_along;
use crate::flatten::{floats, with_floats};
use crate::shape::owned_values;

/// The context of forward mode with several tangents: `overdub(Forward::batched(), f, (args, [dx, dx2]))`
/// gives the value of the function, and its tangent along each direction.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::Forward;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * y * y }
///
/// let (y, [dx, dy, both]) = overdub(Forward::batched(), f, ((2.0, 3.0), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]))?;
/// assert_eq!((y, dx, dy, both), (18.0, 9.0, 12.0, 21.0));
/// # Ok::<(), overdub::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batched(());

impl Forward {
    /// Forward mode along several directions in one run.
    pub fn batched() -> Batched {
        Batched(())
    }
}

impl<Args, Tangents, const N: usize> Takes<(Args, [Tangents; N]), Args> for Batched {}

impl<'a, 't, Args, Tangents, R, const N: usize> Under<(Args, [Tangents; N]), Args, R> for Batched
where
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
    R: FromValue + Floats,
{
    type Of = (R, [R::Of; N]);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args_and_tangents: (Args, [Tangents; N]),
    ) -> Result<O::Of<Self::Of>, Error> {
        pushed(engine, enclosing, &(), target, args_and_tangents)
    }
}

impl<'a, 't, Args, Tangents, R, B, const N: usize> Under<(Args, [Tangents; N]), Args, R>
    for Composed<Batched, B>
where
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
    R: FromValue + Floats,
    B: Layers,
{
    type Of = (B::Of<R>, [R::Of; N]);

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        args_and_tangents: (Args, [Tangents; N]),
    ) -> Result<O::Of<Self::Of>, Error> {
        pushed(engine, enclosing, &self.inner, target, args_and_tangents)
    }
}

/// The value of a function under contexts, and its tangents.
type Pushed<B, R, const N: usize> = (<B as Layers>::Of<R>, [<R as Floats>::Of; N]);

/// The value of a function under `inner`, and its tangent along each direction, as `enclosing` returns both.
fn pushed<'a, 't, O: Layers, B: Layers, R: FromValue + Floats, Tangents: Arguments<'t>, const N: usize>(
    engine: &Engine,
    enclosing: &O,
    inner: &B,
    target: &Target,
    (args, tangents): (impl Arguments<'a>, [Tangents; N]),
) -> Result<O::Of<Pushed<B, R, N>>, Error> {
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let args = owned_values(target, values);
    let mut directions: Vec<Vec<f64>> = Vec::with_capacity(N);
    for tangent in tangents {
        let tangent = tangents_of(target, &args, tangent.transfer().values)?;
        directions.push(tangent.iter().flat_map(floats).collect());
    }
    let direction = |number: usize, k: usize| directions[k].get(number).copied().unwrap_or(0.0);
    let inner = Inner::of(inner, engine, target);
    let (args, open) = inner.open(args);
    Ok(tangents_along(engine, enclosing, (inner.func, args), N, &direction, |(y, slopes)| {
        let changes = slopes.into_iter().map(|slopes| {
            let dy = with_floats(&y, &mut slopes.into_iter())?;
            let (dy, _) = target.function.split(dy);
            R::floats_of(dy).map_err(|error| failed(Error::new(error.to_string())))
        });
        let changes = changes.collect::<Result<Vec<_>, Failure>>()?;
        let changes = <[R::Of; N]>::try_from(changes)
            .map_err(|_| failed(Error::new("there are fewer changes than directions")))?;
        let y = inner.close(open, y, |y| finish(&target.function, y, write_backs))?;
        Ok((y, changes))
    })?)
}
