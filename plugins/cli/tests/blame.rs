//! `overdub blame`, with programs.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, Failed};
use serde_json::{Value as Json, json};

fn run(line: &[&str]) -> Result<String, Failed> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/not_finite.rs");
    let program = program.display().to_string();
    let words = ["overdub", "blame", &program].into_iter().chain(line.iter().copied());
    let cli = Cli::try_parse_from(words).expect("the command line is one");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out)?;
    Ok(String::from_utf8(out).expect("it prints text").replace(&program, "not_finite.rs"))
}

#[test]
fn a_nan_of_the_value_is_shown_from_where_it_began() {
    let text = run(&["loss", "[[2.0, 0.5, 3.0], 2.0]"]).expect("the command succeeds");
    let expected = "value is NaN
it began at not_finite.rs:9:19 in `loss`, made of finite numbers
    9 |         total += (v - 1.0).ln() * scale;
      |                   ^^^^^^^^^^^^^
    ln(-0.5) = NaN
and came here through
    not_finite.rs:9:19  mul(NaN, 2.0) = NaN
    not_finite.rs:9:9  add(0.0, NaN) = NaN  2 times
    not_finite.rs:11:5  add(NaN, 3.640054944640259) = NaN
made of
    └─ sub(0.5, 1.0) = -0.5  not_finite.rs:9:19
       └─ x[1] = 0.5
";
    assert_eq!(text, expected);
}

#[test]
fn an_entry_of_the_gradient_is_shown_by_lines() {
    let text = run(&["loss", "[[2.0, 2.5, 3.0], 2.0]", "--entry", "x[1]"]).expect("the command succeeds");
    let first: Vec<&str> = text.lines().take(2).collect();
    assert_eq!(
        first,
        [
            "x[1] is 1.903136215631523, the sum of 2 terms",
            "    ██████████████         70 %  1.3333333333333333 at not_finite.rs:9:19",
        ]
    );
}

#[test]
fn machines_read_the_chain_and_the_lines() {
    let answer = run(&["loss", "[[2.0, 0.5], 2.0]", "--json"]).expect("the command succeeds");
    let answer: Json = serde_json::from_str(&answer).expect("it is JSON");
    let last = answer["chain"].as_array().expect("a chain").last().expect("a step").clone();
    assert_eq!((&answer["entry"], &answer["value"]), (&json!("value"), &json!("NaN")));
    assert_eq!(
        (&last["operation"], &last["line"], &last["operands"]),
        (&json!("ln"), &json!(9), &json!([-0.5]))
    );
    let answer =
        run(&["loss", "[[3.0, 2.5], 2.0]", "--json", "--entry", "scale"]).expect("the command succeeds");
    let answer: Json = serde_json::from_str(&answer).expect("it is JSON");
    assert_eq!((&answer["lines"][0]["line"], &answer["lines"][0]["terms"]), (&json!(9), &json!(2)));
}

#[test]
fn a_place_that_is_not_there_is_an_error_that_says_which_are() {
    let failed = run(&["norm", "[[3.0, 4.0]]", "--entry", "y[0]"]).expect_err("there is no `y`");
    let text = failed.render(Color::Never);
    assert!(text.contains("there is no float at `y[0]`") && text.contains("(`x`)"), "{text}");
}
