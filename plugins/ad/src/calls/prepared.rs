//! A function looked up once, for derivatives at many points.

use std::fmt;
use std::sync::OnceLock;

use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::door::{Arguments, Callable, Error, Handed, Target, Under};

use super::backward::{Recorded, differentiated};
use super::engine::engine;
use super::{Buffers, Forward, Wanted, own};
use crate::graph::TAPE_LIMIT;
use crate::whole::floats;

/// A function that was looked up for derivatives. It may be shared between threads.
pub struct Prepared<F> {
    func: F,
    target: OnceLock<Target>,
    wanted: Vec<Wanted>,
}

/// Looks a function up, for derivatives at many points.
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
    Prepared { func, target: OnceLock::new(), wanted: Vec::new() }
}

impl<F> Prepared<F> {
    /// The same, differentiated in these arguments and fields of arguments alone, `x`, `params.rate`: all else counts
    /// as constant, and has a derivative of 0.
    #[must_use]
    pub fn with_respect_to<W: Into<Wanted>>(mut self, wanted: impl IntoIterator<Item = W>) -> Prepared<F> {
        self.wanted.extend(wanted.into_iter().map(W::into));
        self
    }

    fn target<Args>(&self) -> Result<&Target, Error>
    where
        F: Callable<Args>,
    {
        if let Some(target) = self.target.get() {
            return Ok(target);
        }
        let target = self.func.target()?;
        Ok(self.target.get_or_init(|| target))
    }

    /// What the function returns, and its derivative in each of its arguments.
    ///
    /// # Errors
    /// As [`gradient`](super::gradient), and where what is wanted is not there.
    pub fn value_and_gradient<'a, Args>(&self, args: Args) -> Result<(F::Output, Args::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        if self.wanted.is_empty() {
            return differentiated(self.target()?, args);
        }
        let (y, cotangents) = self.cotangents(args)?;
        let gradient =
            Args::floats_of(Value::tuple(cotangents)).map_err(|error| Error::new(error.to_string()))?;
        Ok((y, gradient))
    }

    /// The derivative in each of the arguments.
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

    /// What the function returns; its derivatives go into the caller's buffers, one for each argument.
    ///
    /// # Errors
    /// As [`Prepared::value_and_gradient`], and where a buffer does not have the shape of its argument.
    pub fn gradient_into<'a, Args>(&self, args: Args, buffers: impl Buffers) -> Result<F::Output, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let (y, cotangents) = self.cotangents(args)?;
        buffers.fill(&Value::tuple(cotangents))?;
        Ok(y)
    }

    /// What the function returns, and how it changes as its arguments do along their tangents.
    ///
    /// # Errors
    /// As [`jvp`](super::jvp).
    pub fn jvp<'a, 't, Args, Tangents>(
        &self,
        args: Args,
        tangents: Tangents,
    ) -> Result<(F::Output, <F::Output as Floats>::Of), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue + Floats,
        Args: Arguments<'a>,
        Tangents: Arguments<'t>,
    {
        Forward.run(engine(), self.target()?, (args, tangents))
    }

    fn cotangents<'a, Args>(&self, args: Args) -> Result<(F::Output, Vec<Value<'static>>), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a>,
    {
        let target = self.target()?;
        let Handed { values, homes } = target.hand_over(args)?;
        let all = own(target, values);
        let ranges = self.wanted.iter().map(|wanted| wanted.range(target, &all));
        let ranges = ranges.collect::<Result<Vec<_>, _>>()?;
        let captured: usize = target.captures.iter().map(|value| floats(value).len()).sum();
        let wanted = |number: usize| match ranges.is_empty() {
            true => number >= captured,
            false => ranges.iter().any(|range| range.contains(&number)),
        };
        let values = all.into_iter().skip(target.captures.len()).collect();
        let recorded = Recorded::new(engine(), target, values, TAPE_LIMIT, &wanted)?;
        let cotangents = recorded.pull.of_one(target)?;
        Ok((recorded.home(target, homes)?, cotangents))
    }
}

impl<F> fmt::Debug for Prepared<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = self.target.get().map(|target| target.function.symbol);
        f.debug_struct("Prepared").field("func", &symbol).finish_non_exhaustive()
    }
}
