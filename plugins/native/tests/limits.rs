//! Each limit of a run, by the interpreter, the optimised interpreter and machine code: plain, under a
//! context with a hook, and in reverse mode.

use std::sync::Arc;
use std::time::{Duration, Instant};

use overdub_ad::gradient;
use overdub_ad::tape::record;
use overdub_context::engine::{Ctx, Engine, Executor, Interpreting, WithMetadata, ctx_with};
use overdub_context::ir::{Module, Ty};
use overdub_context::limits::{Cancel, Limit, Limits};
use overdub_context::text;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};
use overdub_lower::Loaded;
use overdub_native::{Arg, Native, OutSlot};
use overdub_passes::Optimised;

/// A loop that ends if its argument is negative, a recursion, and programs that grow without end.
const PROGRAM: &str = "
fn @spin(%x: f64) -> f64 {
  br ^loop(%x)
^loop(%y: f64):
  %go: bool = ge %y, 0.0
  br_if %go, ^round, ^done
^round:
  %z: f64 = mul %y, 1.0000001
  %w: f64 = min %z, 1000.0
  br ^loop(%w)
^done:
  ret %y
}

fn @rounds(%x: f64, %n: i64) -> f64 {
  br ^loop(%x, 0)
^loop(%y: f64, %i: i64):
  %go: bool = lt %i, %n
  br_if %go, ^round, ^done
^round:
  %s: f64 = sin %y
  %z: f64 = add %s, %x
  %j: i64 = add %i, 1
  br ^loop(%z, %j)
^done:
  ret %y
}

fn @down(%x: f64, %n: i64) -> f64 {
  %end: bool = le %n, 0
  br_if %end, ^done, ^more
^more:
  %m: i64 = sub %n, 1
  %y: f64 = call @down(%x, %m)
  %z: f64 = mul %y, %x
  ret %z
^done:
  ret %x
}

fn @grow(%x: f64) -> f64 {
  %none: [f64] = array
  br ^loop(%none)
^loop(%xs: [f64]):
  %more: [f64] = push %xs, %x
  %n: usize = len %more
  %go: bool = lt %n, 100000000_usize
  br_if %go, ^loop(%more), ^done
^done:
  %y: f64 = get %more, 0_usize
  ret %y
}
";

type Run<'r> = &'r dyn Fn(&Engine, &str, Vec<Value<'static>>) -> Result<Value<'static>, Failure>;

fn module() -> Arc<Module> {
    Arc::new(text::Parser::new().file("limits.ir").parse(PROGRAM).expect("it is well formed").module())
}

fn engine(executor: impl Executor + 'static) -> Engine {
    Engine::builder(module()).executor(executor).build()
}

fn engines() -> Vec<(&'static str, Engine)> {
    vec![
        ("interpreter", engine(Interpreting::new())),
        ("optimised", engine(Optimised::new(Interpreting::new()))),
        ("native", engine(Native::new())),
        ("auto", engine(Native::auto())),
    ]
}

fn calls() -> Ctx<u64, WithMetadata> {
    ctx_with::<u64>().when(|call| call.calls("mul") || call.calls("sin")).before(|count, _, _| *count += 1)
}

/// Calls `check` for each executor and each way to run; the name tells whether derivatives are taken.
fn for_each(check: impl Fn(&str, &Engine, Run<'_>)) {
    let counts = calls();
    let plain = |engine: &Engine, f: &str, args: Vec<Value<'static>>| engine.run(f, args);
    let hooked = |engine: &Engine, f: &str, args: Vec<Value<'static>>| {
        engine.overdub(&counts, f, args).map(|(value, _)| value)
    };
    let reverse = |engine: &Engine, f: &str, args: Vec<Value<'static>>| {
        gradient(engine, Symbol::new(f), args, Ty::f64()).map(|(value, mut dx)| match dx.remove(0) {
            Value::F64(dx) => Value::tuple([value, Value::F64(dx)]),
            other => other,
        })
    };
    for (name, engine) in engines() {
        check(&format!("{name}, plain"), &engine, &plain);
        check(&format!("{name}, under a hook"), &engine, &hooked);
        check(&format!("{name}, reverse"), &engine, &reverse);
    }
}

fn stopped(what: &str, result: Result<Value<'_>, Failure>) -> Failure {
    match result {
        Err(failure) => failure,
        Ok(value) => panic!("{what}: it ended with {value:?}"),
    }
}

