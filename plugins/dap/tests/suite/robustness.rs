//! Malformed messages, and clients that go away.

use serde_json::{Value as Json, json};

use crate::support::{Client, framed};

#[test]
fn what_is_no_request_is_answered_and_the_next_one_is_carried_out() {
    let mut client = Client::connect();
    let bodies: [(&[u8], i64, &str); 9] = [
        (b"", 0, "not JSON"),
        (b"{", 0, "not JSON"),
        (b"\xff\xfe", 0, "not JSON"),
        (b"[1, 2]", 0, "it is no object"),
        (b"{}", 0, "`type` is none of"),
        (br#"{"type":"request","seq":"x","command":"threads"}"#, 0, "`seq` is no whole number"),
        (br#"{"type":"request","seq":5}"#, 5, "`command` is no text"),
        (br#"{"type":"request","seq":6,"command":7}"#, 6, "`command` is no text"),
        (br#"{"type":"order","seq":7,"command":"threads"}"#, 7, "`type` is none of"),
    ];
    for (body, seq, why) in bodies {
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        client.send_raw(&[header.as_bytes(), body].concat());
        let response = client.response(seq);
        assert_eq!(response["success"], false);
        let message = response["message"].as_str().expect("a text");
        assert!(message.contains(why), "{message}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    client.send_raw(&framed(&deep));
    assert_eq!(client.response(0)["success"], false);
    // Responses and events are not answered.
    client.send_raw(&framed(r#"{"type":"response","seq":8,"request_seq":1,"success":true,"command":"x"}"#));
    client.send_raw(&framed(r#"{"type":"event","seq":9,"event":"x"}"#));
    client.seq = 20;
    client.ask("initialize", json!({ "adapterID": "overdub" }));
    assert!(client.take_all().is_empty());
}

#[test]
fn wrong_types_and_missing_arguments_are_told() {
    let mut client = Client::stopped_at("walk", json!([2, 1.0]), 16);
    for (command, arguments, why) in [
        ("setBreakpoints", json!({}), "missing field `source`"),
        ("setBreakpoints", json!({ "source": 3 }), "invalid type"),
        ("setBreakpoints", json!({ "source": {}, "breakpoints": [{ "line": -1 }] }), "invalid"),
        ("scopes", json!({ "frameId": "one" }), "invalid type"),
        ("variables", json!({ "variablesReference": 1.5 }), "invalid"),
        ("evaluate", json!([]), "invalid length"),
        ("evaluate", json!("i"), "invalid type"),
        ("setVariable", json!({ "name": "i" }), "missing field"),
        ("gotoTargets", json!({ "line": 3 }), "missing field `source`"),
        ("disassemble", json!({ "memoryReference": "0x1" }), "missing field `instructionCount`"),
        ("next", Json::Null, "missing field `threadId`"),
    ] {
        let refusal = client.refused(command, arguments.clone());
        assert!(
            refusal.starts_with("wrong arguments: ") && refusal.contains(why),
            "{command} {arguments}: {refusal}"
        );
    }
    assert_eq!(client.value("i"), "0");
}

#[test]
fn what_cannot_be_framed_ends_the_connection_and_says_why() {
    for (bytes, why) in [
        (&b"Content-Length: many\r\n\r\n{}"[..], "`many` is no length"),
        (b"Content-Length: 99999999999999\r\n\r\n{}", "a message of 99999999999999 bytes"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "no header of the protocol"),
    ] {
        let mut client = Client::connect();
        client.send_raw(bytes);
        let error = client.ended().expect_err("it cannot go on").to_string();
        assert!(error.contains(why), "{error}");
        assert!(client.output("important").contains(why));
    }
}

#[test]
fn a_client_that_goes_away_ends_the_server_whatever_the_program_does() {
    Client::connect().hang_up().expect("it ends well");
    Client::stopped_at("walk", json!([2, 1.0]), 16).hang_up().expect("it ends well");
    let mut client = Client::launched("forever", json!([]));
    client.ask("configurationDone", Json::Null);
    client.hang_up().expect("it ends well");
    let mut client = Client::launched("forever", json!([]));
    client.ask("configurationDone", Json::Null);
    client.ask("disconnect", json!({ "whatever": [] }));
    client.ended().expect("it ends well");
    let mut client = Client::launched("forever", json!([]));
    client.send_raw(b"Content-Length: 100\r\n\r\n{");
    assert!(client.hang_up().is_err());
}

#[test]
fn two_servers_do_not_disturb_each_other() {
    let mut one = Client::launched("forever", json!([]));
    one.ask("configurationDone", Json::Null);
    let mut other = Client::stopped_at("walk", json!([3, 2.0]), 16);
    other.go("next");
    assert_eq!(one.go("pause")["reason"], "pause");
    assert_eq!((one.line(), other.line()), (json!(27), json!(17)));
    one.hang_up().expect("it ends well");
    assert_eq!(other.value("i"), "0");
}

#[test]
fn a_flood_of_requests_while_the_program_runs_is_answered_in_order() {
    let mut client = Client::launched("forever", json!([]));
    client.ask("configurationDone", Json::Null);
    let requests: Vec<i64> = (0..500).map(|_| client.send("threads", Json::Null)).collect();
    client.ask("pause", json!({ "threadId": 1 }));
    let answered: Vec<i64> = client
        .take_all()
        .iter()
        .filter(|message| message["command"] == "threads")
        .filter_map(|message| message["request_seq"].as_i64())
        .collect();
    assert_eq!(answered, requests);
}
