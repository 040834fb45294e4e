//! Calls that machine code evaluates: a debugged run is the same with and without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::engine::Executor;
use overdub_context::ir::Module;
use overdub_context::value::Value;
use overdub_context::{Failure, Symbol};
use overdub_debugger::{Command, DebugError, Reason, Session, Stop};
use overdub_native::Native;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::laws::program;
use crate::support::{end, plain, printed, session, shown, stopped_in};

/// Machine code, with a count of its runs.
struct Counting(Native, AtomicUsize);

impl Counting {
    fn new() -> Arc<Counting> {
        Arc::new(Counting(Native::new(), AtomicUsize::new(0)))
    }

    fn runs(&self) -> usize {
        self.1.load(Ordering::Relaxed)
    }
}

impl Executor for Counting {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.run(module, func, args)
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.0.call(module, callee, args)
    }
}

/// A session whose calls run as machine code if possible, and the number of times that they did.
fn elsewhere(text: &str, function: &str, args: Vec<Value<'static>>) -> (Session, Arc<Counting>) {
    let mut session = session(text, function, args);
    let native = Counting::new();
    session.delegate_to(native.clone());
    (session, native)
}

/// All that a user sees of the answer to a command.
fn seen(session: &mut Session, stop: &Result<Stop, DebugError>) -> String {
    let stop = match stop {
        Ok(stop) => stop,
        Err(error) => return error.to_string(),
    };
    let value = match &stop.reason {
        Reason::Exited(value) => format!("{value:?}"),
        Reason::Failure(failure) | Reason::Failed(failure) => failure.to_string(),
        _ => String::new(),
    };
    let (moment, frames) = (session.moment(), session.frames());
    let hits: Vec<usize> = session.breakpoints().iter().map(|point| point.hit_count()).collect();
    let (word, points) = (stop.reason.word(), &stop.breakpoints);
    format!("{word} {value} {} {moment} {points:?} {hits:?} {frames:?} {}", stopped_in(stop), shown(session))
}

#[test]
fn a_walk_is_the_same_whatever_evaluates_the_calls() {
    const LOOPS: &str = "fn helper(x: f64, y: f64) -> f64 {
    let mut z = if x > y { x - y } else { y };
    for k in 0..3 {
        z = inner(z, k);
    }
    z * 0.5
}
fn inner(z: f64, k: usize) -> f64 {
    let mut xs = vec![z; k + 1];
    let mut j = 0;
    while j < k {
        xs[j] = xs[j] * 0.5 + 1.0;
        j += 1;
    }
    xs.sort_by(|x, y| x.total_cmp(y));
    xs.iter().map(|x| x * 0.25).sum()
}
";
    let choices = proptest::collection::vec(0_usize..1000, 60);
    let walk = proptest::collection::vec((0_usize..14, 0_usize..1000), 30);
    let mut runner = TestRunner::new(overdub_context::testing::cases(16));
    let native_runs = AtomicUsize::new(0);
    let law = |(choices, walk): (Vec<usize>, Vec<(usize, usize)>)| {
        let text = program(&choices);
        let short =
            text.find("fn helper").expect("it has a helper")..text.find("fn change").expect("it has both");
        let mut text = text;
        text.replace_range(short, LOOPS);
        let lines = text.lines().count();
        let args = || vec![Value::from(1_usize)];
        let (mut run, native) = elsewhere(&text, "f", args());
        let mut plain = session(&text, "f", args());
        for (choice, number) in walk {
            let line = u32::try_from(1 + number % lines).expect("it is short");
            let session = |session: &mut Session| match choice {
                0 => session.break_at_line("f.rs", line).ok(),
                1 => session.break_at_function(["inner", "helper", "change"][number % 3]).ok(),
                2 => {
                    let ids: Vec<usize> = session.breakpoints().iter().map(|point| point.id).collect();
                    ids.get(number % 4).and_then(|id| session.delete(*id).ok()).map(|()| 0)
                }
                3 => {
                    session.focus_on([&["f"][..], &["inner"], &[]][number % 3]);
                    None
                }
                4 => session.set(0, ["z", "a", "j"][number % 3], "1.0").ok().map(|()| 0),
                _ => Some(usize::MAX),
            };
            let (made, in_plain) = (session(&mut run), session(&mut plain));
            prop_assert_eq!(made, in_plain, "{}", text);
            let moments = plain.history().reached.max(1);
            let command = || match choice {
                5 => Command::Step,
                6 => Command::Next,
                7 => Command::Finish,
                8 => Command::Back,
                9 => Command::ReverseNext,
                10 => Command::ReverseContinue,
                11 => Command::Goto(number as u64 * 7919 % moments),
                _ => Command::Continue,
            };
            if choice > 4 {
                let (stop, in_plain) = (run.run(command()), plain.run(command()));
                let (stop, in_plain) = (seen(&mut run, &stop), seen(&mut plain, &in_plain));
                prop_assert_eq!(stop, in_plain, "{:?} {}", command(), text);
            }
        }
        native_runs.fetch_add(native.runs(), Ordering::Relaxed);
        Ok(())
    };
    runner.run(&(choices, walk), law).unwrap_or_else(|error| panic!("{error}"));
    assert!(native_runs.into_inner() > 20, "nearly nothing ran as machine code");
}

