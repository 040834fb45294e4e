//! Random clients: requests that are right, wrong or out of order, and messages that are not requests.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};

use crate::support::{Client, framed, source};

/// Numbers that determine what is sent.
struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    fn of(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |choice| choice as usize % count)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.of(of.len())].clone()
    }
}

const COMMANDS: &[&str] = &[
    "setBreakpoints",
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setExceptionBreakpoints",
    "setDataBreakpoints",
    "dataBreakpointInfo",
    "configurationDone",
    "configurationDone",
    "threads",
    "stackTrace",
    "stackTrace",
    "exceptionInfo",
    "scopes",
    "scopes",
    "variables",
    "variables",
    "variables",
    "setVariable",
    "evaluate",
    "evaluate",
    "completions",
    "continue",
    "next",
    "next",
    "stepIn",
    "stepIn",
    "stepOut",
    "stepBack",
    "stepBack",
    "reverseContinue",
    "restartFrame",
    "gotoTargets",
    "goto",
    "pause",
    "pause",
    "pause",
    "loadedSources",
    "source",
    "disassemble",
    "launch",
    "initialize",
    "attach",
];

/// Requests that inspect the program.
const LOOKS: &[&str] =
    &["scopes", "scopes", "variables", "variables", "variables", "setVariable", "evaluate", "completions"];

/// The start of a session.
const BEGIN: &[&str] = &["initialize", "launch", "setBreakpoints", "configurationDone"];

/// Requests that move the program.
const MOTIONS: &[&str] = &[
    "configurationDone",
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "stepBack",
    "reverseContinue",
    "restartFrame",
    "goto",
];

/// Expressions, conditions, commands of the console, and texts that are none of these.
const TEXTS: &[&str] = &[
    "i",
    "xs",
    "p.x",
    "xs[1]",
    "n + 1",
    "norm(&p)",
    "i == 1",
    "nobody",
    "1 +",
    "",
    "\u{0}",
    "{}}{",
    "p",
    "xs[99]",
    ":next",
    ":back",
    ":locals",
    ":list",
    ":break norm",
    ":set i = 1",
    ":last-write xs[1]",
    ":info history",
    ":goto 9",
    ":finish",
    ":nonsense",
    ":delete 1",
    ":watch p.x",
    ":reverse-continue",
    ":up",
    "help",
    "3",
    "% 2 == 0",
];

/// Launches: programs that end, fail, loop or recurse; and some that cannot be launched.
fn launch(choices: &mut Choices) -> Json {
    let (function, args) = choices.one(&[
        ("walk", json!([3, 2.0])),
        ("walk", json!([5, 2.0])),
        ("deep", json!([40])),
        ("walk", json!([3, 2.0])),
        ("walk", json!([300, 0.5])),
        ("forever", json!([])),
        ("beyond", json!([5])),
        ("not_a_number", json!([1.0])),
        ("deep", json!([40])),
        ("long", json!([12_000])),
        ("nowhere", json!([])),
        ("walk", json!(["x"])),
    ]);
    let (stop, stays) = (choices.of(6) > 0, choices.of(3) == 0);
    json!({ "source": source(), "function": function, "args": args, "stopOnEntry": stop, "stopAtEnd": stays })
}

/// Any JSON, including numbers that the server returned.
fn anything(choices: &mut Choices, known: &[Json]) -> Json {
    match choices.of(12) {
        0..=4 if !known.is_empty() => choices.one(known),
        0..=5 => json!(choices.of(60)),
        6 => choices.one(&[json!(-1), json!(0), json!(1e300), json!(u64::MAX), json!(i64::MIN), json!(1.5)]),
        7 | 8 => json!(choices.one(TEXTS)),
        9 => Json::Null,
        10 => json!([anything(choices, known), true]),
        _ => json!({ "x": anything(choices, known), "line": 16 }),
    }
}

