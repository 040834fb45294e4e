//! Forward and reverse sweeps of calls with custom rules, as functions.
//!
//! - RULESWEEP1 the forward sweep returns the result and a closure with the signature of any reverse sweep.

use overdub_context::Symbol;
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::ops;

use super::accumulators::{Accumulators, signature};
use crate::cotangent::{cotangent, holds_array, parts_of};
use crate::cotangent_sums::Helpers;
use crate::custom::{CustomRule, PULLED, TypedCall, VALUED};
use crate::expr::is_finite_nonzero;
use crate::refusal::Cause;
use crate::rules::Library;

/// A call with its active arguments, and the names of its forward and reverse sweep.
pub(super) struct RuledCall<'c> {
    pub(super) call: &'c TypedCall,
    pub(super) wrt: &'c [bool],
    pub(super) augmented: Symbol,
    pub(super) pullback: Symbol,
}

/// Calls a function that returns its result with a pullback, and unpacks both.
fn pulled_by(
    build: &mut FuncBuilder,
    (func, ret): (Symbol, Ty),
    args: Vec<Operand>,
) -> Result<(Operand, Vec<Operand>), Cause> {
    let both: Operand = build.call(func, args, ret)?.into();
    let y = build.op(&ops::FIELD, [both.clone(), 0_i64.into()])?;
    let pullback = build.op(&ops::FIELD, [both, 1_i64.into()])?;
    Ok((y.into(), vec![pullback.into()]))
}

/// A reverse sweep under construction.
struct PullbackBuilder {
    build: FuncBuilder,
    /// The captures from the forward sweep.
    residuals: Vec<Operand>,
    /// The accumulators.
    sums: Vec<Operand>,
    dy: Operand,
}

