//! `overdub dap`: debugs functions for an editor.

use std::io::{Write, stdin, stdout};

use overdub_context::value::Value;
use overdub_dap::{Connection, Derivative, Launch, LaunchArguments, LaunchError, Port, ServeError};
use overdub_debugger::{Session, Source};
use overdub_lower::Function;
use serde_json::Value as Json;

use crate::args::{Dap, DebuggedDerivative};
use crate::call::{CallOutput, arguments};
use crate::report::{Diagnostic, Failed};
use crate::{debug, json, load};

/// Serves one client on the standard input and output, or all clients that connect to a port.
pub(crate) fn serve(args: &Dap, out: &mut dyn Write) -> Result<(), Failed> {
    let opener = Opener { history: args.history.saturating_mul(1 << 20) };
    let limits = args.limits.limits();
    let Some(port) = args.port else {
        return limits.during(|| overdub_dap::serve(stdin(), stdout(), opener)).map_err(failed);
    };
    let cannot_listen =
        |error| Failed::program(Diagnostic::new(format!("cannot listen on port {port}: {error}")));
    let port = Port::open(port).map_err(cannot_listen)?;
    writeln!(out, "listening on 127.0.0.1:{}", port.number().map_err(cannot_listen)?)?;
    out.flush()?;
    let each = move |connection: Connection| {
        if let Err(error) = limits.during(|| connection.serve(opener)) {
            // A closed stderr is ignored.
            drop(writeln!(std::io::stderr(), "a connection ended: {error}"));
        }
    };
    port.serve(each).map_err(cannot_listen)
}

fn failed(error: ServeError) -> Failed {
    Failed::program(Diagnostic::new(error.to_string()))
}

/// Opens functions in the same way as `overdub debug`.
#[derive(Clone, Copy, Debug)]
struct Opener {
    /// The limit of the history of a run, in bytes.
    history: usize,
}

impl Launch for Opener {
    fn open(&mut self, launch: &LaunchArguments) -> Result<Session, LaunchError> {
        let loaded = load::open_to_debug(&launch.source).map_err(refused)?;
        let shapes: Vec<_> = launch.args.iter().map(json::shape).collect();
        let function = load::function(&loaded, &launch.function, &shapes).map_err(refused)?;
        let args = arguments(&loaded, &function, &launch.args).map_err(refused)?;
        let source = Source::path(&launch.source);
        let derivative = debug::derivative(
            launch.derivative.map(|derivative| match derivative {
                Derivative::Gradient => DebuggedDerivative::Gradient,
                Derivative::Jvp => DebuggedDerivative::Jvp,
            }),
            launch.tangents.clone(),
            &function,
            &args,
        );
        let mut session = match derivative.map_err(refused)? {
            Some(derivative) => Session::differentiating(&source, loaded, function, args, derivative)?,
            None => Session::of(&source, loaded, function, args)?,
        };
        session.limit_history(self.history);
        debug::by_machine_code(&mut session);
        Ok(session)
    }

    fn result(&mut self, function: &Function, value: Value<'static>) -> Result<Json, LaunchError> {
        CallOutput::of(function, value).map(CallOutput::json).map_err(refused)
    }

    fn derivative(
        &mut self,
        value: &Value<'static>,
        derivative: &[Value<'static>],
        is_gradient: bool,
    ) -> Json {
        debug::differentiated(value, derivative, is_gradient)
    }
}

/// An error on one line: what, where, what to do.
fn refused(failed: Failed) -> LaunchError {
    let error = &failed.json()["error"];
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    let mut message = text("message");
    for (before, more) in [(" at ", text("at")), ("; ", text("help"))] {
        if !more.is_empty() {
            message += before;
            message += &more;
        }
    }
    LaunchError { message }
}
