//! `overdub blame`: which lines made a NaN, an infinity, or an entry of a gradient.

use std::io::Write;

use overdub_blame::{Blame, BlameError, Origins, Report, Step};
use overdub_context::Symbol;
use overdub_context::ir::TyKind;
use overdub_context::value::Value;
use overdub_lower::PRELUDE;
use serde_json::{Value as Json, json};

use crate::args::BlameArgs;
use crate::call::RequestedCall;
use crate::json as values;
use crate::report::{Diagnostic, Failed};

/// The greatest number of operands of one operation that are written as JSON.
const OPERANDS: usize = 16;

/// Prints where a float of a function's result, or of its gradient, comes from.
pub(crate) fn print(args: &BlameArgs, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let report = match &args.entry {
        Some(entry) => report_of(&call, entry)?,
        None => suspicious(&call)?,
    };
    if args.run.json {
        writeln!(out, "{}", as_json(&report))?;
    } else {
        let line = |file: Symbol, line: u32| call.line(file, line);
        write!(out, "{}", report.render(&line))?;
    }
    Ok(())
}

fn blame(call: &RequestedCall) -> Blame<'_> {
    Blame::new(call.engine()).with_library(PRELUDE)
}

fn value(call: &RequestedCall) -> Result<Origins, Failed> {
    reported(call, blame(call).value(call.function().symbol, call.arguments().to_vec()))
}

fn gradient(call: &RequestedCall) -> Result<Origins, Failed> {
    reported(call, blame(call).gradient(call.function().symbol, call.arguments().to_vec()))
}

fn reported(call: &RequestedCall, result: Result<Origins, BlameError>) -> Result<Origins, Failed> {
    result.or_else(|error| match error {
        BlameError::Program(failure) => call.reported(Err(failure)),
        BlameError::Refused(error) | BlameError::NotTransformed(error) => Err(call.refused(&error)),
        other => Err(Failed::program(Diagnostic::new(other.to_string()))),
    })
}

/// The float that the user names: of the value, or of the gradient with respect to a parameter.
fn report_of(call: &RequestedCall, entry: &str) -> Result<Report, Failed> {
    let origins = if root(entry) == "value" { value(call)? } else { gradient(call)? };
    origins.report(entry).ok_or_else(|| {
        let params: Vec<String> =
            call.function().params.iter().map(|param| format!("`{}`", param.name)).collect();
        let message = format!(
            "there is no float at `{entry}`: it begins with `value`, or with a parameter for its entry of the gradient ({})",
            params.join(", ")
        );
        Failed::usage(Diagnostic::new(message))
    })
}

fn root(entry: &str) -> &str {
    entry.split(['[', '.']).next().unwrap_or(entry).trim()
}

/// The first float that is not finite, of the value and then of the gradient; otherwise the largest entry of
/// the gradient, or the value if there is no gradient.
fn suspicious(call: &RequestedCall) -> Result<Report, Failed> {
    let of_value = value(call)?;
    let place = of_value.first_not_finite().map(|(place, _)| place);
    let has_gradient = matches!(call.function().ir_ret.kind(), TyKind::Float(_));
    if place.is_some() || !has_gradient {
        let place = place.or_else(|| of_value.places().next()).unwrap_or_else(|| "value".to_owned());
        return of_value.report(&place).ok_or_else(no_float);
    }
    let of_gradient = gradient(call)?;
    let entries = of_gradient.places().filter(|place| root(place) != "value");
    let size = |place: &String| of_gradient.float(place).map_or(0.0, |float| float.value.abs());
    let largest = || entries.max_by(|a, b| size(a).total_cmp(&size(b)));
    let place = of_gradient.first_not_finite().map(|(place, _)| place).or_else(largest);
    place.and_then(|place| of_gradient.report(&place)).ok_or_else(no_float)
}

fn no_float() -> Failed {
    Failed::program(Diagnostic::new("neither the result nor the arguments hold a float"))
}

fn as_json(report: &Report) -> Json {
    let number = |x: f64| values::write(&Value::F64(x));
    let step = |step: &Step| {
        let operands: Vec<Json> =
            step.operands.iter().take(OPERANDS).map(|operand| number(operand.value)).collect();
        json!({
            "operation": step.op.name,
            "function": step.func.as_str(),
            "file": step.span.file.as_str(),
            "line": step.span.line,
            "column": step.span.column,
            "value": number(step.value),
            "operands": operands,
        })
    };
    let chain: Vec<Json> = report.chain.iter().map(step).collect();
    let lines = report.lines.iter().map(|line| {
        json!({
            "file": line.span.file.as_str(),
            "line": line.span.line,
            "function": line.func.as_str(),
            "sum": number(line.sum),
            "magnitude": number(line.magnitude),
            "terms": line.terms,
        })
    });
    let lines: Vec<Json> = lines.collect();
    json!({"entry": report.place, "value": number(report.value), "chain": chain, "lines": lines})
}
