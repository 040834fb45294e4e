//! Steps that loops of machine code take: equally many in each iteration, however the loop ends; and a limit
//! stops a run exactly at the first step beyond it.

use std::time::{Duration, Instant};

use overdub_context::Failure;
use overdub_context::engine::{Executor, Interpreting};
use overdub_context::limits::{Budget, Cancel, Limit, Limits};
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

const LOOPS: &str = "
pub fn rising(n: usize, _: usize) -> u64 {
    let mut x = 12345_u64;
    for i in 0..n {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(i as u64);
    }
    x
}

pub fn rising_to_the_last(n: usize, _: usize) -> u64 {
    let (mut x, mut i) = (1_u64, 1);
    while i <= n {
        x = x.wrapping_mul(31) ^ i as u64;
        i += 1;
    }
    x
}

pub fn falling(n: usize, _: usize) -> u64 {
    let (mut x, mut i) = (7_u64, n);
    while i > 0 {
        x = x.wrapping_mul(31) ^ i as u64;
        i -= 1;
    }
    x
}

pub fn reversed(n: usize, _: usize) -> u64 {
    let mut x = 7_u64;
    for i in (0..n).rev() {
        x = x.wrapping_mul(31) ^ i as u64;
    }
    x
}

pub fn meeting(n: usize, _: usize) -> u64 {
    let (mut x, mut i) = (7_u64, 0);
    while i != n {
        x = x.wrapping_mul(31) ^ i as u64;
        i += 1;
    }
    x
}

pub fn narrow(n: usize, _: usize) -> u64 {
    let mut x = 7_u64;
    for i in -3..n as i32 - 3 {
        x = x.wrapping_mul(31) ^ i as u64;
    }
    x
}

pub fn narrow_and_wrapping(n: usize, _: usize) -> u64 {
    let (mut x, mut i) = (7_u64, i32::MAX);
    let last = i32::MIN + n as i32;
    loop {
        i = i.wrapping_add(1);
        x = x.wrapping_mul(31) ^ i as u64;
        if i >= last {
            return x;
        }
    }
}

pub fn branching(n: usize, _: usize) -> u64 {
    let mut x = 7_u64;
    for i in 0..n {
        if x & 64 == 0 {
            x = x.wrapping_mul(31) ^ i as u64;
        } else if x & 32 == 0 {
            x = x.wrapping_add(12345);
        } else {
            x = x >> 1;
        }
    }
    x
}

pub fn leaving(n: usize, at: usize) -> u64 {
    let mut x = 7_u64;
    for i in 0..n {
        if i == at {
            break;
        }
        x = x.wrapping_mul(31) ^ i as u64;
    }
    x
}

pub fn in_two_ranges(n: usize, _: usize) -> u64 {
    let mut x = 7_u64;
    for (i, j) in (0..n).zip(5..) {
        x = x.wrapping_mul(31) ^ (i * j) as u64;
    }
    x
}

pub fn growing(n: usize, _: usize) -> u64 {
    let mut all = Vec::new();
    for i in 0..n {
        all.push(i as u64);
    }
    all.len() as u64
}
";

const NESTED: &str = "
fn mixed(x: u64, i: usize) -> u64 {
    x.wrapping_mul(31) ^ i as u64
}

pub fn triangle(n: usize) -> u64 {
    let mut x = 7;
    for i in 0..n {
        for j in 0..i {
            x = mixed(x, j);
        }
    }
    x
}

pub fn left_from_within(n: usize) -> u64 {
    let mut x = 7;
    'all: for i in 0..n {
        for j in 0..n {
            if i * j > n * n / 2 {
                break 'all;
            }
            if j > i {
                continue 'all;
            }
            x = mixed(x, j);
        }
    }
    x
}

pub fn strided(n: usize) -> u64 {
    let mut x = 7;
    let mut i = 1;
    while i < n {
        let mut j = i;
        while j < n {
            x = mixed(x, j);
            j += i;
        }
        i += 1;
    }
    x
}

pub fn one_after_the_other(n: usize) -> u64 {
    let mut x = 7;
    for i in 0..n {
        x = mixed(x, i);
    }
    for i in (0..n).rev() {
        x = mixed(x, i);
    }
    x
}

pub fn by_lanes(n: usize) -> u64 {
    let mut y = vec![1.0; n];
    let z = vec![3.0; n];
    for _ in 0..3 {
        for i in 0..n {
            y[i] += 0.5 * z[i];
        }
    }
    y[n - 1] as u64
}

pub fn with_an_operation_of_its_own(n: usize) -> u64 {
    let mut x = 7;
    let mut some = vec![1_u64, 2, 3];
    for i in 0..n {
        x = mixed(x, i);
        if x & 7 == 0 {
            some.sort();
            some[0] += 5;
        }
    }
    x + some[0]
}
";

