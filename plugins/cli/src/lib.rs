//! The command `overdub`: runs and inspects functions of Rust source without annotations.
//!
//! - Exit status 0: success. 1: the program failed, or cannot be loaded; the first line of the standard error
//!   is `error: …`. 2: the command line is wrong. 3: the program hit a limit; a stack overflow without
//!   `--depth-limit` is an ordinary failure, 1. 130: Ctrl-C was pressed.
//! - `map` writes the results of all elements, whether or not some fail; the exit status is then that of `run` for the first
//!   element that failed, 1 or 3.
//! - With `--json` the last line of the standard output is one JSON object. If the command fails, it has a
//!   field `error`: an object with the `code`, the `message`, `at`, the location as `FILE:LINE:COLUMN` if there is one,
//!   `notes`, `help`, and, if a limit was hit, `limit`, an object with the limit's `name` (`time`, `memory`,
//!   `steps`, `depth`, `callbacks`) and its `value`, in seconds, bytes, steps, calls.
//! - With `--watch` a command that runs a function runs again whenever a file of its source changes, until Ctrl-C.
//! - If the standard output is closed, the command ends quietly with 0.

pub mod args;
mod blame;
mod call;
mod check;
pub mod codes;
mod compression;
mod context;
mod dap;
mod debug;
mod derive;
pub mod diff;
mod explain;
mod export;
mod inputs;
pub mod interrupt;
mod ir;
pub mod json;
mod limits;
mod list;
mod load;
mod manual;
mod map;
mod pages;
mod pass_log;
mod report;
mod rerun;
mod results;
mod rows;
mod sparse;
mod sparsity;
mod static_arguments;
mod tape;
mod waiting;
mod watch;
mod wrt;

use std::io::Write;
use std::path::Path;

pub use call::arguments;
pub use context::{NamedContext, UnknownContext, closure_of, name_under};
pub use limits::LimitArgs;
pub use report::{Color, Diagnostic, Failed, print as print_error};

use args::{Cli, Command, OutputFormat};
use rerun::Snapshot;

/// Carries out a command line; its output goes to `out`, except what the program itself prints.
///
/// # Errors
/// If the command fails: what to tell the user, and the exit status.
pub fn run(cli: &Cli, out: &mut dyn Write) -> Result<(), Failed> {
    let Some(sources) = cli.command.watched() else { return run_once(cli, out) };
    if sources.contains(&Path::new("-")) {
        let message = "`--watch` reads the inputs again, and the standard input can be read only once";
        return Err(Failed::usage(Diagnostic::new(message).with_help("write the inputs to a file")));
    }
    let names: Vec<String> = sources.iter().map(|source| format!("`{}`", source.display())).collect();
    loop {
        let before = Snapshot::of(&sources);
        match run_once(cli, out) {
            Err(failed) if failed.is_quiet() => return Err(failed),
            Err(failed) => report::print(&failed),
            Ok(()) => {}
        }
        out.flush()?;
        drop(writeln!(std::io::stderr(), "watching {}, Ctrl-C ends", names.join(" and ")));
        before.wait(&sources);
    }
}

fn run_once(cli: &Cli, out: &mut dyn Write) -> Result<(), Failed> {
    let Some((limits, format)) = cli.command.runs() else { return carry_out(&cli.command, out) };
    let result = limits.during(|| carry_out(&cli.command, out));
    if let Err(failed) = &result
        && format == OutputFormat::AsJson
        && !failed.is_reported()
    {
        writeln!(out, "{}", failed.json())?;
    }
    result
}

fn carry_out(command: &Command, out: &mut dyn Write) -> Result<(), Failed> {
    match command {
        Command::Run(args) => call::run(args, out),
        Command::Trace(args) => watch::trace(args, out),
        Command::Count(args) => watch::count(args, out),
        Command::Nan(args) => watch::nan(args, out),
        Command::Map(args) => map::print(args, out),
        Command::Grad(args) => derive::grad(args, out),
        Command::Jvp(args) => derive::jvp(args, out),
        Command::Vjp(args) => derive::vjp(args, out),
        Command::Jacobian(args) => derive::jacobian(args, out),
        Command::Hessian(args) => derive::hessian(args, out),
        Command::Tape(args) => tape::print(args, out),
        Command::Blame(args) => blame::print(args, out),
        Command::Sparsity(args) => sparsity::print(args, out),
        Command::Check(args) => check::check(args, out),
        Command::Debug(args) => debug::run(args, out),
        Command::Dap(args) => dap::serve(args, out),
        Command::Ir(args) => ir::print(args, out),
        Command::Export(args) => export::print(args, out),
        Command::List(args) => list::print(args, out),
        Command::Contexts(args) => context::print(args, out),
        Command::Explain(args) => pages::print(args, out),
        Command::Completions(args) => manual::completions(args, out),
        Command::Man(args) => manual::man(args, out),
    }
}
