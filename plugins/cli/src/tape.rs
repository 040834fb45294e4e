//! `overdub tape`: the bytes that a gradient keeps for its reverse sweep, by line of the source.

use std::io::Write;

use overdub_ad::GradientRoute;
use overdub_ad::transform::reverse::TapeReport;
use overdub_context::Symbol;
use serde_json::json;

use crate::args::Tape;
use crate::call::RequestedCall;
use crate::report::Failed;
use crate::waiting;
use crate::watch::write_flame_graph;

/// Runs a gradient, and prints what it records by line, and the most that it keeps at a time.
pub(crate) fn print(args: &Tape, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let bound = args.tape_memory.bound();
    let route = GradientRoute::within(call.engine(), function.symbol, function.ir_ret, &|_| true, bound);
    let run = || route.tape_report(call.arguments().to_vec());
    let report = call.reported(waiting::shown("differentiating", run))?;
    if let Some(path) = &args.flame {
        write_flame_graph(overdub_trace::flame_graph(&stacks(&call, &report), "bytes"), path)?;
    }
    if args.run.json {
        let line =
            |(at, bytes): &(String, usize)| json!({"at": at, "bytes": bytes, "source": text(&call, at)});
        let lines: Vec<_> = report.by_line.iter().map(line).collect();
        writeln!(out, "{}", json!({"lines": lines, "bytes": report.bytes, "peak": report.peak}))?;
        return Ok(());
    }
    table(&call, &report, out)
}

/// A row for each line, the one with the most bytes first, and the sum.
fn table(call: &RequestedCall, report: &TapeReport, out: &mut dyn Write) -> Result<(), Failed> {
    let mut rows = report.by_line.clone();
    rows.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let numbers = [report.bytes, report.peak].into_iter();
    let width = numbers.map(|bytes| bytes.to_string().len()).max().unwrap_or(1);
    let places = rows.iter().map(|(at, _)| at.chars().count()).max().unwrap_or(0);
    for (at, bytes) in &rows {
        let share = 100.0 * *bytes as f64 / report.bytes.max(1) as f64;
        let text = text(call, at).unwrap_or_default();
        writeln!(out, "{bytes:>width$}  {share:>3.0} %  {at:places$}  {text}")?;
    }
    writeln!(out, "{:>width$}  bytes are recorded", report.bytes)?;
    writeln!(out, "{:>width$}  are kept at a time, at most", report.peak)?;
    Ok(())
}

/// The text of a line, given as `file:line`.
fn text(call: &RequestedCall, at: &str) -> Option<String> {
    let (file, line) = at.rsplit_once(':')?;
    Some(call.line(Symbol::new(file), line.parse().ok()?)?.trim().to_owned())
}

/// The loops, each with those around it, and their bytes.
fn stacks(call: &RequestedCall, report: &TapeReport) -> Vec<String> {
    let name = |at: &String| match text(call, at) {
        Some(text) => format!("{} ({at})", text.replace(';', ",")),
        None => at.clone(),
    };
    let function = call.function().symbol;
    let stack = |(loops, bytes): &(Vec<String>, usize)| {
        let names: Vec<String> = loops.iter().map(name).collect();
        format!("{function};{} {bytes}", names.join(";"))
    };
    report.by_loop.iter().map(stack).collect()
}
