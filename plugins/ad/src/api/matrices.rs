//! Typed Jacobians, Hessians, and Hessian-vector products.

use ndarray::Array2;
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Target, TransferredArgs};

use super::by_value;
use super::engine::engine;
use super::forward::tangents_of;
use crate::TapeBound;
use crate::flatten::{floats, with_floats};
use crate::route::{self, HvpRoute};
use crate::shape::owned_values;

/// The derivative of each float of a function's result (a row) with respect to each float of its arguments (a
/// column), both in order. Few columns are computed in forward mode, several in each run; few rows in reverse
/// mode.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::jacobian;
///
/// #[dub]
/// fn polar(r: f64, phi: f64) -> (f64, f64) { (r * phi.cos(), r * phi.sin()) }
///
/// let j = jacobian(polar, (2.0, 0.0))?;
/// assert_eq!(j, ndarray::arr2(&[[1.0, 0.0], [0.0, 2.0]]));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// If the function panics or has no derivative.
pub fn jacobian<'a, F, Args>(func: F, args: Args) -> Result<Array2<f64>, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine());
    let all = owned_values(&target, target.transfer(args)?.values);
    let captured = captured(&target);
    jacobian_of(&target, all, &|number| number >= captured)
}

/// The Jacobian of a function at all values that it takes, with respect to those of their floats that are `active`.
pub(super) fn jacobian_of(
    target: &Target,
    args: Vec<Value<'static>>,
    active: &dyn Fn(usize) -> bool,
) -> Result<Array2<f64>, Error> {
    // DERIV2: the function's own results come first.
    let rows = |value: &Value<'static>| floats(&target.function.split(value.clone()).0).len();
    Ok(route::jacobian(engine(), target.function.symbol, args, active, &rows, TapeBound::Unbounded)?.matrix)
}

/// The number of floats that a function captured.
pub(super) fn captured(target: &Target) -> usize {
    target.captures.iter().map(|value| floats(value).len()).sum()
}

/// The second derivatives of a function that returns a float, with respect to each pair of floats of its
/// arguments.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::hessian;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * x * y }
///
/// assert_eq!(hessian(f, (3.0, 5.0))?, ndarray::arr2(&[[10.0, 6.0], [6.0, 0.0]]));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// As [`gradient`](super::gradient).
pub fn hessian<'a, F, Args>(func: F, args: Args) -> Result<Array2<f64>, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine());
    let all = owned_values(&target, target.transfer(args)?.values);
    let captured = captured(&target);
    hessian_of(&target, all, &|number| number >= captured)
}

/// The Hessian of a function at all values that it takes, with respect to those of their floats that are `active`.
pub(super) fn hessian_of(
    target: &Target,
    args: Vec<Value<'static>>,
    active: &dyn Fn(usize) -> bool,
) -> Result<Array2<f64>, Error> {
    let (symbol, ret) = (target.function.symbol, target.function.ir_ret);
    let found = by_value::hessian_in(engine(), symbol, args, ret, active)?;
    let size = found.rows.len();
    Ok(Array2::from_shape_fn((size, size), |(row, column)| found.rows[row][column]))
}

/// A Hessian-vector product: the tangent of the gradient for tangents of the arguments. It costs a few gradients,
/// whatever the number of arguments.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::hvp;
///
/// #[dub]
/// fn f(x: f64, y: f64) -> f64 { x * x * y }
///
/// assert_eq!(hvp(f, (3.0, 5.0), (1.0, 0.0))?, (10.0, 6.0));
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// As [`gradient`](super::gradient), or if a tangent does not have the shape of its argument.
pub fn hvp<'a, 't, F, Args, Tangents>(func: F, args: Args, tangents: Tangents) -> Result<Args::Of, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
    Tangents: Arguments<'t>,
{
    let target = func.target()?.in_engine(engine());
    let all_active = |_: &[Value<'static>]| Ok(Box::new(|_| true) as Active);
    let products = products(&hvp_route(&target)?, &target, args, tangents, &all_active)?;
    Args::floats_of(Value::tuple(products)).map_err(|error| Error::new(error.to_string()))
}

/// The engine of Hessian-vector products of a function; captured values are constant (DERIV3).
pub(super) fn hvp_route(target: &Target) -> Result<HvpRoute, Error> {
    let captures = target.captures.len();
    let (symbol, ret) = (target.function.symbol, target.function.ir_ret);
    Ok(HvpRoute::new(engine(), symbol, ret, &|at| at >= captures)?)
}

/// Whether a float is differentiated, by its number among all floats that a function takes.
pub(super) type Active = Box<dyn Fn(usize) -> bool>;

/// A Hessian-vector product: one value for each argument. The floats that are not active are constant.
pub(super) fn products<'a, 't>(
    route: &HvpRoute,
    target: &Target,
    args: impl Arguments<'a>,
    tangents: impl Arguments<'t>,
    active: &dyn Fn(&[Value<'static>]) -> Result<Active, Error>,
) -> Result<Vec<Value<'static>>, Error> {
    let TransferredArgs { values, .. } = target.transfer(args)?;
    let args = owned_values(target, values);
    let active = active(&args)?;
    let tangents = masked(&tangents_of(target, &args, tangents.transfer().values)?, &*active)?;
    let products = masked(&route.run(&args, &tangents)?, &*active)?;
    Ok(products.into_iter().skip(target.captures.len()).collect())
}

/// The values, with zeros in place of the floats that are not `active`.
pub(super) fn masked(
    values: &[Value<'static>],
    active: &dyn Fn(usize) -> bool,
) -> Result<Vec<Value<'static>>, Error> {
    let mut number = 0;
    let masked = values.iter().map(|value| {
        let masked_floats = floats(value).into_iter().map(|float| {
            number += 1;
            if active(number - 1) { float } else { 0.0 }
        });
        Ok(with_floats(value, &mut masked_floats.collect::<Vec<_>>().into_iter())?)
    });
    masked.collect()
}
