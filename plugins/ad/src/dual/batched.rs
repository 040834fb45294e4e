//! Dual numbers with several tangents: forward mode along several directions in one run.

use overdub_context::engine::{Engine, Layers};
use overdub_context::ir::{Nominal, Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};

use super::Duals;
use crate::augment::Augmented;
use crate::domain_call::DomainCall;
use crate::flatten;
use crate::float_pair::pair_value;

/// The value of a function and its partial derivatives with respect to the floats of these numbers: a column for each, with
/// an entry for each float of the result.
pub(crate) fn columns(
    engine: &Engine,
    func: Symbol,
    args: Vec<Value<'static>>,
    numbers: &[usize],
) -> Result<(Value<'static>, Vec<Vec<f64>>), Failure> {
    let direction = |number: usize, k: usize| if number == numbers[k] { 1.0 } else { 0.0 };
    tangents_along(engine, &(), (func, args), numbers.len(), &direction, Ok)
}

/// A value, and the tangents of its floats for each direction.
pub(crate) type Slopes = (Value<'static>, Vec<Vec<f64>>);

/// The value of a function and its tangents along `width` directions; the component of a float in direction
/// `k` is `direction(number, k)`. `read` turns both into what the surrounding contexts return.
pub(crate) fn tangents_along<O: Layers, X>(
    engine: &Engine,
    enclosing: &O,
    (func, args): (Symbol, Vec<Value<'static>>),
    width: usize,
    direction: &dyn Fn(usize, usize) -> f64,
    read: impl FnOnce(Slopes) -> Result<X, Failure>,
) -> Result<O::Of<X>, Failure> {
    let duals = Duals::with_width(width);
    let cx = (enclosing.clone(), duals.context());
    let mapped = DomainCall::new(engine, &cx, func)?;
    let mut number = 0;
    let args = mapped.lift(args, &mut |x, ty| {
        let this = number;
        number += 1;
        Ok(seeded(x, ty, (0..width).map(|k| direction(this, k))))
    })?;
    let ran = mapped.run(args)?;
    mapped.close(ran, |result| {
        let pairs = [Ty::f64(), Ty::f32()].map(|float| Augmented::new(duals).pair(float));
        let mut columns = vec![Vec::new(); width];
        flatten::each_pair(&result, &|ty| pairs.contains(&ty), &mut |pair| {
            for (direction, column) in columns.iter_mut().enumerate() {
                column.extend(pair.get(1).and_then(|carried| part(carried, direction)));
            }
        });
        read((flatten::without_attachments(result, mapped.primal_ret)?, columns))
    })
}

/// A dual number with several tangents.
fn seeded(x: Value<'static>, ty: Ty, directions: impl Iterator<Item = f64>) -> Value<'static> {
    let is_f32 = matches!(x, Value::F32(_));
    let mut parts = directions.map(|dx| if is_f32 { Value::F32(dx as f32) } else { Value::F64(dx) });
    let fields = ty.as_nominal().and_then(Nominal::fields).unwrap_or_default();
    let is_tuple = fields.get(1).is_some_and(|field| matches!(field.ty.kind(), TyKind::Tuple(_)));
    let carried = if is_tuple { Value::tuple(parts) } else { parts.next().unwrap_or(Value::Unit) };
    pair_value(ty, x, carried)
}

fn part(carried: &Value<'_>, direction: usize) -> Option<f64> {
    match carried {
        Value::F64(dx) => Some(*dx),
        Value::F32(dx) => Some(f64::from(*dx)),
        Value::Composite(tuple) => part(tuple.parts.get(direction)?, 0),
        _ => None,
    }
}