fn is_told(what: &str, failure: &Failure, func: &str) {
    assert!(failure.report().span.is_known(), "{what}: no place: {failure:?}");
    assert_eq!(failure.report().span.file.as_str(), "limits.ir", "{what}");
    let stack = &failure.report().stack;
    assert!(stack.iter().any(|entry| entry.func.as_str().contains(func)), "{what}: {stack:?}");
}

#[test]
fn a_limit_of_time_stops_a_loop_that_never_ends() {
    let time = Duration::from_millis(60);
    for_each(|what, engine, run| {
        let engine = engine.with_limits(Limits::default().with_time(time));
        // Compiled beforehand, so that only the loop is measured.
        drop(run(&engine, "spin", vec![Value::F64(-1.0)]));
        let start = Instant::now();
        let failure = stopped(what, run(&engine, "spin", vec![Value::F64(1.0)]));
        assert_eq!(failure.limit(), Some(Limit::Time(time)), "{what}: {failure:?}");
        assert_eq!(failure.kind(), FailureKind::TimeLimit, "{what}");
        assert!(start.elapsed() < Duration::from_secs(10), "{what}: {:?}", start.elapsed());
        if !what.ends_with("reverse") {
            is_told(what, &failure, "spin");
        }
    });
}

#[test]
fn another_thread_cancels_a_loop_that_never_ends() {
    for_each(|what, engine, run| {
        let cancel = Cancel::new();
        let engine = engine.with_limits(Limits::default().with_cancel(cancel.clone()));
        drop(run(&engine, "spin", vec![Value::F64(-1.0)]));
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(400));
            cancel.cancel();
        });
        let failure = stopped(what, run(&engine, "spin", vec![Value::F64(1.0)]));
        canceller.join().expect("it only waits");
        assert_eq!(failure.limit(), Some(Limit::Cancelled), "{what}: {failure:?}");
        // Building a derivative may take longer.
        if !what.ends_with("reverse") {
            is_told(what, &failure, "spin");
        }
    });
}

#[test]
fn a_limit_of_steps_stops_a_loop_that_never_ends() {
    for_each(|what, engine, run| {
        let engine = engine.with_limits(Limits::default().with_steps(100_000));
        let failure = stopped(what, run(&engine, "spin", vec![Value::F64(1.0)]));
        assert_eq!(failure.limit(), Some(Limit::Steps(100_000)), "{what}: {failure:?}");
        is_told(what, &failure, "spin");
    });
}

#[test]
fn a_limit_of_memory_stops_what_grows_without_end() {
    const BYTES: usize = 6 << 20;
    for_each(|what, engine, run| {
        let engine = engine.with_limits(Limits::default().with_memory(BYTES));
        let failure = stopped(what, run(&engine, "grow", vec![Value::F64(1.0)]));
        assert_eq!(failure.limit(), Some(Limit::Memory(BYTES)), "{what}: {failure:?}");
    });
}

#[test]
fn a_tape_counts_among_the_memory_of_a_run() {
    const BYTES: usize = 4 << 20;
    for (what, engine) in engines() {
        let engine = engine.with_limits(Limits::default().with_memory(BYTES));
        let args = vec![Value::F64(0.5), Value::from(20_000_000_i64)];
        let failure = stopped(what, record(&engine, "rounds", args).map(|recorded| recorded.value));
        assert_eq!(failure.limit(), Some(Limit::Memory(BYTES)), "{what}: {failure:?}");
    }
}

#[test]
fn a_limit_of_depth_is_one_that_the_caller_sets() {
    for_each(|what, engine, run| {
        let args = |n: i64| vec![Value::F64(1.0), Value::from(n)];
        let shallow = engine.with_limits(Limits::default().with_depth(500));
        let failure = stopped(what, run(&shallow, "down", args(2000)));
        assert_eq!(failure.limit(), Some(Limit::Depth(500)), "{what}: {failure:?}");
        run(&shallow, "down", args(200)).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
        // As deep as rustc's code goes, and deeper if that is allowed.
        run(engine, "down", args(50_000)).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
    });
    for (what, engine) in engines() {
        let args = vec![Value::F64(1.0), Value::from(400_000_i64)];
        let failure = stopped(what, engine.run("down", args.clone()));
        assert_eq!(failure.limit(), Some(Limit::Depth(200_000)), "{what}");
        let deep = engine.with_limits(Limits::default().with_depth(1_000_000));
        let value = deep.run("down", args).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
        assert_eq!(value.as_f64(), Some(1.0), "{what}");
    }
}

