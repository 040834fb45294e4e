//! The application of custom rules: the replacement of a function with a rule, and the operations that call
//! host closures.

use std::sync::Arc;

use overdub_context::engine::{CallSite, Lifted};
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Closure, Code, Parts, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use super::table::{Rule, Site, library_rule, number_of, rule_for, site, site_at};
use crate::annotations::{
    CHECKPOINT, CHECKPOINT_SAVING, REPLACE_GRADIENT, STOP, STOP_GRADIENT, is_annotation,
};
use crate::wengert_list::record_block;

use super::callback::annotation_func;
use crate::flatten::{self, floats, with_floats};

/// A call of a function with a rule: the number of its site, and the arguments.
pub(crate) static RULE: OpDef = OpDef {
    name: "ad.rule",
    arity: Arity::AtLeast(1),
    ty: declared,
    effects: Effects::CALLS,
    eval: |cx, args| {
        let (site, args) = opened(args)?;
        primal(cx, site, args)
    },
    doc: "A call of a function with a rule: the number of its site, and the arguments.",
};

/// A call of a function with a rule, on dual numbers.
pub(crate) static FORWARD: OpDef = OpDef {
    name: "ad.rule.forward",
    arity: Arity::AtLeast(1),
    ty: declared,
    effects: Effects::CALLS,
    eval: forward,
    doc: "A call of a function by its rule, on dual numbers.",
};

/// A call of a function with a rule, on recorded numbers.
pub(crate) static BACKWARD: OpDef = OpDef {
    name: "ad.rule.backward",
    arity: Arity::AtLeast(1),
    ty: declared,
    effects: Effects::CALLS,
    eval: backward,
    doc: "A call of a function by its rule, on numbers with tape entries.",
};

fn declared(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.declared.ok_or_else(|| TypeFault::takes("the number of a rule and arguments, the result declared"))
}

/// The refusal to differentiate a host closure again (RULE2).
pub(crate) fn refused() -> Lifted {
    let reason = "its rule is a closure of the host, which is not differentiated again".to_owned();
    let help = "give the rule as a function that overdub sees: `.partials(df)` or `.pullback(f)`".to_owned();
    Lifted::Refused { reason, help: Some(help) }
}

/// A refusal: the types of the partial derivatives do not fit the function.
pub(crate) fn misfit(site: &Site) -> Lifted {
    let params: Vec<String> = site.params.iter().map(Ty::to_string).collect();
    let reason =
        format!("the rule for `{}` does not fit `({}) -> {}`", site.func, params.join(", "), site.ret);
    let help = "partial derivatives are for numbers, of the types that the function takes".to_owned();
    Lifted::Refused { reason, help: Some(help) }
}

/// Whether a function has a derivative other than that of its body.
pub(crate) fn has_rule(func: Symbol) -> bool {
    let marks = [STOP_GRADIENT, REPLACE_GRADIENT, CHECKPOINT, CHECKPOINT_SAVING];
    marks.iter().any(|mark| is_annotation(func, mark)) || rule_for(func).is_some()
}

/// A derivative that is not that of the function's body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CustomDerivative {
    /// A registered rule: it may depend on any argument.
    Rule,
    /// [`replace_gradient`](crate::annotations::replace_gradient): its pullback need not be linear, so it is
    /// excluded from Jacobians.
    Replaced,
}

/// The derivative that a function has instead of that of its body, if any.
///
/// ```
/// use overdub_ad::custom::custom_derivative;
///
/// assert_eq!(custom_derivative("plain".into()), None);
/// ```
pub fn custom_derivative(func: Symbol) -> Option<CustomDerivative> {
    if is_annotation(func, REPLACE_GRADIENT) {
        return Some(CustomDerivative::Replaced);
    }
    rule_for(func).is_some().then_some(CustomDerivative::Rule)
}

/// The direction in which derivatives are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Forward,
    Backward,
}

/// The replacement of a function with a custom rule.
pub(crate) fn replaced(func: Symbol, params: &[Ty], ret: Ty, mode: Mode) -> Option<Arc<Func>> {
    if is_annotation(func, STOP_GRADIENT) {
        return stopped(params, ret);
    }
    let runs_again = is_annotation(func, CHECKPOINT) || is_annotation(func, CHECKPOINT_SAVING);
    if is_annotation(func, REPLACE_GRADIENT) || runs_again && mode == Mode::Backward {
        return annotation_func(func, params, ret);
    }
    let rule = rule_for(func).or_else(|| library_rule(func, params, ret))?;
    let number = number_of(func, params, ret, &rule);
    let mut build = FuncBuilder::new(Symbol::new(&format!("ad.rule.{number}")), ret);
    let params: Vec<Operand> = params.iter().map(|ty| build.param("arg", *ty).into()).collect();
    let args: Vec<Operand> = [Operand::from(number)].into_iter().chain(params).collect();
    let result = build.op_as(&RULE, args, ret).ok()?;
    build.ret(result).ok()?;
    build.finish().ok().map(Arc::new)
}

