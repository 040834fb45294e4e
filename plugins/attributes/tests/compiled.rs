//! Crates with attributes, compiled by rustc: which features and files are read, and what is said of mistakes.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library of the attributes that was built last.
fn attributes() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().expect("it is in a folder");
    let entries = fs::read_dir(folder).expect("it can be read").flatten();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with(&format!("{DLL_PREFIX}overdub_attributes-")) && name.ends_with(DLL_SUFFIX)
    };
    let libraries = entries.map(|entry| entry.path()).filter(is_library);
    let changed = |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
    libraries.max_by_key(changed).expect("the attributes are built")
}

/// Writes files into the empty folder of a test.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attributes").join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder.canonicalize().expect("it is there")
}

/// Compiles a file of a package as cargo does.
fn rustc(package: &Path, root: &str, args: &[&str]) -> Output {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let attributes = format!("overdub_attributes={}", attributes().display());
    rustc.current_dir(package).env("CARGO_MANIFEST_DIR", package);
    rustc.args([
        "--crate-name",
        "model",
        "--edition",
        "2024",
        root,
        "--out-dir",
        "out",
        "--extern",
        &attributes,
    ]);
    rustc.args(args).output().expect("rustc can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const MANIFEST: &str = "[package]
name = \"model\"
edition = \"2024\"
[features]
default = [\"steep\"]
steep = []
[dependencies]
near = { path = \"../near\" }
";
const NEAR: &str = "pub fn bend(x: f64) -> f64 { x * x }\n";

/// What a lone file says that does not compile.
fn error(test: &str, source: &str) -> String {
    let manifest = "[package]\nname = \"model\"\nedition = \"2024\"\n";
    let package = folder(
        test,
        &[
            ("Cargo.toml", manifest),
            ("src/lib.rs", &format!("use overdub_attributes::*;\nmod other;\n{source}")),
            (
                "src/other.rs",
                "pub fn shared(x: f64) -> f64 {\n    let cell = std::rc::Rc::new(std::cell::Cell::new(x));\n    cell.set(missing(x));\n    cell.get()\n}\nfn missing(x: f64) -> f64 { unknown(x) }\n",
            ),
        ],
    );
    let output = rustc(&package, "src/lib.rs", &["--crate-type", "lib", "--emit", "metadata"]);
    assert!(!output.status.success(), "{source}");
    text(&output.stderr)
}

#[test]
fn the_features_that_are_on_and_other_crates_are_read() {
    let main = "use overdub_attributes::derivative;
mod model;
fn main() {
    println!(\"{:?} {:?}\", model::height_gradient(3.0), local_gradient(3.0));
}
/// Uses the library's neighbour, too.
#[derivative(gradient)]
fn local(x: f64) -> f64 { near::bend(x) + model::height(x) }
";
    let model = "use overdub_attributes::derivative;
#[cfg(feature = \"steep\")]
const SLOPE: f64 = 10.0;
#[cfg(not(feature = \"steep\"))]
const SLOPE: f64 = 1.0;
#[derivative(gradient)]
pub fn height(x: f64) -> f64 {
    SLOPE * near::bend(x)
}
";
    let all = folder(
        "features",
        &[
            ("model/Cargo.toml", MANIFEST),
            ("model/src/lib.rs", "pub mod model;\n"),
            ("model/src/main.rs", main),
            ("model/src/model.rs", model),
            ("near/Cargo.toml", "[package]\nname = \"near\"\nedition = \"2024\"\n"),
            ("near/src/lib.rs", NEAR),
        ],
    );
    let package = all.join("model");
    let mut lone = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    lone.current_dir(&package).args(["--edition", "2024", "--crate-type", "lib", "--out-dir", "out"]);
    let built = lone.args(["--crate-name", "near", "../near/src/lib.rs"]).output().expect("rustc can be run");
    assert!(built.status.success(), "{}", text(&built.stderr));
    let near = ["--extern", "near=out/libnear.rlib"];
    for (features, expected) in [(&["--cfg", "feature=\"steep\""][..], "60.0 66.0\n"), (&[], "6.0 12.0\n")] {
        let output = rustc(&package, "src/main.rs", &[&near[..], features].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let program = package.join("out").join(format!("model{}", std::env::consts::EXE_SUFFIX));
        let run = Command::new(program).output().expect("it can be run");
        assert_eq!(text(&run.stdout), expected);
    }
}

#[test]
fn what_cannot_be_differentiated_is_an_error_at_its_tokens() {
    for (number, (source, message, place)) in [
        (
            "#[derivative(gradient)]\npub fn f(x: f64) -> f64 {\n    x + unknown(x)\n}\n",
            "cannot find",
            "src/lib.rs:5:9",
        ),
        ("#[derivative(gradient)]\npub fn f(x: f64, n: usize) -> usize { n }\n", "`f` cannot be exported", "src/lib.rs:4:8"),
        (
            "#[derivative(gradient)]\npub fn f(x: f64) -> f64 { other::shared(x) }\n",
            "src/other.rs:6:29",
            "src/lib.rs:3:1",
        ),
        ("#[derivative(slope)]\npub fn f(x: f64) -> f64 { x }\n", "expected `gradient`", "src/lib.rs:3:14"),
        ("#[derivative]\npub fn f(x: f64) -> f64 { x }\n", "expected `gradient`", "src/lib.rs:3:1"),
        ("#[derivative(jacobian, sparse)]\npub fn f(x: f64) -> f64 { x }\n", "`overdub export --sparse` writes it", "src/lib.rs:3:24"),
        ("#[derivative(gradient, of = \"x\")]\npub fn f(x: f64) -> f64 { x }\n", "expected `wrt`", "src/lib.rs:3:24"),
        ("#[derivative(gradient, wrt = \"y\")]\npub fn f(x: f64) -> f64 { x }\n", "`f` has no argument `y`", "src/lib.rs:3:30"),
        ("#[derivative(gradient)]\npub struct F;\n", "stands on a function", "src/lib.rs:3:1"),
        ("pub struct F;\nimpl F {\n    #[derivative(gradient)]\n    pub fn f(&self, x: f64) -> f64 { x }\n}\n", "the function is not found", "src/lib.rs:5:5"),
        ("pub struct P { x: f64 }\n#[derivative(gradient)]\npub fn f(p: &P) -> f64 { p.x }\n", "`P` cannot be named in `crate::__f_gradient`: it is not `Copy`", "src/lib.rs:4:1"),
        ("pub fn g() {\n    #[derivative(gradient)]\n    fn f(x: f64) -> f64 { x }\n}\n", "is it in another function", "src/lib.rs:4:5"),
    ]
    .into_iter()
    .enumerate()
    {
        let found = error(&format!("error{number}"), source);
        assert!(found.contains(message), "`{message}` is not in\n{found}");
        assert!(found.contains(&format!("--> {place}")), "`{place}` is not in\n{found}");
    }
}

#[test]
fn activities_fit_the_signature() {
    for (number, (attribute, signature, message)) in [
        ("autodiff_reverse(df, Active)", "f(x: f64) -> f64 { x }", "expected 2 activities"),
        ("autodiff_reverse(df, Active, Active)", "f(x: f64) {}", "expected 1 activities"),
        ("autodiff_reverse(df, Active, Active)", "f(x: &f64) -> f64 { *x }", "passed by value"),
        (
            "autodiff_reverse(df, Duplicated, Active)",
            "f(x: f64) -> f64 { x }",
            "`Duplicated` is for references",
        ),
        ("autodiff_reverse(df, Dual, Active)", "f(x: f64) -> f64 { x }", "in reverse mode is"),
        ("autodiff_forward(df, Active, Dual)", "f(x: f64) -> f64 { x }", "in forward mode is"),
        ("autodiff_forward(df, Dual, Active)", "f(x: f64) -> f64 { x }", "the result in forward mode"),
        ("autodiff_forward(df, 4, Dual, Dual)", "f(x: f64) -> f64 { x }", "several directions"),
        ("autodiff_forward(df, Dualv, Dual)", "f(x: f64) -> f64 { x }", "several directions"),
        ("autodiff_forward(df, Double, Dual)", "f(x: f64) -> f64 { x }", "no activity"),
        (
            "autodiff_reverse(df, Duplicated, Active)",
            "f<T: Copy + Into<f64>>(x: &T) -> f64 { (*x).into() }",
            "type parameters",
        ),
        ("autodiff_reverse(df, Duplicated)", "f(x: *const f64) {}", "raw pointer"),
        (
            "autodiff_reverse(df, Duplicated, Active)",
            "f(x: &f64) -> Vec<f64> { vec![*x] }",
            "only a result that is a float",
        ),
        (
            "autodiff_reverse(df, Duplicated, Const)",
            "f(x: &f64) -> Vec<f64> { vec![*x] }",
            "a constant result",
        ),
        (
            "autodiff_reverse(df, Active, Duplicated)",
            "f(x: f64, y: &mut Vec<f64>) { y.push(x) }",
            "an output of type `Vec<f64>`",
        ),
        (
            "autodiff_reverse(df, Active, Active)",
            "f((x, _): (f64, f64), y: f64) -> f64 { x * y }",
            "expected 3 activities",
        ),
        (
            "autodiff_reverse(df, Const, Active, Active)",
            "f((x, _): (f64, f64), y: f64) -> f64 { x * y }",
            "have names",
        ),
        (
            "autodiff_reverse(df, Duplicated, Active)",
            "f(x: &Option<f64>) -> f64 { x.unwrap_or(1.0) }",
            "a shadow of type `Option<f64>`",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let found = error(&format!("activity{number}"), &format!("#[{attribute}]\npub fn {signature}\n"));
        assert!(found.contains(message), "`{message}` is not in\n{found}");
    }
}
