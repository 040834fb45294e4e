//! `overdub debug` with files of commands, and their answers; `overdub dap` as seen by editors.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

mod terminal;

use clap::Parser;
use overdub_cli::args::Cli;
use serde_json::{Value as Json, json};

fn answers(name: &str, more: &[&str], commands: &str) -> String {
    answers_of(("sum", "[3]"), name, more, commands)
}

/// The answers to commands about a call.
fn answers_of((function, given): (&str, &str), name: &str, more: &[&str], commands: &str) -> String {
    let file = std::env::temp_dir().join(format!("overdub_debug_{}_{name}", std::process::id()));
    std::fs::write(&file, commands).expect("the folder takes files");
    let program = format!("{}/tests/programs/sums.rs", env!("CARGO_MANIFEST_DIR"));
    let path = file.to_string_lossy().into_owned();
    let mut args = vec!["overdub", "debug", &program, function, given, "--commands", &path];
    args.extend(more);
    let cli = Cli::try_parse_from(args).expect("the command line is right");
    let mut out = Vec::new();
    overdub_cli::run(&cli, &mut out).expect("the commands can be carried out");
    std::fs::remove_file(&file).expect("it was written");
    String::from_utf8(out).expect("answers are text")
}

fn objects(name: &str, more: &[&str], commands: &str) -> Vec<Json> {
    let text = answers(name, &[more, &["--json"]].concat(), commands);
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn each_command_answers_one_object_on_a_line() {
    let commands =
        "# a comment\nbreak sums.rs:16 if i == 1\nrun\nlocals\nprint s + 1.0\nset s = 10.0\ncontinue\n";
    let answers = objects("objects", &[], commands);
    assert_eq!(answers.len(), 6, "{answers:#?}");
    assert_eq!(answers[0]["breakpoint"], 1);
    let stopped = &answers[1]["stopped"];
    assert_eq!((&stopped["reason"], &stopped["line"]), (&json!("breakpoint"), &json!(16)), "{stopped}");
    assert_eq!(answers[2]["locals"]["i"], 1);
    assert_eq!(answers[2]["locals"]["xs"], json!([0.0, 0.0, 0.0]));
    assert_eq!(answers[3], json!({ "value": 1.0 }));
    assert_eq!(answers[4], json!({ "done": true }));
    let value = answers[5]["exited"]["value"].as_f64().expect("it ended");
    assert_eq!(value, (13.0_f64 * 13.0 + 16.0).sqrt());
}

#[test]
fn a_derivative_is_debugged_in_both_sweeps() {
    let call = ("halved_norm", "[3.0, 4.0]");
    let commands = "break sums.rs:8\nrun\nup\nlocals\ncontinue\nup\nlocals\ncontinue\n";
    let parse = |text: String| -> Vec<Json> {
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    };
    let gradient = ["--json", "--derivative", "gradient"];
    let answers = parse(answers_of(call, "gradient", &gradient, commands));
    assert_eq!(
        (&answers[1]["stopped"]["sweep"], &answers[4]["stopped"]["sweep"]),
        (&json!("forward"), &json!("reverse"))
    );
    assert_eq!(answers[3], json!({ "locals": { "x": 3.0, "y": 4.0, "p": { "x": 3.0, "y": 4.0 } } }));
    assert_eq!(answers[6]["cotangents"]["p"], json!({ "x": 0.30000000000000004, "y": 0.4 }));
    assert_eq!(answers[7], json!({ "exited": { "value": 2.5, "gradient": [0.30000000000000004, 0.4] } }));
    let jvp = ["--json", "--derivative", "jvp", "--tangents", "[1, 0]"];
    let answers = parse(answers_of(call, "jvp", &jvp, commands));
    assert_eq!(answers[3]["tangents"]["p"], json!({ "x": 1.0, "y": 0.0 }));
    assert_eq!(answers[4], json!({ "exited": { "value": 2.5, "tangent": 0.30000000000000004 } }));
}

#[test]
fn arrays_are_told_in_short() {
    let commands = "break sums.rs:18\nrun\nsummary xs\nhistogram xs\nsummary s\nhelp summary\n";
    let answers = objects("summary", &[], commands);
    let summary =
        json!({ "type": "f64", "shape": [3], "min": 0.0, "max": 2.0, "mean": 1.0, "nan": 0, "infinite": 0 });
    assert_eq!(answers[2]["summary"], summary);
    assert_eq!(answers[3]["histogram"]["counts"].as_array().map(Vec::len), Some(20));
    assert_eq!(answers[4]["error"], "`s` is no array of finite numbers");
    assert!(answers[5]["help"].as_str().is_some_and(|help| help.contains("range and mean")));
}

#[test]
fn all_commands_of_a_script_are_known() {
    let commands = "break norm\nrun\nargs\nprint self.norm() * 2.0\nbacktrace\nup\nprint p.norm()\nlocals\ndown\nlist\n\
                    finish\nback\nreverse-finish\ninfo breakpoints\ninfo history\ndelete 1\ncatch nan\ncatch inf\n\
                    catch failure\nwatch s\nreverse-continue\nlast-write xs[1]\ngoto 0\nnext\nstep\nuntil 18\n\
                    reverse-next\ntbreak sum\nlogpoint sums.rs:16 \"i = {i}\"\ncontinue\nquit\nprint 1\n";
    let answers = objects("all", &[], commands);
    let errors: Vec<&Json> = answers.iter().filter(|answer| answer.get("error").is_some()).collect();
    assert!(errors.is_empty(), "{answers:#?}");
    assert_eq!(answers[3], json!({ "value": 10.0 }));
    assert_eq!(answers[6], json!({ "value": 5.0 }));
    assert_eq!(answers[4]["frames"].as_array().map(Vec::len), Some(2));
    assert_eq!(answers[21]["stopped"]["line"], 16, "{:#?}", answers[21]);
}

#[test]
fn what_cannot_be_done_is_an_error_and_the_next_command_goes_on() {
    let commands = "nonsense\nbreak nowhere\nbreak sums.rs:999\nprint +\nframe 7\nrun\ncontinue\nback\n";
    let answers = objects("errors", &["--break-at-entry"], commands);
    assert_eq!(answers[0]["stopped"]["reason"], "entry");
    for answer in answers[1..6].iter().chain([&answers[7]]) {
        assert!(answer["error"].is_string(), "{answers:#?}");
    }
    assert_eq!(answers[6]["exited"]["value"], 5.0);
    assert_eq!(answers[8]["stopped"]["reason"], "step");
}

#[test]
fn the_same_script_gives_the_same_text() {
    let commands = "break sum\nrun\nnext\nnext\nlocals\nbacktrace\nlist\ncontinue\n";
    let text = answers("text", &[], commands);
    assert_eq!(text, answers("again", &[], commands));
    assert!(text.contains("xs = [0.0, 0.0, 0.0]\n"), "{text}");
    assert!(text.ends_with("exited: 5.0\n"), "{text}");
}

#[test]
fn the_end_of_a_run_is_told_as_run_tells_it() {
    let ends = |given| answers_of(("halved", given), "end", &["--json"], "run\n");
    assert_eq!(ends("[3.0, [0.0]]"), "{\"exited\":{\"mutated\":{\"out\":[1.5]},\"value\":1.5}}\n");
    let error = "{\"exited\":{\"error\":\"`halved` returned an error: \\\"it is negative\\\"\"}}\n";
    assert_eq!(ends("[-3.0, [0.0]]"), error);
}

/// A message of the Debug Adapter Protocol.
fn message(seq: u32, command: &str, arguments: &Json) -> String {
    let request = json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
    let body = request.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// A server that ends with its test.
struct Server(Child);

impl Server {
    fn start(args: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
        let command = command.arg("dap").args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        Server(command.spawn().expect("it starts"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The messages of a client that runs a function.
fn session(function: &str, args: &Json) -> String {
    let program = format!("{}/tests/programs/sums.rs", env!("CARGO_MANIFEST_DIR"));
    let launch = json!({ "source": program, "function": function, "args": args });
    message(1, "initialize", &json!({ "adapterID": "overdub" }))
        + &message(2, "launch", &launch)
        + &message(3, "configurationDone", &Json::Null)
}

/// The output of a server up to a text.
fn until(from: &mut impl Read, last: &str) -> String {
    let (mut all, mut some) = (String::new(), [0; 4096]);
    while !all.contains(last) {
        let read = from.read(&mut some).expect("it can be read");
        assert!(read > 0, "no `{last}` in {all}");
        all += &String::from_utf8_lossy(&some[..read]);
    }
    all
}

#[test]
fn an_editor_launches_functions_with_the_arguments_of_the_command_line() {
    let mut server = Server::start(&[]);
    let mut to = server.0.stdin.take().expect("it is a pipe");
    let mut from = server.0.stdout.take().expect("it is a pipe");
    to.write_all(session("halved", &json!([3.0, [0.0, 2.0]])).as_bytes()).expect("it reads");
    let output = until(&mut from, "\"terminated\"");
    assert!(output.contains(r#"{\"mutated\":{\"out\":[1.5,2.0]},\"value\":1.5}\n"#), "{output}");
    assert!(output.contains(r#""exitCode":0"#), "{output}");
    drop(to);
    assert!(server.0.wait().expect("it ends").success());
}

#[test]
fn editors_that_connect_to_a_port_are_served_apart() {
    let mut server = Server::start(&["--port", "0"]);
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().expect("it is a pipe"))
        .read_line(&mut line)
        .expect("it tells its port");
    let address = line.trim().strip_prefix("listening on ").expect("it tells its port");
    let mut clients = [0, 1].map(|_| TcpStream::connect(address).expect("it listens"));
    for (client, (function, args)) in
        clients.iter_mut().zip([("halved", json!([-1.0, [0.0]])), ("nowhere", json!([]))])
    {
        client.write_all(session(function, &args).as_bytes()).expect("it reads");
    }
    let told = until(&mut clients[1], "there is no program");
    assert!(told.contains("no function `nowhere`"), "{told}");
    let told = until(&mut clients[0], "\"terminated\"");
    assert!(told.contains("it is negative") && told.contains(r#""exitCode":1"#), "{told}");
}
