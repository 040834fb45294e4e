//! Functions as rustc and a compiler of C compiled them return what the interpreter returns.

use std::sync::Arc;
use std::time::Duration;

use overdub_context::Symbol;
use overdub_context::engine::{Empty, Executor, Interpreting, OutSlot};
use overdub_context::limits::Limits;
use overdub_context::value::{Arg, Value};
use overdub_lower::Loaded;
use overdub_native::Native;
use overdub_rustc::{Cache, Compiler, Rustc, Status};

/// The compilers of a machine on which Rust programs are linked.
fn compilers() -> Vec<Compiler> {
    let mut all = vec![Compiler::installed()];
    if cfg!(unix) {
        all.push(Compiler::of_c("cc"));
    }
    all.into_iter().map(Compiler::without_optimising).collect()
}

/// An executor that compiles every function first, and keeps nothing.
fn at_once(compiler: Compiler) -> Rustc {
    Rustc::new(Interpreting::new()).with_compiler(compiler).with_cache(Cache::none()).compiling_first()
}

/// For each compiler, the value of a call by the executor and by the interpreter, and the status of the function.
fn both(source: &str, name: &str, args: &[Value<'static>]) -> Vec<(String, String, Status)> {
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let func = loaded.function(name).expect("it is there").symbol;
    let engine = loaded.engine();
    let module = engine.module();
    let show = |result: Result<Value<'_>, overdub_context::Failure>| match result {
        Ok(value) => format!("{value:?}"),
        Err(failure) => format!("{failure:?}"),
    };
    let by = |compiler| {
        let rustc = at_once(compiler);
        let compiled = show(rustc.run(&module, func, args.to_vec()));
        let status = rustc.status(&module, func);
        (compiled, show(Interpreting::new().run(&module, func, args.to_vec())), status)
    };
    compilers().into_iter().map(by).collect()
}

#[track_caller]
fn agrees(source: &str, name: &str, args: Vec<Value<'static>>) {
    for (compiled, interpreted, status) in both(source, name, &args) {
        assert_eq!(compiled, interpreted);
        assert_eq!(status, Status::Compiled);
    }
}

#[track_caller]
fn is_refused(source: &str, name: &str, args: Vec<Value<'static>>, why: &str) {
    for (compiled, interpreted, status) in both(source, name, &args) {
        assert_eq!(compiled, interpreted);
        let Status::Refused(reason) = status else { panic!("it is {status:?}") };
        assert!(reason.contains(why), "{reason}");
    }
}

