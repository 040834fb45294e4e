//! What is remembered, and what is not.

use std::time::{Duration, Instant};

use overdub_context::value::Value;
use overdub_memoize::{Memoize, Table};

fn run(source: &str, memoize: &Memoize, args: Vec<Value<'static>>) -> (Value<'static>, Table) {
    let loaded = overdub_lower::Loaded::from_source("program.rs", source).expect("it is Rust");
    let symbol = loaded.function("f").expect("there is an `f`").symbol;
    loaded.engine().overdub(memoize, symbol, args).expect("the program runs")
}

fn int(value: &Value<'_>) -> Option<i128> {
    value.as_int().map(|(_, n)| n)
}

const FIB: &str = "
    pub fn other(n: u64) -> u64 { n }
    fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
    pub fn f(n: u64) -> u64 { fib(n) }
";

#[test]
fn fibonacci_has_one_entry_for_each_argument_down_to_zero() {
    for n in [2_u64, 5, 10, 20] {
        let (_, table) = run(FIB, &Memoize::function("fib"), vec![Value::from(n)]);
        assert_eq!((table.len() as u64, table.found() as u64), (n + 1, n - 2), "fib({n})");
    }
}

#[test]
fn fibonacci_of_eighty_takes_no_time() {
    let began = Instant::now();
    let (value, _) = run(FIB, &Memoize::function("fib"), vec![Value::from(80_u64)]);
    assert_eq!(int(&value), Some(23_416_728_348_467_685));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn a_function_that_is_not_named_is_not_remembered() {
    let (value, table) = run(FIB, &Memoize::function("other"), vec![Value::from(10_u64)]);
    assert_eq!((int(&value), table.is_empty()), (Some(55), true));
}

#[test]
fn functions_are_kept_apart() {
    let source = "
        fn g(n: i64) -> i64 { n + 1 }
        fn h(n: i64) -> i64 { n * 10 }
        pub fn f(n: i64) -> i64 { g(n) + h(n) + g(n) + h(n) }
    ";
    let (value, table) = run(source, &Memoize::function("g").and("h"), vec![Value::from(3_i64)]);
    assert_eq!((int(&value), table.len(), table.found()), (Some(68), 2, 2));
}

#[test]
fn zeros_of_either_sign_are_two_arguments_and_a_nan_is_one() {
    let source = "
        fn g(x: f64) -> f64 { 1.0 / x }
        pub fn f(nan: f64) -> f64 { let y = g(nan) + g(nan); g(0.0) + g(-0.0) + y }
    ";
    let (_, table) = run(source, &Memoize::function("g"), vec![Value::F64(f64::NAN)]);
    assert_eq!((table.len(), table.found()), (3, 1));
}

#[test]
fn arrays_are_compared_by_their_elements() {
    let source = "
        fn g(xs: &[f64]) -> f64 { xs[0] * xs[1] }
        pub fn f() -> f64 { g(&[1.0, 2.0]) + g(&[1.0, 2.0]) + g(&[2.0, 1.0]) }
    ";
    let (value, table) = run(source, &Memoize::function("g"), vec![]);
    assert_eq!((value.as_f64(), table.len()), (Some(6.0), 2));
}
