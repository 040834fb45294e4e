//! The order of requests: which come first, which come once, which come too late.

use serde_json::{Value as Json, json};

use crate::support::{Client, source};

#[test]
fn initialize_tells_what_is_supported_and_comes_once() {
    let mut client = Client::connect();
    let response = client.ask("initialize", json!({ "adapterID": "overdub", "linesStartAt1": true }));
    for name in ["StepBack", "DataBreakpoints", "LogPoints", "ConditionalBreakpoints", "DisassembleRequest"] {
        assert_eq!(response[format!("supports{name}")], true, "{name}: {response:#}");
    }
    let filters: Vec<&Json> = response["exceptionBreakpointFilters"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|filter| &filter["filter"])
        .collect();
    assert_eq!(filters, ["failure", "nan", "infinity"]);
    assert_eq!(client.refused("initialize", json!({ "adapterID": "x" })), "`initialize` was answered before");
}

#[test]
fn paths_as_uris_are_refused() {
    let mut client = Client::connect();
    let why = client.refused("initialize", json!({ "adapterID": "overdub", "pathFormat": "uri" }));
    assert!(why.contains("`pathFormat` has to be `path`"), "{why}");
}

#[test]
fn requests_out_of_order_are_refused_with_what_comes_first() {
    let mut client = Client::connect();
    let launch = json!({ "source": source(), "function": "walk", "args": [2, 1.0] });
    assert_eq!(client.refused("launch", launch.clone()), "`initialize` comes first");
    assert_eq!(client.refused("threads", Json::Null), "`initialize` comes first");
    assert_eq!(client.refused("nonsense", Json::Null), "there is no request `nonsense`");
    client.ask("initialize", json!({ "adapterID": "overdub" }));
    assert_eq!(client.refused("threads", Json::Null), "there is no program: `launch` comes first");
    client.ask("launch", launch.clone());
    client.event("initialized");
    let why = client.refused("launch", launch);
    assert!(why.contains("a program is launched"), "{why}");
    let why = client.refused("continue", json!({ "threadId": 1 }));
    assert_eq!(why, "the program has not begun: `configurationDone` comes first");
    client.ask("configurationDone", Json::Null);
    client.event("terminated");
    assert_eq!(client.refused("configurationDone", Json::Null), "the program has ended");
    assert_eq!(client.refused("stepBack", json!({ "threadId": 1 })), "the program has ended");
    assert_eq!(client.refused("terminate", Json::Null), "the program has ended");
    assert_eq!(client.ask("threads", Json::Null), json!({ "threads": [] }));
}

#[test]
fn what_a_launch_cannot_open_is_told_and_another_one_may_follow() {
    let mut client = Client::connect();
    client.ask("initialize", json!({ "adapterID": "overdub" }));
    let launch =
        |function: &str, args: Json| json!({ "source": source(), "function": function, "args": args });
    let why = client.refused("launch", launch("nowhere", json!([])));
    assert!(why.contains("nowhere"), "{why}");
    let why = client.refused("launch", launch("walk", json!([1])));
    assert!(why.contains("takes 2 arguments"), "{why}");
    let why = client.refused("launch", json!({ "source": "/nowhere.rs", "function": "f" }));
    assert!(why.contains("nowhere.rs"), "{why}");
    let why = client.refused("launch", json!({ "function": "f" }));
    assert_eq!(why, "wrong arguments: missing field `source`");
    let why = client.refused("launch", launch("walk", json!({ "n": 1 })));
    assert!(why.contains("`args` is no list of arguments"), "{why}");
    // As a text, for editors whose configuration has no lists of numbers.
    client.ask("launch", launch("walk", json!("[1, 1.0]")));
}

