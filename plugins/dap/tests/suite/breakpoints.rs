//! Breakpoints of all kinds.

use serde_json::{Value as Json, json};

use crate::support::Client;

#[test]
fn breakpoints_tell_the_line_that_they_bind_to() {
    let mut client = Client::launched("walk", json!([2, 1.0]));
    let response = client.break_at(json!([{ "line": 16 }, { "line": 14 }, { "line": 900 }]));
    assert_eq!((&response[0]["verified"], &response[0]["line"]), (&json!(true), &json!(16)));
    assert!(response[0]["message"].is_null());
    assert_eq!((&response[1]["verified"], &response[1]["line"]), (&json!(true), &json!(15)));
    assert_eq!(response[1]["message"], "line 14 has no code");
    assert_eq!((&response[2]["verified"], &response[2]["line"]), (&json!(false), &json!(900)));
    let elsewhere = json!({ "source": { "path": "/nowhere.rs" }, "breakpoints": [{ "line": 1 }] });
    let response = client.ask("setBreakpoints", elsewhere);
    assert_eq!(response["breakpoints"][0]["message"], "what is debugged reaches no code of `/nowhere.rs`");
}

#[test]
fn setting_breakpoints_again_keeps_those_that_are_the_same_with_their_hits() {
    let mut client = Client::launched("walk", json!([5, 1.0]));
    let third = json!({ "line": 17, "hitCondition": "3" });
    let told = client.break_at(json!([{ "line": 16 }, third]));
    let id = told[1]["id"].clone();
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    client.go("continue");
    assert_eq!(client.value("i"), "1");
    let told = client.break_at(json!([third]));
    assert_eq!(told[0]["id"], id);
    let stopped = client.go("continue");
    assert_eq!(stopped["hitBreakpointIds"], json!([id]));
    assert_eq!(client.value("i"), "2");
}

#[test]
fn conditions_hits_and_logpoints_are_those_of_the_debugger() {
    let mut client = Client::launched("walk", json!([6, 1.0]));
    client.break_at(json!([
        { "line": 16, "condition": "i == 1" },
        { "line": 17, "hitCondition": ">= 5" },
        { "line": 18, "logMessage": "i = {i}, twice that {i * 2}" },
    ]));
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    assert_eq!(client.value("i"), "1");
    client.go("continue");
    assert_eq!(client.value("i"), "4");
    let said = client.output("console");
    assert!(said.starts_with("i = 0, twice that 0\ni = 1, twice that 2\n"), "{said}");
}

#[test]
fn a_condition_that_cannot_be_evaluated_stops_and_says_why() {
    let mut client = Client::launched("walk", json!([2, 1.0]));
    let told = client.break_at(json!([
        { "line": 16, "condition": "nobody > 1" },
        { "line": 17, "hitCondition": "often" },
    ]));
    assert_eq!(told[1]["verified"], false);
    assert!(told[1]["message"].as_str().is_some_and(|why| why.contains("`often` is no hit condition")));
    client.ask("configurationDone", Json::Null);
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "the condition of a breakpoint cannot be evaluated");
    assert!(stopped["text"].as_str().is_some_and(|why| why.contains("nobody")), "{stopped}");
    assert_eq!(stopped["hitBreakpointIds"], json!([told[0]["id"]]));
}

#[test]
fn function_breakpoints_stop_where_a_function_begins() {
    let mut client = Client::launched("walk", json!([2, 1.0]));
    let request = json!({ "breakpoints": [{ "name": "norm" }, { "name": "nowhere" }] });
    let told = client.ask("setFunctionBreakpoints", request);
    assert_eq!(told["breakpoints"][0]["verified"], true);
    assert_eq!(told["breakpoints"][1]["verified"], false);
    client.ask("configurationDone", Json::Null);
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "function breakpoint");
    assert_eq!(client.line(), 7);
}

#[test]
fn all_breakpoints_that_are_hit_at_once_are_told() {
    let mut client = Client::launched("walk", json!([2, 1.0]));
    let line = client.break_at(json!([{ "line": 7 }]))[0]["id"].take();
    let told = client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "norm" }] }));
    client.ask("configurationDone", Json::Null);
    let stopped = client.event("stopped");
    assert_eq!(stopped["hitBreakpointIds"], json!([line, told["breakpoints"][0]["id"]]));
}