/// `main` prints, so it is interpreted; `work` takes over a million instructions.
const LONG: &str = "fn main(n: u64) -> u64 {
    println!(\"begin\");
    let a = work(n, 1);
    println!(\"a = {a}\");
    let b = work(n, a);
    println!(\"b = {b}\");
    b
}
fn work(n: u64, seed: u64) -> u64 {
    let mut x = seed;
    for i in 0..n {
        x = mix(x, i);
    }
    x
}
fn mix(x: u64, i: u64) -> u64 {
    let y = x.wrapping_mul(6364136223846793005).wrapping_add(i);
    y ^ (y >> 13)
}
";

fn long(n: u64) -> (Session, Arc<Counting>) {
    elsewhere(LONG, "main", vec![Value::from(n)])
}

#[test]
fn what_is_out_of_the_way_runs_as_machine_code_and_moments_are_those_of_the_interpreter() {
    let n = 20_000_u64;
    let (mut run, native) = long(n);
    let output = printed(&mut run);
    run.break_at_line("f.rs", 7).expect("there is code");
    let stop = run.run(Command::Continue).expect("it runs");
    assert_eq!((native.runs(), stop.span.line), (2, 7));
    assert_eq!(output.lock().expect("nobody fails with it").lines().count(), 3);
    let mut interpreted = session(LONG, "main", vec![Value::from(n)]);
    let _output = printed(&mut interpreted);
    interpreted.break_at_line("f.rs", 7).expect("there is code");
    let same = interpreted.run(Command::Continue).expect("it runs");
    assert_eq!((stop.moment, shown(&run)), (same.moment, shown(&interpreted)));
    // Going back steps over the calls.
    let back = run.run(Command::ReverseNext).expect("it goes back");
    assert_eq!((back.span.line, native.runs()), (6, 2));
    run.run(Command::ReverseNext).expect("it goes back");
    let before = run.run(Command::ReverseNext).expect("it goes back");
    assert_eq!(before.span.line, 4);
    // A breakpoint that is set later is hit in a call that ran as machine code, and shows its values.
    run.break_at_line("f.rs", 12).expect("there is code");
    run.breakpoint_mut(2).expect("it is there").set_condition("i == 15_000");
    let hit = run.run(Command::ReverseContinue).expect("it goes back");
    assert_eq!((hit.span.line, run.evaluate(0, "i").ok().and_then(|i| i.as_index())), (12, Some(15_000)));
    let there = shown(&run);
    interpreted.run(Command::Goto(hit.moment)).expect("it was there");
    assert_eq!(shown(&interpreted), there);
    // Stepping enters it, forward as well.
    run.run(Command::Back).expect("it goes back");
    let again = run.run(Command::Continue).expect("it goes on");
    assert_eq!((again.moment, shown(&run)), (hit.moment, there));
    assert_eq!(end(&mut run), end(&mut interpreted));
    assert_eq!(output.lock().expect("nobody fails with it").lines().count(), 3);
}

#[test]
fn a_run_in_which_nothing_stops_is_one_piece_and_can_be_gone_back_into() {
    let args = || vec![Value::from(5_000_u64), Value::from(1_u64)];
    let (mut run, native) = elsewhere(LONG, "work", args());
    let stop = run.run(Command::Continue).expect("it runs");
    let Reason::Exited(value) = stop.reason else { panic!("{stop:?}") };
    assert_eq!((Ok(format!("{value:?}")), native.runs()), (plain(LONG, "work", args()), 1));
    let mut interpreted = session(LONG, "work", args());
    interpreted.run(Command::Continue).expect("it runs");
    let back = run.run(Command::Back).expect("it goes back");
    let same = interpreted.run(Command::Back).expect("it goes back");
    assert_eq!((back.moment, shown(&run)), (same.moment, shown(&interpreted)));
    run.break_at_function("mix").expect("it is there");
    interpreted.break_at_function("mix").expect("it is there");
    for _ in 0..3 {
        let hit = run.run(Command::ReverseContinue).expect("it goes back");
        let same = interpreted.run(Command::ReverseContinue).expect("it goes back");
        assert_eq!((hit.moment, shown(&run)), (same.moment, shown(&interpreted)));
    }
}

#[test]
fn a_failure_in_what_runs_as_machine_code_stops_where_it_is() {
    let text = "fn main(n: usize) -> f64 {
    println!(\"begin\");
    let xs = fill(n);
    sum(&xs, n + 1)
}
fn fill(n: usize) -> Vec<f64> {
    let mut xs = vec![];
    for i in 0..n {
        xs.push(i as f64);
    }
    xs
}
fn sum(xs: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += xs[i];
    }
    s
}
";
    let (mut run, native) = elsewhere(text, "main", vec![Value::from(300_usize)]);
    let _output = printed(&mut run);
    let stop = run.run(Command::Continue).expect("it runs");
    let mut interpreted = session(text, "main", vec![Value::from(300_usize)]);
    let _output = printed(&mut interpreted);
    let same = interpreted.run(Command::Continue).expect("it runs");
    assert!(native.runs() >= 2);
    let (Reason::Failure(failure), Reason::Failure(expected)) = (&stop.reason, &same.reason) else {
        panic!("{stop:?}");
    };
    assert_eq!(failure.to_string(), expected.to_string());
    assert_eq!((stop.span, stop.moment, shown(&run)), (same.span, same.moment, shown(&interpreted)));
    assert_eq!(end(&mut run), end(&mut interpreted));
}

#[test]
fn a_recursion_without_end_fails_as_it_does_when_it_is_interpreted() {
    let text = "fn main(n: u64) -> u64 {
    println!(\"begin\");
    deep(n)
}
fn deep(n: u64) -> u64 {
    if n == 0 {
        0
    } else {
        1 + deep(n - 1)
    }
}
";
    let (mut run, native) = elsewhere(text, "main", vec![Value::from(1_000_000_u64)]);
    let _output = printed(&mut run);
    let stop = run.run(Command::Continue).expect("it runs");
    let mut interpreted = session(text, "main", vec![Value::from(1_000_000_u64)]);
    let _output = printed(&mut interpreted);
    let same = interpreted.run(Command::Continue).expect("it runs");
    assert!(native.runs() < 5 && matches!(stop.reason, Reason::Failure(_)), "{stop:?}");
    assert_eq!((stop.moment, stop.span, run.depth()), (same.moment, same.span, interpreted.depth()));
}

#[test]
fn what_runs_as_machine_code_can_be_paused_and_is_interpreted_then() {
    let text = "fn main() -> u64 {
    let mut x = 1;
    loop {
        x = next(x);
        if x == 0 {
            return x;
        }
    }
}
fn next(x: u64) -> u64 {
    (x * 3 + 1) % 1_000_003 + 1
}
";
    let (mut run, native) = elsewhere(text, "main", vec![]);
    let flag = run.interrupter();
    let pausing = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        flag.store(true, Ordering::Relaxed);
    });
    let stop = run.run(Command::Continue).expect("it runs");
    pausing.join().expect("it does not fail");
    assert!(matches!(stop.reason, Reason::Interrupted), "{stop:?}");
    assert_eq!((native.runs(), stop.moment), (1, 0));
    // Now the user wants to see its position.
    run.interrupter().store(true, Ordering::Relaxed);
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Interrupted) && stop.moment > 0, "{stop:?}");
    assert_eq!(native.runs(), 1);
}

