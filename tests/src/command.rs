//! The commands of a case's first line: one variant and one match arm each.

use std::sync::Arc;

use overdub_cli::NamedContext;
use overdub_context::Symbol;
use overdub_context::engine::{self, Engine};
use overdub_context::ir::Func;
use overdub_context::testing::expose_proofs;
use overdub_context::text::{Listing, ParseErrors, Parser};
use overdub_context::verify::verify_module;
use overdub_passes::{PASSES, Pass, Pipeline, Scope, fast_math};

use crate::case::{Case, Outcome};
use crate::claim::{Claim, ClaimKind, RunResult, check_errors, check_runs};
use crate::rust_case;

/// What to do with the text of a case.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// It is parsed, not verified, and printed.
    Parse,
    /// It is parsed and verified.
    Verify,
    /// It is parsed and verified; its claims are run.
    Run,
    /// These passes run over its first function, whose callees the others are.
    Pass(Vec<&'static Pass>),
    /// The whole pipeline runs over its first function.
    Optimise,
    /// It is parsed and verified, and its claims are run; `golden` of `overdub-native` compares the part
    /// below the separator with the Cranelift IR of its first function.
    Native,
    /// Rust source: a function after lowering.
    Lower(String),
    /// Rust source: a function with its pullback.
    Grad(String),
    /// Its first function, and its callees, as rewritten by these contexts, the outermost first.
    Overdub(Vec<NamedContext>),
}

impl Command {
    /// Parses the command of a line like `test parse`.
    pub(crate) fn of_line(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["test", "parse"] => Ok(Command::Parse),
            ["test", "verify"] => Ok(Command::Verify),
            ["test", "run"] => Ok(Command::Run),
            ["test", "optimise"] => Ok(Command::Optimise),
            ["test", "native"] => Ok(Command::Native),
            ["//", "test", "lower", name] => Ok(Command::Lower((*name).to_owned())),
            ["//", "test", "grad", name] => Ok(Command::Grad((*name).to_owned())),
            ["test", "overdub", names] => {
                let named = |name: &str| name.parse::<NamedContext>().map_err(|error| error.to_string());
                names.split(',').map(named).collect::<Result<_, _>>().map(Command::Overdub)
            }
            ["test", "pass", names] => {
                let pass = |name: &str| {
                    overdub_passes::by_name(name).ok_or_else(|| format!("there is no pass `{name}`"))
                };
                names.split(',').map(pass).collect::<Result<_, _>>().map(Command::Pass)
            }
            _ => Err(format!(
                "the first line is `test parse`, `test verify`, `test run`, `test pass NAME,…`, `test optimise`, `test native` or `test overdub CONTEXT,…`, in Rust `// test lower NAME` or `// test grad NAME`, not `{line}`"
            )),
        }
    }

    /// Whether the text is Rust, with claims of its own.
    pub(crate) fn is_of_rust(&self) -> bool {
        matches!(self, Command::Lower(_) | Command::Grad(_))
    }

    /// The outcome of a case.
    pub(crate) fn run(&self, case: &Case) -> Outcome {
        let parser = Parser::new().file("case");
        let text = case.text();
        match self {
            Command::Parse => match parser.parse_unverified(&text) {
                Ok(listing) => parsed(case, &listing),
                Err(errors) => refused(case, &errors),
            },
            Command::Verify | Command::Run => match parser.parse(&text) {
                Ok(listing) => accepted(case, &listing, String::new()),
                Err(errors) => refused(case, &errors),
            },
            Command::Native => match parser.parse(&text) {
                Ok(listing) => accepted(case, &listing, case.golden.clone()),
                Err(errors) => refused(case, &errors),
            },
            Command::Pass(passes) => match parser.parse(&text) {
                Ok(listing) => changed(case, &listing, &Pipeline::once(passes.iter().copied())),
                Err(errors) => refused(case, &errors),
            },
            Command::Optimise => match parser.parse(&text) {
                Ok(listing) => changed(case, &listing, &Pipeline::optimising()),
                Err(errors) => refused(case, &errors),
            },
            Command::Lower(name) => rust_case::lowered(case, name),
            Command::Grad(name) => rust_case::gradient(case, name),
            Command::Overdub(contexts) => match parser.parse(&text) {
                Ok(listing) => overdubbed(case, &listing, contexts),
                Err(errors) => refused(case, &errors),
            },
        }
    }
}

/// A program whose first function is transformed by passes: it stays valid, the claims hold before and after,
/// and a second run changes nothing.
fn changed(case: &Case, listing: &Listing, pipeline: &Pipeline<'_>) -> Outcome {
    let mut failures = check_errors(&[], &case.claims);
    failures.extend(check_runs(listing, &case.claims));
    let Some((first, others)) = listing.funcs.split_first() else {
        return Outcome { output: String::new(), failures: vec!["there is no function".to_owned()] };
    };
    let module = listing.module();
    let callee = |name: Symbol| module.defined(name);
    let once = |func: &Func| Arc::new(pipeline.run(func, &Scope::new(&callee)));
    let after = once(first);
    let second = once(&after);
    if second != after {
        let second = Listing::of([second]);
        failures.push(format!("a second run changes it again:\n{second}"));
    }
    let all = Listing::of(std::iter::once(after.clone()).chain(others.iter().cloned()));
    if let Err(error) = verify_module(&all.module()) {
        failures.push(format!("what comes out is not valid: {error}"));
    }
    failures.extend(round_trip(&all));
    failures
        .extend(check_runs(&all, &case.claims).into_iter().map(|failure| format!("afterwards, {failure}")));
    let mut shown = Listing::of([after]);
    shown.types.clear();
    Outcome { output: shown.to_string(), failures }
}

