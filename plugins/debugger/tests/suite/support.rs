//! Sessions on source texts, and what they show.

use std::sync::{Arc, Mutex};

use overdub_context::value::Value;
use overdub_debugger::{Command, Reason, Session, Source, Stop, show};

/// A session on a function of a text.
pub(crate) fn session(text: &str, function: &str, args: Vec<Value<'static>>) -> Session {
    Session::open(&Source::text("f.rs", text), function, args).expect("the text is a program")
}

/// The output and result of a plain run.
pub(crate) fn plain(text: &str, function: &str, args: Vec<Value<'static>>) -> Result<String, String> {
    let loaded = overdub_lower::Loaded::from_source("f.rs", text).expect("the text is a program");
    let function = loaded.function(function).expect("it has the function");
    let result = loaded.engine().run(function.symbol, args);
    result.map(|value| format!("{value:?}")).map_err(|failure| failure.report().message.clone())
}

/// The last part of the name of the function that a run stopped in; `-` if it has ended.
pub(crate) fn stopped_in(stop: &Stop) -> String {
    stop.function.map_or_else(
        || "-".to_owned(),
        |name| name.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default().to_owned(),
    )
}

/// Carries out commands; returns the functions and lines at which the session stops.
pub(crate) fn stops(session: &mut Session, commands: &[Command]) -> Vec<String> {
    let run = |command: &Command| {
        let stop = session.run(command.clone()).expect("the command can be carried out");
        stopped_in(&stop)
    };
    commands.iter().map(run).collect()
}

/// The variables of the innermost call, as text.
pub(crate) fn shown(session: &Session) -> String {
    let variables = session.variables(0).unwrap_or_default();
    let each = variables.iter().map(|variable| format!("{}: {}", variable.name, show(&variable.value)));
    format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
}

/// Runs to the end from the current position, over all stops.
pub(crate) fn end(session: &mut Session) -> Result<String, String> {
    loop {
        match session.run(Command::Continue).expect("it has not ended").reason {
            Reason::Exited(value) => return Ok(format!("{value:?}")),
            Reason::Failed(failure) => return Err(failure.report().message.clone()),
            _ => {}
        }
    }
}

/// What a session prints from now on.
pub(crate) fn printed(session: &mut Session) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let sink = text.clone();
    session.print_to(Arc::new(Mutex::new(move |piece: &str| {
        sink.lock().expect("nobody fails with it").push_str(piece);
    })));
    text
}
