//! Exported sparse Jacobians and Hessians, compiled, print what the command prints.

#[path = "../../export/tests/compiled/mod.rs"]
mod compiled;

use std::path::Path;

use clap::Parser;
use overdub_cli::Color;
use overdub_cli::args::Cli;
use serde_json::Value as Json;

use compiled::{Outcome, c, outcomes};

/// What a command prints of a function of the programs, or its error.
fn overdub(command: &str, words: &[&str]) -> Result<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/matrices.rs");
    let source = source.display().to_string();
    let line = ["overdub", command, &source].into_iter().chain(words.iter().copied());
    let cli = Cli::try_parse_from(line).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    match overdub_cli::run(&cli, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).expect("it prints text")),
        Err(failed) => Err(failed.render(Color::Never).to_string()),
    }
}

fn exported(words: &[&str]) -> String {
    overdub("export", words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// Functions, their arguments, and more options.
const JACOBIANS: &[(&str, &str, &[&str])] = &[
    ("diagonal", "[[1.0, -2.0, 3.0]]", &[]),
    ("burgers", "[[1.0, 2.0, -1.0, 0.5, 3.0, 1.5, 2.5, 0.25, 1.0, 4.0], 0.1]", &[]),
    ("burgers", "[[1.0, 2.0, -1.0, 0.5, 3.0, 1.5, 2.5, 0.25, 1.0, 4.0], 0.1]", &["--wrt", "u"]),
    ("ring", "[[1.0, 2.0, -1.0, 0.5, 3.0, 1.5, 2.5]]", &["--failures", "result"]),
    ("arrowhead", "[[1.0, 2.0, -1.0, 0.5]]", &[]),
    ("sums", "[[1.0, 2.0, -1.0, 0.5], [2.0, 3.0]]", &["--no-std"]),
    (
        "decay",
        r#"[{"rate": 0.5, "parts": [[1.0, 2.0], [3.0, -1.0]], "steps": 3}, [0.1, 0.2], [1.0, [2.0, 3.0]]]"#,
        &[],
    ),
    ("differences", r#"[[1.0, 2.0, -1.0, 0.5], "Upwind"]"#, &["--failures", "result"]),
    ("differences", r#"[[1.0, 2.0, -1.0, 0.5], {"Central": {"width": 2}}]"#, &["--no-std"]),
    (
        "blocks",
        r#"[[[1.0, 2.0], [], [3.0]], 0.5, "añ", [true, "ß", -170141183460469231731687303715884105728]]"#,
        &[],
    ),
    ("with_out", "[[1.0, 2.0], [3.0, 4.0]]", &[]),
    ("constant", "[[1.0, 2.0]]", &[]),
    ("gather", "[[1.0, 2.0, 3.0], [2, 0, 2, 1]]", &[]),
    ("positive", "[[1.0, 2.0]]", &[]),
];

const HESSIANS: &[(&str, &str, &[&str])] = &[
    ("chain", "[[1.0, 2.0, -1.0, 0.5, 3.0, 1.5, 2.5], 3.0]", &["--wrt", "x"]),
    ("chain", "[[1.0, 2.0, -1.0, 0.5], 3.0]", &["--failures", "result"]),
];

/// The programs of the functions, and what the command prints.
fn programs(language: &str) -> (Vec<String>, Vec<Json>) {
    let jacobians = JACOBIANS.iter().map(|case| ("jacobian", case));
    let all = jacobians.chain(HESSIANS.iter().map(|case| ("hessian", case)));
    let (mut texts, mut answers) = (Vec::new(), Vec::new());
    for (what, (function, args, options)) in all {
        let derivative = format!("--{what}");
        let options: Vec<&str> = match language {
            "c" if !options.contains(&"--wrt") => Vec::new(),
            _ => options.to_vec(),
        };
        let more = [function, &*derivative, "--sparse", "--main", args, "--language", language];
        texts.push(exported(&[&more[..], &options].concat()));
        let wrt: Vec<&str> = options.iter().copied().skip_while(|word| *word != "--wrt").collect();
        let answer = overdub(what, &[&[*function, *args, "--sparse", "--json"][..], &wrt].concat());
        let answer = answer.unwrap_or_else(|error| panic!("{function}: {error}"));
        answers.push(serde_json::from_str(&answer).expect("it prints JSON"));
    }
    (texts, answers)
}

/// Whether values are the same up to rounding, which the order of operations decides.
fn is_close(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_close(a, b)))
        }
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= 1e-12 * a.abs().max(1.0)
        }
        _ => a == b,
    }
}

