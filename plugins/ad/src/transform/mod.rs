//! Source transformations as contexts: a function's optimised body is replaced by its derivative.
//!
//! - TRANS1 a function with a custom rule is never transformed: the rule replaces calls of it.

pub mod entries;
pub mod forward;
pub(crate) mod plain_first;
pub(crate) mod products;
pub mod reverse;

use std::sync::Arc;

use overdub_context::engine::{Body, Pass, PassError};
use overdub_context::ir::{Func, FuncBuilder, Operand, Ty};
use overdub_context::{Code, Symbol};

pub use products::{allows_plain_products, with_plain_products};

use crate::codes;
use crate::cotangent::cotangent;
use crate::custom;
use crate::transform::reverse::{Cause, Refusal, is_of_library};

/// Looks up functions of the program, and names the generated ones.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    pub(crate) lookup: &'n dyn Fn(Symbol) -> Option<Arc<Func>>,
    pub(crate) name: &'n dyn Fn(Symbol, &str) -> Symbol,
}

/// Transforms a function with respect to these parameters: returns the name of its replacement, and all
/// generated functions.
pub(crate) type Transform<'m> =
    dyn Fn(Names<'_>, &Arc<Func>, &[bool]) -> Result<(Symbol, Vec<Arc<Func>>), Refusal> + 'm;

/// The pass of such a context, with respect to the parameters `requested`, or all that hold floats.
/// `otherwise` is the advice given if the function is refused.
pub(crate) fn pass(
    body: &Body<'_>,
    requested: Option<&Vec<bool>>,
    transform: &Transform<'_>,
    otherwise: &str,
) -> Result<Pass, PassError> {
    rewritten(body, requested, transform).map(Pass::Replace).map_err(|refusal| PassError {
        code: refusal.cause.code(),
        message: refusal.cause.to_string(),
        span: refusal.span,
        help: (!is_final(refusal.cause.code())).then(|| otherwise.to_owned()),
    })
}

/// Whether a refusal is a mistake of the program, which another engine would hide.
pub(crate) fn is_final(code: Code) -> bool {
    code == codes::CHECKPOINT_NAMES
}

fn rewritten(
    body: &Body<'_>,
    requested: Option<&Vec<bool>>,
    transform: &Transform<'_>,
) -> Result<Func, Refusal> {
    let func = body.func();
    let wrt = match requested {
        Some(wrt) => wrt.clone(),
        None => all_that_hold_floats(func)?,
    };
    let name = |func: Symbol, what: &str| body.companion_name(func, what);
    // TRANS1
    let lookup = |name: Symbol| match custom::has_rule(name) {
        true => None,
        false => body.callee(name).ok().flatten().filter(|func| !is_of_library(func)),
    };
    let has_rule = custom::has_rule(func.name) || is_of_library(func);
    let root = if has_rule { calling(func, name(func.name, "Called"))? } else { func.clone() };
    let (replacement, funcs) = transform(Names { lookup: &lookup, name: &name }, &root, &wrt)?;
    let is_recursive = funcs.iter().any(|func| func.mentioned().any(|name| name == replacement));
    let mut rewritten = None;
    for func in funcs {
        if func.name == replacement {
            if is_recursive {
                body.define_companion(Func::clone(&func));
            }
            rewritten = Some(Arc::unwrap_or_clone(func));
        } else {
            body.define_companion(Arc::unwrap_or_clone(func));
        }
    }
    rewritten.ok_or_else(|| Cause::Missing(func.name).refuse(func.name, func.span))
}

fn all_that_hold_floats(func: &Func) -> Result<Vec<bool>, Refusal> {
    let holds = |ty: Ty| Ok(cotangent(ty)? != Ty::unit());
    let wrt: Result<Vec<bool>, Cause> = func.param_tys().map(holds).collect();
    wrt.map_err(|cause| cause.refuse(func.name, func.span))
}

/// A wrapper that only calls a function: one with a custom rule is differentiated at its calls.
fn calling(func: &Func, name: Symbol) -> Result<Arc<Func>, Refusal> {
    let built = || {
        let mut build = FuncBuilder::new(name, func.ret);
        build.set_func_span(func.span);
        build.set_span(func.span);
        let params = func.params().iter().zip(func.param_tys());
        let params: Vec<Operand> =
            params.map(|(param, ty)| build.param(&func.var_label(*param).to_string(), ty).into()).collect();
        let y = build.call(func.name, params, func.ret)?;
        build.ret(y)?;
        build.finish()
    };
    built().map(Arc::new).map_err(|error| Cause::Build(error).refuse(func.name, func.span))
}
