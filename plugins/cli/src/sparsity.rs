//! `overdub sparsity`: the pattern of a Jacobian or Hessian.

use std::io::Write;
use std::path::Path;

use overdub_context::value::Value;
use overdub_sparsity::coloring::{ColoringKind, color};
use overdub_sparsity::pattern::matrix_market;
use overdub_sparsity::{DetectError, Detector, SparsityPattern, picture};
use serde_json::{Map, Value as Json};

use crate::args::Sparsity;
use crate::call::RequestedCall;
use crate::codes;
use crate::report::{Diagnostic, Failed};
use crate::waiting;
use crate::wrt::Selection;

/// The width of a picture in characters.
const WIDTH: usize = 60;

/// Prints the pattern of a function's derivatives.
pub(crate) fn print(args: &Sparsity, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open_optimised(&args.run)?;
    let pattern = waiting::shown("finding the pattern", || pattern(args, &call))?;
    write_files(args, &pattern)?;
    if args.run.json {
        let entries = pattern.entries().map(|(row, col)| Json::from(vec![row, col]));
        let output = [
            ("rows".to_owned(), Json::from(pattern.rows())),
            ("cols".to_owned(), Json::from(pattern.cols())),
            ("pattern".to_owned(), entries.collect()),
        ];
        writeln!(out, "{}", Json::Object(Map::from_iter(output)))?;
        return Ok(());
    }
    write!(out, "{}", picture::braille(&pattern, WIDTH))?;
    let colors: Vec<String> =
        kinds(args).iter().map(|(kind, name)| description(&pattern, *kind, name)).collect();
    writeln!(out, "colors: {}", colors.join(", "))?;
    Ok(())
}

/// The colorings that a pattern is shown with.
fn kinds(args: &Sparsity) -> &'static [(ColoringKind, &'static str)] {
    if args.hessian {
        &[(ColoringKind::Star, "star"), (ColoringKind::Acyclic, "acyclic")]
    } else {
        &[(ColoringKind::Column, "of columns"), (ColoringKind::Row, "of rows")]
    }
}

fn description(pattern: &SparsityPattern, kind: ColoringKind, name: &str) -> String {
    match color(pattern, kind) {
        Ok(coloring) => format!("{} {name}", coloring.len()),
        Err(error) => format!("none {name}, since {error}"),
    }
}

/// Writes the requested files.
fn write_files(args: &Sparsity, pattern: &SparsityPattern) -> Result<(), Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed::program(Diagnostic::new(error.to_string()));
    if let Some(file) = &args.mtx {
        write_file(file, matrix_market::write(pattern).as_bytes())?;
    }
    if let Some(file) = &args.png {
        let coloring = color(pattern, kinds(args)[0].0).map_err(|error| failed(&error))?;
        let image = picture::png(pattern, Some(&coloring)).map_err(|error| failed(&error))?;
        write_file(file, &image)?;
    }
    Ok(())
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let message = |error| format!("cannot write {}: {error}", file.display());
    std::fs::write(file, bytes)
        .map_err(|error| Failed::program(Diagnostic::new(message(error)).coded(codes::FILE)))
}

fn pattern(args: &Sparsity, call: &RequestedCall) -> Result<SparsityPattern, Failed> {
    let function = call.function();
    let mut detector = Detector::new(call.engine());
    if args.local {
        detector = detector.local();
    }
    let detector = Selection::of(function, args.wrt.as_deref())?.detector(detector);
    let arguments = call.arguments().to_vec();
    let found = if args.hessian {
        detector.hessian(function.symbol, arguments, function.ir_ret)
    } else {
        // A function that returns nothing writes its result into its parameters.
        let part = |value: Value<'static>| match function.split(value) {
            (Value::Unit, outs) => Value::tuple(outs),
            (result, _) => result,
        };
        detector.jacobian_of(function.symbol, arguments, &part)
    };
    found.or_else(|error| match error {
        DetectError::Program(failure) => call.reported(Err(failure)),
        DetectError::Unsupported { what, span } => {
            Err(Failed::program(Diagnostic::new(format!("{what}: the pattern cannot be found")).at(span)))
        }
        other => Err(Failed::program(Diagnostic::new(other.to_string()))),
    })
}
