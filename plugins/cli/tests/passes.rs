//! `overdub ir --passes`: each step begins where the previous one ended, and the last one ends at the stage.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;

/// The output of `overdub ir slopes.rs weighed …`.
fn ir(rest: &[&str]) -> String {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/slopes.rs").display().to_string();
    let line = ["overdub", "ir", &program, "weighed"].into_iter().chain(rest.iter().copied());
    let cli = Cli::try_parse_from(line).expect("the command line is one");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out).expect("the function can be printed");
    String::from_utf8(out).expect("it prints text")
}

/// The text of a step before or after its pass: without the lines that only the other one has.
fn side(step: &str, without: &str) -> String {
    let lines = step.lines().filter(|line| !line.starts_with(without));
    lines.map(|line| &line[4..]).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_pass_starts_where_the_one_before_ended() {
    for (stage, end) in [(None, "optimized"), (Some("optimized"), "optimized"), (Some("codegen"), "codegen")]
    {
        let stage: Vec<&str> = stage.into_iter().flat_map(|stage| ["--stage", stage]).collect();
        let log = ir(&[&["--passes"], stage.as_slice()].concat());
        let mut parts = log.split("\n\nafter ");
        let mut now = parts.next().expect("the function as it is lowered").to_owned();
        assert_eq!(now, ir(&[]));
        let mut steps = 0;
        for part in parts {
            let (pass, step) = part.split_once(":\n").expect("the name of a pass stands above its step");
            assert!(overdub_passes::by_name(pass).is_some(), "there is no pass `{pass}`");
            assert_eq!(side(step, "  + "), now, "{pass}");
            now = side(step, "  - ");
            steps += 1;
        }
        assert!(steps > 0, "no pass changed the function");
        assert_eq!(now, ir(&["--stage", end]));
    }
}
