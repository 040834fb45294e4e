//! Running forward, back and elsewhere, and pausing.

use serde_json::{Value as Json, json};

use crate::support::{Client, source};

#[test]
fn the_entry_is_a_stop_where_it_is_asked_for() {
    let mut client = Client::launched_with("walk", json!([2, 1.0]), json!({ "stopOnEntry": true }));
    client.ask("configurationDone", Json::Null);
    assert_eq!(client.event("stopped")["reason"], "entry");
    assert_eq!(client.line(), 12);
}

#[test]
fn steps_go_over_in_and_out() {
    let mut client = Client::stopped_at("walk", json!([1, 1.0]), 20);
    assert_eq!(client.go("next")["reason"], "step");
    assert_eq!(client.line(), 21);
    client.go("stepIn");
    assert_eq!(client.line(), 7);
    client.go("stepOut");
    assert_eq!(client.line(), 21);
}

#[test]
fn steps_go_back_over_what_they_went_over() {
    let mut client = Client::stopped_at("walk", json!([1, 1.0]), 16);
    let before = client.value("xs");
    client.go("next");
    assert_eq!(client.line(), 17);
    assert_eq!(client.go("stepBack")["reason"], "step");
    assert_eq!((client.line(), client.value("xs")), (json!(16), before));
}

#[test]
fn the_run_goes_back_to_the_last_breakpoint_and_to_the_start() {
    let mut client = Client::stopped_at("walk", json!([3, 1.0]), 16);
    client.go("continue");
    assert_eq!(client.value("i"), "1");
    assert_eq!(client.go("reverseContinue")["reason"], "breakpoint");
    assert_eq!(client.value("i"), "0");
    let stopped = client.go("reverseContinue");
    assert_eq!(stopped["description"], "at the start: there is nothing before");
}

#[test]
fn a_program_that_has_ended_can_be_stepped_back_from_its_end() {
    let mut client = Client::launched_with("walk", json!([2, 1.0]), json!({ "stopAtEnd": true }));
    client.ask("configurationDone", Json::Null);
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "at the end: step back, or go on to end the session");
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(frames["totalFrames"], 0);
    client.go("stepBack");
    let last = client.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0]["line"].clone();
    assert!(last.is_u64());
    client.go("reverseContinue");
    let stopped = client.go("continue");
    assert_eq!(stopped["description"], "at the end: step back, or go on to end the session");
    client.go("stepBack");
    assert_eq!(client.line(), last);
    client.go("continue");
    client.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
}

#[test]
fn steps_stay_in_the_focus() {
    let mut client = Client::launched_with("walk", json!([1, 1.0]), json!({ "focus": ["walk"] }));
    client.break_at(json!([{ "line": 21 }]));
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    client.ask("stepIn", json!({ "threadId": 1 }));
    client.event("terminated");
}

#[test]
fn a_call_begins_again_with_its_arguments() {
    let mut client = Client::stopped_at("walk", json!([1, 1.0]), 8);
    let frame = client.frame(0);
    client.ask("restartFrame", json!({ "frameId": frame }));
    client.event("stopped");
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!((&frames["stackFrames"][0]["name"], &frames["totalFrames"]), (&json!("norm"), &json!(2)));
}

#[test]
fn targets_are_the_last_moment_of_a_line() {
    let mut client = Client::stopped_at("walk", json!([3, 1.0]), 20);
    let request = |line: u32| json!({ "source": { "path": source() }, "line": line });
    let targets = client.ask("gotoTargets", request(16));
    assert_eq!(targets["targets"].as_array().map(Vec::len), Some(1), "{targets}");
    let target = &targets["targets"][0];
    assert!(target["label"].as_str().is_some_and(|label| label.contains("line 16")), "{target}");
    client.ask("goto", json!({ "threadId": 1, "targetId": target["id"] }));
    assert_eq!(client.event("stopped")["reason"], "goto");
    assert_eq!((client.line(), client.value("i")), (json!(16), "2".to_owned()));
    // A line that has not run yet is not a target.
    assert_eq!(client.ask("gotoTargets", request(21)), json!({ "targets": [] }));
    assert!(client.refused("goto", json!({ "threadId": 1, "targetId": 0 })).contains("there is no target"));
}

