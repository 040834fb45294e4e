//! Composition: contexts in contexts, in themselves, in running programs.

use std::sync::Arc;

use overdub_context::engine::{Ctx, Empty, Engine, Key, ValueOnly, ctx, ctx_with};
use overdub_context::ir::LoadError;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, text};

use crate::hooks::Log;
use crate::programs::{F_BY_TIMES, engine, float, floats, int, ints};

/// What of a log is about the program, and not about the hooks of an inner context.
fn of_the_program(log: &[String]) -> Vec<String> {
    log.iter().filter(|line| !line.contains(" cx.")).cloned().collect()
}

fn counting() -> overdub_context::engine::Ctx<usize, overdub_context::engine::WithMetadata> {
    ctx_with::<usize>().when(|call| !call.name().starts_with("cx.")).before(|count, _, _| *count += 1)
}

#[test]
fn c1_a_log_over_a_count_and_a_count_over_a_log_are_what_they_are_alone() -> Result<(), Failure> {
    let engine = engine(F_BY_TIMES);
    let (log_cx, count_cx) = (Log::default(), counting());
    let run = || ints([1, 2, 3]);
    let (_, log_alone) = engine.overdub(&log_cx, "f", run())?;
    let (_, count_alone) = engine.overdub(&count_cx, "f", run())?;
    assert_eq!((log_alone.len(), count_alone), (6, 3));

    let ((value, count), log) = engine.overdub(&(log_cx.clone(), count_cx.clone()), "f", run())?;
    assert_eq!((int(&value), count), (7, count_alone));
    let args_without_handle = |line: &String| line.replace("(?, ", "(");
    let log: Vec<String> = of_the_program(&log).iter().map(args_without_handle).collect();
    assert_eq!(log, log_alone);

    let ((value, log), count) = engine.overdub(&(count_cx, log_cx), "f", run())?;
    assert_eq!((int(&value), count), (7, count_alone));
    assert_eq!(log, log_alone);
    Ok(())
}

#[test]
fn c1_the_outer_context_sees_the_hooks_of_the_inner_one_as_calls() -> Result<(), Failure> {
    let names = ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    let (_, seen) = engine(F_BY_TIMES).overdub(&(names, Log::default()), "f", ints([1, 2, 3]))?;
    let around = |name: &'static str| ["cx.pre", name, "cx.post"];
    let [pre, times, post] = around("times");
    let expected = [pre, times].into_iter().chain(around("mul")).chain([post]).chain(around("add"));
    assert_eq!(seen, expected.collect::<Vec<_>>());
    Ok(())
}

#[test]
fn c1_function_values_keep_their_names_under_two_contexts() -> Result<(), Failure> {
    let text = "
fn @wave(%x: f64) -> f64 {
  ret %x
}
fn @f(%x: f64) -> f64 {
  %table: [fn(f64) -> f64] = const [@wave]
  %g: fn(f64) -> f64 = get %table, 0
  %y: f64 = call %g(%x)
  ret %y
}
";
    let names = || {
        let named = ctx_with::<Vec<&'static str>>().when(|call| !call.name().starts_with("cx."));
        named.before(|names, call, _| names.push(call.name()))
    };
    let ((_, inner), outer) = engine(text).overdub(&(names(), names()), "f", floats([0.5]))?;
    assert_eq!(inner, ["get", "wave"]);
    assert_eq!(outer.last(), Some(&"wave"), "{outer:?}");
    Ok(())
}

#[test]
fn what_a_context_makes_reads_back_as_it_prints() -> Result<(), Box<dyn std::error::Error>> {
    let engine = engine(F_BY_TIMES);
    let func = engine.overdubbed(&(Log::default(), Log::default()), "f")?;
    let parser = text::Parser::new().with_ops(overdub_context::engine::OPS.iter().copied());
    let listing = parser.parse(&func.to_string())?;
    assert_eq!(*listing.funcs[0], *func);
    Ok(())
}

