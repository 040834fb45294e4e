//! `overdub trace`, `count` and `nan`: a function run under a context that watches it.

use std::io::Write;
use std::time::Instant;

use overdub_context::Symbol;
use overdub_context::engine::Layers;
use overdub_context::value::Value;
use overdub_count::{Count, Counts, Row};
use overdub_lower::PRELUDE;
use overdub_nan::Nan;
use overdub_trace::{FlameError, ShownValue, TracedCall};

use crate::args::{self, RunArgs};
use crate::call::{self, RequestedCall};
use crate::codes;
use crate::context::closure_of;
use crate::report::{Diagnostic, Failed};

/// Arguments and results of calls are cut to this number of characters.
const MOST_CHARS: usize = 60;

/// Runs a function and prints the tree of its calls, even if it fails.
pub(crate) fn trace(args: &args::Trace, out: &mut dyn Write) -> Result<(), Failed> {
    let mut cx = overdub_trace::Trace::new();
    if !args.std {
        cx = cx.outside_of(PRELUDE);
    }
    if !args.std && !args.operations {
        cx = cx.functions();
    }
    if let Some(depth) = args.depth {
        cx = cx.depth(depth);
    }
    let call = RequestedCall::open(&args.run)?;
    generate(&call, &cx);
    let begin = Instant::now();
    let (result, mut tree) = call.watched(&cx);
    let time = begin.elapsed();
    if !args.std {
        tree.retain(|called| !is_of_library(&call, called.function));
    }
    let shown = |value: &Value<'_>| ShownValue::of(value, MOST_CHARS);
    let root = TracedCall {
        function: Symbol::new(call.function().name()),
        args: call.arguments().iter().map(shown).collect(),
        result: result.as_ref().ok().map(shown),
        span: call.span(),
        time,
        depth: 0,
    };
    let output = result.and_then(|value| call.output_of(value));
    if let Some(path) = &args.flame {
        write_flame_graph(tree.flame_graph(), path)?;
    }
    if !args.run.json {
        write!(out, "{:#}", tree.below(root))?;
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

/// Writes a flame graph to its file.
pub(crate) fn write_flame_graph(
    svg: Result<String, FlameError>,
    path: &std::path::Path,
) -> Result<(), Failed> {
    let svg = svg.map_err(|error| Failed::program(Diagnostic::new(error.to_string())))?;
    std::fs::write(path, svg).map_err(|error| {
        Failed::program(
            Diagnostic::new(format!("cannot write `{}`: {error}", path.display())).coded(codes::FILE),
        )
    })
}

/// Generates all code of a call under a context, which would otherwise count as time of the functions that are called
/// first. What cannot be generated is reported when it is called.
fn generate<L: Layers>(call: &RequestedCall, cx: &L) {
    let (name, _specialized) = cx.specialize(call.engine(), call.function().symbol);
    _ = closure_of(call.engine(), name);
}

/// Whether a function is one of the standard library; of other names, operations and values that are called, it is not.
fn is_of_library(call: &RequestedCall, function: Symbol) -> bool {
    let found = call.engine().program().func(function);
    found.is_ok_and(|func| func.is_some_and(|func| func.span.file.starts_with(PRELUDE)))
}

/// Runs a function and prints how often it called what.
pub(crate) fn count(args: &args::Count, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open(&args.run)?;
    let (value, counts) = call.under(&Count)?;
    let output = call.output_of(value)?;
    if args.run.json {
        let mut json = output.json();
        json["counts"] = counts.to_json();
        writeln!(out, "{json}")?;
        return Ok(());
    }
    if args.std {
        write!(out, "{counts}")?;
        return output.print(out);
    }
    let is_function = |row: &Row| call.engine().program().func(row.function).is_ok_and(|func| func.is_some());
    let is_shown = |row: &Row| is_function(row) && !is_of_library(&call, row.function);
    let (shown, others): (Vec<Row>, Vec<Row>) = counts.rows().into_iter().partition(is_shown);
    let others: u64 = others.iter().map(|row| row.calls).sum();
    print_counts(&counts, &shown, others, out)?;
    output.print(out)
}

/// Prints the counts of the user's functions, and the sum of all others.
fn print_counts(counts: &Counts, shown: &[Row], others: u64, out: &mut dyn Write) -> Result<(), Failed> {
    let width = shown.iter().map(|row| row.calls.to_string().len()).max().unwrap_or(1);
    for row in shown {
        writeln!(out, "{:>width$}  {row}", row.calls)?;
    }
    writeln!(out, "{others} operations and calls of the standard library (`--std` lists them)")?;
    writeln!(out, "{} floating-point operations", counts.flops())?;
    for name in counts.unknown() {
        writeln!(out, "the cost of `{name}` is not known")?;
    }
    Ok(())
}

/// Runs a function as long as its numbers are finite.
pub(crate) fn nan(args: &RunArgs, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open(args)?;
    let value = call.under(&Nan::new())?;
    call::print(args, call.output_of(value)?, out)
}
