//! `overdub tape`, `overdub grad … --tape` and `--memory`, with programs.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;

#[test]
fn what_is_kept_for_the_way_back_is_told_by_line() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/recurrent.rs");
    let program = program.display().to_string();
    let reported = |rest: &[&str]| {
        let line = ["overdub", "grad", &program, "sines", "[0.5, 100]", "--tape"];
        let cli = Cli::try_parse_from(line.iter().chain(rest)).expect("the command line is one");
        let mut out = Vec::new();
        overdub_cli::run(&cli, &mut out).expect("it has a gradient");
        String::from_utf8(out).expect("it prints text")
    };
    let text = reported(&[]);
    assert!(text.contains("recurrent.rs:6") && text.contains("800"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&reported(&["--json"])).expect("it prints JSON");
    assert_eq!(json["tape"]["all lines"], 800, "a float for each of 100 rounds");
}

/// The output of a command on the program, which succeeds.
fn printed(command: &str, rest: &[&str]) -> String {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/recurrent.rs").display().to_string();
    let line = ["overdub", command, &program, "sines"].into_iter().chain(rest.iter().copied());
    let cli = Cli::try_parse_from(line).expect("the command line is one");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out)
        .unwrap_or_else(|failed| panic!("{}", failed.render(overdub_cli::Color::Never)));
    String::from_utf8(out).expect("it prints text").replace(&program, "recurrent.rs")
}

#[test]
fn the_tape_is_a_table_of_lines_with_their_text() {
    let expected = "\
800  100 %  recurrent.rs:6  for _ in 0..n {
800  bytes are recorded
800  are kept at a time, at most
";
    assert_eq!(printed("tape", &["[0.5, 100]"]), expected);
    let json: serde_json::Value =
        serde_json::from_str(&printed("tape", &["[0.5, 100]", "--json"])).expect("JSON");
    assert_eq!((&json["bytes"], &json["peak"]), (&800.into(), &800.into()));
    assert_eq!(json["lines"][0]["source"], "for _ in 0..n {");
}

#[test]
fn a_tape_within_a_memory_is_kept_in_parts() {
    let text = printed("tape", &["[0.5, 1000]", "--memory", "500", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("it prints JSON");
    assert!(json["peak"].as_u64().is_some_and(|peak| peak <= 500), "{text}");
    assert!(json["bytes"].as_u64().is_some_and(|bytes| bytes >= 8000), "{text}");
}

#[test]
fn a_flame_graph_of_the_tape_names_the_loops() {
    let path = std::env::temp_dir().join(format!("overdub-tape-{}.svg", std::process::id()));
    printed("tape", &["[0.5, 100]", "--flame", &path.display().to_string()]);
    let svg = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it can be removed");
    assert!(svg.contains("<svg") && svg.contains("for _ in 0..n") && svg.contains("800 bytes"), "{svg}");
}

#[test]
fn derivatives_within_a_memory_are_the_same() {
    for (command, rest) in
        [("grad", &["[0.5, 300]"][..]), ("vjp", &["[0.5, 300]", "2.0"]), ("jacobian", &["[0.5, 300]"])]
    {
        let within: Vec<&str> = rest.iter().copied().chain(["--memory", "1kB"]).collect();
        assert_eq!(printed(command, &within), printed(command, rest), "{command}");
    }
}

#[test]
fn a_memory_that_is_too_little_is_an_error_with_the_least_one() {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/recurrent.rs").display().to_string();
    let message = |command: &str| {
        let line = ["overdub", command, &program, "sines", "[0.5, 100]", "--memory", "10"];
        let cli = Cli::try_parse_from(line).expect("the command line is one");
        let failed = overdub_cli::run(&cli, &mut Vec::new()).expect_err("it cannot keep to it");
        (failed.status(), failed.render(overdub_cli::Color::Never))
    };
    let (status, text) = message("grad");
    assert!(text.contains("needs at least 32 bytes") && text.contains("OD0603"), "{text}");
    assert_eq!(status, 1);
    assert!(message("hessian").1.contains("first derivatives"));
}
