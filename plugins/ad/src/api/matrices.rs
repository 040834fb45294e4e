//! Jacobians, Hessians, and products with them.

use ndarray::Array2;
use overdub_context::value::{Floats, FromValue, Value};
use overdub_lower::api::{Arguments, Callable, Error, Handed, Target};

use super::chunked::columns;
use super::engine::engine;
use super::forward::tangents_of;
use super::own;
use crate::api::by_value::{self, no_float, payload};
use crate::augment::is_float;
use crate::flatten::{floats, with_floats};
use crate::tape::{self, vjp_of_jvp};
use crate::transform::forward::Hvp;

/// So many directions at once.
const CHUNK: usize = 8;

/// The derivative of each float of a function's result (a row) in each float of its arguments (a column), both in
/// order. Few arguments go forward, several directions at once; few results go in reverse.
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
/// Where the function panics or has no derivative.
pub fn jacobian<'a, F, Args>(func: F, args: Args) -> Result<Array2<f64>, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine());
    let args = own(&target, target.hand_over(args)?.values);
    let (captures, all) = widths(&target, &args);
    let symbol = target.function.symbol;
    let count = all - captures;
    let rows = |value| floats(&target.function.split(value).0).len();
    if count > CHUNK {
        let recorded = tape::vjp(engine(), symbol, args.clone())?;
        let rows = rows(recorded.value.clone());
        if rows <= count {
            return backward(&recorded.pullback, captures, (rows, count));
        }
    }
    if count == 0 {
        return Ok(Array2::zeros((rows(engine().run(symbol, args)?), 0)));
    }
    let mut matrix = Array2::zeros((0, count));
    for from in (captures..all).step_by(CHUNK) {
        let (value, found) = columns(engine(), symbol, args.clone(), from, CHUNK.min(all - from))?;
        if from == captures {
            matrix = Array2::zeros((rows(value), count));
        }
        for (column, found) in (from - captures..).zip(found) {
            // K2: results of the function's own come first.
            matrix.column_mut(column).iter_mut().zip(found).for_each(|(place, dy)| *place = dy);
        }
    }
    Ok(matrix)
}

/// A row of the Jacobian for each result.
fn backward(
    pullback: &tape::TapePullback,
    captures: usize,
    shape: (usize, usize),
) -> Result<Array2<f64>, Error> {
    let mut matrix = Array2::zeros(shape);
    for (row, mut places) in matrix.rows_mut().into_iter().enumerate() {
        let mut seeds = vec![0.0; pullback.outputs()];
        seeds[row] = 1.0;
        let found = pullback.pull_floats(&seeds)?;
        places.iter_mut().zip(&found[captures..]).for_each(|(place, dx)| *place = *dx);
    }
    Ok(matrix)
}

/// How many floats a function captured, and how many it takes in all.
fn widths(target: &Target, args: &[Value<'static>]) -> (usize, usize) {
    let count = |values: &[Value<'static>]| values.iter().map(|value| floats(value).len()).sum();
    (count(&args[..target.captures.len()]), count(args))
}

fn check_one_float(target: &Target) -> Result<(), Error> {
    let (symbol, ret) = (target.function.symbol, target.function.ir_ret);
    if is_float(payload(ret)) { Ok(()) } else { Err(no_float(symbol, ret).into()) }
}

/// The second derivatives of a function that returns a float, in each two floats of its arguments.
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
    let args = own(&target, target.hand_over(args)?.values);
    let (captures, all) = widths(&target, &args);
    let (symbol, ret) = (target.function.symbol, target.function.ir_ret);
    let found = by_value::hessian(engine(), symbol, args, ret)?;
    let size = all - captures;
    Ok(Array2::from_shape_fn((size, size), |(row, column)| found.rows[captures + row][captures + column]))
}

/// The product of a function's Hessian with a direction: how the gradient changes as the arguments do along their
/// tangents. It takes a few times what a gradient takes, whatever the number of arguments.
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
/// As [`gradient`](super::gradient), and where a tangent does not have the shape of its argument.
pub fn hvp<'a, 't, F, Args, Tangents>(func: F, args: Args, tangents: Tangents) -> Result<Args::Of, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a> + Floats,
    Tangents: Arguments<'t>,
{
    let target = func.target()?.in_engine(engine());
    check_one_float(&target)?;
    let Handed { values, .. } = target.hand_over(args)?;
    let args = own(&target, values);
    let tangents = tangents_of(&target, &args, tangents.hand_over().values)?;
    if let Some(products) = curved(&target, &args, &tangents) {
        return Args::floats_of(Value::tuple(products)).map_err(|error| Error::new(error.to_string()));
    }
    let direction: Vec<f64> = tangents.iter().flat_map(floats).collect();
    let recorded = vjp_of_jvp(engine(), target.function.symbol, args.clone(), &direction)?;
    // The first float of the result, and its change.
    let mut seeds = vec![0.0; recorded.pullback.outputs()];
    seeds.iter_mut().skip(1).take(1).for_each(|seed| *seed = 1.0);
    let mut found = recorded.pullback.pull_floats(&seeds)?.into_iter();
    let products = args.iter().map(|arg| with_floats(arg, &mut found)).collect::<Result<Vec<_>, _>>()?;
    let products = products.into_iter().skip(target.captures.len());
    Args::floats_of(Value::tuple(products)).map_err(|error| Error::new(error.to_string()))
}

/// The products for the arguments by transformation alone; nothing where it does not go, or the program fails.
fn curved(
    target: &Target,
    args: &[Value<'static>],
    tangents: &[Value<'static>],
) -> Option<Vec<Value<'static>>> {
    let captures = target.captures.len();
    let curved = Hvp::new(engine(), target.function.symbol, &|at| at >= captures).ok()?;
    let mut direction = tangents[captures..].iter().flat_map(floats);
    let mut products = curved.run(args.to_vec(), &mut direction).ok()?;
    Some(products.split_off(captures))
}
