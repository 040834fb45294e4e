//! The words of commands, what the commands do, and the completion of lines.

use crate::error::DebugError;
use crate::session::Session;

/// The help text of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandHelp {
    /// Its words: the first is its name, the others are abbreviations.
    pub words: &'static [&'static str],
    /// The arguments that follow the word.
    pub takes: &'static str,
    /// The effect of the command.
    pub summary: &'static str,
    /// What completes its argument.
    pub(crate) completed_by: Completion,
}

/// What completes the argument of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Completion {
    /// Functions and files.
    Places,
    /// Variables of the open call.
    Variables,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Commands.
    Commands,
    Nothing,
}

const fn command(
    words: &'static [&'static str],
    takes: &'static str,
    summary: &'static str,
    completed_by: Completion,
) -> CommandHelp {
    CommandHelp { words, takes, summary, completed_by }
}

use Completion::{Commands, Nothing, Places, Variables, Words};

/// All commands, in the order in which `help` lists them.
pub const COMMANDS: &[CommandHelp] = &[
    command(
        &["break", "b"],
        "FUNCTION | FILE:LINE [if CONDITION]",
        "stop there; before the next line that has code, if the line has none",
        Places,
    ),
    command(&["tbreak"], "FUNCTION | FILE:LINE [if CONDITION]", "stop there once", Places),
    command(&["watch"], "NAME | NAME[3] | NAME.field [if CONDITION]", "stop when it changes", Variables),
    command(&["logpoint"], "FILE:LINE \"i = {i}\"", "print that there, and go on", Places),
    command(
        &["catch"],
        "failure | nan | inf",
        "stop where the next instruction fails; where a NaN or an infinity is made of finite numbers",
        Words(&["failure", "nan", "inf"]),
    ),
    command(&["hits"], "N == 3 | N >= 3 | N % 3 == 0", "let breakpoint N stop at these hits only", Nothing),
    command(&["delete"], "N", "delete breakpoint N", Nothing),
    command(&["start"], "", "stop where the function begins", Nothing),
    command(&["run", "r"], "", "go on to the next breakpoint, failure or end", Nothing),
    command(&["continue", "c"], "", "go on to the next breakpoint, failure or end", Nothing),
    command(&["step", "s"], "", "go on to the next statement, also of a function that is called", Nothing),
    command(&["next", "n"], "", "go on to the next statement of this call or of its caller", Nothing),
    command(&["finish"], "", "go on until this call has returned", Nothing),
    command(&["until"], "LINE", "go on to a line of this call", Nothing),
    command(&["back"], "", "go back to the statement before, also of a function that was called", Nothing),
    command(&["reverse-next"], "", "go back to the statement before of this call or of its caller", Nothing),
    command(&["reverse-finish"], "", "go back to where this call was made", Nothing),
    command(&["reverse-continue"], "", "go back to the last hit of a breakpoint", Nothing),
    command(&["goto"], "MOMENT", "go to a moment that was reached before", Nothing),
    command(&["last-write"], "NAME | NAME[3]", "go back to the statement that wrote it last", Variables),
    command(&["restart"], "", "begin this call again, with the arguments that it was made with", Nothing),
    command(&["abort"], "", "end the run with the failure `aborted`", Nothing),
    command(&["print", "p"], "EXPRESSION", "the value of a Rust expression over the variables", Variables),
    command(
        &["summary"],
        "EXPRESSION",
        "an array's shape, range and mean, and what is not finite",
        Variables,
    ),
    command(&["histogram"], "EXPRESSION", "how the elements of an array are spread", Variables),
    command(&["locals"], "", "the variables of this call", Nothing),
    command(&["args"], "", "the parameters of this call", Nothing),
    command(&["set"], "NAME = EXPRESSION | NAME[3] = EXPRESSION", "assign, and go on with that", Variables),
    command(&["backtrace", "bt"], "", "the open calls", Nothing),
    command(&["frame"], "N", "look at open call N, from 0 for the innermost", Nothing),
    command(&["up"], "", "look at the caller", Nothing),
    command(&["down"], "", "look at the call that this one made", Nothing),
    command(&["list"], "", "the source around", Nothing),
    command(
        &["info"],
        "breakpoints | history",
        "the breakpoints; what the history holds",
        Words(&["breakpoints", "history"]),
    ),
    command(&["help"], "[COMMAND]", "what commands do", Commands),
    command(&["quit", "q"], "", "end", Nothing),
];

/// The help text of a command, or, without a word, of all of them.
pub(crate) fn help(word: &str) -> Result<String, DebugError> {
    if word.is_empty() {
        let names = |command: &CommandHelp| match command.takes {
            "" => command.words.join(", "),
            takes => format!("{} {takes}", command.words.join(", ")),
        };
        return Ok(COMMANDS
            .iter()
            .map(|command| format!("{}\n    {}\n", names(command), command.summary))
            .collect());
    }
    let command = find(word).ok_or_else(|| DebugError::Usage(format!("there is no command `{word}`")))?;
    Ok(format!("{} {}\n    {}\n", command.words.join(", "), command.takes, command.summary))
}

fn find(word: &str) -> Option<&'static CommandHelp> {
    COMMANDS.iter().find(|command| command.words.contains(&word))
}

/// Where the part of a line begins that can be completed, and its possible completions, in order.
pub(crate) fn complete(session: &Session, frame: usize, line: &str) -> (usize, Vec<String>) {
    let begin = line.len() - line.trim_start().len();
    let Some((word, rest)) = line[begin..].split_once(char::is_whitespace) else {
        return (begin, beginning_with(&line[begin..], command_words()));
    };
    let completion = find(word).map_or(Nothing, |command| command.completed_by);
    let part = match completion {
        Variables => {
            rest.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next().unwrap_or(rest)
        }
        _ => rest.trim_start(),
    };
    let found = match completion {
        Commands => beginning_with(part, command_words()),
        Words(words) => beginning_with(part, words.iter().map(|word| (*word).to_owned())),
        // Functions are completed by their paths, and by their names alone.
        Places => beginning_with(
            part,
            session.places().flat_map(|place| {
                let name = place.rsplit("::").next().map(str::to_owned);
                [Some(place.clone()), name].into_iter().flatten()
            }),
        ),
        Variables => {
            let variables = session.variables(frame).unwrap_or_default();
            beginning_with(part, variables.iter().map(|variable| variable.name.to_string()))
        }
        Nothing => Vec::new(),
    };
    (line.len() - part.len(), found)
}

fn command_words() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|command| command.words[0].to_owned())
}

fn beginning_with(part: &str, of: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = of.filter(|word| word.starts_with(part)).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_word() {
        let mut words: Vec<&str> = COMMANDS.iter().flat_map(|command| command.words).copied().collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
