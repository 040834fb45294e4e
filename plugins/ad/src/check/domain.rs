//! Strategies for inputs by type: numbers within bounds, at any depth.

use std::sync::Arc;

use overdub_context::ir::{IntTy, NominalBody, Ty, TyKind};
use overdub_context::value::{Array, Composite, Value};
use overdub_lower::api::Target;
use proptest::prelude::*;
use thiserror::Error;

/// Why there is no strategy for a type.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum DomainError {
    /// The number of bounds is not that of the parameters.
    #[error("`{func}` takes {params} arguments, and there are bounds for {bounds}")]
    Count {
        /// The function.
        func: String,
        /// The number of its parameters.
        params: usize,
        /// The number of bounds.
        bounds: usize,
    },
    /// The lower bound is not below the upper.
    #[error("the bounds of `{param}` are {low} and {high}: the first has to be below the second")]
    Bounds {
        /// The parameter.
        param: String,
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// There is no strategy for values of this type.
    #[error("`{param}` is of type `{}`, of which no inputs are made up", ty.in_rust())]
    Type {
        /// The parameter.
        param: String,
        /// Its type.
        ty: Ty,
    },
}

/// The range of the lengths of arrays.
const LENGTH: std::ops::RangeInclusive<usize> = 1..=6;

/// A strategy for arguments of a function, with numbers within bounds: a pair of bounds for each parameter.
///
/// # Errors
/// If the bounds do not fit the parameters, or a type has no strategy.
pub fn arguments_in(
    target: &Target,
    bounds: &[(f64, f64)],
) -> Result<BoxedStrategy<Vec<Value<'static>>>, DomainError> {
    let params = &target.function.params;
    if params.len() != bounds.len() {
        let func = target.function.symbol.to_string();
        return Err(DomainError::Count { func, params: params.len(), bounds: bounds.len() });
    }
    let each = params.iter().zip(bounds).map(|(param, (low, high))| {
        let name = || param.name.to_string();
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(DomainError::Bounds { param: name(), low: *low, high: *high });
        }
        values_of(param.ir_ty, (*low, *high))
            .ok_or_else(|| DomainError::Type { param: name(), ty: param.ir_ty })
    });
    Ok(each.collect::<Result<Vec<_>, _>>()?.boxed())
}

type Values = BoxedStrategy<Value<'static>>;

fn values_of(ty: Ty, bounds: (f64, f64)) -> Option<Values> {
    let (low, high) = bounds;
    Some(match ty.kind() {
        TyKind::Unit => Just(Value::Unit).boxed(),
        TyKind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        TyKind::Float(_) if ty == Ty::f32() => (low as f32..high as f32).prop_map(Value::F32).boxed(),
        TyKind::Float(_) => (low..high).prop_map(Value::F64).boxed(),
        TyKind::Int(int) => {
            let (int, (least, most)) = (*int, range_of(*int));
            let low = (low.ceil() as i128).clamp(least, most);
            let high = (high.floor() as i128).clamp(low, most);
            (low..=high).prop_map(move |n| Value::int(int, n)).boxed()
        }
        TyKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| values_of(*part, bounds)).collect::<Option<Vec<_>>>()?;
            parts.prop_map(Value::tuple).boxed()
        }
        TyKind::Array(array) if array.rank == 1 => {
            let elem = array.elem;
            let of = move |elems| Array::from_values(elem, elems).map_or(Value::Unit, Value::from);
            proptest::collection::vec(values_of(elem, bounds)?, LENGTH).prop_map(of).boxed()
        }
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body()? {
            NominalBody::Struct(fields) => variant(ty, 0, fields.iter().map(|field| field.ty), bounds)?,
            NominalBody::Enum(variants) => {
                // A recursive type is cut off at some depth.
                let flat = variants.iter().enumerate().filter_map(|(tag, of)| {
                    let tys: Vec<Ty> = of.fields.iter().map(|field| field.ty).collect();
                    let is_recursive = tys.contains(&ty);
                    if is_recursive {
                        None
                    } else {
                        variant(ty, u32::try_from(tag).ok()?, tys.into_iter(), bounds)
                    }
                });
                let flat: Vec<Values> = flat.collect();
                if flat.is_empty() {
                    return None;
                }
                proptest::strategy::Union::new(flat).boxed()
            }
        },
        _ => return None,
    })
}

fn variant(ty: Ty, tag: u32, parts: impl Iterator<Item = Ty>, bounds: (f64, f64)) -> Option<Values> {
    let parts = parts.map(|part| values_of(part, bounds)).collect::<Option<Vec<_>>>()?;
    let of = move |parts: Vec<Value<'static>>| {
        Value::Composite(Arc::new(Composite { ty: Some(ty), tag, parts: parts.into() }))
    };
    Some(parts.prop_map(of).boxed())
}

/// The least and the greatest integer of a type that fit an `i64`.
fn range_of(int: IntTy) -> (i128, i128) {
    let bits = int.bits().min(64) - u32::from(int.is_signed());
    let most = ((1_i128 << bits) - 1).min(i128::from(i64::MAX));
    (if int.is_signed() { -most - 1 } else { 0 }, most)
}
