//! Going back.

use overdub_context::value::Value;
use overdub_debugger::{Command, DebugError, Reason};

use crate::support::{end, plain, session, shown, stopped_in};

const PROGRAM: &str = "
use std::cell::RefCell;
fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let a = fib(n - 1);
    let b = fib(n - 2);
    a + b
}
fn change(xs: &mut Vec<f64>, k: usize) {
    xs[k] *= 2.0;
    xs.push(k as f64);
}
fn g(n: u64) -> f64 {
    let shared = RefCell::new(vec![1.0, 2.0]);
    let mut xs = vec![1.0, 2.0, 3.0];
    for k in 0..3 {
        change(&mut xs, k);
        shared.borrow_mut().push(xs[k]);
        let total: f64 = shared.borrow().iter().sum();
        xs[0] += total;
    }
    let r = &mut xs[1];
    *r += 5.0;
    let last = fib(n) as f64;
    let at = xs.len() + 7;
    xs[at] + last
}";

#[test]
fn t1_stepping_back_shows_the_variables_as_they_were() {
    let args = || vec![Value::from(5_u64)];
    let mut run = session(PROGRAM, "g", args());
    let mut seen = vec![];
    let mut stop = run.start().expect("it starts");
    loop {
        seen.push((stop.moment, stopped_in(&stop), stop.span, shown(&run)));
        stop = run.run(Command::Step).expect("it steps");
        if !matches!(stop.reason, Reason::Step) {
            break;
        }
    }
    assert!(matches!(stop.reason, Reason::Failure(_)), "{stop:?}");
    assert!(seen.len() > 50, "{}", seen.len());
    for before in seen.iter().rev() {
        if before.0 == run.moment() {
            continue;
        }
        let stop = run.run(Command::Back).expect("it goes back");
        assert_eq!(&(stop.moment, stopped_in(&stop), stop.span, shown(&run)), before);
    }
    assert!(matches!(run.run(Command::Back).expect("it goes back").reason, Reason::Start));
    assert_eq!(end(&mut run), plain(PROGRAM, "g", args()));
}

#[test]
fn t2_reverse_continue_stops_at_the_last_hit_and_at_the_start() {
    let mut run = session(PROGRAM, "g", vec![Value::from(3_u64)]);
    run.break_at_line("f.rs", 12).expect("there is code");
    let mut moments = vec![];
    while let Reason::Breakpoint(_) = run.run(Command::Continue).expect("it runs").reason {
        moments.push(run.moment());
    }
    assert_eq!(moments.len(), 3);
    for &moment in moments.iter().rev() {
        let stop = run.run(Command::ReverseContinue).expect("it goes back");
        assert_eq!((stop.moment, stop.span.line), (moment, 12));
    }
    assert!(matches!(run.run(Command::ReverseContinue).expect("it goes back").reason, Reason::Start));
}

#[test]
fn t3_a_nan_leads_to_the_operation_that_made_it_and_an_element_to_its_last_write() {
    let text = "
fn g(n: usize) -> f64 {
    let mut xs = vec![1.0; 4];
    let mut i = 0;
    while i < n {
        xs[i] = (2.0 - i as f64).ln() - 1.0;
        i += 1;
    }
    let mut s = 0.0;
    for x in &xs {
        s += x;
    }
    s
}";
    let mut run = session(text, "g", vec![Value::from(4_usize)]);
    run.break_at_line("f.rs", 13).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    assert!(run.evaluate(0, "s").expect("s").as_f64().is_some_and(f64::is_nan));
    run.catch_nan();
    let stop = run.run(Command::ReverseContinue).expect("it goes back");
    let Reason::NotFinite { operation, operands, .. } = &stop.reason else { panic!("{stop:?}") };
    assert_eq!((*operation, stop.span.line), ("ln", 6));
    assert_eq!(operands[0].as_f64(), Some(-1.0));
    assert_eq!(run.evaluate(0, "i").expect("i").as_index(), Some(3));
    run.run(Command::Continue).expect("it goes on");
    let stop = run.last_write(0, "xs[1]").expect("it is there");
    assert!(matches!(stop.reason, Reason::LastWrite));
    assert_eq!(stop.span.line, 6);
    assert_eq!(run.evaluate(0, "i").expect("i").as_index(), Some(1));
}

#[test]
fn t4_a_small_history_gives_up_snapshots_and_never_another_result() {
    let text = "
fn g(n: usize) -> f64 {
    let mut xs = vec![0.0; 1000];
    let mut i = 0;
    while i < n {
        xs[i % 1000] += i as f64;
        i += 1;
    }
    xs[7]
}";
    let args = || vec![Value::from(200_000_usize)];
    let mut run = session(text, "g", args());
    run.limit_history(100_000);
    run.break_at_line("f.rs", 9).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    let info = run.history();
    assert!(info.bytes <= 100_000 && info.dropped > 0, "{info:?}");
    for _ in 0..2 {
        run.run(Command::Back).expect("it goes back");
    }
    assert_eq!(run.evaluate(0, "i").expect("i").as_index(), Some(199_999));
    run.run(Command::Goto(1000)).expect("it was there");
    assert_eq!(end(&mut run), plain(text, "g", args()));
}

