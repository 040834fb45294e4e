//! The debugger at a terminal: with line editing, completion and a history, and a view of each stop.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;

use overdub_debugger::{Answer, Script};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::view::{View, brief};
use crate::report::{Diagnostic, Failed};
use crate::{Color, interrupt};

const PROMPT: &str = "(overdub) ";

/// Commands that an empty line repeats.
const REPEATED: [&str; 14] = [
    "step",
    "s",
    "next",
    "n",
    "back",
    "continue",
    "c",
    "reverse-next",
    "reverse-continue",
    "up",
    "down",
    "list",
    "finish",
    "reverse-finish",
];

/// Reads and carries out commands until the user ends.
pub(super) fn talk(script: Script, starts: bool, out: &mut dyn Write) -> Result<(), Failed> {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty())
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
        || !std::io::stdout().is_terminal();
    let mut view = View::new(if is_plain { Color::Never } else { Color::Always });
    let mut script = script;
    let _pausing = interrupt::pausing(script.session().interrupter());
    let script = RefCell::new(script);
    let broken = |error: ReadlineError| {
        Failed::usage(Diagnostic::new(format!("cannot read from the terminal: {error}")))
    };
    let config = Config::builder().completion_type(CompletionType::List).build();
    let mut editor = Editor::with_history(config, MemHistory::new()).map_err(broken)?;
    editor.set_helper(Some(Completing { script: &script }));
    writeln!(out, "`help` lists the commands, Tab completes, Ctrl-C pauses, Ctrl-D ends.")?;
    match starts {
        true => carry_out(&script, "start", &mut view, out).map(drop)?,
        false => write!(out, "{}", view.place(&mut script.borrow_mut()))?,
    }
    let mut last = String::new();
    loop {
        out.flush()?;
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(broken(error)),
        };
        let line = if line.trim().is_empty() { last.clone() } else { line };
        if !line.trim().is_empty() {
            // The history of this session alone: adding fails only if it is full, and then the oldest entry
            // is dropped.
            drop(editor.add_history_entry(line.as_str()));
        }
        if !carry_out(&script, &line, &mut view, out)? {
            return Ok(());
        }
        let is_repeated = line.split_whitespace().next().is_some_and(|word| REPEATED.contains(&word));
        last = if is_repeated { line } else { String::new() };
    }
}

/// Carries out a line; returns `false` if it ends the session.
fn carry_out(
    script: &RefCell<Script>,
    line: &str,
    view: &mut View,
    out: &mut dyn Write,
) -> Result<bool, Failed> {
    let mut script = script.borrow_mut();
    // An earlier Ctrl-C no longer counts.
    script.session().interrupter().store(false, Ordering::Release);
    let answer = script.line(line);
    for log in script.session().take_logs() {
        writeln!(out, "{log}")?;
    }
    match answer {
        Ok(Answer::Quit) => return Ok(false),
        Ok(Answer::Stopped(stop)) => write!(out, "{}", view.stop(&mut script, &stop))?,
        Ok(Answer::Frame(..)) => write!(out, "{}", view.place(&mut script))?,
        Ok(Answer::Value(value)) => writeln!(out, "{}", brief(&value))?,
        Ok(Answer::Variables(list)) => {
            for of in list {
                writeln!(out, "{}", of.written(&|value| brief(value)))?;
            }
        }
        Ok(answer) => write!(out, "{answer}")?,
        Err(error) => writeln!(out, "error: {error}")?,
    }
    Ok(true)
}

/// Completes lines by names of the debugged program.
struct Completing<'s> {
    script: &'s RefCell<Script>,
}

impl Completer for Completing<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.script.borrow().complete(&line[..at]))
    }
}

impl Hinter for Completing<'_> {
    type Hint = String;
}

impl Highlighter for Completing<'_> {}

impl Validator for Completing<'_> {}

impl Helper for Completing<'_> {}