#[test]
fn c1_what_the_inner_context_hides_the_outer_one_does_not_see() -> Result<(), Failure> {
    let names = ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    let ((), seen) = {
        let (value, seen) =
            engine(F_BY_TIMES).overdub(&(names, ctx().constant("times", 0_i64)), "f", ints([1, 2, 3]))?;
        assert_eq!(int(&value), 1);
        ((), seen)
    };
    assert_eq!(seen, ["add"]);
    Ok(())
}

/// `f(x) = times(x, x) + 1`, the product by a closure too.
const BY_CLOSURE: &str = "
fn @times(%a: f64, %b: f64) -> f64 {
  %p: f64 = mul %a, %b
  ret %p
}
fn @scaled(%k: f64, %x: f64) -> f64 {
  %p: f64 = sub %k, %x
  ret %p
}
fn @f(%x: f64) -> f64 {
  %p: f64 = call @times(%x, %x)
  %c: closure @scaled(f64) = closure %x
  %s: f64 = call %c(1.0)
  %y: f64 = add %p, %s
  ret %y
}
";

#[test]
fn c1_the_outer_context_sees_what_a_host_method_of_the_inner_one_goes_on_to() -> Result<(), Failure> {
    let names = || {
        let named = ctx_with::<Vec<&'static str>>().when(|call| !call.name().starts_with("cx."));
        named.before(|names, call, _| names.push(call.name()))
    };
    let recursing = |name: &str| {
        ctx().method(name, |call| {
            let args = call.take_args();
            call.recurse(args)
        })
    };
    let falling_back = |name: &str| {
        ctx().method(name, |call| {
            let args = call.take_args();
            call.fallback(args)
        })
    };
    let engine = engine(BY_CLOSURE);
    let all = ["mul", "closure", "sub", "add"];
    for name in ["times", "scaled"] {
        for inner in [recursing(name), falling_back(name)] {
            let of_operations = |seen: Vec<&'static str>| {
                seen.into_iter().filter(|name| !["times", "scaled"].contains(name)).collect::<Vec<_>>()
            };
            let (value, seen) = engine.overdub(&(names(), inner.clone()), "f", floats([3.0]))?;
            assert_eq!((float(&value), of_operations(seen)), (11.0, all.to_vec()), "{name}");

            let ((value, next), outer) = engine.overdub(&(names(), (names(), inner)), "f", floats([3.0]))?;
            assert_eq!(
                (float(&value), of_operations(next), of_operations(outer)),
                (11.0, all.to_vec(), all.to_vec())
            );
        }
    }
    Ok(())
}

#[test]
fn a_failing_run_leaves_the_metadata_of_every_context() {
    let text = "fn @f(%x: i64) -> i64 {\n %y: i64 = add %x, 1\n %z: i64 = div %y, 0\n ret %z\n}";
    let engine = engine(text);
    let names = |hidden: &'static str| {
        let named = ctx_with::<Vec<&'static str>>();
        let named = named.when(move |call| call.name() != hidden && !call.name().starts_with("cx."));
        named.before(|names, call, _| names.push(call.name()))
    };
    let (result, (outer, inner)) = engine.watch(&(names("add"), names("")), "f", ints([1]));
    assert_eq!(result.expect_err("it divides by zero").kind(), FailureKind::DivisionByZero);
    assert_eq!((outer, inner), (vec!["div"], vec!["add", "div"]));
}

