//! The arguments of the command: any JSON is answered, with a result or with an error.

use clap::Parser;
use overdub_cli::args::Cli;
use overdub_cli::{Color, run};

/// A program whose functions take arguments of many types.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins/cli/tests/programs/takes.rs");
const FUNCTIONS: [&str; 6] = ["numbers", "text", "nested", "either", "points", "table"];
const COMMANDS: [&str; 6] = ["run", "grad", "jvp", "vjp", "jacobian", "hessian"];

/// The law for a function, a command and its arguments: two bytes and a text.
pub fn check(bytes: &[u8]) {
    let [function, command, text @ ..] = bytes else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let function = FUNCTIONS[usize::from(*function) % FUNCTIONS.len()];
    let command = COMMANDS[usize::from(*command) % COMMANDS.len()];
    // A second list follows a line break: the tangents of `jvp`, the cotangent of `vjp`.
    let (args, second) = text.split_once('\n').unwrap_or((text, "[1.0]"));
    let mut line = vec!["overdub", command, "--json", "--", SOURCE, function, args];
    if matches!(command, "jvp" | "vjp") {
        line.push(second);
    }
    let Ok(cli) = Cli::try_parse_from(line) else { return };
    if let Err(failed) = run(&cli, &mut Vec::new()) {
        let shown = failed.render(Color::Never);
        assert!(shown.starts_with("error: "), "{command} {function} {args}: {shown}");
    }
}
