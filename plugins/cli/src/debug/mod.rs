//! `overdub debug`: a debugged run that is driven by commands from a file or a terminal.

mod answer;
mod terminal;
mod view;

use std::io::{IsTerminal, Read, Write};

use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_debugger::{Answer, DebugError, Derivative, Script, Session, Source};
use overdub_lower::Function;
use serde_json::{Value as Json, json};

use self::answer::as_json;
pub(crate) use self::answer::differentiated;

use crate::args::{Debug, DebuggedDerivative};
use crate::call::arguments;
use crate::report::{Diagnostic, Failed};
use crate::{inputs, interrupt, json as values, load};

/// Carries out commands, and prints their answers.
pub(crate) fn run(args: &Debug, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open_to_debug(&args.which.source)?;
    let parts = inputs::arguments(&args.args)?;
    let shapes: Vec<_> = parts.iter().map(values::shape).collect();
    let function = load::function(&loaded, &args.which.function, &shapes)?;
    let values = arguments(&loaded, &function, &parts)?;
    let commands = commands(args)?;
    let source = Source::path(&args.which.source);
    let session = match derivative(
        args.derivative,
        args.tangents.as_deref().map(inputs::list).transpose()?,
        &function,
        &values,
    )? {
        Some(derivative) => Session::differentiating(&source, loaded, function, values, derivative),
        None => Session::of(&source, loaded, function, values),
    };
    let mut session = session.map_err(|error| Failed::program(Diagnostic::new(error.to_string())))?;
    session.limit_history(args.history.saturating_mul(1 << 20));
    by_machine_code(&mut session);
    session.print_to(std::sync::Arc::new(std::sync::Mutex::new(interrupt::print)));
    let mut script = Script::new(session);
    let Some(commands) = commands else { return terminal::talk(script, args.break_at_entry, out) };
    if args.break_at_entry {
        let answer = script.line("start");
        print_answer(args, &mut script, answer, out)?;
    }
    for line in commands.lines() {
        let answer = script.line(line);
        if matches!(answer, Ok(Answer::Quit)) {
            break;
        }
        let is_command = !line.trim().is_empty() && !line.trim().starts_with('#');
        if is_command {
            print_answer(args, &mut script, answer, out)?;
        }
    }
    Ok(())
}

/// Evaluates calls in which nothing stops as machine code, if the command is built with it.
#[cfg(has_native)]
pub(crate) fn by_machine_code(session: &mut Session) {
    session.delegate_to(std::sync::Arc::new(overdub_native::Native::auto()));
}

/// Everything is interpreted.
#[cfg(not(has_native))]
pub(crate) fn by_machine_code(_: &mut Session) {}

/// The requested derivative.
pub(crate) fn derivative(
    requested: Option<DebuggedDerivative>,
    tangents: Option<Vec<Json>>,
    function: &Function,
    args: &[Value<'static>],
) -> Result<Option<Derivative>, Failed> {
    let tangents = match (requested, tangents) {
        (Some(DebuggedDerivative::Jvp), tangents) => tangents,
        (_, Some(_)) => return Err(usage("tangents are for the derivative `jvp`")),
        (Some(DebuggedDerivative::Gradient), None) => return Ok(Some(Derivative::Gradient)),
        (None, None) => return Ok(None),
    };
    let Some(tangents) = tangents else {
        let ones = args.iter().flat_map(floats).map(|_| 1.0);
        return Ok(Some(Derivative::Jvp(ones.collect())));
    };
    if tangents.len() != args.len() {
        let (takes, got) = (args.len(), tangents.len());
        return Err(usage(format!("`{}` takes {takes} arguments, got {got} tangents", function.name())));
    }
    let each = args.iter().zip(&tangents).zip(&function.params);
    let found = each.map(|((arg, json), param)| values::tangent(json, arg, &param.name).map_err(usage));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    Ok(Some(Derivative::Jvp(found.into_iter().flatten().collect())))
}

fn usage(message: impl std::fmt::Display) -> Failed {
    Failed::usage(Diagnostic::new(message.to_string()))
}

/// The commands of a file, or of the standard input; `None` for an interactive terminal.
fn commands(args: &Debug) -> Result<Option<String>, Failed> {
    let file = args.commands.as_deref().filter(|file| file.as_os_str() != "-");
    let Some(file) = file else {
        if args.commands.is_none() && !args.json && std::io::stdin().is_terminal() {
            return Ok(None);
        }
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        let unread =
            |error| Failed::usage(Diagnostic::new(format!("cannot read the standard input: {error}")));
        return read.map(|_| Some(text)).map_err(unread);
    };
    let unread = |error| Failed::usage(Diagnostic::new(format!("cannot read `{}`: {error}", file.display())));
    std::fs::read_to_string(file).map(Some).map_err(unread)
}

fn print_answer(
    args: &Debug,
    script: &mut Script,
    answer: Result<Answer, DebugError>,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    for log in script.session().take_logs() {
        match args.json {
            true => writeln!(out, "{}", json!({ "log": log }))?,
            false => writeln!(out, "{log}")?,
        }
    }
    match (answer, args.json) {
        (Ok(answer), true) => writeln!(out, "{}", as_json(answer, script.session().function()))?,
        (Err(error), true) => writeln!(out, "{}", json!({ "error": error.to_string() }))?,
        (Ok(answer), false) => write!(out, "{answer}")?,
        (Err(error), false) => writeln!(out, "error: {error}")?,
    }
    Ok(())
}