#[test]
fn c3_a_context_that_changes_nothing_of_a_function_gives_the_same_object()
-> Result<(), Box<dyn std::error::Error>> {
    let text = "
fn @even(%n: i64) -> i64 {
  %m: i64 = sub %n, 1
  %z: bool = eq %n, 0
  br_if %z, ^done, ^more
^more:
  %y: i64 = call @odd(%m)
  ret %y
^done:
  ret 1
}
fn @odd(%n: i64) -> i64 {
  %m: i64 = sub %n, 1
  %y: i64 = call @even(%m)
  ret %y
}
fn @f(%n: i64) -> i64 {
  %a: i64 = call @even(%n)
  %b: i64 = call @g(%a)
  ret %b
}
fn @g(%n: i64) -> i64 {
  %y: i64 = mul %n, 3
  ret %y
}
";
    let engine = engine(text);
    let same = |cx: &Ctx<(), ValueOnly>, name: &str| -> Result<bool, LoadError> {
        let func = engine.program().func(name.into())?.expect("it is there");
        Ok(Arc::ptr_eq(&engine.overdubbed(cx, name)?, &func))
    };
    let (touching, elsewhere) = (ctx().replace("mul", "add"), ctx().replace("sin", "cos"));
    for name in ["f", "g", "even", "odd"] {
        assert!(same(&elsewhere, name)?, "{name}");
    }
    assert!(same(&touching, "even")? && same(&touching, "odd")?);
    assert!(!same(&touching, "f")? && !same(&touching, "g")?);
    let plain = engine.program().func("f".into())?.expect("it is there");
    let nested =
        engine.overdubbed(&(elsewhere.clone(), (elsewhere.clone(), ctx().replace("sin", "tan"))), "f")?;
    assert!(Arc::ptr_eq(&nested, &plain));
    assert_eq!(int(&engine.overdub(&elsewhere, "f", ints([4]))?), 3);

    // What is defined again is touched from then on.
    engine.program().define(text::parse_func(
        "fn @odd(%n: i64) -> i64 {\n %x: f64 = sin 0.5\n %y: i64 = sub %n, 1\n ret %y\n}",
    )?);
    assert!(!same(&elsewhere, "f")? && same(&elsewhere, "g")?);
    assert_eq!(int(&engine.overdub(&elsewhere, "f", ints([4]))?), 6);
    Ok(())
}

#[test]
fn c2_a_context_in_itself_keeps_metadata_of_its_own_at_each_level() -> Result<(), Failure> {
    let engine = engine(F_BY_TIMES);
    let log = |mark| Log { mark, ..Log::default() };
    let run = || ints([1, 2, 3]);
    let ((value, inner), outer) = engine.overdub(&(log("outer "), log("inner ")), "f", run())?;
    assert_eq!(int(&value), 7);
    assert!(inner.iter().all(|line| line.starts_with("inner ")), "{inner:?}");
    assert!(outer.iter().all(|line| line.starts_with("outer ")), "{outer:?}");
    assert_eq!((inner.len(), of_the_program(&outer).len()), (6, 6));

    let deep = (log("a "), (log("b "), log("c ")));
    let (((value, c), b), a) = engine.overdub(&deep, "f", run())?;
    assert_eq!(int(&value), 7);
    for (mark, log) in [("a ", &a), ("b ", &b), ("c ", &c)] {
        assert!(log.iter().all(|line| line.starts_with(mark)), "{mark}: {log:?}");
        assert_eq!(of_the_program(log).len(), 6);
    }
    assert!(a.len() > b.len() && b.len() > c.len());
    Ok(())
}

#[test]
fn c2_runs_of_one_context_share_code_and_no_metadata() -> Result<(), Failure> {
    let engine = engine(F_BY_TIMES);
    let cx = counting();
    assert_eq!(engine.overdub(&cx, "f", ints([1, 2, 3]))?.1, 3);
    let kept = engine.cached_funcs();
    assert_eq!(engine.overdub(&cx.clone(), "f", ints([1, 2, 3]))?.1, 3);
    assert_eq!(engine.cached_funcs(), kept);
    Ok(())
}

