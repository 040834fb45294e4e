//! A function that is looked up once and then differentiated at many points.

use std::fmt;
use std::sync::OnceLock;

use overdub_context::ir::Ty;
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Target, TransferredArgs};

use super::engine::engine;
use super::matrices::{Active, masked};
use super::prepared_gradient::gradient_into;
use super::reverse::{cotangents, gradient_route};
use super::{Buffers, Wrt};
use crate::TapeBound;
use crate::custom::ActiveRules;
use crate::flatten::floats;
use crate::route::{GradientRoute, HvpRoute};
use crate::shape::owned_values;
use crate::strategy::Strategy;

/// A function that was looked up for differentiation. It may be shared between threads.
pub struct Prepared<F> {
    func: F,
    ready: OnceLock<Ready>,
    pub(super) hvp: OnceLock<HvpRoute>,
    pub(super) wrt: Vec<Wrt>,
    pub(super) bound: TapeBound,
    /// Those in whose scope it was made.
    pub(super) rules: ActiveRules,
}

/// The function that was looked up, and its engines.
struct Ready {
    target: Target,
    route: GradientRoute,
    /// Whether the active arguments are whole arguments and nothing is captured, so that a prepared call can
    /// be used.
    takes_prepared_calls: bool,
    /// Whether all arguments are active.
    all_active: bool,
}

/// Looks up a function, to differentiate it at many points.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::prepare;
///
/// #[dub]
/// fn valley(x: &[f64]) -> f64 { (x[0] - 1.0).powi(2) + 10.0 * x[1] * x[1] }
///
/// let f = prepare(valley);
/// let (mut x, mut slope) = ([3.0, 2.0], [0.0; 2]);
/// for _ in 0..100 {
///     f.gradient_into((&x[..],), (&mut slope[..],))?;
///     x.iter_mut().zip(&slope).for_each(|(x, dx)| *x -= 0.04 * dx);
/// }
/// assert!((x[0] - 1.0).abs() < 1e-3 && x[1].abs() < 1e-3);
/// # Ok::<(), overdub::Error>(())
/// ```
pub fn prepare<F>(func: F) -> Prepared<F> {
    Prepared {
        func,
        ready: OnceLock::new(),
        hvp: OnceLock::new(),
        wrt: Vec::new(),
        bound: TapeBound::Unbounded,
        rules: ActiveRules::current(),
    }
}

impl<F> Prepared<F> {
    /// Differentiates with respect to these arguments and fields of arguments only, such as `x` or
    /// `params.rate`: everything else is constant, and has a derivative of 0.
    #[must_use]
    pub fn with_respect_to<W: Into<Wrt>>(mut self, wrt: impl IntoIterator<Item = W>) -> Prepared<F> {
        self.wrt.extend(wrt.into_iter().map(W::into));
        self
    }

    /// Keeps what the gradient needs within a memory in bytes, as [`Reverse::with_memory`](super::Reverse::with_memory).
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Prepared<F> {
        self.bound = TapeBound::Memory(bytes);
        self
    }

    #[inline]
    fn ready<Args>(&self) -> Result<&Ready, Error>
    where
        F: Callable<Args>,
    {
        match self.ready.get() {
            Some(ready) => Ok(ready),
            None => self.make_ready(),
        }
    }

    #[cold]
    fn make_ready<Args>(&self) -> Result<&Ready, Error>
    where
        F: Callable<Args>,
    {
        let target = self.func.target()?.in_engine(engine());
        let wrt = |at: usize| self.is_active(&target, at);
        let route = self.rules.during(|| gradient_route(&target, &wrt, self.bound));
        let takes_prepared_calls = self.takes_prepared_calls(&target, &route);
        let all_active = route.transformed().is_some_and(|of| of.wrt().iter().all(|wrt| *wrt));
        let ready = Ready { target, route, takes_prepared_calls, all_active };
        Ok(self.ready.get_or_init(|| ready))
    }

    fn takes_prepared_calls(&self, target: &Target, route: &GradientRoute) -> bool {
        let Some(transformed) = route.transformed() else { return false };
        let is_whole_argument =
            |wrt: &Wrt| wrt.whole_argument(target).is_some_and(|at| transformed.wrt()[at]);
        target.captures.is_empty()
            && target.function.ir_ret == Ty::f64()
            && self.wrt.iter().all(is_whole_argument)
    }

