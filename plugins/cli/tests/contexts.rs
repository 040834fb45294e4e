//! `trace`, `count`, `nan` and `ir --context`: their output, and how they fail.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, Failed};
use serde_json::{Value as Json, json};

fn program() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/norm.rs").display().to_string()
}

/// The output of `overdub COMMAND norm.rs …`.
fn overdub(command: &str, rest: &[&str]) -> Result<String, Failed> {
    let program = program();
    let line = ["overdub", command, &program].into_iter().chain(rest.iter().copied());
    let cli = Cli::try_parse_from(line).expect("the command line is one");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out)?;
    Ok(String::from_utf8(out).expect("it prints text"))
}

fn printed(command: &str, rest: &[&str]) -> String {
    overdub(command, rest).unwrap_or_else(|failed| panic!("{}", failed.render(Color::Never)))
}

fn failed(command: &str, rest: &[&str]) -> (u8, String) {
    match overdub(command, rest) {
        Ok(out) => panic!("it printed: {out}"),
        Err(failed) => (failed.status(), failed.render(Color::Never).replace(&program(), "norm.rs")),
    }
}

fn json(command: &str, rest: &[&str]) -> Json {
    let rest: Vec<&str> = rest.iter().copied().chain(["--json"]).collect();
    let out = printed(command, &rest);
    serde_json::from_str(out.lines().last().expect("there is a line")).expect("the last line is JSON")
}

#[test]
fn a_trace_is_printed_as_a_tree_with_lines_and_times_and_then_the_value() {
    // Times vary.
    let lines = |rest: &[&str]| -> Vec<String> {
        let out = printed("trace", rest).replace(&program(), "norm.rs");
        out.lines().map(|line| line.rsplit_once(", ").map_or(line, |(head, _)| head).to_owned()).collect()
    };
    let expected = [
        "norm([3.0, 4.0]) = 5.0  [norm.rs:5:8",
        "├─ square(3.0) = 9.0  [norm.rs:8:16",
        "└─ square(4.0) = 16.0  [norm.rs:8:16",
        "5.0",
    ];
    assert_eq!(lines(&["norm", "[[3.0, 4.0]]"]), expected);
    let expected = [
        "cubed(2.0) = 8.0  [norm.rs:28:8",
        "├─ square(2.0) = 4.0  [norm.rs:29:5",
        "│  └─ mul(2.0, 2.0) = 4.0  [norm.rs:2:5",
        "└─ mul(4.0, 2.0) = 8.0  [norm.rs:29:5",
        "8.0",
    ];
    assert_eq!(lines(&["cubed", "[2.0]", "--operations"]), expected);
}

#[test]
fn the_trace_of_a_failing_run_is_printed_before_the_error() {
    for (flags, call) in [
        (&[][..], "third([1.0]) did not return"),
        (&["--operations"], "get([1.0], 2) did not return"),
        (&["--operations", "--json"], "\"result\":null"),
    ] {
        let program = program();
        let line =
            ["overdub", "trace", &program, "third", "[[1.0]]"].into_iter().chain(flags.iter().copied());
        let cli = Cli::try_parse_from(line).expect("the command line is one");
        let mut out = Vec::new();
        let failed = overdub_cli::run(&cli, &mut out).expect_err("there is no third element");
        let out = String::from_utf8(out).expect("it prints text");
        assert!(out.contains(call), "{out}");
        assert!(failed.render(Color::Never).contains("index out of bounds"));
    }
}

#[test]
fn a_trace_as_json_is_one_object_with_value_and_calls() {
    let answer = json("trace", &["cubed", "[2.0]"]);
    let calls = answer["calls"].as_array().expect("calls are a list");
    assert_eq!(calls.iter().map(|call| &call["function"]).collect::<Vec<_>>(), ["square"]);
    let answer = json("trace", &["cubed", "[2.0]", "--operations"]);
    assert_eq!(answer["value"], json!(8.0));
    let calls = answer["calls"].as_array().expect("calls are a list");
    assert_eq!(calls.iter().map(|call| &call["function"]).collect::<Vec<_>>(), ["square", "mul"]);
    assert_eq!(calls[0]["calls"][0]["args"], json!([2.0, 2.0]));
    assert_eq!(calls[0]["line"], json!(29));
}

#[test]
fn a_trace_goes_no_deeper_than_asked_for() {
    let answer = json("trace", &["cubed", "[2.0]", "--operations", "--depth", "1"]);
    assert_eq!((&answer["calls"][0]["calls"], &answer["not_recorded"]), (&json!([]), &json!(1)));
}

#[test]
fn a_flame_graph_is_written_to_its_file() {
    let path = std::env::temp_dir().join(format!("overdub-flame-{}.svg", std::process::id()));
    printed("trace", &["norm", "[[3.0, 4.0]]", "--flame", &path.display().to_string()]);
    let svg = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it can be removed");
    assert!(svg.contains("<svg") && svg.contains("square ("));
}

#[test]
fn counts_are_printed_as_a_table_and_then_the_value() {
    let out = printed("count", &["cubed", "[2.0]"]);
    let expected = "\
1  square(f64)
2 operations and calls of the standard library (`--std` lists them)
2 floating-point operations
8.0
";
    assert_eq!(out, expected);
    let out = printed("count", &["cubed", "[2.0]", "--std"]);
    let expected = "\
2  mul(f64, f64)
1  square(f64)
2 floating-point operations
8.0
";
    assert_eq!(out, expected);
}

