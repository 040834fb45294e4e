//! The clock of a program goes on while machine code runs: loops with a time budget or a deadline end.

use std::time::Duration;

use overdub_context::limits::Limits;
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;

const PROGRAM: &str = "
use std::time::{Duration, Instant};

pub fn budget(n: u64) -> bool {
    let start = Instant::now();
    let mut sum = 0_u64;
    loop {
        sum = sum.wrapping_add(n);
        if start.elapsed() >= Duration::from_millis(5) {
            return sum > 0;
        }
    }
}

pub fn deadline(n: u64) -> bool {
    let end = Instant::now() + Duration::from_millis(n);
    while Instant::now() < end {
        std::thread::yield_now();
    }
    true
}
";

#[test]
fn loops_with_a_budget_of_time_end() {
    let loaded = Loaded::from_source("clock.rs", PROGRAM).expect("it is Rust");
    for native in [Native::new(), Native::new().without_optimising()] {
        let engine = loaded.engine_builder().executor(native).build();
        let engine = engine.with_limits(Limits::default().with_time(Duration::from_secs(60)));
        for name in ["budget", "deadline"] {
            let func = loaded.function(name).unwrap_or_else(|error| panic!("{error}")).symbol;
            let ended = engine.run(func, vec![Value::from(3_u64)]);
            assert!(matches!(ended, Ok(Value::Bool(true))), "{name}: {ended:?}");
        }
    }
}
