//! Breakpoints, stepping, variables.

use overdub_context::value::Value;
use overdub_debugger::{COMMANDS, Command, DebugError, HitCondition, Reason, Script, Session, Source, show};

use crate::support::{end, plain, printed, session, shown, stopped_in, stops};

const EG: &str = "
fn eg1() -> f64 {
    let a = eg2();
    let b = eg3(a);
    a + b
}
fn eg2() -> f64 {
    let x = eg21();
    let y = x + 1.0;
    let z = y * 2.0;
    z
}
fn eg21() -> f64 {
    let w = 3.0;
    w
}
fn eg3(a: f64) -> f64 {
    a - 1.0
}
";

fn f(x: f64) -> Value<'static> {
    Value::F64(x)
}

#[test]
fn b1_without_a_breakpoint_the_run_never_stops() {
    let mut run = session(EG, "eg1", vec![]);
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Exited(Value::F64(15.0))), "{stop:?}");
}

#[test]
fn b1_breakpoints_on_functions_stop_in_the_order_of_the_calls() {
    let mut run = session(EG, "eg1", vec![]);
    run.break_at_function("eg2").expect("it is there");
    assert_eq!(stops(&mut run, &[Command::Continue, Command::Continue]), ["eg2", "-"]);
    let mut run = session(EG, "eg1", vec![]);
    run.break_at_function("eg3").expect("it is there");
    run.break_at_function("eg2").expect("it is there");
    assert_eq!(
        stops(&mut run, &[Command::Continue, Command::Continue, Command::Continue]),
        ["eg2", "eg3", "-"]
    );
}

#[test]
fn b2_a_breakpoint_on_a_line_without_code_binds_to_the_next_that_has_some() {
    let mut run = session(EG, "eg1", vec![]);
    run.break_at_line("f.rs", 7).expect("there is code after it");
    assert!(run.breakpoints()[0].to_string().contains("f.rs:8"), "{}", run.breakpoints()[0]);
    let stop = run.run(Command::Continue).expect("it runs");
    assert_eq!((stop.span.line, stopped_in(&stop).as_str()), (8, "eg2"));
    assert_eq!(shown(&run), "{}");
    assert!(run.break_at_line("f.rs", 100).is_err());
    assert!(run.break_at_line("g.rs", 1).is_err());
}

#[test]
fn b3_steps_go_in_out_and_over() {
    let at_eg2 = || {
        let mut run = session(EG, "eg1", vec![]);
        run.break_at_function("eg2").expect("it is there");
        run
    };
    let mut run = at_eg2();
    assert_eq!(stops(&mut run, &[Command::Continue, Command::Step, Command::Continue]), ["eg2", "eg21", "-"]);
    let mut run = at_eg2();
    assert_eq!(
        stops(&mut run, &[Command::Continue, Command::Finish, Command::Continue]),
        ["eg2", "eg1", "-"]
    );
    let mut run = at_eg2();
    let next = [Command::Continue, Command::Next, Command::Next, Command::Continue];
    assert_eq!(stops(&mut run, &next), ["eg2", "eg2", "eg2", "-"]);
}

#[test]
fn b4_a_stop_at_the_entry_leaves_no_breakpoint_behind() {
    let mut run = session(EG, "eg1", vec![]);
    let stop = run.start().expect("it starts");
    assert!(matches!(stop.reason, Reason::Entry));
    assert_eq!(stopped_in(&stop), "eg1");
    assert!(run.breakpoints().is_empty());
    assert_eq!(stops(&mut run, &[Command::Continue]), ["-"]);
}

#[test]
fn b5_variables_appear_when_they_are_assigned() {
    let text = "fn g(x: i64) -> i64 {
        let z = x * 2; let mut y = z; y -= 9; y *= 7;
        y
    }";
    let mut run = session(text, "g", vec![Value::from(5_i64)]);
    let mut seen = vec![];
    run.start().expect("it starts");
    for _ in 0..5 {
        seen.push(shown(&run));
        run.run(Command::Next).expect("it steps");
    }
    assert_eq!(
        seen,
        ["{x: 5}", "{x: 5, z: 10}", "{x: 5, z: 10, y: 10}", "{x: 5, z: 10, y: 1}", "{x: 5, z: 10, y: 7}"]
    );
}

