//! `overdub export`: a function, or its derivative, as Rust or C.

use std::io::Write;

use overdub_context::Symbol;
use overdub_context::engine::Engine;
use overdub_context::ir::{BuildError, Func, FuncBuilder, LoadError, Operand, Ty, TyKind};
use overdub_context::ops;
use overdub_context::value::Value;
use overdub_export::{
    Arithmetic, Derivative, Export, ExportError, Failures, Interface, Library, Printed, Results, result_doc,
    result_name,
};
use overdub_lanes::{inlined, opencl};
use overdub_lower::codes::NO_FUNCTION;
use overdub_lower::lower::PassedBy;
use overdub_lower::{Function, Loaded};
use serde_json::Value as Json;

use crate::args;
use crate::call::arguments;
use crate::report::{Diagnostic, Failed};
use crate::static_arguments::StaticArguments;
use crate::wrt::Selection;
use crate::{codes, compression, context, inputs, json, load};

/// Writes a function in a language.
pub(crate) fn print(args: &args::Export, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let given = args.main.as_deref().map(inputs::list).transpose()?;
    let example = args.example.as_deref().map(inputs::list).transpose()?;
    let constants = StaticArguments::of(&loaded, &args.which.function, &args.static_args)?;
    let mut function = match &args.types {
        Some(types) => load::function_with(&loaded, &args.which.function, types)?,
        None => {
            let shown = given.as_ref().or(example.as_ref());
            let shown = shown.map(|others| constants.among(others)).unwrap_or_default();
            let shapes: Vec<_> = shown.iter().map(json::shape).collect();
            load::function(&loaded, &args.which.function, &shapes)?
        }
    };
    let engine = loaded.engine();
    let symbol = constants.applied(&loaded, &engine, &mut function)?;
    let program = loaded.program();
    let source_line = |file: Symbol, line: u32| program.source_line(file, line);
    let failed = |error: ExportError| {
        let (code, help) = match &error {
            ExportError::Load { cause, .. } => (cause.code, cause.help.clone()),
            ExportError::Missing(_) => (NO_FUNCTION, None),
            _ => (codes::NOT_EXPORTED, None),
        };
        load::load_error(&loaded, LoadError { code, message: error.to_string(), span: error.span(), help })
    };
    let wrt = Selection::of(&function, args.wrt.as_deref())?;
    let failures = match args.failures {
        args::Failures::Panic => Failures::Panic,
        args::Failures::Result => Failures::Result,
    };
    let library = if args.no_std { Library::NoStd } else { Library::Std };
    let arithmetic = if args.fast { Arithmetic::Fast } else { Arithmetic::Exact };
    let export = Export::new(&engine).with_source(source_line);
    let export = export.with_failures(failures).with_library(library).with_arithmetic(arithmetic);
    let results = if args.into { Results::IntoSlices } else { Results::Returned };
    let export = export.with_results(results);
    let export = if args.workspace { export.with_workspace() } else { export };
    let fixed: Vec<&str> = args.fixed.iter().map(String::as_str).collect();
    let export = match args.lanes {
        Some(width) => export.with_lanes(width, &fixed),
        None => export,
    };
    let asked = derivative(args);
    let name = args.name.clone().unwrap_or_else(|| result_name(function.name(), asked) + results.ending());
    let doc = match args.context.is_empty() {
        true => {
            let params = function.params.iter().enumerate();
            let chosen = params.filter(|(at, _)| wrt.contains(*at)).map(|(_, param)| param.name.as_str());
            result_doc(function.name(), &loaded.types().show(function.ret), asked, chosen) + &constants.doc()
        }
        false => format!("`{}` under a context.", function.name()),
    };
    let mut export = match asked {
        Some(derivative) => {
            let chosen: Vec<bool> = (0..function.params.len()).map(|at| wrt.contains(at)).collect();
            let of = match is_matrix(args) {
                true => result_alone(&engine, &function, symbol).map_err(failed)?,
                false => symbol,
            };
            match args.sparse {
                true => {
                    let example = example.as_ref().or(given.as_ref()).ok_or_else(no_example)?;
                    let example = arguments(&loaded, &function, example)?;
                    let place = (&loaded, &engine);
                    let found = compression::found(place, (&function, of), derivative, &wrt, example)?;
                    export.sparse((of, derivative), &chosen, found, &name, &doc)
                }
                false => export.derivative(of, derivative, &chosen, &name, &doc),
            }
            .map_err(failed)?
        }
        None if args.context.is_empty() => export.function(symbol, &name, &doc),
        None => {
            let symbol = context::name_under(&engine, symbol, &args.context);
            export.function(symbol, &name, &doc)
        }
    };
    let is_kernel = matches!(args.language, args::Language::Cuda | args::Language::OpenCl);
    if is_kernel && args.sparse {
        return Err(Failed::usage(Diagnostic::new("there are no kernels of sparse derivatives")));
    }
    if is_kernel && (args.into || args.workspace) {
        let message = "a kernel has no callers whose slices or workspace it could use";
        return Err(Failed::usage(Diagnostic::new(message)));
    }
    if is_kernel && args.lanes.is_some() {
        let message = "a kernel runs for many elements already: each is a thread";
        return Err(Failed::usage(Diagnostic::new(message)));
    }
    if is_kernel && given.is_some() {
        return Err(Failed::usage(Diagnostic::new("a kernel has no `main`: `overdub map --device` runs it")));
    }
    if let Some(given) = given {
        let params = export.params(&name).map_err(failed)?;
        let holds_floats = |ty: Ty| ty.contains(|part| matches!(part.kind(), TyKind::Float(_)));
        let tangents: Vec<bool> = match asked {
            Some(Derivative::Jvp | Derivative::Hvp) => {
                let all = function.params.iter().enumerate();
                all.map(|(at, param)| wrt.contains(at) && holds_floats(param.ir_ty)).collect()
            }
            _ => Vec::new(),
        };
        let arguments = main_arguments(&loaded, &function, (&name, &params), &tangents, given)?;
        // A matrix is that of the result alone.
        let has_outs = !is_matrix(args) || function.ir_ret == Ty::unit();
        let named = function.params.iter();
        let named = named.map(|param| (param.name.to_string(), has_outs && param.by == PassedBy::InOut));
        export = export.with_main(arguments, Printed::Json(Interface::new(named, function.ir_ret)));
    }
    let text = match args.language {
        args::Language::Rust => export.rust(),
        args::Language::C => export.c(),
        args::Language::Cuda => export.kernel().map(|kernel| kernel.text),
        args::Language::OpenCl => {
            let func = export.named(&name).map_err(failed)?;
            let kernel = opencl::kernel(&inlined(&engine.module(), &func));
            Ok(kernel
                .map_err(|error| {
                    let construct = error.reason.in_kernel();
                    failed(ExportError::Unsupported { func: function.symbol, construct, span: error.span })
                })?
                .text)
        }
    };
    let text = text.map_err(failed)?;
    match &args.output {
        None => write!(out, "{text}")?,
        Some(path) => write_whole(path, text)?,
    }
    Ok(())
}

