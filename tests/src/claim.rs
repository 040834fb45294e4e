//! Claims: what the author of a case asserts.

use overdub_context::interp::{Interpreter, Output};
use overdub_context::ir::Ty;
use overdub_context::text::{Listing, ParseErrors, Parser};
use overdub_context::value::Value;

/// A line with a claim.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Claim {
    /// Its line in the file.
    pub(crate) line: usize,
    /// The claim.
    pub(crate) kind: ClaimKind,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ClaimKind {
    /// `// run: @f(1.0) == 2.0`, `// run: @f(1.0) fails "message" at 3:5`
    Run { func: String, args: String, result: RunResult },
    /// `// error: 3:5: message`
    Error(String),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RunResult {
    /// A literal of what the function returns.
    Value(String),
    /// The message as a literal, and optionally the location.
    Failure(String, Option<String>),
}

impl Claim {
    /// The claim in a line, if there is one.
    pub(crate) fn of_line(text: &str, line: usize) -> Result<Option<Claim>, String> {
        let kind = if let Some(run) = text.strip_prefix("// run: ") {
            run_claim(run).ok_or_else(|| {
                format!("line {line}: a run claim is `@f(…) == value` or `@f(…) fails \"message\" at 3:5`")
            })?
        } else if let Some(error) = text.strip_prefix("// error: ") {
            ClaimKind::Error(error.to_owned())
        } else {
            return Ok(None);
        };
        Ok(Some(Claim { line, kind }))
    }
}

fn run_claim(text: &str) -> Option<ClaimKind> {
    let (call, result) = if let Some((call, value)) = text.split_once(") == ") {
        (call, RunResult::Value(value.to_owned()))
    } else {
        let (call, failure) = text.split_once(") fails ")?;
        let (message, place) = match failure.rsplit_once("\" at ") {
            Some((message, place)) => (format!("{message}\""), Some(place.to_owned())),
            None => (failure.to_owned(), None),
        };
        (call, RunResult::Failure(message, place))
    };
    let (func, args) = call.strip_prefix('@')?.split_once('(')?;
    Some(ClaimKind::Run { func: func.to_owned(), args: args.to_owned(), result })
}

/// The run claims that do not hold for these functions.
pub(crate) fn check_runs(listing: &Listing, claims: &[Claim]) -> Vec<String> {
    let module = listing.module();
    let mut failures = Vec::new();
    for claim in claims {
        let ClaimKind::Run { func, args, result } = &claim.kind else { continue };
        let mut interpreter = Interpreter::new(&module).with_output(Output::Discard);
        if let Err(reason) = check_run(listing, &mut interpreter, func, args, result) {
            failures.push(format!("line {}: @{func}({args}): {reason}", claim.line));
        }
    }
    failures
}

fn check_run(
    listing: &Listing,
    interpreter: &mut Interpreter<'_>,
    name: &str,
    args: &str,
    result: &RunResult,
) -> Result<(), String> {
    let func = listing.func(name).ok_or_else(|| format!("there is no `@{name}`"))?;
    let parser = Parser::new().file("claim").with_types(listing.types.iter().copied());
    let malformed = |errors: ParseErrors| format!("the claim is malformed:\n{errors}");
    let tys: Vec<Ty> = func.param_tys().collect();
    let args = parser.parse_list(args, &tys).map_err(malformed)?;
    let got = interpreter.run(func.name, args);
    match (result, got) {
        (RunResult::Value(value), Ok(got)) => {
            let value = parser.parse_value(value, func.ret).map_err(malformed)?;
            if got.same(&value) { Ok(()) } else { Err(format!("gives `{got}`, claimed is `{value}`")) }
        }
        (RunResult::Value(_), Err(failure)) => Err(format!("fails: {failure}")),
        (RunResult::Failure(..), Ok(got)) => Err(format!("gives `{got}`, claimed is a failure")),
        (RunResult::Failure(message, place), Err(failure)) => {
            let message = parser.parse_value(message, Ty::str()).map_err(malformed)?;
            let report = failure.report();
            let at = format!("{}:{}", report.span.line, report.span.column);
            if Value::str(report.message.as_str()).same(&message)
                && place.as_ref().is_none_or(|place| *place == at)
            {
                Ok(())
            } else {
                Err(format!("fails {:?} at {at}", report.message))
            }
        }
    }
}

/// The differences between the errors of a text and the claimed ones.
pub(crate) fn check_errors(errors: &[String], claims: &[Claim]) -> Vec<String> {
    let mut failures = Vec::new();
    let mut left: Vec<&String> = errors.iter().collect();
    for claim in claims {
        let ClaimKind::Error(message) = &claim.kind else { continue };
        match left.iter().position(|error| *error == message) {
            Some(at) => {
                left.remove(at);
            }
            None => failures.push(format!("line {}: this error does not happen: {message}", claim.line)),
        }
    }
    failures.extend(left.into_iter().map(|error| format!("this error is not claimed: {error}")));
    failures
}
