//! What a trace records, and its formats.

use overdub_context::engine::Engine;
use overdub_context::text::Parser;
use overdub_context::value::Value;
use overdub_trace::{ShownValue, Trace, TracedCall, Tree};

const NESTED: &str = "\
fn @times(%a: f64, %b: f64) -> f64 {
  %p: f64 = mul %a, %b
  ret %p
}
fn @f(%x: f64, %y: f64, %z: f64) -> f64 {
  %p: f64 = mul %x, %y
  %q: f64 = call @times(%y, %z)
  %s: f64 = add %p, %q
  ret %s
}
";

fn traced(trace: &Trace, text: &str, args: Vec<Value<'static>>) -> (Value<'static>, Tree) {
    let program = Parser::new().file("program.ir").parse(text).expect("the text is a program");
    let result = Engine::new(program.module()).overdub(trace, "f", args);
    result.expect("the program runs")
}

fn nested(trace: &Trace) -> Tree {
    let (value, tree) = traced(trace, NESTED, [2.0, 3.0, 4.0].map(Value::F64).into());
    assert_eq!(value.as_f64(), Some(18.0));
    tree
}

#[test]
fn a_trace_has_exactly_the_calls_arguments_and_results_in_order() {
    let expected = "\
mul(2.0, 3.0) = 6.0
times(3.0, 4.0) = 12.0
└─ mul(3.0, 4.0) = 12.0
add(6.0, 12.0) = 18.0
";
    assert_eq!(nested(&Trace::new()).to_string(), expected);
}

#[test]
fn calls_know_their_source_lines() {
    let tree = nested(&Trace::new());
    let lines: Vec<(&str, u32)> =
        tree.calls().iter().map(|call| (call.span.file.as_str(), call.span.line)).collect();
    assert_eq!(lines, [("program.ir", 6), ("program.ir", 7), ("program.ir", 2), ("program.ir", 8)]);
}

#[test]
fn a_call_takes_at_least_as_long_as_what_it_makes() {
    let tree = nested(&Trace::new());
    let [_, times, mul, _] = tree.calls() else { panic!("four calls") };
    assert!(times.time >= mul.time && mul.time.as_nanos() > 0);
}

#[test]
fn only_functions_are_traced_where_that_is_asked_for() {
    assert_eq!(nested(&Trace::new().functions()).to_string(), "times(3.0, 4.0) = 12.0\n");
}

#[test]
fn deeper_calls_than_asked_for_are_only_counted() {
    let tree = nested(&Trace::new().depth(1));
    assert_eq!((tree.calls().len(), tree.not_recorded()), (3, 1));
    assert!(tree.calls().iter().all(|call| call.depth == 0 && call.result.is_some()));
}

#[test]
fn more_calls_than_asked_for_are_only_counted() {
    let tree = nested(&Trace::new().at_most(2));
    let functions: Vec<&str> = tree.calls().iter().map(|call| call.function.as_str()).collect();
    assert_eq!((functions, tree.not_recorded()), (vec!["mul", "times"], 2));
}

#[test]
fn functions_of_a_left_out_file_run_untouched() {
    assert!(nested(&Trace::new().outside_of("program")).calls().is_empty());
}

#[test]
fn long_arguments_are_cut() {
    let text = "fn @f(%a: [f64]) -> usize {\n %n: usize = len %a\n ret %n\n}";
    let (_, tree) = traced(&Trace::new().chars(9), text, vec![Value::floats(vec![1.5; 100_000])]);
    let [TracedCall { args, result, .. }] = tree.calls() else { panic!("one call") };
    assert_eq!(args, &[ShownValue::Text("[1.5, 1.5…".into())]);
    assert_eq!(result, &Some(ShownValue::Int(100_000)));
}

#[test]
fn branches_of_the_tree_are_drawn_to_their_last_call() {
    let text = "\
fn @h(%x: i64) -> i64 {
  %y: i64 = add %x, 1
  ret %y
}
fn @g(%x: i64) -> i64 {
  %a: i64 = call @h(%x)
  %b: i64 = call @h(%a)
  ret %b
}
fn @f(%x: i64) -> i64 {
  %a: i64 = call @g(%x)
  %b: i64 = call @g(%a)
  ret %b
}
";
    let (_, tree) = traced(&Trace::new(), text, vec![Value::from(1_i64)]);
    let expected = "\
g(1) = 3
├─ h(1) = 2
│  └─ add(1, 1) = 2
└─ h(2) = 3
   └─ add(2, 1) = 3
