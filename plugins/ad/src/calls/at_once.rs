//! Forward mode along several directions of the caller's choice, in one run.

use overdub_context::engine::Engine;
use overdub_context::value::{Floats, FromValue};
use overdub_lower::door::{Arguments, Error, Handed, Takes, Target, Under, finish};

use super::chunks::along;
use super::forward::tangents_of;
use super::{Forward, own};
use crate::whole::{floats, with_floats};

/// The context of forward mode with several tangents at once: `overdub(Forward::at_once(), f, (args, [dx, dx2]))` gives
/// the value of the function, and how it changes along each.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::Forward;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * y * y }
///
/// let (y, [dx, dy, both]) = overdub(Forward::at_once(), f, ((2.0, 3.0), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]))?;
/// assert_eq!((y, dx, dy, both), (18.0, 9.0, 12.0, 21.0));
/// # Ok::<(), overdub::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtOnce(());

impl Forward {
    /// Forward mode along several directions in one run.
    pub fn at_once() -> AtOnce {
        AtOnce(())
    }
}

impl<Args, Tangents, const N: usize> Takes<(Args, [Tangents; N])> for AtOnce {
    type Args = Args;
}

impl<'a, 't, Args, Tangents, R, const N: usize> Under<(Args, [Tangents; N]), R> for AtOnce
where
    Args: Arguments<'a>,
    Tangents: Arguments<'t>,
    R: FromValue + Floats,
{
    type Of = (R, [R::Of; N]);

    fn run(self, engine: &Engine, target: &Target, given: (Args, [Tangents; N])) -> Result<Self::Of, Error> {
        let (args, tangents) = given;
        let Handed { values, homes } = target.hand_over(args)?;
        let args = own(target, values);
        let mut directions: Vec<Vec<f64>> = Vec::with_capacity(N);
        for tangent in tangents {
            let tangent = tangents_of(target, &args, tangent.hand_over().values)?;
            directions.push(tangent.iter().flat_map(floats).collect());
        }
        let direction = |number: usize, k: usize| directions[k].get(number).copied().unwrap_or(0.0);
        let (y, slopes) = along(engine, target.function.symbol, args, N, &direction)?;
        let changes = slopes.into_iter().map(|slopes| {
            let dy = with_floats(&y, &mut slopes.into_iter())?;
            let (dy, _) = target.function.split(dy);
            R::floats_of(dy).map_err(|error| Error::new(error.to_string()))
        });
        let changes = changes.collect::<Result<Vec<_>, Error>>()?;
        let y = finish(&target.function, y, homes)?;
        let changes =
            changes.try_into().map_err(|_| Error::new("there are fewer changes than directions"))?;
        Ok((y, changes))
    }
}
