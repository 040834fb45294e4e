//! A crate whose build script writes derivatives, built by cargo.

mod folder;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use folder::folder;
use overdub_ad::GradientRoute;
use overdub_build::Package;
use overdub_context::value::Value;

const BUILD: &str = "fn main() -> Result<(), overdub_build::Error> {
    overdub_build::Derivatives::new()
        .value(\"model::loss\")
        .gradient(\"model::loss\")
        .jvp(\"model::loss\")
        .types_by_path()
        .to(\"made/loss.rs\")
        .write()
}
";
const MAIN: &str = "mod model;
mod derivatives {
    include!(concat!(env!(\"OUT_DIR\"), \"/made/loss.rs\"));
}
fn main() {
    let (line, xs) = (model::Line { slope: 0.5, offset: 0.25 }, vec![1.0, 2.0, 4.0]);
    let ((dslope, doffset), dxs) = derivatives::loss_gradient(line, &xs);
    assert_eq!(derivatives::loss(line, &xs), model::loss(&line, &xs));
    // Against differences, along a direction and for each argument.
    let h = 1e-6;
    let moved = |by: f64| {
        let line = model::Line { slope: line.slope + by, offset: line.offset - 2.0 * by };
        let xs: Vec<f64> = xs.iter().map(|x| x + 3.0 * by).collect();
        model::loss(&line, &xs)
    };
    let difference = (moved(h) - moved(-h)) / (2.0 * h);
    let product = dslope - 2.0 * doffset + 3.0 * dxs.iter().sum::<f64>();
    assert!((difference - product).abs() < 1e-7, \"{difference} {product}\");
    let (_, tangent) = derivatives::loss_jvp(line, &xs, (1.0, -2.0), &[3.0; 3]);
    assert!((difference - tangent).abs() < 1e-7, \"{difference} {tangent}\");
    println!(\"{:?}\", [dslope, doffset, dxs[0], dxs[1], dxs[2]]);
}
";
const MODEL: &str = "/// A line.
#[derive(Clone, Copy)]
pub struct Line {
    pub slope: f64,
    pub offset: f64,
}

pub fn loss(line: &Line, xs: &[f64]) -> f64 {
    xs.iter().map(|x| near::bend(line.slope * x + line.offset)).sum()
}
";
const NEAR: &str = "pub fn bend(x: f64) -> f64 { (x * x).sin() }\n";

/// A crate and one that it depends on.
fn project(test: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = fs::read_to_string(root.join("Cargo.toml")).expect("there is a workspace");
    // With the profiles of the workspace, what it built is not built again. Its own packages are, since they have other
    // features here: that takes half the time where they are not optimised.
    let profiles = workspace.split("\n[").filter(|table| table.starts_with("profile.dev"));
    let lines = profiles.flat_map(|table| format!("[{table}").lines().map(str::to_owned).collect::<Vec<_>>());
    let profiles: String =
        lines.filter(|line| !line.starts_with("overdub-")).map(|line| line + "\n").collect();
    let manifest = format!(
        "[package]\nname = \"project\"\nedition = \"2024\"\n[features]\nextra = []\n[dependencies]\nnear = {{ path = \"../near\" }}\n\
         [build-dependencies]\noverdub-build = {{ path = {:?} }}\n[workspace]\n{profiles}",
        env!("CARGO_MANIFEST_DIR")
    );
    let lock = fs::read_to_string(root.join("Cargo.lock")).expect("the workspace is locked");
    let all = folder(
        test,
        &[
            ("project/Cargo.toml", &manifest),
            ("project/Cargo.lock", &lock),
            ("project/build.rs", BUILD),
            ("project/src/main.rs", MAIN),
            ("project/src/model.rs", MODEL),
            ("near/Cargo.toml", "[package]\nname = \"near\"\nedition = \"2024\"\n"),
            ("near/src/lib.rs", NEAR),
        ],
    );
    all.join("project")
}

fn cargo(project: &Path, args: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project).env("CARGO_TARGET_DIR", target).args(args).arg("--offline");
    cargo.output().expect("cargo can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Waits until a file that is written now is newer than what was built, in the steps of the file system.
fn pass_time() {
    std::thread::sleep(std::time::Duration::from_millis(1100));
}

#[test]
fn a_build_script_writes_derivatives_that_are_made_again_when_their_source_changes() {
    let project = project("cargo");
    // What is computed is what the command `overdub grad` computes.
    let run = cargo(&project, &["run", "-v"]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let package = Package::open(&project).unwrap_or_else(|error| panic!("{error}"));
    let loss = package.loaded().function("model::loss").unwrap_or_else(|error| panic!("{error}"));
    let engine = package.loaded().engine();
    let route = GradientRoute::new(&engine, loss.symbol, loss.ir_ret, &|_| true);
    let line = Value::tuple([0.5.into(), 0.25.into()]);
    let xs = Value::floats(vec![1.0, 2.0, 4.0]);
    let (_, gradient) = route.run(vec![line, xs]).unwrap_or_else(|error| panic!("{error:?}"));
    let floats: Vec<f64> = gradient.iter().flat_map(overdub_ad::flatten::floats).collect();
    assert_eq!(text(&run.stdout), format!("{floats:?}\n"));

    // Nothing changed.
    let again = cargo(&project, &["build", "-v"]);
    assert!(!text(&again.stderr).contains("Running"), "{}", text(&again.stderr));

    // A file that was read changed, but not what is written: only what it is a source of is compiled.
    pass_time();
    let near = project.with_file_name("near");
    fs::write(near.join("src/lib.rs"), NEAR.replace("{ (", "{ /* bent */ (")).expect("it can be written");
    let touched = cargo(&project, &["build", "-v"]);
    assert!(text(&touched.stderr).contains("build-script-build`"), "{}", text(&touched.stderr));

    // A file that was not read changed.
    pass_time();
    fs::write(project.join("notes.txt"), "").expect("it can be written");
    let other = cargo(&project, &["build", "-v"]);
    assert!(!text(&other.stderr).contains("Running"), "{}", text(&other.stderr));

    // What cannot be differentiated is said once, with its line.
    pass_time();
    let broken = MODEL.replace(".sum()", ".sum::<f64>() + near::missing(1.0)");
    fs::write(project.join("src/model.rs"), broken).expect("it can be written");
    let failed = cargo(&project, &["build"]);
    let message = text(&failed.stderr);
    assert!(!failed.status.success(), "{message}");
    assert!(message.contains("--- stderr\n  Error: "), "{message}");
    assert!(message.contains("  --> src/model.rs:9:"), "{message}");
    assert!(!message.contains("rerun-if-changed"), "{message}");
    assert_eq!(message.matches("src/model.rs:9:").count(), 1, "{message}");
    // It is tried again, and nothing is left of it.
    assert!(!cargo(&project, &["build"]).status.success());
    fs::write(project.join("src/model.rs"), MODEL).expect("it can be written");
    let mended = cargo(&project, &["run", "--features", "extra"]);
    assert_eq!(text(&mended.stdout), text(&run.stdout), "{}", text(&mended.stderr));
}
