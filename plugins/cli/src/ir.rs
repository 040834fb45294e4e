//! `overdub ir`: a function as text.

use std::io::Write;

use overdub_context::text::Printer;
use overdub_passes::{Pipeline, Scope};

use crate::args::{Ir, Stage};
use crate::report::Failed;
use crate::{context, load, pass_log};

/// Prints the IR of a function.
pub(crate) fn print(args: &Ir, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let function = match &args.types {
        Some(types) => load::function_with(&loaded, &args.which.function, types)?,
        None => load::function(&loaded, &args.which.function, &[])?,
    };
    let engine = loaded.engine();
    let funcs = if args.context.is_empty() {
        loaded.closure_of(function.instance).map_err(|error| load::lower_error(&loaded, error))?
    } else {
        let name = context::name_under(&engine, function.symbol, &args.context);
        context::closure_of(&engine, name).map_err(|error| load::load_error(&loaded, error))?
    };
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

/// The passes to run, if any.
fn pipeline(args: &Ir) -> Option<Pipeline<'static>> {
    match args.stage {
        Stage::Lowered => args.passes.then(Pipeline::optimising),
        Stage::Optimized => Some(Pipeline::optimising()),
        Stage::Codegen => Some(Pipeline::compiling()),
    }
}
