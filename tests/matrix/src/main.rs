//! The matrix over functions of Rust sources: `overdub-matrix CALLS.json`.
//!
//! `CALLS.json` is a list of `{"id", "source", "function", "args"}`. Each call is run in every cell by a
//! worker process, so that a crash is reported with its cell and the other calls are still run.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Parser;
use overdub_lower::Loaded;
use overdub_matrix::check::check;
use overdub_matrix::executor::{EXECUTORS, QUICK};
use overdub_matrix::{Row, Subject, Verdict, rows};
use serde_json::Value as Json;

/// The stack of a worker: programs may have deep calls.
const STACK: usize = 1 << 30;

/// The number of calls between two lines of progress.
const PROGRESS: usize = 50;

/// Runs calls by every executor under every context, and compares the results.
#[derive(Parser)]
struct Args {
    /// A list of `{"id", "source", "function", "args"}`.
    calls: PathBuf,
    /// Only every `step`-th call.
    #[arg(long, default_value_t = 1)]
    step: usize,
    /// Only rows whose names contain this.
    #[arg(long, default_value = "")]
    row: String,
    /// Only calls whose ids contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// The number of processes that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// The time limit of a cell in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Only this executor, beside the reference; by default all that compile in milliseconds.
    #[arg(long, value_parser = EXECUTORS)]
    by: Option<String>,
    /// Run as a worker, which reads lines `NUMBER FROM`: the number of a call, and its first cell.
    #[arg(long, hide = true)]
    worker: bool,
}

struct CorpusCall {
    id: String,
    source: PathBuf,
    function: String,
    args: Vec<Json>,
}

fn calls(path: &Path) -> Result<Vec<CorpusCall>, Box<dyn std::error::Error>> {
    let list: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let text = |json: &Json, key: &str| {
        json[key].as_str().map(str::to_owned).ok_or(format!("a call has no `{key}`"))
    };
    let call = |json: &Json| {
        let args = json["args"].as_array().cloned().ok_or("a call has no list `args`")?;
        Ok(CorpusCall {
            id: text(json, "id")?,
            source: text(json, "source")?.into(),
            function: text(json, "function")?,
            args,
        })
    };
    list.iter().map(call).collect()
}

fn main() -> ExitCode {
    let args = Args::parse();
    let work = move || if args.worker { worker(&args) } else { parent(&args) };
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || work().map_err(|error| error.to_string()));
    match thread.map(|thread| thread.join()) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(3),
    }
}

fn chosen(args: &Args) -> Vec<Row> {
    rows()
        .into_iter()
        .enumerate()
        .filter(|(at, row)| *at == 0 || row.name.contains(&args.row))
        .map(|(_, row)| row)
        .collect()
}

/// The numbers of the executors, the reference first.
fn executors(args: &Args) -> Vec<usize> {
    match &args.by {
        Some(by) => (0..EXECUTORS.len()).filter(|&at| at == 0 || EXECUTORS[at] == by).collect(),
        None => QUICK.to_vec(),
    }
}

/// Runs calls on request, and reports the outcome of each cell.
fn worker(args: &Args) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let (calls, rows) = (calls(&args.calls)?, chosen(args));
    let mut loaded: Option<(PathBuf, Loaded)> = None;
    for line in std::io::stdin().lines() {
        let line = line?;
        let (number, from) = line.split_once(' ').ok_or("a request is `NUMBER FROM`")?;
        let call = &calls[number.parse::<usize>()?];
        if loaded.as_ref().is_none_or(|(source, _)| *source != call.source) {
            loaded = Loaded::open(&call.source).ok().map(|loaded| (call.source.clone(), loaded));
        }
        let subject = match &loaded {
            Some((_, loaded)) => Subject::of_source(loaded, &call.function, &call.args),
            None => Err("the source cannot be loaded".to_owned()),
        };
        match subject {
            Ok(subject) => check(
                &subject,
                &rows,
                &executors(args),
                from.parse()?,
                |at, cell| print_line(&format!("cell {at} {cell}")),
                |cell, verdict| match verdict {
                    Verdict::Same => print_line("same"),
                    Verdict::Refused => print_line("refused"),
                    Verdict::Limited => print_line("limited"),
                    Verdict::NotApplicable => {}
                    Verdict::Differs(how) => {
                        print_line(&format!("differs {cell}: {}", how.replace('\n', " / ")))
                    }
                },
            ),
            Err(why) => print_line(&format!("absent {}", why.replace('\n', " / "))),
        }
        print_line("done");
    }
    Ok(ExitCode::SUCCESS)
}

