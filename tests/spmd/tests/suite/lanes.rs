//! Elements in lanes: as one by one to the bit, with every kind of control flow, on threads, with gradients and failures.

use overdub_context::engine::{Engine, Interpreting};
use overdub_context::limits::Limits;
use overdub_context::testing::cases;
use overdub_context::value::Value;
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimised;
use overdub_spmd::{Column, Derivative, LoadedMap, MapError, OverColumns};
use proptest::prelude::*;

use super::executors::engines;

const SOURCE: &str = "
pub fn branches(n: i64) -> i64 {
    if n < 0 { 0 } else if n > 10 { n * 100 - 78 } else if n > 5 { n * n * 3 + 9 } else { n + 21 }
}
pub fn counted(x: i64) -> i64 {
    let (mut sum, mut k) = (0, x);
    while k > 0 { sum += k; if k % 3 == 0 { k -= 2; } else { k -= 1; } }
    sum
}
pub fn nested(n: u32, x: f64) -> f64 {
    let mut y = x;
    for i in 0..n % 7 {
        for j in 0..i {
            if (y * 3.0) as i64 % 2 == 0 { y += 0.25 * j as f64; continue; }
            if y > 40.0 { break; }
            y = y * 1.5 + 0.125;
        }
    }
    y
}
pub fn first_root(x: f64, limit: u32) -> Option<f64> {
    let mut y = x;
    for _ in 0..limit {
        if (y * y - 2.0).abs() < 1e-3 { return Some(y); }
        y = 0.5 * (y + 2.0 / y);
    }
    None
}
pub fn found(x: f64, limit: u32) -> f64 { first_root(x, limit).map_or(-1.0, |y| y + 1.0) }
pub fn polynomial(x: f64, weights: &[f64]) -> f64 {
    let mut y = 0.0;
    for w in weights { y = y * x + w; }
    y
}
pub fn settle(x: f64, k: f64) -> f64 {
    let mut y = x;
    while y.abs() > 0.05 { y = (y * k).sin() * 0.9; }
    y + if x > 0.0 { x * k } else { k * k }
}
pub fn polar(r: f64, t: f64) -> (f64, (f64, bool)) { (r * t.cos(), (r * t.sin(), r > t)) }
pub fn small(n: u8, m: i16) -> i16 { (n / 2 + 3) as i16 * m.signum() + m % 7 }
pub fn halved(n: u32) -> u32 { assert!(n % 2 == 0, \"{n} is odd\"); n / 2 }
pub fn told(x: f64) -> f64 { println!(\"{x}\"); x + 1.0 }
pub fn listed(x: f64) -> f64 { let mut all = vec![x]; all.push(2.0 * x); all.iter().sum() }
pub fn fib(n: u64) -> u64 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
pub fn forever(x: f64) -> f64 { let mut y = x; while y > 0.0 { y += 1.0; } y }
";

const LEN: usize = 1500;

fn floats(from: f64, to: f64) -> Column {
    Column::floats((0..LEN).map(move |at| from + (to - from) * ((at * 7919) % LEN) as f64 / LEN as f64))
}

fn ints(make: impl Fn(i64) -> Value<'static>) -> Column {
    Column::Each((0..LEN as i64).map(|at| make(at * 31 % 97 - 20)).collect())
}

fn map(loaded: &Loaded, engine: &Engine, name: &str) -> LoadedMap {
    let function = loaded.function(name).expect("it is there");
    LoadedMap::new(engine, &function).expect("it is lowered")
}

fn shown<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    format!("{result:?}")
}

/// Everything that a mapped call has, as text with all digits.
fn all_of(over: &OverColumns) -> Vec<String> {
    vec![
        shown(over.values()),
        shown(over.values_and_gradients()),
        shown(over.sum()),
        shown(over.sum_and_gradient()),
    ]
}

#[test]
fn every_kind_of_control_flow_gives_what_elements_give_one_by_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let natural = || ints(|n| Value::from(n.unsigned_abs() as u32));
    let columns: Vec<(&str, Vec<Column>)> = vec![
        ("branches", vec![ints(Value::from)]),
        ("counted", vec![ints(Value::from)]),
        ("nested", vec![natural(), floats(-3.0, 5.0)]),
        ("found", vec![floats(0.1, 100.0), natural()]),
        ("first_root", vec![floats(0.1, 100.0), Column::Fixed(Value::from(6_u32))]),
        ("polynomial", vec![floats(-1.0, 2.0), Column::Fixed(Value::floats(vec![0.5, -1.0, 2.0, 0.25]))]),
        ("settle", vec![floats(-3.0, 3.0), floats(0.2, 1.0)]),
        ("polar", vec![floats(0.0, 2.0), floats(-1.0, 4.0)]),
        ("small", vec![ints(|n| Value::from(n.unsigned_abs() as u8)), ints(|n| Value::from(n as i16))]),
    ];
    for (name, columns) in columns {
        for (executor, engine) in engines(|| loaded.engine_builder()) {
            let alone =
                map(&loaded, &engine, name).loops_from(usize::MAX).over(columns.clone()).expect("they fit");
            let expected = shown(alone.values());
            for (threads, lanes) in [(1, 64), (2, 64), (1, 1), (3, 13)] {
                let in_lanes = map(&loaded, &engine, name).threads(threads).lanes(lanes).loops_from(1);
                let in_lanes = in_lanes.over(columns.clone()).expect("they fit");
                assert_eq!(
                    shown(in_lanes.values()),
                    expected,
                    "{name}, {executor}, {threads} threads, {lanes} lanes"
                );
            }
        }
    }
}

#[test]
fn gradients_and_sums_are_those_without_lanes() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let weights = Column::Fixed(Value::F64(0.8));
    for (name, columns) in [
        ("settle", vec![floats(-3.0, 3.0), weights.clone()]),
        ("settle", vec![floats(-3.0, 3.0), floats(0.2, 1.0)]),
        ("found", vec![floats(0.1, 100.0), ints(|n| Value::from(n.unsigned_abs() as u32))]),
    ] {
        for (executor, engine) in engines(|| loaded.engine_builder()) {
            let plain = map(&loaded, &engine, name).with_respect_to(["0"]);
            let expected = all_of(&plain.clone().over(columns.clone()).expect("they fit"));
            for threads in [1, 2] {
                let in_lanes = plain.clone().threads(threads).lanes(64).loops_from(1);
                let found = all_of(&in_lanes.over(columns.clone()).expect("they fit"));
                assert_eq!(found, expected, "{name}, {executor}, {threads} threads");
            }
        }
    }
    // All steps of a loop are on tapes of their own.
    let (_, engine) = engines(|| loaded.engine_builder()).remove(1);
    let settle = map(&loaded, &engine, "settle").lanes(64);
    let over = settle.over(vec![floats(-3.0, 3.0), weights]).expect("they fit");
    let (_, slopes) = over.sum_and_gradient().expect("it has one");
    let Derivative::OfShared(by_k) = &slopes[1] else { panic!("it is shared") };
    let moved = |k: f64| {
        let columns = vec![floats(-3.0, 3.0), Column::Fixed(Value::F64(k))];
        settle.over(columns).expect("they fit").sum().expect("none fails")
    };
    let difference = (moved(0.8 + 1e-7) - moved(0.8 - 1e-7)) / 2e-7;
    assert!((by_k.as_f64().expect("a float") / difference - 1.0).abs() < 1e-5, "{by_k:?}, {difference}");
}

#[test]
fn lanes_compute_with_the_functions_of_the_executor() {
    let source = "pub fn f(x: f64) -> f64 {
        let y = (x * 1e3).sin() * x.exp() + (x * x + 0.1).ln() * (x * 1e9).cos();
        y + (x * x).powf(x) + x.powf(3.0)
    }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let native = loaded.engine_builder().executor(Native::new().with_fast_functions()).build();
    let optimised = Optimised::new(Interpreting::new()).with_fast_functions();
    let optimised = loaded.engine_builder().executor(optimised).build();
    let values = |engine: &Engine, lanes: Option<usize>| {
        let map = map(&loaded, engine, "f").loops_from(usize::MAX);
        let map = lanes.into_iter().fold(map, |map, lanes| map.lanes(lanes).loops_from(1));
        shown(map.over(vec![floats(-9.0, 9.0)]).expect("it fits").values())
    };
    let by_std = values(&loaded.engine(), Some(64));
    assert_eq!(by_std, values(&loaded.engine(), None));
    for engine in [native, optimised] {
        let fast = values(&engine, Some(64));
        assert_eq!(fast, values(&engine, None));
        assert_ne!(fast, by_std, "their last bits differ");
    }
}

