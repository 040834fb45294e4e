//! T5: a program is debugged while its derivative is computed.

use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_debugger::{Command, DebugError, Derivative, Reason, Session, Source, Stop, Sweep};
use overdub_lower::Loaded;

const SOURCE: &str = "\
fn scaled(a: f64, b: f64) -> f64 {
    let p = a * b;
    p.sin()
}

struct Sums {
    total: f64,
    count: usize,
}

impl Sums {
    fn add(&mut self, x: f64) {
        self.total += x * x;
        self.count += 1;
    }
}

fn f(xs: &[f64]) -> f64 {
    let mut sums = Sums { total: 0.5, count: 0 };
    for x in xs {
        let h = scaled(*x, 2.0);
        if h > 0.0 {
            sums.add(h);
        }
    }
    let root = sums.total.sqrt();
    root
}

fn power(x: f64, n: usize) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let rest = power(x, n - 1);
    x * rest
}

fn sorted(xs: &[f64]) -> f64 {
    let mut ys: Vec<f64> = xs.iter().map(|x| x * x).collect();
    ys.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mut sum = 0.0;
    for (i, y) in ys.iter().enumerate() {
        sum += y * (i as f64);
    }
    sum
}
";

fn loaded() -> (Source, Loaded) {
    let source = Source::text("f.rs", SOURCE);
    let loaded = Loaded::with_debug_info(source.program("").expect("it is Rust"));
    (source, loaded)
}

fn session(func: &str, args: Vec<Value<'static>>, derivative: Derivative) -> Session {
    let (source, loaded) = loaded();
    let function = loaded.function(func).expect("it is there");
    Session::differentiating(&source, loaded, function, args, derivative).expect("it has a derivative")
}

fn xs() -> Vec<Value<'static>> {
    vec![Value::floats(vec![0.25, -0.75, 1.25])]
}

/// The gradient by a recording outside of the debugger.
fn gradient(func: &str, args: Vec<Value<'static>>) -> Vec<f64> {
    let (_, loaded) = loaded();
    let symbol = loaded.function(func).expect("it is there").symbol;
    let recorded = overdub_ad::tape::record(&loaded.engine(), symbol, args).expect("it runs");
    recorded.pullback.pull(&[1.0]).expect("it returns a float").iter().flat_map(floats).collect()
}

fn ended(stop: &Stop) -> Option<Vec<f64>> {
    match &stop.reason {
        Reason::Differentiated { derivative, .. } => Some(derivative.iter().flat_map(floats).collect()),
        _ => None,
    }
}

fn line_and_sweep(stop: &Stop) -> (u32, Sweep) {
    (stop.span.line, stop.sweep.expect("a derivative is debugged"))
}

#[test]
fn breakpoints_stop_in_the_forward_and_in_the_reverse_sweep() {
    let mut session = session("f", xs(), Derivative::Gradient);
    for line in [3, 13, 26] {
        session.break_at_line("f.rs", line).expect("it has code");
    }
    let mut stops = Vec::new();
    let last = loop {
        let stop = session.run(Command::Continue).expect("it goes on");
        if let Some(gradient) = ended(&stop) {
            break gradient;
        }
        stops.push(line_and_sweep(&stop));
    };
    // The second element is not added.
    let lines = [3, 13, 3, 3, 13, 26];
    let forward = lines.map(|line| (line, Sweep::Forward));
    let mut reverse = lines.map(|line| (line, Sweep::Reverse));
    reverse.reverse();
    assert_eq!(stops, [forward, reverse].concat());
    assert_eq!(last, gradient("f", xs()));
}

#[test]
fn the_reverse_sweep_shows_what_has_been_propagated() {
    let mut session = session("f", xs(), Derivative::Gradient);
    session.break_at_line("f.rs", 27).expect("it has code");
    session.break_at_line("f.rs", 21).expect("it has code");
    assert_eq!(line_and_sweep(&session.run(Command::Continue).expect("it stops")), (21, Sweep::Forward));
    let before = session.variables(0).expect("it stands");
    assert!(before.iter().all(|variable| variable.cotangent.is_none() && variable.tangent.is_none()));
    while line_and_sweep(&session.run(Command::Continue).expect("it stops")) != (27, Sweep::Reverse) {}
    let cotangent = |session: &Session, name: &str| {
        let variables = session.variables(0).expect("it stands");
        let variable =
            variables.into_iter().find(|variable| &*variable.name == name).expect("it has a value");
        floats(&variable.cotangent.expect("it is the reverse sweep"))
    };
    // At the return of `root`: its seed.
    assert_eq!(cotangent(&session, "root"), [1.0]);
    // The last iteration has been reversed, the earlier ones have not.
    session.run(Command::Continue).expect("it stops");
    let expected = gradient("f", xs());
    assert_eq!(cotangent(&session, "x"), [expected[2]]);
    assert_eq!(cotangent(&session, "xs"), [0.0, 0.0, expected[2]]);
    // The derivative of the root by the total, at the end.
    let total = 0.5 + (0.5_f64).sin().powi(2) + (2.5_f64).sin().powi(2);
    let sums = cotangent(&session, "sums");
    assert!((sums[0] - 0.5 / total.sqrt()).abs() < 1e-15, "{sums:?}");
    for _ in 0..2 {
        session.run(Command::Continue).expect("it stops");
    }
    assert_eq!(cotangent(&session, "xs"), expected);
}

