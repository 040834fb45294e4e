//! The command `overdub`: run and inspect functions of Rust source that nobody annotated.
//!
//! - Exit status 0: fine. 1: the program failed, or cannot be loaded; the first line of the standard error says
//!   `error: …`. 2: the command line is wrong.
//! - With `--json` the last line of the standard output is one JSON object.

pub mod args;
mod call;
mod check;
mod context;
mod derive;
mod ir;
pub mod json;
mod list;
mod load;
mod report;
mod watch;

use std::io::Write;

pub use context::{Named, UnknownContext, closure_of, name_under};
pub use report::{Color, Diagnostic, Failed};

use args::{Cli, Command};

/// Carries out a command line; what it prints goes to `out`, but for what the program itself prints.
///
/// # Errors
/// Where the command fails: what to tell the user, and the exit status.
pub fn run(cli: &Cli, out: &mut dyn Write) -> Result<(), Failed> {
    match &cli.command {
        Command::Run(args) => call::run(args, out),
        Command::Trace(args) => watch::trace(args, out),
        Command::Count(args) => watch::count(args, out),
        Command::Nan(args) => watch::nan(args, out),
        Command::Grad(args) => derive::grad(args, out),
        Command::Jvp(args) => derive::jvp(args, out),
        Command::Vjp(args) => derive::vjp(args, out),
        Command::Jacobian(args) => derive::jacobian(args, out),
        Command::Hessian(args) => derive::hessian(args, out),
        Command::Check(args) => check::check(args, out),
        Command::Ir(args) => ir::print(args, out),
        Command::List(args) => list::print(args, out),
    }
}