/// Arguments that may be right.
fn arguments(command: &str, choices: &mut Choices, known: &[Json]) -> Json {
    let number = |choices: &mut Choices| match known {
        [] => json!(choices.of(9)),
        known => choices.one(known),
    };
    let text = |choices: &mut Choices| json!(choices.one(TEXTS));
    let place = json!({ "path": source() });
    match command {
        "initialize" => json!({ "adapterID": "x", "supportsVariablePaging": choices.of(2) == 0 }),
        "launch" => launch(choices),
        "setBreakpoints" => {
            let point = |choices: &mut Choices| match choices.of(4) {
                0 => json!({ "line": choices.of(60), "condition": text(choices) }),
                1 => json!({ "line": choices.of(60), "hitCondition": text(choices) }),
                2 => json!({ "line": choices.of(60), "logMessage": "{i} {xs} {nobody" }),
                _ => json!({ "line": choices.of(60) }),
            };
            let points: Vec<Json> = (0..choices.of(4)).map(|_| point(choices)).collect();
            json!({ "source": place, "breakpoints": points })
        }
        "setFunctionBreakpoints" => {
            json!({ "breakpoints": [{ "name": choices.one(&["norm", "deep", "x"]) }] })
        }
        "setExceptionBreakpoints" => {
            json!({ "filters": [choices.one(&["failure", "nan", "infinity", "x"])] })
        }
        "setDataBreakpoints" => {
            json!({ "breakpoints": [{ "dataId": choices.one(&["walk\np.x", "walk\nxs[1]", "deep\nn", "x"]) }] })
        }
        "dataBreakpointInfo" => {
            json!({ "variablesReference": number(choices), "name": choices.one(&["i", "x", "[1]", "xs"]) })
        }
        "scopes" | "restartFrame" => json!({ "frameId": number(choices) }),
        "variables" => match choices.of(3) {
            0 => {
                json!({ "variablesReference": number(choices), "start": choices.of(99), "count": choices.of(999) })
            }
            _ => json!({ "variablesReference": number(choices) }),
        },
        "setVariable" => {
            let (name, value) =
                (choices.one(&["i", "p", "x", "xs", "[1]", "y"]), choices.one(&["1", "2.5", "i", "p.x"]));
            json!({ "variablesReference": number(choices), "name": name, "value": value })
        }
        "evaluate" => {
            let context = choices.one(&["repl", "repl", "hover", "watch", "clipboard", "elsewhere"]);
            json!({ "expression": text(choices), "context": context })
        }
        "completions" => json!({ "text": text(choices), "column": choices.of(9) }),
        "goto" => json!({ "threadId": 1, "targetId": number(choices) }),
        "gotoTargets" => json!({ "source": place, "line": choices.of(60) }),
        "source" => json!({ "source": place, "sourceReference": choices.of(3) }),
        "disassemble" => {
            let first = choices.one(&["0x01000000", "0x02000003", "0x0", "17", "-5", "x"]);
            let offset = choices.one(&[0, -5, 40, i64::MIN, i64::MAX]);
            json!({ "memoryReference": first, "instructionOffset": offset, "instructionCount": choices.of(50) })
        }
        _ => json!({ "threadId": 1 }),
    }
}

/// Replaces or removes something in a message.
fn change(message: &mut Json, choices: &mut Choices, known: &[Json]) {
    let target = match choices.of(4) {
        0 => message,
        _ => &mut message["arguments"],
    };
    let new = anything(choices, known);
    let Some(fields) = target.as_object_mut() else {
        *target = new;
        return;
    };
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = choices.one(&[names, vec!["more".to_owned()]].concat());
    match choices.of(3) {
        0 => drop(fields.remove(&name)),
        _ => drop(fields.insert(name, new)),
    }
}

/// Records numbers that the server returned, by field, for later requests.
fn learn(known: &mut [(&str, Vec<Json>)], told: &Json) {
    match told {
        Json::Object(fields) => {
            for (name, value) in fields {
                match known.iter_mut().find(|(field, _)| field == name) {
                    Some((_, known)) if value.is_u64() && *value != 0 => known.push(value.clone()),
                    _ => learn(known, value),
                }
            }
        }
        Json::Array(parts) => parts.iter().for_each(|part| learn(known, part)),
        _ => {}
    }
}

