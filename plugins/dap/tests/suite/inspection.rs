//! Frames, variables, expressions, sources, the intermediate representation.

use serde_json::{Value as Json, json};

use crate::support::{Client, MEMORY, source};

#[test]
fn the_stack_is_told_in_pages() {
    let mut client = Client::stopped_at("deep", json!([50]), 45);
    let page = |client: &mut Client, first: u64, levels: u64| {
        client.ask("stackTrace", json!({ "threadId": 1, "startFrame": first, "levels": levels }))
    };
    let all = page(&mut client, 0, 0);
    assert_eq!((&all["totalFrames"], all["stackFrames"].as_array().map(Vec::len)), (&json!(51), Some(51)));
    let some = page(&mut client, 20, 5);
    assert_eq!(
        some["stackFrames"].as_array().map(|frames| &frames[..]),
        all["stackFrames"].as_array().map(|f| &f[20..25])
    );
    assert_eq!(page(&mut client, 99, 5)["stackFrames"], json!([]));
    let outermost = &all["stackFrames"][50];
    assert_eq!((&outermost["name"], &outermost["line"]), (&json!("deep"), &json!(47)));
    assert_eq!(outermost["source"]["path"], source());
}

#[test]
fn values_are_trees_of_fields_and_elements() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 21);
    let p = client.local("p");
    assert_eq!((&p["value"], &p["type"]), (&json!("Point { x: 6.0, y: 4.0 }"), &json!("Point")));
    assert_eq!((&p["namedVariables"], &p["evaluateName"]), (&json!(2), &json!("p")));
    let fields = client.variables(&p["variablesReference"]);
    assert_eq!(
        (&fields[1]["name"], &fields[1]["value"], &fields[1]["evaluateName"]),
        (&json!("y"), &json!("4.0"), &json!("p.y"))
    );
    let pair = client.local("pair");
    let parts = client.variables(&pair["variablesReference"]);
    assert_eq!(
        (&parts[1]["name"], &parts[1]["value"], &parts[1]["type"]),
        (&json!("1"), &json!("3"), &json!("usize"))
    );
    let xs = client.local("xs");
    let elements = client.variables(&xs["variablesReference"]);
    assert_eq!(
        (&elements[2]["name"], &elements[2]["value"], &elements[2]["evaluateName"]),
        (&json!("[2]"), &json!("4.0"), &json!("xs[2]"))
    );
    assert_eq!(elements[2]["variablesReference"], 0);
    let reference = client.scope("Arguments");
    let arguments = client.variables(&reference);
    let names: Vec<&Json> = arguments.iter().map(|argument| &argument["name"]).collect();
    assert_eq!(names, ["n", "scale"]);
}

#[test]
fn long_arrays_are_told_by_ranges_by_pages_and_in_short() {
    let mut client = Client::stopped_at("long", json!([25_000]), 54);
    let xs = client.local("xs");
    assert_eq!(xs["value"], "[0.0, 1.0, 2.0, 3.0, 4.0, …] 25000 elements from 0.0 to 24999.0");
    assert!(xs["indexedVariables"].is_null());
    let ranges = client.variables(&xs["variablesReference"]);
    assert_eq!((ranges.len(), &ranges[2]["name"]), (3, &json!("[20000..=24999]")));
    let ranges = client.variables(&ranges[2]["variablesReference"]);
    assert_eq!((ranges.len(), &ranges[49]["name"]), (50, &json!("[24900..=24999]")));
    let elements = client.variables(&ranges[49]["variablesReference"]);
    assert_eq!(
        (elements.len(), &elements[99]["name"], &elements[99]["value"]),
        (100, &json!("[24999]"), &json!("24999.0"))
    );
    let page = json!({ "variablesReference": xs["variablesReference"], "start": 24_998, "count": 100, "filter": "indexed" });
    let page = client.ask("variables", page);
    assert_eq!(page["variables"].as_array().map(Vec::len), Some(2));
    assert_eq!(page["variables"][0]["name"], "[24998]");
    let none = json!({ "variablesReference": xs["variablesReference"], "filter": "named" });
    assert_eq!(client.ask("variables", none), json!({ "variables": [] }));
}