#[test]
fn b6_abort_is_an_error_and_failures_stop_before_they_unwind() {
    let mut run = session(EG, "eg1", vec![]);
    run.start().expect("it starts");
    let stop = run.run(Command::Abort).expect("it aborts");
    assert!(matches!(&stop.reason, Reason::Failed(failure) if failure.report().message == "aborted"));
    assert!(run.run(Command::Continue).is_err());

    let text =
        "fn h(n: usize) -> f64 {\n    let xs = vec![1.0, 2.0];\n    let k = n + 1;\n    xs[k] + 1.0\n}";
    let mut run = session(text, "h", vec![Value::from(4_usize)]);
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Failure(_)), "{stop:?}");
    assert_eq!(stop.span.line, 4);
    assert_eq!(shown(&run), "{n: 4, xs: [1.0, 2.0], k: 5}");
    let ended = end(&mut run);
    assert_eq!(ended, plain(text, "h", vec![Value::from(4_usize)]));
    assert!(ended.is_err());
}

#[test]
fn b7_an_assignment_in_the_debugger_is_seen_by_the_rest_of_the_run() {
    let text = "struct P { x: f64, y: f64 }
fn g(n: i64) -> f64 {
    let mut s = 1.0;
    let t = s;
    let mut xs = vec![1.0, 2.0];
    let mut p = P { x: 1.0, y: 2.0 };
    let scale = 2.0;
    p.x += 1.0;
    xs[0] += 1.0;
    s += xs[0] * scale + p.x + p.y;
    s * 1000.0 + t
}";
    let mut run = session(text, "g", vec![Value::from(1_i64)]);
    run.break_at_line("f.rs", 8).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    run.set(0, "s", "10.0").expect("it is set");
    run.set(0, "xs[0]", "100.0").expect("it is set");
    run.set(0, "p.y", "7.0 + t").expect("it is set");
    run.set(0, "scale", "3.0").expect("it is set");
    // s = 10 + 101·3 + 2 + 8, and `t` is a variable of its own.
    assert_eq!(end(&mut run), Ok(format!("{:?}", f(323_001.0))));
}

#[test]
fn b8_breakpoints_in_branches_closures_chains_and_instances() {
    let text = "
fn twice<T: Copy + std::ops::Add<Output = T>>(x: T) -> T {
    x + x
}
fn g(n: usize) -> f64 {
    let mut count = 0.0;
    let mut bump = |d: f64| {
        let before = count;
        count = before + d;
    };
    if n > 1 {
        let inner = 2.0;
        bump(inner);
    }
    let k = twice(3_i64);
    let squares: Vec<f64> = (0..n).map(|i| {
        let v = i as f64;
        v * v
    }).collect();
    squares.iter().sum::<f64>() + count + twice(0.5) + k as f64
}";
    let args = || vec![Value::from(3_usize)];
    let mut run = session(text, "g", args());
    for line in [9, 12, 18, 3] {
        run.break_at_line("f.rs", line).expect("there is code");
    }
    let mut seen = vec![];
    loop {
        let stop = run.run(Command::Continue).expect("it runs");
        if let Reason::Exited(value) = stop.reason {
            assert_eq!(Ok(format!("{value:?}")), plain(text, "g", args()));
            break;
        }
        seen.push(format!("{} {}", stop.span.line, shown(&run)));
    }
    assert_eq!(seen.len(), 7, "{seen:#?}");
    assert!(seen[0].starts_with("12 {n: 3"), "{seen:#?}");
    assert!(seen[1].contains("d: 2.0, before: 0.0"), "{seen:#?}");
    assert_eq!(seen[2], "3 {x: 3}");
    assert!(seen[5].contains("i: 2, v: 2.0"), "{seen:#?}");
    let mut run = session(text, "g", args());
    run.break_at_function("twice<f64>").expect("the instance is there");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(shown(&run), "{x: 0.5}");
}

const SUM: &str = "
fn sum(n: usize) -> f64 {
    let mut s = 0.0;
    let mut i = 0;
    while i < n {
        s += i as f64;
        i += 1;
    }
    s
}";

