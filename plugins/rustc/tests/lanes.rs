//! Mapped functions in lanes that rustc compiled give what array kernels and single elements give, and fail as they do.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use overdub_context::engine::{Batch, BatchForm, BatchOutcome, Engine, Executor, Interpreting, PreparedCall};
use overdub_context::ir::{Func, Module, Ty};
use overdub_context::limits::{Cancel, Limits};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, Symbol};
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_passes::Optimised;
use overdub_rustc::{Cache, Compiler, Rustc, Status};
use overdub_spmd::{Column, LoadedMap, OverColumns};

/// An executor by rustc whose calls for many elements are counted, and its reports kept.
#[derive(Clone, Debug)]
struct Observed {
    rustc: Arc<Rustc>,
    /// The calls that a library made.
    compiled: Arc<AtomicUsize>,
    /// Those in which an element failed.
    failed: Arc<AtomicUsize>,
    refused: Arc<Mutex<Vec<String>>>,
}

impl Observed {
    /// Compiles to slow code, and keeps nothing.
    fn new(below: impl Executor + 'static, change: impl FnOnce(Rustc) -> Rustc) -> Observed {
        let refused: Arc<Mutex<Vec<String>>> = Arc::default();
        let reports = refused.clone();
        let rustc = Rustc::new(below)
            .with_compiler(Compiler::installed().without_optimising())
            .with_cache(Cache::none())
            .reporting(move |func, reason| {
                reports.lock().expect("nobody panics with it").push(format!("{func}: {reason}"));
            });
        let rustc = Arc::new(change(rustc));
        Observed { rustc, compiled: Arc::default(), failed: Arc::default(), refused }
    }

    fn compiled(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    fn refused(&self) -> Vec<String> {
        std::mem::take(&mut *self.refused.lock().expect("nobody panics with it"))
    }
}

impl Executor for Observed {
    fn run<'a>(
        &self,
        module: &Arc<Module>,
        func: Symbol,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        Interpreting::new().run(module, func, args)
    }

    fn call<'a>(
        &self,
        module: &Arc<Module>,
        callee: &Value<'a>,
        args: Vec<Value<'a>>,
    ) -> Result<Value<'a>, Failure> {
        self.rustc.call(module, callee, args)
    }

    fn replaced(&self, func: &Func) -> Option<Func> {
        self.rustc.replaced(func)
    }

    fn prepared_call(&self, _: &Arc<Module>, _: Symbol) -> Option<Box<dyn PreparedCall>> {
        None
    }

    fn batch(&self, module: &Arc<Module>, func: Symbol, form: &BatchForm) -> Option<Box<dyn Batch>> {
        let batch = self.rustc.batch(module, func, form)?;
        Some(Box::new(Counted { batch, observed: self.clone() }))
    }
}

#[derive(Debug)]
struct Counted {
    batch: Box<dyn Batch>,
    observed: Observed,
}

