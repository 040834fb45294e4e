//! `overdub export`: what it writes, and what it says of bad input.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use overdub_cli::Color;
use overdub_cli::args::Cli;

const SOURCE: &str = "pub fn climb(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = s * s + x;
    }
    s
}
#[derivative(gradient)]
#[autodiff_reverse(dsteep, Active, Active)]
pub fn marked(x: f64) -> Result { if x > 0.0 { Result::Fine } else { Result::Late(x) } }
pub enum Result { Fine, Late(f64) }
pub fn wide(x: f64) -> Option { if x > 0.0 { Option::Wide(x, 2.0 * x) } else { Option::Nothing } }
pub enum Option { Wide(f64, f64), Nothing }
pub fn shared(x: f64) -> f64 {
    let cells: Vec<std::rc::Rc<std::cell::Cell<f64>>> =
        (0..2).map(|_| std::rc::Rc::new(std::cell::Cell::new(x))).collect();
    cells[0].set(1.0);
    cells[0].get() + cells[1].get()
}
pub fn item(x: &[f64], n: usize) -> f64 {
    x[n] * x[n]
}
pub fn changed(x: &mut [f64]) { x[0] = 1.0; }
";

/// A folder of a test with the source in it.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("the folder can be written");
    fs::write(folder.join("climb.rs"), SOURCE).expect("the source can be written");
    folder
}

/// What the command prints, or its error.
fn export(folder: &Path, words: &[&str]) -> Result<String, String> {
    let source = folder.join("climb.rs").display().to_string();
    let line = ["overdub", "export", &source].into_iter().chain(words.iter().copied());
    let cli = Cli::try_parse_from(line).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    match overdub_cli::run(&cli, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).expect("it prints text")),
        Err(failed) => Err(failed.render(Color::Never).to_string()),
    }
}

#[test]
fn tangents_follow_the_arguments_that_have_some() {
    let folder = folder("export_tangents");
    let text = export(&folder, &["climb", "--hvp", "--main", "[0.5, 3, 1.0]"]).expect("it is exported");
    assert!(text.contains("pub fn climb_hvp(x: f64, n: usize, dx: f64) -> f64 {"), "{text}");
    assert!(text.contains("answer(0.5, 3_usize, 1.0)"), "{text}");
    assert!(text.contains("// 4: s = s * s + x;"), "{text}");
}

