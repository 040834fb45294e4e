//! Limits, Ctrl-C and closed pipes, by the command as a process.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

const BACKENDS: &[&str] = if cfg!(has_native) { &["interp", "native", "auto"] } else { &["interp"] };

fn overdub(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command
}

/// The commands that run a program with one list of arguments.
const COMMANDS: [&str; 11] =
    ["run", "count", "nan", "trace", "grad", "jvp", "vjp", "jacobian", "hessian", "tape", "blame"];

/// The arguments of a command for a function of one number.
fn call<'a>(command: &'a str, program: &'a str, function: &'a str) -> Vec<&'a str> {
    let mut args = vec![command, program, function, "[1.0]"];
    args.extend((command == "jvp").then_some("[1.0]"));
    args
}

fn program() -> String {
    format!("{}/tests/programs/endless.rs", env!("CARGO_MANIFEST_DIR"))
}

fn output(args: &[&str]) -> Output {
    overdub(args).output().expect("the command is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The last line of the standard output, as JSON, of a command that hits a limit.
fn stopped(args: &[&str]) -> Json {
    let Output { status, stdout, stderr } = output(args);
    assert_eq!(status.code(), Some(3), "{args:?}: {} {}", text(&stdout), text(&stderr));
    assert!(text(&stderr).starts_with("error: "), "{args:?}: {}", text(&stderr));
    let last = text(&stdout).lines().last().unwrap_or_default().to_owned();
    serde_json::from_str(&last).unwrap_or_else(|error| panic!("{args:?}: {error}: {last}"))
}

#[test]
fn each_command_that_runs_a_program_is_stopped_by_a_limit_of_time() {
    let program = program();
    let stops = |backend: &str| {
        let backend = &["--backend", backend, "--time-limit", "1500ms", "--json"];
        for command in COMMANDS {
            let json = stopped(&[&call(command, &program, "spin")[..], backend].concat());
            let limit = &json["error"]["limit"];
            assert_eq!(
                (&limit["name"], &limit["value"]),
                (&"time".into(), &1.5.into()),
                "{command} by {backend:?}: {json}"
            );
        }
    };
    // Each command runs until its limit, so they run side by side.
    std::thread::scope(|scope| {
        for backend in BACKENDS {
            scope.spawn(|| stops(backend));
        }
    });
    let check = ["check", &program, "spin", "--domain", "[[0, 1]]", "--time-limit", "1500ms", "--json"];
    assert_eq!(stopped(&check)["error"]["limit"]["name"], "time");
}

#[test]
fn each_command_that_runs_a_program_is_stopped_by_limits_of_steps_memory_and_depth() {
    let program = program();
    let limits = [
        ("steps", "spin", ["--step-limit", "100000"]),
        ("memory", "grow", ["--memory-limit", "2MB"]),
        ("depth", "sines", ["--depth-limit", "20"]),
    ];
    let is_stopped = |backend: &str| {
        for command in COMMANDS {
            for (name, function, limit) in limits {
                let args =
                    [&call(command, &program, function)[..], &["--backend", backend, "--json"], &limit];
                let json = stopped(&args.concat());
                assert_eq!(json["error"]["limit"]["name"], name, "{command} by {backend}: {json}");
            }
        }
    };
    std::thread::scope(|scope| {
        for backend in BACKENDS {
            scope.spawn(|| is_stopped(backend));
        }
    });
}

#[test]
fn steps_memory_and_depth_are_limited_by_each_backend() {
    let program = program();
    for backend in BACKENDS {
        let message = |function: &str, args: &str, limit: &[&str]| {
            let line = ["run", &program, function, args, "--backend", backend, "--json"];
            let json = stopped(&[&line[..], limit].concat());
            assert!(json["error"]["at"].as_str().is_some_and(|at| at.contains("endless.rs")), "{json}");
            (json["error"]["limit"]["name"].clone(), json["error"]["limit"]["value"].clone())
        };
        assert_eq!(
            message("spin", "[1.0]", &["--step-limit", "100000"]),
            ("steps".into(), 100_000.into()),
            "{backend}"
        );
        assert_eq!(
            message("grow", "[1.0]", &["--memory-limit", "16MB"]),
            ("memory".into(), 16_000_000.into()),
            "{backend}"
        );
        assert_eq!(
            message("down", "[1000]", &["--depth-limit", "100"]),
            ("depth".into(), 100.into()),
            "{backend}"
        );
        let deep = ["run", &program, "down", "[100000]", "--backend", backend];
        assert_eq!(text(&output(&deep).stdout), "100000\n", "{backend}");
    }
}

#[test]
fn a_limit_that_is_no_limit_is_exit_status_two() {
    let program = program();
    for limit in [["--time-limit", "soon"], ["--memory-limit", "much"], ["--step-limit", "-1"]] {
        let args = [&["run", &program, "spin", "[-1.0]"][..], &limit].concat();
        assert_eq!(output(&args).status.code(), Some(2), "{limit:?}");
    }
}

fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().expect("there is `kill`");
    assert!(sent.success());
}

/// Waits for the end of a process, at most this long.
fn ended(child: &mut Child, most: Duration) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < most {
        if let Some(status) = child.try_wait().expect("it is our own") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it is our own");
    panic!("it does not end");
}

#[test]
fn an_interrupt_ends_the_command_with_130_whatever_it_does() {
    let program = program();
    let is_interrupted = |args: &[&str], wait: u64| {
        let mut child = overdub(args).spawn().expect("the command is there");
        std::thread::sleep(Duration::from_millis(wait));
        interrupt(&child);
        let start = Instant::now();
        let status = ended(&mut child, Duration::from_secs(10));
        // Before the handler is set, the system ends the process.
        assert!(status == Some(130) || (wait == 50 && status.is_none()), "{args:?}, {wait}: {status:?}");
        assert!(start.elapsed() < Duration::from_secs(3), "{args:?}: {:?}", start.elapsed());
        let mut said = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
        assert_eq!(said, "", "{args:?}, {wait}");
    };
    for backend in BACKENDS {
        // From reading the source to the middle of the run.
        for wait in [50, 400, 2500] {
            is_interrupted(&["run", &program, "spin", "[1.0]", "--backend", backend], wait);
        }
        for command in COMMANDS {
            is_interrupted(&[&call(command, &program, "spin")[..], &["--backend", backend]].concat(), 400);
        }
    }
    is_interrupted(&["check", &program, "spin", "--domain", "[[0, 1]]"], 400);
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let program = program();
    for backend in BACKENDS {
        let mut child =
            overdub(&["run", &program, "print", "--backend", backend]).spawn().expect("the command is there");
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
        lines.read_line(&mut line).expect("it prints");
        assert_eq!(line, "line 0\n");
        drop(lines);
        assert_eq!(ended(&mut child, Duration::from_secs(10)), Some(0), "{backend}");
        let mut said = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
        assert_eq!(said, "", "{backend}");
    }
    // Output of the command itself.
    for args in [&["list", &program][..], &["trace", &program, "down", "[300]"], &["ir", &program, "spin"]] {
        let mut child = overdub(args).spawn().expect("the command is there");
        drop(child.stdout.take());
        assert_eq!(ended(&mut child, Duration::from_secs(20)), Some(0), "{args:?}");
        let mut said = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
        assert_eq!(said, "", "{args:?}");
    }
}

#[test]
fn a_stack_that_overflows_without_a_limit_set_is_a_failure_like_others() {
    let Output { status, stderr, .. } = output(&["run", &program(), "down", "[100000000]"]);
    assert!(text(&stderr).starts_with("error: stack overflow"), "{}", text(&stderr));
    assert_eq!(status.code(), Some(1));
}