fn check((texts, answers): (Vec<String>, Vec<Json>), outcomes: Vec<Outcome>) {
    for ((text, answer), outcome) in texts.iter().zip(answers).zip(outcomes) {
        let found = outcome.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let found: Json = serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"));
        assert!(is_close(&found, &answer), "{found}\n{answer}\n{text}");
    }
}

#[test]
fn a_sparse_matrix_has_the_entries_of_the_command() {
    let (texts, answers) = programs("rust");
    let found = outcomes("sparse_matrices", &texts);
    check((texts, answers), found);
}

#[test]
fn a_sparse_matrix_in_c_has_the_entries_of_the_command() {
    let (texts, answers) = programs("c");
    if let Some(found) = c::outcomes("sparse_matrices", &texts) {
        check((texts, answers), found);
    }
}

#[test]
fn entries_are_those_of_the_dense_matrix() {
    for (function, args, options) in JACOBIANS {
        let wrt: Vec<&str> = options.iter().copied().skip_while(|word| *word != "--wrt").collect();
        let json = |more: &[&str]| -> Json {
            let text = overdub("jacobian", &[&[*function, *args, "--json"][..], &wrt, more].concat());
            serde_json::from_str(&text.expect("it has a Jacobian")).expect("it prints JSON")
        };
        let (dense, sparse) = (json(&[]), json(&["--sparse"]));
        let mut filled: Vec<Vec<f64>> = Vec::new();
        let size = |of: &str| sparse["jacobian"][of].as_u64().expect("a number") as usize;
        filled.resize(size("rows"), vec![0.0; size("cols")]);
        for entry in sparse["jacobian"]["entries"].as_array().expect("a list") {
            let at = |number: usize| entry[number].as_u64().expect("a number") as usize;
            filled[at(0)][at(1)] = entry[2].as_f64().expect("a number");
        }
        assert!(is_close(&dense["jacobian"], &serde_json::json!(filled)), "{function}: {dense}\n{sparse}");
    }
}

/// Arguments of another shape than the example: the message.
const OTHER_SHAPES: &[(&str, &str, &str, &str)] = &[
    (
        "ring",
        "[[1.0, 2.0, 3.0]]",
        "[[1.0, 2.0]]",
        "`u` must have the length 3, for which the sparsity pattern was found",
    ),
    (
        "differences",
        r#"[[1.0, 2.0, 3.0], {"Central": {"width": 2}}]"#,
        r#"[[1.0, 2.0, 3.0], {"Central": {"width": 1}}]"#,
        "`scheme` must have the lengths, and the values except floats, for which the sparsity pattern was found",
    ),
    (
        "differences",
        r#"[[1.0, 2.0, 3.0], {"Central": {"width": 2}}]"#,
        r#"[[1.0, 2.0, 3.0], "Upwind"]"#,
        "`scheme` must have the lengths",
    ),
    ("gather", "[[1.0, 2.0, 3.0], [2, 0]]", "[[1.0, 2.0, 3.0], [2, 1]]", "`from` must have the lengths"),
    ("gather", "[[1.0, 2.0, 3.0], [2, 0]]", "[[1.0, 2.0, 3.0], [2, 0, 0]]", "`from` must have the lengths"),
    (
        "blocks",
        r#"[[[1.0, 2.0], [3.0]], 0.5, "a", [true, "b", -1]]"#,
        r#"[[[1.0], [2.0, 3.0]], 0.5, "a", [true, "b", -1]]"#,
        "`rows` must have the lengths",
    ),
    (
        "blocks",
        r#"[[[1.0]], 0.5, "a", [true, "b", -1]]"#,
        r#"[[[1.0]], 0.5, "aa", [true, "b", -1]]"#,
        "`name` must have the lengths",
    ),
    (
        "blocks",
        r#"[[[1.0]], 0.5, "a", [true, "b", -1]]"#,
        r#"[[[1.0]], 0.5, "a", [true, "b", 18446744073709551615]]"#,
        "`flags.2` must be -1, for which the sparsity pattern was found",
    ),
    (
        "decay",
        r#"[{"rate": 0.5, "parts": [[1.0, 2.0]], "steps": 3}, [0.1], [1.0, [2.0, 3.0]]]"#,
        r#"[{"rate": 0.5, "parts": [[1.0, 2.0]], "steps": 4}, [0.1], [1.0, [2.0, 3.0]]]"#,
        "`model.steps` must be 3",
    ),
    (
        "positive",
        "[[1.0, 2.0]]",
        "[[1.0, -2.0]]",
        "the result must hold 2 floats, for which the sparsity pattern was found",
    ),
];

