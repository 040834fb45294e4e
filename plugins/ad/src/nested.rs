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

use crate::codes;
use crate::custom::{self, ActiveRules};
use crate::transform::Names;
use crate::transform::forward;
use crate::transform::reverse::{Recomputation, Refusal, direct_gradient, is_of_library};

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

fn failed(request: &BodyRequest<'_>, message: impl Into<String>) -> LoadError {
    let help = "take it outside of the program, where runs are recorded".to_owned();
    LoadError {
        code: codes::NO_DERIVATIVE,
        message: message.into(),
        span: request.func.span,
        help: Some(help),
    }
}

impl ClosureCall {
    fn of(request: &BodyRequest<'_>) -> Result<ClosureCall, LoadError> {
        let func = request.func;
        let mut build = FuncBuilder::new(func.name, func.ret);
        build.set_func_span(func.span);
        let tys: Vec<Ty> = func.param_tys().collect();
        let params: Vec<Operand> = tys.iter().map(|ty| build.param("x", *ty).into()).collect();
        let TyKind::Closure(closure) = tys[0].kind() else {
            return Err(failed(
                request,
                "the derivative inside of a program is of a function that its type names",
            ));
        };
        let fault = |error: BuildError| failed(request, error.to_string());
        let mut args = Vec::new();
        for k in 0..closure.captures.len() as i64 {
            let captured = build.op(&ops::CAPTURED, [params[0].clone(), k.into()]).map_err(fault)?;
            args.push(Operand::from(captured));
        }
        let missing = || failed(request, format!("there is no function `{}`", closure.code));
        let code = (request.lookup)(closure.code)?.ok_or_else(missing)?;
        args.push(params[1].clone());
        let mut varies = vec![false; closure.captures.len()];
        varies.push(true);
        Ok(ClosureCall { build, code, args, wrt: varies })
    }

    fn finish(
        self,
        result: impl Into<Operand>,
        callees: Vec<Arc<Func>>,
    ) -> Result<GeneratedBody, BuildError> {
        let mut build = self.build;
        build.ret(result)?;
        Ok(GeneratedBody { func: build.finish()?, callees })
    }
}

/// Calls `transform` with the functions' lookup and naming.
fn named<R>(
    request: &BodyRequest<'_>,
    transform: impl FnOnce(Names<'_>) -> Result<R, Refusal>,
) -> Result<R, LoadError> {
    let name = |func: Symbol, what: &str| Symbol::new(&format!("{func}{{inside {what}}}"));
    let lookup = |name: Symbol| match custom::has_rule(name) {
        true => None,
        false => (request.lookup)(name).ok().flatten().filter(|func| !is_of_library(func)),
    };
    // The generated code belongs to the program, not to the context for which it is made first.
    let transformed = ActiveRules::NONE.during(|| transform(Names { lookup: &lookup, name: &name }));
    transformed.map_err(|refusal| LoadError {
        span: refusal.span,
        ..failed(request, format!("no derivative inside of the program: {refusal}"))
    })
}

/// `(f(x), f'(x))`
fn slope_of(request: &BodyRequest<'_>) -> Result<GeneratedBody, LoadError> {
    let fault = |error: BuildError| failed(request, error.to_string());
    let mut called = ClosureCall::of(request)?;
    let funcs =
        named(request, |names| forward::ForwardTransformer::new(names).all(&called.code, &called.wrt))?;
    let callees: Vec<Arc<Func>> = funcs.into_iter().map(Arc::new).collect();
    let pushforward = callees.first().ok_or_else(|| failed(request, "it has no derivative"))?;
    called.args.push(Operand::from(1.0));
    let both = called.build.call(pushforward.name, called.args.clone(), pushforward.ret).map_err(fault)?;
    called.finish(both, callees).map_err(fault)
}

/// `(f(args), gradient)`
fn gradient_of(request: &BodyRequest<'_>) -> Result<GeneratedBody, LoadError> {
    let fault = |error: BuildError| failed(request, error.to_string());
    let mut called = ClosureCall::of(request)?;
    let (name, callees) =
        named(request, |names| direct_gradient(names, &called.code, &called.wrt, Recomputation::Cheap))?;
    let gradient =
        callees.iter().find(|func| func.name == name).ok_or_else(|| failed(request, "it has no gradient"))?;
    let args = called.args.clone();
    let both = called.build.call(name, args, gradient.ret).map_err(fault)?;
    let y = called.build.op(&ops::FIELD, [Operand::from(both), 0_i64.into()]).map_err(fault)?;
    let all = called.build.op(&ops::FIELD, [Operand::from(both), 1_i64.into()]).map_err(fault)?;
    let dx = called.build.op(&ops::FIELD, [Operand::from(all), 0_i64.into()]).map_err(fault)?;
    let result = called.build.op(&ops::TUPLE, [y, dx]).map_err(fault)?;
    if called.build.ty(&result.into()).ok() != Some(request.func.ret) {
        return Err(failed(
            request,
            format!(
                "gradients inside of programs are of floats, arrays of them and tuples, not in `{}`",
                request.func.ret
            ),
        ));
    }
    called.finish(result, callees).map_err(fault)
}