impl RuledCall<'_> {
    /// Builds the forward and the reverse sweep.
    pub(super) fn sweeps(&self, custom_rule: &CustomRule, helpers: &mut Helpers) -> Result<Vec<Func>, Cause> {
        let (mut build, args) = self.begin();
        let ret = self.call.ret;
        let (y, residuals) = match custom_rule {
            CustomRule::Replaced => (args[0].clone(), vec![args[1].clone()]),
            CustomRule::Partials(_) => (build.call(self.call.func, args.clone(), ret)?.into(), args),
            CustomRule::Formula(library) => {
                let y = library.call(&mut build, self.call.func, &args)?;
                (y.clone(), args.into_iter().chain([y]).collect())
            }
            CustomRule::Host(number, _) => {
                let operands = [Operand::from(*number)].into_iter().chain(args.iter().cloned());
                let y: Operand = build.op_as(&VALUED, operands.collect::<Vec<_>>(), ret)?.into();
                (y.clone(), args.into_iter().chain([y]).collect())
            }
            CustomRule::Array(rule) => pulled_by(&mut build, (rule.pullback.name, rule.pullback.ret), args)?,
            CustomRule::Pullback(rule, ..) => pulled_by(&mut build, (rule.func, rule.ret), args)?,
            CustomRule::Stopped | CustomRule::Checkpointed => return Err(Cause::CustomRule(self.call.func)),
        };
        let pullback = self.pullback(&build, custom_rule, &residuals, helpers)?;
        let mut funcs = vec![self.end(build, y, residuals)?, pullback];
        if let CustomRule::Array(rule) = custom_rule {
            funcs.extend(rule.funcs.iter().map(|func| Func::clone(func)));
        }
        Ok(funcs)
    }

    fn begin(&self) -> (FuncBuilder, Vec<Operand>) {
        let mut build = FuncBuilder::new(self.augmented, Ty::unit());
        let args = self.call.params.iter().map(|ty| build.param("arg", *ty).into()).collect();
        (build, args)
    }

    fn end(&self, mut build: FuncBuilder, y: Operand, residuals: Vec<Operand>) -> Result<Func, Cause> {
        let accumulators = Accumulators::Arrays;
        let (params, ret) = signature(&self.call.params, self.wrt, self.call.ret, accumulators)?;
        let tys = residuals.iter().map(|operand| build.ty(operand)).collect::<Result<Vec<_>, _>>()?;
        let closure = build.op_as(&ops::CLOSURE, residuals, Ty::closure(self.pullback, tys))?;
        let pullback = build.op_as(&ops::ERASE, [closure], Ty::func(params, ret))?;
        let both = build.op(&ops::TUPLE, [y, pullback.into()])?;
        build.set_ret(build.ty(&both.into())?);
        build.ret(both)?;
        Ok(build.finish()?)
    }

    /// Builds the reverse sweep as a closure (RULESWEEP1).
    fn pullback(
        &self,
        augmented: &FuncBuilder,
        rule: &CustomRule,
        residuals: &[Operand],
        helpers: &mut Helpers,
    ) -> Result<Func, Cause> {
        let (params, ret) = signature(&self.call.params, self.wrt, self.call.ret, Accumulators::Arrays)?;
        let mut build = FuncBuilder::new(self.pullback, ret);
        let tys = residuals.iter().map(|operand| augmented.ty(operand)).collect::<Result<Vec<_>, _>>()?;
        let residuals = tys.iter().map(|ty| build.param("kept", *ty).into()).collect();
        let mut sums: Vec<Operand> = params.iter().map(|dty| build.param("sum", *dty).into()).collect();
        let dy = sums.pop().expect("RULESWEEP1: the cotangent of the result comes last");
        let mut pullback = PullbackBuilder { build, residuals, sums, dy };
        let all = self.cotangents(rule, &mut pullback)?;
        let mut sums = std::mem::take(&mut pullback.sums).into_iter();
        let mut found = Vec::new();
        for ((ty, wrt), dx) in self.call.params.iter().zip(self.wrt).zip(all) {
            let dty = cotangent(*ty)?;
            if !wrt {
                continue;
            }
            let sum = if holds_array(dty) { sums.next() } else { None };
            found.push(match (sum, dx) {
                (Some(sum), Some(dx)) => helpers.sum(&mut pullback.build, &sum, &dx, dty)?,
                (Some(sum), None) => sum,
                (None, Some(dx)) => dx,
                (None, None) => Helpers::scalar_zero(&mut pullback.build, dty)?,
            });
        }
        let PullbackBuilder { mut build, .. } = pullback;
        let result = if found.is_empty() { Operand::unit() } else { build.op(&ops::TUPLE, found)?.into() };
        build.ret(result)?;
        Ok(build.finish()?)
    }

    /// The cotangent that a pullback returns for each argument: a single value for one argument, a tuple for
    /// several.
    fn by_pullback(
        &self,
        build: &mut FuncBuilder,
        pullback: Operand,
        dy: &Operand,
        ret: Ty,
    ) -> Result<Vec<Option<Operand>>, Cause> {
        let found: Operand = build.call_value(pullback, [dy.clone()], ret)?.into();
        let dtys = self.call.params.iter().map(|ty| cotangent(*ty)).collect::<Result<Vec<_>, _>>()?;
        if let [dty] = dtys.as_slice() {
            return if *dty == ret { Ok(vec![Some(found)]) } else { Err(Cause::Type(ret)) };
        }
        if parts_of(ret) != dtys {
            return Err(Cause::Type(ret));
        }
        let each = (0_i64..).zip(dtys).map(|(k, dty)| match dty {
            none if none == Ty::unit() => Ok(None),
            _ => Ok(Some(build.op(&ops::FIELD, [found.clone(), k.into()])?.into())),
        });
        each.collect()
    }

    /// The cotangent of each argument; `None` if it is zero.
    fn cotangents(
        &self,
        custom_rule: &CustomRule,
        pullback: &mut PullbackBuilder,
    ) -> Result<Vec<Option<Operand>>, Cause> {
        let PullbackBuilder { build, residuals, dy, .. } = pullback;
        match custom_rule {
            CustomRule::Replaced => {
                let ty = self.call.ret;
                if cotangent(ty)? != ty {
                    return Err(Cause::Type(ty));
                }
                let dx = build.call_value(residuals[0].clone(), [dy.clone()], ty)?;
                Ok(vec![Some(dx.into()), None])
            }
            CustomRule::Partials(partials) => {
                let found: Operand = build.call(partials.func, residuals.clone(), partials.ret)?.into();
                let count = parts_of(partials.ret).len() as i64;
                let each = (0..self.call.params.len() as i64).map(|k| {
                    let partial = match count {
                        0 => found.clone(),
                        _ => build.op(&ops::FIELD, [found.clone(), k.into()])?.into(),
                    };
                    Ok(Some(build.op(&ops::MUL_ZERO, [dy.clone(), partial])?.into()))
                });
                each.collect()
            }
            CustomRule::Formula(library) => {
                let (y, args) = residuals.split_last().expect("RULESWEEP1: the result is kept");
                by_formulas(build, *library, (args, y), dy)
            }
            CustomRule::Array(rule) => self.by_pullback(build, residuals[0].clone(), dy, rule.pullback_ret),
            CustomRule::Pullback(rule, ..) => {
                self.by_pullback(build, residuals[0].clone(), dy, rule.pullback_ret)
            }
            CustomRule::Host(number, site) if site.is_flat() => {
                let (y, args) = residuals.split_last().expect("RULESWEEP1: the result is kept");
                let mut operands = vec![Operand::from(*number), y.clone(), dy.clone()];
                operands.extend_from_slice(args);
                let tys = self.call.params.iter().map(|ty| cotangent(*ty)).collect::<Result<Vec<_>, _>>()?;
                let found = build.op_as(&PULLED, operands, Ty::tuple(tys.iter().copied()))?;
                let each = (0_i64..).zip(tys).map(|(k, dty)| match dty {
                    none if none == Ty::unit() => Ok(None),
                    _ => Ok(Some(build.op(&ops::FIELD, [Operand::from(found), k.into()])?.into())),
                });
                each.collect()
            }
            _ => Err(Cause::CustomRule(self.call.func)),
        }
    }
}

/// The cotangents of the arguments of a library function, summed over the components of its result.
fn by_formulas(
    build: &mut FuncBuilder,
    library: Library,
    (args, y): (&[Operand], &Operand),
    dy: &Operand,
) -> Result<Vec<Option<Operand>>, Cause> {
    let mut all: Vec<Option<Operand>> = vec![None; args.len()];
    for component in library.components() {
        let Some(partials) = component.partials() else { continue };
        let (y, dy) = (component.of(build, y)?, component.of(build, dy)?);
        for (sum, formula) in all.iter_mut().zip(partials.of(args.len())) {
            if formula.as_float() == Some(0.0) {
                continue;
            }
            let factor = formula.emit(build, args, &y, component.ty)?;
            let op = if is_finite_nonzero(&factor) { &ops::MUL } else { &ops::MUL_ZERO };
            let dx: Operand = build.op(op, [dy.clone(), factor])?.into();
            *sum = Some(match sum.take() {
                Some(sum) => build.op(&ops::ADD, [sum, dx])?.into(),
                None => dx,
            });
        }
    }
    Ok(all)
}
