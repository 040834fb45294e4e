//! The binary `overdub`: parses the command line, carries it out, and reports errors.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, Diagnostic, Failed};

/// Source may be deeply nested, and its parser recurses: a large stack, of which only the used part takes
/// memory.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let cli = Cli::parse();
    overdub_cli::interrupt::end_on_ctrl_c();
    let work = move || {
        let out = std::io::stdout();
        overdub_cli::run(&cli, &mut &out)
    };
    let outcome = match std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work) {
        Ok(thread) => {
            thread.join().unwrap_or_else(|_| Err(Failed::program(Diagnostic::new("internal: a panic"))))
        }
        Err(error) => Err(Failed::program(Diagnostic::new(format!("cannot start a thread: {error}")))),
    };
    let failed = match outcome {
        Err(failed) if !failed.is_quiet() => failed,
        _ => return ExitCode::SUCCESS,
    };
    let color = if std::io::stderr().is_terminal() { Color::Always } else { Color::Never };
    // A closed stderr is ignored.
    drop(writeln!(std::io::stderr(), "{}", failed.render(color)));
    ExitCode::from(failed.status())
}
