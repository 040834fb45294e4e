//! Functions some of whose arguments are constants: with static arguments, loops over them are unrolled and vectors have known
//! lengths.
//!
//! JAX calls them so, too: [`static_argnums` of `jax.jit`](https://docs.jax.dev/en/latest/_autosummary/jax.jit.html).

use std::hash::{DefaultHasher, Hash, Hasher};

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand};
use overdub_context::value::Value;

use crate::error::ExportError;

/// Defines a function that calls another one with these values of some of its arguments, by their numbers from 0, and takes the
/// others. Returns its name, which is made of the values.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_export::{Export, with_static_arguments};
///
/// let source = "pub fn power(x: f64, n: usize) -> f64 { let mut y = 1.0; for _ in 0..n { y *= x; } y }";
/// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
/// let engine = loaded.engine();
/// let power = loaded.function("power")?.symbol;
/// let cube = with_static_arguments(&engine, power, &[(1, Value::from(3_usize))])?;
/// let text = Export::new(&engine).function(cube, "cube", "").rust()?;
/// assert!(text.contains("pub fn cube(x: f64) -> f64 {") && !text.contains("for "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such function, it has no such parameter, or a value has another type than the parameter or is not only data.
pub fn with_static_arguments(
    engine: &Engine,
    func: Symbol,
    values: &[(usize, Value<'static>)],
) -> Result<Symbol, ExportError> {
    let module = engine.program();
    let of = module.func(func).map_err(|cause| ExportError::Load { func, cause })?;
    let of = of.ok_or(ExportError::Missing(func))?;
    for (number, value) in values {
        let ty = of.params().get(*number).map(|&param| of.ty(param));
        if !ty.is_some_and(|ty| value.is_a(ty)) {
            let (found, expected) = (value.ty(), ty);
            return Err(ExportError::StaticArgument { func, number: *number, found, expected });
        }
    }
    let made = partial(&of, values).map_err(|error| ExportError::Unsupported {
        func,
        construct: format!("a static argument that is no constant: {error}"),
        span: of.span,
    })?;
    let name = made.name;
    module.define(made);
    Ok(name)
}

fn partial(of: &Func, values: &[(usize, Value<'static>)]) -> Result<Func, BuildError> {
    let mut hasher = DefaultHasher::new();
    format!("{values:?}").hash(&mut hasher);
    let name = Symbol::new(&format!("{}.static{:016x}", of.name, hasher.finish()));
    let mut build = FuncBuilder::new(name, of.ret);
    build.set_func_span(of.span);
    build.set_span(of.span);
    let mut args = Vec::new();
    for (number, &param) in of.params().iter().enumerate() {
        let value = values.iter().find(|(at, _)| *at == number);
        args.push(match value {
            // The parameters of a function precede its instructions, such as constants that are no scalars.
            Some((_, value)) => Err((value, of.ty(param))),
            None => Ok(build.param(&of.var_label(param).to_string(), of.ty(param)).into()),
        });
    }
    let args = args.into_iter().map(|arg| match arg {
        Ok(param) => Ok(param),
        Err((value, ty)) => build.constant(value.clone(), ty),
    });
    let args = args.collect::<Result<Vec<Operand>, _>>()?;
    let result = build.call(of.name, args, of.ret)?;
    build.ret(result)?;
    build.finish()
}