g(3) = 5
├─ h(3) = 4
│  └─ add(3, 1) = 4
└─ h(4) = 5
   └─ add(4, 1) = 5
";
    assert_eq!(tree.to_string(), expected);
}

#[test]
fn the_json_is_the_tree() {
    let tree = nested(&Trace::new());
    let json: serde_json::Value = serde_json::from_str(&tree.to_json()).expect("it is JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(3));
    assert_eq!(json[1]["function"], "times");
    assert_eq!(json[1]["args"], serde_json::json!([3.0, 4.0]));
    assert_eq!(json[1]["result"], 12.0);
    assert_eq!((&json[1]["file"], &json[1]["line"]), (&"program.ir".into(), &7.into()));
    assert_eq!(json[1]["calls"][0]["function"], "mul");
    assert_eq!(json[1]["calls"][0]["calls"], serde_json::json!([]));
    assert!(json[1]["nanoseconds"].as_u64() > Some(0));
}

#[test]
fn a_deep_recursion_is_traced_without_one() {
    let text = "\
fn @f(%n: i64) -> i64 {
  %done: bool = le %n, 0
  br_if %done, ^stop, ^go
^stop:
  ret 0
^go:
  %m: i64 = sub %n, 1
  %r: i64 = call @f(%m)
  ret %r
}
";
    let (_, tree) = traced(&Trace::new().functions(), text, vec![Value::from(10_000_i64)]);
    assert_eq!(tree.calls().len(), 10_000);
    assert!(tree.to_json().ends_with("]}]}]}]"));
}

#[cfg(feature = "flame")]
#[test]
fn the_flame_graph_names_each_function() {
    let svg = nested(&Trace::new()).flame_graph().expect("time was recorded");
    assert!(svg.contains("<svg") && svg.contains("times (") && svg.contains("mul ("), "{svg}");
}

#[test]
fn tracing_a_rust_program_does_not_change_its_value() {
    let source = "pub fn f(n: u64) -> f64 {
        let xs: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        xs.iter().zip(&xs).map(|(x, y)| x * y).sum::<f64>().sqrt()
    }";
    let loaded = overdub_lower::Loaded::from_source("sines.rs", source).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    let engine = loaded.engine();
    let args = || vec![Value::from(20_u64)];
    let plain = engine.run(symbol, args()).expect("it runs").as_f64();
    let (value, tree) = engine.overdub(&Trace::new(), symbol, args()).expect("it runs");
    assert_eq!(value.as_f64().map(f64::to_bits), plain.map(f64::to_bits));
    assert_eq!(tree.calls().iter().filter(|call| &*call.function == "sin").count(), 20);
}

#[test]
fn showing_a_pointer_does_not_give_its_memory_a_type() {
    let source = "use std::alloc::{alloc, alloc_zeroed, dealloc, Layout};
    fn pass(p: *mut u8) -> *mut u8 { p }
    pub fn f(x: f64) -> f64 {
        let layout = Layout::new::<[f64; 2]>();
        unsafe {
            let (p, zeros) = (pass(alloc(layout)) as *mut f64, pass(alloc_zeroed(layout)) as *mut f64);
            p.write(x);
            let sum = *p + *zeros.add(1);
            dealloc(p as *mut u8, layout);
            dealloc(zeros as *mut u8, layout);
            sum
        }
    }";
    let loaded = overdub_lower::Loaded::from_source("memory.rs", source).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    let (value, tree) = loaded.engine().overdub(&Trace::new(), symbol, vec![1.5.into()]).expect("it runs");
    assert_eq!(value.as_f64(), Some(1.5));
    let passed = tree.calls().iter().filter(|call| &*call.function == "pass");
    let shown: Vec<String> = passed.map(|call| call.args[0].to_string()).collect();
    assert_eq!(shown, ["&()", "&0_u8"]);
}
