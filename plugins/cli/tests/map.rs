//! `overdub map`: inputs in all forms, results in all forms, and what failures look like.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ndarray::arr2;
use ndarray_npy::{read_npy, write_npy};
use serde_json::{Value as Json, json};

const SOURCE: &str = "\
pub fn decayed(amount: f64, rate: f64) -> f64 { amount * (-rate).exp() }
pub fn norm(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum::<f64>().sqrt() }
pub fn half(n: i64) -> i64 {
    println!(\"half of {n}\");
    assert!(n % 2 == 0, \"{n} is odd\");
    n / 2
}
pub fn checked(x: f64) -> Result<f64, String> { if x < 0.0 { Err(format!(\"{x} < 0\")) } else { Ok(x.sqrt()) } }
pub fn push(xs: &mut Vec<f64>, x: f64) -> usize { xs.push(x); xs.len() }
pub fn spin(n: f64) -> f64 { let mut k = 0.0; while k < n { k += 1.0; } k }
pub fn generic<T: Copy + std::ops::Add<Output = T>>(a: T, b: T) -> T { a + b }
pub fn nothing() -> f64 { 1.0 }
pub fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
pub fn polynomial(x: f64, weights: &[f64]) -> f64 { weights.iter().fold(0.0, |y, w| y * x + w) }
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("map-{name}"));
    std::fs::create_dir_all(&folder).expect("it can be created");
    std::fs::write(folder.join("f.rs"), SOURCE).expect("it can be written");
    folder
}

/// A file in a test's folder.
fn file(name: &str, file: &str, text: &str) -> String {
    let path = folder(name).join(file);
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

fn command(name: &str, function: &str, inputs: &str, more: &[&str]) -> Command {
    let source = folder(name).join("f.rs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
    command.arg("map").arg(source).args([function, "--inputs", inputs]).args(more);
    command
}

fn run(name: &str, function: &str, inputs: &str, more: &[&str]) -> Output {
    command(name, function, inputs, more).output().expect("the command is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn last_json(output: &Output) -> Json {
    let all = text(&output.stdout);
    let last = all.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {all}{}", text(&output.stderr)))
}

/// What another command prints for one call.
fn alone(name: &str, command: &str, function: &str, args: &Json) -> Json {
    let source = folder(name).join("f.rs");
    let mut other = Command::new(env!("CARGO_BIN_EXE_overdub"));
    other.arg(command).arg(source).args([function, &args.to_string(), "--json"]);
    last_json(&other.output().expect("the command is there"))
}

#[test]
fn inputs_are_json_lines_tables_and_arrays() {
    let expected = "2.0\n3.0\n";
    let name = "inputs";
    let json = file(name, "in.json", "[[2.0, 0.0], [3, 0]]");
    assert_eq!(printed(&run(name, "decayed", &json, &[])), expected);
    let lines = file(name, "in.jsonl", "[2.0, 0.0]\n\n[3, 0]\n");
    assert_eq!(printed(&run(name, "decayed", &lines, &[])), expected);
    let csv = file(name, "in.csv", "2,0\n3,0\n");
    assert_eq!(printed(&run(name, "decayed", &csv, &[])), expected);
    let named = file(name, "named.csv", "rate,amount\n0,2\n0,3\n");
    assert_eq!(printed(&run(name, "decayed", &named, &[])), expected);
    assert_eq!(printed(&run(name, "decayed", "[[2, 0], [3, 0]]", &[])), expected);
    let npy = folder(name).join("in.npy");
    write_npy(&npy, &arr2(&[[2.0, 0.0], [3.0, 0.0]])).expect("it can be written");
    let npy = npy.display().to_string();
    assert_eq!(printed(&run(name, "decayed", &npy, &[])), expected);
    // A row is the only argument of a function of a list.
    assert_eq!(printed(&run(name, "norm", &npy, &[])), expected);
    assert_eq!(printed(&run(name, "norm", &csv, &[])), expected);
    let points = file(name, "points.csv", "x,y\n3,4\n0,1\n");
    assert_eq!(printed(&run(name, "norm", &points, &[])), "5.0\n1.0\n");
    // A column is that of the only parameter.
    let column = file(name, "column.csv", "x\n4\n9\n");
    assert_eq!(printed(&run(name, "checked", &column, &[])), expected);
    assert_eq!(printed(&run(name, "nothing", "[[], []]", &[])), "1.0\n1.0\n");
    let none = file(name, "none.json", "[]");
    assert_eq!(printed(&run(name, "decayed", &none, &[])), "");
    assert_eq!(last_json(&run(name, "decayed", &none, &["--json"])), json!({ "results": [] }));
}

#[test]
fn what_does_not_run_in_lanes_runs_one_by_one_with_a_note() {
    let output = run("lanes", "fib", "[[10], [20]]", &["--lanes", "8"]);
    assert_eq!(printed(&output), "55\n6765\n");
    let note = text(&output.stderr);
    assert!(note.starts_with("note: one element ran after the other: a call that is not inlined"), "{note}");
    assert!(note.contains("f.rs:13"), "{note}");
    let output = run("lanes", "push", "[[[1], 2]]", &["--lanes", "8"]);
    assert_eq!(printed(&output), printed(&run("lanes", "push", "[[[1], 2]]", &[])));
    assert!(text(&output.stderr).starts_with("note: "), "lanes do not push");
    let output = run("lanes", "norm", "[[[3, 4]], [[1]]]", &["--lanes", "8"]);
    assert_eq!((printed(&output), text(&output.stderr)), ("5.0\n1.0\n".to_owned(), String::new()));
    let output = run("lanes", "decayed", "[[2, 0], [3, 0]]", &["--lanes", "8", "--gradient"]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_standard_input_is_a_list_or_lines() {
    for input in ["[[2, 0], [3, 0]]", "[2, 0]\n[3, 0]\n", "[\n [2, 0],\n [3, 0]\n]"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
        command.arg("map").arg(folder("stdin").join("f.rs")).args(["decayed", "--inputs", "-"]);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the command is there");
        child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(printed(&output), "2.0\n3.0\n", "{input}");
    }
}

#[test]
fn results_are_those_of_calls_one_by_one() {
    let name = "results";
    let rows = json!([[2.0, 0.5], [-1.0, 3.0], [0.0, "NaN"], ["inf", 1.0]]);
    for threads in ["1", "2", "3", "8"] {
        let more = &["--json", "--threads", threads];
        let values = last_json(&run(name, "decayed", &rows.to_string(), more));
        let gradients =
            last_json(&run(name, "decayed", &rows.to_string(), &[&more[..], &["--gradient"]].concat()));
        for (at, row) in rows.as_array().expect("it is a list").iter().enumerate() {
            assert_eq!(values["results"][at], alone(name, "run", "decayed", row));
            let mut expected = alone(name, "grad", "decayed", row);
            expected.as_object_mut().expect("it is an object").remove("arguments");
            assert_eq!(gradients["results"][at], expected);
        }
        let pushed = last_json(&run(name, "push", "[[[1], 2], [[], 3]]", more));
        assert_eq!(pushed["results"][0], alone(name, "run", "push", &json!([[1], 2])));
        assert_eq!(pushed["results"][0]["mutated"]["xs"], json!([1.0, 2.0]));
    }
    let by_rate = run(name, "decayed", "[[2, 0]]", &["--gradient", "--wrt", "rate", "--json"]);
    assert_eq!(last_json(&by_rate), json!({"results": [{"value": 2.0, "gradient": [null, -2.0]}]}));
    assert_eq!(printed(&run(name, "decayed", "[[2, 0]]", &["--gradient"])), "2.0  [1.0,-2.0]\n");
    let typed = run(name, "generic", "[[1, 2], [3, 4]]", &["--types", "i32, i32"]);
    assert_eq!(printed(&typed), "3\n7\n");
}

#[test]
fn all_results_are_written_if_some_elements_fail() {
    let name = "failures";
    for threads in ["1", "2", "8"] {
        let output = run(name, "half", "[[2], [3], [4], [5]]", &["--threads", threads]);
        assert_eq!(output.status.code(), Some(1));
        let lines = text(&output.stdout);
        // What elements print comes first, in their order.
        let expected = "half of 2\nhalf of 3\nhalf of 4\nhalf of 5\n1\nerror: 3 is odd at ";
        assert!(lines.starts_with(expected), "{lines}");
        let said = text(&output.stderr);
        assert!(
            said.starts_with("error: 2 of 4 elements failed, the first is element 1: 3 is odd"),
            "{said}"
        );
        assert!(said.contains("assert!(n % 2 == 0"), "{said}");
        let json = run(name, "half", "[[2], [3], [4]]", &["--threads", threads, "--json"]);
        assert_eq!(json.status.code(), Some(1));
        let results = &last_json(&json)["results"];
        assert_eq!((&results[0], &results[2]), (&json!({"value": 1}), &json!({"value": 2})));
        assert_eq!(results[1]["error"], alone(name, "run", "half", &json!([3]))["error"]["message"]);
    }
    let returned = run(name, "checked", "[[4], [-1]]", &["--json"]);
    let expected = json!({"results": [{"value": 2.0}, {"error": "`checked` returned an error: \"-1 < 0\""}]});
    assert_eq!((returned.status.code(), last_json(&returned)), (Some(1), expected));
}

#[test]
fn limits_stop_elements_or_all_of_them() {
    let name = "limits";
    for backend in if cfg!(has_native) { &["interp", "native"][..] } else { &["interp"] } {
        let more = ["--backend", backend, "--json"];
        let steps =
            run(name, "spin", "[[1], [1e300], [2]]", &[&more[..], &["--step-limit", "10000"]].concat());
        assert_eq!(steps.status.code(), Some(3), "{}", text(&steps.stderr));
        let results = &last_json(&steps)["results"];
        assert_eq!((&results[0]["value"], &results[2]["value"]), (&json!(1.0), &json!(2.0)), "{backend}");
        assert_eq!(results[1]["error"], "the limit of 10000 steps is reached");
        let limited = &[&more[..], &["--time-limit", "1s", "--threads", "2"]].concat();
        let time = run(name, "spin", "[[1], [1e300], [1e300], [1e300]]", limited);
        assert_eq!(time.status.code(), Some(3));
        let results = &last_json(&time)["results"];
        assert_eq!(results[0]["value"], json!(1.0), "{backend}");
        for at in 1..4 {
            assert_eq!(results[at]["error"], "the time limit of 1s is reached", "{backend}");
        }
    }
}

#[test]
fn a_bad_element_is_named_with_what_to_do() {
    let name = "bad";
    let refused = |function: &str, inputs: &str, more: &[&str], said: &[&str]| {
        let output = run(name, function, inputs, more);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        let error = text(&output.stderr);
        said.iter().for_each(|part| assert!(error.contains(part), "{part}: {error}"));
    };
    refused(
        "decayed",
        "[[1, 2], [3]]",
        &[],
        &["element 1: `decayed` takes 2 arguments (amount: f64, rate: f64), got 1"],
    );
    refused(
        "decayed",
        "[[1, 2], [3, \"x\"]]",
        &[],
        &["element 1: argument `rate`: expected a number", "`\"x\"`"],
    );
    refused("decayed", "[[1, 2], 3]", &[], &["element 1: expected a list with one entry", "list of lists"]);
    refused("decayed", "{}", &[], &["cannot read `{}`"]);
    refused("decayed", "[[1, 2]", &[], &["not JSON"]);
    let lines = file(name, "in.jsonl", "[1, 2]\n\n[1, [2]]\n");
    refused("decayed", &lines, &[], &["element 1 (line 3): argument `rate`"]);
    let broken = file(name, "broken.jsonl", "[1, 2]\n[1,\n");
    refused("decayed", &broken, &[], &["line 2: not JSON"]);
    let csv = file(name, "in.csv", "amount,speed\n1,2\n");
    refused("decayed", &csv, &[], &["column `speed` is that of no parameter", "`amount`, `rate`"]);
    let csv = file(name, "few.csv", "amount\n1\n");
    refused("decayed", &csv, &[], &["there is no column for the parameter `rate`"]);
    let csv = file(name, "text.csv", "amount,rate\n1,2\n3,x\n");
    refused("decayed", &csv, &[], &["line 3: `x` is not a number"]);
    let csv = file(name, "wide.csv", "1,2,3\n");
    refused("decayed", &csv, &[], &["element 0 (line 1): `decayed` takes 2 arguments"]);
    refused("decayed", "[[1, 2]]", &["--gradient", "--wrt", "speed"], &["has no argument `speed`"]);
    refused("decayed", "[[1, 2]]", &["--threads", "0"], &["--threads"]);
    refused("missing", "[[1, 2]]", &[], &["missing"]);
    let output = run(name, "decayed", "[[1, 2], [3]]", &["--json"]);
    assert!(last_json(&output)["error"]["message"].as_str().expect("it is text").starts_with("element 1: "));
}

#[test]
fn lanes_print_what_elements_one_by_one_do() {
    let name = "lanes";
    let rows: Vec<_> = (0..300).map(|k| json!([f64::from(k) / 7.0, 0.25])).collect();
    let rows = file(name, "rows.json", &json!(rows).to_string());
    for more in [&["--json"][..], &["--json", "--gradient"]] {
        let plain = printed(&run(name, "decayed", &rows, more));
        for lanes in ["1", "7", "64", "1000"] {
            let more = &[more, &["--lanes", lanes, "--threads", "2"]].concat();
            assert_eq!(printed(&run(name, "decayed", &rows, more)), plain, "{lanes}");
        }
    }
}

#[cfg(feature = "rustc")]
#[test]
fn lanes_that_rustc_compiles_print_what_elements_one_by_one_do() {
    let name = "compiled-lanes";
    let rows: Vec<_> = (0..300).map(|k| json!([f64::from(k) / 7.0, 0.25])).collect();
    let rows = file(name, "rows.json", &json!(rows).to_string());
    let cache = folder(name).join("cache");
    for more in [&["--json"][..], &["--json", "--gradient"]] {
        let plain = printed(&run(name, "decayed", &rows, more));
        let mut command = command(name, "decayed", &rows, more);
        command.args(["--lanes", "64", "--threads", "2", "--backend", "rustc"]);
        let output = command.env("XDG_CACHE_HOME", &cache).output().expect("the command is there");
        assert_eq!(printed(&output), plain);
        // A note says what rustc does not compile.
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn devices_print_what_elements_one_by_one_do() {
    let inputs = "[[1.0, 0.5], [2.0, 0.0], [-1.0, 2.5]]";
    for device in ["emulator", "opencl-emulator"] {
        for more in [&["--json"][..], &["--json", "--gradient"]] {
            let on_device = run("devices", "decayed", inputs, &[more, &["--device", device]].concat());
            if text(&on_device.stderr).contains("there is no C++ compiler") {
                eprintln!("NOT TESTED on the processor: there is no C++ compiler");
                return;
            }
            assert_eq!(printed(&on_device), printed(&run("devices", "decayed", inputs, more)), "{device}");
        }
        // Derivatives that were not asked for are not computed: kernels of scalars have none of a list.
        let (inputs, by_x) = ("[[0.5, [1.0, 2.0]], [0.25, [3.0]]]", &["--json", "--gradient", "--wrt", "x"]);
        let on_device = run("devices", "polynomial", inputs, &[&by_x[..], &["--device", device]].concat());
        assert_eq!(printed(&on_device), printed(&run("devices", "polynomial", inputs, by_x)), "{device}");
        // What a device cannot do is an error that names it.
        let refused = run("devices", "half", "[[1], [2]]", &["--device", device]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("the device cannot run it"), "{}", text(&refused.stderr));
    }
    let unknown = run("devices", "decayed", inputs, &["--device", "vulkan"]);
    let message = text(&unknown.stderr);
    assert!(message.contains("[possible values: cuda, opencl, emulator, opencl-emulator]"), "{message}");
}

#[test]
fn results_are_written_to_files_in_their_formats() {
    let name = "files";
    let out = |file: &str| folder(name).join(file).display().to_string();
    let inputs = "[[2, 0], [3, 0]]";
    let wrote = |file: &str, function: &str, inputs: &str, more: &[&str]| {
        let path = out(file);
        let output = run(name, function, inputs, &[&["--out", &path], more].concat());
        (output.status.code(), std::fs::read_to_string(path).unwrap_or_default(), text(&output.stdout))
    };
    let (code, json, printed) = wrote("out.json", "decayed", inputs, &["--json"]);
    assert_eq!((code, &*json), (Some(0), "{\"results\":[{\"value\":2.0},{\"value\":3.0}]}\n"));
    assert_eq!(printed, "{\"elements\":2,\"failed\":0}\n");
    let (_, lines, printed) = wrote("out.jsonl", "decayed", inputs, &["--gradient"]);
    let expected = "{\"gradient\":[1.0,-2.0],\"value\":2.0}\n{\"gradient\":[1.0,-3.0],\"value\":3.0}\n";
    assert_eq!((&*lines, &*printed), (expected, ""));
    let (_, table, _) = wrote("out.csv", "decayed", inputs, &["--gradient"]);
    assert_eq!(table, "gradient[0],gradient[1],value\n1.0,-2.0,2.0\n1.0,-3.0,3.0\n");
    let (code, table, _) = wrote("failed.csv", "checked", "[[4], [-1]]", &[]);
    assert_eq!(
        (code, &*table),
        (Some(1), "value,error\n2.0,\n,\"`checked` returned an error: \"\"-1 < 0\"\"\"\n")
    );
    let (_, lines, _) = wrote("out.txt", "decayed", inputs, &[]);
    assert_eq!(lines, "2.0\n3.0\n");
    wrote("out.npy", "decayed", inputs, &[]);
    let read: ndarray::Array1<f64> = read_npy(out("out.npy")).expect("it is an array");
    assert_eq!(read.to_vec(), [2.0, 3.0]);
    wrote("rows.npy", "decayed", inputs, &["--gradient"]);
    let read: ndarray::Array2<f64> = read_npy(out("rows.npy")).expect("it is an array");
    assert_eq!(read, arr2(&[[1.0, -2.0, 2.0], [1.0, -3.0, 3.0]]));
    let refused = run(name, "checked", "[[4], [-1]]", &["--out", &out("refused.npy")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("element 1 failed, and the file holds numbers only"));
    assert!(!Path::new(&out("refused.npy")).exists());
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_a_bar_and_a_rate() {
    use std::fs::{File, OpenOptions};
    use std::io::Read;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are pseudo-terminals");
    grantpt(&controller).and_then(|()| unlockpt(&controller)).expect("it can be opened");
    let terminal = ptsname(&controller, Vec::new()).expect("it has a name").into_string().expect("in UTF-8");
    let end = OpenOptions::new().read(true).write(true).open(&terminal).expect("it opens");
    let elements = file("bar", "in.json", &json!(vec![[1e300]; 240]).to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
    command.arg("map").arg(folder("bar").join("f.rs")).args([
        "spin",
        "--inputs",
        &elements,
        "--threads",
        "2",
    ]);
    command.args(["--step-limit", "3000000", "--backend", "interp"]).env("TERM", "xterm");
    let mut child = command.stdout(Stdio::null()).stderr(end).spawn().expect("the command is there");
    drop(command);
    let (mut shown, mut bytes) = (Vec::new(), [0; 4096]);
    // Reading ends with an error when the other end is closed.
    while let Ok(count @ 1..) = File::from(controller.try_clone().expect("it is open")).read(&mut bytes) {
        shown.extend_from_slice(&bytes[..count]);
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let shown = text(&shown);
    assert!(
        shown.contains("mapping █") && shown.contains("/240, ") && shown.contains("per second, "),
        "{shown}"
    );
    assert!(shown.contains("240 elements in "), "{shown}");
}
