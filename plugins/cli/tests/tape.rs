//! `overdub grad … --tape`, with programs.

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