    /// Whether the argument of this number, or a part of it, is active.
    pub(super) fn is_active(&self, target: &Target, at: usize) -> bool {
        self.wrt.is_empty() || self.wrt.iter().any(|wrt| wrt.argument(target) == Some(at))
    }

    /// The engine of the gradient, and why it was chosen.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::{Strategy, prepare};
    ///
    /// #[dub]
    /// fn f(x: f64, y: f64) -> f64 { x * y.sin() }
    ///
    /// assert_eq!(prepare(f).strategy::<(f64, f64)>()?, Strategy::Transformation);
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the function's source is not known.
    pub fn strategy<Args>(&self) -> Result<Strategy, Error>
    where
        F: Callable<Args>,
    {
        Ok(self.ready()?.route.strategy().clone())
    }

    /// What the function returns, and its derivative with respect to each of its arguments.
    ///
    /// # Errors
    /// As [`gradient`](super::gradient), or if an active argument does not exist.
    pub fn value_and_gradient<'a, Args>(&self, args: Args) -> Result<(F::Output, Args::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        let (y, cotangents) = self.cotangents(args)?;
        let gradient =
            Args::floats_of(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))?;
        Ok((y, gradient))
    }

    /// The derivative with respect to each of the arguments.
    ///
    /// # Errors
    /// As [`Prepared::value_and_gradient`].
    pub fn gradient<'a, Args>(&self, args: Args) -> Result<Args::Of, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        self.value_and_gradient(args).map(|(_, gradient)| gradient)
    }

    /// What the function returns; its derivatives are written to the caller's buffers, one for each argument.
    ///
    /// In machine code, a function of numbers and slices of numbers allocates nothing from its second call
    /// on, except what its own body allocates.
    ///
    /// # Errors
    /// As [`Prepared::value_and_gradient`], or if a buffer does not have the shape of its argument. Buffers
    /// may have been written by then.
    pub fn gradient_into<'a, Args>(&self, args: Args, mut buffers: impl Buffers) -> Result<F::Output, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let Ready { route, takes_prepared_calls, all_active, .. } = self.ready()?;
        if *takes_prepared_calls
            && let Some(transformed) = route.transformed()
            && let Some(y) = gradient_into(transformed, *all_active, &args, &mut buffers)
        {
            return y;
        }
        self.fill_gradient(args, buffers)
    }

    /// As [`Prepared::gradient_into`], by values.
    #[cold]
    fn fill_gradient<'a, Args>(&self, args: Args, buffers: impl Buffers) -> Result<F::Output, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (y, cotangents) = self.cotangents(args)?;
        buffers.fill(&Value::tuple(cotangents))?;
        Ok(y)
    }

    fn cotangents<'a, Args>(&self, args: Args) -> Result<(F::Output, Vec<Value<'static>>), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let Ready { target, route, .. } = self.ready()?;
        if self.wrt.is_empty() {
            let captured: usize = target.captures.iter().map(|value| floats(value).len()).sum();
            let TransferredArgs { values, write_backs } = target.transfer(args)?;
            return cotangents(route, target, (target.values(values), write_backs), &|number| {
                number >= captured
            });
        }
        let TransferredArgs { values, write_backs } = target.transfer(args)?;
        let all = owned_values(target, values);
        let active = self.active(target, &all)?;
        let (y, found) = cotangents(route, target, (all, write_backs), &*active)?;
        let captured: usize = target.captures.iter().map(|value| floats(value).len()).sum();
        Ok((y, masked(&found, &|number| active(captured + number))?))
    }

    /// Which floats are differentiated, numbered through all values that the function takes.
    pub(super) fn active(&self, target: &Target, all: &[Value<'static>]) -> Result<Active, Error> {
        if self.wrt.is_empty() {
            let captured: usize = target.captures.iter().map(|value| floats(value).len()).sum();
            return Ok(Box::new(move |number| number >= captured));
        }
        let ranges = self.wrt.iter().map(|wrt| wrt.range(target, all));
        let ranges = ranges.collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(move |number| ranges.iter().any(|range| range.contains(&number))))
    }

    /// The function that was looked up.
    pub(super) fn target<Args>(&self) -> Result<&Target, Error>
    where
        F: Callable<Args>,
    {
        Ok(&self.ready()?.target)
    }
}

impl<F> fmt::Debug for Prepared<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = self.ready.get().map(|ready| ready.target.function.symbol);
        f.debug_struct("Prepared").field("func", &symbol).finish_non_exhaustive()
    }
}
