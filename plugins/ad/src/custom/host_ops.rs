//! The operations that call host closures in transformed code, in which cotangents and tangents are values
//! separate from the primal ones.

use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use super::apply::{OwnedValue, opened, pulled, pushforward_by_reverse, valued};
use super::table::Site;
use crate::cotangent::{cotangent, seed};
use crate::flatten::{floats, with_floats};

/// What a function returns under differentiation by its rule; takes the number of its site, and the
/// arguments.
pub(crate) static VALUED: OpDef = OpDef {
    name: "ad.rule.valued",
    arity: Arity::AtLeast(1),
    ty: declared,
    effects: Effects::CALLS,
    eval: |cx, args| {
        let (site, args) = opened(args)?;
        valued(cx, site, &owned(args))
    },
    doc: "The result of a function by its rule: the number of its site, and the arguments.",
};

/// The cotangents of all arguments by a rule: the number of its site, the result, its cotangent, the arguments.
pub(crate) static PULLED: OpDef = OpDef {
    name: "ad.rule.pulled",
    arity: Arity::AtLeast(3),
    ty: declared,
    effects: Effects::CALLS,
    eval: pull,
    doc: "The cotangents of all arguments by a rule: the number of the site, the result, its cotangent, the arguments.",
};

/// The result by a rule and its tangent: the number of its site, the arguments, a tangent of each.
pub(crate) static PUSHED: OpDef = OpDef {
    name: "ad.rule.pushed",
    arity: Arity::AtLeast(1),
    ty: declared,
    effects: Effects::CALLS,
    eval: push_forward,
    doc: "The result by a rule and its tangent: the number of the site, the arguments, a tangent of each.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.declared.ok_or_else(|| TypeFault::takes("the number of a rule and values, the result declared"))
}

fn owned(args: &[Value<'_>]) -> Vec<OwnedValue> {
    args.iter().cloned().map(Value::into_owned).collect()
}

#[cold]
fn too_few() -> Failure {
    Failure::new(FailureKind::Host, "a rule is applied to too few values")
}

/// The floats of derivatives of these values, in order, as derivatives of the values' own types.
fn shaped<'v>(
    values: impl IntoIterator<Item = (&'v OwnedValue, Ty)>,
    found: Vec<f64>,
) -> Result<Vec<OwnedValue>, Failure> {
    let mut found = found.into_iter();
    let no_type = |_| Failure::new(FailureKind::Type, "a rule is applied to what has no cotangents");
    let each = values.into_iter().map(|(value, ty)| {
        let dty = cotangent(ty).map_err(no_type)?;
        seed(value, dty, &mut found)
    });
    each.collect()
}

fn pull<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (site, rest) = opened(args)?;
    let [y, dy, args @ ..] = rest else { return Err(too_few()) };
    let (y, args) = (y.clone().into_owned(), owned(args));
    let found = pulled(&site.rule, &args, &y, &floats(dy))?;
    Ok(Value::tuple(shaped(args.iter().zip(site.params.iter().copied()), found)?))
}

fn push_forward<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (site, rest) = opened(args)?;
    let (args, tangents) = rest.split_at_checked(site.params.len()).ok_or_else(too_few)?;
    let primals = owned(args);
    let direction_args =
        primals.iter().zip(tangents).map(|(x, dx)| with_floats(x, &mut floats(dx).into_iter()));
    let direction_args = direction_args.collect::<Result<Vec<_>, _>>()?;
    let (y, slope) = match &site.rule.forward {
        Some(forward) => forward(&primals, &direction_args)?,
        None => pushforward_by_reverse(cx, site, &primals, &direction_args)?,
    };
    let dy = shaped([(&y, site.ret)], floats(&slope))?.pop().unwrap_or(Value::Unit);
    Ok(Value::tuple([y, dy]))
}

impl Site {
    /// Whether the rule has derivatives, and the function's values are determined by their floats.
    pub(crate) fn is_flat(&self) -> bool {
        let has_derivative = self.rule.forward.is_some() || self.rule.reverse.is_some();
        let reads = |ty: &Ty| cotangent(*ty).is_ok_and(is_read);
        has_derivative && self.params.iter().chain([&self.ret]).all(reads)
    }
}

/// Whether a value's floats determine a cotangent of this type: not if it holds an enum.
pub(crate) fn is_read(dty: Ty) -> bool {
    match dty.kind() {
        TyKind::Float(_) | TyKind::Unit => true,
        TyKind::Tuple(parts) => parts.iter().all(|part| is_read(*part)),
        TyKind::Array(array) => matches!(array.elem.kind(), TyKind::Float(_)),
        _ => false,
    }
}
