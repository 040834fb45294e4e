//! Operations on values of a domain.

use super::{CALL, Callee, ContextError, InstKind, OpDef, Operand, POST, PRE, Rewrite, Ty, Var, typing};
use crate::engine::{CallSite, Lifted};

/// Lifts an operation: the domain's rule has priority. Without one, a comparison is evaluated on the plain
/// values, an operation that accepts any type is applied to the values of the domain, and the result of an
/// operation on plain values is lifted. Everything else is an error, since the additional information would
/// be lost. Constant operands are still plain here.
pub(super) fn op(
    rewrite: &mut Rewrite<'_>,
    result: Var,
    op: &'static OpDef,
    mut args: Vec<Operand>,
    site: &CallSite,
) -> Result<(), ContextError> {
    let is_plain = |ty: &Ty| rewrite.map(*ty) == *ty;
    let Some(domain) = rewrite.cx.instance.domain.clone() else { return Ok(()) };
    if site.args.iter().chain([&site.ret]).all(is_plain) {
        return rewrite.define(result, InstKind::Op { op, args });
    }
    if *op == CALL {
        // An inner context continues from here with functions of this domain.
        rewrite.lift_constants(&mut args)?;
        return rewrite.define(result, InstKind::Op { op, args });
    }
    if *op == PRE || *op == POST {
        return hook(rewrite, result, op, args, site);
    }
    match domain.lifted(site) {
        Some(Lifted::Emit(emit)) => {
            let emitted = emit(&mut rewrite.rw, &args);
            let emitted = rewrite.built(emitted)?;
            let replaced = rewrite.rw.replace(result, emitted);
            return rewrite.built(replaced);
        }
        Some(Lifted::Untagged) => return untagged(rewrite, result, op, args, site),
        Some(Lifted::Refused { reason, help }) => {
            let (context, op, span) = (rewrite.cx.instance.label, op.name, site.span);
            return Err(ContextError::Refused { context, op, reason, help, span });
        }
        Some(Lifted::Func(name)) => {
            rewrite.lift_constants(&mut args)?;
            return rewrite.define(result, InstKind::Call { callee: Callee::Func(name), args });
        }
        Some(Lifted::Op(op)) => {
            rewrite.lift_constants(&mut args)?;
            return rewrite.define(result, InstKind::Op { op, args });
        }
        None => {}
    }
    let of_domain = |ty: &Ty| domain.map(*ty).is_some();
    let compares = is_plain(&site.ret) && (op.compares() || site.ret == Ty::bool());
    let untags = |ty: &Ty| domain.untag(*ty, site).is_some();
    if compares && site.args.iter().all(|ty| is_plain(ty) || of_domain(ty) && untags(ty)) {
        return untagged(rewrite, result, op, args, site);
    }
    // Comparing all parts would compare the additional information, and so would comparing values of the
    // domain.
    if !(op.compares() || compares && site.args.iter().any(of_domain)) {
        let plain = args.clone();
        let ret = rewrite.map(site.ret);
        rewrite.lift_constants(&mut args)?;
        if typing::op_ty(rewrite.rw.func(), op, &args, Some(ret)).is_ok() {
            return rewrite.define(result, InstKind::Op { op, args });
        }
        args = plain;
    }
    let is_plain = |ty: &Ty| rewrite.map(*ty) == *ty;
    let can_untag = |ty: &Ty| is_plain(ty) || (compares || !of_domain(ty)) && untags(ty);
    let can_lift = is_plain(&site.ret) || (site.args.iter().all(is_plain) && domain.lift(site.ret).is_some());
    if site.args.iter().all(can_untag) && can_lift {
        return untagged(rewrite, result, op, args, site);
    }
    Err(ContextError::NoMeaning { context: rewrite.cx.instance.label, op: op.name, span: site.span })
}

/// A hook of an inner context: it sees scalars as plain values, and arrays and structs as values of the
/// domain.
fn hook(
    rewrite: &mut Rewrite<'_>,
    result: Var,
    op: &'static OpDef,
    args: Vec<Operand>,
    site: &CallSite,
) -> Result<(), ContextError> {
    let domain = rewrite.cx.instance.domain.clone();
    let untags = |ty: Ty| {
        domain.as_ref().is_some_and(|domain| domain.map(ty).is_some() && domain.untag(ty, site).is_some())
    };
    let mut seen = Vec::with_capacity(args.len());
    for (mut arg, ty) in args.into_iter().zip(&site.args) {
        if arg.constant().is_some() || !untags(*ty) {
            if !untags(*ty) {
                rewrite.lift_constant(&mut arg)?;
            }
            seen.push(arg);
        } else {
            seen.push(untag(rewrite, arg, *ty, site)?);
        }
    }
    rewrite.define(result, InstKind::Op { op, args: seen })
}

/// The operation on the plain values, with its result lifted if the domain maps its type.
fn untagged(
    rewrite: &mut Rewrite<'_>,
    result: Var,
    op: &'static OpDef,
    args: Vec<Operand>,
    site: &CallSite,
) -> Result<(), ContextError> {
    let mut plain = Vec::with_capacity(args.len());
    for (arg, ty) in args.into_iter().zip(&site.args) {
        let is_plain = arg.constant().is_some() || rewrite.map(*ty) == *ty;
        plain.push(if is_plain { arg } else { untag(rewrite, arg, *ty, site)? });
    }
    if rewrite.map(site.ret) == site.ret {
        return rewrite.define(result, InstKind::Op { op, args: plain });
    }
    let computed = rewrite.rw.op_as(op, plain, site.ret);
    let computed = rewrite.built(computed)?;
    let lifted = lift(rewrite, computed.into(), site.ret)?;
    let replaced = rewrite.rw.replace(result, lifted);
    rewrite.built(replaced)
}

/// Lifts a plain value of type `of` into the domain.
pub(super) fn lift(rewrite: &mut Rewrite<'_>, plain: Operand, of: Ty) -> Result<Operand, ContextError> {
    let by = rewrite.cx.instance.domain.as_ref().and_then(|domain| domain.lift(of));
    let ret = rewrite.map(of);
    apply(rewrite, by, plain, ret)
}

fn untag(rewrite: &mut Rewrite<'_>, arg: Operand, of: Ty, site: &CallSite) -> Result<Operand, ContextError> {
    let by = rewrite.cx.instance.domain.as_ref().and_then(|domain| domain.untag(of, site));
    apply(rewrite, by, arg, of)
}

fn apply(
    rewrite: &mut Rewrite<'_>,
    by: Option<Lifted>,
    arg: Operand,
    ret: Ty,
) -> Result<Operand, ContextError> {
    let applied = match by {
        Some(Lifted::Func(name)) => rewrite.rw.call(name, [arg], ret),
        Some(Lifted::Op(op)) => rewrite.rw.op_as(op, [arg], ret),
        Some(Lifted::Emit(emit)) => {
            let emitted = emit(&mut rewrite.rw, &[arg]);
            return rewrite.built(emitted);
        }
        Some(Lifted::Untagged | Lifted::Refused { .. }) | None => return Ok(arg),
    };
    rewrite.built(applied).map(Operand::from)
}
