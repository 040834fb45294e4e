//! Typed gradients of each float of a result.

use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Target, TransferredArgs, finish};

use super::Prepared;
use super::engine::engine;
use super::matrices::masked;
use crate::TapeBound;
use crate::flatten::floats;
use crate::route::{self, PullbackRequest};
use crate::shape::owned_values;

/// The derivatives of each float of a function's result with respect to each of the arguments, in their shapes: the rows of the
/// Jacobian as the arguments are structured, in the order of the floats.
///
/// A result of up to 16 floats in tuples and structs takes one reverse sweep for all of them (the vector mode of Griewank and
/// Walther, *Evaluating Derivatives*, 2008); another one takes a pullback for each.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::gradients;
///
/// #[dub]
/// fn moments(xs: &[f64], scale: f64) -> (f64, f64) {
///     (scale * xs.iter().sum::<f64>(), scale * xs.iter().map(|x| x * x).sum::<f64>())
/// }
///
/// let rows: Vec<(Vec<f64>, f64)> = gradients(moments, (&[1.0, 3.0][..], 0.5))?;
/// assert_eq!(rows, [(vec![0.5, 0.5], 4.0), (vec![1.0, 3.0], 10.0)]);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// If the function panics, or has no derivative.
pub fn gradients<'a, F, Args>(func: F, args: Args) -> Result<Vec<Args::Of>, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
{
    value_and_gradients(func, args).map(|(_, gradients)| gradients)
}

/// What a function returns, and its [`gradients`], in one run.
///
/// # Errors
/// As [`gradients`].
pub fn value_and_gradients<'a, F, Args>(func: F, args: Args) -> Result<(F::Output, Vec<Args::Of>), Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
{
    let target = func.target()?.in_engine(engine());
    let (y, rows) = rows(&target, args, &|_| true, TapeBound::Unbounded)?;
    Ok((y, typed::<Args>(rows)?))
}

impl<F> Prepared<F> {
    /// The derivatives of each float of the result with respect to each of the arguments: see [`gradients`](super::gradients).
    ///
    /// # Errors
    /// As [`Prepared::value_and_gradient`], for results of any type.
    pub fn gradients<'a, Args>(&self, args: Args) -> Result<Vec<Args::Of>, Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        self.value_and_gradients(args).map(|(_, gradients)| gradients)
    }

    /// What the function returns, and its [`gradients`](Prepared::gradients). What is not active has a derivative of 0.
    ///
    /// ```
    /// # use overdub::prelude::*;
    /// use overdub::ad::prepare;
    ///
    /// #[dub]
    /// fn f(x: f64, y: f64) -> (f64, f64) { (x * y, x + y * y) }
    ///
    /// let f = prepare(f).with_respect_to(["x"]);
    /// assert_eq!(f.value_and_gradients((3.0, 4.0))?, ((12.0, 19.0), vec![(4.0, 0.0), (1.0, 0.0)]));
    /// # Ok::<(), overdub::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Prepared::gradients`].
    pub fn value_and_gradients<'a, Args>(&self, args: Args) -> Result<(F::Output, Vec<Args::Of>), Error>
    where
        F: Callable<Args>,
        F::Output: FromValue,
        Args: Arguments<'a> + Floats,
    {
        let target = self.target()?;
        let wrt = |at: usize| self.is_active(target, at);
        let (y, rows) = self.rules.during(|| rows(target, args, &wrt, self.bound))?;
        let Some(first) = rows.first() else { return Ok((y, Vec::new())) };
        let all: Vec<Value<'static>> = target.captures.iter().chain(first).cloned().collect();
        let active = self.active(target, &all)?;
        let captured: usize = target.captures.iter().map(|value| floats(value).len()).sum();
        let rows = rows.iter().map(|row| masked(row, &|number| active(captured + number)));
        Ok((y, typed::<Args>(rows.collect::<Result<_, _>>()?)?))
    }
}

/// What a function returns, and for each float of that the cotangents of its arguments; `wrt` tells which of them are active.
fn rows<'a, R, Args>(
    target: &Target,
    args: Args,
    wrt: &dyn Fn(usize) -> bool,
    bound: TapeBound,
) -> Result<(R, Vec<Vec<Value<'static>>>), Error>
where
    R: FromValue,
    Args: Arguments<'a>,
{
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let (function, captures) = (&target.function, target.captures.len());
    let wrt = |at: usize| at.checked_sub(captures).is_some_and(wrt);
    let of = PullbackRequest { func: function.symbol, wrt: &wrt, bound };
    let own = |value: &Value<'static>| floats(&function.split(value.clone()).0).len();
    let (value, rows) = route::gradients(engine(), &of, owned_values(target, values), &own)?;
    let rows = rows.into_iter().map(|mut row| row.split_off(captures)).collect();
    Ok((finish(function, value, write_backs)?, rows))
}

fn typed<'a, Args: Arguments<'a> + Floats>(rows: Vec<Vec<Value<'static>>>) -> Result<Vec<Args::Of>, Error> {
    let typed = rows.into_iter().map(|row| Args::floats_of(Value::tuple(row)));
    typed.collect::<Result<_, _>>().map_err(|error| Error::new(error.to_string()))
}
