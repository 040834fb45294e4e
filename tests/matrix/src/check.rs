//! Runs cells and compares them with their reference.

use std::fmt;

use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::executor::EXECUTORS;
use crate::row::{Answer, Meaning, Row};
use crate::subject::Subject;
use crate::values::same_up_to_nan;

/// A row, and the number of an executor.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'r> {
    /// The row.
    pub row: &'r Row,
    /// The number of the executor among [`EXECUTORS`].
    pub executor: usize,
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.row.name, EXECUTORS[self.executor])
    }
}

/// The outcome of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It equals the reference.
    Same,
    /// The context refuses the function, in the interpreter too.
    Refused,
    /// A limit of the machine was hit, which differs between executors.
    Limited,
    /// The row does not apply to functions of this type.
    NotApplicable,
    /// Something differs.
    Differs(String),
}

/// The number of cells with each verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Cells that equal their reference.
    pub same: usize,
    /// Cells that are refused.
    pub refused: usize,
    /// Cells that hit a limit.
    pub limited: usize,
    /// Cells that differ, with the difference.
    pub differ: Vec<String>,
}

impl Tally {
    /// Adds a verdict.
    pub fn add(&mut self, cell: Cell<'_>, verdict: Verdict) {
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::Refused => self.refused += 1,
            Verdict::Limited => self.limited += 1,
            Verdict::NotApplicable => {}
            Verdict::Differs(how) => self.differ.push(format!("{cell}: {how}")),
        }
    }
}

/// One run, in the form in which it is compared.
struct Ran {
    answer: Answer,
    printed: String,
    /// The change of an argument that the caller still holds, if there is one.
    changed: Option<String>,
}

fn ran(subject: &Subject, cell: Cell<'_>) -> Option<Ran> {
    let args = subject.args();
    let answer = cell.row.run(subject, subject.engine(cell.executor), args.clone())?;
    let printed = subject.printed(cell.executor);
    let changed = args
        .iter()
        .zip(subject.args())
        .find(|(after, before)| after.is_data() && !same_up_to_nan(after, before));
    let changed =
        changed.map(|(args, before)| format!("the caller's argument {before} is {args} after the run"));
    Some(Ran { answer, printed, changed })
}

/// Runs a subject in all cells of rows and `executors`, which begin with the reference, from the one numbered `from` on,
/// calling `about_to` before each.
pub fn check<'r>(
    subject: &Subject,
    rows: &'r [Row],
    executors: &[usize],
    from: usize,
    mut about_to: impl FnMut(usize, Cell<'r>),
    mut report: impl FnMut(Cell<'r>, Verdict),
) {
    let Some(reference_row) = rows.first() else { return };
    let plain = ran(subject, Cell { row: reference_row, executor: 0 });
    let Some(plain) = plain else { return };
    // A value has a wrong type: there is no guarantee for IR that the verifier would refuse if it were given
    // it.
    if plain.answer.result.as_ref().is_err_and(|failure| failure.kind() == FailureKind::Type) {
        return;
    }
    for (at, row) in rows.iter().enumerate().skip(from / executors.len()) {
        let mut reference = None;
        for (place, &executor) in executors.iter().enumerate() {
            let cell = Cell { row, executor };
            let number = at * executors.len() + place;
            if number < from && place > 0 {
                continue;
            }
            about_to(number, cell);
            let Some(got) = ran(subject, cell) else {
                report(cell, Verdict::NotApplicable);
                break;
            };
            let verdict = verdict(row.meaning, &plain, reference.as_ref(), &got);
            let is_endless = place == 0 && verdict == Verdict::Limited;
            if number >= from {
                report(cell, verdict);
            }
            if is_endless {
                break;
            }
            if place == 0 {
                reference = Some(got);
            }
        }
    }
}

fn verdict(meaning: Meaning, plain: &Ran, reference: Option<&Ran>, got: &Ran) -> Verdict {
    if let Some(changed) = &got.changed {
        return Verdict::Differs(changed.clone());
    }
    let limited = |ran: &Ran| ran.answer.result.as_ref().is_err_and(is_limit);
    if limited(plain) || limited(got) || reference.is_some_and(limited) {
        return Verdict::Limited;
    }
    // The interpreter's run of a row is compared with the plain run, other executors with the interpreter.
    let Some(reference) = reference else {
        return match (meaning, &plain.answer.result, &got.answer.result) {
            (Meaning::Own, _, Ok(_)) => Verdict::Same,
            (Meaning::Own | Meaning::SameOrStops, _, Err(failure)) if is_refusal(failure) => Verdict::Refused,
            (Meaning::Own | Meaning::SameOrStops, _, Err(_)) => Verdict::Same,
            (Meaning::Same | Meaning::SameOrStops, expected, result) => compared(expected, result)
                .or_else(|| same_text("printed", &plain.printed, &got.printed))
                .map_or(Verdict::Same, Verdict::Differs),
        };
    };
    let differs = compared(&reference.answer.result, &got.answer.result)
        .or_else(|| same_text("printed", &reference.printed, &got.printed))
        .or_else(|| same_text("seen", &reference.answer.seen, &got.answer.seen));
    match differs {
        Some(how) => Verdict::Differs(how),
        None if got.answer.result.as_ref().is_err_and(is_refusal) => Verdict::Refused,
        None => Verdict::Same,
    }
}

fn is_limit(failure: &Failure) -> bool {
    matches!(failure.kind(), FailureKind::StackLimit | FailureKind::StepLimit | FailureKind::MemoryLimit)
}

fn is_refusal(failure: &Failure) -> bool {
    failure.kind() == FailureKind::Load
}

fn same_text(what: &str, expected: &str, got: &str) -> Option<String> {
    (expected != got).then(|| format!("{what} {} instead of {}", cut(got), cut(expected)))
}

fn compared(
    expected: &Result<Value<'static>, Failure>,
    got: &Result<Value<'static>, Failure>,
) -> Option<String> {
    let same = match (expected, got) {
        (Ok(expected), Ok(got)) => same_up_to_nan(expected, got),
        (Err(expected), Err(got)) => {
            let (a, b) = (expected.report(), got.report());
            (a.kind, unnumbered(&a.message), a.span) == (b.kind, unnumbered(&b.message), b.span)
        }
        _ => false,
    };
    (!same).then(|| format!("{} instead of {}", described(got), described(expected)))
}

/// A message without the numbers of contexts (`Watch#3`): each engine numbers those that it has seen.
fn unnumbered(message: &str) -> String {
    let mut parts = message.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "#" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

fn described(result: &Result<Value<'static>, Failure>) -> String {
    match result {
        Ok(value) => cut(&value.to_string()),
        Err(failure) => {
            let report = failure.report();
            cut(&format!("{:?} failure `{}` at {}", report.kind, report.message, report.span))
        }
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    if text.chars().count() <= 240 {
        text.to_owned()
    } else {
        text.chars().take(240).chain("…".chars()).collect()
    }
}