/// The messages that a random client has seen.
struct Seen {
    /// Numbers of frames and targets, and of lists of variables.
    known: [(&'static str, Vec<Json>); 2],
    /// The number of the last message.
    last: u64,
    answered: usize,
    /// The number of requests that were carried out.
    done: usize,
    is_moving: bool,
    stands: bool,
    /// The next request of an orderly client, before the program begins.
    next: Option<&'static str>,
}

impl Seen {
    fn take(&mut self, message: &Json) {
        let seq = message["seq"].as_u64().expect("messages are numbered");
        assert_eq!(seq, self.last + 1, "in order: {message}");
        self.last = seq;
        if message["type"] == "response" {
            self.answered += 1;
            let command = message["command"].as_str().unwrap_or_default();
            if message["success"] == true && MOTIONS.contains(&command) {
                (self.is_moving, self.stands) = (true, false);
            }
            if message["success"] == true
                && let Some(at) = self.next.and_then(|next| BEGIN.iter().position(|step| *step == next))
                && command == BEGIN[at]
            {
                self.next = BEGIN.get(at + 1).copied();
            }
            self.done += usize::from(message["success"] == true);
        }
        if message["event"] == "stopped" || message["event"] == "terminated" {
            self.is_moving = false;
        }
        if message["event"] == "stopped" {
            self.known.iter_mut().for_each(|(_, known)| known.clear());
            self.stands = true;
        }
        self.stands &= message["event"] != "terminated";
        let is_of_breakpoints = message["command"].as_str().is_some_and(|name| name.starts_with("set"));
        if !is_of_breakpoints {
            learn(&mut self.known, &message["body"]);
        }
    }
}

/// Sends random messages, all of which must be answered, and disconnects; returns how many there were, and
/// how many were carried out.
fn session(choices: &mut Choices, count: usize) -> (usize, usize) {
    let mut client = Client::connect();
    let mut seen = Seen {
        known: [("id", Vec::new()), ("variablesReference", Vec::new())],
        last: 0,
        answered: 0,
        done: 0,
        is_moving: false,
        stands: false,
        next: Some(BEGIN[0]),
    };
    let mut requests = 0;
    let is_orderly = choices.of(8) > 0;
    for _ in 0..count {
        // Most clients are orderly, inspect the program when it has stopped, and leave when it has ended.
        let is_looking = seen.stands && choices.of(3) > 0;
        let command = match seen.next {
            Some(next) if is_orderly && choices.of(4) > 0 => next,
            None if !seen.is_moving && !seen.stands && choices.of(3) == 0 => break,
            _ if is_looking && seen.known[0].1.is_empty() => "stackTrace",
            _ if is_looking => choices.one(LOOKS),
            _ => choices.one(COMMANDS),
        };
        let command = if choices.of(100) == 0 { "terminate" } else { command };
        client.seq += 1;
        let [(_, ids), (_, lists)] = &seen.known;
        let known =
            if matches!(command, "variables" | "setVariable" | "dataBreakpointInfo") { lists } else { ids };
        let arguments = arguments(command, choices, known);
        let mut message =
            json!({ "seq": client.seq, "type": "request", "command": command, "arguments": arguments });
        if choices.of(5) == 0 {
            change(&mut message, choices, known);
        }
        let mut body = message.to_string().into_bytes();
        if choices.of(40) == 0 {
            let at = choices.of(body.len());
            body[at] = (choices.of(256)) as u8;
        }
        let parsed = serde_json::from_slice::<Json>(&body).unwrap_or_default();
        if parsed["type"] == "request" && parsed["command"] == "disconnect" {
            continue;
        }
        requests += usize::from(parsed["type"] != "response" && parsed["type"] != "event");
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        client.send_raw(&[header.as_bytes(), &body].concat());
        // Most clients wait for responses, and for the program to stop, but not forever.
        let waits = choices.of(10);
        let deadline = Instant::now() + Duration::from_millis(if waits > 3 { 5 } else { 0 });
        while let Some(message) = client.receive(if seen.answered < requests && waits > 0 {
            Duration::from_secs(60)
        } else if seen.is_moving {
            deadline.saturating_duration_since(Instant::now())
        } else {
            Duration::ZERO
        }) {
            seen.take(&message);
        }
    }
    match choices.of(6) {
        0 => client.send_raw(&framed("{")[..20]),
        1 => client.send_raw(b"nonsense\r\n\r\n"),
        2 => drop(client.send("disconnect", Json::Null)),
        _ => {}
    }
    let is_disconnected = client.hang_up().is_ok();
    for message in client.take_all() {
        seen.take(&message);
    }
    // Each message read before the end has one response; one that breaks the connection has none.
    let disconnects = usize::from(is_disconnected && seen.answered > requests);
    assert_eq!(seen.answered, requests + disconnects, "each request has one answer");
    (requests, seen.done)
}

#[test]
fn no_client_makes_the_server_panic_hang_or_leave_a_request_without_an_answer() {
    let mut runner = TestRunner::new(overdub_context::testing::cases(24));
    let counted = std::cell::Cell::new((0, 0, 0));
    let choices = proptest::collection::vec(any::<u32>(), 1500);
    let law = runner.run(&choices, |choices| {
        let (clients, messages, done) = counted.get();
        let (more_messages, more_done) = session(&mut Choices(choices.into_iter()), 60);
        counted.set((clients + 1, messages + more_messages, done + more_done));
        Ok(())
    });
    law.unwrap_or_else(|failed| panic!("{failed}"));
    let (clients, messages, done) = counted.get();
    println!("{messages} messages of {clients} clients, {done} carried out");
    assert!(done * 6 > messages, "random clients have to get somewhere");
}