#[test]
fn c3_under_empty_contexts_at_any_depth_a_function_is_itself() -> Result<(), Box<dyn std::error::Error>> {
    let engine = engine(F_BY_TIMES);
    let itself = engine.program().func("f".into())?.expect("it is there");
    assert!(Arc::ptr_eq(&engine.overdubbed(&Empty, "f")?, &itself));
    assert!(Arc::ptr_eq(&engine.overdubbed(&(Empty, Empty), "f")?, &itself));
    assert!(Arc::ptr_eq(&engine.overdubbed(&(Empty, (Empty, Empty)), "f")?, &itself));
    assert!(Arc::ptr_eq(&engine.overdubbed(&ctx(), "f")?, &itself));
    assert_eq!(int(&engine.overdub(&(Empty, (Empty, Empty)), "f", ints([1, 2, 3]))?), 7);
    assert_eq!(engine.cached_funcs(), 0);
    Ok(())
}

const SQUARES: &str = "
fn @square(%x: f64) -> f64 {
  %y: f64 = mul %x, %x
  ret %y
}
";

fn with_inner_run(engine: &Engine, inner: &str) {
    let text = format!(
        "fn @outer(%x: f64) -> f64 {{
  %y: f64 = call @\"{inner}\"(%x)
  %z: f64 = add %y, 1.0
  ret %z
}}"
    );
    engine.program().define(text::parse_func(&text).expect("it is a function"));
}

#[test]
fn c4_a_function_that_runs_another_context_is_overdubbed_like_any_other() -> Result<(), Failure> {
    let engine = engine(SQUARES);
    let inner = ctx().replace("mul", "add");
    with_inner_run(&engine, &engine.nested(&inner, "square"));
    assert_eq!(float(&engine.run("outer", floats([3.0]))?), 7.0, "the inner context by itself");
    let names = ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    let (value, seen) = engine.overdub(&names, "outer", floats([3.0]))?;
    assert_eq!(float(&value), 7.0);
    assert_eq!(
        seen,
        ["square", "square", "add", "add"],
        "the run, the function in it, its sum, the last sum"
    );
    Ok(())
}

#[test]
fn c4_an_inner_run_with_hooks_has_metadata_of_its_own() -> Result<(), Failure> {
    let total = Arc::new(std::sync::Mutex::new(Vec::new()));
    let copy = total.clone();
    let inner = ctx_with::<usize>().before(move |count, _, _| {
        *count += 1;
        copy.lock().expect("nobody panicked").push(*count);
    });
    let engine = engine(SQUARES);
    with_inner_run(&engine, &engine.nested(&inner, "square"));
    let (value, count) = engine.overdub(&counting(), "outer", floats([3.0]))?;
    assert_eq!(float(&value), 10.0);
    assert_eq!(count, 4);
    engine.run("outer", floats([3.0]))?;
    assert_eq!(*total.lock().expect("nobody panicked"), [1, 1], "each run begins anew");
    Ok(())
}

#[test]
fn the_cache_is_bounded() -> Result<(), Failure> {
    let many: String = (0..40)
        .map(|i| format!("fn @f{i}(%x: f64) -> f64 {{\n %y: f64 = mul %x, {i}.0\n ret %y\n}}\n"))
        .collect();
    let module = text::parse(&many).expect("it is a program").module();
    let engine = Engine::builder(module).capacity(16).build();
    let cx = counting();
    for round in 0..3 {
        for i in 0..40 {
            let (value, count) = engine.overdub(&cx, format!("f{i}").as_str(), vec![Value::F64(2.0)])?;
            assert_eq!((float(&value), count), (2.0 * f64::from(i), 1), "round {round}");
            assert!(engine.cached_funcs() <= 17);
        }
    }
    Ok(())
}

#[test]
fn one_engine_serves_many_threads() {
    let engine = engine(F_BY_TIMES);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for n in 0..50 {
                    let (value, count) = engine.overdub(&counting(), "f", ints([n, 2, 3])).expect("it runs");
                    assert_eq!((int(&value), count), (i128::from(n) + 6, 3));
                }
            });
        }
    });
    assert_ne!(Key::of::<Log>(), Key::of::<Empty>());
}