#[test]
fn another_shape_is_a_failure() {
    let failing = |language: &str, options: &[&str]| -> Vec<String> {
        let text = |(function, example, args, _): &(&str, &str, &str, &str)| {
            let words = [function, "--jacobian", "--sparse", "--example", example, "--main", args];
            exported(&[&words[..], &["--language", language], options].concat())
        };
        OTHER_SHAPES.iter().map(text).collect()
    };
    let rust = [failing("rust", &[]), failing("rust", &["--failures", "result"])].concat();
    let mut found = outcomes("other_shapes", &rust);
    found.extend(c::outcomes("other_shapes", &failing("c", &[])).unwrap_or_default());
    for ((function, _, args, expected), outcome) in OTHER_SHAPES.iter().cycle().zip(found) {
        let message = outcome.expect_err(function);
        assert!(message.contains(expected), "{function} {args}: {message}");
    }
}

#[test]
fn the_structure_is_declared_beside_the_function() {
    let words = ["ring", "--jacobian", "--sparse", "--example", "[[0.0, 0.0, 0.0]]", "--name", "slopes"];
    let text = exported(&words);
    for expected in [
        "pub fn slopes(u: &[f64]) -> Vec<f64> {",
        "/// The number of rows and of columns of `slopes`.",
        "pub static SLOPES_SIZE: [usize; 2] = [3, 3];",
        "pub static SLOPES_ROW_STARTS: [usize; 4] = [0, 3, 6, 9];",
        "pub static SLOPES_COLUMNS: [usize; 9] = [0, 1, 2, 0, 1, 2, 0, 1, 2];",
    ] {
        assert!(text.contains(expected), "`{expected}` is not in\n{text}");
    }
    let text = exported(&[&words[..], &["--language", "c"]].concat());
    assert!(text.contains("\nconst size_t slopes_row_starts[] = {\n    0, 3, 6, 9,\n};"), "{text}");
}

#[test]
fn entries_are_written_in_one_run_where_each_depends_on_few_reads() {
    // Besides an argument that has no derivative; the values are those of the other tests.
    let words = ["gather", "--jacobian", "--sparse", "--example", "[[1.0, 2.0], [1, 0, 1]]"];
    let text = exported(&words);
    assert!(text.contains("vec![0.0; 3]") && !text.contains("0_usize..1_usize"), "{text}");
}

#[test]
fn floats_that_are_held_fixed_may_be_others() {
    // With the sign of the example, no number depends on `x`.
    let words = ["chosen", "--jacobian", "--sparse", "--wrt", "x", "--example", "[[0.0, 0.0], -1.0]"];
    let text = exported(&words);
    assert!(text.contains("CHOSEN_SPARSE_JACOBIAN_COLUMNS: [usize; 2] = [0, 1];"), "{text}");
}

#[test]
fn bad_input_is_named() {
    for (words, expected) in [
        (&["ring", "--jacobian", "--sparse"][..], "give an example of them"),
        (&["ring", "--gradient", "--sparse"], "cannot be used with"),
        (&["ring", "--sparse"], "required"),
        (&["ring", "--jacobian", "--example", "[[1.0]]"], "required"),
        (&["ring", "--jacobian", "--sparse", "--example", "[[1.0], 2]"], "takes 1 argument"),
        (&["ring", "--jacobian", "--sparse", "--example", "[[]]"], "the arguments hold no float"),
        (&["ring", "--hessian", "--sparse", "--example", "[[1.0, 2.0]]"], "the result holds 2"),
        (&["ring", "--jacobian", "--sparse", "--example", "[[1.0]]", "--language", "cuda"], "no kernels"),
        (&["gather", "--jacobian", "--sparse", "--example", "[[1.0], [1]]"], "index out of bounds"),
    ] {
        let error = overdub("export", words).expect_err("it is refused");
        assert!(error.contains(expected), "`{expected}` is not in `{error}`");
    }
}