const ENDLESS: &str = "
pub fn nearly(x: f64) -> f64 {
    let mut y = x;
    for i in 0..usize::MAX {
        y = y * 0.5 + i as f64;
    }
    y
}

pub fn falling(x: f64) -> f64 {
    let (mut y, mut i) = (x, usize::MAX);
    while i > 0 {
        i -= 1;
        y = y * 0.5 + i as f64;
    }
    y
}

pub fn within_a_range(x: f64) -> f64 {
    let mut y = x;
    for i in 0..10 {
        while y > 0.0 {
            y = 0.5 * y + 1.0;
        }
        y += i as f64;
    }
    y
}

pub fn around_a_range(x: f64) -> f64 {
    let mut y = x;
    while y > 0.0 {
        for i in 0..7 {
            y = 0.5 * y + i as f64 + 1.0;
        }
    }
    y
}

pub fn around_an_empty_range(x: f64) -> f64 {
    let (mut y, mut n) = (x, 0);
    while y > 0.0 {
        for i in 0..n {
            y += i as f64;
        }
        n = if y < 0.0 { 1 } else { 0 };
    }
    y
}
";

struct Program {
    loaded: Loaded,
    native: Native,
}

impl Program {
    fn new(source: &str) -> Program {
        let loaded = Loaded::from_source("loops.rs", source).expect("it is well formed");
        Program { loaded, native: Native::new() }
    }

    fn run_by(
        &self,
        by: &dyn Executor,
        func: &str,
        args: &[Value<'static>],
    ) -> Result<Value<'static>, Failure> {
        let symbol = self.loaded.function(func).expect("it is there").symbol;
        by.run(&self.loaded.shared_module(), symbol, args.to_vec())
    }