/// The replacement of `stop_gradient`.
fn stopped(params: &[Ty], ret: Ty) -> Option<Arc<Func>> {
    let mut build = FuncBuilder::new(Symbol::new("ad.stop"), ret);
    let x = build.param("x", *params.first()?);
    let x = build.op(&STOP, [x]).ok()?;
    build.ret(x).ok()?;
    build.finish().ok().map(Arc::new)
}

/// The site of a call of [`RULE`].
pub(crate) fn site_of(call: &CallSite) -> Option<&'static Site> {
    let number = call.consts.first()?.as_ref()?.value().as_index()?;
    site(number)
}

pub(super) type OwnedValue = Value<'static>;

pub(super) fn opened<'v, 'a>(
    args: &'v mut [Value<'a>],
) -> Result<(&'static Site, &'v mut [Value<'a>]), Failure> {
    let missing = || Failure::new(FailureKind::Host, "a rule is applied to nothing");
    let (number, args) = args.split_first_mut().ok_or_else(missing)?;
    Ok((site_at(number)?, args))
}

/// What the function returns: computed by the rule's value closure if it has one, else by the function
/// itself.
pub(super) fn primal<'a>(
    cx: &mut OpCx<'_, 'a>,
    site: &Site,
    args: &[Value<'a>],
) -> Result<Value<'a>, Failure> {
    if let Some(value) = &site.rule.value {
        let args: Vec<OwnedValue> = args.iter().cloned().map(Value::into_owned).collect();
        return value(&args);
    }
    let code = Code::Func(site.func);
    let callee = Value::Closure(Arc::new(Closure { code, captures: Parts::new() }));
    cx.machine.call(&callee, args.to_vec())
}

/// The arguments without attachments.
fn primal_args(site: &Site, args: &[Value<'_>]) -> Result<Vec<OwnedValue>, Failure> {
    let each = args.iter().zip(&site.params);
    each.map(|(arg, ty)| flatten::without_attachments(arg.clone().into_owned(), *ty)).collect()
}

fn carried(site: &Site, args: &[Value<'_>]) -> Vec<OwnedValue> {
    let mut found = Vec::new();
    for (arg, ty) in args.iter().zip(&site.params) {
        flatten::each_attachment(arg, *ty, &mut |carried| found.push(carried.clone().into_owned()));
    }
    found
}

/// The result, with an attachment for each of its floats.
fn with_carried<'a>(
    y: OwnedValue,
    ret: Ty,
    each: &mut dyn FnMut() -> Result<OwnedValue, Failure>,
) -> Result<Value<'a>, Failure> {
    flatten::lift(y, ret, &mut |x, ty| Ok(crate::float_pair::pair_value(ty, x, each()?)))
}

fn forward<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (site, args) = opened(args)?;
    let primals = primal_args(site, args)?;
    let tangents = carried(site, args);
    let width = tangents.first().map_or(1, |tangent| tangent.as_composite().map_or(1, |all| all.parts.len()));
    let is_tuple = tangents.first().is_some_and(|tangent| tangent.as_composite().is_some());
    let mut y = None;
    let mut slopes: Vec<Vec<f64>> = Vec::new();
    for direction in 0..width {
        let mut direction_floats = tangents.iter().map(|tangent| number(tangent, direction));
        let direction_floats = primals
            .iter()
            .map(|arg| with_floats(arg, &mut direction_floats))
            .collect::<Result<Vec<_>, _>>()?;
        let (value, slope) = match &site.rule.forward {
            Some(forward) => forward(&primals, &direction_floats)?,
            None => pushforward_by_reverse(cx, site, &primals, &direction_floats)?,
        };
        slopes.push(floats(&slope));
        y = Some(value);
    }
    let y = match y {
        Some(y) => y,
        None => primal(cx, site, &primals)?.into_owned(),
    };
    let single = floats(&y).len();
    let mut at = 0;
    let ret = cx.ret;
    let is_f32 = holds_f32(site.ret);
    with_carried(y, ret, &mut || {
        let of = |slopes: &Vec<f64>| {
            let dx = slopes.get(at).copied().unwrap_or(0.0);
            if is_f32 { Value::F32(dx as f32) } else { Value::F64(dx) }
        };
        let carried = if is_tuple {
            Value::tuple(slopes.iter().map(of))
        } else {
            slopes.first().map_or(Value::F64(0.0), of)
        };
        at += 1;
        debug_assert!(at <= single, "FLAT2: a float of the result each");
        Ok(carried)
    })
}

