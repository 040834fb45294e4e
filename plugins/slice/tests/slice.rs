//! What is cut out of a program, and its effect later.

use std::sync::{Arc, Mutex};

use overdub_context::engine::Interpreting;
use overdub_context::value::Value;
use overdub_slice::{Later, Slice};

const SOURCE: &str = r#"
    fn note(n: u64) { println!("note {n}"); }
    fn twice(n: u64) -> u64 { println!("twice {n}"); n * 2 }
    pub fn f(n: u64) -> u64 {
        let mut sum = 0;
        for i in 0..n {
            note(i);
            sum += twice(i);
        }
        println!("sum {sum}");
        sum
    }
"#;

struct Ran {
    value: Option<i128>,
    later: Later,
    printed: Arc<Mutex<String>>,
}

impl Ran {
    fn printed(&self) -> String {
        self.printed.lock().expect("nobody panicked").clone()
    }
}

fn run(slice: &Slice, n: u64) -> Ran {
    let loaded = overdub_lower::Loaded::from_source("program.rs", SOURCE).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    let printed = Arc::new(Mutex::new(String::new()));
    let sink = printed.clone();
    let print = move |text: &str| sink.lock().expect("nobody panicked").push_str(text);
    let executor = Interpreting::new().printing(Arc::new(Mutex::new(print)));
    let engine = loaded.engine_builder().executor(executor).build();
    let (value, later) = engine.overdub(slice, symbol, vec![Value::from(n)]).expect("the program runs");
    Ran { value: value.as_int().map(|(_, n)| n), later, printed }
}

#[test]
fn p3_prints_are_cut_out_and_the_value_is_unchanged() {
    let ran = run(&Slice::new(), 3);
    assert_eq!((ran.value, ran.printed().as_str()), (Some(6), ""));
}

#[test]
fn p3_what_would_have_been_printed_is_printed_later_in_order() {
    let ran = run(&Slice::new(), 2);
    ran.later.run().expect("printing does not fail");
    assert_eq!(ran.printed(), "note 0\ntwice 0\nnote 1\ntwice 1\nsum 2\n");
}

#[test]
fn it_is_printed_as_often_as_one_likes() {
    let ran = run(&Slice::new(), 0);
    ran.later.run().expect("printing does not fail");
    ran.later.run().expect("printing does not fail");
    assert_eq!(ran.printed(), "sum 0\nsum 0\n");
}

#[test]
fn functions_are_cut_out_whole() {
    let ran = run(&Slice::new().and("note"), 2);
    let prints = run(&Slice::new(), 2);
    ran.later.run().expect("printing does not fail");
    prints.later.run().expect("printing does not fail");
    assert_eq!(ran.printed(), prints.printed());
}

#[test]
fn a_function_that_returns_something_is_not_cut_out() {
    assert_eq!(run(&Slice::new().and("twice"), 3).value, Some(6));
}

#[test]
fn what_a_run_printed_before_it_failed_is_there_too() {
    let source = "pub fn f(n: u64) -> u64 { println!(\"before {n}\"); assert!(n < 2); n }";
    let loaded = overdub_lower::Loaded::from_source("f.rs", source).expect("it is a program");
    let f = loaded.function("f").expect("it is there").symbol;
    let engine = loaded.engine();
    let (result, cut) = engine.watch(&Slice::new(), f, vec![5_u64.into()]);
    assert!(result.is_err_and(|failure| failure.report().message.contains("n < 2")));
    assert_eq!(cut.later(&engine).len(), 1);
}
