//! `overdub debug`: a debugged run that a file of commands drives.

use std::io::{Read, Write};

use overdub_context::value::Value;
use overdub_debugger::{Answer, DebugError, FrameInfo, Reason, Script, Session, Source, Stop, show};
use overdub_lower::Function;
use serde_json::{Map, Value as Json, json};

use crate::args::Debug;
use crate::call::{self, arguments, parts};
use crate::report::{Diagnostic, Failed};
use crate::{interrupt, json as values, load};

/// Carries out the commands of a file, and prints what each one answers.
pub(crate) fn run(args: &Debug, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open_to_debug(&args.which.source)?;
    let parts = parts(&args.args)?;
    let shapes: Vec<_> = parts.iter().map(values::shape).collect();
    let function = load::function(&loaded, &args.which.function, &shapes)?;
    let given = arguments(&loaded, &function, &parts)?;
    let commands = commands(args)?;
    let source = Source::path(&args.which.source);
    let session = Session::of(&source, loaded, function, given);
    let mut session = session.map_err(|error| Failed::program(Diagnostic::new(error.to_string())))?;
    session.limit_history(args.history.saturating_mul(1 << 20));
    session.print_to(std::sync::Arc::new(std::sync::Mutex::new(interrupt::print)));
    let mut script = Script::new(session);
    if args.break_at_entry {
        let answer = script.line("start");
        tell(args, &mut script, answer, out)?;
    }
    for line in commands.lines() {
        let answer = script.line(line);
        if matches!(answer, Ok(Answer::Quit)) {
            break;
        }
        let is_command = !line.trim().is_empty() && !line.trim().starts_with('#');
        if is_command {
            tell(args, &mut script, answer, out)?;
        }
    }
    Ok(())
}

fn commands(args: &Debug) -> Result<String, Failed> {
    let read = if args.commands.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(&args.commands)
    };
    read.map_err(|error| {
        let message = format!("cannot read `{}`: {error}", args.commands.display());
        Failed::usage(Diagnostic::new(message))
    })
}

fn tell(
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
        (Ok(answer), false) => write!(out, "{}", as_text(answer))?,
        (Err(error), false) => writeln!(out, "error: {error}")?,
    }
    Ok(())
}

fn as_json(answer: Answer, function: &Function) -> Json {
    match answer {
        Answer::Stopped(stop) => stopped(&stop, function),
        Answer::Value(value) => json!({ "value": values::write(&value) }),
        Answer::Variables(list) => {
            let list = list.into_iter().map(|(name, value)| (name.to_string(), values::write(&value)));
            json!({ "locals": list.collect::<Map<_, _>>() })
        }
        Answer::Frames(frames) => json!({ "frames": frames.iter().map(frame).collect::<Vec<_>>() }),
        Answer::Frame(number, of) => json!({ "frame": frame(&of), "number": number }),
        Answer::Lines(lines, at) => {
            let lines: Vec<Json> =
                lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
            json!({ "lines": lines, "at": at })
        }
        Answer::Breakpoint(id, text) => json!({ "breakpoint": id, "text": text }),
        Answer::Breakpoints(list) => {
            let list: Vec<Json> =
                list.into_iter().map(|(id, text)| json!({ "breakpoint": id, "text": text })).collect();
            json!({ "breakpoints": list })
        }
        Answer::History(info) => json!({ "history": {
            "reached": info.reached,
            "snapshots": info.snapshots,
            "given_up": info.given_up,
            "spacing": info.spacing,
            "bytes": info.bytes,
            "limit": info.limit,
        } }),
        Answer::Done | Answer::Quit => json!({ "done": true }),
    }
}

fn frame(frame: &FrameInfo) -> Json {
    json!({ "function": frame.function.as_str(), "file": frame.span.file.as_str(), "line": frame.span.line })
}