#[test]
fn values_of_all_kinds_cross_the_border() {
    let source = "
        #[derive(Clone)]
        pub enum Shape { Nothing, Circle(f64), Named { name: String, at: (i8, Option<u128>) } }
        pub struct All { shapes: Vec<Shape>, flags: Vec<bool>, rows: Vec<Vec<f32>>, letter: char }
        pub fn first() -> All {
            All {
                shapes: vec![
                    Shape::Nothing,
                    Shape::Circle(0.5),
                    Shape::Named { name: \"ü\".to_string(), at: (-3, Some(1 << 100)) },
                ],
                flags: vec![true, false, true],
                rows: vec![vec![0.5, -1.5], vec![]],
                letter: 'ß',
            }
        }
        pub fn passed(all: All, twice: &[u16], text: &str) -> (All, Vec<u16>, String, std::cmp::Ordering) {
            let mut sum: Vec<u16> = twice.iter().map(|x| x * 2).collect();
            sum.push(all.shapes.len() as u16);
            (all, sum, text.to_uppercase(), text.cmp(\"m\"))
        }
    ";
    agrees(source, "first", Vec::new());
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let engine = loaded.engine();
    let all =
        engine.run(loaded.function("first").expect("it is there").symbol, Vec::new()).expect("it returns");
    let twice = Value::from(overdub_context::value::Array::from_vec(vec![1_u16, 700]));
    agrees(source, "passed", vec![all, twice, Value::str("abc".to_owned())]);
}

#[test]
fn a_call_that_fails_is_made_again_and_fails_in_the_same_way() {
    let source = "pub fn f(x: &[f64], n: usize) -> f64 { let y = x[n]; assert!(y > 0.0, \"{y} is too small\"); y.ln() }";
    for (x, n) in [(vec![2.0], 0), (vec![2.0], 1), (vec![-2.5], 0)] {
        agrees(source, "f", vec![Value::floats(x), Value::from(n)]);
    }
}

#[test]
fn what_has_effects_or_nests_at_any_depth_is_run_by_the_executor_below() {
    let prints = "pub fn f(x: f64) -> f64 { eprint!(\"\"); x }";
    is_refused(prints, "f", vec![Value::F64(1.0)], "effect `eprint`");
    let recursive = "pub fn f(n: u64) -> u64 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }";
    is_refused(recursive, "f", vec![Value::from(10_u64)], "calls itself");
    let list = "enum List { End, Item(f64, Box<List>) }
        pub fn f(n: usize) -> f64 {
            let mut list = List::End;
            for i in 0..n { list = List::Item(i as f64, Box::new(list)); }
            let mut sum = 0.0;
            while let List::Item(x, rest) = list { sum += x; list = *rest; }
            sum
        }";
    is_refused(list, "f", vec![Value::from(10_usize)], "contain others of that type");
}

#[test]
fn a_function_is_compiled_in_the_background_when_it_is_hot() {
    let loaded =
        Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x.sin() * x }").expect("it is well formed");
    let f = loaded.function("f").expect("it is there").symbol;
    for compiler in compilers() {
        let module = loaded.engine().module();
        let rustc = Rustc::new(Interpreting::new())
            .with_compiler(compiler)
            .with_cache(Cache::none())
            .compiling_after(Duration::from_micros(200));
        assert_eq!(rustc.status(&module, f), Status::Cold);
        let run = || rustc.run(&module, f, vec![Value::F64(0.7)]).expect("it returns").as_f64();
        while rustc.status(&module, f) == Status::Cold {
            assert_eq!(run(), Some(0.7_f64.sin() * 0.7));
        }
        assert_eq!(run(), Some(0.7_f64.sin() * 0.7));
        rustc.wait();
        assert_eq!(rustc.status(&module, f), Status::Compiled);
        assert_eq!(run(), Some(0.7_f64.sin() * 0.7));
        rustc.forget(&[f]);
        assert_eq!(rustc.status(&module, f), Status::Cold);
    }
}

#[test]
fn a_list_for_which_there_is_no_memory_fails_as_below() {
    let source = "
        pub fn repeated(n: usize) -> f64 { let v = vec![1.5; n]; v[n / 2] }
        pub fn text(n: usize) -> usize { \"ab\".repeat(n).len() }
        pub fn padded(n: usize) -> usize { format!(\"{:>1$}\", 7, n).len() }
    ";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let module = loaded.engine().module();
    for compiler in compilers() {
        let memory = Limits { memory: Some(1 << 20), ..Limits::default() };
        let rustc = at_once(compiler).limiting_below(memory);
        for name in ["repeated", "text", "padded"] {
            let func = loaded.function(name).expect("it is there").symbol;
            assert!(rustc.run(&module, func, vec![Value::from(3_usize)]).is_ok(), "{name}");
            assert_eq!(rustc.status(&module, func), Status::Compiled, "{name}");
            let failed =
                rustc.run(&module, func, vec![Value::from(1_usize << 50)]).expect_err("there is not so much");
            assert!(!failed.to_string().is_empty(), "{name}");
        }
    }
}

/// The bytes of memory that this process uses.
#[cfg(target_os = "linux")]
fn memory_of_process() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("it can be read");
    let resident = pages.split(' ').nth(1).expect("there are several numbers");
    4096 * resident.parse::<usize>().expect("it is a number")
}

#[cfg(target_os = "linux")]
#[test]
fn calls_that_fail_free_their_memory() {
    let source = "pub fn f(n: usize, k: usize) -> f64 {
        let v = vec![1.5; n];
        let rows = vec![v.clone(); 2];
        rows[k / 2][k % 2] + v[k]
    }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let (module, f) = (loaded.engine().module(), loaded.function("f").expect("it is there").symbol);
    for compiler in compilers() {
        let rustc = at_once(compiler);
        let run = |k: usize| rustc.run(&module, f, vec![Value::from(30_000_usize), Value::from(k)]);
        assert_eq!(run(3).expect("it returns").as_f64(), Some(3.0));
        assert_eq!(rustc.status(&module, f), Status::Compiled);
        run(4).expect_err("there are two rows");
        let before = memory_of_process();
        for _ in 0..1000 {
            run(4).expect_err("there are two rows");
        }
        let more = memory_of_process().saturating_sub(before);
        // Each call uses 720 kB, and other tests some memory, too.
        assert!(more < 200 << 20, "{more} bytes");
    }
}

#[test]
fn threads_that_run_functions_first_wait_for_their_own_libraries() {
    let source = "
        pub fn sum(x: &[f64]) -> f64 { x.iter().sum() }
        pub fn product(x: &[f64]) -> f64 { x.iter().product() }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let module = loaded.engine().module();
    for compiler in compilers() {
        let rustc = at_once(compiler);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (name, expected) = if number % 2 == 0 { ("sum", 9.0) } else { ("product", 24.0) };
                let func = loaded.function(name).expect("it is there").symbol;
                let (module, rustc) = (&module, &rustc);
                scope.spawn(move || {
                    for _ in 0..1000 {
                        let x = vec![Value::floats(vec![2.0, 3.0, 4.0])];
                        assert_eq!(rustc.run(module, func, x).expect("it returns").as_f64(), Some(expected));
                    }
                    assert_eq!(rustc.status(module, func), Status::Compiled);
                });
            }
        });
    }
}