#[test]
fn failures_are_those_of_elements_one_by_one() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let engine = loaded.engine();
    let numbers =
        || Column::Each((0..LEN as u32).map(|n| Value::from(if n == 700 { 701 } else { 2 * n })).collect());
    let halves = map(&loaded, &engine, "halved").lanes(64).over(vec![numbers()]).expect("they fit");
    let error = halves.values().expect_err("701 is odd");
    assert!(matches!(&error, MapError::Element { index: 700, .. }), "{error}");
    assert!(error.to_string().contains("701 is odd"), "{error}");
    let each = halves.each().values().expect("it is not cancelled");
    assert!(each[700].is_err() && each.iter().filter(|result| result.is_err()).count() == 1);
}

#[test]
fn what_does_not_run_in_lanes_runs_one_by_one_and_is_told_with_its_place() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let engine = loaded.engine();
    let refusal = |engine: &Engine, name: &str, column: Column| {
        let one_by_one = map(&loaded, engine, name).over(vec![column.clone()]).expect("it fits").values();
        let over = map(&loaded, engine, name).lanes(64).over(vec![column]).expect("it fits");
        let values = [over.values(), one_by_one].map(|found| format!("{:?}", found.expect("it runs")));
        assert_eq!(values[0], values[1], "{name}");
        match over.check_lanes() {
            Err(MapError::Function(failure)) => (failure.to_string(), failure.report().span.is_known()),
            other => panic!("`{name}` is not refused: {other:?}"),
        }
    };
    let xs = || floats(0.0, 1.0);
    let (told, is_placed) = refusal(&engine, "told", Column::floats((0..40).map(f64::from)));
    assert!(told.contains("`str`") && is_placed, "{told}");
    let (fib, is_placed) = refusal(&engine, "fib", ints(|n| Value::from(n.unsigned_abs() % 9)));
    assert!(fib.contains("a call that is not inlined") && is_placed, "{fib}");
    let limited = engine.with_limits(Limits::default().with_steps(1_000_000));
    assert!(refusal(&limited, "listed", xs()).0.contains("without limits"));
}

