//! Random programs give the values, to the bit except for a `NaN`'s, and the failures of the interpreter.

use std::sync::{Arc, Mutex};

use overdub_context::engine::{Executor, Interpreting, Sink};
use overdub_context::interp::counted;
use overdub_context::limits::{Limit, Limits, counting};
use overdub_context::testing::{Program, alike, programs};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_native::Native;
use proptest::prelude::*;

/// A sink, and what was printed into it.
fn sink() -> (Sink, Arc<Mutex<String>>) {
    let printed = Arc::new(Mutex::new(String::new()));
    let kept = printed.clone();
    let sink: Sink = Arc::new(Mutex::new(move |text: &str| kept.lock().unwrap().push_str(text)));
    (sink, printed)
}

/// The outcome of a run: a value or a failure, and what it printed.
fn outcome(
    program: &Program,
    make: impl FnOnce(Sink) -> Box<dyn Executor>,
) -> (Result<Value<'static>, Failure>, String) {
    let (sink, printed) = sink();
    let executor = make(sink);
    let module = Arc::new(program.module());
    let result = executor.run(&module, Symbol::new("main"), program.args());
    let text = printed.lock().unwrap().clone();
    (result, text)
}

fn interpreted(program: &Program) -> (Result<Value<'static>, Failure>, String) {
    outcome(program, |sink| Box::new(Interpreting::new().printing(sink)))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(128))]

    #[test]
    fn a_program_that_counts_its_steps_counts_as_many(program in programs()) {
        let counts = |executor: &dyn Executor| {
            let module = Arc::new(counted(Arc::new(program.module())));
            let (result, steps) = counting(|| executor.run(&module, Symbol::new("main"), program.args()));
            result.ok().map(|_| steps)
        };
        let (sink, _) = sink();
        let interpreted = counts(&Interpreting::new().printing(sink.clone()));
        prop_assert_eq!(counts(&Native::new().printing(sink)), interpreted, "{}", program.listing());
    }
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(512))]

    #[test]
    fn native_code_without_optimising_gives_and_fails_as_the_interpreter(program in programs()) {
        let (expected, printed) = interpreted(&program);
        let (got, printed_too) =
            outcome(&program, |sink| Box::new(Native::new().without_optimising().printing(sink)));
        prop_assert_eq!(printed, printed_too);
        match (&expected, &got) {
            (Ok(a), Ok(b)) => prop_assert!(alike(a, b), "interpreted {}, native {}", a, b),
            (a, b) => prop_assert_eq!(format!("{a:?}"), format!("{b:?}")),
        }
    }

    #[test]
    fn optimised_native_code_gives_and_fails_as_the_interpreter(program in programs()) {
        let (expected, printed) = interpreted(&program);
        let (got, printed_too) = outcome(&program, |sink| Box::new(Native::new().printing(sink)));
        prop_assert_eq!(printed, printed_too);
        agree(&expected, &got)?;
    }

    #[test]
    fn metered_code_gives_and_fails_as_the_interpreter_or_is_stopped(
        program in programs(),
        few in 0_u64..2000,
        optimises: bool,
    ) {
        let (expected, printed) = interpreted(&program);
        let native = || if optimises { Native::new() } else { Native::new().without_optimising() };
        let within = |steps: u64| {
            let limits = Limits::default().with_steps(steps);
            limits.during(|| outcome(&program, |sink| Box::new(native().printing(sink))))
        };
        let (got, printed_too) = within(u64::MAX);
        prop_assert_eq!(&printed, &printed_too);
        agree(&expected, &got)?;
        let (got, printed_before) = within(few);
        match got {
            Err(failure) if failure.limit() == Some(Limit::Steps(few)) => {
                prop_assert!(printed.starts_with(&printed_before), "{}: {}", printed, printed_before);
            }
            got => {
                prop_assert_eq!(&printed, &printed_before);
                agree(&expected, &got)?;
            }
        }
    }
}

/// Fails if two runs do not have the same value or failure.
fn agree(
    expected: &Result<Value<'static>, Failure>,
    got: &Result<Value<'static>, Failure>,
) -> Result<(), TestCaseError> {
    match (expected, got) {
        (Ok(a), Ok(b)) => prop_assert!(alike(a, b), "interpreted {}, native {}", a, b),
        (Err(a), Err(b)) => prop_assert_eq!(what(a), what(b)),
        (a, b) => prop_assert!(false, "interpreted {:?}, native {:?}", a, b),
    }
    Ok(())
}

/// What failed, and where; the call stack differs if calls were inlined.
fn what(failure: &Failure) -> (FailureKind, String, overdub_context::Span) {
    (failure.kind(), failure.report().message.clone(), failure.report().span)
}
