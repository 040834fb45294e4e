//! `overdub sparsity`, `jacobian --sparse` and `hessian --sparse`, with programs.

use std::path::Path;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, Failed};
use serde_json::{Value as Json, json};

fn run(line: &[&str]) -> Result<String, Failed> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/branches_of_rows.rs");
    let program = program.display().to_string();
    let words = ["overdub", line[0], &program].into_iter().chain(line[1..].iter().copied());
    let cli = Cli::try_parse_from(words).expect("the command line is one");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out)?;
    Ok(String::from_utf8(out).expect("it prints text"))
}

fn json_of(line: &[&str]) -> Json {
    let text = run(&[line, &["--json"]].concat()).expect("the command succeeds");
    serde_json::from_str(&text).expect("it prints JSON")
}

const U: &str = "[[1.0, 2.0, -1.0, 3.0]]";

#[test]
fn a_global_pattern_has_both_arms_and_a_local_one_the_arm_taken() {
    let both = json!([[1, 0], [1, 1], [1, 2], [2, 1], [2, 2], [2, 3]]);
    assert_eq!(json_of(&["sparsity", "upwind", U]), json!({"rows": 4, "cols": 4, "pattern": both}));
    let entries = json!([[1, 0], [1, 1], [2, 2], [2, 3]]);
    assert_eq!(json_of(&["sparsity", "upwind", U, "--local"])["pattern"], entries);
    let pairs = json!([[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]]);
    assert_eq!(json_of(&["sparsity", "chain", U, "--hessian"])["pattern"], pairs);
}

#[test]
fn a_pattern_is_drawn_with_its_colors() {
    let text = run(&["sparsity", "upwind", U]).expect("the command succeeds");
    assert!(
        text.contains("4 × 4, 6 entries") && text.ends_with("colors: 3 of columns, 2 of rows\n"),
        "{text}"
    );
}

#[test]
fn files_hold_the_picture_and_the_pattern() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (png, mtx) = (folder.join("upwind.png"), folder.join("upwind.mtx"));
    let files = [png.display().to_string(), mtx.display().to_string()];
    run(&["sparsity", "upwind", U, "--png", &files[0], "--mtx", &files[1]]).expect("the command succeeds");
    assert!(std::fs::read(&png).expect("there is a picture").starts_with(b"\x89PNG"));
    let market = std::fs::read_to_string(&mtx).expect("there is a file");
    assert!(market.starts_with("%%MatrixMarket matrix coordinate pattern general\n4 4 6\n"), "{market}");
}

#[test]
fn sparse_derivatives_print_the_entries_of_the_pattern() {
    let found = json_of(&["jacobian", "upwind", U, "--sparse"]);
    let entries = json!([[1, 0, -1.0], [1, 1, 1.0], [1, 2, 0.0], [2, 1, 0.0], [2, 2, -1.0], [2, 3, 1.0]]);
    assert_eq!(found["jacobian"], json!({"rows": 4, "cols": 4, "entries": entries}));
    let found = json_of(&["hessian", "chain", "[[1.0, 2.0, 3.0]]", "--sparse"]);
    assert_eq!(found["hessian"]["entries"], json!([[0, 1, 1.0], [1, 0, 1.0], [1, 2, 1.0], [2, 1, 1.0]]));
}

#[test]
fn what_has_no_pattern_is_an_error_with_its_place() {
    let message =
        |line: &[&str]| run(line).expect_err("there is no pattern").render(Color::Never).to_string();
    assert!(message(&["sparsity", "upwind", "[[]]"]).contains("the arguments hold no float"));
    assert!(message(&["sparsity", "upwind", U, "--hessian"]).contains("the result holds 4"));
    assert!(message(&["sparsity", "upwind", U, "--wrt", "3"]).contains("`upwind` has no argument `3`"));
}
