//! `overdub jacobian --sparse` and `overdub hessian --sparse`: the entries of a pattern, by colors.

use std::io::Write;

use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_sparsity::{DetectError, Detector, SparseDerivative, SparseError, SparseMatrix};
use serde_json::{Map, Value as Json};

use crate::args::Derive;
use crate::call::RequestedCall;
use crate::derive;
use crate::json;
use crate::report::{Diagnostic, Failed};
use crate::waiting;
use crate::wrt::Selection;

/// Prints the entries of a Jacobian that are in its pattern.
pub(crate) fn jacobian(
    args: &Derive,
    call: &RequestedCall,
    wrt: &Selection,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    let (function, arguments) = (call.function(), call.arguments().to_vec());
    let detector = wrt.detector(Detector::new(call.engine()));
    let prepare = || SparseDerivative::jacobian(&detector, function.symbol, arguments);
    let found = waiting::shown("finding and coloring the pattern", prepare);
    let (value, matrix) = evaluated(call, found)?;
    let (result, _) = function.split(value.clone());
    print(args, call, value, ("jacobian", &matrix, floats(&result).len()), out)
}

/// Prints the entries of a Hessian that are in its pattern.
pub(crate) fn hessian(
    args: &Derive,
    call: &RequestedCall,
    wrt: &Selection,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    let (function, arguments) = (call.function(), call.arguments().to_vec());
    let detector = wrt.detector(Detector::new(call.engine()));
    let prepare = || SparseDerivative::hessian(&detector, function.symbol, arguments, function.ir_ret);
    let found = waiting::shown("finding and coloring the pattern", prepare);
    let (value, matrix) = evaluated(call, found)?;
    let rows = matrix.pattern().rows();
    print(args, call, value, ("hessian", &matrix, rows), out)
}

fn evaluated(
    call: &RequestedCall,
    found: Result<SparseDerivative, SparseError>,
) -> Result<(Value<'static>, SparseMatrix), Failed> {
    let evaluate = |derivative: SparseDerivative| derivative.evaluate(call.arguments());
    let matrix = found.and_then(|found| waiting::shown("computing the entries", || evaluate(found)));
    let matrix = matrix.or_else(|error| match error {
        SparseError::Program(failure) | SparseError::Detect(DetectError::Program(failure)) => {
            call.reported(Err(failure))
        }
        other => Err(Failed::program(Diagnostic::new(other.to_string()).at(other.span()))),
    })?;
    let value = call.reported(call.engine().run(call.function().symbol, call.arguments().to_vec()))?;
    Ok((value, matrix))
}

/// Prints the value and the first rows of a matrix, with an entry and its position on each line.
fn print(
    args: &Derive,
    call: &RequestedCall,
    value: Value<'static>,
    (name, matrix, rows): (&str, &SparseMatrix, usize),
    out: &mut dyn Write,
) -> Result<(), Failed> {
    let value = call.output_of(value)?.value;
    let cells = (0..rows).flat_map(|row| matrix.row(row).map(move |(col, x)| (row, col, x)));
    if args.run.json {
        let number = |x: f64| json::write(&Value::F64(x));
        let entries = cells.map(|(row, col, x)| Json::from(vec![row.into(), col.into(), number(x)]));
        let entries = ("entries".to_owned(), entries.collect());
        let size = [("rows".to_owned(), rows.into()), ("cols".to_owned(), matrix.pattern().cols().into())];
        let matrix = Json::Object(Map::from_iter(size.into_iter().chain([entries])));
        return derive::print(&args.run, vec![("value".to_owned(), value), (name.to_owned(), matrix)], out);
    }
    writeln!(out, "value  {value}")?;
    for (row, col, x) in cells {
        writeln!(out, "{row}  {col}  {}", json::write(&Value::F64(x)))?;
    }
    Ok(())
}