#[test]
fn tangents_stand_beside_the_values_of_variables() {
    let mut session = session("f", xs(), Derivative::Jvp(vec![1.0, 0.0, -2.0]));
    session.break_at_line("f.rs", 3).expect("it has code");
    let mut seen = Vec::new();
    let last = loop {
        let stop = session.run(Command::Continue).expect("it goes on");
        if let Some(tangent) = ended(&stop) {
            break tangent;
        }
        let p = session.variables(0).expect("it stands").pop().expect("`p` is the last");
        seen.extend(floats(&p.value).into_iter().zip(floats(&p.tangent.expect("one is asked for"))));
    };
    assert_eq!(seen, [(0.5, 2.0), (-1.5, 0.0), (2.5, -4.0)]);
    let gradient = gradient("f", xs());
    let expected = gradient[0] - 2.0 * gradient[2];
    assert!((last[0] - expected).abs() < 1e-14, "{last:?} is not {expected}");
}

#[test]
fn going_back_and_on_in_both_sweeps_gives_the_same_gradient() {
    let cases = [("f", xs()), ("power", vec![Value::F64(1.5), Value::from(4_usize)]), ("sorted", xs())];
    for (func, args) in cases {
        let expected = gradient(func, args.clone());
        let mut session = session(func, args, Derivative::Gradient);
        let mut found = None;
        // Two statements forward, one back.
        for at in 0.. {
            let command = if at % 3 == 2 { Command::Back } else { Command::Step };
            let stop = session.run(command).expect("it goes on");
            found = ended(&stop);
            if found.is_some() {
                break;
            }
        }
        assert_eq!(found, Some(expected), "{func}");
    }
}

#[test]
fn nothing_is_changed_while_a_derivative_is_debugged() {
    let mut session = session("power", vec![Value::F64(1.5), Value::from(2_usize)], Derivative::Gradient);
    session.run(Command::Step).expect("it goes on");
    assert!(matches!(session.set(0, "x", "2.0"), Err(DebugError::Differentiated)));
    let value = session.evaluate(0, "x * 2.0").expect("it is Rust");
    assert_eq!(value.as_f64(), Some(3.0));
}

#[test]
fn what_has_no_derivative_is_refused() {
    let (source, loaded) = loaded();
    let function = loaded.function("power").expect("it is there");
    let args = vec![Value::F64(1.5), Value::from(2_usize)];
    let refused = Session::differentiating(&source, loaded, function, args, Derivative::Jvp(vec![1.0, 2.0]));
    let message = refused.expect_err("there is one float").to_string();
    assert_eq!(message, "the arguments of `power` hold 1 floats, the direction has 2");
    let source = Source::text("g.rs", "fn g(x: f64) -> usize { x as usize }");
    let loaded = Loaded::with_debug_info(source.program("").expect("it is Rust"));
    let function = loaded.function("g").expect("it is there");
    let refused =
        Session::differentiating(&source, loaded, function, vec![Value::F64(1.5)], Derivative::Gradient);
    assert!(refused.is_err_and(|error| error.to_string().contains("it has no gradient")));
}

const LONG: &str = "\
fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        let z = y.sin() + (i as f64) * 0.001;
        y = z * 0.9;
    }
    y
}";

#[test]
fn moments_beyond_many_snapshots_have_the_tape_that_they_had() {
    let args = || vec![Value::F64(0.5), Value::from(30_000_usize)];
    let source = Source::text("f.rs", LONG);
    let session_of = |derivative: Derivative| {
        let loaded = Loaded::with_debug_info(source.program("").expect("it is Rust"));
        let function = loaded.function("f").expect("it is there");
        Session::differentiating(&source, loaded, function, args(), derivative).expect("it has one")
    };
    let loaded = Loaded::from_source("f.rs", LONG).expect("it is Rust");
    let recorded =
        overdub_ad::tape::record(&loaded.engine(), loaded.function("f").expect("it is there").symbol, args());
    let expected = recorded.and_then(|run| run.pullback.pull(&[1.0])).expect("it runs");
    let tangent = |session: &Session| {
        let z = session.variables(0).expect("it stands").into_iter().find(|variable| &*variable.name == "z");
        floats(&z.and_then(|z| z.tangent).expect("it has a tangent"))
    };

    let mut session = session_of(Derivative::Jvp(vec![1.0]));
    session.break_at_line("f.rs", 5).expect("there is code");
    session.breakpoint_mut(1).expect("it is there").set_condition("i == 20_000");
    let late = session.run(Command::Continue).expect("it stops");
    assert!(session.history().snapshots > 3, "{:?}", session.history());
    let after = tangent(&session);
    // A search that finds no place to stop leaves the run where it is.
    session.last_at_line("f.rs", 2).expect("it was there").expect("it was there");
    assert_eq!(tangent(&session), after);
    // Back to the beginning, and forward over snapshots.
    session.run(Command::Goto(100)).expect("it was there");
    session.run(Command::Goto(late.moment)).expect("it was there");
    assert_eq!(tangent(&session), after);
    let end = session.run(Command::Continue).expect("it goes on");
    let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let expected: Vec<f64> = expected.iter().flat_map(floats).collect();
    let found = ended(&end).expect("it has ended");
    assert!((found[0] - expected[0]).abs() <= 1e-12 * expected[0].abs(), "{found:?} is not {expected:?}");

    let mut session = session_of(Derivative::Gradient);
    session.break_at_line("f.rs", 5).expect("there is code");
    session.breakpoint_mut(1).expect("it is there").set_condition("i == 20_000");
    session.run(Command::Continue).expect("it stops");
    session.run(Command::Goto(100)).expect("it was there");
    session.run(Command::Goto(late.moment)).expect("it was there");
    session.last_at_line("f.rs", 2).expect("it was there");
    session.delete(1).expect("it is there");
    let end = session.run(Command::Continue).expect("it goes on");
    assert_eq!(bits(&ended(&end).expect("it has ended")), bits(&expected));
}
