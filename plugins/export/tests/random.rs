//! Random programs give the values and the failures of the interpreter when they are exported and compiled.

mod compiled;

use std::sync::{Arc, Mutex};

use overdub_context::Symbol;
use overdub_context::engine::{Engine, Interpreting, Sink};
use overdub_context::testing::{Program, cases, programs};
use overdub_export::{Export, ExportError, Failures, Library, Printed};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use compiled::{Outcome, c, outcomes, scalars_of_text, scalars_of_value};

/// How an export is written.
type Language = fn(Export<'_>) -> Result<String, ExportError>;

/// A program with a `main`, in a language.
fn exported(program: &Program, language: Language) -> Result<String, ExportError> {
    let engine = Engine::builder(program.module()).build();
    let export = Export::new(&engine).function(Symbol::new("main"), "exported", "");
    let types = export.params("exported")?.into_iter().map(|(_, ty)| ty);
    let args = program.args().into_iter().zip(types).collect();
    language(export.with_main(args, Printed::Debug))
}

#[test]
fn a_program_gives_and_fails_as_the_interpreter() {
    check("random", |export| export.rust(), |texts| Some(outcomes("random", texts)));
}

/// What an `Err` says is the message and the place, and nothing else: a panic would say more.
#[test]
fn a_program_returns_the_failures_of_the_interpreter() {
    let language: Language = |export| export.with_failures(Failures::Result).rust();
    let said = |text: &str, expected: &str| {
        text.strip_prefix(expected).is_some_and(|place| place.starts_with(", ") && place.lines().count() == 1)
    };
    check_said("random failures", language, |texts| Some(outcomes("random failures", texts)), said);
}

/// With functions of floats that give the bits of the standard library.
#[test]
fn a_program_without_the_standard_library_gives_and_fails_as_the_interpreter() {
    let language: Language = |export| export.with_library(Library::NoStd).rust();
    check("random no_std", language, |texts| Some(outcomes("random no_std", texts)));
}

#[test]
fn a_program_in_c_gives_and_fails_as_the_interpreter() {
    check("random C", |export| export.c(), |texts| c::outcomes("random", texts));
}

/// Compares programs with the interpreter, in a language for which there may be no compiler.
fn check(name: &str, language: Language, outcomes: fn(&[String]) -> Option<Vec<Outcome>>) {
    check_said(name, language, outcomes, |text, expected| text.contains(expected));
}

/// As [`check`], with how what a program says contains the message of its failure.
fn check_said(
    name: &str,
    language: Language,
    outcomes: fn(&[String]) -> Option<Vec<Outcome>>,
    says: fn(&str, &str) -> bool,
) {
    let config = cases(48);
    let wanted = config.cases as usize;
    let mut runner = TestRunner::new(config);
    let (mut texts, mut drawn, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    while drawn.len() < wanted && refused.len() < 4 * wanted {
        let program = programs().new_tree(&mut runner).expect("a program").current();
        match exported(&program, language) {
            Ok(text) => {
                texts.push(text);
                drawn.push(program);
            }
            Err(ExportError::Unsupported { construct, .. }) => refused.push(construct),
            Err(error) => panic!("{error}\n{}", program.listing()),
        }
    }
    assert_eq!(drawn.len(), wanted, "too many are refused: {refused:?}");
    eprintln!("{name}: {} programs, {} refused", drawn.len(), refused.len());
    let Some(outcomes) = outcomes(&texts) else { return };
    for ((program, text), outcome) in drawn.iter().zip(&texts).zip(outcomes) {
        let printed = Arc::new(Mutex::new(String::new()));
        let kept = printed.clone();
        let sink: Sink = Arc::new(Mutex::new(move |text: &str| kept.lock().unwrap().push_str(text)));
        let engine = Engine::builder(program.module()).executor(Interpreting::new().printing(sink)).build();
        let expected = engine.run("main", program.args());
        let context = || format!("{}\n{text}", program.listing());
        match (expected, outcome) {
            (Ok(value), Ok(output)) => {
                let ret = engine.program().func(Symbol::new("main")).ok().flatten().expect("it ran").ret;
                let before = printed.lock().unwrap().clone();
                let result = output.strip_prefix(before.as_str()).unwrap_or_else(|| panic!("{}", context()));
                let mut scalars = Vec::new();
                scalars_of_value(&value, ret, &mut scalars);
                assert_eq!(scalars_of_text(result, ret), scalars, "{value} {output}\n{}", context());
            }
            (Err(failure), Err(message)) => {
                let expected = failure.report().message.clone();
                assert!(says(&message, &expected), "`{message}` does not say `{expected}`\n{}", context());
            }
            (expected, outcome) => panic!("{expected:?}, exported {outcome:?}\n{}", context()),
        }
    }
}