#[test]
fn a_run_that_hits_no_limit_gives_what_it_gives_without() {
    let wide = Limits::default()
        .with_time(Duration::from_secs(600))
        .with_steps(u64::MAX)
        .with_memory(1 << 40)
        .with_depth(100_000)
        .with_cancel(Cancel::new());
    for_each(|what, engine, run| {
        for (f, args) in [
            ("rounds", vec![Value::F64(0.7), Value::from(1000_i64)]),
            ("down", vec![Value::F64(1.01), Value::from(1000_i64)]),
            ("spin", vec![Value::F64(-3.0)]),
        ] {
            let free = run(engine, f, args.clone()).expect("it ends");
            let limited = run(&engine.with_limits(wide.clone()), f, args).expect("the limits are wide");
            assert!(free.same(&limited), "{what}: {free:?}, with limits {limited:?}");
        }
    });
    for (what, engine) in engines() {
        let args = vec![Value::F64(0.7), Value::from(1000_i64)];
        let counted = |engine: &Engine| engine.overdub(&calls(), "rounds", args.clone()).expect("it ends").1;
        assert_eq!(counted(&engine), 1000, "{what}");
        assert_eq!(counted(&engine.with_limits(wide.clone())), 1000, "{what}");
    }
}

#[test]
fn the_same_limit_of_steps_stops_the_same_run_in_the_same_place() {
    for (what, engine) in engines() {
        let ends = |steps: u64| {
            let args = vec![Value::F64(0.5), Value::from(1000_i64)];
            engine.with_limits(Limits::default().with_steps(steps)).run("rounds", args).is_ok()
        };
        // The smallest limit under which the run ends; a second search finds the same.
        let least = || {
            let (mut low, mut high) = (1, 1 << 20);
            while low < high {
                let middle = (low + high) / 2;
                if ends(middle) { high = middle } else { low = middle + 1 }
            }
            low
        };
        let first = least();
        assert!((1000..20_000).contains(&first), "{what}: {first}");
        assert_eq!(first, least(), "{what}");
    }
}

#[test]
fn limits_around_rust_code_hold_for_all_runs_in_it_together() {
    for (what, engine) in engines() {
        let args = || vec![Value::F64(0.5), Value::from(1000_i64)];
        let limits = Limits::default().with_steps(100_000);
        let ran = limits.during(|| (0..1000).take_while(|_| engine.run("rounds", args()).is_ok()).count());
        assert!((5..100).contains(&ran), "{what}: {ran}");
        // Each run alone ends.
        let each = engine.with_limits(limits);
        assert_eq!((0..200).filter(|_| each.run("rounds", args()).is_ok()).count(), 200, "{what}");
    }
}

#[test]
fn a_run_within_a_run_gets_what_is_left() {
    for (what, engine) in engines() {
        let inner = engine.clone();
        let nested = ctx_with::<u64>().when(|call| call.calls("sin")).before(move |count, _, _| {
            *count += 1;
            inner.run("rounds", vec![Value::F64(0.5), Value::from(100_i64)]).map(drop)
        });
        let args = || vec![Value::F64(0.5), Value::from(20_i64)];
        let (_, count) = engine.overdub(&nested, "rounds", args()).expect("there is no limit");
        assert_eq!(count, 20, "{what}");
        let steps = Limits::default().with_steps(5000);
        let failure = engine.with_limits(steps).overdub(&nested, "rounds", args()).map(|(value, _)| value);
        let failure = stopped(what, failure);
        assert_eq!(failure.limit(), Some(Limit::Steps(5000)), "{what}: {failure:?}");
        let cancel = Cancel::new();
        cancel.cancel();
        let failure = engine.with_limits(Limits::default().with_cancel(cancel)).run("rounds", args());
        assert_eq!(stopped(what, failure).limit(), Some(Limit::Cancelled), "{what}");
    }
}

#[test]
fn runs_within_runs_without_end_are_a_failure() {
    for (what, engine) in engines() {
        let cell: Arc<std::sync::OnceLock<(Engine, Ctx<u64, WithMetadata>)>> = Arc::default();
        let found = cell.clone();
        let endless = ctx_with::<u64>().when(|call| call.calls("sin")).before(move |_, _, _| {
            let (engine, cx) = found.get().expect("it is set before the first run");
            let args = vec![Value::F64(0.5), Value::from(1_i64)];
            engine.overdub(cx, "rounds", args).map(drop)
        });
        let limited = engine.with_limits(Limits { callbacks: Some(200), ..Limits::default() });
        assert!(cell.set((engine, endless.clone())).is_ok());
        let args = vec![Value::F64(0.5), Value::from(1_i64)];
        let failure = stopped(what, limited.overdub(&endless, "rounds", args).map(|(value, _)| value));
        assert_eq!(failure.limit(), Some(Limit::Callbacks(200)), "{what}: {failure:?}");
    }
}