    /// The steps that a run takes, if the limit allows them.
    fn steps(&self, func: &str, args: &[Value<'static>], limit: u64) -> Result<u64, Failure> {
        let budget = Budget::new(&Limits::default().with_steps(limit));
        budget.during(|| self.run_by(&self.native, func, args))?;
        Ok(limit - budget.steps_left().expect("it is limited").left)
    }

    /// As [`Program::steps`], checked to be the smallest limit that allows the run.
    fn exact_steps(&self, func: &str, args: &[Value<'static>]) -> u64 {
        let steps = self.steps(func, args, 1 << 40).expect("it ends");
        assert_eq!(self.steps(func, args, steps).expect("it is allowed"), steps, "{func}{args:?}");
        let stopped = self.steps(func, args, steps - 1).expect_err("it is one step less");
        assert_eq!(stopped.limit(), Some(Limit::Steps(steps - 1)), "{func}{args:?}");
        steps
    }

    fn agrees_with_the_interpreter(&self, func: &str, args: &[Value<'static>]) {
        let wide = Limits::default().with_steps(1 << 40);
        let by_code = wide.during(|| self.run_by(&self.native, func, args)).expect("it ends");
        let interpreted = self.run_by(&Interpreting::new(), func, args).expect("it ends");
        assert!(by_code.same(&interpreted), "{func}{args:?}: {by_code:?}, interpreted {interpreted:?}");
    }
}

const SIMPLE: [&str; 11] = [
    "rising",
    "rising_to_the_last",
    "falling",
    "reversed",
    "meeting",
    "narrow",
    "narrow_and_wrapping",
    "branching",
    "leaving",
    "in_two_ranges",
    "growing",
];

fn counts(n: usize, at: usize) -> Vec<Value<'static>> {
    vec![Value::from(n), Value::from(at)]
}

#[test]
fn each_round_of_a_loop_takes_the_same_steps_and_a_limit_is_exact() {
    let program = Program::new(LOOPS);
    for func in SIMPLE {
        let steps = |n: usize| program.exact_steps(func, &counts(n, usize::MAX));
        let iteration = steps(3) - steps(2);
        assert!((2..40).contains(&iteration), "{func}: {iteration}");
        // More steps than the fuel that is granted at once, and almost as many.
        for n in [4, 100, 9_361, 16_384, 50_001] {
            assert_eq!(steps(n), steps(2) + (n as u64 - 2) * iteration, "{func}: {n}");
        }
        for n in [0, 1, 2, 3000] {
            program.agrees_with_the_interpreter(func, &counts(n.max(usize::from(func.contains("wrap"))), 5));
        }
    }
}

#[test]
fn each_call_of_a_function_with_a_loop_takes_the_same_steps() {
    let source = "pub fn deep(n: usize) -> u64 {
    if n == 0 {
        return 7;
    }
    let mut x = deep(n - 1);
    for i in 0..n {
        x = x.wrapping_mul(31) ^ i as u64;
        if x % 5 == 0 {
            break;
        }
    }
    for _ in 0..3 {
        x = x.wrapping_mul(31).max(1);
    }
    x
}

pub fn shallow(n: usize) -> u64 {
    if n == 0 {
        return 7;
    }
    let mut x = shallow(n - 1);
    for i in 0..5 {
        x = x.wrapping_mul(31) ^ i;
    }
    x
}";
    let program = Program::new(source);
    let steps = |n: usize| program.exact_steps("shallow", &[Value::from(n)]);
    let call = steps(12) - steps(11);
    for n in [13, 100, 3000] {
        assert_eq!(steps(n), steps(12) + (n as u64 - 12) * call, "{n}");
    }
    for n in [0, 1, 50, 1000] {
        program.exact_steps("deep", &[Value::from(n as usize)]);
        program.agrees_with_the_interpreter("deep", &[Value::from(n as usize)]);
    }
}

#[test]
fn a_loop_that_is_left_early_takes_the_steps_of_the_rounds_that_began() {
    let program = Program::new(LOOPS);
    let steps = |n: usize, at: usize| program.exact_steps("leaving", &counts(n, at));
    let round = steps(1000, 3) - steps(1000, 2);
    for at in [0, 1, 7, 30_000, 99_999] {
        assert_eq!(steps(100_000, at), steps(100_001, at), "{at}");
        assert_eq!(steps(100_000, at), steps(1000, 2) + at as u64 * round - 2 * round, "{at}");
    }
}

#[test]
fn limits_are_exact_in_loops_within_loops() {
    let program = Program::new(NESTED);
    let all = [
        "triangle",
        "left_from_within",
        "strided",
        "one_after_the_other",
        "by_lanes",
        "with_an_operation_of_its_own",
    ];
    for func in all {
        for n in [1, 2, 9, 40, 90] {
            program.exact_steps(func, &[Value::from(n as usize)]);
            program.agrees_with_the_interpreter(func, &[Value::from(n as usize)]);
        }
    }
}

#[test]
fn runs_that_share_a_limit_take_of_it_what_each_takes_alone() {
    let program = Program::new(LOOPS);
    let args = counts(10_000, 5_000);
    for func in SIMPLE {
        let one = program.exact_steps(func, &args);
        let budget = Budget::new(&Limits::default().with_steps(10 * one));
        let run = || budget.during(|| program.run_by(&program.native, func, &args));
        for done in 1..=10 {
            run().expect("there are enough");
            assert_eq!(budget.steps_left().expect("it is limited").left, (10 - done) * one, "{func}");
        }
        run().expect_err("there are none left");
    }
}

#[test]
fn loops_without_end_are_stopped_in_time() {
    let program = Program::new(ENDLESS);
    for func in ["nearly", "falling", "within_a_range", "around_a_range", "around_an_empty_range"] {
        let run = || program.run_by(&program.native, func, &[Value::F64(1.0)]);
        let steps = Limits::default().with_steps(200_000).during(run).expect_err("it never ends");
        assert_eq!(steps.limit(), Some(Limit::Steps(200_000)), "{func}");
        let time = Duration::from_millis(20);
        let start = Instant::now();
        let timed = Limits::default().with_time(time).during(run).expect_err("it never ends");
        assert_eq!(timed.limit(), Some(Limit::Time(time)), "{func}");
        assert!(start.elapsed() < Duration::from_secs(5), "{func}: {:?}", start.elapsed());
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            stop.cancel();
        });
        let cancelled = Limits::default().with_cancel(cancel).during(run).expect_err("it never ends");
        canceller.join().expect("it only waits");
        assert_eq!(cancelled.limit(), Some(Limit::Cancelled), "{func}");
        assert!(cancelled.report().span.is_known(), "{func}");
    }
}

#[test]
fn what_fails_in_a_round_fails_there_with_limits_too() {
    let source = "pub fn sum(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i * 2];
    }
    sum
}";
    let program = Program::new(source);
    let x = Value::from(Array::from_vec(vec![1.0; 30_000]));
    for n in [15_000, 15_001, 90_000] {
        let args = [x.clone(), Value::from(n as usize)];
        let wide = Limits::default().with_steps(1 << 40);
        let by_code = wide.during(|| program.run_by(&program.native, "sum", &args));
        let interpreted = program.run_by(&Interpreting::new(), "sum", &args);
        let said = |result: &Result<Value<'static>, Failure>| match result {
            Ok(value) => format!("{value:?}"),
            Err(failure) => failure.to_string(),
        };
        assert_eq!(said(&by_code), said(&interpreted), "{n}");
    }
}
