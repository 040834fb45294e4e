//! The cost of debugging: a run under the debugger compared with the interpreter and machine code, the memory
//! of its history, and the time of a step back in it.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use overdub_benches::{Row, compare, print, write_json};
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::value::Value;
use overdub_debugger::{Command, Derivative, Reason, Session, Source, Stop};
use overdub_lower::Loaded;
use overdub_native::Native;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// A recurrence in a function of its own, which a loop calls and whose results are stored.
const PROGRAM: &str = "
pub fn run(n: usize) -> f64 {
    let mut kept = vec![0.0; 64];
    let mut x = 0.5;
    for i in 0..n {
        x = next(x);
        kept[i % 64] = x;
    }
    let mut sum = 0.0;
    for y in &kept {
        sum += y;
    }
    sum
}

fn next(x: f64) -> f64 {
    let y = 3.7 * x * (1.0 - x);
    if y > 2.0 {
        return never(y);
    }
    y.sin() * 0.5 + 0.25
}

fn never(y: f64) -> f64 {
    y
}
";

fn session(n: usize) -> Fallible<Session> {
    Ok(Session::open(&Source::text("run.rs", PROGRAM), "run", vec![Value::from(n)])?)
}

/// As [`debugged`], with machine code for calls in which nothing stops.
fn by_machine_code(n: usize, native: &Native) -> Fallible<Stop> {
    let mut session = session(n)?;
    session.delegate_to(Arc::new(native.clone()));
    Ok(session.run(Command::Continue)?)
}

/// A program that prints, and is therefore interpreted; its callees are not, as long as nothing stops in
/// them.
const CALLER: &str = "
pub fn caller(n: usize) -> f64 {
    let mut sum = 0.0;
    for part in 0..10 {
        sum += run(n / 10);
    }
    println!(\"{sum}\");
    sum
}
";

/// Stops at the line that prints, after the loop.
fn stepped_over(n: usize, native: &Native) -> Fallible<Session> {
    let text = format!("{PROGRAM}{CALLER}");
    let line = text.lines().position(|line| line.contains("println")).ok_or("it prints")? + 1;
    let mut session = Session::open(&Source::text("run.rs", &text), "caller", vec![Value::from(n)])?;
    session.delegate_to(Arc::new(native.clone()));
    session.break_at_line("run.rs", u32::try_from(line)?)?;
    let stop = session.run(Command::Continue)?;
    assert!(matches!(stop.reason, Reason::Breakpoint(1)), "{stop:?}");
    Ok(session)
}

/// Debugging with machine code, compared with machine code. The time includes opening a session and
/// compiling, some 10 ms.
fn by_native() -> Fallible<Vec<Row>> {
    let n = 20_000_000;
    let loaded = Loaded::from_source("run.rs", PROGRAM)?;
    let (module, run) = (loaded.shared_module(), loaded.function("run")?.symbol);
    let native = Native::new();
    let plain = native.run(&module, run, vec![Value::from(n)])?;
    let stop = by_machine_code(n, &native)?;
    assert!(matches!(&stop.reason, Reason::Exited(value) if value.same(&plain)), "{stop:?}");
    let by_hand = |n: usize| black_box(native.run(&module, run, vec![Value::from(n)]).is_ok());
    let few = 200_000;
    Ok(vec![
        compare("no breakpoint", n as f64, || by_machine_code(n, &native).is_ok(), || by_hand(n)),
        compare(
            "a breakpoint in the caller",
            n as f64,
            || stepped_over(n, &native).is_ok(),
            || (0..10).all(|_| by_hand(n / 10)),
        ),
        compare(
            "no breakpoint, all interpreted",
            few as f64,
            || debugged(few, None).is_ok(),
            || by_hand(few),
        ),
    ])
}

/// Runs to the end; a breakpoint, if there is one, is not reached.
fn debugged(n: usize, breakpoint: Option<&str>) -> Fallible<Stop> {
    let mut session = session(n)?;
    if let Some(function) = breakpoint {
        session.break_at_function(function)?;
    }
    Ok(session.run(Command::Continue)?)
}

/// As [`debugged`], with the initial `x` as an argument, and with its gradient.
fn differentiated(n: usize) -> Fallible<Stop> {
    let text = PROGRAM.replace("run(n: usize)", "run(x: f64, n: usize)").replace("mut x = 0.5", "mut x = x");
    let source = Source::text("run.rs", &text);
    let loaded = Loaded::with_debug_info(source.program("")?);
    let function = loaded.function("run")?;
    let args = vec![Value::F64(0.5), Value::from(n)];
    let mut session = Session::differentiating(&source, loaded, function, args, Derivative::Gradient)?;
    Ok(session.run(Command::Continue)?)
}

/// Measures steps back from the end of a long run, and the memory of its history.
fn backwards() -> Fallible<()> {
    let mut session = session(400_000)?;
    session.break_at_line("run.rs", 13)?;
    session.run(Command::Continue)?;
    let moment = session.moment();
    let mut times = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        session.run(Command::Back)?;
        times.push(begin.elapsed());
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let info = session.history();
    println!(
        "\nafter {moment} instructions: a step back takes {:.1} to {:.1} ms;",
        ms(times[0]),
        ms(times[4])
    );
    println!(
        "{} snapshots, {:.3} bytes for each instruction",
        info.snapshots,
        info.bytes as f64 / moment as f64
    );
    Ok(())
}

fn main() -> Fallible<()> {
    // Includes opening a session, some milliseconds.
    let n = 200_000;
    let loaded = Loaded::from_source("run.rs", PROGRAM)?;
    let (module, run) = (loaded.shared_module(), loaded.function("run")?.symbol);
    let args = || vec![Value::from(n)];
    let (interpreting, native) = (Interpreting::new(), Native::new());
    let plain = native.run(&module, run, args())?;
    for stop in [debugged(n, None)?, debugged(n, Some("never"))?] {
        assert!(matches!(&stop.reason, Reason::Exited(value) if value.same(&plain)), "{stop:?}");
    }
    let interpreted = || black_box(interpreting.run(&module, run, args()).is_ok());
    let rows: Vec<Row> = vec![
        compare("no breakpoint", n as f64, || debugged(n, None).is_ok(), interpreted),
        compare(
            "a breakpoint that is not come to",
            n as f64,
            || debugged(n, Some("never")).is_ok(),
            interpreted,
        ),
        compare("the gradient, in both sweeps", n as f64, || differentiated(n).is_ok(), interpreted),
    ];
    print("debugged, against the interpreter", "round", &rows);
    let by_native = by_native()?;
    print("debugged, against machine code", "round", &by_native);
    backwards()?;
    write_json(&[rows, by_native].concat())?;
    Ok(())
}