/// Sends one line to the parent immediately.
fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    // If the parent is gone, there is nothing to report.
    drop(writeln!(out, "{line}").and_then(|()| out.flush()));
}

/// The outcome of all calls.
#[derive(Default)]
struct Total {
    calls: usize,
    absent: usize,
    same: usize,
    refused: usize,
    limited: usize,
    late: usize,
    differ: Vec<String>,
}

/// Passes calls to workers and prints the differences.
fn parent(args: &Args) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let calls = calls(&args.calls)?;
    let is_selected = |call: &&CorpusCall| call.id.contains(&args.only);
    let numbers = calls.iter().enumerate().filter(|(_, call)| is_selected(call)).map(|(number, _)| number);
    let queue: Mutex<VecDeque<usize>> = Mutex::new(numbers.step_by(args.step.max(1)).collect());
    let total = Mutex::new(Total::default());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                let mut worker = None;
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(number) = next else { break };
                    run(args, &mut worker, number, &calls[number], &total);
                }
            });
        }
    });
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "matrix: {} calls in {} rows by {} executors: {} cells as their reference, {} refused alike, {} at a limit, \
         {} late, {} calls absent, {} differ",
        total.calls,
        chosen(args).len(),
        executors(args).len(),
        total.same,
        total.refused,
        total.limited,
        total.late,
        total.absent,
        total.differ.len()
    );
    Ok(if total.differ.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A process that runs calls.
struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(args: &Args) -> std::io::Result<Worker> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("--worker")
            .args(["--row", &args.row])
            .args(args.by.iter().flat_map(|by| ["--by", by]))
            .arg(&args.calls)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::<ChildStdout>::new(out).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Worker { child, lines })
    }

    fn request(&mut self, number: usize, from: usize) -> std::io::Result<()> {
        match &mut self.child.stdin {
            Some(stdin) => writeln!(stdin, "{number} {from}"),
            None => Ok(()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Runs one call in all cells, with a new worker after each crash.
fn run(args: &Args, worker: &mut Option<Worker>, number: usize, call: &CorpusCall, total: &Mutex<Total>) {
    let mut from = 0;
    loop {
        if worker.is_none() {
            *worker = Worker::start(args).ok();
        }
        let Some(running) = worker.as_mut() else { return };
        let requested = running.request(number, from);
        let mut cell = (from, String::from("loading"));
        let ended = loop {
            let line = match requested {
                Ok(()) => running.lines.recv_timeout(Duration::from_secs(args.seconds)),
                Err(_) => Err(RecvTimeoutError::Disconnected),
            };
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            let differ = |total: &mut Total, how: String| {
                println!("{}: {how}", call.id);
                total.differ.push(how);
            };
            // If the reference of a row, by the first executor, is missing, the row cannot be compared.
            let count = executors(args).len();
            let next = |at: usize| at + if at.is_multiple_of(count) { count } else { 1 };
            match line.as_deref().map(|line| line.split_once(' ').unwrap_or((line, ""))) {
                Ok(("cell", rest)) => {
                    let (at, name) = rest.split_once(' ').unwrap_or((rest, ""));
                    cell = (at.parse().unwrap_or(cell.0), name.to_owned());
                }
                Ok(("same", _)) => total.same += 1,
                Ok(("refused", _)) => total.refused += 1,
                Ok(("limited", _)) => total.limited += 1,
                Ok(("differs", how)) => differ(&mut total, how.to_owned()),
                Ok(("absent", why)) => {
                    println!("{}: absent: {why}", call.id);
                    total.absent += 1;
                }
                Ok(("done", _)) => {
                    total.calls += 1;
                    if total.calls.is_multiple_of(PROGRESS) {
                        eprintln!("matrix: {} calls, {} differ", total.calls, total.differ.len());
                    }
                    break None;
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    println!("{}: {}: takes more than {} s", call.id, cell.1, args.seconds);
                    total.late += 1;
                    break Some(next(cell.0));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    differ(&mut total, format!("{}: the process crashed", cell.1));
                    break Some(next(cell.0));
                }
            }
        };
        match ended {
            None => return,
            Some(next) => {
                *worker = None;
                from = next;
            }
        }
    }
}
