//! Replacements of calls: the resolution of a name given by a context, and the check of its signature.
//!
//! - REPLACE1 a name is resolved as a path of the program, then relative to the callee's module, then as an
//!   operation, then as the last segments of a path; where an operation is replaced, operations come first.
//!   Functions that have not been lowered yet are found, too.
//! - REPLACE2 a replacement of a function specialised for an inner context (`f{Trace#0}`) is also specialised
//!   for it.
//! - REPLACE3 a replacement has the signature of the call; any other is an error when code is generated.

use std::fmt::Write as _;

use super::error::ContextError;
use super::func_key::FuncKey;
use super::instance::Instance;
use super::specializer::Specializer;
use super::{CallSite, Called};
use crate::Symbol;
use crate::failure::{Failure, FailureKind};
use crate::ir::{Func, Instead, LoadError, Operand, Ty, TyKind, typing};
use crate::ops::{self, OpDef};

/// The number of innermost calls that are searched after a stack overflow.
const DEEP: usize = 100;

/// The replacement of a call.
pub(super) enum Replacement {
    Func(Symbol),
    Op(&'static OpDef),
}

impl Specializer {
    /// Resolves the name that a context gives as the replacement of a call (REPLACE1).
    pub(super) fn replacement(
        &self,
        target: Symbol,
        site: &CallSite,
        instance: &Instance,
    ) -> Result<Replacement, ContextError> {
        let is_op = matches!(site.callee, Called::Op(_));
        if is_op && let Some(op) = ops::by_name(&target) {
            return Ok(Replacement::Op(op));
        }
        let instead = Instead { called: site.name, args: &site.args, ret: site.ret };
        let refused = |error: LoadError| ContextError::Replacement {
            context: instance.label,
            called: site.name,
            instead: target,
            reason: error.message.into(),
            help: error.help.map(Into::into),
            span: site.span,
        };
        let resolve = |path: &str| self.base.resolve(path, &instead).map_err(refused);
        if let Some(found) = resolve(&target)? {
            return Ok(Replacement::Func(self.under_inner(found, site)));
        }
        // The name of a function generated for a context.
        if !matches!(self.func(target), Ok(None)) {
            return Ok(Replacement::Func(target));
        }
        if let Some(sibling) = sibling_name(site.name(), &target)
            && let Some(found) = resolve(&sibling)?
        {
            return Ok(Replacement::Func(self.under_inner(found, site)));
        }
        if let Some(op) = ops::by_name(&target) {
            return Ok(Replacement::Op(op));
        }
        let known = self.base.search(&target).unwrap_or_default();
        match &*known.functions {
            [path] => match resolve(path)? {
                Some(found) => Ok(Replacement::Func(self.under_inner(found, site))),
                None => Err(self.no_function(target, site, instance)),
            },
            [] => Err(self.no_function(target, site, instance)),
            several => Err(ContextError::Replacement {
                context: instance.label,
                called: site.name,
                instead: target,
                reason: format!("`{target}` may be {}", listed(several)).into(),
                help: Some("write the whole path".into()),
                span: site.span,
            }),
        }
    }

    /// Adds advice to a stack overflow caused by a function that replaces calls in its own body.
    pub(super) fn explained(&self, failure: Failure) -> Failure {
        let report = failure.report();
        if report.kind != FailureKind::StackLimit || report.help.is_some() {
            return failure;
        }
        let innermost = report.stack.iter().take(DEEP).map(|entry| self.root(entry.func));
        let found = innermost.filter_map(|func| Some((func, self.replaced_by_itself(func)?))).next();
        let Some((instead, called)) = found else { return failure };
        failure.with_help(Some(format!(
            "`{instead}` replaces `{called}` in itself too: `wrap(\"{called}\", \"{instead}\")`, or `Method::Outside`, leaves \
             the calls that it makes alone"
        )))
    }

    fn no_function(&self, target: Symbol, site: &CallSite, instance: &Instance) -> ContextError {
        ContextError::Replacement {
            context: instance.label,
            called: site.name,
            instead: target,
            reason: format!("there is no function or operation `{target}`").into(),
            help: super::names::did_you_mean(self, &target, &[]).map(Into::into),
            span: site.span,
        }
    }

