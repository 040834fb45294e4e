//! Shape checks of tangents and cotangents against their values.

use overdub_context::Failure;
use overdub_context::value::Value;
use overdub_lower::api::{Error, Target};

use crate::flatten::{floats, with_floats};

/// Whether a derivative has the shape of its value. If the value holds no float, the derivative must hold
/// none.
fn fits(primal: &Value<'_>, derivative: &Value<'_>) -> bool {
    match (primal, derivative) {
        (Value::F64(_) | Value::F32(_), Value::F64(_) | Value::F32(_)) => true,
        (Value::Array(primal), Value::Array(derivative)) => {
            primal.shape() == derivative.shape()
                && (primal.as_f64s().is_some() && derivative.as_f64s().is_some()
                    || primal
                        .iter()
                        .zip(derivative.iter())
                        .all(|(primal, derivative)| fits(&primal, &derivative)))
        }
        (Value::Composite(primal), Value::Composite(derivative)) => {
            primal.tag == derivative.tag
                && primal.parts.len() == derivative.parts.len()
                && primal
                    .parts
                    .iter()
                    .zip(&derivative.parts)
                    .all(|(primal, derivative)| fits(primal, derivative))
        }
        (primal, derivative) => floats(primal).is_empty() && floats(derivative).is_empty(),
    }
}

/// Checks that a derivative has the shape of its value; `what` names both: "the cotangent of the result".
///
/// # Errors
/// If it has another shape.
pub(crate) fn check_shape(what: &str, primal: &Value<'_>, derivative: &Value<'_>) -> Result<(), Error> {
    if fits(primal, derivative) {
        return Ok(());
    }
    let described = |value: &Value<'_>| format!("a `{}` with {} floats", value.ty(), floats(value).len());
    let message = format!("{what} is {}, and belongs to {}", described(derivative), described(primal));
    let help = "give it the shape of what it belongs to: a number for each float, `()` for what is none";
    Err(Error::new(message).with_help(help))
}

/// The zero derivative of a value.
pub(crate) fn zeros(primal: &Value<'static>) -> Result<Value<'static>, Failure> {
    with_floats(primal, &mut std::iter::repeat(0.0))
}

/// All values that a function takes, as owned values: captures first.
pub(crate) fn owned_values(target: &Target, values: Vec<Value<'_>>) -> Vec<Value<'static>> {
    target.values(values).into_iter().map(Value::into_owned).collect()
}
