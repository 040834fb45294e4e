//! Runs a Rust function in the interpreter.

use std::sync::LazyLock;

use overdub_context::engine::Engine;
use overdub_context::interp::{Codes, Interpreter};
use overdub_context::ir::Ty;
use overdub_context::value::{FromValue, StructFault, Value, WriteBack, struct_fault};

use super::overdub::engine;
use super::{Arguments, Callable, Error, TransferredArgs};
use crate::loaded::{Function, Param};
use crate::lower::PassedBy;
use crate::registry;

/// Runs a function in the interpreter, the reference for all executors: the result is that of Rust's own
/// call.
///
/// # Errors
/// If it panics, or its source is not known or cannot be lowered.
pub fn run<'a, F, Args>(func: F, args: Args) -> Result<F::Output, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    /// The compiled functions, cached across runs.
    static CODES: LazyLock<Codes> = LazyLock::new(Codes::default);
    let target = func.target()?;
    if target.is_under_contexts() {
        return run_in(engine(), func, args);
    }
    run_with(&mut Interpreter::sharing(registry::program().module(), CODES.clone()), func, args)
}

/// Runs a function in an engine of [`registry::program`]'s module.
///
/// # Errors
/// As for [`run`].
pub fn run_in<'a, F, Args>(engine: &Engine, func: F, args: Args) -> Result<F::Output, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?.in_engine(engine);
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let value = engine.run(target.function.symbol, target.values(values))?;
    finish(&target.function, value, write_backs)
}

/// Runs a function in an interpreter of [`registry::program`]'s module.
///
/// # Errors
/// As for [`run`].
pub fn run_with<'a, F, Args>(
    interpreter: &mut Interpreter<'_>,
    func: F,
    args: Args,
) -> Result<F::Output, Error>
where
    F: Callable<Args>,
    F::Output: FromValue,
    Args: Arguments<'a>,
{
    let target = func.target()?;
    if target.is_under_contexts() {
        let help = "run it in an engine: `run_in(&engine, under(cx, f), args)`";
        return Err(Error::new("a function under a context runs in an engine").with_help(help));
    }
    let TransferredArgs { values, write_backs } = target.transfer(args)?;
    let value = interpreter.run(target.function.symbol, target.values(values))?;
    finish(&target.function, value, write_backs)
}

/// Converts the result of a call: stores the final values of `&mut` arguments, and converts the return value.
///
/// # Errors
/// If a value does not have the expected Rust type.
pub fn finish<R: FromValue>(
    function: &Function,
    value: Value<'_>,
    write_backs: Vec<WriteBack<'_>>,
) -> Result<R, Error> {
    let (value, outs) = function.split(value.into_owned());
    let mismatch = |error: overdub_context::value::Mismatch| Error::new(error.to_string());
    for (write_back, out) in write_backs.into_iter().zip(outs) {
        write_back.put(out).map_err(mismatch)?;
    }
    R::from_value(value).map_err(mismatch)
}

/// What to do about an argument of a type that its parameter does not have.
fn advice(found: Ty) -> String {
    let shown = |tys: &[Ty]| tys.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", ");
    match struct_fault(found) {
        Some((name, StructFault::Fields { read, compiled })) => format!(
            "the source of `{name}` that overdub reads has fields of the types {}, the one that rustc compiled {}: build \
             again with the `Cargo.lock` that is there, and with one version of the crate",
            shown(&read),
            shown(&compiled)
        ),
        Some((name, StructFault::Field(field))) => format!(
            "a field of `{name}` holds a `{field}`, which is passed as an array: pass it as an argument of its own"
        ),
        Some((name, _)) => format!(
            "overdub knows no source of `{name}`, or two of that name: write `overdub::source!(crate);` in the root file of \
             the crate, `cargo fetch` its dependencies, and let them agree on one version"
        ),
        None => "annotate the types in it with `#[derive(Dub)]`".to_owned(),
    }
}

/// Checks that values have the types of the parameters (API1).
pub(super) fn check(params: &[Param], values: &[Value<'_>]) -> Result<(), Error> {
    if params.len() != values.len() {
        let message = format!("the function takes {} arguments, found {}", params.len(), values.len());
        return Err(Error::new(message).with_help("is the signature that it was erased to its own?"));
    }
    for (param, value) in params.iter().zip(values) {
        let found = value.ty();
        if param.by == PassedBy::Reference {
            let message = format!("`{}` is a `&mut` that the result holds on to", param.name);
            return Err(Error::new(message).with_help("call it from a function that returns a value"));
        }
        if found != param.ir_ty {
            let message =
                format!("the argument `{}` is of type `{}`, found `{found}`", param.name, param.ir_ty);
            return Err(Error::new(message).with_help(advice(found)));
        }
    }
    Ok(())
}
