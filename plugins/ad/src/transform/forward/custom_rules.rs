//! Pushforwards of calls with custom rules, as functions.

use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ops;

use crate::cotangent::cotangent;
use crate::cotangent_sums::Helpers;
use crate::custom::{Call, CustomRule, PUSHED};
use crate::expr::{float_constant, keeps_zero};
use crate::rules::{ALIKE, Library, Rule};
use crate::transform::reverse::Cause;

/// The function of this name that gives the result of such a call and its tangent. It takes the arguments, and the
/// tangents of the active ones.
pub(super) fn ruled(
    call: &Call,
    own: &CustomRule,
    wrt: &[bool],
    name: Symbol,
    helpers: &mut Helpers,
) -> Result<Func, Cause> {
    let mut build = FuncBuilder::new(name, Ty::tuple([call.ret, cotangent(call.ret)?]));
    let args: Vec<Operand> = call.params.iter().map(|ty| build.param("x", *ty).into()).collect();
    let mut tangents = vec![None; args.len()];
    for ((tangent, ty), _) in tangents.iter_mut().zip(&call.params).zip(wrt).filter(|(_, wrt)| **wrt) {
        *tangent = Some(Operand::from(build.param("dx", cotangent(*ty)?)));
    }
    let both = match own {
        CustomRule::Host(number, site) | CustomRule::Pullback(_, number, site) if site.is_flat() => {
            let mut operands = vec![Operand::from(*number)];
            operands.extend_from_slice(&args);
            for ((tangent, arg), ty) in tangents.into_iter().zip(&args).zip(&call.params) {
                operands.push(match tangent {
                    Some(tangent) => tangent,
                    None => helpers.zero(&mut build, arg, *ty)?,
                });
            }
            let ret = build.func().ret;
            build.op_as(&PUSHED, operands, ret)?
        }
        CustomRule::Array(rule) => {
            let mut operands = args.clone();
            for ((tangent, arg), ty) in tangents.into_iter().zip(&args).zip(&call.params) {
                operands.push(match tangent {
                    Some(tangent) => tangent,
                    None => helpers.zero(&mut build, arg, *ty)?,
                });
            }
            build.call(rule.along.name, operands, rule.along.ret)?
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
            let dy = combined(&mut build, &tangents, &factors, call.ret)?;
            build.op(&ops::TUPLE, [y.into(), dy])?
        }
        CustomRule::Formula(Library { rule: Rule::Partials(partials), like }) => {
            let mut y: Operand = build.call(call.func, args.clone(), call.ret)?.into();
            if let Some(like) = like {
                let like = like.emit(&mut build, &args, call.ret)?;
                y = build.op(&ALIKE, [y, like])?.into();
            }
            let formulas = partials.of(args.len());
            let factors = formulas.iter().map(|formula| formula.emit(&mut build, &args, &y, call.ret));
            let factors = factors.collect::<Result<Vec<_>, _>>()?;
            let dy = combined(&mut build, &tangents, &factors, call.ret)?;
            build.op(&ops::TUPLE, [y, dy])?
        }
        CustomRule::Replaced => {
            return Err(Cause::Refused("replace_gradient", "nothing comes back in forward mode"));
        }
        _ => return Err(Cause::CustomRule(call.func)),
    };
    build.ret(both)?;
    Ok(build.finish()?)
}

/// The sum of tangents times factors; a zero tangent contributes zero (AD3).
fn combined(
    build: &mut FuncBuilder,
    tangents: &[Option<Operand>],
    factors: &[Operand],
    float: Ty,
) -> Result<Operand, Cause> {
    let mut sum: Option<Operand> = None;
    for (tangent, factor) in tangents.iter().zip(factors) {
        let Some(dx) = tangent else { continue };
        let op = if keeps_zero(factor) { &ops::MUL } else { &ops::MUL_ZERO };
        let part: Operand = build.op(op, [dx.clone(), factor.clone()])?.into();
        sum = Some(match sum {
            Some(sum) => build.op(&ops::ADD, [sum, part])?.into(),
            None => part,
        });
    }
    Ok(sum.unwrap_or_else(|| float_constant(0.0, float)))
}
