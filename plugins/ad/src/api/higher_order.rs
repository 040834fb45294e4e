//! Higher-order derivatives by nested dual numbers.

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lower::api::{Callable, Error};

use super::engine::engine;
use crate::dual::Duals;
use crate::flatten;
use crate::float_pair::pair_value;

/// The derivative of a function of one number.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::derivative;
///
/// #[dub]
/// fn f(x: f64) -> f64 { x.sin() }
///
/// assert_eq!(derivative(f, 1.0)?, 1.0_f64.cos());
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// If the function panics or has no derivative.
pub fn derivative<F>(func: F, x: f64) -> Result<f64, Error>
where
    F: Callable<(f64,), Output = f64>,
{
    Ok(derivatives(func, x, 1)?[1])
}

/// The value of a function of one number and its derivatives up to this order, by nested dual numbers.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::derivatives;
///
/// #[dub]
/// fn f(x: f64) -> f64 { x.powi(3) }
///
/// assert_eq!(derivatives(f, 2.0, 4)?, [8.0, 12.0, 12.0, 6.0, 0.0]);
/// # Ok::<(), overdub::Error>(())
/// ```
///
/// # Errors
/// As [`derivative`], or if the order is more than 16: each order doubles the cost.
pub fn derivatives<F>(func: F, x: f64, order: usize) -> Result<Vec<f64>, Error>
where
    F: Callable<(f64,), Output = f64>,
{
    if order > 16 {
        let message = format!("a derivative of order {order} takes 2^{order} times what the function takes");
        return Err(Error::new(message).with_help("take derivatives of order 16 at most"));
    }
    let target = func.target()?.in_engine(engine());
    let y = nested(engine(), target.function.symbol, &target.captures, x, order)?;
    let missing = || Error::new(format!("`{}` returns no float", target.function.symbol));
    (0..=order).map(|k| coefficient(&y, order, k).ok_or_else(missing)).collect()
}

/// The result of a function under `order` nested levels of dual numbers, at a number whose derivative is 1 at
/// each level.
fn nested(
    engine: &Engine,
    func: Symbol,
    captures: &[Value<'static>],
    x: f64,
    order: usize,
) -> Result<Value<'static>, Failure> {
    let mut name = func;
    let mut number = Value::F64(x);
    let mut tys = param_tys(engine, name)?;
    if tys.len() != captures.len() + 1 {
        return Err(Failure::new(FailureKind::Type, format!("`{func}` does not take one number")));
    }
    for _ in 0..order {
        let inner = tys[captures.len()];
        name = Duals::ONE.context().specialize(engine, name).0;
        tys = param_tys(engine, name)?;
        number = pair_value(tys[captures.len()], number, flatten::constant(Value::F64(1.0), inner)?);
    }
    // DERIV3
    let captured = captures.iter().zip(&tys);
    let captured = captured.map(|(value, ty)| flatten::lift(value.clone(), *ty, &mut flatten::constant));
    let args = captured.chain([Ok(number)]).collect::<Result<_, _>>()?;
    engine.run(name, args)
}

fn param_tys(engine: &Engine, name: Symbol) -> Result<Vec<Ty>, Failure> {
    let func = engine.module().func(name)?.ok_or_else(|| LoadError::missing(name))?;
    Ok(func.param_tys().collect())
}

/// The derivative of order `k`: the tangent at `k` of the levels, and the number at the others.
fn coefficient(y: &Value<'_>, order: usize, k: usize) -> Option<f64> {
    let mut at = y.clone();
    for level in 0..order {
        let carried = usize::from(level < k);
        at = at.as_composite()?.parts.get(carried)?.clone();
    }
    at.as_f64()
}
