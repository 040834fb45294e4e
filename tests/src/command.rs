//! What a case's first line may ask for: one variant and one match arm each.

use overdub_context::text::{Listing, ParseErrors, Parser};

use crate::case::{Case, Outcome};
use crate::claim::{check_errors, check_runs};

/// What is done with the text of a case.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Command {
    /// It is parsed, not verified, and printed.
    Parse,
    /// It is parsed and verified.
    Verify,
    /// It is parsed and verified; its claims are run.
    Run,
}

impl Command {
    /// The command of a line like `test parse`.
    pub(crate) fn of_line(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["test", "parse"] => Ok(Command::Parse),
            ["test", "verify"] => Ok(Command::Verify),
            ["test", "run"] => Ok(Command::Run),
            _ => Err(format!("the first line is `test parse`, `test verify` or `test run`, not `{line}`")),
        }
    }

    /// What comes of a case.
    pub(crate) fn run(&self, case: &Case) -> Outcome {
        let parser = Parser::new().file("case");
        let text = case.text();
        match self {
            Command::Parse => match parser.parse_unverified(&text) {
                Ok(listing) => parsed(case, &listing),
                Err(errors) => refused(case, &errors),
            },
            Command::Verify | Command::Run => match parser.parse(&text) {
                Ok(listing) => {
                    let mut failures = check_errors(&[], &case.claims);
                    failures.extend(round_trip(&listing));
                    failures.extend(check_runs(&listing, &case.claims));
                    Outcome { output: String::new(), failures }
                }
                Err(errors) => refused(case, &errors),
            },
        }
    }
}

/// A text that is accepted: it prints, unless it prints as it is written.
fn parsed(case: &Case, listing: &Listing) -> Outcome {
    let printed = listing.to_string();
    let as_written = without_blank_lines(&printed) == case.bare_text();
    let mut failures = check_errors(&[], &case.claims);
    failures.extend(round_trip(listing));
    failures.extend(check_runs(listing, &case.claims));
    Outcome { output: if as_written { String::new() } else { printed }, failures }
}

/// A text that is refused: its errors in full, each of them claimed.
fn refused(case: &Case, errors: &ParseErrors) -> Outcome {
    let lines: Vec<String> = errors
        .iter()
        .map(|error| format!("{}:{}: {}", error.span.line, error.span.column, error.kind))
        .collect();
    Outcome { output: format!("{errors}\n"), failures: check_errors(&lines, &case.claims) }
}

/// What does not come back from being printed and parsed.
fn round_trip(listing: &Listing) -> Option<String> {
    let printed = listing.to_string();
    match Parser::new().parse_unverified(&printed) {
        Ok(again) if again.funcs == listing.funcs && again.types == listing.types => None,
        Ok(again) => Some(format!("it prints as something else:\n{again}")),
        Err(errors) => Some(format!("what it prints cannot be parsed:\n{errors}")),
    }
}

fn without_blank_lines(text: &str) -> String {
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}
