//! `overdub sparsity`: the pattern of a Jacobian or Hessian.

use std::io::Write;

use overdub_context::value::Value;
use overdub_sparsity::{DetectError, Detector, SparsityPattern};
use serde_json::{Map, Value as Json};

use crate::args::Sparsity;
use crate::call::Call;
use crate::report::{Diagnostic, Failed};

/// Prints the pattern of a function's derivatives.
pub(crate) fn print(args: &Sparsity, out: &mut dyn Write) -> Result<(), Failed> {
    let call = Call::open_optimised(&args.run)?;
    let pattern = pattern(args, &call)?;
    if args.run.json {
        let entries = pattern.entries().map(|(row, col)| Json::from(vec![row, col]));
        let answer = [
            ("rows".to_owned(), Json::from(pattern.rows())),
            ("cols".to_owned(), Json::from(pattern.cols())),
            ("pattern".to_owned(), entries.collect()),
        ];
        writeln!(out, "{}", Json::Object(Map::from_iter(answer)))?;
        return Ok(());
    }
    writeln!(out, "{pattern}")?;
    Ok(())
}

fn pattern(args: &Sparsity, call: &Call) -> Result<SparsityPattern, Failed> {
    let function = call.function();
    let mut detector = Detector::new(call.engine());
    if args.local {
        detector = detector.local();
    }
    if let Some(wrt) = &args.wrt {
        if let Some(at) = wrt.iter().find(|at| **at >= function.params.len()) {
            let count = function.params.len();
            let message = format!("there is no argument {at}: `{}` takes {count}", function.symbol);
            return Err(Failed::usage(Diagnostic::new(message)));
        }
        detector = detector.with_respect_to(wrt.clone());
    }
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
        DetectError::Program(failure) => call.told(Err(failure)),
        other => Err(Failed::program(Diagnostic::new(other.to_string()))),
    })
}
