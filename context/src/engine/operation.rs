//! Operations wrapped in functions: a host method under outer contexts continues with these, since contexts rewrite
//! functions.

use super::func_key::{FuncKey, Role};
use super::instance::Instance;
use super::{CallSite, Called};
use crate::Symbol;
use crate::ir::{BuildError, Const, Func, FuncBuilder, Operand};
use crate::ops::OpDef;
use crate::value::Value;

/// The constant operands that the host method has changed: a bit for each operand, all bits where there are
/// too many operands. These become parameters; the others stay constants, which some operations require.
pub(super) type Changed = u64;

/// The constant operands of a call that differ from these arguments.
pub(super) fn changed(site: &CallSite, args: &[Value<'_>]) -> Changed {
    if args.len() != site.consts.len() {
        return Changed::MAX;
    }
    let mut all = 0;
    for (at, (written, arg)) in site.consts.iter().zip(args).enumerate() {
        if written.as_ref().is_some_and(|written| !written.value().same(arg)) {
            if at >= Changed::BITS as usize - 1 {
                return Changed::MAX;
            }
            all |= 1 << at;
        }
    }
    all
}

/// The constant operand at a position, unless it has become a parameter.
fn constant_operand(site: &CallSite, changed: Changed, at: usize) -> Option<&Const> {
    let bit = u32::try_from(at).ok().and_then(|at| changed.checked_shr(at)).unwrap_or(0) & 1;
    site.consts.get(at)?.as_ref().filter(|_| changed != Changed::MAX && bit == 0)
}

/// The arguments of the wrapping function.
pub(super) fn wrapper_args<'a>(site: &CallSite, changed: Changed, args: Vec<Value<'a>>) -> Vec<Value<'a>> {
    let all = args.into_iter().enumerate();
    all.filter(|(at, _)| constant_operand(site, changed, *at).is_none()).map(|(_, arg)| arg).collect()
}

/// The name of the function that evaluates the operation of a call: `f{op 3 0 Log#0}`, where `f` contains the
/// call.
pub(super) fn name(site: &CallSite, call: usize, changed: Changed, context: Symbol) -> Symbol {
    FuncKey { source: site.caller, context, role: Role::Operation { call, changed } }.name()
}

/// The function of this name, outside of every context; `None` if the call is not one of an operation.
pub(super) fn func_of_call(
    name: Symbol,
    instance: &Instance,
    number: usize,
    changed: Changed,
) -> Option<Result<Func, BuildError>> {
    let dispatched = instance.dispatched_call(number)?;
    match dispatched.site.callee {
        Called::Op(op) => Some(build(name, &dispatched.site, op, changed)),
        Called::Func(_) | Called::Closure(_) | Called::Value => None,
    }
}

fn build(name: Symbol, site: &CallSite, op: &'static OpDef, changed: Changed) -> Result<Func, BuildError> {
    let mut build = FuncBuilder::new(name, site.ret);
    build.set_func_span(site.span);
    build.set_span(site.span);
    let mut args: Vec<Operand> = Vec::with_capacity(site.args.len());
    for (at, ty) in site.args.iter().enumerate() {
        args.push(match constant_operand(site, changed, at) {
            Some(written) => Operand::Const(written.clone()),
            None => build.param("arg", *ty).into(),
        });
    }
    let result = build.op_as(op, args, site.ret)?;
    build.ret(result)?;
    build.finish()
}