#[test]
fn setting_a_variable_in_the_past_begins_another_future() {
    let text = "fn g(x: f64) -> f64 {\n    let y = x + 1.0;\n    let z = y * 2.0;\n    z + 1.0\n}";
    let mut run = session(text, "g", vec![Value::F64(1.0)]);
    run.break_at_line("f.rs", 4).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    run.run(Command::Back).expect("it goes back");
    run.set(0, "y", "10.0").expect("it is set");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(shown(&run), "{x: 1.0, y: 10.0, z: 20.0}");
    run.run(Command::Back).expect("it goes back");
    assert_eq!(shown(&run), "{x: 1.0, y: 10.0}");
    assert_eq!(end(&mut run), Ok(format!("{:?}", Value::F64(21.0))));
}

#[test]
fn a_run_from_before_a_change_makes_the_change_again() {
    let text = "fn g(x: f64) -> f64 {\n    let y = x + 1.0;\n    let z = y * 2.0;\n    let w = z + 1.0;\n    w * y\n}";
    let mut run = session(text, "g", vec![Value::F64(1.0)]);
    run.break_at_line("f.rs", 3).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    run.set(0, "y", "10.0").expect("it is set");
    run.run(Command::Step).expect("it steps");
    let seen = (run.moment(), shown(&run));
    assert_eq!(seen.1, "{x: 1.0, y: 10.0, z: 20.0}");
    for _ in 0..2 {
        run.run(Command::Back).expect("it goes back");
    }
    assert_eq!(shown(&run), "{x: 1.0}");
    // Over the breakpoint on the line of the change, and by steps.
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Breakpoint(_)), "{stop:?}");
    assert_eq!(shown(&run), "{x: 1.0, y: 10.0}");
    run.run(Command::Step).expect("it steps");
    assert_eq!((run.moment(), shown(&run)), seen);
    run.run(Command::Goto(0)).expect("it was there");
    assert_eq!(end(&mut run), Ok(format!("{:?}", Value::F64(210.0))));
}

#[test]
fn a_nan_in_an_array_is_caught_where_an_operation_on_the_array_makes_it() {
    let text = "use ndarray::Array1;
fn g(x: &Array1<f64>) -> f64 {
    let y = x * 2.0;
    let z = &y / &y;
    z.sum()
}";
    let mut run = session(text, "g", vec![Value::floats(vec![1.0, 0.0])]);
    run.catch_nan();
    let stop = run.run(Command::Continue).expect("it runs");
    let Reason::NotFinite { operation, .. } = &stop.reason else { panic!("{stop:?}") };
    assert_eq!((*operation, stop.span.line), ("div", 4));
}

#[test]
fn changes_keep_to_the_limit_of_the_history_or_are_refused() {
    let text = "
fn g(n: usize) -> f64 {
    let mut xs = vec![0.0; 20_000];
    let mut bias = 0.0;
    for i in 0..n {
        xs[i] += bias;
        bias += 1.0;
    }
    xs[3] + xs[7] + bias
}";
    let mut run = session(text, "g", vec![Value::from(10_usize)]);
    run.limit_history(100_000);
    run.break_at_line("f.rs", 6).expect("there is code");
    let mut seen = vec![];
    for round in 0..8 {
        run.run(Command::Continue).expect("it runs");
        run.set(0, "bias", &format!("{}.5", round * 10)).expect("there is room for a number");
        seen.push((run.moment(), shown(&run)));
        let info = run.history();
        assert!(info.bytes <= info.limit, "{info:?}");
    }
    let error = run.set(0, "xs", "vec![1.0; 20_000]").expect_err("that is too much");
    assert!(matches!(error, DebugError::HistoryFull { bytes, limit: 100_000 } if bytes > 160_000), "{error}");
    assert_eq!((run.moment(), shown(&run)), seen[7]);
    run.run(Command::Goto(0)).expect("it was there");
    for expected in &seen {
        run.run(Command::Continue).expect("it runs");
        assert_eq!((run.moment(), shown(&run)), *expected);
    }
    for (moment, variables) in seen.iter().rev() {
        run.run(Command::Goto(*moment)).expect("it was there");
        assert_eq!(shown(&run), *variables);
    }
    // A change that shares a cell cannot be repeated from its value.
    let text =
        "use std::cell::RefCell;\nuse std::rc::Rc;\nfn g() -> f64 {\n    let a = Rc::new(RefCell::new(1.0));
    let mut b = Rc::new(RefCell::new(2.0));\n    *a.borrow_mut() += 1.0;\n    *b.borrow_mut() += 1.0;
    let sum = *a.borrow() + *b.borrow();\n    sum\n}";
    let mut run = session(text, "g", vec![]);
    run.break_at_line("f.rs", 6).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    run.set(0, "b", "a.clone()").expect("it is set");
    for _ in 0..2 {
        run.run(Command::Goto(0)).expect("it was there");
        assert_eq!(end(&mut run), Ok(format!("{:?}", Value::F64(6.0))));
    }
}