#[test]
fn data_breakpoints_stop_where_a_field_or_an_element_changes() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 15);
    let p = client.local("p");
    let info = |client: &mut Client, arguments: Json| client.ask("dataBreakpointInfo", arguments);
    let field = info(&mut client, json!({ "variablesReference": p["variablesReference"], "name": "x" }));
    assert_eq!(field["description"], "p.x in walk");
    assert_eq!(field["accessTypes"], json!(["write"]));
    let frame = client.frame(0);
    let element = info(&mut client, json!({ "frameId": frame, "name": "xs[1]" }));
    assert_eq!(element["description"], "xs[1] in walk");
    let nothing = info(&mut client, json!({ "name": "p.x + 1.0" }));
    assert!(nothing["dataId"].is_null(), "{nothing}");
    client.break_at(json!([]));
    let asked = json!({ "breakpoints": [
        { "dataId": field["dataId"], "condition": "p.x > 5.0" },
        { "dataId": element["dataId"], "accessType": "write" },
        { "dataId": element["dataId"], "accessType": "read" },
        { "dataId": "nonsense" },
    ] });
    let told = client.ask("setDataBreakpoints", asked);
    let verified: Vec<&Json> =
        told["breakpoints"].as_array().expect("a list").iter().map(|point| &point["verified"]).collect();
    assert_eq!(verified, [true, true, false, false]);
    let stopped = client.go("continue");
    assert_eq!(
        (&stopped["reason"], &stopped["text"]),
        (&json!("data breakpoint"), &json!("from 0.0 to 2.0"))
    );
    let stopped = client.go("continue");
    assert_eq!(stopped["text"], "from 2.0 to 6.0");
    assert_eq!(stopped["hitBreakpointIds"], json!([told["breakpoints"][0]["id"]]));
}

#[test]
fn nans_and_infinities_stop_where_they_are_asked_for() {
    for (filter, line) in [("nan", 39), ("infinity", 0)] {
        let mut client = Client::launched("not_a_number", json!([1.0]));
        let asked =
            json!({ "filters": [], "filterOptions": [{ "filterId": filter, "condition": "x == 1.0" }] });
        let told = client.ask("setExceptionBreakpoints", asked);
        assert_eq!(told["breakpoints"][0]["verified"], true);
        client.ask("configurationDone", Json::Null);
        if line == 0 {
            // The program computes no infinity.
            client.event("terminated");
            continue;
        }
        let stopped = client.event("stopped");
        assert_eq!(stopped["reason"], "exception");
        assert_eq!(stopped["text"], "div(0.0, 0.0) = NaN");
        let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
        assert_eq!((&info["exceptionId"], &info["breakMode"]), (&json!("NaN"), &json!("always")));
    }
}

#[test]
fn failures_stop_unless_their_filter_is_off() {
    let mut client = Client::launched("beyond", json!([5]));
    let told = client.ask("setExceptionBreakpoints", json!({ "filters": ["failure", "weather"] }));
    assert_eq!(told["breakpoints"][0]["verified"], true);
    assert_eq!(told["breakpoints"][1]["verified"], false);
    client.ask("configurationDone", Json::Null);
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "exception");
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert_eq!((&info["exceptionId"], &info["breakMode"]), (&json!("Bounds"), &json!("unhandled")));
    let trace = info["details"]["stackTrace"].as_str().expect("a text");
    assert!(trace.contains("walk.rs:34"), "{trace}");
    client.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(client.event("exited"), json!({ "exitCode": 1 }));

    let mut client = Client::launched("beyond", json!([5]));
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.ask("configurationDone", Json::Null);
    client.event("exited");
    client.event("terminated");
    assert!(client.waiting.iter().all(|message| message["event"] != "stopped"));
    let error = client.output("stderr");
    assert!(error.contains("index out of bounds") && error.contains("walk.rs:34"), "{error}");
}

#[test]
fn breakpoints_of_the_console_are_told_to_the_client() {
    let mut client = Client::stopped_at("walk", json!([3, 1.0]), 16);
    let console = |client: &mut Client, text: &str| {
        client.ask("evaluate", json!({ "expression": text, "context": "repl" }))
    };
    let said = console(&mut client, ":break norm");
    assert!(said["result"].as_str().is_some_and(|text| text.contains("function norm")), "{said}");
    let event = client.event("breakpoint");
    assert_eq!(event["reason"], "new");
    let id = event["breakpoint"]["id"].clone();
    console(&mut client, &format!(":delete {id}"));
    let event = client.event("breakpoint");
    assert_eq!((&event["reason"], &event["breakpoint"]["id"]), (&json!("removed"), &id));
}