#[test]
fn a_prepared_call_can_be_stopped_and_called_again() {
    let native = Native::new();
    let mut caller = native.prepare(&module(), Symbol::new("spin")).expect("it compiles").caller();
    let mut y = 0.0;
    let time = Duration::from_millis(30);
    for _ in 0..3 {
        caller.call(&[Arg::scalar(-2.0)], &mut [OutSlot::F64(&mut y)]).expect("it ends");
        assert_eq!(y, -2.0);
        let limits = Limits::default().with_time(time);
        let stopped = limits.during(|| caller.call(&[Arg::scalar(1.0)], &mut [OutSlot::F64(&mut y)]));
        assert_eq!(stopped.expect_err("it never ends").limit(), Some(Limit::Time(time)));
    }
}

#[test]
fn an_allocation_that_cannot_be_is_a_failure() {
    let program = "fn @f(%n: usize) -> f64 {
  %xs: [f64] = repeat 1.0, %n
  %y: f64 = get %xs, 0_usize
  ret %y
}";
    let module = Arc::new(text::parse(program).expect("it is well formed").module());
    let executors: [Box<dyn Executor>; 3] = [
        Box::new(Interpreting::new()),
        Box::new(Optimised::new(Interpreting::new())),
        Box::new(Native::new()),
    ];
    for executor in executors {
        for n in [1_usize << 60, 1 << 45, usize::MAX] {
            let failure =
                executor.run(&module, Symbol::new("f"), vec![Value::from(n)]).expect_err("too much");
            assert_eq!(failure.kind(), FailureKind::MemoryLimit, "{n}: {failure:?}");
        }
    }
}

#[test]
fn a_product_of_large_matrices_is_stopped_between_its_rows() {
    let program = "fn @f(%a: [f64; _, _]) -> [f64; _, _] {
  %y: [f64; _, _] = nd.dot %a, %a
  ret %y
}";
    let ty = Ty::array(Ty::f64(), 2).to_string();
    let module =
        Arc::new(text::parse(&program.replace("[f64; _, _]", &ty)).expect("it is well formed").module());
    let n = 1500;
    let floats: Vec<f64> = (0..n * n).map(|k| (k % 17) as f64 - 8.0).collect();
    let matrix = |n: usize| {
        let elems = overdub_context::value::Array::from_vec(floats[..n * n].to_vec());
        Value::from(elems.reshape(&[n, n]).expect("they are as many"))
    };
    for (what, executor) in [
        ("interpreter", Box::new(Interpreting::new()) as Box<dyn Executor>),
        ("native", Box::new(Native::new())),
    ] {
        let run = |n: usize| executor.run(&module, Symbol::new("f"), vec![matrix(n)]);
        drop(run(2));
        let time = Duration::from_millis(1);
        let failure = stopped(
            what,
            Limits::default().with_time(time).during(|| {
                // The time limit is running; the product alone takes longer.
                run(n)
            }),
        );
        assert_eq!(failure.limit(), Some(Limit::Time(time)), "{what}");
    }
    // Blocks of rows have the same bits as the whole.
    let n = 600;
    let whole = ndarray::ArrayView2::from_shape((n, n), &floats[..n * n]).expect("they are as many");
    let product = Interpreting::new().run(&module, Symbol::new("f"), vec![matrix(n)]).expect("it ends");
    let by_blocks = product.as_array().and_then(|array| array.as_slice::<f64>()).expect("it is of floats");
    assert!(whole.dot(&whole).iter().map(|x| x.to_bits()).eq(by_blocks.iter().map(|x| x.to_bits())));
}

const BY_VALUE: &str = "
pub fn by_value(x: f64) -> f64 {
    let all = [x; 1_000_000];
    let mut sum = 0.0;
    for y in all {
        sum += y;
    }
    sum
}
";

/// A loop that copied the array in each iteration would move 8 TB.
#[test]
fn a_loop_over_a_long_array_by_value_takes_linear_time() {
    let loaded = Loaded::from_source("by_value.rs", BY_VALUE).expect("it is Rust");
    let engines = [loaded.engine(), loaded.engine_builder().executor(Native::new()).build()];
    let name = loaded.function("by_value").expect("it lowers").symbol;
    for engine in engines {
        let engine = engine.with_limits(Limits::default().with_time(Duration::from_secs(60)));
        let sum = engine.run(name, vec![Value::F64(0.5)]);
        assert_eq!(sum.expect("a minute is enough").as_f64(), Some(500_000.0), "{engine:?}");
    }
}