#[test]
fn a_derivative_has_scopes_of_its_own_in_both_sweeps() {
    let mut client = Client::connect();
    client.ask("initialize", json!({ "adapterID": "overdub" }));
    let launch = |derivative: &str| json!({ "source": source(), "function": "norm_of", "args": [3.0, 4.0], "derivative": derivative });
    assert!(
        client.refused("launch", launch("third")).starts_with("wrong arguments: unknown variant `third`")
    );
    client.ask("launch", launch("gradient"));
    let points = json!({ "source": { "path": source() }, "breakpoints": [{ "line": 63 }] });
    client.ask("setBreakpoints", points);
    client.ask("configurationDone", Json::Null);
    let scopes = |client: &mut Client| -> Vec<String> {
        client.event("stopped");
        let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
        let frame = frames["stackFrames"][0]["id"].clone();
        let body = client.ask("scopes", json!({ "frameId": frame }));
        let scopes = body["scopes"].as_array().expect("it is a list").clone();
        let mut told = Vec::new();
        for scope in &scopes {
            let variables = client.variables(&scope["variablesReference"]);
            let names = variables
                .iter()
                .map(|of| format!("{}={}", of["name"].as_str().unwrap(), of["value"].as_str().unwrap()));
            told.push(format!(
                "{}: {}",
                scope["name"].as_str().unwrap(),
                names.collect::<Vec<_>>().join(" ")
            ));
        }
        told
    };
    assert_eq!(scopes(&mut client), ["Locals: norm=5.0", "Arguments: x=3.0 y=4.0"]);
    client.ask("continue", json!({ "threadId": 1 }));
    let reverse = scopes(&mut client);
    assert_eq!(reverse[2], "Cotangents: x=0.0 y=0.0 norm=0.5");
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("exited");
    assert!(client.output("stdout").contains("\"derivative\":[\"0.3"));
}

#[test]
fn the_value_is_an_output_on_one_line_and_the_status_tells_failures() {
    let mut client = Client::launched("walk", json!([2, 1.0]));
    client.ask("configurationDone", Json::Null);
    assert_eq!(client.event("exited"), json!({ "exitCode": 0 }));
    assert!(client.event("terminated").as_object().is_some_and(|body| body.is_empty()));
    let output = client.output("stdout");
    assert!(output.starts_with("step 0\nstep 1\n{\"value\":5.123"), "{output}");

    let mut client = Client::launched("refused", json!([-1.0]));
    client.ask("configurationDone", Json::Null);
    assert_eq!(client.event("exited"), json!({ "exitCode": 1 }));
    client.event("terminated");
    assert!(client.output("stderr").contains("it is negative"));
}

#[test]
fn a_program_that_is_only_run_stops_nowhere() {
    let mut client = Client::launched_with("beyond", json!([5]), json!({ "noDebug": true }));
    let told = client.break_at(json!([{ "line": 33 }]));
    assert_eq!(told[0]["verified"], false);
    client.ask("configurationDone", Json::Null);
    assert_eq!(client.event("exited"), json!({ "exitCode": 1 }));
    assert!(client.waiting.iter().all(|message| message["event"] != "stopped"));
}

#[test]
fn terminate_ends_the_program_and_disconnect_the_connection() {
    let mut client = Client::stopped_at("walk", json!([2, 1.0]), 16);
    client.ask("terminate", Json::Null);
    client.event("exited");
    client.event("terminated");
    client.ask("disconnect", json!({ "terminateDebuggee": true }));
    client.ended().expect("it ends well");
}

#[test]
fn lines_and_columns_are_counted_as_the_client_counts() {
    let mut client = Client::connect();
    let from_0 = json!({ "adapterID": "overdub", "linesStartAt1": false, "columnsStartAt1": false });
    client.ask("initialize", from_0);
    client.ask("launch", json!({ "source": source(), "function": "walk", "args": [2, 1.0] }));
    client.event("initialized");
    let told = client.break_at(json!([{ "line": 15 }]));
    assert_eq!(told[0]["line"], 15);
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(
        (&frames["stackFrames"][0]["line"], &frames["stackFrames"][0]["column"]),
        (&json!(15), &json!(8))
    );
    assert_eq!(client.value("i"), "0");
}
