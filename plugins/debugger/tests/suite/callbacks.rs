//! Stops inside functions that an operation calls, such as the comparison of a sort.

use overdub_context::value::Value;
use overdub_debugger::{Command, Reason, show};

use crate::support::{end, plain, session, shown, stopped_in};

const SORTED: &str = "fn f(n: usize) -> f64 {
    let mut xs: Vec<f64> = (0..n).map(|i| ((i * 7) % n) as f64).collect();
    let mut count = 0;
    xs.sort_by(|a, b| {
        count += 1;
        let order = b.partial_cmp(a);
        order.unwrap()
    });
    xs[0] + count as f64
}";

#[test]
fn breakpoints_in_what_a_sort_calls_are_hit() {
    let mut run = session(SORTED, "f", vec![Value::from(5_usize)]);
    let expected = plain(SORTED, "f", vec![Value::from(5_usize)]);
    run.break_at_line("f.rs", 6).expect("there is code");
    let mut counts = Vec::new();
    loop {
        let stop = run.run(Command::Continue).expect("it goes on");
        if let Reason::Exited(value) = stop.reason {
            assert_eq!(Ok(format!("{value:?}")), expected);
            break;
        }
        let variables = run.variables(0).expect("it stands");
        let count = variables.iter().find(|variable| &*variable.name == "count").expect("it is captured");
        counts.push(show(&count.value));
    }
    let all: Vec<String> = (1..=counts.len()).map(|count| count.to_string()).collect();
    assert!(counts.len() >= 4, "{counts:?}");
    assert_eq!(counts, all);
    // Back through all of them, and forward again from the middle.
    for count in all.iter().rev() {
        run.run(Command::ReverseContinue).expect("it goes back");
        assert_eq!(show(&run.evaluate(0, "count").expect("it is captured")), *count);
    }
    let entered = run.run(Command::Continue).expect("it goes on");
    assert!(matches!(entered.reason, Reason::Breakpoint(1)), "{entered:?}");
    assert_eq!(run.frames().len(), 2);
    // A change inside the sort affects the rest of the run, also when the run goes back and comes again.
    run.set(0, "count", "100").expect("it is a variable");
    run.run(Command::ReverseContinue).expect("it goes back");
    run.delete(1).expect("it is there");
    let stop = run.run(Command::Continue).expect("it goes on");
    let Reason::Exited(value) = stop.reason else { panic!("{stop:?}") };
    let plain = all.len() as f64 + 4.0;
    assert_eq!(value.as_f64(), Some(plain - 2.0 + 100.0));
}

#[test]
fn a_sort_without_breakpoints_inside_stays_fast() {
    let mut run = session(SORTED, "f", vec![Value::from(3000_usize)]);
    run.break_at_line("f.rs", 9).expect("there is code");
    let begin = std::time::Instant::now();
    let stop = run.run(Command::Continue).expect("it goes on");
    assert_eq!(stop.span.line, 9);
    // If the sort were evaluated again for each of its 30 000 calls, this would take minutes.
    assert!(begin.elapsed().as_secs() < 60);
}

#[test]
fn finish_leaves_a_comparison_for_the_sort_that_called_it() {
    let text = "fn f(n: usize) -> f64 {
    let mut xs: Vec<f64> = (0..n).map(|i| (i * 7 % 5) as f64).collect();
    xs.sort_by(|x, y| {
        let order = less(*x, *y);
        order
    });
    xs[0]
}
fn less(x: f64, y: f64) -> std::cmp::Ordering {
    x.total_cmp(&y)
}";
    let mut run = session(text, "f", vec![Value::from(4_usize)]);
    run.break_at_line("f.rs", 10).expect("there is code");
    let mut after = vec![];
    for round in 0..2 {
        run.run(Command::Continue).expect("it runs");
        // From a callee of the comparison to the comparison, and from there to the function that sorts.
        let stop = run.run(Command::Finish).expect("it runs");
        assert_eq!((stop.span.line, run.evaluate(0, "x").is_ok()), (4, true), "{round}");
        let stop = run.run(Command::Finish).expect("it runs");
        assert_eq!((stopped_in(&stop), stop.span.line), ("f".to_owned(), 3), "{round}");
        after.push((stop.moment, shown(&run)));
    }
    for (moment, variables) in after.iter().rev() {
        run.run(Command::Goto(*moment)).expect("it was there");
        assert_eq!((run.moment(), shown(&run)), (*moment, variables.clone()));
    }
    run.delete(1).expect("it is there");
    // After the last comparison is finished, the sort is done.
    let stop = run.run(Command::Next).expect("it runs");
    assert_eq!((stopped_in(&stop), stop.span.line), ("f".to_owned(), 7));
    assert_eq!(end(&mut run), plain(text, "f", vec![Value::from(4_usize)]));
}
