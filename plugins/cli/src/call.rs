//! `overdub run`: parses arguments, runs the function, prints its value.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use overdub_context::engine::{Empty, Engine, Interpreting, Layers, Sink};
use overdub_context::ir::LoadError;
#[cfg(feature = "rustc")]
use overdub_context::limits::Limits;
use overdub_context::value::Value;
use overdub_context::{Failure, Span, Symbol};
use overdub_lower::lower::PassedBy;
use overdub_lower::{Function, Loaded};
#[cfg(has_native)]
use overdub_native::Native;
use overdub_passes::Optimised;
#[cfg(feature = "rustc")]
use overdub_rustc::Rustc;
use serde_json::{Map, Value as Json};

use crate::args::{Backend, RunArgs};
#[cfg(feature = "rustc")]
use crate::limits::MEMORY;
use crate::report::{Diagnostic, Failed};
use crate::{codes, inputs, interrupt, json, load};

/// Runs a function and prints what it returns.
pub(crate) fn run(args: &RunArgs, out: &mut dyn Write) -> Result<(), Failed> {
    let call = RequestedCall::open(args)?;
    let value = call.under(&Empty)?;
    print(args, call.output_of(value)?, out)
}

/// Prints the answer of a call in the requested format.
pub(crate) fn print(args: &RunArgs, output: CallOutput, out: &mut dyn Write) -> Result<(), Failed> {
    if !args.json {
        return output.print(out);
    }
    writeln!(out, "{}", output.json())?;
    Ok(())
}

/// A function of a program and the arguments to call it with.
pub(crate) struct RequestedCall {
    loaded: Loaded,
    function: Function,
    arguments: Vec<Value<'static>>,
    engine: Engine,
    /// Whether the last line that the program printed is incomplete.
    line_is_open: Arc<AtomicBool>,
}

impl RequestedCall {
    /// The call that a command line specifies.
    pub(crate) fn open(args: &RunArgs) -> Result<RequestedCall, Failed> {
        RequestedCall::run_by(args, IsOptimised::No)
    }

    /// As [`RequestedCall::open`], with an optimiser, which pays for code that contexts generate.
    pub(crate) fn open_optimised(args: &RunArgs) -> Result<RequestedCall, Failed> {
        RequestedCall::run_by(args, IsOptimised::Yes)
    }

    fn run_by(args: &RunArgs, is_optimised: IsOptimised) -> Result<RequestedCall, Failed> {
        let loaded = load::open(&args.which.source)?;
        let parts = inputs::arguments(&args.args)?;
        let shapes: Vec<_> = parts.iter().map(json::shape).collect();
        let function = load::function(&loaded, &args.which.function, &shapes)?;
        let arguments = arguments(&loaded, &function, &parts)?;
        let line_is_open = Arc::new(AtomicBool::new(false));
        let engine = engine(&loaded, args.backend, is_optimised, to_stdout(line_is_open.clone()));
        Ok(RequestedCall { loaded, function, arguments, engine, line_is_open })
    }

    /// Ends an incomplete line of the program, so that what follows begins on a new line.
    fn end_line(&self) {
        if self.line_is_open.swap(false, Ordering::Relaxed) {
            interrupt::print("\n");
        }
    }

    /// Makes the call under a context.
    pub(crate) fn under<L: Layers>(&self, cx: &L) -> Result<L::Of<Value<'static>>, Failed> {
        self.reported(self.engine.overdub(cx, self.function.symbol, self.arguments.clone()))
    }

    /// The computed value, or the failure as the command reports it.
    pub(crate) fn reported<T>(&self, result: Result<T, Failure>) -> Result<T, Failed> {
        result.map_err(|failure| load::failure(&self.loaded, &self.engine, &failure))
    }

    /// The function.
    pub(crate) fn function(&self) -> &Function {
        &self.function
    }

    /// The location of the function.
    pub(crate) fn span(&self) -> Span {
        self.loaded.program().head(self.function.instance.def()).span
    }

    /// The line of the program's source at a location, without its indentation.
    pub(crate) fn source_line(&self, at: Span) -> Option<String> {
        Some(self.line(at.file, at.line)?.trim().to_owned())
    }

    /// The line of a file of the program.
    pub(crate) fn line(&self, file: Symbol, line: u32) -> Option<String> {
        let text = self.loaded.program().source(file)?;
        Some(text.lines().nth((line as usize).checked_sub(1)?)?.to_owned())
    }

    /// The error of a function that a context cannot rewrite.
    pub(crate) fn refused(&self, error: &LoadError) -> Failed {
        load::load_error(&self.loaded, error.clone())
    }

    /// The arguments of the call.
    pub(crate) fn arguments(&self) -> &[Value<'static>] {
        &self.arguments
    }

    /// The engine that runs the call.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Makes the call under a context that watches it: the metadata are returned even if the call fails.
    pub(crate) fn watched<L: Layers>(&self, cx: &L) -> (Result<Value<'static>, Failed>, L::Metadata) {
        let (result, metadata) = self.engine.watch(cx, self.function.symbol, self.arguments.clone());
        (self.reported(result), metadata)
    }

    /// The result of the call, as the command prints it.
    pub(crate) fn output_of(&self, value: Value<'static>) -> Result<CallOutput, Failed> {
        self.end_line();
        CallOutput::of(&self.function, value)
    }
}

/// Whether the interpreter runs optimised code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IsOptimised {
    No,
    Yes,
}

