//! Derivatives by the command as a process: a program runs once, and `--explain` names the engine.

use std::process::{Command, Output};

use serde_json::Value as Json;

fn overdub(command: &str, function: &str, rest: &[&str]) -> Output {
    let program = format!("{}/tests/programs/failing.rs", env!("CARGO_MANIFEST_DIR"));
    let mut process = Command::new(env!("CARGO_BIN_EXE_overdub"));
    process.args([command, &program, function]).args(rest).output().expect("the command is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_that_prints_and_panics_prints_once_under_each_derivative() {
    let line = |command: &str, function: &str, rest: &[&str]| {
        let Output { status, stdout, stderr } = overdub(command, function, rest);
        assert_eq!(status.code(), Some(1), "{command} {function}: {}", text(&stderr));
        (text(&stdout), text(&stderr))
    };
    let nine = "[[1, 2, 3, 4, 5, 6, 7, 8, 9]]";
    for command in ["grad", "vjp", "jacobian", "hessian"] {
        let (out, error) = line(command, "out_of_bounds", &[nine]);
        assert_eq!(out, "running\n", "{command}");
        assert!(error.contains("index") && error.contains("failing.rs:5"), "{command}: {error}");
        let (out, _) = line(command, "counted", &["[3]"]);
        assert_eq!(out, "run 1\n", "{command}");
        let (out, _) = line(command, "from_a_table_out_of_bounds", &["[1]"]);
        assert_eq!(out, "running\n", "{command}: on a tape too");
    }
    for command in ["vjp", "jacobian"] {
        let (out, _) = line(command, "scaled_out_of_bounds", &["[[1, 2, 3]]"]);
        assert_eq!(out, "running\n", "{command}");
    }
}

fn explained(command: &str, function: &str, args: &str) -> Json {
    let Output { stdout, stderr, .. } = overdub(command, function, &[args, "--explain", "--json"]);
    serde_json::from_slice(&stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&stderr)))
}

#[test]
fn the_engine_of_a_derivative_is_explained() {
    assert_eq!(explained("grad", "squared", "[3]")["engine"], "source transformation");
    assert_eq!(explained("vjp", "squared", "[3]")["engine"], "source transformation");
    assert_eq!(explained("jacobian", "squared", "[3]")["engine"], "source transformation");
    let hessian = explained("hessian", "squared", "[3]");
    assert_eq!(hessian["engine"], "forward over reverse source transformation");
    assert_eq!(hessian["at"], Json::Null, "nothing stands in the way");
}

#[test]
fn what_keeps_a_function_from_being_transformed_is_shown_with_its_line() {
    for (command, engine) in
        [("grad", "recording"), ("vjp", "recording"), ("hessian", "recording over dual numbers")]
    {
        let json = explained(command, "from_a_table", "[3, 1]");
        assert_eq!(json["engine"], engine, "{json}");
        assert_eq!(json["source"], "table[n](x)", "{json}");
        assert!(json["at"].as_str().is_some_and(|at| at.contains("failing.rs:31")), "{json}");
        assert_eq!(json["value"], 9.0);
    }
    let shown = text(&overdub("grad", "from_a_table", &["[3, 1]", "--explain"]).stdout);
    assert!(shown.contains("derivatives flow through `call` into what no type shows"), "{shown}");
}
