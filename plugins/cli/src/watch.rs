//! `overdub trace`, `count` and `nan`: a function run under a context that watches it.

use std::io::Write;

use overdub_count::Count;
use overdub_lower::PRELUDE;
use overdub_nan::Nan;

use crate::args::{RunArgs, Trace};
use crate::call::{self, RequestedCall};
use crate::report::{Diagnostic, Failed};

/// Runs a function and prints the tree of its calls, even if it fails.
pub(crate) fn trace(args: &Trace, out: &mut dyn Write) -> Result<(), Failed> {
    let mut cx = overdub_trace::Trace::new();
    if !args.std {
        cx = cx.outside_of(PRELUDE);
    }
    if args.functions {
        cx = cx.functions();
    }
    if let Some(depth) = args.depth {
        cx = cx.depth(depth);
    }
    let call = RequestedCall::open(&args.run)?;
    let (result, tree) = call.watched(&cx);
    let output = result.and_then(|value| call.output_of(value));
    if let Some(path) = &args.flame {
        let svg = tree.flame_graph().map_err(|error| Failed::program(Diagnostic::new(error.to_string())))?;
        std::fs::write(path, svg).map_err(|error| {
            Failed::program(Diagnostic::new(format!("cannot write `{}`: {error}", path.display())))
        })?;
    }
    if !args.run.json {
        write!(out, "{tree:#}")?;
        return output?.print(out);
    }
    let (output, failed) = match output {
        Ok(output) => (output.json().to_string(), None),
        Err(failed) => (failed.json().to_string(), Some(failed.reported())),
    };
    // The tree may be too deep for a recursive JSON writer.
    let head = output.strip_suffix('}').unwrap_or(&output);
    let comma = if head == "{" { "" } else { "," };
    let (calls, more) = (tree.to_json(), tree.not_recorded());
    writeln!(out, "{head}{comma}\"calls\":{calls},\"not_recorded\":{more}}}")?;
    failed.map_or(Ok(()), Err)
}

/// Runs a function and prints how often it called what.
pub(crate) fn count(args: &RunArgs, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open(args)?;
    let (value, counts) = call.under(&Count)?;
    let output = call.output_of(value)?;
    if args.json {
        let mut json = output.json();
        json["counts"] = counts.to_json();
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{counts}")?;
        output.print(out)?;
    }
    Ok(())
}

/// Runs a function as long as its numbers are finite.
pub(crate) fn nan(args: &RunArgs, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open(args)?;
    let value = call.under(&Nan::new())?;
    call::print(args, call.output_of(value)?, out)
}