    /// The replacement under the contexts of the called function (REPLACE2).
    fn under_inner(&self, found: Symbol, site: &CallSite) -> Symbol {
        match site.callee {
            Called::Func(callee) if self.rewritten(callee).is_some() => {
                moved(callee, site.name, found).unwrap_or(found)
            }
            Called::Func(_) | Called::Closure(_) | Called::Op(_) | Called::Value => found,
        }
    }

    /// Checks the signature of a replacement (REPLACE3).
    pub(super) fn fits(
        &self,
        func: Symbol,
        site: &CallSite,
        instance: &Instance,
    ) -> Result<(), ContextError> {
        // A function that cannot be generated fails when it is called.
        let Ok(Some(loaded)) = self.func(func) else { return Ok(()) };
        func_fits(&loaded, self.root(func), site, instance)
    }
}

/// Checks that a function can replace a call (REPLACE3).
pub(super) fn func_fits(
    func: &Func,
    shown: Symbol,
    site: &CallSite,
    instance: &Instance,
) -> Result<(), ContextError> {
    let params: Vec<Ty> = func.param_tys().collect();
    if *params == *site.args && (func.ret == site.ret || func.ret == Ty::never()) {
        return Ok(());
    }
    let found = format!("`{shown}` {}", signature(&params, func.ret));
    Err(misfit(shown, found, "write it with the same parameters and result", site, instance))
}

/// Checks that an operation can replace a call (REPLACE3).
pub(super) fn op_fits(
    source: &Func,
    op: &'static OpDef,
    args: &[Operand],
    site: &CallSite,
    instance: &Instance,
) -> Result<(), ContextError> {
    let reason = match typing::op_ty(source, op, args, Some(site.ret)) {
        Ok(ty) if ty == site.ret => return Ok(()),
        Ok(ty) => format!("`{}` returns `{ty}`", op.name),
        Err(fault) => fault.to_string(),
    };
    let help = "name an operation that takes and returns the same types, or a function that calls it";
    Err(misfit(Symbol::new(op.name), reason, help, site, instance))
}

/// Checks that a constant can be the result of a call (REPLACE3).
pub(super) fn constant_fits(ty: Ty, site: &CallSite, instance: &Instance) -> Result<(), ContextError> {
    // The type of a composite value may be less specific than that of the call.
    let is_scalar = |ty: Ty| {
        use TyKind::{Bool, Char, Float, Int, Str, Unit};
        matches!(ty.kind(), Unit | Bool | Char | Str | Int(_) | Float(_))
    };
    if ty == site.ret || site.ret == Ty::never() || !(is_scalar(ty) || is_scalar(site.ret)) {
        return Ok(());
    }
    Err(ContextError::Replacement {
        context: instance.label,
        called: site.name,
        instead: Symbol::new(&format!("a constant of type `{ty}`")),
        reason: format!("the call returns `{}`", site.ret).into(),
        help: Some(format!("give a value of type `{}`", site.ret).into()),
        span: site.span,
    })
}

fn misfit(instead: Symbol, found: String, help: &str, site: &CallSite, instance: &Instance) -> ContextError {
    let called = signature(&site.args, site.ret);
    ContextError::Replacement {
        context: instance.label,
        called: site.name,
        instead,
        reason: format!("`{}` {called}, {found}", site.name).into(),
        help: Some(help.into()),
        span: site.span,
    }
}

fn signature(params: &[Ty], ret: Ty) -> String {
    let mut text = String::from("takes (");
    for (at, ty) in params.iter().enumerate() {
        let _ = write!(text, "{}{ty}", if at > 0 { ", " } else { "" });
    }
    let _ = write!(text, ") and returns {ret}");
    text
}

/// The function derived from `target` as `func` is derived from `root`: `cos{Trace#0}` for `sin{Trace#0}`.
fn moved(func: Symbol, root: Symbol, target: Symbol) -> Option<Symbol> {
    if func == root {
        return Some(target);
    }
    let key = FuncKey::of(func)?;
    Some(FuncKey { source: moved(key.source, root, target)?, ..key }.name())
}

/// The sibling path of `called`: `a::b::cos` for `cos` as the replacement of `a::b::sin`.
fn sibling_name(called: &str, target: &str) -> Option<String> {
    let (path, _) = called.rsplit_once("::")?;
    Some(format!("{path}::{target}"))
}

/// The names as a list: "`a`, `b` or `c`".
pub(super) fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &*quoted {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}