fn stopped(stop: &Stop, function: &Function) -> Json {
    match &stop.reason {
        // As `overdub run` answers.
        Reason::Exited(value) => {
            let exited = call::Answer::of(function, value.clone());
            let exited = exited.map_or_else(
                |failed| json!({ "error": failed.json()["error"]["message"] }),
                call::Answer::json,
            );
            return json!({ "exited": exited });
        }
        Reason::Failed(failure) => return json!({ "exited": { "error": failure.report().message } }),
        _ => {}
    }
    let mut told = json!({
        "reason": stop.reason.word(),
        "function": stop.function.map(|name| name.to_string()),
        "file": stop.span.file.as_str(),
        "line": stop.span.line,
        "moment": stop.moment,
    });
    let more = |value: &Value<'static>| values::write(value);
    match &stop.reason {
        Reason::Breakpoint(id) => told["breakpoint"] = json!(id),
        Reason::Changed { id, old, new } => {
            told["breakpoint"] = json!(id);
            (told["old"], told["new"]) = (more(old), more(new));
        }
        Reason::NotFinite { id, operation, operands, result } => {
            told["breakpoint"] = json!(id);
            told["operation"] = json!(operation);
            told["operands"] = operands.iter().map(more).collect();
            told["result"] = more(result);
        }
        Reason::Failure(failure) => told["message"] = json!(failure.report().message),
        Reason::Condition { id, message } => {
            told["breakpoint"] = json!(id);
            told["message"] = json!(message);
        }
        _ => {}
    }
    json!({ "stopped": told })
}

fn as_text(answer: Answer) -> String {
    let place = |frame: &FrameInfo| format!("{} at {}:{}", frame.function, frame.span.file, frame.span.line);
    match answer {
        Answer::Stopped(stop) => stopped_text(&stop),
        Answer::Value(value) => format!("{}\n", show(&value)),
        Answer::Variables(list) => {
            list.iter().map(|(name, value)| format!("{name} = {}\n", show(value))).collect()
        }
        Answer::Frames(frames) => {
            let lines = frames.iter().enumerate().map(|(at, frame)| format!("#{at} {}\n", place(frame)));
            lines.collect()
        }
        Answer::Frame(number, frame) => format!("#{number} {}\n", place(&frame)),
        Answer::Lines(lines, at) => {
            let line = |(number, text): &(u32, String)| {
                format!("{}{number:5} {text}\n", if *number == at { "->" } else { "  " })
            };
            lines.iter().map(line).collect()
        }
        Answer::Breakpoint(_, text) => format!("breakpoint {text}\n"),
        Answer::Breakpoints(list) => list.iter().map(|(_, text)| format!("{text}\n")).collect(),
        Answer::History(info) => format!(
            "{} instructions, {} snapshots of {} bytes ({} allowed), {} given up, one each {} instructions\n",
            info.reached, info.snapshots, info.bytes, info.limit, info.given_up, info.spacing
        ),
        Answer::Done | Answer::Quit => String::new(),
    }
}

fn stopped_text(stop: &Stop) -> String {
    let more = match &stop.reason {
        Reason::Exited(value) => return format!("exited: {}\n", show(value)),
        Reason::Failed(failure) => return format!("failed: {}\n", failure.report().message),
        Reason::Failure(failure) => format!(": {}", failure.report().message),
        Reason::Breakpoint(id) => format!(" {id}"),
        Reason::Changed { old, new, .. } => format!(" from {} to {}", show(old), show(new)),
        Reason::NotFinite { operation, operands, result, .. } => {
            let operands: Vec<String> = operands.iter().map(show).collect();
            format!(": {operation}({}) = {}", operands.join(", "), show(result))
        }
        Reason::Condition { message, .. } => format!(": {message}"),
        _ => String::new(),
    };
    let function = stop.function.map_or_else(String::new, |name| format!(" in {name}"));
    format!(
        "stopped at {}:{}{function} ({}{more}), moment {}\n",
        stop.span.file,
        stop.span.line,
        stop.reason.word(),
        stop.moment
    )
}