impl Batch for Counted {
    fn run(&self, args: &[Value<'_>]) -> BatchOutcome {
        let outcome = self.batch.run(args);
        let count = match &outcome {
            BatchOutcome::Results(_) => Some(&self.observed.compiled),
            BatchOutcome::Failed => Some(&self.observed.failed),
            BatchOutcome::Unavailable => None,
        };
        count.into_iter().for_each(|count| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        outcome
    }

    fn add_time(&self, time: Duration) {
        self.batch.add_time(time);
    }
}

const SOURCE: &str = "
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
pub fn polynomial(x: f64, weights: &[f64], flags: &[bool]) -> f64 {
    let mut y = 0.0;
    for (w, flag) in weights.iter().zip(flags) { y = y * x + if *flag { *w } else { 0.5 }; }
    y
}
pub fn settle(x: f64, k: f64) -> f64 {
    let mut y = x;
    while y.abs() > 0.05 { y = (y * k).sin() * 0.9; }
    y + if x > 0.0 { x * k } else { k * k }
}
pub fn kinds(r: f64, t: f32, flag: bool, letter: char) -> (f64, ((f32, bool), char, u8)) {
    (r * r.cos(), ((t.sqrt(), flag && r > 0.5), if flag { letter } else { 'x' }, letter as u8 / 2))
}
pub fn rooted(x: f64, k: f64) -> f64 { if x > 0.5 { x.sqrt() * k } else { 0.0 * x.sqrt() + k } }
pub fn halved(n: u32, most: u32) -> u32 {
    assert!(n % 2 == 0, \"{n} is odd\");
    let mut sum = 0;
    for i in 0..n % most { sum += i / (n % 3 + 1); }
    sum
}
pub fn first_root(x: f64, limit: u32) -> Option<f64> {
    let mut y = x;
    for _ in 0..limit {
        if (y * y - 2.0).abs() < 1e-3 { return Some(y); }
        y = 0.5 * (y + 2.0 / y);
    }
    None
}
pub fn sines(x: f64, k: f64) -> f64 {
    let mut y = x;
    for _ in 0..5 { y = (y * k).sin() + (0.1 * y).exp().ln() + (0.5 + 0.01 * y * y).powf(k); }
    y + (1e12 * x).cos() + (1e12 * k).sin() * k.cos() - k.exp() * k.powf(0.3)
}
";

fn loaded() -> Loaded {
    Loaded::from_source("f.rs", SOURCE).expect("it is Rust")
}

fn floats(len: usize, from: f64, to: f64) -> Column {
    Column::floats((0..len).map(move |at| from + (to - from) * ((at * 7919) % 211) as f64 / 211.0))
}

fn each(len: usize, make: impl Fn(usize) -> Value<'static>) -> Column {
    Column::Each((0..len).map(|at| make(at * 31 % 97)).collect())
}

/// The most elements that are tried.
const MOST: usize = 200;

/// The name of a function, and what makes its arguments for a number of elements: those for fewer are a prefix of those for more.
type Case = (&'static str, fn(usize) -> Vec<Column>);

const CASES: &[Case] = &[
    ("counted", |len| vec![each(len, |n| Value::from(n as i64 - 20))]),
    ("nested", |len| vec![each(len, |n| Value::from(n as u32)), floats(len, -3.0, 5.0)]),
    ("nested", |len| vec![Column::Fixed(Value::from(5_u32)), floats(len, -3.0, 5.0)]),
    ("polynomial", |len| {
        let flags = [true, false, true, true].map(Value::Bool).to_vec();
        let flags = Value::from(Array::from_values(Ty::bool(), flags).expect("they are bools"));
        let weights = Value::floats(vec![0.5, -1.0, 2.0, 0.25]);
        vec![floats(len, -1.0, 2.0), Column::Fixed(weights), Column::Fixed(flags)]
    }),
    ("settle", |len| vec![floats(len, -3.0, 3.0), floats(len, 0.2, 1.0)]),
    ("kinds", |len| {
        vec![
            floats(len, 0.0, 2.0),
            each(len, |n| Value::F32(n as f32 / 7.0)),
            each(len, |n| Value::Bool(n % 3 == 0)),
            each(len, |n| Value::Char(char::from(b'!' + n as u8 % 90))),
        ]
    }),
    // Elements 3, 4, 7, … fail.
    ("halved", |len| {
        let column = each(len, |n| Value::from(if n % 11 == 5 { n as u32 | 1 } else { 2 * n as u32 }));
        vec![column, Column::Fixed(Value::from(9_u32))]
    }),
];

fn map(loaded: &Loaded, engine: &Engine, name: &str) -> LoadedMap {
    let function = loaded.function(name).expect("it is there");
    LoadedMap::new(engine, &function).expect("it is lowered").loops_from(1)
}

fn shown<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    format!("{result:?}")
}

/// The values of all elements and their sum, or the error of the first that fails.
fn values(over: OverColumns) -> [String; 2] {
    [shown(over.values()), shown(over.sum())]
}

#[test]
fn any_number_of_elements_has_the_results_and_failures_of_kernels_and_of_elements_alone() {
    let loaded = loaded();
    let observed = Observed::new(Interpreting::new(), Rustc::compiling_first);
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let interpreter = loaded.engine();
    for (name, columns) in CASES {
        let func = loaded.function(name).expect("it is there").symbol;
        let over = |map: LoadedMap, len: usize| map.over(columns(len)).expect("they fit");
        let lanes = |engine: &Engine, threads: usize| map(&loaded, engine, name).lanes(64).threads(threads);
        let alone = map(&loaded, &interpreter, name).loops_from(usize::MAX);
        let one_by_one = over(alone.clone(), MOST).each().values().expect("it is not cancelled");
        for len in 1..=MOST {
            let found = over(lanes(&engine, 1 + len % 2), len).each().values();
            let found = found.expect("it is not cancelled");
            assert_eq!(format!("{found:?}"), format!("{:?}", &one_by_one[..len]), "{name}, {len} elements");
        }
        for len in [1, 2, 64, 129, MOST] {
            let expected = values(over(alone.clone(), len));
            for (engine, threads) in [(&interpreter, 1), (&engine, 1), (&engine, 2)] {
                assert_eq!(values(over(lanes(engine, threads), len)), expected, "{name}, {len} elements");
            }
        }
        let is_each = |column: &Column| matches!(column, Column::Each(_));
        let form = BatchForm { mapped: columns(1).iter().map(is_each).collect(), width: 64 };
        let status = observed.rustc.batch_status(&engine.module(), func, &form);
        assert_eq!(status, Status::Compiled, "{name}");
    }
    assert_eq!(observed.refused(), Vec::<String>::new());
    assert!(observed.compiled() > MOST * CASES.len() && observed.failed.load(Ordering::Relaxed) > MOST / 2);
}

#[test]
fn gradients_their_sums_and_products_are_those_of_kernels_and_of_elements_alone() {
    let loaded = loaded();
    let observed = Observed::new(Interpreting::new(), Rustc::compiling_first);
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let optimised = loaded.engine_builder().executor(Optimised::new(Interpreting::new())).build();
    let cases: [Case; 4] = [
        ("settle", |len| vec![floats(len, -3.0, 3.0), Column::Fixed(Value::F64(0.8))]),
        ("settle", |len| vec![floats(len, -3.0, 3.0), floats(len, 0.2, 1.0)]),
        // Zero meets infinity.
        ("rooted", |len| vec![floats(len, 0.0, 1.0), Column::Fixed(Value::F64(2.0))]),
        ("nested", |len| vec![Column::Fixed(Value::from(6_u32)), floats(len, -3.0, 5.0)]),
    ];
    for (name, columns) in cases {
        for len in [1, 65, 150, 600] {
            let all = |map: LoadedMap| {
                let over = map.over(columns(len)).expect("they fit");
                let cotangents: Vec<_> = (0..len).map(|at| Value::F64((at as f64).cos())).collect();
                [
                    shown(over.values_and_gradients()),
                    shown(over.sum_and_gradient()),
                    shown(over.sum()),
                    shown(over.vjps(&cotangents)),
                    shown(over.jvps(&columns(len))),
                ]
            };
            let alone = all(map(&loaded, &optimised, name).loops_from(usize::MAX));
            assert_eq!(all(map(&loaded, &optimised, name).lanes(64)), alone, "{name}, {len} by kernels");
            for threads in [1, 2] {
                let before = observed.compiled();
                let compiled = all(map(&loaded, &engine, name).lanes(64).threads(threads));
                assert_eq!(compiled, alone, "{name}, {len} elements, {threads} threads");
                assert!(observed.compiled() >= before + 4, "{name}, {len} elements");
            }
        }
    }
    assert_eq!(observed.refused(), Vec::<String>::new());
}

#[test]
fn what_has_no_lanes_in_rust_runs_by_kernels_and_is_reported() {
    let loaded = loaded();
    let observed = Observed::new(Interpreting::new(), Rustc::compiling_first);
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let columns = || vec![floats(100, 0.1, 100.0), Column::Fixed(Value::from(6_u32))];
    let found = |engine: &Engine| {
        let over = map(&loaded, engine, "first_root").lanes(64).threads(2).over(columns());
        shown(over.expect("they fit").values())
    };
    assert_eq!(found(&engine), found(&loaded.engine()));
    assert_eq!(observed.compiled(), 0);
    let refused = observed.refused();
    // It is reported once, by whichever thread.
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].contains("cannot be exported: in lanes, it returns `Option"), "{refused:?}");
    let func = loaded.function("first_root").expect("it is there").symbol;
    let form = BatchForm { mapped: vec![true, false], width: 64 };
    let status = observed.rustc.batch_status(&engine.module(), func, &form);
    assert!(matches!(status, Status::Refused(_)), "{status:?}");
    // It is tried once.
    assert_eq!(found(&engine), found(&loaded.engine()));
    assert!(observed.refused().is_empty());
}

#[test]
fn a_mapped_function_is_compiled_in_the_background_when_it_is_hot() {
    let loaded = loaded();
    let hot = Duration::from_micros(100);
    let observed = Observed::new(Interpreting::new(), |rustc| rustc.compiling_after(hot));
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let func = loaded.function("settle").expect("it is there").symbol;
    let form = BatchForm { mapped: vec![true, false], width: 16 };
    let status = || observed.rustc.batch_status(&engine.module(), func, &form);
    let over = |engine: &Engine| {
        let columns = vec![floats(500, -3.0, 3.0), Column::Fixed(Value::F64(0.8))];
        map(&loaded, engine, "settle").lanes(16).threads(2).over(columns).expect("they fit")
    };
    let expected = shown(over(&loaded.engine()).values());
    assert_eq!(status(), Status::Cold);
    while status() == Status::Cold {
        assert_eq!(shown(over(&engine).values()), expected);
    }
    observed.rustc.wait();
    assert_eq!(status(), Status::Compiled);
    let before = observed.compiled();
    assert_eq!(shown(over(&engine).values()), expected);
    assert!(observed.compiled() >= before + 2);
    // Another number of lanes is another library.
    let other = BatchForm { width: 64, ..form.clone() };
    assert_eq!(observed.rustc.batch_status(&engine.module(), func, &other), Status::Cold);
    observed.rustc.forget(&[func]);
    assert_eq!(status(), Status::Cold);
}

#[test]
fn calls_with_limits_and_calls_that_can_be_cancelled_run_by_kernels() {
    let loaded = loaded();
    let observed = Observed::new(Interpreting::new(), Rustc::compiling_first);
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let settle = map(&loaded, &engine, "settle").lanes(64);
    let columns = || vec![floats(100, -3.0, 3.0), Column::Fixed(Value::F64(0.8))];
    let expected = shown(settle.over(columns()).expect("they fit").values());
    assert_eq!((observed.compiled(), observed.refused()), (1, Vec::new()));
    let limits = Limits::default().with_time(Duration::from_secs(600));
    let found = limits.during(|| settle.over(columns()).expect("they fit").values());
    assert_eq!((shown(found), observed.compiled()), (expected.clone(), 1));
    assert!(observed.refused()[0].ends_with("runs have limits, and compiled libraries count nothing"));
    let cancel = Cancel::new();
    let over = settle.cancelled_by(&cancel).over(columns()).expect("they fit");
    assert_eq!((shown(over.values()), observed.compiled()), (expected, 1));
}

#[test]
fn lanes_compute_with_the_functions_of_the_executor_below() {
    let loaded = loaded();
    let columns = || vec![floats(150, -3.0, 3.0), Column::Fixed(Value::F64(1.7))];
    let values = |engine: &Engine| {
        shown(map(&loaded, engine, "sines").lanes(64).over(columns()).expect("they fit").values())
    };
    let fast = || Native::new().with_fast_functions();
    let observed = Observed::new(fast(), Rustc::compiling_first);
    let engine = loaded.engine_builder().executor(observed.clone()).build();
    let found = values(&engine);
    assert_eq!(found, values(&loaded.engine_builder().executor(fast()).build()));
    assert_ne!(found, values(&loaded.engine()), "their last bits differ");
    assert_eq!((observed.compiled(), observed.refused()), (1, Vec::new()));
}

/// The steps to 1 of the Collatz sequence.
#[overdub::dub]
fn collatz(n: u64) -> u64 {
    let (mut n, mut steps) = (n, 0);
    while n != 1 {
        n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[test]
fn the_context_of_lanes_runs_what_rustc_compiled() {
    let observed = Observed::new(Interpreting::new(), Rustc::compiling_first);
    let engine = overdub_lower::registry::program().engine_builder().executor(observed.clone()).build();
    let numbers: Vec<u64> = (1..=MOST as u64).collect();
    let expected: Vec<u64> = numbers.iter().map(|n| collatz(*n)).collect();
    let found = overdub_lower::api::overdub_in(&engine, overdub_spmd::Lanes, collatz, (&numbers,));
    assert_eq!(found.expect("none fails"), expected);
    assert!(observed.compiled() > 0 && observed.refused().is_empty());
    // Under a replacement, too.
    let swapped = overdub::ctx().replace("sin", "cos");
    let xs: Vec<f64> = numbers.iter().map(|n| *n as f64).collect();
    let found = overdub_lower::api::overdub_in(&engine, (swapped, overdub_spmd::Lanes), wave, (&xs,));
    assert_eq!(found.expect("none fails"), xs.iter().map(|x| x.cos() * x).collect::<Vec<_>>());
}

#[overdub::dub]
fn wave(x: f64) -> f64 {
    x.sin() * x
}
