//! `overdub completions` and `overdub man`: what the shell and the manual know of the command line.

use std::io::Write;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man as Page;

use crate::args::{Cli, Completions, Man};
use crate::codes;
use crate::report::{Diagnostic, Failed};

/// Prints the script that completes command lines in a shell.
pub(crate) fn completions(args: &Completions, out: &mut dyn Write) -> Result<(), Failed> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "overdub", &mut script);
    Ok(out.write_all(&script)?)
}

/// Prints the page of the command, or writes one for each command to a folder.
pub(crate) fn man(args: &Man, out: &mut dyn Write) -> Result<(), Failed> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.out else { return Ok(Page::new(command).render(out)?) };
    let failed = |path: &Path, error: &std::io::Error| {
        Failed::program(
            Diagnostic::new(format!("cannot write `{}`: {error}", path.display())).coded(codes::FILE),
        )
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let subcommands = command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned();
    let pages: Vec<Command> = subcommands.collect();
    for page in std::iter::once(command).chain(pages) {
        let page = Page::new(page);
        let path = folder.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)?;
        std::fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