#[test]
fn a_program_that_loops_for_ever_is_paused_and_answers_while_it_runs() {
    let mut client = Client::launched("forever", json!([]));
    client.ask("configurationDone", Json::Null);
    assert_eq!(client.ask("threads", Json::Null)["threads"][0]["name"], "forever");
    assert_eq!(
        client.refused("stackTrace", json!({ "threadId": 1 })),
        "the program is running; `pause` it first"
    );
    assert_eq!(client.go("pause")["reason"], "pause");
    let first: u64 = client.value("i").parse().expect("a number");
    client.ask("continue", json!({ "threadId": 1 }));
    // A breakpoint that is set while it runs is hit.
    client.break_at(json!([{ "line": 27, "hitCondition": "3" }]));
    client.event("stopped");
    let second: u64 = client.value("i").parse().expect("a number");
    assert!(second > first);
    assert_eq!(client.refused("pause", json!({ "threadId": 1 })), "the program is not running");
    // Without waiting, so that the request to pause may be read before the run begins.
    client.break_at(json!([]));
    let on = client.send("continue", json!({ "threadId": 1 }));
    let pause = client.send("pause", json!({ "threadId": 1 }));
    client.response(on);
    client.response(pause);
    assert_eq!(client.event("stopped")["reason"], "pause");
}

#[test]
fn a_step_that_requests_interrupt_stops_where_it_would_have() {
    let mut client = Client::stopped_at("deep", json!([2000]), 44);
    client.break_at(json!([]));
    let next = client.send("next", json!({ "threadId": 1 }));
    let asked: Vec<i64> = (0..50).map(|_| client.send("threads", Json::Null)).collect();
    client.response(next);
    for seq in asked {
        client.response(seq);
    }
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "step");
    assert_eq!(client.ask("stackTrace", json!({ "threadId": 1 }))["totalFrames"], 1);
}

#[test]
fn commands_of_the_console_move_the_program() {
    let mut client = Client::stopped_at("walk", json!([3, 1.0]), 16);
    let console = |text: &str| json!({ "expression": text, "context": "repl" });
    client.ask("evaluate", console(":next"));
    assert_eq!(client.event("continued")["threadId"], 1);
    client.event("stopped");
    assert_eq!(client.line(), 17);
    client.ask("evaluate", console(":goto 0"));
    assert_eq!(client.event("stopped")["reason"], "goto");
    assert!(client.refused("evaluate", console(":goto 999999")).contains("was not reached"));
    assert!(client.refused("evaluate", console(":until soon")).contains("`soon` is no number"));
    client.ask("evaluate", json!({ "expression": ":quit", "context": "repl" }));
    client.event("terminated");
}

#[test]
fn a_command_of_the_console_that_runs_for_ever_is_answered_and_can_be_paused() {
    let mut client = Client::launched_with("forever", json!([]), json!({ "stopOnEntry": true }));
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    for command in [":continue", ":finish", ":until 28"] {
        client.ask("evaluate", json!({ "expression": command, "context": "repl" }));
        client.event("continued");
        assert_eq!(client.go("pause")["reason"], "pause", "{command}");
    }
}

#[test]
fn other_threads_than_the_one_are_refused() {
    let mut client = Client::stopped_at("walk", json!([1, 1.0]), 16);
    for command in ["continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "stackTrace"] {
        assert!(client.refused(command, json!({ "threadId": 7 })).starts_with("there is no thread 7"));
        assert_eq!(client.refused(command, json!({})), "wrong arguments: missing field `threadId`");
    }
}
