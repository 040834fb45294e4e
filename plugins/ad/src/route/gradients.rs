//! The gradients of all floats of a result.

use overdub_context::Failure;
use overdub_context::engine::Engine;
use overdub_context::value::Value;

use super::{PullbackRequest, pullback};
use crate::TapeBound;
use crate::transform::reverse::Transformed;

/// What a function returns, and for each float of its result a derivative in the shape of each argument.
type ValueAndGradients = (Value<'static>, Vec<Vec<Value<'static>>>);

/// The value of a function and the gradients of its result: in one reverse sweep, or by a pullback for each. `rows` is the number of
/// floats of the function's own result.
///
/// # Errors
/// If the program fails, or a function has no derivative.
pub(crate) fn gradients(
    engine: &Engine,
    of: &PullbackRequest<'_>,
    args: Vec<Value<'static>>,
    rows: &dyn Fn(&Value<'static>) -> usize,
) -> Result<ValueAndGradients, Failure> {
    if let Some((value, mut found)) = in_one_sweep(engine, of, &args)? {
        found.truncate(rows(&value));
        return Ok((value, found));
    }
    let (value, pulled) = pullback(engine, &(), of, args, |value, pullback| Ok((value, pullback)))?;
    let count = rows(&value);
    let found = (0..count).map(|row| {
        let mut seeds = vec![0.0; count];
        seeds[row] = 1.0;
        pulled.pull(&seeds)
    });
    let found = found.collect::<Result<_, _>>()?;
    Ok((value, found))
}

/// The gradients in one reverse sweep, if the transformation is possible, and the type of the result tells how many there are. A
/// sweep within a memory has one direction.
pub(super) fn in_one_sweep(
    engine: &Engine,
    of: &PullbackRequest<'_>,
    args: &[Value<'static>],
) -> Result<Option<ValueAndGradients>, Failure> {
    let limit = match of.bound {
        TapeBound::Unbounded => None,
        TapeBound::Limit(bytes) => Some(bytes),
        TapeBound::Memory(_) => return Ok(None),
    };
    match Transformed::gradients(engine, of.func, of.wrt, limit) {
        Ok(transformed) => transformed.rows(args.to_vec()).map(Some),
        Err(_) => Ok(None),
    }
}
