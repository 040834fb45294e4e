//! Does each example print what stands beside this file?
//!
//! `BLESS=1 cargo test` updates the expected output.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Prints times, so its output is not compared; its argument is the number of iterations.
const TIMED: &str = "fit_mixture";

/// The examples that a feature is needed for, and whether it is on.
const BEHIND_FEATURES: [(&str, bool); 6] = [
    ("filter_response", cfg!(feature = "num-complex")),
    ("greeks_on_a_card", cfg!(feature = "device")),
    ("fit_pose", cfg!(feature = "glam")),
    ("regression_in_faer", cfg!(feature = "faer")),
    ("regression_in_nalgebra", cfg!(feature = "nalgebra")),
    ("regression_in_ndarray_016", cfg!(feature = "ndarray-016")),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// The names of all examples, in order.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("there are examples");
    let paths = entries.map(|entry| entry.expect("an example can be read").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut names: Vec<String> =
        sources.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

/// The names of the examples that can be built with the features that are on.
fn buildable() -> impl Iterator<Item = String> {
    names().into_iter().filter(|name| !BEHIND_FEATURES.contains(&(name.as_str(), false)))
}

/// The folder of the examples' programs. `cargo test --test examples` alone builds none of them: those that
/// are missing, or older than their sources, are built here.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let test_binary = std::env::current_exe().expect("a test has a path");
    let built = test_binary.parent().and_then(Path::parent).expect("tests lie in `deps`");
    let programs = built.join("examples");
    if !buildable().all(|name| is_current(&programs.join(name))) {
        let profile = built.file_name().and_then(|name| name.to_str()).expect("a profile has a name");
        let profile = if profile == "debug" { "dev" } else { profile };
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["build", "--quiet", "--package", "overdub", "--examples", "--profile", profile]);
        let features = [
            ("check", cfg!(feature = "check")),
            ("device", cfg!(feature = "device")),
            ("faer", cfg!(feature = "faer")),
            ("glam", cfg!(feature = "glam")),
            ("nalgebra", cfg!(feature = "nalgebra")),
            ("ndarray-016", cfg!(feature = "ndarray-016")),
            ("native", cfg!(feature = "native")),
            ("num-complex", cfg!(feature = "num-complex")),
            ("png", cfg!(feature = "png")),
            ("sparsity", cfg!(feature = "sparsity")),
            ("spmd", cfg!(feature = "spmd")),
        ];
        for (name, is_on) in features {
            cargo.args(is_on.then_some(["--features", name]).into_iter().flatten());
        }
        cargo.arg("--no-default-features").current_dir(env!("CARGO_MANIFEST_DIR"));
        cargo.arg("--target-dir").arg(built.parent().expect("a profile is in the target folder"));
        assert!(cargo.status().is_ok_and(|status| status.success()), "the examples are not built: {cargo:?}");
    }
    programs
});

fn program(programs: &Path, name: &str) -> PathBuf {
    programs.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// Whether a program is newer than all its sources, which cargo lists next to it.
fn is_current(program: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    let build_time = changed(&program.with_extension(std::env::consts::EXE_EXTENSION));
    let list = std::fs::read_to_string(program.with_extension("d")).unwrap_or_default();
    let (_, sources) = list.split_once(": ").unwrap_or_default();
    build_time.is_some()
        && !sources.is_empty()
        && sources.split_whitespace().all(|source| changed(Path::new(source)) <= build_time)
}

/// The output of an example; the files that it writes go to a temporary folder.
fn printed(name: &str, args: &[&str]) -> String {
    let program = program(&PROGRAMS, name);
    let ran = Command::new(&program).args(args).current_dir(env!("CARGO_TARGET_TMPDIR")).output();
    let ran = ran.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{name}: {}\n{errors}", ran.status);
    String::from_utf8(ran.stdout).expect("examples print text")
}

#[cfg(feature = "check")]
#[test]
fn each_example_prints_what_is_written_beside_it() {
    let mut wrong = Vec::new();
    for name in buildable().filter(|name| name != TIMED) {
        let path = folder().join("expected").join(&name).with_extension("txt");
        let printed = printed(&name, &[]);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &printed).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if printed != expected {
            wrong.push(format!("{name} prints\n{printed}\nnot\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_main_job_goes_down_and_draws_what_it_found() {
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mixture.png");
    // It may exist from an earlier run.
    let _ = std::fs::remove_file(&picture);
    let output = printed(TIMED, &["2"]);
    let line = output.lines().find(|line| line.starts_with("negative log posterior")).unwrap_or_default();
    let numbers: Vec<f64> = line.split([' ', ',', ':']).filter_map(|word| word.parse().ok()).collect();
    assert!(matches!(numbers[..], [before, after, 2.0] if after < before - 100.0), "{output}");
    assert!(std::fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
}

/// On a coarse grid, since elimination is slow without optimisation.
#[cfg(all(feature = "faer", feature = "png"))]
#[test]
fn the_stiff_problem_is_solved_and_drawn() {
    let pictures =
        ["pattern.png", "brusselator.png"].map(|name| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    // They may exist from an earlier run.
    pictures.iter().for_each(|picture| _ = std::fs::remove_file(picture));
    let told = printed("brusselator", &["12"]);
    assert!(told.contains("288 by 288, 1728 entries: 1728 entries written in one run"), "{told}");
    for picture in pictures {
        assert!(std::fs::read(&picture).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    }
}

#[test]
fn each_example_opens_with_the_question_that_it_answers() {
    let list = std::fs::read_to_string(folder().join("README.md")).expect("the examples are listed");
    for name in names() {
        assert!(list.contains(&format!("| `{name}` | ")), "examples/README.md does not list `{name}`");
        let text =
            std::fs::read_to_string(folder().join(&name).with_extension("rs")).expect("it can be read");
        let opening = text.lines().next().unwrap_or_default();
        assert!(opening.starts_with("//! ") && opening.contains('?'), "{name}: {opening}");
    }
}