/// A function that returns what the function `symbol` returns, without the last values of the `&mut` parameters of `function`.
fn result_alone(engine: &Engine, function: &Function, symbol: Symbol) -> Result<Symbol, ExportError> {
    let has_outs = function.params.iter().any(|param| param.by == PassedBy::InOut);
    if !has_outs || function.ir_ret == Ty::unit() {
        return Ok(symbol);
    }
    let module = engine.program();
    let func = module.func(symbol).map_err(|cause| ExportError::Load { func: symbol, cause })?;
    let func = func.ok_or(ExportError::Missing(symbol))?;
    let built = || -> Result<Func, BuildError> {
        let mut build = FuncBuilder::new(Symbol::new(&format!("{symbol}.result")), function.ir_ret);
        build.set_func_span(func.span);
        build.set_span(func.span);
        let params = func.params().iter();
        let args: Vec<_> =
            params.map(|&param| build.param(&func.var_label(param).to_string(), func.ty(param))).collect();
        let all = build.call(symbol, args, func.ret)?;
        let result = build.op(&ops::FIELD, [Operand::from(all), 0_i64.into()])?;
        build.ret(result)?;
        build.finish()
    };
    let built = built().map_err(|error| ExportError::Unsupported {
        func: symbol,
        construct: format!("its result has an unexpected form: {error}"),
        span: func.span,
    })?;
    let name = built.name;
    module.define(built);
    Ok(name)
}