#[test]
fn b10_conditions_hit_counts_and_logpoints() {
    let args = || vec![Value::from(50_usize)];
    let mut run = session(SUM, "sum", args());
    let id = run.break_at_line("f.rs", 7).expect("there is code");
    run.breakpoint_mut(id).expect("it is there").set_condition("i == 41 && !s.is_nan()");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(run.evaluate(0, "i").expect("it is there").as_index(), Some(41));
    assert_eq!(stops(&mut run, &[Command::Continue]), ["-"]);

    let mut run = session(SUM, "sum", args());
    let id = run.break_at_line("f.rs", 7).expect("there is code");
    let every = HitCondition::parse("% 20 == 0").expect("it is a hit condition");
    run.breakpoint_mut(id).expect("it is there").set_hits(every);
    let mut at = vec![];
    while run.run(Command::Continue).expect("it runs").function.is_some() {
        at.push(run.evaluate(0, "i").expect("it is there").as_index());
    }
    assert_eq!(at, [Some(19), Some(39)]);

    let mut run = session(SUM, "sum", vec![Value::from(3_usize)]);
    let id = run.break_at_line("f.rs", 7).expect("there is code");
    run.breakpoint_mut(id).expect("it is there").log = Some("i = {i}, sum = {s * 2.0}".to_owned());
    assert_eq!(stops(&mut run, &[Command::Continue]), ["-"]);
    assert_eq!(run.take_logs(), ["i = 0, sum = 0.0", "i = 1, sum = 2.0", "i = 2, sum = 6.0"]);

    let mut run = session(SUM, "sum", args());
    let id = run.break_at_line("f.rs", 7).expect("there is code");
    run.breakpoint_mut(id).expect("it is there").set_condition("nothing > 3");
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Condition { .. }), "{stop:?}");
}

#[test]
fn b11_data_breakpoints_stop_when_an_element_changes() {
    let text = "
fn fill(n: usize) -> f64 {
    let mut xs = vec![0.0; 4];
    let mut i = 0;
    while i < n {
        xs[i % 4] += 1.0;
        i += 1;
    }
    xs[2]
}";
    let mut run = session(text, "fill", vec![Value::from(12_usize)]);
    run.break_at_line("f.rs", 5).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    run.delete(1).expect("it is there");
    run.watch(0, "xs[2]").expect("it is there");
    let mut at = vec![];
    loop {
        let stop = run.run(Command::Continue).expect("it runs");
        match stop.reason {
            Reason::Changed { new, .. } => {
                at.push((run.evaluate(0, "i").expect("i").as_index(), new.as_f64()))
            }
            Reason::Exited(_) => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(at, [(Some(2), Some(1.0)), (Some(6), Some(2.0)), (Some(10), Some(3.0))]);
}

#[test]
fn b12_two_runs_in_two_threads_do_not_disturb_each_other() {
    let run = |line: u32| {
        let mut run = session(SUM, "sum", vec![Value::from(20_usize)]);
        run.break_at_line("f.rs", line).expect("there is code");
        let mut count = 0;
        while run.run(Command::Continue).expect("it runs").function.is_some() {
            count += 1;
        }
        count
    };
    let (a, b) = std::thread::scope(|scope| {
        let (a, b) = (scope.spawn(|| run(7)), scope.spawn(|| run(3)));
        (a.join().expect("it ends"), b.join().expect("it ends"))
    });
    assert_eq!((a, b), (20, 1));
}

#[test]
fn what_is_printed_is_printed_once() {
    let text = "fn g() {\n    for i in 0..3 {\n        println!(\"{i}\");\n    }\n}";
    let mut run = session(text, "g", vec![]);
    let text = printed(&mut run);
    run.break_at_line("f.rs", 3).expect("there is code");
    for _ in 0..3 {
        run.run(Command::Continue).expect("it runs");
    }
    for _ in 0..4 {
        run.run(Command::Back).expect("it goes back");
    }
    let _ = end(&mut run);
    assert_eq!(*text.lock().expect("nobody fails with it"), "0\n1\n2\n");
}

#[test]
fn b9_what_is_out_of_focus_is_stepped_over_but_its_breakpoints_and_closures_of_the_focus_are_not() {
    let text = "
mod inner {
    pub fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let first = f(x);
        first + 1.0
    }
}
fn g(x: f64) -> f64 {
    let y = inner::apply(|v| v * 3.0, x);
    y - 1.0
}";
    let mut run = session(text, "g", vec![f(2.0)]);
    run.focus_on(&["g"]);
    run.start().expect("it starts");
    let mut lines = vec![];
    while let Reason::Step = run.run(Command::Step).expect("it steps").reason {
        lines.push(format!("{} {}", run.frames()[0].span.line, shown(&run)));
    }
    assert_eq!(lines, ["9 {v: 2.0}", "10 {x: 2.0, y: 7.0}"]);
    let mut run = session(text, "g", vec![f(2.0)]);
    run.focus_on(&["g"]);
    run.break_at_line("f.rs", 5).expect("there is code");
    run.start().expect("it starts");
    let stop = run.run(Command::Next).expect("it runs");
    assert!(matches!(stop.reason, Reason::Breakpoint(_)), "{stop:?}");
    assert_eq!(stop.span.line, 5);
}

#[test]
fn a_call_begins_again_with_its_arguments() {
    let text =
        "fn h(mut x: f64) -> f64 {\n    x += 1.0;\n    x * 2.0\n}\nfn g() -> f64 {\n    h(3.0) + h(5.0)\n}";
    let mut run = session(text, "g", vec![]);
    let id = run.break_at_line("f.rs", 3).expect("there is code");
    run.breakpoint_mut(id).expect("it is there").set_condition("x == 6.0");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(shown(&run), "{x: 6.0}");
    run.run(Command::RestartFrame(0)).expect("it goes back");
    run.run(Command::Step).expect("it steps");
    assert_eq!(shown(&run), "{x: 5.0}");
    assert_eq!(end(&mut run), plain(text, "g", vec![]));
}

#[test]
fn clocks_give_what_they_gave_when_a_run_is_repeated() {
    let text = "
fn g() -> bool {
    let before = std::time::Instant::now();
    let mut s = 0.0;
    let elapsed = before.elapsed().as_nanos();
    s += elapsed as f64;
    s > 0.0
}";
    let mut run = session(text, "g", vec![]);
    run.break_at_line("f.rs", 6).expect("there is code");
    run.run(Command::Continue).expect("it runs");
    let first = shown(&run);
    run.run(Command::Goto(0)).expect("it goes back");
    run.run(Command::Continue).expect("it runs");
    assert_eq!(shown(&run), first);
}

#[test]
fn each_command_of_help_is_one() {
    let source = Source::text("f.rs", "fn f(x: f64) -> f64 {\n    x + 1.0\n}");
    for word in COMMANDS.iter().flat_map(|command| command.words) {
        let session = Session::open(&source, "f", vec![Value::F64(3.0)]).expect("it is there");
        let answer = Script::new(session).line(word);
        let error = answer.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!error.contains("there is no command"), "{error}");
    }
}

