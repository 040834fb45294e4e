//! `overdub check` and `overdub grad --check`, with programs.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, Failed};

/// The output of `overdub COMMAND slopes.rs …`, its exit status, and its error message.
fn run(command: &str, function: &str, rest: &[&str]) -> (u8, String) {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/slopes.rs").display().to_string();
    let line = ["overdub", command, &program, function].into_iter().chain(rest.iter().copied());
    let cli = Cli::try_parse_from(line).expect("the command line is one");
    let mut out = Vec::new();
    match overdub_cli::run(&cli, &mut out) {
        Ok(()) => (0, String::from_utf8(out).expect("it prints text")),
        Err(failed) => (failed.status(), rendered(&failed)),
    }
}

fn check(function: &str, rest: &[&str]) -> (u8, String) {
    run("check", function, rest)
}

fn rendered(failed: &Failed) -> String {
    failed.render(Color::Never)
}

#[test]
fn right_derivatives_are_told_in_a_table() {
    let (status, text) = check("ratio", &["--domain", "[[-10, 10], [0.1, 10]]", "--cases", "20"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("inputs") && text.contains("20"), "{text}");
    assert!(text.contains("greatest relative difference"), "{text}");
}

#[test]
fn inputs_are_made_up_by_type() {
    let (status, text) =
        check("weighed", &["--domain", "[[0.5, 2], [0, 3], [-1, 1]]", "--cases", "10", "--json"]);
    assert!(status == 0 && text.contains("\"ok\":true"), "{text}");
}

#[test]
fn a_wrong_derivative_is_exit_status_one_with_the_simplest_arguments() {
    let (status, text) = check("staircase", &["--domain", "[[1, 5]]"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.starts_with("error: in `x` the derivative is 0, differences say"), "{text}");
    assert!(text.contains("at the arguments [1.0"), "{text}");
}

#[test]
fn a_domain_that_does_not_fit_is_exit_status_two() {
    for domain in ["[[1, 5], [1, 5]]", "[[5, 1]]", "[1, 5]", "x"] {
        assert_eq!(check("staircase", &["--domain", domain]).0, 2, "{domain}");
    }
}

#[test]
fn a_checked_gradient_says_what_was_compared() {
    let (status, text) = run("grad", "ratio", &["[3, 4]", "--check"]);
    assert!(status == 0 && text.contains("\nchecked: 2 agree with differences to "), "{text}");
    let (status, text) = run("grad", "ratio", &["[3, 4]", "--check", "--json"]);
    assert!(status == 0 && text.contains("\"agreed\":2"), "{text}");
}

#[test]
fn a_gradient_that_cannot_be_checked_says_so() {
    let (status, text) = run("grad", "ratio", &["[0, 0]", "--check"]);
    assert!(status == 0 && text.contains("\nnot checked: the result is not finite"), "{text}");
}

#[test]
fn a_wrong_gradient_is_exit_status_one() {
    let (status, text) = run("grad", "staircase", &["[2.5]", "--check"]);
    assert!(status == 1 && text.starts_with("error: in `x` the derivative is 0"), "{text}");
}
