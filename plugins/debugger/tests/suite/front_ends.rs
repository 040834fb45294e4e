//! Support for front ends that answer requests during a run: interruption, pages, several hits at once.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use overdub_context::value::Value;
use overdub_debugger::{Command, DebugError, Reason, Session};

use crate::support::{session, stopped_in};

const LOOPS: &str = "fn inner(n: u64) -> u64 {
    let mut i = 0;
    while i < n {
        i += 1;
    }
    i
}
fn outer(n: u64) -> u64 {
    let a = inner(n);
    a + 1
}
";

fn loops(n: u64) -> Session {
    session(LOOPS, "outer", vec![Value::from(n)])
}

fn interrupt(session: &Session) {
    session.interrupter().store(true, Ordering::Relaxed);
}

#[test]
fn a_step_that_was_interrupted_in_a_call_goes_on_to_where_it_would_have_stopped() {
    let mut session = loops(100_000);
    assert!(matches!(session.start().expect("it begins").reason, Reason::Entry));
    interrupt(&session);
    let stop = session.run(Command::Next).expect("it can go on");
    assert!(matches!(stop.reason, Reason::Interrupted), "{stop:?}");
    assert_eq!(stopped_in(&stop), "inner");
    let stop = session.resume().expect("it was interrupted");
    assert!(matches!(stop.reason, Reason::Step), "{stop:?}");
    assert_eq!((stopped_in(&stop).as_str(), stop.span.line), ("outer", 10));
    assert!(matches!(session.resume(), Err(DebugError::NotInterrupted)));
}

#[test]
fn a_run_is_interrupted_between_two_breakpoints_that_do_not_stop_it() {
    let mut session = loops(500);
    let id = session.break_at_line("f.rs", 4).expect("there is code");
    session.breakpoint_mut(id).expect("it was made").set_condition("i > 200_000");
    interrupt(&session);
    let stop = session.run(Command::Continue).expect("it can go on");
    assert!(matches!(stop.reason, Reason::Interrupted));
    assert!(stop.moment < 100, "it stops at the first mark, not after a piece: {}", stop.moment);
    let stop = session.resume().expect("it was interrupted");
    assert!(matches!(stop.reason, Reason::Exited(value) if value.as_index() == Some(501)));
}

#[test]
fn a_search_that_was_interrupted_leaves_the_run_where_it_stands() {
    let mut session = loops(100_000);
    session.break_at_line("f.rs", 10).expect("there is code");
    let there = session.run(Command::Continue).expect("it can go on");
    interrupt(&session);
    let stop = session.run(Command::Back).expect("it can go back");
    assert!(matches!(stop.reason, Reason::Interrupted));
    assert_eq!((stop.moment, stop.span), (there.moment, there.span));
    let stop = session.run(Command::Back).expect("it can go back");
    assert_eq!((stopped_in(&stop).as_str(), stop.span.line), ("inner", 6));
}

#[test]
fn all_breakpoints_that_stop_at_a_place_are_told_forwards_and_backwards() {
    let mut session = loops(3);
    let line = session.break_at_line("f.rs", 2).expect("there is code");
    let function = session.break_at_function("inner").expect("it is called");
    let log = session.break_at_line("f.rs", 2).expect("there is code");
    session.breakpoint_mut(log).expect("it was made").log = Some("n = {n}".to_owned());
    let stop = session.run(Command::Continue).expect("it can go on");
    assert_eq!(stop.breakpoints, [line, function]);
    assert_eq!(session.take_logs(), ["n = 3"]);
    let stop = session.run(Command::Next).expect("it can go on");
    assert!(stop.breakpoints.is_empty());
    let stop = session.run(Command::ReverseContinue).expect("it can go back");
    assert_eq!(stop.breakpoints, [line, function]);
}

#[test]
fn calls_are_told_in_pages() {
    let text =
        "fn down(n: u64) -> u64 {\n    if n == 0 {\n        return 0;\n    }\n    down(n - 1) + 1\n}\n";
    let mut session = session(text, "down", vec![Value::from(50_u64)]);
    session.break_at_line("f.rs", 3).expect("there is code");
    session.run(Command::Continue).expect("it can go on");
    assert_eq!(session.depth(), 51);
    let all = session.frames();
    assert_eq!(session.frames_from(20, 5), all[20..25]);
    assert!(session.frames_from(51, 5).is_empty());
}

#[test]
fn a_place_can_be_watched_before_its_function_is_called() {
    let mut session = loops(3);
    session.watch_in("inner", "i").expect("it is called later");
    let seen: Vec<String> = std::iter::from_fn(|| {
        let stop = session.run(Command::Continue).ok()?;
        stop.reason.details().filter(|_| matches!(stop.reason, Reason::Changed { .. }))
    })
    .collect();
    assert_eq!(seen, ["from 0 to 1", "from 1 to 2", "from 2 to 3"]);
    assert!(matches!(session.watch_in("nowhere", "i"), Err(DebugError::NoFunction(_))));
}

