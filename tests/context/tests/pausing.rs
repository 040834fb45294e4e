//! Executions that pause at marks and after a number of steps, and that are run again with a journal.

use std::sync::{Arc, Mutex};

use overdub_context::interp::{
    Delegate, Delegated, Interpreter, Journal, Mark, Marks, Output, Pause, counted,
};
use overdub_context::ir::{Block, Func, Module};
use overdub_context::limits::counting;
use overdub_context::value::Value;
use overdub_context::{Symbol, text};

/// Adds up to `n`; the addition is marked.
const LOOP: &str = "fn @f(%n: i64) -> i64 {
  br ^head(0, 0)
^head(%i: i64, %sum: i64):
  %more: bool = lt %i, %n
  br_if %more, ^body, ^exit
^body:
  %next: i64 = add %sum, %i
  %j: i64 = add %i, 1
  br ^head(%j, %next)
^exit:
  ret %sum
}";

fn module(text: &str) -> Module {
    text::parse(text).expect("it is IR").module()
}

fn in_body() -> Marks {
    Arc::new(|func: &Func| {
        let body = func.iter_blocks().find(|(_, body)| body.insts.len() == 2);
        body.map(|(block, _)| Mark { block, at: 0 }).into_iter().collect()
    })
}

/// How often a run pauses at its marks if it is also cut at a moment, and its value.
fn marks_seen(module: &Module, cut: u64) -> (usize, Value<'static>) {
    let mut interp = Interpreter::new(module).with_marks(in_body());
    let mut state = interp.start("f", vec![Value::from(5_i64)]).expect("it begins").pause();
    let (mut seen, mut until) = (0, cut);
    loop {
        let mut run = interp.resume(state);
        let pause = run.run_until(until).expect("it does not fail");
        state = run.pause();
        match pause {
            Pause::Mark => seen += 1,
            Pause::Steps | Pause::Returned => until = u64::MAX,
            Pause::Done(value) => return (seen, value),
        }
    }
}

#[test]
fn a_run_that_is_cut_at_a_mark_pauses_there_all_the_same() {
    let module = module(LOOP);
    for cut in 0..40 {
        let (seen, value) = marks_seen(&module, cut);
        assert_eq!((seen, value.as_int().map(|(_, n)| n)), (5, Some(10)), "cut after {cut} steps");
    }
}

#[test]
fn what_was_printed_is_not_printed_again() {
    let text = "fn @f(%x: i64) -> i64 {\n  %a: unit = print \"one\"\n  %y: i64 = add %x, 1\n  %b: unit = print \"two\"\n  ret %y\n}";
    let (module, journal) = (module(text), Journal::new());
    let printed = Arc::new(Mutex::new(String::new()));
    let sink = printed.clone();
    let output = Output::To(Box::new(move |text: &str| sink.lock().expect("nobody failed").push_str(text)));
    let mut interp = Interpreter::new(&module).with_output(output).with_journal(journal);
    let begin = interp.start("f", vec![Value::from(1_i64)]).expect("it begins").pause();
    let mut run = interp.resume(begin.copy());
    assert!(matches!(run.run_until(2), Ok(Pause::Steps)));
    drop(run);
    assert!(matches!(interp.resume(begin).run_until(u64::MAX), Ok(Pause::Done(_))));
    assert_eq!(*printed.lock().expect("nobody failed"), "onetwo");
}

/// Maps a function over an array: it is called within one instruction.
const CALLED: &str = "fn @f(%xs: [f64]) -> [f64] {
  %g: closure @g() = closure
  %ys: [f64] = nd.map %xs, %g
  %zs: [f64] = nd.map %ys, %g
  ret %zs
}
fn @g(%x: f64) -> f64 {
  %y: f64 = mul %x, 2.0
  %z: f64 = add %y, 1.0
  ret %z
}";

#[test]
fn a_run_pauses_within_what_an_operation_calls_at_the_same_moments() {
    let module = module(CALLED);
    let args = || vec![Value::floats(vec![1.0, 2.0, 3.0])];
    let whole = Interpreter::new(&module).run("f", args()).expect("it runs");
    let mut interp = Interpreter::new(&module);
    let mut run = interp.start("f", args()).expect("it begins");
    assert!(matches!(run.run_until(u64::MAX), Ok(Pause::Done(_))));
    let steps = run.steps();
    // In the two instructions that call, and in the six calls.
    assert_eq!(steps, 4 + 6 * 3);
    for moment in 0..steps {
        let mut interp = Interpreter::new(&module).pausing_in_callbacks();
        let mut run = interp.start("f", args()).expect("it begins");
        assert!(matches!(run.run_until(moment), Ok(Pause::Steps)), "{moment}");
        let paused = run.pause();
        assert_eq!(paused.steps(), moment);
        // A copy goes on to the same end, within the call or in one step.
        for inside in [true, false] {
            let interp = Interpreter::new(&module);
            let mut interp = if inside { interp.pausing_in_callbacks() } else { interp };
            let mut run = interp.resume(paused.copy());
            let Ok(Pause::Done(value)) = run.run_until(u64::MAX) else { panic!("it ends") };
            assert!(value.same(&whole), "{value:?}");
            assert_eq!(run.steps(), steps);
        }
    }
}