#[test]
fn a_client_with_pages_is_told_the_number_of_elements() {
    let mut client = Client::connect();
    client.ask("initialize", json!({ "adapterID": "overdub", "supportsVariablePaging": true }));
    client.ask("launch", json!({ "source": source(), "function": "long", "args": [250] }));
    client.break_at(json!([{ "line": 54 }]));
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    assert_eq!(client.local("xs")["indexedVariables"], 250);
}

#[test]
fn variables_and_parts_of_them_can_be_changed() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 21);
    let locals = client.scope("Locals");
    let set = |reference: &Json, name: &str, value: &str| json!({ "variablesReference": reference, "name": name, "value": value });
    let response = client.ask("setVariable", set(&locals, "pair", "(p.x, n + 1)"));
    assert_eq!(response["value"], "(6.0, 4)");
    let p = client.local("p");
    let response = client.ask("setVariable", set(&p["variablesReference"], "x", "scale + 1.0"));
    assert_eq!((&response["value"], &response["type"]), (&json!("3.0"), &json!("f64")));
    let xs = client.local("xs");
    client.ask("setVariable", set(&xs["variablesReference"], "[1]", "-1.0"));
    assert_eq!(client.local("xs")["value"], "[0.0, -1.0, 4.0]");
    let why = client.refused("setVariable", set(&locals, "nobody", "1"));
    assert!(why.contains("`nobody` cannot be changed"), "{why}");
    assert!(!client.refused("setVariable", set(&locals, "pair", "1 +")).is_empty());
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("terminated");
    let output = client.output("stdout");
    assert!(output.ends_with("{\"value\":11.0}\n"), "{output}");
}

#[test]
fn expressions_are_evaluated_in_any_frame() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 8);
    let (inner, outer) = (client.frame(0), client.frame(1));
    let request =
        |frame: &Json, text: &str| json!({ "expression": text, "frameId": frame, "context": "hover" });
    assert_eq!(client.ask("evaluate", request(&inner, "squares"))["result"], "52.0");
    let pair = client.ask("evaluate", request(&outer, "(n, norm(&p))"));
    assert_eq!(pair["result"], "(3, 7.211102550927978)");
    let parts = client.variables(&pair["variablesReference"]);
    assert_eq!(parts[0]["value"], "3");
    // The result of an expression is not a place.
    let set = json!({ "variablesReference": pair["variablesReference"], "name": "0", "value": "1" });
    assert!(client.refused("setVariable", set).contains("cannot be changed"));
    assert!(client.refused("evaluate", request(&inner, "scale")).contains("scale"));
    assert!(!client.refused("evaluate", request(&inner, "1 +")).is_empty());
}

#[test]
fn the_console_takes_expressions_commands_and_help() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 16);
    let console = |client: &mut Client, text: &str| {
        let body = client.ask("evaluate", json!({ "expression": text, "context": "repl" }));
        body["result"].as_str().expect("it is a text").to_owned()
    };
    assert!(console(&mut client, "help").contains(":reverse-continue"));
    assert_eq!(console(&mut client, "n * 2"), "6");
    assert!(console(&mut client, ":locals").contains("xs = [0.0, 0.0, 0.0]"));
    assert_eq!(console(&mut client, ":set i = 2"), "");
    assert_eq!(console(&mut client, "i"), "2");
    assert!(console(&mut client, ":info history").contains("snapshots"));
    let why = client.refused("evaluate", json!({ "expression": ":dance", "context": "repl" }));
    assert_eq!(why, "there is no command `dance`; `help` lists them");
}

