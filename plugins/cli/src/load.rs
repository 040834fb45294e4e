//! Sources and functions as named on the command line.

use std::path::Path;
use std::sync::Arc;

use overdub_context::engine::Engine;
use overdub_context::ir::LoadError;
use overdub_context::{Failure, Report, StackEntry};
use overdub_lower::codes::NO_FUNCTION;
use overdub_lower::infer::ListShape;
use overdub_lower::lower::{LowerError, without_entry};
use overdub_lower::{
    Function, FunctionError, Loaded, LookupError, PRELUDE, Program, ResolveError, user_span,
};

use crate::report::{Diagnostic, Failed};

/// The greatest number of calls of a call stack that are printed.
const SHOWN_CALLS: usize = 12;

/// Loads a `.rs` file or a crate's folder.
pub(crate) fn open(source: &Path) -> Result<Loaded, Failed> {
    Loaded::open(source).map_err(|error| {
        let text = std::fs::read_to_string(error.span.file.as_str()).ok().map(Arc::from);
        Failed::program(resolve_error(error)).with_source(text)
    })
}

/// Loads a source with debug information.
pub(crate) fn open_to_debug(source: &Path) -> Result<Loaded, Failed> {
    let program = Program::load(source).map_err(|error| {
        let text = std::fs::read_to_string(error.span.file.as_str()).ok().map(Arc::from);
        Failed::program(resolve_error(error)).with_source(text)
    })?;
    Ok(Loaded::with_debug_info(program))
}

/// The function that a path names, for arguments of these shapes.
pub(crate) fn function(loaded: &Loaded, path: &str, shapes: &[ListShape]) -> Result<Function, Failed> {
    loaded.function_for(path, shapes).map_err(|error| function_error(loaded, error))
}

/// The names of the parameters of the function that a path names.
pub(crate) fn param_names(loaded: &Loaded, path: &str) -> Result<Vec<String>, Failed> {
    let found = loaded.program().lookup_through(path).map_err(|error| Failed::usage(lookup_error(&error)))?;
    let signature =
        loaded.program().fn_sig(found.0).map_err(|error| Failed::program(resolve_error(error)))?;
    Ok(signature.param_names.iter().map(|name| name.to_string()).collect())
}

/// The function that a path names, for parameters of these types.
pub(crate) fn function_with(loaded: &Loaded, path: &str, types: &str) -> Result<Function, Failed> {
    loaded.function_with(path, types).map_err(|error| function_error(loaded, error))
}

fn function_error(loaded: &Loaded, error: FunctionError) -> Failed {
    match error {
        FunctionError::Lookup(error) => Failed::usage(lookup_error(&error)),
        FunctionError::Lower(error) => lower_error(loaded, error),
    }
}

/// A function that cannot be lowered.
pub(crate) fn lower_error(loaded: &Loaded, error: LowerError) -> Failed {
    let source = loaded.program().source(error.span.file);
    let mut diagnostic = Diagnostic::new(error.message).coded(error.code).at(error.span);
    diagnostic.help = error.help;
    Failed::program(diagnostic).with_source(source)
}

/// The error of a function that a context cannot rewrite.
pub(crate) fn load_error(loaded: &Loaded, error: LoadError) -> Failed {
    let source = loaded.program().source(error.span.file);
    let mut diagnostic = Diagnostic::new(error.message).coded(error.code).at(error.span);
    diagnostic.help = error.help;
    Failed::program(diagnostic).with_source(source)
}

/// The error of a program that failed, at the user's own line.
pub(crate) fn failure(loaded: &Loaded, engine: &Engine, failure: &Failure) -> Failed {
    let report = failure.report();
    let span = user_span(report);
    let mut diagnostic = Diagnostic::new(report.message.clone()).coded(report.code).at(span);
    diagnostic.notes = call_stack(engine, report);
    diagnostic.help = report.help.clone();
    let source = loaded.program().source(span.file);
    match report.limit {
        Some(limit) => Failed::limit(limit, diagnostic).with_source(source),
        None => Failed::program(diagnostic).with_source(source),
    }
}

fn resolve_error(error: ResolveError) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(error.cause.to_string()).coded(error.cause.code()).at(error.span);
    diagnostic.help = error.help;
    diagnostic
}

fn lookup_error(error: &LookupError) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(error.to_string()).coded(NO_FUNCTION);
    if !error.similar.is_empty() {
        let names: Vec<String> = error.similar.iter().map(|name| format!("`{name}`")).collect();
        diagnostic.help = Some(format!("there is {}", names.join(", ")));
    }
    diagnostic
}

/// The user's functions that were running, the innermost first, by their names in the source.
fn call_stack(engine: &Engine, report: &Report) -> Vec<String> {
    let is_users = |entry: &&StackEntry| {
        let func = engine.root(entry.func);
        !entry.span.file.starts_with(PRELUDE) && without_entry(&func) == func.as_str()
    };
    let calls: Vec<_> = report.stack.iter().filter(is_users).collect();
    let shown = calls.iter().take(SHOWN_CALLS);
    let mut notes: Vec<String> =
        shown.map(|entry| format!("in `{}` at {}", engine.root(entry.func), entry.span)).collect();
    if calls.len() > SHOWN_CALLS {
        notes.push(format!("and {} more calls", calls.len() - SHOWN_CALLS));
    }
    notes
}