#[test]
fn a_loop_without_end_does_not_hide_the_failure_before_it() {
    let source = "pub fn f(n: u32) -> u32 {
        let mut m = n;
        while m != 1 { if m == 0 { m += 0; } else { m = 1; } }
        assert!(n != 3, \"three\");
        m
    }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    // So few that they would wait for the last one.
    let numbers = Column::Each([1_u32, 2, 3, 0].map(Value::from).to_vec());
    let limits = Limits::default().with_time(std::time::Duration::from_secs(60));
    for (name, engine) in engines(|| loaded.engine_builder()) {
        let over =
            map(&loaded, &engine, "f").lanes(64).loops_from(1).over(vec![numbers.clone()]).expect("it fits");
        let error = limits.during(|| over.values()).expect_err("the element 2 fails");
        assert!(
            error.to_string().starts_with("element 2: ") && error.to_string().contains("three"),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_loop_without_end_is_stopped() {
    let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
    let over =
        map(&loaded, &loaded.engine(), "forever").lanes(64).over(vec![floats(1.0, 2.0)]).expect("it fits");
    let limits = Limits::default().with_time(std::time::Duration::from_millis(200));
    let error = limits.during(|| over.values()).expect_err("it does not end");
    assert!(error.to_string().contains("time"), "{error}");
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn as_many_lanes_as_one_likes_give_the_same(lanes in 1_usize..200, len in 1_usize..300, k in 0.1..1.0_f64) {
        let loaded = Loaded::from_source("f.rs", SOURCE).expect("it is Rust");
        let columns = || {
            let xs = Column::floats((0..len).map(|at| (at as f64 * 0.77).sin() * 3.0));
            vec![xs, Column::Fixed(Value::F64(k))]
        };
        let engine = loaded.engine();
        let settle = map(&loaded, &engine, "settle");
        let plain = shown(settle.over(columns()).expect("they fit").values_and_gradients());
        let in_lanes = settle.lanes(lanes).loops_from(1).over(columns()).expect("they fit");
        prop_assert_eq!(shown(in_lanes.values_and_gradients()), plain);
    }
}