#[test]
fn what_is_not_of_its_arguments_alone_is_interpreted() {
    let text = "use std::cell::{Cell, RefCell};
use std::rc::Rc;
thread_local! { static SEEN: Cell<u64> = const { Cell::new(0) }; }
fn main(n: u64) -> u64 {
    let shared = Rc::new(RefCell::new(0));
    count(n, &shared);
    tell(n);
    remember(n);
    let called = apply(n, &|x| x + 1);
    let found = *shared.borrow();
    found + called + SEEN.with(|seen| seen.get())
}
fn count(n: u64, shared: &Rc<RefCell<u64>>) {
    for i in 0..n { *shared.borrow_mut() += i; }
}
fn tell(n: u64) {
    for i in 0..n { println!(\"{i}\"); }
}
fn remember(n: u64) {
    for i in 0..n { SEEN.with(|seen| seen.set(seen.get() + i)); }
}
fn apply(n: u64, f: &dyn Fn(u64) -> u64) -> u64 {
    let mut s = 0;
    for i in 0..n { s += f(i); }
    s
}
";
    let (mut run, native) = elsewhere(text, "main", vec![Value::from(20_u64)]);
    let output = printed(&mut run);
    run.break_at_line("f.rs", 10).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(native.runs(), 0);
    assert_eq!(output.lock().expect("nobody fails with it").lines().count(), 20);
    assert_eq!(end(&mut run), plain(text, "main", vec![Value::from(20_u64)]));
}
