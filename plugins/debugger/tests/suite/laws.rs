//! Laws over random programs and random walks, and the cost of a debugged run.

use std::fmt::Write;
use std::time::{Duration, Instant};

use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_debugger::{Command, Derivative, Reason, Session, Source};
use overdub_lower::Loaded;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::support::{end, plain, session, shown, stopped_in};

/// The variables that programs assign to: a float, an array, a cell, one behind a reference.
const PLACES: &[&str] = &["a", "b", "xs[0]", "xs[(i % 3)]", "p.0", "p.1", "*shared.borrow_mut()"];
const VALUES: &[&str] =
    &["a", "b", "xs[1]", "xs[(i % 3)]", "p.0", "p.1", "(*shared.borrow())", "0.5", "(i as f64)"];

/// A statement that is chosen by a sequence of numbers.
fn statement(out: &mut String, choices: &mut impl Iterator<Item = usize>, depth: usize) {
    let mut next = |count: usize| choices.next().map_or(0, |choice| choice % count);
    let kind = next(if depth > 2 { 4 } else { 8 });
    let (place, x, y) = (PLACES[next(PLACES.len())], VALUES[next(VALUES.len())], VALUES[next(VALUES.len())]);
    match kind {
        0 | 1 => writeln!(out, "let value = {x} * 0.5 + {y};\n{place} = value;"),
        2 => writeln!(out, "let {} = {x} - {y};", ["c", "d", "a"][next(3)])
            .and_then(|()| writeln!(out, "change(&mut xs, {y});")),
        3 => writeln!(out, "b = helper({x}, {y});"),
        4 | 5 => {
            writeln!(out, "if {x} < {y} {{").expect("a string takes it");
            statement(out, choices, depth + 1);
            writeln!(out, "}} else {{").expect("a string takes it");
            statement(out, choices, depth + 1);
            writeln!(out, "}}")
        }
        6 => {
            writeln!(out, "for i in 0..{} {{", 1 + next(3)).expect("a string takes it");
            statement(out, choices, depth + 1);
            statement(out, choices, depth + 1);
            writeln!(out, "}}")
        }
        _ => writeln!(out, "let r = &mut xs[{}];\n*r += {};", next(3), ["1.0", "a", "b"][next(3)]),
    }
    .expect("a string takes it");
}

pub(crate) fn program(choices: &[usize]) -> String {
    let mut out = "use std::cell::RefCell;
fn helper(x: f64, y: f64) -> f64 {
    let z = if x > y { x - y } else { y };
    z * 0.5
}
fn change(xs: &mut Vec<f64>, by: f64) {
    xs[1] += by;
    xs.push(by);
    if xs.len() == 4 {
        xs.sort_by(|x, y| {
            let order = y.total_cmp(x);
            order
        });
    }
}
fn f(i: usize) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let mut xs = vec![1.0, 2.0, 3.0];
    let mut p = (1.0, 2.0);
    let shared = RefCell::new(0.25);
"
    .to_owned();
    let mut choices = choices.iter().copied();
    for _ in 0..5 {
        statement(&mut out, &mut choices, 0);
    }
    out.push_str("let held = *shared.borrow();\na + b + xs[0] + xs[2] + p.0 + p.1 + held\n}\n");
    out
}

type Seen = (u64, String, overdub_context::Span, String);

fn seen(session: &Session, stop: &overdub_debugger::Stop) -> Seen {
    (stop.moment, stopped_in(stop), stop.span, shown(session))
}

