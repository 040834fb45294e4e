//! A client over pipes, and an opener of functions of numbers.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use overdub_context::engine::Interpreting;
use overdub_context::ir::TyKind;
use overdub_context::value::Value;
use overdub_dap::{Derivative, Launch, LaunchArguments, LaunchError, ServeError, serve};
use overdub_debugger::{Derivative as Debugged, Session, Source, show};
use overdub_lower::{Function, Loaded};
use serde_json::{Value as Json, json};

/// A source without a file.
pub(crate) const MEMORY: &str = "fn twice(x: f64) -> f64 {\n    let y = x * 2.0;\n    y\n}\n";

/// The time after which a response counts as missing.
const PATIENCE: Duration = Duration::from_secs(60);

/// The file of the programs to debug.
pub(crate) fn source() -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "programs", "walk.rs"].iter().collect();
    path.canonicalize().expect("it is there").to_string_lossy().into_owned()
}

/// Opens functions whose parameters are numbers.
#[derive(Clone, Copy)]
pub(crate) struct Opener;

impl Launch for Opener {
    fn open(&mut self, launch: &LaunchArguments) -> Result<Session, LaunchError> {
        let source = match launch.source.to_str() {
            Some("memory.rs") => Source::text("memory.rs", MEMORY),
            _ => Source::path(&launch.source),
        };
        let wrong = |message: String| LaunchError { message };
        let program = source.program("").map_err(|error| wrong(error.to_string()))?;
        let loaded = Loaded::with_debug_info(program);
        let function = loaded.function(&launch.function).map_err(|error| wrong(error.to_string()))?;
        if function.params.len() != launch.args.len() {
            return Err(wrong(format!("`{}` takes {} arguments", launch.function, function.params.len())));
        }
        let given = function.params.iter().zip(&launch.args).map(|(param, arg)| {
            let value = match param.ir_ty.kind() {
                TyKind::Float(_) => arg.as_f64().map(Value::F64),
                // These programs take `usize` and `u64`.
                _ if function.symbol.contains("deep") => arg.as_u64().map(Value::from),
                _ => arg.as_u64().and_then(|n| usize::try_from(n).ok()).map(Value::from),
            };
            value.ok_or_else(|| wrong(format!("`{arg}` is no value of `{}`", param.name)))
        });
        let given = given.collect::<Result<Vec<_>, _>>()?;
        let ones = || given.iter().filter(|value| matches!(value, Value::F64(_))).map(|_| 1.0).collect();
        let derivative = match launch.derivative {
            Some(Derivative::Gradient) => Debugged::Gradient,
            Some(Derivative::Jvp) => Debugged::Jvp(ones()),
            None => {
                let mut session = Session::of(&source, loaded, function, given)?;
                // Stops are the same with and without machine code, except for pauses: both are tested.
                if launch.stop_on_entry == Some(true) {
                    session.delegate_to(Arc::new(Interpreting::new()));
                }
                return Ok(session);
            }
        };
        Ok(Session::differentiating(&source, loaded, function, given, derivative)?)
    }

    fn derivative(&mut self, _: &Value<'static>, derivative: &[Value<'static>], _: bool) -> Json {
        json!({ "derivative": derivative.iter().map(show).collect::<Vec<_>>() })
    }

    fn result(&mut self, _: &Function, value: Value<'static>) -> Result<Json, LaunchError> {
        let shown = show(&value);
        if shown.starts_with("Err(") {
            return Err(LaunchError { message: format!("returned an error: {shown}") });
        }
        Ok(json!({ "value": value.as_f64().map_or(json!(shown), |x| json!(x)) }))
    }
}

/// A client.
pub(crate) struct Client {
    to: Option<PipeWriter>,
    from: Receiver<Json>,
    server: Option<JoinHandle<Result<(), ServeError>>>,
    /// Messages that have arrived and have not been taken yet.
    pub(crate) waiting: VecDeque<Json>,
    pub(crate) seq: i64,
}

impl Client {
    /// A client that has connected, and sent nothing.
    pub(crate) fn connect() -> Client {
        let (server_reads, to) = std::io::pipe().expect("there are pipes");
        let (from, server_writes) = std::io::pipe().expect("there are pipes");
        let server = std::thread::Builder::new().stack_size(64 << 20);
        let server =
            server.spawn(move || serve(server_reads, server_writes, Opener)).expect("there are threads");
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(message) = read(&mut from) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Client { to: Some(to), from: receive, server: Some(server), waiting: VecDeque::new(), seq: 0 }
    }

    /// A client whose program waits for breakpoints.
    pub(crate) fn launched(function: &str, args: Json) -> Client {
        Client::launched_with(function, args, json!({}))
    }

    pub(crate) fn launched_with(function: &str, args: Json, more: Json) -> Client {
        let mut client = Client::connect();
        client.ask("initialize", json!({ "adapterID": "overdub" }));
        let mut launch = json!({ "source": source(), "function": function, "args": args });
        for (name, value) in more.as_object().expect("more arguments are an object") {
            launch[name] = value.clone();
        }
        client.ask("launch", launch);
        client.event("initialized");
        client
    }

    /// A client whose program has stopped at a breakpoint on a line.
    pub(crate) fn stopped_at(function: &str, args: Json, line: u32) -> Client {
        let mut client = Client::launched(function, args);
        client.break_at(json!([{ "line": line }]));
        client.ask("configurationDone", Json::Null);
        let stopped = client.event("stopped");
        assert_eq!(stopped["reason"], "breakpoint", "{stopped}");
        client
    }

