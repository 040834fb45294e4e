//! Failures as results: an exported function returns the interpreter's failure, and never panics.

mod compiled;

use std::path::Path;
use std::process::Command;

use overdub_context::Failure;
use overdub_context::value::Value;
use overdub_export::{Derivative, Export, Failures, Library, Printed};
use overdub_lower::Loaded;

use compiled::{libm, outcomes};

/// A failure as the text shows it: the message, and the line of the program.
fn shown(failure: &Failure, file: &str) -> (String, String) {
    let report = failure.report();
    let spans = [report.span].into_iter().chain(report.stack.iter().map(|entry| entry.span));
    let line = spans.filter(|span| &*span.file == file).map(|span| span.line).next();
    (report.message.clone(), line.map(|line| format!("{file}:{line}:")).unwrap_or_default())
}

/// Asserts that the text of an `Err` is a message, the place, and nothing else: a panic would say more.
fn assert_failure(text: &str, (message, line): &(String, String), context: &str) {
    let place = text.strip_prefix(message.as_str()).and_then(|rest| rest.strip_prefix(", "));
    let place = place.unwrap_or_else(|| panic!("`{text}` is not `{message}`\n{context}"));
    assert!(place.starts_with(line.as_str()) && place.trim_end().lines().count() == 1, "{text}\n{context}");
}

/// `rustc FILE.rs` compiles as the oldest edition, in which a panic with a text alone does not put values into it.
#[test]
fn messages_have_their_values_in_all_editions() {
    let loaded =
        Loaded::from_source("f.rs", "pub fn f(x: &[f64], n: usize) -> f64 { x[n] }").expect("well formed");
    let engine = loaded.engine();
    let f = loaded.function("f").expect("it is there").symbol;
    let ty = overdub_context::ir::Ty::array(overdub_context::ir::Ty::f64(), 1);
    let args = vec![(Value::floats(vec![1.0]), ty), (Value::from(3_usize), overdub_context::ir::Ty::usize())];
    let export = Export::new(&engine).function(f, "f", "").with_main(args, Printed::Debug);
    let text = export.rust().expect("it is exported");
    for edition in ["2015", "2018", "2021", "2024"] {
        let said = run_in_edition(&text, edition);
        assert!(said.contains("the len is 1 but the index is 3, f.rs:1:"), "{edition}: {said}");
        assert!(!said.contains("warning"), "{edition}: {said}");
    }
}

/// What the compiler of a program in an edition, and then the program, say on their standard error.
fn run_in_edition(text: &str, edition: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("edition_{edition}"));
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let (source, binary) = (folder.join("main.rs"), folder.join("main"));
    std::fs::write(&source, text).expect("the program can be written");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    let compiled =
        rustc.args(["--edition", edition, "-o"]).arg(&binary).arg(&source).output().expect("rustc runs");
    let run = Command::new(&binary).output().expect("it was compiled");
    format!("{}{}", String::from_utf8_lossy(&compiled.stderr), String::from_utf8_lossy(&run.stderr))
}