#[test]
fn a_program_prints_the_json_of_the_command() {
    let folder = folder("export_answer");
    let text = export(&folder, &["climb", "--gradient", "--main", "[0.5, 3]"]).expect("it is exported");
    // The value of a gradient is that of the function, which nobody inlines.
    for expected in ["climb_gradient(x, n)", "climb(x, n)", r#"{\"arguments\":[\"x\",\"n\"],\"gradient\":["#]
    {
        assert!(text.contains(expected), "`{expected}` is not in\n{text}");
    }
    let rows = export(&folder, &["climb", "--jacobian", "--main", "[0.5, 3]"]).expect("it is exported");
    assert!(rows.contains("pub fn climb_jacobian(x: f64, n: usize) -> Vec<Vec<f64>> {"), "{rows}");
    let rows = export(&folder, &["climb", "--hessian", "--main", "[0.5, 3]"]).expect("it is exported");
    assert!(rows.contains("pub fn climb_hessian(x: f64, n: usize) -> Vec<Vec<f64>> {"), "{rows}");
    let with_null = export(&folder, &["climb", "--jvp", "--main", "[0.5, 3, 1.0, null]"]);
    assert_eq!(with_null, export(&folder, &["climb", "--jvp", "--main", "[0.5, 3, 1.0]"]));
    assert!(with_null.expect("it is exported").contains("answer(0.5, 3_usize, 1.0)"));
}

#[test]
fn attributes_that_make_derivatives_and_enums_called_result_are_no_obstacle() {
    let text = export(&folder("export_marked"), &["marked", "--main", "[0.5]"]).expect("it is exported");
    assert!(text.contains("pub enum Result2 {"), "{text}");
    assert!(!text.contains("returned an error"), "{text}");
    let text = export(&folder("export_wide"), &["wide", "--main", "[0.5]"]).expect("it is exported");
    assert!(text.contains(r#"{\"Wide\":"#), "{text}");
    assert_eq!(text.matches("= json_f64(").count(), 2, "{text}");
}

#[test]
fn a_function_may_be_called_as_a_helper_is() {
    let folder = folder("export_names");
    let text = export(&folder, &["climb", "--gradient", "--name", "mul_zero_if"]).expect("it is exported");
    for expected in [
        "pub fn mul_zero_if(x: f64, n: usize) -> f64 {",
        "fn mul_zero_if_helper<const STRONG: bool>(x: f64, y: f64) -> f64 {",
    ] {
        assert!(text.contains(expected), "`{expected}` is not in\n{text}");
    }
    let error = export(&folder, &["climb", "--name", "while"]).expect_err("it is a keyword");
    assert!(error.contains("no function can be called `while`"), "{error}");
}

#[test]
fn the_language_is_rust_c_or_that_of_kernels() {
    let folder = folder("export_language");
    let text = export(&folder, &["climb", "--gradient", "--language", "c", "--main", "[0.5, 3]"]);
    let text = text.expect("it is exported");
    assert!(text.contains("double climb_gradient(double x, size_t n) {"), "{text}");
    assert!(text.contains("/* 4: s = s * s + x; */"), "{text}");
    assert!(text.contains("call(0.5, 3)"), "{text}");
    let rust = export(&folder, &["climb", "--gradient", "--language", "rust"]);
    assert_eq!(rust, export(&folder, &["climb", "--gradient"]));
    let kernel = export(&folder, &["climb", "--gradient", "--language", "cuda"]).expect("it is exported");
    assert!(kernel.contains("extern \"C\" __global__ void overdub_kernel()"), "{kernel}");
    let kernel = export(&folder, &["climb", "--gradient", "--language", "opencl"]).expect("it is exported");
    assert!(kernel.contains("__kernel void overdub_kernel("), "{kernel}");
    for language in ["cuda", "opencl"] {
        let error = export(&folder, &["climb", "--language", language, "--main", "[0.5, 3]"])
            .expect_err("it runs elsewhere");
        assert!(error.contains("a kernel has no `main`"), "{error}");
    }
    let error = export(&folder, &["climb", "--language", "fortran"]).expect_err("there is no such language");
    assert!(error.contains("[possible values: rust, c, cuda, opencl]"), "{error}");
}

#[test]
fn failures_are_returned_if_asked() {
    let folder = folder("export_failures");
    let words = ["item", "--gradient", "--failures", "result"];
    let text = export(&folder, &words).expect("it is exported");
    for expected in [
        "pub fn item_gradient(x: &[f64], n: usize) -> Result<Vec<f64>, Failure> {",
        "impl std::error::Error for Failure {}",
        "climb.rs:21:5\"",
        ")?;",
    ] {
        assert!(text.contains(expected), "`{expected}` is not in\n{text}");
    }
    assert!(!text.contains("panic!"), "{text}");
    let panicking = export(&folder, &["item", "--failures", "panic"]);
    assert_eq!(panicking, export(&folder, &["item"]));
    assert!(!panicking.expect("it is exported").contains("Failure"));
    let error = export(&folder, &["item", "--failures", "result", "--language", "c"]);
    let error = error.expect_err("C has no such results");
    assert!(error.contains("the macro `OVERDUB_FAIL`"), "{error}");
}

#[test]
fn the_standard_library_is_not_needed_if_asked() {
    let folder = folder("export_no_std");
    let text = export(&folder, &["item", "--gradient", "--no-std"]).expect("it is exported");
    assert!(text.starts_with("extern crate alloc;\n\nuse alloc::vec;\nuse alloc::vec::Vec;\n"), "{text}");
    let error = export(&folder, &["item", "--no-std", "--language", "c"]).expect_err("C has its own");
    assert!(error.contains("only text in Rust does without its standard library"), "{error}");
}

#[test]
fn memory_is_that_of_the_caller_if_asked() {
    let folder = folder("export_into");
    let text = export(&folder, &["item", "--gradient", "--into", "--workspace"]).expect("it is exported");
    assert!(text.contains("pub fn item_gradient_into("), "{text}");
    assert!(text.contains(": &mut [f64]") && text.contains("workspace: &mut Workspace"), "{text}");
    for language in ["c", "cuda", "opencl"] {
        let error = export(&folder, &["item", "--into", "--language", language]);
        let error = error.expect_err("it has no such functions");
        assert!(
            error.contains("functions use memory of their callers in Rust")
                || error.contains("a kernel has no"),
            "{error}"
        );
    }
}

#[test]
fn a_function_of_numbers_runs_in_lanes_if_asked() {
    let folder = folder("export_lanes");
    let text = export(&folder, &["climb", "--jvp", "--wrt", "x", "--lanes", "32", "--fixed", "n"]);
    let text = text.expect("it is exported");
    assert!(text.contains("pub fn climb_jvp(x: f64, n: usize, dx: f64) -> (f64, f64) {"), "{text}");
    assert!(text.contains("pub fn climb_jvp_lanes("), "{text}");
    assert!(text.contains("for lane in 0..32 {") && text.contains("n: usize, dx: &[f64], "), "{text}");
    let error = export(&folder, &["climb", "--lanes", "--fixed", "m"]).expect_err("it has no `m`");
    assert!(error.contains("no function has a parameter `m`"), "{error}");
    let error = export(&folder, &["climb", "--lanes", "--language", "c"]).expect_err("C has no lanes");
    assert!(error.contains("functions run in lanes in Rust"), "{error}");
    let error =
        export(&folder, &["climb", "--lanes", "--language", "cuda"]).expect_err("a kernel has threads");
    assert!(error.contains("each is a thread"), "{error}");
}

#[test]
fn a_context_that_changes_nothing_is_no_obstacle() {
    let text = export(&folder("export_context"), &["climb", "--context", "swap:sin=cos"]);
    assert!(text.expect("it is exported").contains("pub fn climb(x: f64, n: usize) -> f64 {"));
}

#[test]
fn static_arguments_are_constants() {
    let folder = folder("export_static");
    let text = export(&folder, &["climb", "--gradient", "--static", "n=3", "--main", "[0.5]"]);
    let text = text.expect("it is exported");
    assert!(text.contains("/// The gradient of `climb` with respect to `x`. Here `n` is 3."), "{text}");
    assert!(text.contains("pub fn climb_gradient(x: f64) -> f64 {"), "{text}");
    assert!(text.contains("answer(0.5)") && !text.contains("for "), "{text}");
    let by_number = export(&folder, &["item", "--value-and-gradient", "--static", "0=[1.0, 2.0]"]);
    assert!(by_number.is_err_and(|error| error.contains("none of these arguments holds floats")));
    let value = export(&folder, &["item", "--static", "0=[1.0, 2.0]"]).expect("it is exported");
    assert!(value.contains("pub fn item(n: usize) -> f64 {"), "{value}");
    for (words, expected) in [
        (&["climb", "--static", "m=3"][..], "`climb` has no argument `m`"),
        (&["climb", "--static", "n"], "`--static n` has no value"),
        (&["climb", "--static", "n=1.5"], "argument `n`: expected an integer"),
        (&["climb", "--static", "n="], "is not JSON"),
        (&["climb", "--static", "n=1", "--static", "1=2"], "gives `n` two values"),
        (&["climb", "--gradient", "--static", "n=1", "--wrt", "n"], "`climb` has no argument `n`"),
        (&["changed", "--static", "x=[1.0]"], "`x` is a `&mut` parameter"),
    ] {
        let error = export(&folder, words).expect_err("it is refused");
        assert!(error.contains(expected), "`{expected}` is not in `{error}`");
    }
}

#[test]
fn bad_input_is_named() {
    let folder = folder("export_errors");
    for (words, expected) in [
        (&["climb", "--hvp", "--main", "[0.5, 3]"][..], "`climb_hvp` takes 3 arguments (x, n, dx), got 2"),
        (&["climb", "--main", "[\"a\", 3]"], "argument `x`: expected a number"),
        (&["climb", "--jvp", "--main", "[0.5, 3, []]"], "argument `dx`: expected a number"),
        (&["climb", "--gradient", "--wrt", "n"], "none of these arguments holds floats"),
        (&["climb", "--gradient", "--wrt", "y"], "`climb` has no argument `y`"),
        (&["climb", "--wrt", "x"], "required"),
        (&["climb", "--gradient", "--jvp"], "cannot be used with"),
        (&["steep"], "no function `steep`"),
        (&["shared"], "climb.rs:16:"),
        (&["shared", "--language", "c"], "climb.rs:"),
    ] {
        let error = export(&folder, words).expect_err("it is refused");
        assert!(error.contains(expected), "`{expected}` is not in `{error}`");
    }
}

#[test]
fn a_file_is_written_whole_or_stays_as_it_was() {
    let folder = folder("export_file");
    let path = folder.join("derivative.rs");
    let to = path.display().to_string();
    fs::write(&path, "before").expect("the file can be written");
    export(&folder, &["shared", "-o", &to]).expect_err("it is refused");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "before");
    assert_eq!(export(&folder, &["climb", "--gradient", "-o", &to]), Ok(String::new()));
    assert!(fs::read_to_string(&path).expect("it is there").starts_with("/// The gradient of `climb`"));
    let nowhere = folder.join("missing/file.rs").display().to_string();
    assert!(export(&folder, &["climb", "-o", &nowhere]).expect_err("there is no folder").contains("file.rs"));
}