#[test]
fn what_can_be_written_completes_a_line() {
    let source = Source::text(
        "f.rs",
        "fn f(length: f64) -> f64 {\n    let least = g(length);\n    least\n}\nfn g(x: f64) -> f64 { x }",
    );
    let session = Session::open(&source, "f", vec![Value::F64(3.0)]).expect("it is there");
    let mut script = Script::new(session);
    script.line("break f.rs:3").and_then(|_| script.line("run")).expect("it stops");
    assert_eq!(
        script.complete("rev"),
        (0, ["reverse-continue", "reverse-finish", "reverse-next"].map(str::to_owned).to_vec())
    );
    assert_eq!(script.complete("print 2.0 * l"), (12, ["least", "length"].map(str::to_owned).to_vec()));
    assert_eq!(script.complete("break "), (6, ["f", "f.rs", "g"].map(str::to_owned).to_vec()));
    assert_eq!(script.complete("catch i"), (6, vec!["inf".to_owned()]));
    assert_eq!(script.complete("nonsense x"), (9, vec![]));
}

#[test]
fn each_evaluation_of_the_head_of_a_loop_is_a_stop_on_its_line() {
    let text = "fn f(n: usize) -> usize {
    let mut s = 0;
    while s < n {
        s += 1;
    }
    for i in 0..n {
        if i == 1 {
            continue;
        }
        s += i;
    }
    let mut left = Some(2);
    while let Some(k) = left {
        left = if k > 0 { Some(k - 1) } else { None };
    }
    loop {
        s += 1;
        if s > n {
            break;
        }
    }
    s
}";
    let mut run = session(text, "f", vec![Value::from(2_usize)]);
    let mut lines = vec![run.start().expect("it starts").span.line];
    loop {
        let stop = run.run(Command::Step).expect("it steps");
        if !matches!(stop.reason, Reason::Step) {
            break;
        }
        lines.push(stop.span.line);
    }
    let expected = [
        &[2, 3, 4, 3, 4, 3][..],
        &[6, 7, 10, 6, 7, 8, 6],
        // Both the assignment and the branch that is taken in it are statements.
        &[12, 13, 14, 14, 13, 14, 14, 13, 14, 14, 13],
        &[16, 17, 18, 22],
    ];
    assert_eq!(lines, expected.concat());
    let tail = "fn f(n: usize) {\n    let mut s = 0;\n    for i in 0..n {\n        s += i;\n    }\n}";
    let mut run = session(tail, "f", vec![Value::from(1_usize)]);
    let lines: Vec<u32> = (0..4).map(|_| run.run(Command::Step).expect("it steps").span.line).collect();
    assert_eq!(lines, [2, 3, 4, 3]);
    let mut run = session(text, "f", vec![Value::from(2_usize)]);
    run.break_at_line("f.rs", 6).expect("there is code");
    for seen in ["{n: 2, s: 2}", "{n: 2, s: 2}", "{n: 2, s: 2}"] {
        run.run(Command::Continue).expect("it runs");
        assert_eq!(shown(&run), seen);
    }
    let stop = run.run(Command::Continue).expect("it runs");
    assert!(matches!(stop.reason, Reason::Exited(_)));
}

