//! Laws for random programs: passes terminate and preserve failures and results, to the bit except for the
//! bits of NaNs.

use std::sync::Arc;
use std::time::Instant;

use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::ir::{Func, FuncBuilder, Module, Ty};
use overdub_context::testing::{MAX_STEPS, Program, alike, expose_proofs, programs};
use overdub_context::text::Printer;
use overdub_context::value::Value;
use overdub_context::verify::verify_in;
use overdub_context::{Failure, ops};
use overdub_passes::{PASSES, Pipeline, Scope, callees};
use proptest::prelude::*;

/// The result and the output of a run.
fn run(module: &Module, args: Vec<Value<'static>>) -> (Result<Value<'static>, Failure>, String) {
    let printed = Arc::new(std::sync::Mutex::new(String::new()));
    let sink = printed.clone();
    let output = Output::To(Box::new(move |text| sink.lock().expect("one thread").push_str(text)));
    // An optimised program takes fewer steps, apart from those for block parameters.
    let limits = Limits { steps: Some(2 * MAX_STEPS), ..Limits::default() };
    let result = Interpreter::new(module).with_limits(limits).with_output(output).run("main", args);
    let text = printed.lock().expect("one thread").clone();
    (result, text)
}

/// The program with every function changed, and its proofs exposed: a wrong proof is a failure.
fn changed(program: &Program, change: impl Fn(&Func, &Scope<'_>) -> Func) -> Module {
    let module = program.module();
    let callee = callees(&module);
    let out = Module::new();
    for func in program.funcs() {
        out.define(expose_proofs(change(func, &Scope::new(&callee))));
    }
    out
}

/// The functions that a second run changes again, as their texts after each run.
fn changed_again(program: &Program, change: impl Fn(&Func, &Scope<'_>) -> Func) -> Option<(String, String)> {
    let module = program.module();
    let callee = callees(&module);
    let scope = Scope::new(&callee);
    let text = |func: &Func| Printer::new().func(func).to_string();
    program.funcs().iter().find_map(|func| {
        let once = change(func, &scope);
        let twice = change(&once, &scope);
        (once != twice).then(|| (text(&once), text(&twice)))
    })
}

fn check_same(program: &Program, changed: &Module, what: &str) -> Result<(), TestCaseError> {
    let main = changed.defined("main".into()).expect("there is a main function");
    let shown = Printer::new().func(&main).to_string();
    for name in changed.names() {
        let func = changed.defined(name).expect("it is named");
        prop_assert!(
            verify_in(&func, changed).is_ok(),
            "{what}: {:?}\n{}",
            verify_in(&func, changed),
            Printer::new().func(&func)
        );
    }
    let (before, printed_before) = run(&program.module(), program.args());
    let (after, printed_after) = run(changed, program.args());
    match (before, after) {
        (Ok(before), Ok(after)) => {
            prop_assert!(alike(&before, &after), "{what}: {before} became {after}\n{shown}");
        }
        (Err(before), Err(after)) => {
            let (before, after) = (before.report(), after.report());
            prop_assert_eq!(&before.message, &after.message, "{}\n{}", what, &shown);
            prop_assert_eq!(before.kind, after.kind, "{}\n{}", what, &shown);
            prop_assert_eq!(before.span, after.span, "{}\n{}", what, &shown);
            prop_assert_eq!(&before.stack, &after.stack, "{}\n{}", what, &shown);
        }
        (before, after) => prop_assert!(false, "{what}: {before:?} became {after:?}\n{shown}"),
    }
    prop_assert_eq!(printed_before, printed_after, "{}\n{}", what, &shown);
    Ok(())
}

/// Passes that find more to do in their own result, which the next round of the pipeline does.
const UNSETTLED: [&str; 3] = ["simplify_cfg", "jump_threading", "loop_unroll"];

proptest! {
    #![proptest_config(overdub_context::testing::cases(128))]

    #[test]
    fn each_pass_keeps_results_and_failures(program in programs()) {
        // Fast functions may differ from std's in the last bit.
        for pass in PASSES.iter().filter(|pass| pass.name != "fast_math") {
            let after = changed(&program, |func, scope| Pipeline::once([pass]).run(func, scope));
            check_same(&program, &after, pass.name)?;
        }
    }

    #[test]
    fn the_pipeline_keeps_results_and_failures(program in programs()) {
        for (what, pipeline) in [("optimising", Pipeline::optimising()), ("compiling", Pipeline::compiling())] {
            let after = changed(&program, |func, scope| pipeline.run(func, scope));
            check_same(&program, &after, what)?;
        }
    }

    #[test]
    fn a_second_run_changes_nothing(program in programs()) {
        let settled = PASSES.iter().filter(|pass| !UNSETTLED.contains(&pass.name));
        for pass in settled {
            let again = changed_again(&program, |func, scope| pass.apply(func, scope));
            let shown = again.map(|(once, twice)| format!("{} run twice makes of\n{once}\nthis\n{twice}", pass.name));
            prop_assert!(shown.is_none(), "{}", shown.unwrap_or_default());
        }
        let pipeline = Pipeline::optimising();
        let again = changed_again(&program, |func, scope| pipeline.run(func, scope));
        let shown = again.map(|(once, twice)| format!("optimising twice makes of\n{once}\nthis\n{twice}"));
        prop_assert!(shown.is_none(), "{}", shown.unwrap_or_default());
    }
}

/// A sequence of `n` operations, half of them dead, some of them constant.
fn straight(n: usize) -> Func {
    let mut build = FuncBuilder::new("main", Ty::f64());
    let x = build.param("x", Ty::f64());
    let mut last = x;
    for i in 0..n {
        last = match i % 4 {
            0 => build.op(&ops::ADD, [last, x]),
            1 => build.op(&ops::SIN, [last]),
            2 => build.op(&ops::MUL, [last, last]),
            _ => build.op(&ops::SUB, [x, last]),
        }
        .expect("floats fit");
    }
    build.ret(last).expect("the block is open");
    build.finish().expect("it is built right")
}

#[test]
fn straight_code_of_ten_times_the_length_takes_about_ten_times_the_time() {
    let time = |n: usize| {
        let func = straight(n);
        let best = (0..5).map(|_| {
            let start = Instant::now();
            let _ = Pipeline::optimising().run(&func, &Scope::none());
            start.elapsed()
        });
        best.min().expect("there are some runs")
    };
    let (short, long) = (time(1_000), time(10_000));
    assert!(long < short * 60, "1 000 operations take {short:?}, 10 000 take {long:?}");
}
