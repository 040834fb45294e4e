//! Nested derivatives: `derivative(f, x)` inside a program that is itself differentiated.
//!
//! - NEST1 the derivative is a function of the program, made by transformation, so a context sees into it as
//!   into any other function. Inner and outer derivatives cannot be confused, since they are different
//!   functions.

use std::sync::Arc;

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Func, FuncBuilder, LoadError, Operand, Ty, TyKind};
use overdub_context::ops;
use overdub_lower::{BodyRequest, GeneratedBody};

use crate::custom;
use crate::transform::Names;
use crate::transform::forward;
use crate::transform::reverse::{Refusal, direct_gradient, is_of_library};

overdub_lower::provide_crate!("overdub_inside", include_str!("../provided/overdub_inside.rs"));
overdub_lower::provide_crate!("overdub", "pub use overdub_inside::Error;");
overdub_lower::provide_body!("overdub_inside::slope_of", slope_of);
overdub_lower::provide_body!("overdub_inside::gradient_of", gradient_of);

/// A call of a closure's code with its captures and its one argument.
struct ClosureCall {
    build: FuncBuilder,
    code: Arc<Func>,
    args: Vec<Operand>,
    /// Marks only the argument as active.
    wrt: Vec<bool>,
}

fn failed(wanted: &BodyRequest<'_>, message: impl Into<String>) -> LoadError {
    let help = "take it outside of the program, where runs are recorded".to_owned();
    LoadError { message: message.into(), span: wanted.func.span, help: Some(help) }
}

impl ClosureCall {
    fn of(wanted: &BodyRequest<'_>) -> Result<ClosureCall, LoadError> {
        let func = wanted.func;
        let mut build = FuncBuilder::new(func.name, func.ret);
        build.set_func_span(func.span);
        let tys: Vec<Ty> = func.param_tys().collect();
        let params: Vec<Operand> = tys.iter().map(|ty| build.param("x", *ty).into()).collect();
        let TyKind::Closure(closure) = tys[0].kind() else {
            return Err(failed(
                wanted,
                "the derivative inside of a program is of a function that its type names",
            ));
        };
        let fault = |error: BuildError| failed(wanted, error.to_string());
        let mut args = Vec::new();
        for k in 0..closure.captures.len() as i64 {
            let captured = build.op(&ops::CAPTURED, [params[0].clone(), k.into()]).map_err(fault)?;
            args.push(Operand::from(captured));
        }
        let missing = || failed(wanted, format!("there is no function `{}`", closure.code));
        let code = (wanted.lookup)(closure.code)?.ok_or_else(missing)?;
        args.push(params[1].clone());
        let mut varies = vec![false; closure.captures.len()];
        varies.push(true);
        Ok(ClosureCall { build, code, args, wrt: varies })
    }

    fn made(self, result: impl Into<Operand>, callees: Vec<Arc<Func>>) -> Result<GeneratedBody, BuildError> {
        let mut build = self.build;
        build.ret(result)?;
        Ok(GeneratedBody { func: build.finish()?, callees })
    }
}

/// Calls `make` with the functions' lookup and naming.
fn named<R>(
    wanted: &BodyRequest<'_>,
    make: impl FnOnce(Names<'_>) -> Result<R, Refusal>,
) -> Result<R, LoadError> {
    let name = |func: Symbol, what: &str| Symbol::new(&format!("{func}{{inside {what}}}"));
    let lookup = |name: Symbol| match custom::has_rule(name) {
        true => None,
        false => (wanted.lookup)(name).ok().flatten().filter(|func| !is_of_library(func)),
    };
    make(Names { lookup: &lookup, name: &name }).map_err(|refusal| LoadError {
        span: refusal.span,
        ..failed(wanted, format!("no derivative inside of the program: {refusal}"))
    })
}

/// `(f(x), f'(x))`
fn slope_of(wanted: &BodyRequest<'_>) -> Result<GeneratedBody, LoadError> {
    let fault = |error: BuildError| failed(wanted, error.to_string());
    let mut called = ClosureCall::of(wanted)?;
    let made = named(wanted, |names| forward::ForwardTransformer::new(names).all(&called.code, &called.wrt))?;
    let callees: Vec<Arc<Func>> = made.into_iter().map(Arc::new).collect();
    let own = callees.first().ok_or_else(|| failed(wanted, "it has no derivative"))?;
    called.args.push(Operand::from(1.0));
    let both = called.build.call(own.name, called.args.clone(), own.ret).map_err(fault)?;
    called.made(both, callees).map_err(fault)
}

/// `(f(args), gradient)`
fn gradient_of(wanted: &BodyRequest<'_>) -> Result<GeneratedBody, LoadError> {
    let fault = |error: BuildError| failed(wanted, error.to_string());
    let mut called = ClosureCall::of(wanted)?;
    let (own, callees) = named(wanted, |names| direct_gradient(names, &called.code, &called.wrt))?;
    let made =
        callees.iter().find(|func| func.name == own).ok_or_else(|| failed(wanted, "it has no gradient"))?;
    let args = called.args.clone();
    let both = called.build.call(own, args, made.ret).map_err(fault)?;
    let y = called.build.op(&ops::FIELD, [Operand::from(both), 0_i64.into()]).map_err(fault)?;
    let all = called.build.op(&ops::FIELD, [Operand::from(both), 1_i64.into()]).map_err(fault)?;
    let dx = called.build.op(&ops::FIELD, [Operand::from(all), 0_i64.into()]).map_err(fault)?;
    let result = called.build.op(&ops::TUPLE, [y, dx]).map_err(fault)?;
    if called.build.ty(&result.into()).ok() != Some(wanted.func.ret) {
        return Err(failed(
            wanted,
            format!(
                "gradients inside of programs are of floats, arrays of them and tuples, not in `{}`",
                wanted.func.ret
            ),
        ));
    }
    called.made(result, callees).map_err(fault)
}