#[test]
fn the_last_moment_of_a_line_is_before_now() {
    let mut session = loops(3);
    assert_eq!(session.last_at_line("f.rs", 4).ok(), Some(None));
    session.break_at_line("f.rs", 10).expect("there is code");
    let now = session.run(Command::Continue).expect("it can go on").moment;
    let then = session.last_at_line("f.rs", 4).expect("there is code").expect("it ran");
    assert!(then < now);
    session.run(Command::Goto(then)).expect("it was reached");
    assert_eq!(session.place(0, "i").ok().and_then(|i| i.as_index()), Some(2));
    assert!(matches!(session.last_at_line("f.rs", 99), Err(DebugError::NoCode { .. })));
}

#[test]
fn an_expression_that_takes_too_much_is_an_error() {
    let mut session = loops(3);
    session.start().expect("it begins");
    let answer = session.evaluate(0, "vec![0.0_f64; 1 << 40].len()");
    assert!(matches!(answer, Err(DebugError::Failed(_))), "{answer:?}");
}

#[test]
fn what_logpoints_say_can_be_sent_on_while_the_program_runs() {
    let mut session = loops(3);
    let id = session.break_at_line("f.rs", 4).expect("there is code");
    session.breakpoint_mut(id).expect("it was made").log = Some("i = {i}".to_owned());
    let said = Arc::new(Mutex::new(Vec::new()));
    let sink = said.clone();
    session.log_to(Arc::new(Mutex::new(move |text: &str| {
        sink.lock().expect("nobody fails with it").push(text.to_owned());
    })));
    session.run(Command::Continue).expect("it can go on");
    assert_eq!(*said.lock().expect("nobody fails with it"), ["i = 0", "i = 1", "i = 2"]);
    assert!(session.take_logs().is_empty());
}

#[test]
fn what_was_interrupted_anywhere_comes_to_a_statement_if_there_is_one() {
    let text = "fn f(n: u64) -> u64 {\n    let mut i = 0_u64;\n    loop {\n        i = i.wrapping_add(n);\n    }\n}\n";
    let mut session = crate::support::session(text, "f", vec![Value::from(1_u64)]);
    interrupt(&session);
    session.run(Command::Continue).expect("it can go on");
    let stop = session.run_to_statement().expect("it can go on");
    assert!(matches!(stop.reason, Reason::Interrupted));
    assert_eq!(stop.span.line, 4);
    assert!(session.place(0, "i").is_ok());

    let mut session = crate::support::session("fn f() {\n    loop {}\n}\n", "f", vec![]);
    session.start().expect("it begins");
    let stop = session.run_to_statement().expect("it can go on");
    assert!(matches!(stop.reason, Reason::Interrupted));
    assert!(matches!(session.run_to_statement().expect("it can go on").reason, Reason::Interrupted));
}

#[test]
fn variables_are_those_of_the_source_alone() {
    let text = "fn f(n: u64) -> u64 {\n    let (mut a, mut b) = (0, 1);\n    for i in 0..n {\n        (a, b) = (b, a + i);\n        \
                assert_eq!(b, b);\n    }\n    a\n}\n";
    let mut session = crate::support::session(text, "f", vec![Value::from(3_u64)]);
    session.break_at_line("f.rs", 4).expect("there is code");
    session.break_at_line("f.rs", 5).expect("there is code");
    for _ in 0..4 {
        session.run(Command::Continue).expect("it can go on");
        let names: Vec<String> = session
            .variables(0)
            .expect("it stands")
            .iter()
            .map(|variable| variable.name.to_string())
            .collect();
        assert_eq!(names, ["n", "a", "b", "i"]);
    }
}

#[test]
fn captured_parts_of_a_variable_are_variables_of_the_closure() {
    let text = "fn f(x: f64) -> f64 {\n    let mut q = (x, vec![2.0 * x], 3.0);\n    let mut g = |t: f64| {\n        \
                q.0 += t;\n        q.1.push(t);\n        q.0 + q.1[1]\n    };\n    g(1.0) + q.2\n}\n";
    let mut session = session(text, "f", vec![Value::from(1.5)]);
    session.break_at_line("f.rs", 6).expect("there is code");
    session.run(Command::Continue).expect("it can go on");
    assert_eq!(crate::support::shown(&session), "{q.0: 2.5, q.1: [3.0, 1.0], t: 1.0}");
    let sum = session.evaluate(0, "q.0 + q.1[0] + q.1.len() as f64").expect("they have values");
    assert_eq!(sum.as_f64(), Some(7.5));
    let missing = session.evaluate(0, "q").expect_err("`q.2` is not captured");
    assert_eq!(missing.to_string(), "the closure does not capture all of `q`, but `q.0` and `q.1`");
    session.set(0, "q.0", "q.0 + 10.0").expect("it can be changed");
    session.set(0, "q.1[1]", "100.0").expect("it can be changed");
    assert_eq!(session.place(0, "q.1[1]").expect("it has a value").as_f64(), Some(100.0));
    assert_eq!(crate::support::end(&mut session), Ok("F64(115.5)".to_owned()));
}
