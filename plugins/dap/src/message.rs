//! Messages from the client and to it.
//!
//! - OUT1 messages are numbered in the order in which they are written; each is written whole.
//! - OUT2 if the client no longer reads, nothing is written, and the server ends.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dapts::event::{IEvent, Output};
use dapts::{OutputEvent, OutputEventCategory};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::refusal::Refusal;
use crate::wire::{self, WireError};

/// A message from the client.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A request.
    Request(Request),
    /// A malformed message, and why it is refused.
    Malformed(Request, Refusal),
    /// A response or an event, of which this server expects none.
    Ignored,
    /// The client is gone.
    End,
    /// The input can no longer be parsed.
    Broken(WireError),
}

/// A request of the client.
#[derive(Debug)]
pub(crate) struct Request {
    /// Its number, to which the response refers.
    pub(crate) seq: i64,
    /// The name of the request.
    pub(crate) command: String,
    /// Its arguments.
    pub(crate) arguments: Json,
}

impl Request {
    /// The arguments, parsed as the protocol's type.
    pub(crate) fn arguments<A: DeserializeOwned>(&self) -> Result<A, Refusal> {
        let given = match &self.arguments {
            // A request whose arguments are all optional may come without any.
            Json::Null => json!({}),
            other => other.clone(),
        };
        serde_json::from_value(given).map_err(|error| Refusal::Arguments(error.to_string()))
    }
}

/// Reads the next message.
pub(crate) fn receive(from: &mut impl BufRead) -> Incoming {
    match wire::read(from) {
        Ok(Some(body)) => decode(&body),
        Ok(None) => Incoming::End,
        Err(error) => Incoming::Broken(error),
    }
}

fn decode(body: &[u8]) -> Incoming {
    let unknown = Request { seq: 0, command: String::new(), arguments: Json::Null };
    let mut message = match serde_json::from_slice::<Json>(body) {
        Ok(Json::Object(message)) => message,
        Ok(_) => return Incoming::Malformed(unknown, Refusal::NoRequest("it is no object")),
        Err(error) => return Incoming::Malformed(unknown, Refusal::NotJson(error.to_string())),
    };
    let seq = message.get("seq").and_then(Json::as_i64);
    let command = message.get("command").and_then(Json::as_str).map(str::to_owned);
    let wrong = match (message.get("type").and_then(Json::as_str), seq, &command) {
        (Some("response" | "event"), ..) => return Incoming::Ignored,
        (Some("request"), Some(_), Some(_)) => None,
        (Some("request"), None, _) => Some("`seq` is no whole number"),
        (Some("request"), _, None) => Some("`command` is no text"),
        _ => Some("`type` is none of `request`, `response`, `event`"),
    };
    let arguments = message.remove("arguments").unwrap_or_default();
    let request = Request { seq: seq.unwrap_or(0), command: command.unwrap_or_default(), arguments };
    match wrong {
        Some(why) => Incoming::Malformed(request, Refusal::NoRequest(why)),
        None => Incoming::Request(request),
    }
}

/// The writer of messages to the client. A clone shares it.
#[derive(Clone)]
pub(crate) struct Client(Arc<Mutex<Writing>>);

struct Writing {
    to: Box<dyn Write + Send>,
    /// The number of the last message.
    seq: u64,
    is_disconnected: bool,
    /// What the program has printed of a line that is not complete.
    line: String,
}

/// A longer line is sent before its end.
const LINE: usize = 1024;

impl Client {
    pub(crate) fn new(to: impl Write + Send + 'static) -> Client {
        let writing = Writing { to: Box::new(to), seq: 0, is_disconnected: false, line: String::new() };
        Client(Arc::new(Mutex::new(writing)))
    }

    fn lock(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the client no longer reads (OUT2).
    pub(crate) fn is_disconnected(&self) -> bool {
        self.lock().is_disconnected
    }

    /// Responds to a request.
    pub(crate) fn respond(&self, request: &Request, result: Result<Json, Refusal>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": result.is_ok(),
        });
        match result {
            Ok(Json::Null) => {}
            Ok(body) => message["body"] = body,
            Err(refusal) => {
                message["message"] = json!(refusal.to_string());
                message["body"] = refusal.body();
            }
        }
        self.lock().send(message);
    }

    /// Sends an event.
    pub(crate) fn send_event<E: IEvent>(&self, body: &E::Body) {
        let mut writing = self.lock();
        writing.end_line();
        writing.event::<E>(body);
    }

    /// Sends a text of the debugger, of one or more lines.
    pub(crate) fn send_output(&self, category: OutputEventCategory, text: &str) {
        self.send_event::<Output>(&output(category, format!("{text}\n")));
    }

    /// Sends what the program prints, line by line.
    pub(crate) fn print(&self, text: &str) {
        let mut writing = self.lock();
        writing.line.push_str(text);
        if writing.line.contains('\n') || writing.line.len() > LINE {
            writing.end_line();
        }
    }
}

impl Writing {
    fn event<E: IEvent>(&mut self, body: &E::Body) {
        let mut message = json!({ "type": "event", "event": E::EVENT });
        match serde_json::to_value(body) {
            Ok(Json::Null) | Err(_) => {}
            Ok(body) => message["body"] = body,
        }
        self.send(message);
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            let text = std::mem::take(&mut self.line);
            self.event::<Output>(&output(OutputEventCategory::Stdout, text));
        }
    }

    fn send(&mut self, mut message: Json) {
        if self.is_disconnected {
            return;
        }
        self.seq += 1;
        message["seq"] = json!(self.seq);
        let body = message.to_string();
        // OUT1
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.is_disconnected = self.to.write_all(framed.as_bytes()).and_then(|()| self.to.flush()).is_err();
    }
}

fn output(category: OutputEventCategory, text: String) -> OutputEvent {
    OutputEvent { category: Some(category), output: text, ..OutputEvent::default() }
}