#[test]
fn counts_as_json_are_beside_the_value() {
    let answer = json("count", &["norm", "[[3.0, 4.0]]"]);
    assert_eq!((&answer["value"], &answer["counts"]["flops"]), (&json!(5.0), &json!(5)));
    let square = json!({ "function": "square", "args": ["f64"], "calls": 2 });
    assert!(answer["counts"]["calls"].as_array().is_some_and(|rows| rows.contains(&square)));
}

#[test]
fn under_nan_a_program_with_finite_numbers_gives_what_it_gives() {
    assert_eq!(printed("nan", &["mean_log", "[[1.0, 1.0]]"]), "0.0\n");
    assert_eq!(json("nan", &["normalise", "[[3.0, 4.0]]"]), json("run", &["normalise", "[[3.0, 4.0]]"]));
}

#[test]
fn the_first_nan_is_told_at_the_users_line_with_the_call_stack() {
    let (status, text) = failed("nan", &["mean_log", "[[1.0, -1.0]]"]);
    assert_eq!(status, 1);
    assert!(text.starts_with("error: `ln(-1.0)` makes NaN out of finite numbers [OD0105]\n"), "{text}");
    assert!(text.contains("norm.rs:14:23") && text.contains("x.ln()"), "{text}");
    assert!(text.contains("in `mean_log` at "), "{text}");
}

#[test]
fn a_program_that_fails_under_a_context_fails_as_it_does_without() {
    let plain = failed("run", &["third", "[[1.0]]"]);
    for command in ["trace", "count", "nan"] {
        assert_eq!(failed(command, &["third", "[[1.0]]"]), plain, "{command}");
    }
}

#[test]
fn a_wrong_argument_is_a_wrong_command_line_under_each_context() {
    for command in ["trace", "count", "nan"] {
        assert_eq!(failed(command, &["cubed", "[]"]).0, 2, "{command}");
    }
}

#[test]
fn the_ir_under_a_context_shows_its_hooks() {
    let out = printed("ir", &["square", "--context", "nan"]);
    let expected = "\
fn @\"square{Nan#0}\"(%cx: opaque Context, %x: f64) -> f64 {
  %1: f64 = mul %x, %x
  %3: unit = cx.post %cx, 0, %1, %x, %x
  ret %1
}
";
    assert_eq!(out.trim(), expected.trim());
}

#[test]
fn the_ir_under_two_contexts_is_that_of_the_outer_one_over_the_inner_one() {
    let out = printed("ir", &["cubed", "--context", "nan,swap:mul=add", "--callees"]);
    let expected = "\
fn @\"cubed{Swap#0}{Nan#0}\"(%cx: opaque Context, %x: f64) -> f64 {
  %1: f64 = call @\"square{Swap#0}{Nan#0}\"(%cx, %x)
  %2: f64 = add %1, %x
  %4: unit = cx.post %cx, 0, %2, %1, %x
  ret %2
}
fn @\"square{Swap#0}{Nan#0}\"(%cx: opaque Context, %x: f64) -> f64 {
  %1: f64 = add %x, %x
  %3: unit = cx.post %cx, 1, %1, %x, %x
  ret %1
}
";
    assert_eq!(out.trim(), expected.trim());
}

#[test]
fn the_ir_under_a_context_can_be_optimised() {
    let out = printed("ir", &["cubed", "--context", "swap:mul=add", "--stage", "optimized"]);
    assert!(!out.contains("call") && !out.contains("mul"), "{out}");
    assert_eq!(out.matches("add").count(), 2, "{out}");
}

#[test]
fn the_program_that_lanes_run_is_shown() {
    let out = printed("ir", &["square", "--context", "lanes"]);
    let expected = "\
64 lanes -> f64
a block runs for the lanes that wait at it; `|` marks what is written for these alone
  parameter 0: f64 in w0, of each lane
block 0:
  w1 = mul w0, w0
  return w1: f64
";
    assert_eq!(out, expected);
    // Over another context.
    let of_derivative = printed("ir", &["square", "--context", "lanes,reverse"]);
    assert!(of_derivative.contains("return w"), "{of_derivative}");
    for (words, why) in [
        (&["square", "--context", "reverse,lanes"][..], "name `lanes` first, and once"),
        (&["square", "--context", "lanes", "--stage", "codegen"], "there are no stages, passes or callees"),
        (&["normalise", "--context", "lanes"], "norm.rs:"),
    ] {
        let (_, error) = failed("ir", words);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn an_unknown_context_is_refused_with_those_that_there_are() {
    let line = ["overdub", "ir", "f.rs", "f", "--context", "tracing"];
    let error = Cli::try_parse_from(line).expect_err("there is no such context").to_string();
    assert!(error.contains("there is no context `tracing`; there are trace, count, nan"), "{error}");
    assert!(error.contains("swap:CALLED=INSTEAD, lanes"), "{error}");
    for (text, form) in
        [("swap:sin", "swap:CALLED=INSTEAD"), ("memoize", "memoize:FUNCTION"), ("trace:x", "trace")]
    {
        let line = ["overdub", "ir", "f.rs", "f", "--context", text];
        let error = Cli::try_parse_from(line).expect_err("it has another form").to_string();
        assert!(error.contains(&format!("the context is written `{form}`")), "{error}");
    }
}