/// The engine of a program on a backend, which prints into a sink.
pub(crate) fn engine(loaded: &Loaded, backend: Backend, is_optimised: IsOptimised, sink: Sink) -> Engine {
    let builder = loaded.engine_builder();
    match (backend, is_optimised) {
        (Backend::Interp, IsOptimised::No) => builder.executor(Interpreting::new().printing(sink)).build(),
        (Backend::Interp, IsOptimised::Yes) => {
            builder.executor(Optimised::new(Interpreting::new().printing(sink))).build()
        }
        // Machine code is optimised when it is compiled.
        #[cfg(has_native)]
        (Backend::Native, _) => builder.executor(Native::new().printing(sink)).build(),
        #[cfg(has_native)]
        (Backend::Auto, _) => builder.executor(Native::auto().printing(sink)).build(),
        #[cfg(all(feature = "rustc", has_native))]
        (Backend::Rustc, _) => builder.executor(by_rustc(Rustc::new(Native::auto().printing(sink)))).build(),
        #[cfg(all(feature = "rustc", not(has_native)))]
        (Backend::Rustc, _) => {
            builder.executor(by_rustc(Rustc::new(Optimised::new(Interpreting::new().printing(sink))))).build()
        }
    }
}

/// Compiles before the first run, and says why where it does not.
#[cfg(feature = "rustc")]
fn by_rustc(rustc: Rustc) -> Rustc {
    let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
    rustc.compiling_first().limiting_below(limits).reporting(|func, reason| {
        anstream::eprintln!("note: `{func}` does not run as rustc compiles it: {reason}");
    })
}

/// A sink to the standard output, which records whether the last line is incomplete.
fn to_stdout(line_is_open: Arc<AtomicBool>) -> Sink {
    Arc::new(Mutex::new(move |text: &str| {
        interrupt::print(text);
        if let Some(last) = text.chars().last() {
            line_is_open.store(last != '\n', Ordering::Relaxed);
        }
    }))
}

/// The answer of a call: its result, and the last values of its `&mut` parameters.
pub(crate) struct CallOutput {
    pub(crate) value: Json,
    mutated: Map<String, Json>,
}

impl CallOutput {
    /// The answer from the value that a function returned.
    ///
    /// # Errors
    /// If the function returned an `Err`.
    pub(crate) fn of(function: &Function, value: Value<'static>) -> Result<CallOutput, Failed> {
        let (value, outs) = function.split(value);
        let mutable = function.params.iter().filter(|param| param.by == PassedBy::InOut);
        let mutated =
            mutable.zip(&outs).map(|(param, out)| (param.name.to_string(), json::write(out))).collect();
        Ok(CallOutput { value: unwrapped(function, &value)?, mutated })
    }

    /// As an object with `value`, and `mutated` if there is any.
    pub(crate) fn json(self) -> Json {
        let mut answer = Map::from_iter([("value".to_string(), self.value)]);
        if !self.mutated.is_empty() {
            answer.insert("mutated".to_string(), Json::Object(self.mutated));
        }
        Json::Object(answer)
    }

    /// As a line for the value, and one for each `&mut` parameter.
    pub(crate) fn print(self, out: &mut dyn Write) -> Result<(), Failed> {
        writeln!(out, "{}", self.value)?;
        for (name, value) in self.mutated {
            writeln!(out, "{name} = {value}")?;
        }
        Ok(())
    }
}

/// The values of a function's arguments, from JSON; a `&mut` argument that the function may keep is in a cell of its own.
///
/// # Errors
/// If the number of arguments, a type or a length is wrong.
pub fn arguments(
    loaded: &Loaded,
    function: &Function,
    parts: &[Json],
) -> Result<Vec<Value<'static>>, Failed> {
    let usage = |message: String| Failed::usage(Diagnostic::new(message).coded(codes::ARGUMENT));
    if parts.len() != function.params.len() {
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| format!("{}: {}", param.name, loaded.types().show(param.ty)))
            .collect();
        let message = format!(
            "`{}` takes {} argument{} ({}), got {}",
            function.name(),
            params.len(),
            if params.len() == 1 { "" } else { "s" },
            params.join(", "),
            parts.len()
        );
        let mut wrong = Diagnostic::new(message).coded(codes::ARG_COUNT);
        if params.len() == 1 && json::read(&Json::Array(parts.to_vec()), function.params[0].ir_ty, "").is_ok()
        {
            wrong =
                wrong.with_help("for an array as the only argument, write an array in an array: `[[1, 2]]`");
        }
        return Err(Failed::usage(wrong));
    }
    let values = function.params.iter().zip(parts).map(|(param, part)| {
        let place = param.name.as_str();
        json::check_lengths(part, param.ty, loaded.types(), place)
            .and_then(|()| json::read(part, param.ir_ty, place))
            .map(|value| match param.by {
                PassedBy::Reference => json::in_a_cell(value),
                PassedBy::Value | PassedBy::InOut => value,
            })
    });
    values.collect::<Result<_, _>>().map_err(|error| usage(error.to_string()))
}

/// The JSON of a result; a returned `Err` is a failure like a panic.
fn unwrapped(function: &Function, value: &Value<'_>) -> Result<Json, Failed> {
    let Some(composite) = value.as_composite() else { return Ok(json::write(value)) };
    let is_result = composite.ty.is_some_and(|ty| ty.as_result().is_some());
    match (is_result, composite.tag, composite.parts.first()) {
        (true, 0, Some(payload)) => Ok(json::write(payload)),
        (true, _, Some(error)) => {
            let message = format!("`{}` returned an error: {}", function.name(), json::write(error));
            Err(Failed::program(Diagnostic::new(message).coded(codes::RETURNED_ERR)))
        }
        _ => Ok(json::write(value)),
    }
}
