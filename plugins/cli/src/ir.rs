//! `overdub ir`: a function as text.

use std::io::Write;

use overdub_context::text::Printer;
use overdub_passes::Scope;

use crate::args::{Ir, Stage};
use crate::load;
use crate::report::Failed;

/// Prints the IR of a function.
pub(crate) fn print(args: &Ir, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let function = match &args.types {
        Some(types) => load::function_with(&loaded, &args.which.function, types)?,
        None => load::function(&loaded, &args.which.function, &[])?,
    };
    let funcs = loaded.closure_of(function.instance).map_err(|error| load::lower_error(&loaded, error))?;
    let shown = if args.callees { funcs.len() } else { 1 };
    let callee = overdub_passes::callees(loaded.module());
    for (i, func) in funcs.iter().take(shown).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        match args.stage {
            Stage::Lowered => write!(out, "{}", Printer::new().func(func))?,
            Stage::Optimized => {
                let func = overdub_passes::optimise(func, &Scope::new(&callee));
                write!(out, "{}", Printer::new().func(&func))?;
            }
        }
    }
    Ok(())
}