#[test]
fn stepping_back_shows_what_was_and_going_on_gives_the_same_end() {
    let choices = proptest::collection::vec(0_usize..1000, 60);
    let walk = proptest::collection::vec(0_usize..6, 25);
    let cases = overdub_context::testing::cases(24);
    let mut runner = TestRunner::new(cases);
    runner
        .run(&(choices, walk), |(choices, walk)| {
            let text = program(&choices);
            let args = || vec![Value::from(1_usize)];
            let expected = plain(&text, "f", args());
            let mut run = session(&text, "f", args());
            let mut all = vec![];
            let mut stop = run.start().expect("it starts");
            loop {
                all.push(seen(&run, &stop));
                stop = run.run(Command::Step).expect("it steps");
                if !matches!(stop.reason, Reason::Step) {
                    break;
                }
            }
            let mut at = all.len();
            for choice in walk {
                let command = match choice {
                    0..=2 => Command::Back,
                    3 => Command::Goto(all[choice * 7919 % all.len()].0),
                    _ if at + 1 < all.len() => Command::Step,
                    _ => Command::Back,
                };
                let stop = run.run(command).expect("it goes there");
                if matches!(stop.reason, Reason::Start) {
                    run.run(Command::Goto(all[0].0)).expect("it goes there");
                    at = 0;
                    continue;
                }
                at = all.iter().position(|seen| seen.0 == stop.moment).expect("it was there before");
                prop_assert_eq!(&seen(&run, &stop), &all[at], "{}", text);
            }
            prop_assert_eq!(end(&mut run), expected, "{}", text);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_gradient_that_is_debugged_is_the_gradient() {
    let choices = proptest::collection::vec(0_usize..1000, 60);
    let walk = proptest::collection::vec(0_usize..8, 40);
    let mut runner = TestRunner::new(overdub_context::testing::cases(16));
    let law = |(choices, walk): (Vec<usize>, Vec<usize>)| {
        let text = program(&choices).replace("fn f(i: usize)", "fn f(i: usize, start: f64)");
        let text = text.replace("let mut a = 1.0;", "let mut a = start;");
        let args = || vec![Value::from(1_usize), Value::F64(1.0)];
        let source = Source::text("f.rs", &text);
        let loaded = || Loaded::with_debug_info(source.program("").expect("it is Rust"));
        let plain = loaded();
        let function = plain.function("f").expect("it is there");
        let expected = overdub_ad::tape::record(&plain.engine(), function.symbol, args());
        let expected = expected.and_then(|run| Ok((run.value.clone(), run.pullback.pull(&[1.0])?)));
        let debugged = loaded();
        let function = debugged.function("f").expect("it is there");
        let session = Session::differentiating(&source, debugged, function, args(), Derivative::Gradient);
        let (value, gradient) = expected.unwrap_or_else(|failure| panic!("{failure}: {text}"));
        let mut run = session.unwrap_or_else(|error| panic!("{error}: {text}"));
        run.break_at_function("helper").ok();
        let mut walk = walk.into_iter().map(|choice| match choice {
            0 => Command::Back,
            1 => Command::ReverseNext,
            2..=4 => Command::Step,
            5 => Command::Next,
            6 => Command::Finish,
            _ => Command::Continue,
        });
        let found = loop {
            let stop = run.run(walk.next().unwrap_or(Command::Continue)).expect("it goes on");
            if let Reason::Differentiated { value, derivative } = stop.reason {
                break (value, derivative);
            }
        };
        prop_assert_eq!(floats(&found.0), floats(&value), "{}", text);
        let [found, expected] =
            [found.1, gradient].map(|all| all.iter().flat_map(floats).collect::<Vec<_>>());
        let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&found), bits(&expected), "{}", text);
        Ok(())
    };
    runner.run(&(choices, walk), law).unwrap_or_else(|error| panic!("{error}"));
}

const FILL: &str = "
fn fill(n: usize) -> f64 {
    let mut xs = vec![0.0; n];
    let mut i = 0;
    while i < n {
        let value = i as f64 * 0.5;
        xs[i] = value;
        i += 1;
    }
    xs[n - 1]
}";

fn timed(n: usize) -> Duration {
    let mut run = session(FILL, "fill", vec![Value::from(n)]);
    run.break_at_line("f.rs", 10).expect("there is code");
    let begin = Instant::now();
    run.run(Command::Continue).expect("it runs");
    begin.elapsed()
}

#[test]
fn a_linear_program_stays_linear_under_the_debugger() {
    // If the array were copied at each write, ten times the length would take a hundred times as long. Other
    // processes may distort one pair of runs, but not each.
    let is_linear = |(small, large): &(Duration, Duration)| *large < *small * 30;
    let mut pairs = (0..10).map(|_| (timed(10_000), timed(100_000)));
    assert!(pairs.any(|pair| is_linear(&pair)), "ten times as much takes more than 30 times as long");
}