/// The run claims that do not hold if every function of a case is transformed by a pass alone, or by a
/// pipeline. Excluded are fast functions, which may give a neighbouring float, the depth of calls, and reads
/// of a hole.
pub(crate) fn translated(case: &Case) -> Vec<String> {
    let Ok(listing) = Parser::new().file("case").parse(&case.text()) else { return Vec::new() };
    let module = listing.module();
    let callee = |name: Symbol| module.defined(name);
    let single_passes =
        PASSES.iter().filter(|pass| pass.name != "fast_math").map(|pass| (pass.name, Pipeline::once([pass])));
    let pipelines = [("optimising", Pipeline::optimising()), ("compiling", Pipeline::compiling())];
    let is_promised = |claim: &&Claim| match &claim.kind {
        ClaimKind::Run { result: RunResult::Failure(message, _), .. } => {
            !message.contains("calls are open") && !message.contains("does not take (unit)")
        }
        _ => true,
    };
    let claims: Vec<Claim> = case.claims.iter().filter(is_promised).cloned().collect();
    let mut failures = Vec::new();
    for (what, pipeline) in single_passes.chain(pipelines) {
        let after = |func: &Arc<Func>| Arc::new(expose_proofs(pipeline.run(func, &Scope::new(&callee))));
        let after = Listing::of(listing.funcs.iter().map(after));
        failures
            .extend(check_runs(&after, &claims).into_iter().map(|wrong| format!("after {what}, {wrong}")));
    }
    failures
}

/// A program whose first function is rewritten by contexts: the claims hold for the program, and the
/// rewritten functions parse back as they are printed.
fn overdubbed(case: &Case, listing: &Listing, contexts: &[NamedContext]) -> Outcome {
    let mut failures = check_errors(&[], &case.claims);
    failures.extend(check_runs(listing, &case.claims));
    let Some(first) = listing.funcs.first() else {
        return Outcome { output: String::new(), failures: vec!["there is no function".to_owned()] };
    };
    let engine = Engine::new(listing.module());
    let name = overdub_cli::name_under(&engine, first.name, contexts);
    let funcs = match overdub_cli::closure_of(&engine, name) {
        Ok(funcs) => funcs,
        Err(error) => return Outcome { output: format!("{error}\n"), failures },
    };
    let mut rebuilt = Listing::of(funcs);
    let ops = engine::OPS.iter().copied();
    let parser = Parser::new().with_ops(ops).with_types(rebuilt.types.iter().copied());
    rebuilt.types.clear();
    let printed = rebuilt.to_string();
    match parser.parse_unverified(&printed) {
        Ok(reparsed) if reparsed.funcs == rebuilt.funcs => {}
        Ok(reparsed) => failures.push(format!("it prints as something else:\n{reparsed}")),
        Err(errors) => failures.push(format!("what it prints cannot be parsed:\n{errors}")),
    }
    Outcome { output: printed, failures }
}

/// A text that is accepted, and whose claims are run.
fn accepted(case: &Case, listing: &Listing, output: String) -> Outcome {
    let mut failures = check_errors(&[], &case.claims);
    failures.extend(round_trip(listing));
    failures.extend(check_runs(listing, &case.claims));
    Outcome { output, failures }
}

/// A text that is accepted: it is printed, unless the printed text equals the input.
fn parsed(case: &Case, listing: &Listing) -> Outcome {
    let printed = listing.to_string();
    let as_written = without_blank_lines(&printed) == case.bare_text();
    let mut failures = check_errors(&[], &case.claims);
    failures.extend(round_trip(listing));
    failures.extend(check_runs(listing, &case.claims));
    Outcome { output: if as_written { String::new() } else { printed }, failures }
}

/// A text that is refused: all its errors, each of which must be claimed.
fn refused(case: &Case, errors: &ParseErrors) -> Outcome {
    let lines: Vec<String> = errors
        .iter()
        .map(|error| format!("{}:{}: {}", error.span.line, error.span.column, error.kind))
        .collect();
    Outcome { output: format!("{errors}\n"), failures: check_errors(&lines, &case.claims) }
}

/// The difference after printing and parsing again, if there is one.
fn round_trip(listing: &Listing) -> Option<String> {
    let printed = listing.to_string();
    let fast_ops = fast_math::OPS.iter().map(|(fast, _)| *fast);
    match Parser::new().with_ops(fast_ops).parse_unverified(&printed) {
        Ok(reparsed) if reparsed.funcs == listing.funcs && reparsed.types == listing.types => None,
        Ok(reparsed) => Some(format!("it prints as something else:\n{reparsed}")),
        Err(errors) => Some(format!("what it prints cannot be parsed:\n{errors}")),
    }
}

fn without_blank_lines(text: &str) -> String {
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}
