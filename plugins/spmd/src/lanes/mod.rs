//! The context of lanes: a function that is given lists, and runs for each of their elements.
//!
//! - LANECX1 what is inside of lanes is around each element alone: `(Lanes, cx)` gives for each element what
//!   `overdub(cx, f, args)` gives.
//! - LANECX2 contexts around lanes see the calls of all elements in order, in one run: `(cx, Lanes)` has one result, the list,
//!   with metadata of all elements.
//! - LANECX3 functions run side by side unless a context has to be told what each element does, or is inside; then they run one by
//!   one. Derivatives around lanes are products with one direction for each element, which run side by side, too.

mod derivatives;
mod each_under;
mod one_run;

use overdub_context::engine::{Empty, Engine, Layers, Nest, Outermost};
use overdub_context::value::FromValue;
use overdub_lower::api::{Arguments, Error, Takes, Target, Under};

use crate::each::FirstFailure;
use crate::inputs::Inputs;
use crate::mapping::Mapping;
use crate::settings::{DEFAULT_LANES, Settings};

pub use derivatives::{DerivativeOfLanes, MappedPullback};
pub use each_under::EachUnder;
use each_under::{Changed, each_under};

/// The context of lanes: `overdub(Lanes, f, (&xs, Fixed(k)))` runs a function of one element for all of them, 64 side by side,
/// and gives the list of what it returns.
///
/// Inputs are those of [`map`](crate::map()): a tuple with an entry for each argument, a list that is mapped over, or
/// [`Fixed`](crate::Fixed) for what all elements share. [`Map::lanes`](crate::Map::lanes) says what lanes run, and what they
/// refuse; [`map`](crate::map()) also has threads, devices and sums.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Fixed, Lanes};
///
/// #[dub]
/// fn settled(x: f64, k: f64) -> f64 {
///     let mut y = x;
///     while y.abs() > 0.05 { y = 0.9 * (y * k).sin(); }
///     y
/// }
///
/// let xs = [0.5, -1.0, 2.0];
/// let ys = overdub(Lanes, settled, (&xs, Fixed(0.8)))?;
/// assert_eq!(ys, xs.map(|x| settled(x, 0.8)));
/// assert_eq!(ys, overdub(Lanes::of(8), settled, (&xs, Fixed(0.8)))?);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// It nests like any context:
///
/// | layers | result |
/// | --- | --- |
/// | `(Count, Lanes)` | the list, and the calls of all elements together: `(ys, counts)` |
/// | `(Lanes, Count)` | each value with the calls of its element: a list of `(y, counts)` |
/// | `(ctx().replace("sin", "cos"), Lanes)` | the list, in lanes |
/// | `(Lanes, Reverse)` | each value with its pullback |
/// | `(Reverse, Lanes)` | the list, and its pullback: a cotangent for each element to derivatives in the shape of the inputs |
/// | `(Forward, Lanes)` | the list, and the tangents of its entries, for `(inputs, tangents)` |
///
/// Elements run one after the other where a context watches them, where layers are inside, and where a function does what lanes do
/// not, such as printing or recursion ([`Over::check_lanes`](crate::Over::check_lanes) tells). The derivatives of `(Reverse, Lanes)`
/// and `(Forward, Lanes)` run in lanes, too ([`check_lanes_of_vjps`](crate::Over::check_lanes_of_vjps),
/// [`check_lanes_of_jvps`](crate::Over::check_lanes_of_jvps)). A context around a
/// derivative around lanes, `(Count, (Reverse, Lanes))`, is an error when it runs, and `(Lanes, Forward)`, `(Reverse, (cx, Lanes))`,
/// other modes around lanes such as `Reverse::with_memory(bytes)`, and lanes in lanes are errors of rustc: `(Lanes, (Count, Reverse))` and `(Forward, Lanes)` are there, and a function is
/// `under(cx, f)`.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::spmd::{Fixed, Lanes};
///
/// #[dub]
/// fn power(x: f64, k: f64) -> f64 { k * x * x }
///
/// let muls = ctx_with::<usize>().when(|call| call.calls("mul")).before(|muls, _, _| *muls += 1);
/// let (ys, of_all) = overdub((muls.clone(), Lanes), power, (&[1.0, 2.0], Fixed(3.0)))?;
/// assert_eq!((ys, of_all), (vec![3.0, 12.0], 4));
/// let by_element = overdub((Lanes, muls), power, (&[1.0, 2.0], Fixed(3.0)))?;
/// assert_eq!(by_element, [(3.0, 2), (12.0, 2)]);
///
/// let (ys, pullback) = overdub((Reverse, Lanes), power, (&[1.0, 2.0], Fixed(3.0)))?;
/// let (dxs, dk) = pullback.call(&[1.0, 1.0])?;
/// assert_eq!((ys, dxs, dk), (vec![3.0, 12.0], vec![6.0, 12.0], 5.0));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// ```compile_fail
/// # use overdub::prelude::*;
/// # #[dub]
/// # fn square(x: f64) -> f64 { x * x }
/// // The order is `(Forward, Lanes)`.
/// overdub((Lanes, Forward), square, ((&[1.0],), (&[1.0],)));
/// ```
///
/// ```compile_fail
/// # use overdub::prelude::*;
/// # #[dub]
/// # fn square(x: f64) -> f64 { x * x }
/// // `(Reverse, Lanes)` of `under(cx, square)` is there.
/// overdub((Reverse, (ctx().replace("mul", "add"), Lanes)), square, (&[1.0],));
/// ```
///
/// # Errors
/// `overdub` then fails with the error of the first element that fails, whose number is [`Error::element`]; if lists are of
/// different length or there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lanes;

impl Lanes {
    /// This number of lanes; one if it is 0, 64 if it is greater.
    pub fn of(lanes: usize) -> LanesOf {
        LanesOf { lanes }
    }
}

/// Lanes of a chosen number: see [`Lanes::of`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanesOf {
    lanes: usize,
}

impl From<Lanes> for LanesOf {
    fn from(_: Lanes) -> LanesOf {
        LanesOf { lanes: DEFAULT_LANES }
    }
}

impl LanesOf {
    fn settings(self) -> Settings {
        Settings::in_lanes(self.lanes)
    }
}

macro_rules! nested {
    ($($lanes:ty),*) => {$(
        impl Nest for $lanes {
            type Enclosing = ();
            type Core = LanesOf;

            fn split(self) -> ((), LanesOf) {
                ((), self.into())
            }
        }

        impl<B: Nest> Outermost<B> for $lanes {
            type Enclosing = ();
            type Core = EachUnder<B>;

            fn split_with(self, inner: B) -> ((), EachUnder<B>) {
                ((), EachUnder(inner))
            }
        }
    )*};
}

nested!(Lanes, LanesOf);

impl<I: Inputs<Args>, Args> Takes<I, Args> for LanesOf {}

impl<'a, I, Args, R> Under<I, Args, R> for LanesOf
where
    I: Inputs<Args>,
    Args: Arguments<'a>,
    R: FromValue + Send,
{
    type Of = Vec<R>;

    fn run_in<O: Layers>(
        self,
        enclosing: &O,
        engine: &Engine,
        target: &Target,
        inputs: I,
    ) -> Result<O::Of<Vec<R>>, Error> {
        let settings = self.settings();
        // LANECX3
        let Some(changed) = Changed::by(enclosing, engine, target) else {
            return each_under(enclosing, &Empty, engine, target, &inputs);
        };
        let mapping = Mapping::new(&settings, engine, &changed.target, &inputs)?;
        let values = mapping.values::<FirstFailure, R>()?;
        changed.close(enclosing, engine, values)
    }
}
