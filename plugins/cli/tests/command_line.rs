//! The command as a process: its inputs, names of arguments, help for shells, `--watch`, and where colors go.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value as Json, json};

const SOURCE: &str = "\
pub fn decayed(amount: f64, rate: f64, times: &[f64]) -> f64 {
    times.iter().map(|t| amount * (-rate * t).exp()).sum()
}
pub fn sum(xs: &[f64]) -> f64 { xs.iter().sum() }
";

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("command-line-{name}"));
    std::fs::create_dir_all(&folder).expect("it can be created");
    folder
}

fn source(name: &str) -> String {
    let path = folder(name).join("f.rs");
    std::fs::write(&path, SOURCE).expect("it can be written");
    path.display().to_string()
}

fn overdub(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn output(args: &[&str]) -> Output {
    overdub(args).output().expect("the command is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json_of(bytes: &[u8]) -> Json {
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {}", text(bytes)))
}

fn with_input(args: &[&str], input: &str) -> Output {
    let command = &mut overdub(args);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command is there");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn arguments_come_from_the_line_from_files_and_from_the_standard_input() {
    let f = source("inputs");
    let csv = folder("inputs").join("xs.csv");
    std::fs::write(&csv, "1\n2\n3.5\n").expect("it can be written");
    let csv = csv.display().to_string();
    assert_eq!(text(&output(&["run", &f, "sum", "[[1, 2, 3.5]]"]).stdout), "6.5\n");
    assert_eq!(text(&output(&["run", &f, "sum", &format!("[\"@{csv}\"]")]).stdout), "6.5\n");
    assert_eq!(text(&output(&["run", &f, "sum", &format!("@{csv}")]).stdout), "6.5\n");
    assert_eq!(text(&with_input(&["run", &f, "sum", "-"], "[[1, 2, 3.5]]").stdout), "6.5\n");
    assert_eq!(
        text(&output(&["run", &f, "decayed", "-2", "0", "[1, 3]", "--json"]).stdout),
        "{\"value\":-4.0}\n"
    );
    assert_eq!(text(&output(&["run", &f, "decayed", "2", "0", &format!("@{csv}")]).stdout), "6.0\n");
    assert_eq!(text(&output(&["run", &f, "decayed", "-5e-1", "-0.0", "[1]"]).stdout), "-0.5\n");
    let refused = with_input(&["run", &f, "sum", "-"], "[[1, 2");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the arguments are not JSON"), "{}", text(&refused.stderr));
}

#[test]
fn arguments_that_are_differentiated_are_named() {
    let f = source("names");
    let grad = |wrt: &str| {
        json_of(&output(&["grad", &f, "decayed", "[2, 0, [1, 3]]", "--wrt", wrt, "--json"]).stdout)
    };
    assert_eq!(grad("rate")["gradient"], json!([null, -8.0, null]));
    assert_eq!(grad("rate"), grad("1"));
    let one_by_one = output(&["grad", &f, "decayed", "2", "0", "[1, 3]", "--wrt", "rate", "--json"]);
    assert_eq!(json_of(&one_by_one.stdout), grad("rate"));
    let vjp = output(&["vjp", &f, "decayed", "[2, 0, [1, 3]]", "2", "--wrt", "rate", "--json"]);
    assert_eq!(json_of(&vjp.stdout)["cotangents"], json!([null, -16.0, null]));
    assert_eq!(grad("times,amount")["gradient"], grad("amount,times")["gradient"]);
    let matrix = |command: &str, flags: &[&str]| {
        let args =
            [&[command, &f, "decayed", "[2, 0, [1, 3]]", "--wrt", "amount,rate", "--json"], flags].concat();
        json_of(&output(&args).stdout)
    };
    assert_eq!(matrix("jacobian", &[])["jacobian"], json!([[2.0, -8.0]]));
    assert_eq!(matrix("jacobian", &["--sparse"])["jacobian"]["entries"], json!([[0, 0, 2.0], [0, 1, -8.0]]));
    let hessian = matrix("hessian", &[]);
    assert_eq!(hessian["gradient"], json!([2.0, -8.0]));
    assert_eq!(hessian["hessian"], json!([[0.0, -4.0], [-4.0, 20.0]]));
    let pulled =
        json_of(&output(&["vjp", &f, "decayed", "[2, 0, [1, 3]]", "1", "--wrt", "rate", "--json"]).stdout);
    assert_eq!(pulled["cotangents"], json!([null, -8.0, null]));
    let refused = output(&["grad", &f, "decayed", "[2, 0, [1]]", "--wrt", "speed"]);
    assert_eq!(refused.status.code(), Some(2));
    let error = text(&refused.stderr);
    assert!(error.contains("`decayed` has no argument `speed`"), "{error}");
    assert!(error.contains("its arguments are `amount` (0), `rate` (1), `times` (2)"), "{error}");
}

#[test]
fn an_array_that_should_be_in_an_array_is_refused_with_advice() {
    let error = text(&output(&["run", &source("advice"), "sum", "[1, 2]"]).stderr);
    assert!(error.contains("takes 1 argument (xs: &[f64]), got 2"), "{error}");
    assert!(error.contains("write an array in an array"), "{error}");
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let help = text(&output(&["--help"]).stdout);
    // Longer descriptions go on in lines that are further to the right.
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands = lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 15, "{names:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&output(&["completions", shell]).stdout);
        let missing: Vec<_> = names.iter().filter(|name| !script.contains(**name)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
        assert!(script.contains("language"), "{shell}");
    }
    let pages = folder("manual");
    let written = text(&output(&["man", "--out", &pages.display().to_string()]).stdout);
    assert_eq!(written.lines().count(), names.len() + 1);
    for name in names {
        let page = std::fs::read_to_string(pages.join(format!("overdub-{name}.1"))).expect("it has a page");
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
}

#[test]
fn contexts_and_functions_are_listed() {
    let all = json_of(&output(&["contexts", "--json"]).stdout);
    let names: Vec<&str> = all["contexts"]
        .as_array()
        .expect("it is a list")
        .iter()
        .filter_map(|context| context["name"].as_str())
        .collect();
    let f = source("lists");
    for name in names {
        let name = name.replace("CALLED=INSTEAD", "mul=add").replace("FUNCTION", "sum");
        let shown = output(&["ir", &f, "sum", "--context", &name]);
        assert!(shown.status.success(), "{name}: {}", text(&shown.stderr));
    }
    let listed = text(&output(&["list", &f]).stdout);
    assert!(listed.contains("decayed(amount: f64, rate: f64, times: &[f64]) -> f64"), "{listed}");
}

#[test]
fn a_wrong_command_line_is_an_error_object_with_json() {
    let wrong = output(&["grad", "--json"]);
    assert_eq!(wrong.status.code(), Some(2));
    let error = json_of(&wrong.stdout);
    let message = error["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("required arguments were not provided"), "{error}");
}

#[test]
fn colors_are_for_terminals_unless_asked_for() {
    let f = source("colors");
    let line = ["run", &*f, "none", "[]"];
    let plain = output(&line).stderr;
    assert!(text(&plain).starts_with("error: "), "{}", text(&plain));
    let forced = overdub(&line).env("CLICOLOR_FORCE", "1").output().expect("it runs");
    assert!(forced.stderr.contains(&0x1b));
    let none = overdub(&line).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().expect("it runs");
    assert_eq!(none.stderr, plain);
}

/// A child that is killed when the test ends.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn a_watched_command_runs_again_when_its_source_changes() {
    let f = source("watch");
    let mut command = overdub(&["run", &f, "sum", "[[1, 2]]", "--watch"]);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Killed(piped.spawn().expect("the command is there"));
    let mut lines = BufReader::new(child.0.stdout.take().expect("it is piped")).lines();
    let mut next = || lines.next().expect("it goes on").expect("it prints text");
    assert_eq!(next(), "3.0");
    std::fs::write(&f, "pub fn sum(xs: &[f64]) -> f64 { 2.0 * xs.iter().sum::<f64>() }")
        .expect("it is written");
    assert_eq!(next(), "6.0");
    // An error does not end it.
    std::fs::write(&f, "pub fn sum(xs: &[f64]) -> f64 { 2.0 * }").expect("it is written");
    std::thread::sleep(std::time::Duration::from_millis(900));
    std::fs::write(&f, "pub fn sum(xs: &[f64]) -> f64 { 3.0 * xs.iter().sum::<f64>() }")
        .expect("it is written");
    assert_eq!(next(), "9.0");
}

#[test]
fn a_watched_map_runs_again_when_its_inputs_change() {
    let (f, inputs) = (source("watch-map"), folder("watch-map").join("inputs.json"));
    let name = inputs.display().to_string();
    std::fs::write(&inputs, "[[[1, 2]]]").expect("it is written");
    let mut command = overdub(&["map", &f, "sum", "--inputs", &name, "--watch"]);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Killed(piped.spawn().expect("the command is there"));
    let mut lines = BufReader::new(child.0.stdout.take().expect("it is piped")).lines();
    let mut next = || lines.next().expect("it goes on").expect("it prints text");
    assert_eq!(next(), "3.0");
    std::fs::write(&inputs, "[[[1, 2, 4]]]").expect("it is written");
    assert_eq!(next(), "7.0");
    let once = output(&["map", &f, "sum", "--inputs", "-", "--watch"]);
    assert_eq!(once.status.code(), Some(2));
    assert!(text(&once.stderr).contains("can be read only once"), "{}", text(&once.stderr));
}