#[test]
fn a_mark_in_what_an_operation_calls_is_come_to_once_in_each_call() {
    let module = module(CALLED);
    let marks: Marks = Arc::new(|func: &Func| {
        let entry = func.iter_blocks().next().map(|(block, _)| Mark { block, at: 1 });
        entry.into_iter().filter(|_| func.name.as_str() == "g").collect()
    });
    let mut interp = Interpreter::new(&module).with_marks(marks);
    let args = vec![Value::floats(vec![1.0, 2.0, 3.0])];
    let mut state = interp.start("f", args).expect("it begins").pause();
    let mut depths = Vec::new();
    loop {
        let mut run = interp.resume(state);
        match run.run_until(u64::MAX).expect("it does not fail") {
            Pause::Done(_) => break,
            _ => state = run.pause(),
        }
        depths.push(state.depth());
    }
    assert_eq!(depths, [2; 6]);
}

#[test]
fn a_run_pauses_where_a_call_returns_to_the_operation_that_made_it() {
    let module = module(CALLED);
    let mut interp = Interpreter::new(&module).pausing_in_callbacks();
    let mut run = interp.start("f", vec![Value::floats(vec![1.0, 2.0, 3.0])]).expect("it begins");
    assert!(matches!(run.run_until(3), Ok(Pause::Steps)));
    let inside = run.pause();
    assert_eq!((inside.depth(), inside.is_called_by_operation(0)), (2, true));
    assert!(!inside.is_called_by_operation(1) && !inside.is_called_by_operation(7));
    let mut returned = Vec::new();
    let mut state = inside;
    loop {
        let mut run = interp.resume(state).pausing_below(2);
        match run.run_until(u64::MAX).expect("it does not fail") {
            Pause::Returned => returned.push((run.steps(), run.depth())),
            Pause::Done(_) => break,
            Pause::Mark | Pause::Steps => panic!("nobody asked for it"),
        }
        state = run.pause();
    }
    assert_eq!(returned, [5, 8, 11, 15, 18, 21].map(|steps| (steps, 1)));
}

/// Calls `@square` by name and as a closure, and marks what comes after.
const CALLS: &str = "fn @f(%x: f64) -> f64 {
  %a: f64 = call @square(%x)
  %made: closure @square() = closure
  %b: f64 = call %made(%a)
  %c: f64 = add %b, 1.0
  ret %c
}
fn @square(%x: f64) -> f64 {
  %y: f64 = mul %x, %x
  %small: bool = lt %y, 1000.0
  br_if %small, ^end, ^large
^end:
  ret %y
^large:
  fail \"large\"
}";

/// Evaluates calls of `@square` by another interpreter, but for those at some moments.
struct Elsewhere {
    counted: Module,
    declines: Vec<u64>,
    calls: Mutex<Vec<u64>>,
}

impl Delegate for Elsewhere {
    fn takes(&self, func: &Func) -> bool {
        &*func.name == "square"
    }

    fn call<'a>(&self, func: Symbol, steps: u64, args: Vec<Value<'a>>) -> Delegated<'a> {
        if self.declines.contains(&steps) {
            return Delegated::Declined(args);
        }
        self.calls.lock().expect("nobody fails with it").push(steps);
        match counting(|| Interpreter::new(&self.counted).run(func, args)) {
            (Ok(value), steps) => Delegated::Returned { value, steps },
            (Err(failure), _) => Delegated::Failed(failure),
        }
    }
}

#[test]
fn calls_that_are_delegated_take_the_steps_that_they_take_here() {
    let module = Arc::new(module(CALLS));
    let marks: Marks =
        Arc::new(
            |func: &Func| {
                if &*func.name == "f" { vec![Mark { block: Block::ENTRY, at: 3 }] } else { vec![] }
            },
        );
    let run = |x: f64, declines: Option<Vec<u64>>| {
        let mut interp = Interpreter::new(&module).with_marks(marks.clone());
        let elsewhere = declines.map(|declines| {
            let counted = counted(module.clone());
            Arc::new(Elsewhere { counted, declines, calls: Mutex::default() })
        });
        if let Some(elsewhere) = &elsewhere {
            interp = interp.with_delegate(elsewhere.clone());
        }
        let mut run = interp.start("f", vec![Value::F64(x)]).expect("it begins");
        let marked = run.run_until(u64::MAX).map(|pause| matches!(pause, Pause::Mark));
        let at = run.steps();
        let failed = run.before_last_step();
        let ended = run.run_until(u64::MAX).map(|pause| format!("{pause:?}"));
        let calls = elsewhere.map_or(vec![], |of| of.calls.lock().expect("nobody fails with it").clone());
        (marked, at, failed, ended, run.steps(), calls)
    };
    let (marked, at, _, ended, end, _) = run(2.0, None);
    assert!(marked.expect("it does not fail"));
    for declines in [vec![], vec![1], vec![7], vec![1, 7]] {
        let (_, at_too, _, ended_too, end_too, calls) = run(2.0, Some(declines.clone()));
        assert_eq!((at_too, ended_too, end_too), (at, ended.clone(), end), "{declines:?}");
        let expected: Vec<u64> = [1, 7].into_iter().filter(|call| !declines.contains(call)).collect();
        assert_eq!(calls, expected);
    }
    // A failure is that of the run, at the step of the call.
    let (failed, _, before, ..) = run(8.0, Some(vec![]));
    assert_eq!((failed.expect_err("64 squared is large").report().message.as_str(), before), ("large", 6));
}