#[test]
fn what_is_moved_in_part_or_into_the_open_call_is_shown_as_far_as_it_is_there() {
    let text = "struct P { name: String, xs: Vec<f64>, n: usize }
fn total(xs: Vec<f64>) -> f64 {
    let s: f64 = xs.iter().sum();
    s
}
fn grow(p: &mut P) {
    p.n += 1;
}
fn f(n: usize) -> f64 {
    let p = P { name: \"p\".to_owned(), xs: vec![1.0, 2.0], n };
    let name = p.name;
    let pair = (vec![1.0], Some(name));
    let t = total(p.xs) + p.n as f64;
    if let (xs, Some(name)) = pair {
        let u = xs.len() + name.len();
        let mut q = P { name, xs, n: u };
        grow(&mut q);
        let v = q.xs;
        return t + total(v) + q.n as f64;
    }
    t
}";
    let mut run = session(text, "f", vec![Value::from(7_usize)]);
    let mut at = |line: u32| {
        let id = run.break_at_line("f.rs", line).expect("there is code");
        run.run(Command::Continue).expect("it runs");
        run.delete(id).expect("it is there");
        let seen = shown(&run);
        let outer = run.variables(1).unwrap_or_default();
        let outer: Vec<String> = outer.iter().map(|of| format!("{}: {}", of.name, show(&of.value))).collect();
        (seen, outer.join(", "))
    };
    let p = "P { name: <moved>, xs: [1.0, 2.0], n: 7 }";
    assert_eq!(at(12).0, format!("{{n: 7, p: {p}, name: \"p\"}}"));
    let p = "P { name: <moved>, xs: <moved>, n: 7 }";
    let pair = "([1.0], Some(\"p\"))";
    let (inner, outer) = at(3);
    assert_eq!(inner, "{xs: [1.0, 2.0]}");
    assert_eq!(outer, format!("n: 7, p: {p}, pair: {pair}").replace("xs: <moved>", "xs: [1.0, 2.0]"));
    assert_eq!(at(14).0, format!("{{n: 7, p: {p}, pair: {pair}, t: 10.0}}"));
    let (inner, outer) = at(7);
    assert_eq!(inner, "{p: P { name: \"p\", xs: [1.0], n: 2 }}");
    assert!(outer.ends_with("u: 2, q: <moved into the open call>"), "{outer}");
    let q = "q: P { name: \"p\", xs: <moved>, n: 3 }, v: [1.0]";
    assert!(at(19).0.ends_with(&format!("u: 2, {q}}}")));
    let (_, outer) = at(3);
    assert!(outer.ends_with(&q.replace("[1.0]", "<moved into the open call>")), "{outer}");
    // A variable without a value cannot be read or changed, and a watchpoint does not report it as a change.
    assert!(run.evaluate(1, "v.len()").is_err());
    assert!(matches!(run.set(1, "v", "vec![2.0]"), Err(DebugError::Moved(name)) if name == "v"));
    assert!(matches!(run.place(1, "q.xs"), Err(DebugError::NoVariable(_))));
    assert!(run.evaluate(1, "q.n + 1").is_ok_and(|n| n.as_index() == Some(4)));
}
