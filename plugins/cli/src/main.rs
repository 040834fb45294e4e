//! The binary `overdub`: parses the command line, carries it out, and reports errors.

mod allocator;

use std::env::args_os;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Diagnostic, Failed, print_error};

/// Source may be deeply nested, and its parser recurses: a large stack, of which only the used part takes
/// memory.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(args_os().map(without_exponent)) {
        Ok(cli) => cli,
        Err(error) => return unparsed(&error),
    };
    allocator::return_freed_memory(&cli.command);
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
    print_error(&failed);
    ExitCode::from(failed.status())
}

/// A negative number with all of its digits: clap takes `-1e-3` for an option.
fn without_exponent(arg: OsString) -> OsString {
    let number = arg.to_str().filter(|text| text.starts_with('-') && text.contains(['e', 'E']));
    number.and_then(|text| text.parse::<f64>().ok()).map_or(arg, |number| number.to_string().into())
}

/// Reports a command line that cannot be parsed, or prints the help that it asks for. With `--json` the standard output
/// gets the error as an object, as those of commands.
fn unparsed(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && args_os().any(|arg| arg == "--json") {
        let text = error.to_string();
        let message: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let failed = Failed::usage(Diagnostic::new(message.join(" ").trim_start_matches("error: ")));
        drop(writeln!(std::io::stdout(), "{}", failed.json()));
    }
    // A closed stream is ignored.
    drop(error.print());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