/// Whether a result's floats have single precision.
fn holds_f32(ty: Ty) -> bool {
    ty == Ty::f32() || ty.as_array().is_some_and(|array| array.elem == Ty::f32())
}

fn number(tangent: &Value<'_>, direction: usize) -> f64 {
    match tangent {
        Value::F64(dx) => *dx,
        Value::F32(dx) => f64::from(*dx),
        Value::Composite(all) => all.parts.get(direction).map_or(0.0, |dx| number(dx, 0)),
        _ => 0.0,
    }
}

/// Forward mode by the reverse rule: each row of the Jacobian times the direction.
pub(super) fn pushforward_by_reverse(
    cx: &mut OpCx<'_, '_>,
    site: &Site,
    primals: &[OwnedValue],
    tangents: &[OwnedValue],
) -> Result<(OwnedValue, OwnedValue), Failure> {
    let y = primal(cx, site, primals)?.into_owned();
    let direction: Vec<f64> = tangents.iter().flat_map(floats).collect();
    let count = floats(&y).len();
    let mut slopes = Vec::with_capacity(count);
    for row in 0..count {
        let mut seed = vec![0.0; count];
        seed[row] = 1.0;
        let partials = pulled(&site.rule, primals, &y, &seed)?;
        slopes.push(dot(&partials, &direction));
    }
    let dy = with_floats(&y, &mut slopes.into_iter())?;
    Ok((y, dy))
}

/// The dot product in which a zero tangent contributes zero (AD3).
pub(super) fn dot(partials: &[f64], direction: &[f64]) -> f64 {
    partials.iter().zip(direction).filter(|(_, dx)| **dx != 0.0).map(|(partial, dx)| partial * dx).sum()
}

/// The cotangents of all floats of the arguments: by the reverse rule, or else by the forward rule, column by
/// column.
pub(super) fn pulled(
    rule: &Rule,
    args: &[OwnedValue],
    y: &OwnedValue,
    cotangents: &[f64],
) -> Result<Vec<f64>, Failure> {
    if let Some(reverse) = &rule.reverse {
        let dy = with_floats(y, &mut cotangents.iter().copied())?;
        return Ok(floats(&reverse(args, y, &dy)?));
    }
    let Some(forward) = &rule.forward else {
        return Err(Failure::new(
            FailureKind::Host,
            format!("the rule for `{}` has no derivative", rule.path),
        ));
    };
    let count: usize = args.iter().map(|arg| floats(arg).len()).sum();
    let column = |k: usize| {
        let mut unit = (0..count).map(|at| if at == k { 1.0 } else { 0.0 });
        let direction_args =
            args.iter().map(|arg| with_floats(arg, &mut unit)).collect::<Result<Vec<_>, _>>()?;
        let (_, slope) = forward(args, &direction_args)?;
        Ok(dot(&floats(&slope), cotangents))
    };
    (0..count).map(column).collect()
}

/// What the function returns under differentiation: computed by the forward rule, if that is the only one.
pub(super) fn valued(
    cx: &mut OpCx<'_, '_>,
    site: &Site,
    primals: &[OwnedValue],
) -> Result<OwnedValue, Failure> {
    match (&site.rule.value, &site.rule.reverse, &site.rule.forward) {
        (None, None, Some(forward)) => {
            let zeros = primals.iter().map(|arg| with_floats(arg, &mut std::iter::repeat(0.0)));
            Ok(forward(primals, &zeros.collect::<Result<Vec<_>, _>>()?)?.0)
        }
        _ => Ok(primal(cx, site, primals)?.into_owned()),
    }
}

fn backward<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Result<Value<'a>, Failure> {
    let (site, args) = opened(args)?;
    let primals = primal_args(site, args)?;
    let steps = carried(site, args);
    let steps =
        steps.iter().map(|step| step.as_index().and_then(|step| u32::try_from(step).ok()).unwrap_or(0));
    let steps: Vec<u32> = steps.collect();
    let y = valued(cx, site, &primals)?;
    let count = floats(&y).len();
    let (rule, result) = (site.rule.clone(), y.clone());
    let pullback = Arc::new(move |cotangents: &[f64]| pulled(&rule, &primals, &result, cotangents));
    let first = record_block(steps, count, pullback)?;
    let mut at = 0;
    with_carried(y, cx.ret, &mut || {
        let step = if first == 0 { 0 } else { i64::from(first) + at };
        at += 1;
        Ok(Value::from(step))
    })
}
