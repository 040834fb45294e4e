//! The shapes of derivatives: those of the values that they belong to.

use overdub_ad::flatten::{count_floats, floats, with_floats};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

/// Whether a derivative has the shape of its value. If the value holds no float, the derivative must hold none.
pub(crate) fn fits(primal: &Value<'_>, derivative: &Value<'_>) -> bool {
    match (primal, derivative) {
        (Value::F64(_) | Value::F32(_), Value::F64(_) | Value::F32(_)) => true,
        (Value::Array(primal), Value::Array(derivative)) => {
            let are_floats = primal.as_f64s().is_some() && derivative.as_f64s().is_some();
            let mut parts = primal.iter().zip(derivative.iter());
            primal.shape() == derivative.shape() && (are_floats || parts.all(|(x, dx)| fits(&x, &dx)))
        }
        (Value::Composite(primal), Value::Composite(derivative)) => {
            let mut parts = primal.parts.iter().zip(&derivative.parts);
            let is_same_form = primal.tag == derivative.tag && primal.parts.len() == derivative.parts.len();
            is_same_form && parts.all(|(x, dx)| fits(x, dx))
        }
        (primal, derivative) => count_floats(primal) == 0 && count_floats(derivative) == 0,
    }
}

/// Checks that a derivative has the shape of its value; `what` names it.
pub(crate) fn check_shape(what: &str, primal: &Value<'_>, derivative: &Value<'_>) -> Result<(), Failure> {
    if fits(primal, derivative) {
        return Ok(());
    }
    let described = |value: &Value<'_>| format!("a `{}` with {} floats", value.ty(), count_floats(value));
    let message = format!("{what} is {}, and belongs to {}", described(derivative), described(primal));
    let help = "give it the shape of what it belongs to: a number for each float, `()` for what is none";
    Err(Failure::new(FailureKind::Type, message).with_help(Some(help.to_owned())))
}

/// The value with zeros in place of its floats.
pub(crate) fn zeros(value: &Value<'_>) -> Result<Value<'static>, Failure> {
    with_floats(&value.clone().into_owned(), &mut std::iter::repeat(0.0))
}

/// The value, with cells of its own in place of those that it shares.
pub(crate) fn with_own_cells(value: &Value<'static>) -> Result<Value<'static>, Failure> {
    with_floats(value, &mut floats(value).into_iter())
}
