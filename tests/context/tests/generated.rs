//! What holds for every program.

use std::collections::BTreeSet;
use std::sync::Arc;

use overdub_context::FailureKind;
use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::ir::{Callee, Edit, Func, InstKind, Module, Rewriter};
use overdub_context::testing::{MAX_STEPS, Program, programs};
use overdub_context::text::Parser;
use overdub_context::value::Value;
use overdub_context::verify::verify_module;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestError, TestRunner};

/// What `@main` returns, or why it fails.
fn run(module: &Module, program: &Program) -> Result<Value<'static>, (FailureKind, String)> {
    let limits = Limits { steps: Some(MAX_STEPS), memory: Some(1 << 28), ..Limits::default() };
    let mut interpreter = Interpreter::new(module).with_limits(limits).with_output(Output::Discard);
    let result = interpreter.run("main", program.args());
    result.map(Value::into_owned).map_err(|failure| (failure.kind(), failure.report().message.clone()))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(96))]

    #[test]
    fn a_generated_program_verifies(program in programs()) {
        if let Err(error) = verify_module(&program.module()) {
            prop_assert!(false, "{error}");
        }
    }

    #[test]
    fn running_ends_without_a_panic_and_never_meets_a_wrong_type(program in programs()) {
        if let Err((kind, message)) = run(&program.module(), &program) {
            let its_own = [
                FailureKind::Panic,
                FailureKind::Overflow,
                FailureKind::Bounds,
                FailureKind::DivisionByZero,
                FailureKind::Domain,
            ];
            prop_assert!(its_own.contains(&kind), "{kind:?}: {message}");
        }
    }

    #[test]
    fn a_counted_program_counts_the_steps_of_the_plain_one(program in programs()) {
        let module = Arc::new(program.module());
        let limits = Limits { steps: Some(MAX_STEPS), memory: Some(1 << 28), ..Limits::default() };
        let mut plain = Interpreter::new(&module).with_limits(limits.clone()).with_output(Output::Discard);
        let mut run = plain.start("main", program.args()).expect("it begins");
        let ended = run.run_until(u64::MAX);
        let steps = run.steps();
        let counted = overdub_context::interp::counted(module.clone());
        let limits = Limits { steps: None, ..limits };
        let mut counting = Interpreter::new(&counted).with_limits(limits).with_output(Output::Discard);
        if let Ok(overdub_context::interp::Pause::Done(value)) = ended {
            let (result, found) = overdub_context::limits::counting(|| counting.run("main", program.args()));
            prop_assert!(overdub_context::testing::alike(&result.expect("the plain one does not fail"), &value));
            prop_assert_eq!(found, steps, "{}", program.listing());
        }
    }

    #[test]
    fn what_is_printed_parses_to_the_same_function(program in programs()) {
        let parser = Parser::new().with_types(program.types());
        for func in program.funcs() {
            let parsed = parser.parse_unverified(&func.to_string());
            let parsed = parsed.map_err(|errors| TestCaseError::fail(format!("{errors}\n{func}")))?;
            prop_assert_eq!(&*parsed.funcs[0], &**func);
        }
    }

    #[test]
    fn a_program_is_its_text(program in programs()) {
        let text = program.listing().to_string();
        let parsed = Parser::new().parse_unverified(&text);
        let parsed = parsed.map_err(|errors| TestCaseError::fail(format!("{errors}\n{text}")))?;
        prop_assert_eq!(parsed.to_string(), text);
    }

    #[test]
    fn a_copy_without_changes_is_the_same_function(program in programs()) {
        for func in program.funcs() {
            let copy = Rewriter::edit(func, |_, _| Ok(Edit::Keep)).expect("nothing was dropped");
            prop_assert_eq!(&copy, &**func);
        }
    }

    #[test]
    fn inlining_every_call_changes_no_result(program in programs()) {
        let module = program.module();
        let mut inlined: Vec<Arc<Func>> = Vec::new();
        for func in program.funcs() {
            inlined.push(Arc::new(inline_calls(func, &inlined)));
        }
        let changed = Module::new();
        inlined.into_iter().for_each(|func| changed.define(func));
        if let Err(error) = verify_module(&changed) {
            prop_assert!(false, "{error}");
        }
        let (before, after) = (run(&module, &program), run(&changed, &program));
        prop_assert_eq!(format!("{before:?}"), format!("{after:?}"));
    }
}

/// `func` with the bodies of those `known` in the place of calls to them.
fn inline_calls(func: &Func, known: &[Arc<Func>]) -> Func {
    let copy = Rewriter::edit(func, |rewriter, inst| match &inst.kind {
        InstKind::Call { callee: Callee::Func(name), args } => {
            match known.iter().find(|func| func.name == *name) {
                Some(callee) => Ok(rewriter.inline(callee, args)?.map_or(Edit::Drop, Edit::Replace)),
                None => Ok(Edit::Keep),
            }
        }
        _ => Ok(Edit::Keep),
    });
    copy.expect("a call fits what it calls")
}

#[test]
fn a_fault_is_shrunk_to_a_program_of_a_few_lines() {
    let calls_a_closure = |func: &Arc<Func>| {
        let insts = func.blocks.iter().flat_map(|body| &body.insts);
        insts.into_iter().any(|inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Value(_), .. }))
    };
    let config = ProptestConfig { max_shrink_iters: 100_000, ..overdub_context::testing::cases(500) };
    let found = TestRunner::new(config).run(&programs(), |program| {
        prop_assert!(!program.funcs().iter().any(calls_a_closure));
        Ok(())
    });
    let Err(TestError::Fail(_, smallest)) = found else { panic!("no program calls a closure") };
    let size: usize =
        smallest.funcs().iter().flat_map(|func| &func.blocks).map(|body| body.insts.len()).sum();
    // Where two arms of a `match` call one each, neither can go alone.
    assert!(size <= 16, "{size}: {smallest:?}");
}

#[test]
fn programs_move_parts_and_edit_vectors_in_every_way() {
    let mut used = BTreeSet::new();
    let mut runner = TestRunner::deterministic();
    for _ in 0..2000 {
        let program = programs().new_tree(&mut runner).expect("every tree is a program").current();
        let insts = program.funcs().iter().flat_map(|func| &func.blocks).flat_map(|body| &body.insts);
        used.extend(insts.filter_map(|inst| match &inst.kind {
            InstKind::Op { op, .. } => Some(op.name.to_owned()),
            _ => None,
        }));
    }
    let expected = "take.field take.payload take.elem with_payload ref.take ref.field ref.payload ref.elem \
                    ref.get ref.set get set push pop insert remove swap_remove truncate resize swap reverse \
                    array.rotate_left array.rotate_right fill copy_within set_slice slice concat";
    let missing: Vec<&str> = expected.split_whitespace().filter(|name| !used.contains(*name)).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
}
