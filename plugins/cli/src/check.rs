//! `overdub check`: derivatives against finite differences, over inputs within bounds.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use overdub_ad::check::{Counterexample, Inputs, Tally, arguments_in, check_values};
use overdub_context::value::Value;
use overdub_lower::api::Target;
use serde_json::{Value as Json, json};

use crate::args::Check;
use crate::report::{Diagnostic, Failed};
use crate::{interrupt, json, load};

fn usage(message: impl ToString) -> Failed {
    Failed::usage(Diagnostic::new(message.to_string()))
}

/// Checks a function's derivatives, and prints what was compared.
pub(crate) fn check(args: &Check, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let function = load::function(&loaded, &args.which.function, &[])?;
    let engine = loaded.engine();
    // A function that cannot be lowered, or has no derivative by its form, is reported with its location.
    let overdubbed = engine.overdubbed(&overdub_context::engine::Empty, function.symbol);
    overdubbed.map_err(|error| load::load_error(&loaded, error))?;
    let bounds = bounds(&args.domain)?;
    let target = Target::new(function.into(), Vec::new());
    let strategy = arguments_in(&target, &bounds).map_err(usage)?;
    let bar = interrupt::drawn(progress(args));
    let inputs = Inputs {
        values: &|input: &Vec<Value<'static>>| input.clone(),
        show: &|input| Json::from(input.iter().map(json::write).collect::<Vec<_>>()).to_string(),
        progress: &|| bar.advance(),
        cases: args.cases,
        tolerance: args.tolerance,
        allocations: None,
    };
    let found = check_values(&engine, &target, &strategy, &inputs);
    drop(bar);
    match found {
        Ok(tally) => print(args, &tally, out),
        Err(counterexample) => match counterexample.complaint.limit() {
            Some(limit) => {
                let complaint = &counterexample.complaint;
                Err(Failed::limit(limit, Diagnostic::new(complaint.to_string()).coded(complaint.code())))
            }
            None => Err(failed(args, &counterexample, out)?),
        },
    }
}

/// The bounds of each parameter's numbers: `[[-1, 1], [0.1, 10]]`.
fn bounds(text: &str) -> Result<Vec<(f64, f64)>, Failed> {
    let parsed: Vec<(f64, f64)> = serde_json::from_str(text)
        .map_err(|error| usage(format!("the domain is no JSON array of pairs `[low, high]`: {error}")))?;
    Ok(parsed)
}

/// A progress bar on a terminal; hidden if the output is for a program.
fn progress(args: &Check) -> ProgressBar {
    if args.json || !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}");
    ProgressBar::new(u64::from(args.cases)).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What was compared, as JSON.
pub(crate) fn summary(tally: &Tally) -> Json {
    let mut summary = json!({
        "ok": tally.agreed + tally.kinks > 0, "cases": tally.cases, "passed_over": tally.passed_over,
        "agreed": tally.agreed, "kinks": tally.kinks, "unsettled": tally.unsettled, "worst": tally.worst,
    });
    if let Some(reason) = &tally.reason {
        summary["reason"] = reason.as_str().into();
    }
    summary
}

/// What was compared at one point, on one line.
pub(crate) fn line(tally: &Tally) -> String {
    if let Some(reason) = &tally.reason {
        return format!("not checked: {reason}");
    }
    let mut line = format!("checked: {} agree with differences to {:.1e}", tally.agreed, tally.worst);
    for (count, what) in [(tally.kinks, "at kinks"), (tally.unsettled, "where differences do not settle")] {
        if count > 0 {
            line += &format!(", {count} {what}");
        }
    }
    line
}

fn print(args: &Check, tally: &Tally, out: &mut dyn Write) -> Result<(), Failed> {
    if args.json {
        writeln!(out, "{}", summary(tally))?;
        return Ok(());
    }
    let rows = [
        ("inputs", tally.cases.to_string()),
        ("  passed over, where the function fails or is not finite", tally.passed_over.to_string()),
        ("derivatives that agree with differences", tally.agreed.to_string()),
        ("  at kinks, between the slopes of both sides", tally.kinks.to_string()),
        ("  where differences do not settle", tally.unsettled.to_string()),
        ("greatest relative difference", format!("{:.1e}", tally.worst)),
    ];
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in rows {
        writeln!(out, "{name:width$}  {value:>8}")?;
    }
    if let Some(reason) = &tally.reason {
        writeln!(out, "the first input was passed over because: {reason}")?;
    }
    Ok(())
}

/// Exit status 1, with the simplest input found.
fn failed(args: &Check, counterexample: &Counterexample, out: &mut dyn Write) -> Result<Failed, Failed> {
    if args.json {
        let input = counterexample.input.as_ref().and_then(|text| serde_json::from_str::<Json>(text).ok());
        let (complaint, code) = (counterexample.complaint.to_string(), counterexample.complaint.code());
        let failure =
            json!({ "ok": false, "code": code.to_string(), "complaint": complaint, "input": input });
        writeln!(out, "{failure}")?;
    }
    let complaint = &counterexample.complaint;
    let mut diagnostic = Diagnostic::new(complaint.to_string()).coded(complaint.code());
    diagnostic.notes.extend(counterexample.input.iter().map(|input| format!("at the arguments {input}")));
    let failed = Failed::program(diagnostic);
    Ok(if args.json { failed.reported() } else { failed })
}