/// Bodies of `f(x: &[f64], n: usize, text: &str) -> f64`, each with inputs of which some fail.
const BODIES: &[&str] = &[
    // What rustc checks.
    "x[n]",
    "let mut v = x.to_vec(); v[n] = 1.0; v[0]",
    "x[n..].iter().sum::<f64>() + x[..n].len() as f64 + x[1..n].len() as f64",
    "(n as u8 * 100) as f64",
    "(n - 1) as f64",
    "(7 / n + 7 % n) as f64",
    "(-7_i64).div_euclid(n as i64 - 1) as f64 + (-7_i64).rem_euclid(n as i64 - 2) as f64",
    "((i64::MIN + n as i64) / (n as i64 - 1)) as f64",
    "(1_u32 << (n as u32 * 8)) as f64 + (i64::MIN + n as i64).abs() as f64 + (-(i32::MIN + n as i32)) as f64",
    "(n as u32).pow(31) as f64",
    // What the program and the library check.
    "if n == 1 { panic!(\"no {n} in {text}\") } x[0]",
    "assert!(n > 1, \"too few\"); assert_ne!(n, 4); x[0]",
    "x.iter().position(|y| *y > n as f64).unwrap() as f64",
    "text.parse::<i64>().unwrap() as f64",
    "let found: Result<f64, String> = if n > 2 { Err(format!(\"{n} is too much\")) } else { Ok(x[0]) }; found.unwrap()",
    "x.first().copied().expect(\"an element\") + text.chars().nth(n).expect(\"a character\") as u32 as f64",
    "x[0].clamp(n as f64, 2.0)",
    "x[0] * n.clamp(3, 2) as f64",
    "unreachable!(\"{}\", n)",
    "todo!()",
    // Vectors that are changed.
    "let mut v = x.to_vec(); v.swap(0, n); v[0]",
    "let mut v = x.to_vec(); v.swap_remove(n) + v.remove(n)",
    "let mut v = x.to_vec(); v.insert(n, 0.5); v[0]",
    "let mut v = vec![1_i64]; v.resize(n, 2 - n as i64); v[1] as f64",
    "let mut v = x.to_vec(); v.rotate_left(n); v.rotate_right(n + 1); v[0]",
    "let mut v = x.to_vec(); v.copy_within(n..3, 1); v.copy_within(0..1, n); v[1]",
    "let mut v = x.to_vec(); v[n..].copy_from_slice(&x[..2]); v[1]",
    "let (a, b) = x.split_at(n); a.len() as f64 + b[0]",
    "x.chunks(n).map(|part| part[0]).sum()",
    "vec![1.0; if n > 2 { usize::MAX - n } else { n }][0]",
    "let mut v = vec![x[0]]; v.resize(n, 0.0); v[3]",
    "\"ab\".repeat(if n > 2 { usize::MAX - n } else { n }).len() as f64",
    // Loops of more than 15 iterations have a version over slices (loop versioning), which runs if no index is out of bounds.
    "let w: Vec<f64> = (0..40).map(|i| x[i % 4] * i as f64).collect();
    let mut v = vec![0.0; 40];
    for i in 0..30 { v[i + 3 * n] = w[i] * 2.0; }
    for i in 1..40 { v[i] = v[i - 1] + w[i + n - 1]; }
    v[1] + v[39]",
    "let mut v = vec![1.0; 60];
    let w: Vec<f64> = (0..40).map(|i| x[i % 4] * i as f64).collect();
    for i in (1..20 * n).rev() { v[20 + i] = w[i - 1] + w[n]; }
    v[25] + v[21]",
    "let mut v = vec![1.0; 40];
    for i in n..40 { if i % 4 == 0 { v[n * n + i] = x[i / 20]; } }
    v[20] + v[39]",
    "let mut v = vec![1.0; 40]; for i in 0..20 { v[n * (usize::MAX / 3) + i] = x[0]; } v[2] + v[3]",
    "let mut v = vec![1.0; 40];
    for i in 0..20 { let at = usize::MAX - 40 + 10 * n + i; v[i] = if at < 2 { x[at] } else { 1.5 }; }
    v[0]",
    "let (mut v, mut w) = (vec![1.0; 30], vec![0; 40]); for i in 0..10 * n { w[i] = i; v[i] = x[w[i] / 10]; } v[0]",
    "let mut m = vec![1.0; 400];
    for i in 0..20 { for j in i + 1..20 { m[i * 20 + j] = m[i * 20 + j - n] * 0.5 + x[0]; } }
    m[30] + m[399 - n]",
    // Texts.
    "text[n..].len() as f64 + text[..n].len() as f64 + text[2..n].len() as f64",
    // A comparison that fails, in sorts of few and of many.
    "let mut v = x.to_vec(); v.push((n as f64 - 2.0).sqrt()); v.sort_by(|a, b| a.partial_cmp(b).unwrap()); v[0] + v[n]",
    "let mut v: Vec<f64> = (0..40).map(|i| ((i * 7) % 40) as f64).collect();
    v[20] = (n as f64 - 2.0).sqrt();
    v.sort_unstable_by(|a, b| b.partial_cmp(a).expect(\"no order\"));
    v.iter().enumerate().map(|(i, v)| i as f64 * v).sum()",
    "let mut names = vec![\"b\".to_string(), \"a\".to_string(), text.to_string()];
    names.sort_by(|a, b| { assert!(a.len() < n, \"{a} is long\"); a.cmp(b) });
    names.concat().find('a').unwrap() as f64",
    // Failures within calls: of functions, of closures, of function values, of functions that return nothing or never.
    "fn at(x: &[f64], n: usize) -> f64 { if n > 9 { at(x, n - 1) } else { x[n] } }
    fn plain(y: f64) -> f64 { let mut y = y; while y > 2.0 { y = y.sqrt() - 1.0; } y }
    at(x, n) + plain(x[0])",
    "let check = |i: usize| x[i] * 2.0; (0..n).map(check).sum()",
    "let functions: Vec<Box<dyn Fn(usize) -> f64>> = vec![Box::new(|i| 1.0 / i as f64), Box::new(move |i| (n - i) as f64)];
    functions.iter().map(|f| f(2)).sum()",
    "fn check(n: usize) { if n > 3 { panic!(\"{n} is more than 3\"); } for i in 0..n { assert!(i < 2, \"at {i}\"); } }
    check(n); x[0]",
    "fn refuse(n: usize) -> ! { panic!(\"refused {n}\") }
    if n == 2 { refuse(n) } let y = match n { 0 => 1.0, 3 => refuse(7), _ => x[0] }; y + 1.0",
    "let rows: Vec<Vec<f64>> = (0..n).map(|i| x[i..].to_vec()).collect();
    let mut total = 0.0;
    'all: for row in &rows { for j in 0..3 { if row[j] > 90.0 { break 'all; } total += row[j]; } }
    total",
    "struct Line { slope: f64, points: Vec<f64> }
    impl Line { fn at(&self, i: usize) -> Option<f64> { Some(self.slope * *self.points.get(i)?) } }
    let line = Line { slope: 2.0, points: x.to_vec() };
    line.at(n).unwrap_or_else(|| panic!(\"no point {n} of {}\", line.points.len()))",
];

/// The inputs of the bodies.
fn inputs() -> Vec<Vec<Value<'static>>> {
    let texts = ["aäb", "12", "", "a long text with words"];
    let all = (0..4).chain([60]).zip(texts.into_iter().cycle());
    all.map(|(n, text)| {
        vec![Value::floats(vec![0.5, -1.25, 2.0, 0.75]), Value::from(n as usize), Value::str(text)]
    })
    .collect()
}

#[test]
fn each_failure_is_returned_with_the_message_and_the_line_of_the_interpreter() {
    let mut texts = Vec::new();
    let mut expected = Vec::new();
    for body in BODIES {
        let source = format!("pub fn f(x: &[f64], n: usize, text: &str) -> f64 {{\n{body}\n}}\n");
        let loaded =
            Loaded::from_source("case.rs", &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}")).symbol;
        let engine = loaded.engine();
        let mut failed = 0;
        for args in inputs() {
            let export = Export::new(&engine).function(f, "f", "").with_failures(Failures::Result);
            let types = export.params("f").unwrap_or_else(|error| panic!("{error}"));
            let typed = args.iter().cloned().zip(types.into_iter().map(|(_, ty)| ty)).collect();
            let text = export.with_main(typed, Printed::Debug).rust();
            let text = text.unwrap_or_else(|error| panic!("{error}\n{source}"));
            assert!(text.contains(") -> Result<f64, Failure> {"), "{text}");
            let outcome = engine.run(f, args);
            failed += usize::from(outcome.is_err());
            expected.push(outcome);
            texts.push(text);
        }
        assert!(failed > 0, "no input makes it fail:\n{body}");
    }
    let failing = expected.iter().filter(|outcome| outcome.is_err()).count();
    eprintln!("{} calls, of which {failing} fail", expected.len());
    for ((outcome, expected), text) in outcomes("failures", &texts).into_iter().zip(expected).zip(&texts) {
        match (outcome, expected) {
            (Ok(printed), Ok(Value::F64(value))) => {
                let printed: f64 = printed.parse().unwrap_or_else(|_| panic!("{printed}\n{text}"));
                assert_eq!(printed.to_bits(), value.to_bits(), "{text}");
            }
            (Err(shown_text), Err(failure)) => assert_failure(&shown_text, &shown(&failure, "case.rs"), text),
            (outcome, expected) => panic!("{expected:?}, exported {outcome:?}\n{text}"),
        }
    }
}

#[test]
fn the_same_functions_and_their_gradients_need_no_standard_library() {
    let mut texts = Vec::new();
    for body in BODIES {
        let source = format!("pub fn f(x: &[f64], n: usize, text: &str) -> f64 {{\n{body}\n}}\n");
        let loaded =
            Loaded::from_source("case.rs", &source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}\n{source}")).symbol;
        let engine = loaded.engine();
        for failures in [Failures::Panic, Failures::Result] {
            let export = || Export::new(&engine).with_failures(failures).with_library(Library::NoStd);
            let text = export().function(f, "f", "").rust();
            texts.push(text.unwrap_or_else(|error| panic!("{error}\n{source}")));
            let wrt = [true, false, false];
            // Some have no float that the result depends on.
            let gradient = export().derivative(f, Derivative::ValueAndGradient, &wrt, "exported", "");
            texts.extend(gradient.and_then(|export| export.rust()));
        }
    }
    assert!(texts.len() > 3 * BODIES.len(), "{} of {}", texts.len(), BODIES.len());
    libm::compile_without_std("failures no_std", &texts);
}

#[test]
fn a_gradient_returns_the_failure_of_its_function() {
    let source = "pub fn f(x: &[f64], n: usize) -> f64 {\n    let mut total = 0.0;\n    \
                  for i in 0..n {\n        total += x[i] * x[i];\n    }\n    total / x[0]\n}\n";
    let loaded = Loaded::from_source("case.rs", source).unwrap_or_else(|error| panic!("{error}"));
    let f = loaded.function("f").unwrap_or_else(|error| panic!("{error}")).symbol;
    let engine = loaded.engine();
    let text = |n: usize| {
        let export = Export::new(&engine).with_failures(Failures::Result);
        let export = export.derivative(f, Derivative::ValueAndGradient, &[true, false], "exported", "");
        let export = export.unwrap_or_else(|error| panic!("{error}"));
        let args = vec![Value::floats(vec![2.0, 3.0]), Value::from(n)];
        let types = export.params("exported").unwrap_or_else(|error| panic!("{error}"));
        let args = args.into_iter().zip(types.into_iter().map(|(_, ty)| ty)).collect();
        export.with_main(args, Printed::Debug).rust().unwrap_or_else(|error| panic!("{error}"))
    };
    let found = outcomes("gradient failures", &[text(2), text(3)]);
    // (4 + 9) / 2, and by hand: 2 - 13 / 4, 6 / 2.
    assert_eq!(found[0].as_deref(), Ok("(6.5, [-1.25, 3.0])"));
    let message = "index out of bounds: the len is 2 but the index is 2".to_owned();
    let failed = found[1].as_deref().expect_err("there are two elements");
    assert_failure(failed, &(message, "case.rs:4:".to_owned()), &text(3));
}