    /// Sends bytes unchanged.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(to) = &mut self.to {
            // The server may have ended.
            drop(to.write_all(bytes).and_then(|()| to.flush()));
        }
    }

    /// Sends a request, and returns its number.
    pub(crate) fn send(&mut self, command: &str, arguments: Json) -> i64 {
        self.seq += 1;
        let mut message = json!({ "seq": self.seq, "type": "request", "command": command });
        if !arguments.is_null() {
            message["arguments"] = arguments;
        }
        self.send_raw(&framed(&message.to_string()));
        self.seq
    }

    fn next(&mut self, wanted: impl Fn(&Json) -> bool, what: &str) -> Json {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(at).expect("it was found there");
        }
        loop {
            match self.from.recv_timeout(PATIENCE) {
                Ok(message) if wanted(&message) => return message,
                Ok(message) => self.waiting.push_back(message),
                Err(RecvTimeoutError::Timeout) => panic!("no {what} came; {:#?}", self.waiting),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the server ended without {what}; {:#?}", self.waiting)
                }
            }
        }
    }

    /// The response to a request.
    pub(crate) fn response(&mut self, seq: i64) -> Json {
        self.next(|message| message["type"] == "response" && message["request_seq"] == seq, "response")
    }

    /// The body of the next event with this name.
    pub(crate) fn event(&mut self, name: &str) -> Json {
        self.next(|message| message["event"] == name, name)["body"].take()
    }

    /// The body of the response to a request that succeeds.
    pub(crate) fn ask(&mut self, command: &str, arguments: Json) -> Json {
        let seq = self.send(command, arguments);
        let mut response = self.response(seq);
        assert_eq!(response["success"], true, "{response:#}");
        assert_eq!(response["command"], command);
        response["body"].take()
    }

    /// The reason for which a request is refused.
    pub(crate) fn refused(&mut self, command: &str, arguments: Json) -> String {
        let seq = self.send(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], false, "{response:#}");
        let why = &response["body"]["error"]["variables"]["why"];
        assert_eq!(*why, response["message"]);
        why.as_str().expect("it is a text").to_owned()
    }

    /// Sets the breakpoints of the file, and returns their descriptions.
    pub(crate) fn break_at(&mut self, breakpoints: Json) -> Json {
        let arguments = json!({ "source": { "path": source() }, "breakpoints": breakpoints });
        self.ask("setBreakpoints", arguments)["breakpoints"].take()
    }

    /// Lets the program move; returns the body of the event of its stop.
    pub(crate) fn go(&mut self, command: &str) -> Json {
        self.ask(command, json!({ "threadId": 1 }));
        self.event("stopped")
    }

    /// The line of the innermost call.
    pub(crate) fn line(&mut self) -> Json {
        self.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0]["line"].take()
    }

    /// The number of an open call.
    pub(crate) fn frame(&mut self, number: usize) -> Json {
        self.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][number]["id"].take()
    }

    /// The text of a value.
    pub(crate) fn value(&mut self, expression: &str) -> String {
        let body = self.ask("evaluate", json!({ "expression": expression, "context": "watch" }));
        body["result"].as_str().expect("it is a text").to_owned()
    }

    /// The local variables of the innermost call, or its arguments.
    pub(crate) fn scope(&mut self, name: &str) -> Json {
        let frame = self.frame(0);
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().expect("there are scopes");
        let scope = scopes.iter().find(|scope| scope["name"] == name).expect("it is there");
        scope["variablesReference"].clone()
    }

    /// The contents of a list of variables.
    pub(crate) fn variables(&mut self, reference: &Json) -> Vec<Json> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("it is a list").clone()
    }

    /// A local variable.
    pub(crate) fn local(&mut self, name: &str) -> Json {
        let reference = self.scope("Locals");
        let all = self.variables(&reference);
        all.into_iter().find(|variable| variable["name"] == name).expect("it is there")
    }

    /// The output of one category that has arrived so far.
    pub(crate) fn output(&mut self, category: &str) -> String {
        let is = |message: &&Json| message["event"] == "output" && message["body"]["category"] == category;
        self.waiting.iter().filter(is).filter_map(|message| message["body"]["output"].as_str()).collect()
    }

    /// Closes the client's end, and returns how the server ended.
    pub(crate) fn hang_up(&mut self) -> Result<(), ServeError> {
        self.to = None;
        self.ended()
    }

    /// How the server ended.
    pub(crate) fn ended(&mut self) -> Result<(), ServeError> {
        loop {
            match self.from.recv_timeout(PATIENCE) {
                Ok(message) => self.waiting.push_back(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let server = self.server.take().expect("it ends once");
        server.join().expect("it does not panic")
    }

    /// All messages that have arrived by now.
    pub(crate) fn take_all(&mut self) -> Vec<Json> {
        self.waiting.extend(self.from.try_iter());
        self.waiting.drain(..).collect()
    }

    /// The next message, if one arrives in time.
    pub(crate) fn receive(&mut self, patience: Duration) -> Option<Json> {
        self.waiting.pop_front().or_else(|| self.from.recv_timeout(patience).ok())
    }
}

/// A body with its header.
pub(crate) fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read(from: &mut impl BufRead) -> Option<Json> {
    let mut header = String::new();
    from.read_line(&mut header).ok().filter(|&read| read > 0)?;
    let length = header.strip_prefix("Content-Length: ").expect("it is the header").trim();
    let mut body = vec![0; length.parse::<usize>().expect("it is a length") + 2];
    from.read_exact(&mut body).expect("the body is whole");
    Some(serde_json::from_slice(&body[2..]).expect("the body is JSON"))
}