#[test]
fn without_a_compiler_everything_runs_as_before() {
    let loaded =
        Loaded::from_source("f.rs", "pub fn f(x: f64) -> f64 { x + 1.0 }").expect("it is well formed");
    let f = loaded.function("f").expect("it is there").symbol;
    let module = loaded.engine().module();
    let rustc =
        Rustc::new(Interpreting::new()).with_compiler(Compiler::at("/no/such/rustc")).compiling_first();
    assert_eq!(rustc.run(&module, f, vec![Value::F64(1.0)]).expect("it returns").as_f64(), Some(2.0));
    let Status::Refused(reason) = rustc.status(&module, f) else { panic!("there is no such compiler") };
    assert!(reason.contains("`/no/such/rustc` cannot be started"), "{reason}");
}

#[test]
fn a_run_with_limits_is_one_of_the_executor_below() {
    let source = "pub fn f(n: u64) -> u64 { let mut x = n; while x != 1 { x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 }; } x }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let f = loaded.function("f").expect("it is there").symbol;
    let module = loaded.engine().module();
    let rustc = at_once(Compiler::installed().without_optimising());
    let args = || vec![Value::from(27_u64)];
    assert!(rustc.run(&module, f, args()).is_ok());
    assert_eq!(rustc.status(&module, f), Status::Compiled);
    let limits = Limits { steps: Some(50), ..Limits::default() };
    let stopped = limits.during(|| rustc.run(&module, f, args())).expect_err("it takes more steps");
    assert!(stopped.limit().is_some());
    let limited = Rustc::new(Interpreting::new().with_limits(limits)).compiling_first();
    assert!(limited.run(&module, f, args()).expect_err("it takes more steps").limit().is_some());
    assert_eq!(limited.status(&module, f), Status::Cold);
}