#[test]
fn names_and_fields_and_commands_are_completed() {
    let mut client = Client::stopped_at("walk", json!([3, 2.0]), 21);
    let labels = |client: &mut Client, text: &str| -> Vec<String> {
        let column = text.chars().count() + 1;
        let body = client.ask("completions", json!({ "text": text, "column": column }));
        let targets = body["targets"].as_array().expect("it is a list");
        targets.iter().filter_map(|target| target["label"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(labels(&mut client, "1.0 + sc"), ["scale"]);
    assert_eq!(labels(&mut client, "norm(&p) + p."), ["x", "y"]);
    assert_eq!(labels(&mut client, "p.y"), ["y"]);
    assert_eq!(labels(&mut client, ":rev"), ["reverse-next", "reverse-finish", "reverse-continue"]);
    assert!(labels(&mut client, "nobody.").is_empty());
}

#[test]
fn sources_are_listed_and_their_text_is_what_was_loaded() {
    let mut client = Client::launched("walk", json!([1, 1.0]));
    let sources = client.ask("loadedSources", Json::Null);
    assert_eq!(sources, json!({ "sources": [{ "name": "walk.rs", "path": source() }] }));
    let asked = json!({ "source": { "path": source() }, "sourceReference": 0 });
    let text = client.ask("source", asked);
    assert_eq!(text["content"].as_str(), std::fs::read_to_string(source()).ok().as_deref());
    let why = client.refused("source", json!({ "sourceReference": 9 }));
    assert_eq!(why, "there is no source `9` in the program");
}

#[test]
fn a_source_that_lies_on_no_disk_is_asked_for_by_its_number() {
    let mut client = Client::connect();
    client.ask("initialize", json!({ "adapterID": "overdub" }));
    client.ask("launch", json!({ "source": "memory.rs", "function": "twice", "args": [2.0] }));
    let source = client.ask("loadedSources", Json::Null)["sources"][0].take();
    assert_eq!(source, json!({ "name": "memory.rs", "sourceReference": 1 }));
    let text = client.ask("source", json!({ "sourceReference": 1 }));
    assert_eq!(text["content"], MEMORY);
    client.ask("setBreakpoints", json!({ "source": source, "breakpoints": [{ "line": 3 }] }));
    client.ask("configurationDone", Json::Null);
    client.event("stopped");
    assert_eq!(client.value("y"), "4.0");
}

#[test]
fn the_representation_is_listed_with_lines_of_the_source() {
    let mut client = Client::stopped_at("walk", json!([1, 1.0]), 8);
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
    let address = &frames["stackFrames"][0]["instructionPointerReference"];
    let asked = json!({ "memoryReference": address, "instructionOffset": -100, "instructionCount": 200 });
    let listed = client.ask("disassemble", asked);
    let listed = listed["instructions"].as_array().expect("it is a list");
    assert_eq!(listed.len(), 200);
    let here = &listed[100];
    assert_eq!((&here["address"], &here["line"]), (address, &json!(8)));
    assert_eq!(listed[0]["presentationHint"], "invalid");
    let text: Vec<&str> = listed.iter().filter_map(|line| line["instruction"].as_str()).collect();
    assert!(
        text.iter().any(|line| line.contains("sqrt")) && text.iter().any(|line| line.starts_with("ret ")),
        "{text:?}"
    );
    let first = listed.iter().find(|line| !line["symbol"].is_null()).expect("a block has a name");
    assert_eq!(first["symbol"], "@norm");
    for wrong in ["", "0x", "nowhere", "-1", "0xffffffffffffffff", "99999999999"] {
        let asked = json!({ "memoryReference": wrong, "instructionCount": 1 });
        assert!(client.refused("disassemble", asked).contains("is no address"), "{wrong}");
    }
}

#[test]
fn numbers_of_an_earlier_stop_are_refused_as_such() {
    let mut client = Client::stopped_at("walk", json!([3, 1.0]), 16);
    let (frame, xs) = (client.frame(0), client.local("xs")["variablesReference"].clone());
    client.go("continue");
    let why = client.refused("scopes", json!({ "frameId": frame }));
    assert_eq!(why, format!("the reference {frame} is of an earlier stop; ask for the stack again"));
    assert!(client.refused("variables", json!({ "variablesReference": xs })).contains("an earlier stop"));
    assert!(
        client
            .refused("evaluate", json!({ "expression": "i", "frameId": frame }))
            .contains("an earlier stop")
    );
    assert_eq!(client.refused("scopes", json!({ "frameId": 99_999 })), "there is no frame 99999");
    let frame = client.frame(0);
    let why = client.refused("variables", json!({ "variablesReference": frame }));
    assert!(why.starts_with("there is no list of variables"), "{why}");
}
