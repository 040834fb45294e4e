//! Which crate is read, which files that reads, and what is said if a function cannot be differentiated.

mod folder;

use std::path::{Path, PathBuf};

use folder::folder;
use overdub_build::{Cause, Derivatives, Failures, Function, LANES, Library, Package, Results};

const MANIFEST: &str = "[package]
name = \"model\"
edition = \"2024\"
[features]
default = [\"steep\"]
steep = []
curved = [\"ground/raised\"]
[dependencies]
ground = { path = \"../ground\" }
";
const LIB: &str = "pub mod slope;
#[path = \"../more/extra.rs\"]
pub mod extra;
#[cfg(any())]
mod unused;
pub const NOTES: &str = include_str!(\"notes.txt\");
include!(\"included.in\");
pub mod derivatives { include!(concat!(env!(\"OUT_DIR\"), \"/derivatives.rs\")); }
";
const SLOPE: &str = "#[cfg(feature = \"steep\")]
pub const SLOPE: f64 = 10.0;
#[cfg(not(feature = \"steep\"))]
pub const SLOPE: f64 = 1.0;
pub fn height(x: f64) -> f64 {
    SLOPE * x + ground::level(x)
}
pub fn shared(x: f64) -> f64 {
    let cells: Vec<std::rc::Rc<std::cell::Cell<f64>>> = (0..2).map(|_| std::rc::Rc::new(std::cell::Cell::new(x))).collect();
    cells[0].set(1.0);
    cells[1].get()
}
pub fn norm<T: Copy + std::ops::Mul<Output = T>>(x: T) -> T {
    x * x
}
pub fn first(x: &[f64]) -> f64 {
    x[0]
}
pub fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |y, _| y * x)
}
pub fn raise(x: &mut f64) {
    *x += 1.0;
}
";
const GROUND: &str =
    "pub fn level(x: f64) -> f64 { if cfg!(feature = \"raised\") { 100.0 * x } else { 0.0 } }\n";

#[test]
fn failures_are_results_if_asked() {
    let package = Package::open(&model("failures")).unwrap_or_else(|error| panic!("{error}"));
    let asked = Derivatives::new().gradient("slope::first");
    let text = asked.clone().failures(Failures::Result).text(&package);
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("pub fn first_gradient(x: &[f64]) -> Result<Vec<f64>, Failure> {"), "{text}");
    let text = asked.text(&package).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("pub fn first_gradient(x: &[f64]) -> Vec<f64> {"), "{text}");
}

#[test]
fn the_standard_library_is_not_needed_if_asked() {
    let package = Package::open(&model("no_std")).unwrap_or_else(|error| panic!("{error}"));
    let text = Derivatives::new().gradient("slope::first").library(Library::NoStd).text(&package);
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    assert!(text.starts_with("extern crate alloc;\n"), "{text}");
}

/// A crate with a dependency beside it.
fn model(test: &str) -> PathBuf {
    let ground = "[package]\nname = \"ground\"\nedition = \"2024\"\n[features]\nraised = []\n";
    let all = folder(
        &format!("package_{test}"),
        &[
            ("model/Cargo.toml", MANIFEST),
            ("model/src/lib.rs", LIB),
            ("model/src/slope.rs", SLOPE),
            ("model/more/extra.rs", "pub fn extra() {}\n"),
            ("model/src/unused.rs", "pub fn unused() {}\n"),
            ("model/src/notes.txt", "steep\n"),
            ("model/src/included.in", "pub const INCLUDED: f64 = 1.0;\n"),
            ("model/tests/all.rs", ""),
            ("ground/Cargo.toml", ground),
            ("ground/src/lib.rs", GROUND),
        ],
    );
    all.join("model")
}

fn slope_of(package: &Package) -> String {
    let height = package.loaded().function("slope::height").unwrap_or_else(|error| panic!("{error}"));
    let value = package.loaded().engine().run(height.symbol, vec![1.0.into()]);
    format!("{:?}", value.unwrap_or_else(|error| panic!("{error}")).as_f64())
}

#[test]
fn the_features_that_are_on_determine_the_source() {
    let folder = model("features");
    let scratch = folder.join("target/overdub");
    for (on, expected) in [
        (&["steep"][..], "Some(10.0)"),
        (&[], "Some(1.0)"),
        (&["curved"], "Some(101.0)"),
        (&["steep", "curved"], "Some(110.0)"),
    ] {
        let package = Package::with_features(&folder, |name| on.contains(&name), &scratch);
        assert_eq!(slope_of(&package.unwrap_or_else(|error| panic!("{error}"))), expected, "{on:?}");
    }
    assert_eq!(slope_of(&Package::open(&folder).unwrap_or_else(|error| panic!("{error}"))), "Some(10.0)");
}

#[test]
fn the_files_are_those_that_were_read() {
    let folder = model("files");
    let package = Package::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    let text = Derivatives::new().gradient("slope::height").text(&package);
    text.unwrap_or_else(|error| panic!("{error}"));
    let above = folder.parent().expect("it is in a folder");
    let files: Vec<String> = package
        .files()
        .iter()
        .filter_map(|path| path.strip_prefix(above).ok())
        .map(|path| path.display().to_string())
        .filter(|path| path != "model/Cargo.lock")
        .collect();
    let expected = [
        "ground/Cargo.toml",
        "ground/src/lib.rs",
        "model/Cargo.toml",
        "model/src/../more/extra.rs",
        "model/src/included.in",
        "model/src/lib.rs",
        "model/src/notes.txt",
        "model/src/slope.rs",
    ];
    assert_eq!(files, expected);
}

#[test]
fn messages_name_files_relative_to_the_package() {
    let package = Package::open(&model("messages")).unwrap_or_else(|error| panic!("{error}"));
    let text = Derivatives::new().value("slope::first").text(&package);
    assert!(text.unwrap_or_else(|error| panic!("{error}")).contains("\"src/slope.rs:17:5\""));
}

#[test]
fn types_and_names_are_chosen() {
    let package = Package::open(&model("chosen")).unwrap_or_else(|error| panic!("{error}"));
    let asked = Function::gradient("slope::norm").with_types("f32").named("slope_of_norm");
    let text = Derivatives::new().function(asked).gradient("slope::norm").text(&package);
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("pub fn slope_of_norm(x: f32) -> f32"), "{text}");
    assert!(text.contains("pub fn norm_gradient(x: f64) -> f64"), "{text}");
}

#[test]
fn static_arguments_are_constants() {
    let package = Package::open(&model("static")).unwrap_or_else(|error| panic!("{error}"));
    let asked = Function::gradient("slope::power").with_static("n", 3_usize);
    let text = Derivatives::new().function(asked).text(&package).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("with respect to `x`. Here `n` is 3_usize."), "{text}");
    assert!(text.contains("pub fn power_gradient(x: f64) -> f64 {") && !text.contains("for "), "{text}");
    for (asked, expected) in [
        (Function::gradient("slope::power").with_static("m", 3_usize), "`slope::power` has no argument `m`"),
        (
            Function::gradient("slope::power").with_static("n", 3_usize).with_static("n", 4_usize),
            "`n` of `slope::power` cannot be a constant: it has two values",
        ),
        (
            Function::value("slope::raise").with_static("x", 1.0),
            "`x` of `slope::raise` cannot be a constant: it has two values, or is a `&mut` parameter",
        ),
        (
            Function::gradient("slope::power").with_static("n", 3.0),
            "the static argument 1 of `slope::power` has type `f64`, and its parameter type `usize`",
        ),
    ] {
        let error = Derivatives::new().function(asked).text(&package).expect_err("it is refused").to_string();
        assert!(error.contains(expected), "`{expected}` is not in\n{error}");
    }
}

#[test]
fn what_is_wrong_is_named_at_its_place() {
    let package = Package::open(&model("wrong")).unwrap_or_else(|error| panic!("{error}"));
    for (derivatives, expected) in [
        (Derivatives::new().gradient("slope::shared"), "src/slope.rs:9:89"),
        (
            Derivatives::new().gradient("slope::hight"),
            "no function `slope::hight`\n |\n = help: there is `slope::height`",
        ),
        (
            Derivatives::new().function(Function::gradient("slope::height").with_respect_to(["y"])),
            "`slope::height` has no argument `y`\n |\n = help: its arguments are `x`",
        ),
        (
            Derivatives::new().gradient("slope::height").gradient("slope::height"),
            "two functions would be called `height_gradient`",
        ),
        (
            Derivatives::new().function(Function::gradient("slope::height").named("fn")),
            "no function can be called `fn` here",
        ),
        (
            Derivatives::new()
                .gradient("slope::height")
                .function(Function::gradient("slope::height").named("again")),
            "exported twice",
        ),
    ] {
        let error = derivatives.text(&package).expect_err("it is refused");
        assert!(error.to_string().contains(expected), "`{expected}` is not in\n{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

#[test]
fn a_source_that_is_no_rust_is_the_cause() {
    let folder = folder(
        "package_syntax",
        &[
            ("Cargo.toml", "[package]\nname = \"broken\"\nedition = \"2024\"\n"),
            ("src/lib.rs", "mod missing;\npub fn f(x: f64) -> f64 { x }\n"),
        ],
    );
    let package = Package::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    assert!(Derivatives::new().gradient("f").text(&package).is_ok());
    let error = Derivatives::new().gradient("missing::g").text(&package).expect_err("it is missing");
    assert!(matches!(error.cause(), Cause::Source(_)), "{error}");
    assert!(error.to_string().contains("src/lib.rs:1:"), "{error}");
    let nowhere = Package::open(&folder.join("nowhere")).expect_err("it is not there");
    assert!(nowhere.to_string().contains("nowhere"), "{nowhere}");
}

#[test]
fn only_build_scripts_write() {
    let error =
        Derivatives::new().gradient("f").to("elsewhere.rs").write().expect_err("there is no `OUT_DIR`");
    assert!(matches!(error.cause(), Cause::NotInBuildScript("OUT_DIR")), "{error}");
}

#[test]
fn vectors_are_written_to_slices_where_that_is_asked_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let package = Package::open(&folder.join("rosenbrock.rs")).unwrap_or_else(|error| panic!("{error}"));
    let into = Derivatives::new().results(Results::IntoSlices);
    let text = into.clone().gradient("rosenbrock").text(&package).expect("it has a gradient");
    assert!(text.contains("pub fn rosenbrock_gradient_into(x: &[f64], dx: &mut [f64]) {"), "{text}");
    let text = into.clone().workspace().gradient("rosenbrock").text(&package).expect("it has a gradient");
    assert!(text.contains("pub struct Workspace {}") && text.contains("workspace: &mut Workspace"), "{text}");
    let named = into.function(Function::gradient("rosenbrock").named("slope"));
    assert!(
        named
            .text(&package)
            .expect("it has a gradient")
            .contains("pub fn slope(x: &[f64], dx: &mut [f64]) {")
    );
}

#[test]
fn functions_run_in_lanes_where_that_is_asked_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let package = Package::open(&folder.join("rosenbrock.rs")).unwrap_or_else(|error| panic!("{error}"));
    let in_lanes = Derivatives::new().lanes(LANES, &["next"]).value("term").value_and_gradient("term");
    let text = in_lanes.text(&package).expect("it is arithmetic");
    assert!(text.contains("pub fn term_lanes(here: &[f64], next: f64, y: &mut [f64]) {"), "{text}");
    let head =
        "pub fn term_value_and_gradient_lanes(\n    here: &[f64],\n    next: f64,\n    y: &mut [f64],\n";
    assert!(text.contains(head), "{text}");
    let error =
        Derivatives::new().lanes(LANES, &["step"]).value("term").text(&package).expect_err("it has none");
    assert!(error.to_string().contains("no function has a parameter `step`"), "{error}");
}
