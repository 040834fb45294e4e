//! `overdub ir`: a function as text.

use std::io::Write;

use overdub_context::codes::MISSING;
use overdub_context::engine::Engine;
use overdub_context::ir::{Func, LoadError, Ty, TyKind};
use overdub_context::text::Printer;
use overdub_lanes::{Lanes, Unsupported, inlined};
use overdub_passes::InstructionSet;
use overdub_passes::{Pipeline, Scope};

use crate::args::{Ir, Stage};
use crate::context::{NamedContext, ShownContext};
use crate::report::{Diagnostic, Failed};
use crate::{context, load, pass_log};

/// Prints the IR of a function.
pub(crate) fn print(args: &Ir, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let function = match &args.types {
        Some(types) => load::function_with(&loaded, &args.which.function, types)?,
        None => load::function(&loaded, &args.which.function, &[])?,
    };
    let engine = loaded.engine();
    let (in_lanes, contexts) = contexts(args)?;
    let funcs = if contexts.is_empty() {
        loaded.closure_of(function.instance).map_err(|error| load::lower_error(&loaded, error))?
    } else {
        let name = context::name_under(&engine, function.symbol, &contexts);
        context::closure_of(&engine, name).map_err(|error| load::load_error(&loaded, error))?
    };
    if in_lanes {
        let shown = funcs.first().map(|func| lanes(&engine, func)).transpose();
        let shown = shown.map_err(|error| load::load_error(&loaded, error))?;
        return Ok(shown.map_or(Ok(()), |lanes| write!(out, "{lanes}"))?);
    }
    let shown = if args.callees { funcs.len() } else { 1 };
    let module = engine.module();
    let callee = overdub_passes::callees(&module);
    for (i, func) in funcs.iter().take(shown).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let scope = Scope::new(&callee);
        match (pipeline(args), args.passes) {
            (None, _) => write!(out, "{}", Printer::new().func(func))?,
            (Some(pipeline), false) => write!(out, "{}", Printer::new().func(&pipeline.run(func, &scope)))?,
            (Some(pipeline), true) => pass_log::print(func, pipeline, &scope, out)?,
        }
    }
    Ok(())
}

/// Whether the program that lanes run is to be shown, and the contexts under which.
fn contexts(args: &Ir) -> Result<(bool, Vec<NamedContext>), Failed> {
    let (in_lanes, rest) = match args.context.split_first() {
        Some((ShownContext::Lanes, rest)) => (true, rest),
        _ => (false, &args.context[..]),
    };
    let named = rest.iter().map(|context| match context {
        ShownContext::Named(named) => Ok(named.clone()),
        ShownContext::Lanes => {
            let message = "lanes run what other contexts make of a function: name `lanes` first, and once";
            Err(Failed::usage(Diagnostic::new(message)))
        }
    });
    let named = named.collect::<Result<_, _>>()?;
    if in_lanes && (args.passes || args.callees || args.stage != Stage::Lowered) {
        let message = "lanes run one function, optimised, with its calls inlined: there are no stages, passes or callees";
        return Err(Failed::usage(Diagnostic::new(message)));
    }
    Ok((in_lanes, named))
}

/// The program that lanes run, of which each element has its own arguments but for arrays.
fn lanes(engine: &Engine, func: &Func) -> Result<Lanes, LoadError> {
    let is_mapped = |ty: Ty| !matches!(ty.kind(), TyKind::Array(_));
    let mapped: Vec<bool> = func.param_tys().map(is_mapped).collect();
    let unsupported = |error: Unsupported| LoadError {
        code: MISSING,
        message: error.to_string(),
        span: if error.span.is_known() { error.span } else { func.span },
        help: None,
    };
    // What is printed does not depend on the machine.
    let set = InstructionSet::Baseline;
    Lanes::for_instruction_set(&inlined(&engine.module(), func), &mapped, set).map_err(unsupported)
}

/// The passes to run, if any.
fn pipeline(args: &Ir) -> Option<Pipeline<'static>> {
    match args.stage {
        Stage::Lowered => args.passes.then(Pipeline::optimising),
        Stage::Optimized => Some(Pipeline::optimising()),
        Stage::Codegen => Some(Pipeline::compiling()),
    }
}
