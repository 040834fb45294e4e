//! A program runs once: a failed run is not repeated by another engine, so its effects happen once.

use std::process::Command;
use std::sync::{Arc, Mutex};

use overdub::ad::{Reverse, gradient, hessian, hvp, jacobian, prepare, vjp};
use overdub::prelude::*;
use overdub_ad::{GradientRoute, Strategy};
use overdub_context::Failure;
use overdub_context::engine::{Engine, Interpreting};
use overdub_context::value::{CellRef, Value};
use overdub_lower::{Function, Loaded};
use overdub_passes::Optimised;

const SOURCE: &str = "
use std::cell::Cell;

pub fn loop_of(xs: &[f64]) -> f64 {
    println!(\"running\");
    let mut sum = 0.0;
    for n in 0..xs.len() + 1 {
        sum += xs[n] * xs[n];
    }
    sum
}

pub fn table(xs: &[f64]) -> f64 {
    println!(\"running\");
    let table: [fn(f64) -> f64; 1] = [f64::sin];
    table[xs.len()](xs[0])
}

pub fn counted(x: f64, runs: &Cell<usize>) -> f64 {
    runs.set(runs.get() + 1);
    println!(\"run {}\", runs.get());
    assert!(x > 10.0);
    x * x
}
";

struct Program {
    loaded: Loaded,
    engine: Engine,
    printed: Arc<Mutex<String>>,
}

impl Program {
    fn new() -> Program {
        let loaded = Loaded::from_source("once.rs", SOURCE).expect("it is a program");
        let printed = Arc::new(Mutex::new(String::new()));
        let out = printed.clone();
        let print = move |text: &str| out.lock().expect("no thread panicked").push_str(text);
        let executor = Interpreting::new().printing(Arc::new(Mutex::new(print)));
        let engine = loaded.engine_builder().executor(Optimised::new(executor)).build();
        Program { loaded, engine, printed }
    }

    fn function(&self, name: &str) -> Function {
        self.loaded.function(name).expect("it is there")
    }

    /// What was printed since the last call.
    fn printed(&self) -> String {
        std::mem::take(&mut *self.printed.lock().expect("no thread panicked"))
    }

    /// Takes each derivative, by value, of a function that fails; passes its name and the failure to `seen`.
    fn each(&self, name: &str, args: &dyn Fn() -> Vec<Value<'static>>, seen: &mut dyn FnMut(&str, Failure)) {
        let (engine, f) = (&self.engine, self.function(name));
        seen("gradient", overdub_ad::gradient(engine, f.symbol, args(), f.ir_ret).expect_err("it panics"));
        seen("vjp", overdub_ad::vjp(engine, f.symbol, args()).expect_err("it panics"));
        seen("jacobian", overdub_ad::jacobian(engine, f.symbol, args()).expect_err("it panics"));
        seen("hessian", overdub_ad::hessian(engine, f.symbol, args(), f.ir_ret).expect_err("it panics"));
    }
}

#[test]
fn a_loaded_program_that_prints_and_panics_prints_once() {
    let program = Program::new();
    let route = |name: &str| {
        let f = program.function(name);
        GradientRoute::new(&program.engine, f.symbol, f.ir_ret, &|_| true).strategy().clone()
    };
    assert_eq!(route("loop_of"), Strategy::Transformation);
    assert!(matches!(route("table"), Strategy::Recording { .. }));
    for name in ["loop_of", "table"] {
        for len in [2, 20] {
            let args = || vec![Value::floats(vec![0.5; len])];
            program.each(name, &args, &mut |derivative, failure| {
                assert_eq!(program.printed(), "running\n", "{derivative} of {name} at {len} floats");
                assert!(failure.report().message.contains("index"), "{derivative} of {name}: {failure}");
            });
        }
    }
}

#[test]
fn a_shared_cell_is_changed_once() {
    let program = Program::new();
    let cell = CellRef::new(Value::from(0_usize));
    let args = || {
        assert!(cell.set(Value::from(0_usize)).is_ok());
        vec![Value::F64(3.0), Value::Ref(Box::new(cell.clone()))]
    };
    program.each("counted", &args, &mut |derivative, _| {
        assert_eq!(program.printed(), "run 1\n", "{derivative}");
    });
}

#[dub]
fn out_of_bounds(xs: &[f64]) -> f64 {
    println!("running");
    xs[0] * xs[1] + xs[xs.len()]
}

#[dub]
fn rows_out_of_bounds(xs: &[f64]) -> Vec<f64> {
    println!("running");
    vec![xs[0] * xs[1], xs[xs.len()]]
}

/// Takes the typed derivative with this name of a function that prints and panics.
fn fails(derivative: &str, xs: &[f64]) -> bool {
    let ones = vec![1.0; xs.len()];
    match derivative {
        "gradient" => gradient(out_of_bounds, (xs,)).is_err(),
        "vjp" => vjp(rows_out_of_bounds, (xs,), ones).is_err(),
        "reverse" => overdub(Reverse, out_of_bounds, (xs,)).is_err(),
        "jacobian" => jacobian(rows_out_of_bounds, (xs,)).is_err(),
        "hessian" => hessian(out_of_bounds, (xs,)).is_err(),
        "hvp" => hvp(out_of_bounds, (xs,), (&ones[..],)).is_err(),
        "prepared" => prepare(out_of_bounds).gradient((xs,)).is_err(),
        "buffers" => prepare(out_of_bounds).gradient_into((xs,), (&mut vec![0.0; xs.len()][..],)).is_err(),
        _ => false,
    }
}

const DERIVATIVE: &str = "OVERDUB_TEST_DERIVATIVE";

/// Runs in a process of its own, whose output the test below reads: the process-wide engine prints to the standard output.
#[test]
#[ignore = "run by `a_function_of_rust_that_prints_and_panics_prints_once`"]
fn one_derivative_that_fails() {
    let derivative = std::env::var(DERIVATIVE).expect("the test below sets it");
    assert!(fails(&derivative, &[0.5; 2]) && fails(&derivative, &[0.5; 20]), "{derivative}");
}

#[test]
fn a_function_of_rust_that_prints_and_panics_prints_once() {
    let names = ["gradient", "vjp", "reverse", "jacobian", "hessian", "hvp", "prepared", "buffers"];
    for derivative in names {
        let mut child = Command::new(std::env::current_exe().expect("a test is a program"));
        child
            .args(["--ignored", "--exact", "one_derivative_that_fails", "--nocapture"])
            .env(DERIVATIVE, derivative);
        let output = child.output().expect("it can be run");
        assert!(output.status.success(), "{derivative}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8_lossy(&output.stdout).matches("running\n").count();
        assert_eq!(printed, 2, "{derivative}: once for each of two calls");
    }
}
