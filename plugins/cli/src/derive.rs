//! `overdub grad`, `jvp`, `vjp`, `jacobian` and `hessian`: a function run with its derivatives.

use std::io::Write;

use overdub_ad::GradientRoute;
use overdub_ad::check::{TOLERANCE, Tally, check_point};
use overdub_ad::flatten::{floats, with_floats};
use overdub_context::value::Value;
use overdub_lower::Function;
use overdub_lower::api::Target;
use serde_json::{Map, Value as Json};

use crate::args::{Derive, Grad, Jvp, RunArgs, Vjp};
use crate::call::RequestedCall;
use crate::check;
use crate::explain;
use crate::inputs;
use crate::json;
use crate::report::{Diagnostic, Failed};
use crate::sparse;
use crate::waiting;
use crate::wrt::Selection;

fn usage(message: impl ToString) -> Failed {
    Failed::usage(Diagnostic::new(message.to_string()))
}

/// Prints an answer: as an object, or with a line for each part.
pub(crate) fn print(args: &RunArgs, entries: Vec<(String, Json)>, out: &mut dyn Write) -> Result<(), Failed> {
    if args.json {
        writeln!(out, "{}", Json::Object(Map::from_iter(entries)))?;
        return Ok(());
    }
    let width = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in entries {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}

/// The names of a function's parameters, in the order of the derivatives.
fn names(function: &Function) -> (String, Json) {
    ("arguments".to_owned(), function.params.iter().map(|param| Json::from(param.name.as_str())).collect())
}

/// One derivative for each argument, null for those that are not differentiated.
pub(crate) fn chosen(wrt: &Selection, derivatives: &[Value<'static>]) -> Vec<Json> {
    let derivative = |(at, part)| if wrt.contains(at) { json::write_floats(part) } else { Json::Null };
    derivatives.iter().enumerate().map(derivative).collect()
}

/// Prints what a function returns, and its derivative with respect to each argument.
pub(crate) fn grad(args: &Grad, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let wrt = Selection::of(function, args.wrt.as_deref())?;
    let route = GradientRoute::within(
        call.engine(),
        function.symbol,
        function.ir_ret,
        &|_| true,
        args.tape_memory.bound(),
    );
    let run = || route.run(call.arguments().to_vec());
    let (value, gradient) = call.reported(waiting::shown("differentiating", run))?;
    let tally = args.check.then(|| checked(&call)).transpose()?;
    let gradient = chosen(&wrt, &gradient);
    let value = call.output_of(value)?.value;
    let tape_use = if args.tape { tape(&call, &route)? } else { Vec::new() };
    let explained = if args.explain { explain::entries(&call, route.strategy()) } else { Vec::new() };
    let first = std::iter::once(("value".to_owned(), value));
    if args.run.json {
        let gradient = [("gradient".to_owned(), gradient.into()), names(function)];
        let tape_entry =
            (!tape_use.is_empty()).then(|| ("tape".to_owned(), Json::Object(Map::from_iter(tape_use))));
        let tally = tally.map(|tally| ("check".to_owned(), check::summary(&tally)));
        return print(
            &args.run,
            first.chain(gradient).chain(tape_entry).chain(tally).chain(explained).collect(),
            out,
        );
    }
    let names = function.params.iter().map(|param| format!("d/d {}", param.name));
    let lines = tape_use.into_iter().map(|(line, bytes)| (format!("tape at {line}"), bytes));
    print(&args.run, first.chain(names.zip(gradient)).chain(lines).chain(explained).collect(), out)?;
    if let Some(tally) = &tally {
        writeln!(out, "{}", check::line(tally))?;
    }
    Ok(())
}

/// The number of bytes that the gradient records, by line of the source, and in total.
fn tape(call: &RequestedCall, route: &GradientRoute) -> Result<Vec<(String, Json)>, Failed> {
    let report = call.reported(route.tape_report(call.arguments().to_vec()))?;
    let lines = report.by_line.into_iter().map(|(line, bytes)| (line, bytes.into()));
    Ok(lines.chain([("all lines".to_owned(), report.bytes.into())]).collect())
}

/// Checks a call's derivatives against finite differences and forward mode.
fn checked(call: &RequestedCall) -> Result<Tally, Failed> {
    let target = Target::new(call.function().clone().into(), Vec::new());
    let found = check_point(call.engine(), &target, call.arguments().to_vec(), TOLERANCE);
    found.map_err(|complaint| Failed::program(Diagnostic::new(complaint.to_string()).coded(complaint.code())))
}

/// Prints what a function returns, and its tangent along a direction.
pub(crate) fn jvp(args: &Jvp, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let parsed = inputs::list(&args.tangents)?;
    if parsed.len() != call.arguments().len() {
        let (count, got) = (call.arguments().len(), parsed.len());
        return Err(usage(format!("`{}` takes {count} arguments, got {got} tangents", function.name())));
    }
    let tangents = call.arguments().iter().zip(&parsed).zip(&function.params).map(|((arg, json), param)| {
        let found = json::tangent(json, arg, &param.name).map_err(usage)?;
        call.reported(with_floats(arg, &mut found.into_iter()))
    });
    let tangents = tangents.collect::<Result<Vec<_>, _>>()?;
    let found = overdub_ad::dual::jvp(call.engine(), function.symbol, call.arguments().to_vec(), tangents);
    let (value, tangent) = call.reported(found)?;
    let (tangent, _) = function.split(tangent);
    let entries = vec![
        ("value".to_owned(), call.output_of(value)?.value),
        ("tangent".to_owned(), json::write_floats(payload(&tangent))),
    ];
    print(&args.run, entries, out)
}

/// The payload of an `Ok`, as the command prints values.
fn payload<'v>(value: &'v Value<'static>) -> &'v Value<'static> {
    let Some(composite) = value.as_composite() else { return value };
    let is_result = composite.ty.is_some_and(|ty| ty.as_result().is_some());
    if is_result { composite.parts.first().unwrap_or(value) } else { value }
}

/// Prints what a function returns, and the cotangents of its arguments for a cotangent of the result.
pub(crate) fn vjp(args: &Vjp, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let wrt = Selection::of(function, args.wrt.as_deref())?;
    let cotangent = inputs::value("the cotangent", &args.cotangent)?;
    let (arguments, bound) = (call.arguments().to_vec(), args.tape_memory.bound());
    let found = overdub_ad::vjp_within(call.engine(), function.symbol, arguments, bound);
    let (value, pullback) = call.reported(found)?;
    let (result, _) = function.split(value.clone());
    let cotangents = json::tangent(&cotangent, payload(&result), "cotangent").map_err(usage)?;
    let pulled = call.reported(pullback.pull(&cotangents))?;
    let mut entries = vec![
        ("value".to_owned(), call.output_of(value)?.value),
        ("cotangents".to_owned(), chosen(&wrt, &pulled).into()),
    ];
    if args.run.json {
        entries.push(names(function));
    }
    if args.explain {
        entries.extend(explain::entries(&call, pullback.strategy()));
    }
    print(&args.run, entries, out)
}

/// Prints what a function returns, and the derivative of each float of it with respect to each float of the
/// arguments.
pub(crate) fn jacobian(args: &Derive, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let wrt = Selection::of(function, args.wrt.as_deref())?;
    if args.sparse && args.tape_memory.memory.is_some() {
        return Err(usage("`--memory` is for derivatives without `--sparse`"));
    }
    if args.sparse {
        return sparse::jacobian(args, &call, &wrt, out);
    }
    let (arguments, bound) = (call.arguments().to_vec(), args.tape_memory.bound());
    let active = wrt.floats(&arguments);
    let active = |number: usize| active.get(number).copied().unwrap_or(false);
    let run = || overdub_ad::jacobian_in(call.engine(), function.symbol, arguments, &active, bound);
    let mut found = call.reported(waiting::shown("differentiating", run))?;
    let (result, _) = function.split(found.value.clone());
    found.rows.truncate(floats(&result).len());
    let mut entries = vec![
        ("value".to_owned(), call.output_of(found.value)?.value),
        ("jacobian".to_owned(), matrix(&found.rows)),
    ];
    if args.run.json {
        entries.push(names(function));
    }
    if args.explain {
        entries.extend(explain::entries(&call, &found.strategy));
    }
    print(&args.run, entries, out)
}

/// Prints what a function returns, and its first and second derivatives.
pub(crate) fn hessian(args: &Derive, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let function = call.function();
    let wrt = Selection::of(function, args.wrt.as_deref())?;
    if args.tape_memory.memory.is_some() {
        return Err(usage("`--memory` is for first derivatives: a Hessian keeps tangents besides"));
    }
    if args.sparse {
        return sparse::hessian(args, &call, &wrt, out);
    }
    let (arguments, ret) = (call.arguments().to_vec(), function.ir_ret);
    let active = wrt.floats(&arguments);
    let active = |number: usize| active.get(number).copied().unwrap_or(false);
    let run = || overdub_ad::hessian_in(call.engine(), function.symbol, arguments, ret, &active);
    let found = call.reported(waiting::shown("differentiating", run))?;
    let mut entries = vec![
        ("value".to_owned(), call.output_of(found.value)?.value),
        ("gradient".to_owned(), row(&found.gradient)),
        ("hessian".to_owned(), matrix(&found.rows)),
    ];
    if args.run.json {
        entries.push(names(function));
    }
    if args.explain {
        entries.extend(explain::entries(&call, &found.strategy));
    }
    print(&args.run, entries, out)
}

fn row(numbers: &[f64]) -> Json {
    numbers.iter().map(|x| json::write(&Value::F64(*x))).collect()
}

fn matrix(rows: &[Vec<f64>]) -> Json {
    rows.iter().map(|numbers| row(numbers)).collect()
}
