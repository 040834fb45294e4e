//! Operations on values of a domain.

use super::{Callee, ContextError, InstKind, OpDef, Operand, Rewrite, Ty, Var, ops, typing};
use crate::engine::{CallSite, Domain, Lifted};

/// What an operation becomes: the domain's word first; else itself, where it takes any type; else itself on the
/// plain values, where its result is plain or its operands are.
pub(super) fn op(
    rewrite: &mut Rewrite<'_>,
    result: Var,
    op: &'static OpDef,
    args: Vec<Operand>,
    site: &CallSite,
) -> Result<(), ContextError> {
    let touched = |ty: &Ty| rewrite.map(*ty) != *ty;
    let Some(domain) = rewrite.maker.instance.domain.clone() else { return Ok(()) };
    let as_it_is = |args| InstKind::Op { op, args };
    if !site.args.iter().chain([&site.ret]).any(touched) {
        return rewrite.define(result, as_it_is(args));
    }
    match domain.lifted(site) {
        Some(Lifted::Func(name)) => {
            return rewrite.define(result, InstKind::Call { callee: Callee::Func(name), args });
        }
        Some(Lifted::Op(op)) => return rewrite.define(result, InstKind::Op { op, args }),
        Some(Lifted::Untagged) => return untagged(rewrite, &*domain, result, op, args, site),
        None => {}
    }
    let ret = rewrite.map(site.ret);
    // Comparing all parts would compare what the values carry.
    let compares = *op == ops::SAME || *op == ops::ORDER;
    if !compares && typing::op_ty(rewrite.rw.func(), op, &args, Some(ret)).is_ok() {
        return rewrite.define(result, as_it_is(args));
    }
    let plain_or_whole = |ty: &Ty| !touched(ty) || *ty == domain.of();
    let plain_result = !touched(&site.ret);
    let plain_args = !site.args.iter().any(touched);
    if site.args.iter().all(plain_or_whole) && (plain_result || (plain_args && site.ret == domain.of())) {
        return untagged(rewrite, &*domain, result, op, args, site);
    }
    Err(ContextError::NoMeaning { context: rewrite.maker.instance.label, op: op.name, span: site.span })
}

/// The operation on the plain values, its result lifted where it is of the domain.
fn untagged(
    rewrite: &mut Rewrite<'_>,
    domain: &dyn Domain,
    result: Var,
    op: &'static OpDef,
    args: Vec<Operand>,
    site: &CallSite,
) -> Result<(), ContextError> {
    let mut plain = Vec::with_capacity(args.len());
    for (arg, ty) in args.into_iter().zip(&site.args) {
        let is_whole = *ty == domain.of();
        plain.push(if is_whole { apply(rewrite, domain.untag(), arg, domain.of())? } else { arg });
    }
    if site.ret != domain.of() {
        return rewrite.define(result, InstKind::Op { op, args: plain });
    }
    let computed = rewrite.rw.op_as(op, plain, site.ret);
    let computed = rewrite.built(computed)?;
    let lifted = lift(rewrite, computed.into())?;
    let replaced = rewrite.rw.replace(result, lifted);
    rewrite.built(replaced)
}

/// A plain value as one of the domain.
pub(super) fn lift(rewrite: &mut Rewrite<'_>, plain: Operand) -> Result<Operand, ContextError> {
    match rewrite.maker.instance.domain.clone() {
        Some(domain) => apply(rewrite, domain.lift(), plain, domain.ty()),
        None => Ok(plain),
    }
}

fn apply(rewrite: &mut Rewrite<'_>, by: Lifted, arg: Operand, ret: Ty) -> Result<Operand, ContextError> {
    let applied = match by {
        Lifted::Func(name) => rewrite.rw.call(name, [arg], ret),
        Lifted::Op(op) => rewrite.rw.op_as(op, [arg], ret),
        Lifted::Untagged => return Ok(arg),
    };
    rewrite.built(applied).map(Operand::from)
}