/// The arguments of an exported function: its own, then the tangents of those that hold floats, in their shapes, or the
/// cotangent of the result. `tangents` tells which arguments have one; null for the others may be given.
fn main_arguments(
    loaded: &Loaded,
    function: &Function,
    (name, params): (&str, &[(String, Ty)]),
    tangents: &[bool],
    mut given: Vec<Json>,
) -> Result<Vec<(Value<'static>, Ty)>, Failed> {
    let usage = |message: String| Failed::usage(Diagnostic::new(message));
    let own = function.params.len();
    if given.len() == own + tangents.len() && params.len() < given.len() {
        let mut at = 0;
        given.retain(|part| {
            at += 1;
            at <= own || tangents[at - 1 - own] || !part.is_null()
        });
    }
    if params.len() != given.len() && params.len() != own {
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(", ");
        return Err(usage(format!(
            "`{name}` takes {} arguments ({names}), got {}",
            params.len(),
            given.len()
        )));
    }
    let (of_function, more) = given.split_at(own.min(given.len()));
    let mut values = arguments(loaded, function, of_function)?;
    let mut with_tangents = (0..own).filter(|at| tangents.get(*at) == Some(&true));
    for (part, (name, ty)) in more.iter().zip(&params[own..]) {
        let value = match with_tangents.next() {
            Some(of) => json::typed_tangent(part, &values[of], *ty, name),
            None => json::read(part, *ty, name),
        };
        values.push(value.map_err(|error| usage(error.to_string()))?);
    }
    Ok(values.into_iter().zip(params).map(|(value, (_, ty))| (value, *ty)).collect())
}

/// Writes a file that is either complete or as it was.
pub(crate) fn write_whole(path: &std::path::Path, text: impl AsRef<[u8]>) -> Result<(), Failed> {
    let failed =
        |error: std::io::Error| Failed::usage(Diagnostic::new(format!("{}: {error}", path.display())));
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, text).map_err(failed)?;
    std::fs::rename(&partial, path).map_err(failed)
}

/// Whether a Jacobian or Hessian is asked for.
fn is_matrix(args: &args::Export) -> bool {
    args.jacobian || args.hessian
}

fn no_example() -> Failed {
    let message = "a sparse derivative is written for the shape of its arguments, which is not known";
    let help = "give an example of them: `--example '[[0.0, 0.0, 0.0], 0.1]'`, or `--main`";
    Failed::usage(Diagnostic::new(message).with_help(help))
}

/// The derivative that is asked for.
fn derivative(args: &args::Export) -> Option<Derivative> {
    match () {
        () if args.gradient => Some(Derivative::Gradient),
        () if args.value_and_gradient => Some(Derivative::ValueAndGradient),
        () if args.gradients => Some(Derivative::Gradients),
        () if args.value_and_gradients => Some(Derivative::ValueAndGradients),
        () if args.jvp => Some(Derivative::Jvp),
        () if args.vjp => Some(Derivative::Vjp),
        () if args.hvp => Some(Derivative::Hvp),
        () if args.jacobian && args.sparse => Some(Derivative::SparseJacobian),
        () if args.hessian && args.sparse => Some(Derivative::SparseHessian),
        () if args.jacobian => Some(Derivative::Jacobian),
        () if args.hessian => Some(Derivative::Hessian),
        () => None,
    }
}
