//! `evaluate`, `completions`: expressions over the variables of a call, and the commands of a script.
//!
//! - REPL1 in the console a line that begins with `:` is a command of `overdub debug`; `help` lists them.

use dapts::{
    BreakpointEvent, BreakpointEventReason, CompletionItem, CompletionItemType, CompletionsArguments,
    CompletionsResponse, EvaluateArguments, EvaluateArgumentsContext as Context, EvaluateResponse,
};
use overdub_context::value::Value;
use overdub_debugger::{Answer, COMMANDS, Command, CommandHelp, Session};

use crate::breakpoints;
use crate::client::Conventions;
use crate::program::{Program, Resume, Then};
use crate::references::{Root, VariablePart};
use crate::refusal::Refusal;
use crate::values::{self, ValueShape};
use crate::variables::{Describer, Description};

/// The greatest number of numbers and texts of a value that the console shows.
const SHOWN: usize = 10_000;

/// The greatest number of those that are copied to the clipboard.
const COPIED: usize = 1_000_000;

/// `evaluate`
pub(crate) fn evaluate(
    program: &mut Program,
    conventions: Conventions,
    args: EvaluateArguments,
) -> Result<(EvaluateResponse, Then), Refusal> {
    let frame = program.references.frame_or_innermost(args.frame_id)?;
    let text = args.expression.trim();
    if args.context == Some(Context::Repl) {
        if matches!(text, "help" | ":help") {
            return Ok((text_response(help()), Then::Nothing));
        }
        if let Some(line) = text.strip_prefix(':') {
            return command(program, conventions, frame, line);
        }
    }
    let Program { script, references, .. } = program;
    let value = script.session().evaluate(frame, text)?;
    let result = match args.context {
        Some(Context::Repl) => values::full_text(&value, SHOWN),
        Some(Context::Clipboard) => values::full_text(&value, COPIED),
        _ => values::brief(&value),
    };
    let part = VariablePart { root: Root::Result(value.clone()), steps: Vec::new(), path: None };
    let Description { reference, named, indexed } =
        Describer { references, conventions }.parts(part, &value)?;
    let response = EvaluateResponse {
        result,
        ty: values::type_of(&value),
        variables_reference: reference,
        named_variables: named,
        indexed_variables: indexed,
        ..EvaluateResponse::default()
    };
    Ok((response, Then::Nothing))
}

fn text_response(text: String) -> EvaluateResponse {
    EvaluateResponse { result: text, ..EvaluateResponse::default() }
}

fn help() -> String {
    let command = |of: &CommandHelp| format!("{} {}", of.words[0], of.takes).trim_end().to_owned();
    let width = COMMANDS.iter().map(|of| command(of).len()).max().unwrap_or(0);
    let line = |of: &CommandHelp| format!(":{:width$}  {}\n", command(of), of.summary);
    let commands: String = COMMANDS.iter().map(line).collect();
    format!("a Rust expression over the variables of the frame, or a command:\n{}", commands.trim_end())
}

/// Runs a command of the console (REPL1).
fn command(
    program: &mut Program,
    conventions: Conventions,
    frame: usize,
    line: &str,
) -> Result<(EvaluateResponse, Then), Refusal> {
    let before = ids(program.session());
    program.script.line(&format!("frame {frame}"))?;
    // A command that may run for long is answered before it runs.
    let resume = match program.script.motion(line)? {
        // Errors in their numbers are reported at once, and they end soon.
        Some(Command::Goto(_) | Command::RestartFrame(_)) => None,
        Some(command) => Some(Resume::Command(command)),
        None => (line.trim() == "start").then_some(Resume::Entry),
    };
    if let Some(resume) = resume {
        return Ok((text_response(String::new()), Then::Continue(resume)));
    }
    let answer = program.script.line(line)?;
    let text = answer.to_string().trim_end().to_owned();
    let then = match answer {
        Answer::Stopped(stop) => Then::Moved(stop),
        Answer::Quit => Then::Terminate,
        _ => Then::Changed(changes(program, conventions, &before)),
    };
    Ok((text_response(text), then))
}

fn ids(session: &Session) -> Vec<usize> {
    session.breakpoints().iter().map(|point| point.id).collect()
}

/// The breakpoints that were added and removed.
fn changes(program: &mut Program, conventions: Conventions, before: &[usize]) -> Vec<BreakpointEvent> {
    let Program { script, sources, .. } = program;
    let session = script.session();
    let after = ids(session);
    let event = |id: usize, reason| BreakpointEvent {
        breakpoint: breakpoints::described(session, sources, conventions, Ok(id)),
        reason,
    };
    let new = after.iter().filter(|id| !before.contains(id));
    let removed = before.iter().filter(|id| !after.contains(id));
    let new = new.map(|&id| event(id, BreakpointEventReason::New));
    new.chain(removed.map(|&id| event(id, BreakpointEventReason::Removed))).collect()
}

/// `completions`
pub(crate) fn completions(
    program: &mut Program,
    conventions: Conventions,
    args: CompletionsArguments,
) -> Result<(CompletionsResponse, Then), Refusal> {
    let frame = program.references.frame_or_innermost(args.frame_id)?;
    let line = args.line.map_or(0, |line| conventions.line_in(line).saturating_sub(1) as usize);
    let text = args.text.lines().nth(line).unwrap_or_default();
    let text: String = text.chars().take(conventions.before_column(args.column)).collect();
    let start = text
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let (before, partial) = text.split_at(start);
    let session = program.session();
    let mut targets = Vec::new();
    if let Some(path) = before.strip_suffix('.') {
        let from = path
            .rfind(|c: char| !c.is_alphanumeric() && !"_.[]".contains(c))
            .map_or(0, |at| at + path[at..].chars().next().map_or(0, char::len_utf8));
        if let Ok(value) = session.place(frame, &path[from..])
            && let ValueShape::Fields(fields) = values::shape(&value)
        {
            let fields = fields.iter().map(|(name, value)| item(name, CompletionItemType::Field, value));
            targets.extend(fields);
        }
    } else if before == ":" {
        let words = COMMANDS.iter().map(|command| command.words[0]);
        targets.extend(words.map(|word| CompletionItem {
            ty: Some(CompletionItemType::Keyword),
            ..item(word, CompletionItemType::Keyword, &Value::Unit)
        }));
    } else {
        let variables = session.variables(frame)?;
        let named = variables.iter().map(|variable| CompletionItem {
            detail: Some(variable.ty.to_string()),
            ..item(&variable.name, CompletionItemType::Variable, &variable.value)
        });
        targets.extend(named);
    }
    targets.retain(|item| item.label.starts_with(partial));
    Ok((CompletionsResponse { targets }, Then::Nothing))
}

fn item(label: &str, ty: CompletionItemType, value: &Value<'static>) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        detail: values::type_of(value),
        ty: Some(ty),
        text: None,
        sort_text: None,
        start: None,
        length: None,
        selection_start: None,
        selection_length: None,
    }
}
