//! Pushforwards of calls with custom rules, as functions.

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Ty, Var};
use overdub_context::ops;

use super::directions::Directions;
use crate::cotangent::cotangent;
use crate::cotangent_sums::Helpers;
use crate::custom::{CustomRule, PUSHED, TypedCall};
use crate::expr::{float_constant, is_finite_nonzero};
use crate::rules::Library;
use crate::transform::reverse::Cause;

/// The function of this name that returns the result of such a call and its tangents. It takes the arguments,
/// and the tangents of the active ones.
pub(super) fn ruled(
    call: &TypedCall,
    custom_rule: &CustomRule,
    (wrt, directions): (&[bool], Directions),
    name: Symbol,
    helpers: &mut Helpers,
) -> Result<Func, Cause> {
    let mut build = FuncBuilder::new(name, directions.returned(call.ret)?);
    let args: Vec<Operand> = call.params.iter().map(|ty| build.param("x", *ty).into()).collect();
    let mut tangents = vec![vec![None; args.len()]; directions.count];
    for (at, ty) in call.params.iter().enumerate().filter(|(at, _)| wrt[*at]) {
        for of_direction in &mut tangents {
            of_direction[at] = Some(Operand::from(build.param("dx", cotangent(*ty)?)));
        }
    }
    let pair = Ty::tuple([call.ret, cotangent(call.ret)?]);
    let all = match custom_rule {
        CustomRule::Host(number, site) | CustomRule::Pullback(_, number, site) if site.is_flat() => {
            each_pair(&mut build, (call, &args), tangents, helpers, &mut |build, operands| {
                let operands: Vec<Operand> = [Operand::from(*number)].into_iter().chain(operands).collect();
                build.op_as(&PUSHED, operands, pair)
            })?
        }
        CustomRule::Array(rule) => {
            each_pair(&mut build, (call, &args), tangents, helpers, &mut |build, operands| {
                build.call(rule.pushforward.name, operands, rule.pushforward.ret)
            })?
        }
        CustomRule::Partials(partials) => {
            let y = build.call(call.func, args.clone(), call.ret)?;
            let found = build.call(partials.func, args, partials.ret)?;
            let is_tuple = partials.ret != call.ret;
            let mut factors = Vec::new();
            for k in 0..call.params.len() as i64 {
                factors.push(match is_tuple {
                    true => build.op(&ops::FIELD, [Operand::from(found), k.into()])?.into(),
                    false => found.into(),
                });
            }
            let tangents = combined(&mut build, &tangents, &factors, call.ret)?;
            std::iter::once(y.into()).chain(tangents).collect()
        }
        CustomRule::Formula(library) => by_formulas(&mut build, (call, *library), &args, &tangents)?,
        CustomRule::Replaced => {
            return Err(Cause::Refused("replace_gradient", "nothing comes back in forward mode"));
        }
        _ => return Err(Cause::CustomRule(call.func)),
    };
    let all = build.op(&ops::TUPLE, all)?;
    build.ret(all)?;
    Ok(build.finish()?)
}

/// Computes a pair of a result and its tangent from arguments and tangents.
type EmitPair<'m> = dyn FnMut(&mut FuncBuilder, Vec<Operand>) -> Result<Var, BuildError> + 'm;

/// The result, and its tangent along each direction, from pairs that `emit` computes from the arguments and
/// their tangents along that direction.
fn each_pair(
    build: &mut FuncBuilder,
    (call, args): (&TypedCall, &[Operand]),
    tangents: Vec<Vec<Option<Operand>>>,
    helpers: &mut Helpers,
    emit: &mut EmitPair<'_>,
) -> Result<Vec<Operand>, Cause> {
    let mut all = Vec::new();
    for of_direction in tangents {
        let mut operands = args.to_vec();
        for ((tangent, arg), ty) in of_direction.into_iter().zip(args).zip(&call.params) {
            operands.push(match tangent {
                Some(tangent) => tangent,
                None => helpers.zero(build, arg, *ty)?,
            });
        }
        let both = emit(build, operands)?;
        if all.is_empty() {
            all.push(build.op(&ops::FIELD, [Operand::from(both), 0_i64.into()])?.into());
        }
        all.push(build.op(&ops::FIELD, [Operand::from(both), 1_i64.into()])?.into());
    }
    Ok(all)
}

/// The result of a library function, and its tangent along each direction.
fn by_formulas(
    build: &mut FuncBuilder,
    (call, library): (&TypedCall, Library),
    args: &[Operand],
    tangents: &[Vec<Option<Operand>>],
) -> Result<Vec<Operand>, Cause> {
    let y = library.call(build, call.func, args)?;
    let mut of_directions = vec![Vec::new(); tangents.len()];
    for component in library.components() {
        let found = match component.partials() {
            Some(partials) => {
                let part = component.of(build, &y)?;
                let formulas = partials.of(args.len());
                let factors = formulas.iter().map(|formula| formula.emit(build, args, &part, component.ty));
                let factors = factors.collect::<Result<Vec<_>, _>>()?;
                combined(build, tangents, &factors, component.ty)?
            }
            None => vec![component.zero_tangent(); tangents.len()],
        };
        for (parts, part) in of_directions.iter_mut().zip(found) {
            parts.push(part);
        }
    }
    let mut all = vec![y];
    for parts in of_directions {
        all.push(library.joined(build, parts)?);
    }
    Ok(all)
}

/// Along each direction the sum of tangents times factors; a zero tangent contributes zero (AD3).
fn combined(
    build: &mut FuncBuilder,
    tangents: &[Vec<Option<Operand>>],
    factors: &[Operand],
    float: Ty,
) -> Result<Vec<Operand>, Cause> {
    let mut all = Vec::new();
    for of_direction in tangents {
        let mut sum: Option<Operand> = None;
        for (tangent, factor) in of_direction.iter().zip(factors) {
            let Some(dx) = tangent else { continue };
            let op = if is_finite_nonzero(factor) { &ops::MUL } else { &ops::MUL_ZERO };
            let part: Operand = build.op(op, [dx.clone(), factor.clone()])?.into();
            sum = Some(match sum {
                Some(sum) => build.op(&ops::ADD, [sum, part])?.into(),
                None => part,
            });
        }
        all.push(sum.unwrap_or_else(|| float_constant(0.0, float)));
    }
    Ok(all)
}