#[test]
fn prepared_calls_change_to_the_library_and_write_into_the_same_places() {
    let source = "pub fn f(x: &[f64], k: f64) -> (f64, Vec<f64>, usize, bool) {
        let y: Vec<f64> = x.iter().map(|x| x * k).collect();
        assert!(k < 100.0, \"too large\");
        (y.iter().sum(), y, x.len(), k > 2.0)
    }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let f = loaded.function("f").expect("it is there").symbol;
    let choices = compilers().into_iter().flat_map(|compiler| [(compiler.clone(), true), (compiler, false)]);
    for (compiler, first) in choices {
        let rustc = Rustc::new(Native::new());
        let rustc = match first {
            true => rustc.compiling_first(),
            false => rustc.compiling_after(Duration::from_nanos(1)),
        };
        let rustc = rustc.with_compiler(compiler).with_cache(Cache::none());
        let module = loaded.engine().module();
        let mut call = rustc.prepared_call(&module, f).expect("there is one");
        let mut check = |k: f64| {
            let (mut sum, mut y, mut len, mut is_large) = (0.0, [0.0; 2], 0, false);
            let mut outs = [
                OutSlot::F64(&mut sum),
                OutSlot::F64s(&mut y),
                OutSlot::Int(&mut len),
                OutSlot::Bool(&mut is_large),
            ];
            let args = [Arg::slice(&[1.5, 2.5]), Arg::scalar(k)];
            let result = call.call(&args, &mut outs);
            if k < 100.0 {
                assert!(result.is_ok());
                assert_eq!((sum, y, len, is_large), (4.0 * k, [1.5 * k, 2.5 * k], 2, k > 2.0));
            } else {
                assert!(result.expect_err("it is too large").to_string().contains("too large"));
            }
        };
        for round in 0..2 {
            for k in 0..100 {
                check(f64::from(k) / 10.0);
            }
            check(100.0);
            rustc.wait();
            assert_eq!(rustc.status(&module, f), Status::Compiled, "round {round}");
            // With limits, the call is one of machine code, with the same results.
            Limits { steps: Some(1_000_000), ..Limits::default() }.during(|| check(0.25));
        }
    }
}

#[test]
fn what_contexts_made_of_a_function_is_compiled() {
    let source = "
        fn term(x: f64) -> f64 { x.sin() * x }
        pub fn f(x: &[f64]) -> f64 { x.iter().map(|x| term(*x)).sum() }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let f = loaded.function("f").expect("it is there").symbol;
    /// An executor that is observed from outside.
    #[derive(Debug)]
    struct Observed(Arc<Rustc>);
    impl Executor for Observed {
        fn run<'a>(
            &self,
            module: &Arc<overdub_context::ir::Module>,
            func: Symbol,
            args: Vec<Value<'a>>,
        ) -> Result<Value<'a>, overdub_context::Failure> {
            let result = self.0.run(module, func, args);
            assert_eq!(self.0.status(module, func), Status::Compiled, "{func}");
            result
        }
        fn call<'a>(
            &self,
            module: &Arc<overdub_context::ir::Module>,
            callee: &Value<'a>,
            args: Vec<Value<'a>>,
        ) -> Result<Value<'a>, overdub_context::Failure> {
            self.0.call(module, callee, args)
        }
    }
    for compiler in compilers() {
        let engine = loaded.engine_builder().executor(Observed(Arc::new(at_once(compiler)))).build();
        let x = || vec![Value::floats(vec![0.3, -1.2, 4.0])];
        let y = engine.overdub(&Empty, f, x()).expect("it returns");
        assert!(y.same(&loaded.engine().overdub(&Empty, f, x()).expect("it returns")));
        let swapped = overdub_context::engine::ctx().replace("sin", "cos");
        let y = engine.overdub(&swapped, f, x()).expect("it returns");
        assert!(y.same(&loaded.engine().overdub(&swapped, f, x()).expect("it returns")));
    }
}

#[test]
fn a_number_is_computed_by_the_functions_of_the_executor_below() {
    let source = "pub fn f(x: f64) -> f64 { (1e12 * x).sin() + x.cos() * x.exp() + x.powf(1.7) }";
    let loaded = Loaded::from_source("f.rs", source).expect("it is well formed");
    let (func, engine) = (loaded.function("f").expect("it is there").symbol, loaded.engine());
    let below = || Native::new().with_fast_functions();
    let compiler = Compiler::installed().without_optimising();
    let rustc = Rustc::new(below()).with_compiler(compiler).with_cache(Cache::none()).compiling_first();
    for x in [0.3, 7.25, -1.5] {
        let [found, expected] = [&rustc as &dyn Executor, &below()]
            .map(|executor| executor.run(&engine.module(), func, vec![Value::F64(x)]).expect("it runs"));
        assert!(found.same(&expected), "{found} {expected}");
    }
    assert_eq!(rustc.status(&engine.module(), func), Status::Compiled);
}
