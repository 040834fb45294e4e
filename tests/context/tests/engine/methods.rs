//! Methods: what takes the place of a call, where, and when it is looked at again.

use std::collections::BTreeMap;

use overdub_context::engine::{
    CallSite, Context, Engine, Hooks, HostCall, Key, Method, ValueOnly, WithMetadata, ctx, ctx_with,
};
use overdub_context::ir::{InstKind, Ty};
use overdub_context::limits::{DEFAULT_CALLBACKS, Limit, Limits};
use overdub_context::value::{Closure, Code, Value};
use overdub_context::{Failure, Symbol, text};

use crate::programs::{F_BY_TIMES, engine, float, floats, int, ints, show};

/// `sin` in a callee, in a closure that another function calls, in a table of function values.
const SINES: &str = "
fn @wave(%x: f64) -> f64 {
  %y: f64 = sin %x
  ret %y
}
fn @other(%x: f64) -> f64 {
  ret %x
}
fn @scaled(%k: f64, %x: f64) -> f64 {
  %s: f64 = sin %x
  %y: f64 = mul %k, %s
  ret %y
}
fn @apply(%f: closure @scaled(f64), %x: f64) -> f64 {
  %y: f64 = call %f(%x)
  ret %y
}
fn @by_callee(%x: f64) -> f64 {
  %y: f64 = call @wave(%x)
  ret %y
}
fn @by_closure(%x: f64) -> f64 {
  %f: closure @scaled(f64) = closure 2.0
  %y: f64 = call @apply(%f, %x)
  ret %y
}
fn @by_table(%x: f64, %i: i64) -> f64 {
  %table: [fn(f64) -> f64] = const [@wave, @other]
  %f: fn(f64) -> f64 = get %table, %i
  %y: f64 = call %f(%x)
  ret %y
}
fn @by_erased(%x: f64) -> f64 {
  %c: closure @scaled(f64) = closure 3.0
  %f: fn(f64) -> f64 = erase %c
  %y: f64 = call %f(%x)
  ret %y
}
";

#[test]
fn m1_a_method_holds_in_callees_closures_and_tables_and_nowhere_outside() -> Result<(), Failure> {
    let engine = engine(SINES);
    let cx = ctx().replace("sin", "cos");
    let run = |func: &str, args: Vec<Value<'static>>| engine.overdub(&cx, func, args).map(|y| float(&y));
    assert_eq!(run("by_callee", floats([0.5]))?, 0.5_f64.cos());
    assert_eq!(run("by_closure", floats([0.5]))?, 2.0 * 0.5_f64.cos());
    assert_eq!(run("by_table", vec![Value::F64(0.5), Value::from(0_i64)])?, 0.5_f64.cos());
    assert_eq!(run("by_erased", floats([0.5]))?, 3.0 * 0.5_f64.cos());
    for func in ["by_callee", "wave"] {
        assert_eq!(float(&engine.run(func, floats([0.5]))?), 0.5_f64.sin());
    }
    Ok(())
}

#[test]
fn m1_a_function_is_replaced_where_it_is_called_and_where_it_is_a_value() -> Result<(), Failure> {
    let engine = engine(SINES);
    let cx = ctx().replace("wave", "other");
    assert_eq!(float(&engine.overdub(&cx, "by_callee", floats([0.5]))?), 0.5);
    let table = vec![Value::F64(0.5), Value::from(0_i64)];
    assert_eq!(float(&engine.overdub(&cx, "by_table", table)?), 0.5);
    Ok(())
}

#[test]
fn m1_a_closure_handed_to_an_operation_is_under_the_context() -> Result<(), Failure> {
    let text = "
fn @descending(%a: f64, %b: f64) -> Ordering {
  %na: f64 = neg %a
  %nb: f64 = neg %b
  %o: Ordering = total_cmp %na, %nb
  ret %o
}
fn @sorted(%xs: [f64]) -> [f64] {
  %by: closure @descending() = closure
  %ys: [f64] = sort_by %xs, %by
  ret %ys
}
";
    let engine = engine(text);
    let cx = ctx_with::<usize>().when(|call| call.calls("neg")).before(|count, _, _| *count += 1);
    let (ys, negations) = engine.overdub(&cx, "sorted", vec![Value::floats(vec![1.0, 3.0, 2.0])])?;
    assert_eq!(ys.as_array().and_then(|ys| ys.as_f64s()), Some(&[3.0, 2.0, 1.0][..]));
    assert!(negations >= 4 && negations % 2 == 0, "{negations}");
    Ok(())
}

#[test]
fn m2_a_method_that_returns_a_constant_leaves_no_call() -> Result<(), Box<dyn std::error::Error>> {
    let engine = engine(F_BY_TIMES);
    let cx = ctx().constant("times", 40_i64);
    let func = engine.overdubbed(&cx, "f")?;
    let is_call = |kind: &InstKind| matches!(kind, InstKind::Call { .. });
    assert!(func.blocks.iter().flat_map(|body| &body.insts).all(|inst| !is_call(&inst.kind)), "{func}");
    assert_eq!(int(&engine.overdub(&cx, "f", ints([2, 0, 0]))?), 42);
    Ok(())
}

#[test]
fn m3_a_method_may_recurse_into_the_function_it_replaces() -> Result<(), Failure> {
    let cx = ctx_with::<Vec<String>>()
        .method("times", |call| {
            let args = call.take_args();
            let value = call.recurse(args)?;
            Ok(Value::from(i64::try_from(int(&value)).expect("it is small") + 1))
        })
        .before(|log, call, _| log.push(call.name().to_owned()));
    let (value, log) = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!(int(&value), 8, "one more than by itself");
    assert_eq!(log, ["times", "mul", "add"], "the body is under the context");
    Ok(())
}

#[test]
fn m3_a_method_may_fall_back_to_the_function_outside_the_context() -> Result<(), Failure> {
    let cx = ctx_with::<Vec<String>>()
        .method("times", |call| {
            let args = call.take_args();
            call.fallback(args)
        })
        .before(|log, call, _| log.push(call.name().to_owned()));
    let (value, log) = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!(int(&value), 7);
    assert_eq!(log, ["times", "add"]);
    Ok(())
}

#[test]
fn m3_a_method_for_an_operation_recurses_into_the_operation() -> Result<(), Failure> {
    let cx = ctx_with::<()>().method("mul", |call| {
        let args = call.take_args();
        let value = call.recurse(args)?;
        Ok(Value::from(-i64::try_from(int(&value)).expect("it is small")))
    });
    assert_eq!(int(&engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3]))?.0), -5);
    Ok(())
}

#[test]
fn m4_a_method_chosen_by_argument_type_leaves_other_types_alone() -> Result<(), Failure> {
    let text = "
fn @g(%x: f64, %n: i64) -> (f64, i64) {
  %a: f64 = abs %x
  %b: i64 = abs %n
  %r: (f64, i64) = tuple %a, %b
  ret %r
}
";
    let cx = ctx().when(|call| *call.args == [Ty::f64()]).constant("abs", 0.25);
    let value = engine(text).overdub(&cx, "g", vec![Value::F64(-2.0), Value::from(-3_i64)])?;
    let parts = &value.as_composite().expect("a pair").parts;
    assert_eq!((float(&parts[0]), int(&parts[1])), (0.25, 3));
    Ok(())
}

#[test]
fn m5_a_hook_or_method_added_after_a_run_holds_in_the_next() -> Result<(), Failure> {
    let engine = engine(F_BY_TIMES);
    let cx = ctx_with::<usize>().before(|count, _, _| *count += 1);
    assert_eq!(engine.overdub(&cx, "f", ints([1, 2, 3]))?.1, 3);
    let cx = cx.after(|count, _, _, _| *count += 10);
    assert_eq!(engine.overdub(&cx, "f", ints([1, 2, 3]))?.1, 33);
    let cx = cx.replace("mul", "add");
    let (value, count) = engine.overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!((int(&value), count), (6, 33));
    Ok(())
}

#[test]
fn m5_a_function_defined_again_is_honoured_through_callers_that_ran_before() -> Result<(), Failure> {
    let engine = engine(F_BY_TIMES);
    let cx = ctx_with::<usize>().before(|count, _, _| *count += 1);
    let prepared = engine.prepare(&cx, "f");
    assert_eq!(int(&prepared.run(ints([1, 2, 3]))?.0), 7);
    let sum = "fn @times(%a: i64, %b: i64) -> i64 {\n  %s: i64 = add %a, %b\n  ret %s\n}";
    engine.program().define(text::parse_func(sum).expect("it is a function"));
    assert_eq!(int(&prepared.run(ints([1, 2, 3]))?.0), 6);
    assert_eq!(int(&engine.overdub(&cx, "f", ints([1, 2, 3]))?.0), 6);
    assert_eq!(int(&engine.run("f", ints([1, 2, 3]))?), 6);
    Ok(())
}

const FIB: &str = "
fn @fib(%n: i64) -> i64 {
  %small: bool = lt %n, 2
  br_if %small, ^base, ^more
^base:
  ret %n
^more:
  %a: i64 = sub %n, 1
  %b: i64 = sub %n, 2
  %x: i64 = call @fib(%a)
  %y: i64 = call @fib(%b)
  %s: i64 = add %x, %y
  ret %s
}
";

#[test]
fn m6_memoised_fibonacci_has_one_entry_for_each_distinct_argument() -> Result<(), Failure> {
    let cx = ctx_with::<BTreeMap<i128, i128>>().method("fib", |call| {
        let n = int(&call.args()[0]);
        if let Some(&known) = call.metadata().get(&n) {
            return Ok(Value::from(i64::try_from(known).expect("it fits")));
        }
        let args = call.take_args();
        let value = call.recurse(args)?;
        call.metadata().insert(n, int(&value));
        Ok(value)
    });
    let (value, table) = engine(FIB).overdub(&cx, "fib", ints([80]))?;
    assert_eq!(int(&value), 23_416_728_348_467_685);
    // The outermost call is the run itself; what it calls are 79, 78, …, 0.
    assert_eq!(table.len(), 80);
    assert_eq!(table.keys().copied().collect::<Vec<_>>(), (0..80).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn m6_a_method_recurses_as_deep_as_a_program_does() -> Result<(), Failure> {
    let text = "
fn @down(%n: i64) -> i64 {
  %stop: bool = le %n, 0
  br_if %stop, ^base, ^more
^base:
  ret 0
^more:
  %m: i64 = sub %n, 1
  %r: i64 = call @down(%m)
  %s: i64 = add %r, 1
  ret %s
}
";
    let cx = ctx_with::<usize>().method("down", |call| {
        *call.metadata() += 1;
        let args = call.take_args();
        call.recurse(args)
    });
    let engine = engine(text);
    let (value, calls) = engine.overdub(&cx, "down", ints([5_000]))?;
    assert_eq!((int(&value), calls), (5_000, 5_000));
    let failure = engine.overdub(&cx, "down", ints([12_000])).expect_err("it is deeper than the default");
    assert_eq!(failure.limit(), Some(Limit::Callbacks(DEFAULT_CALLBACKS)));
    let deep = engine.with_limits(Limits::default().with_depth(50_000));
    let (value, calls) = deep.overdub(&cx, "down", ints([12_000]))?;
    assert_eq!((int(&value), calls), (12_000, 12_000));
    Ok(())
}

/// What runs instead of a call depends on the kind of callee: a function, a closure, a function value.
#[test]
fn m7_a_callable_value_is_a_callee_with_its_identity() -> Result<(), Failure> {
    let engine = engine(SINES);
    let names = ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    let seen =
        |func: &str, args: Vec<Value<'static>>| engine.overdub(&names, func, args).map(|(_, seen)| seen);
    assert_eq!(seen("by_closure", floats([0.5]))?, ["closure", "apply", "scaled", "sin", "mul"]);
    let table = vec![Value::F64(0.5), Value::from(1_i64)];
    assert_eq!(seen("by_table", table)?, ["get", "other"], "a function pointer");
    assert_eq!(seen("by_erased", floats([0.5]))?, ["closure", "erase", "scaled", "sin", "mul"]);
    Ok(())
}

#[test]
fn m7_a_function_value_from_outside_is_seen_too() -> Result<(), Failure> {
    let text = "
fn @wave(%x: f64) -> f64 {
  %y: f64 = sin %x
  ret %y
}
fn @apply(%f: fn(f64) -> f64, %x: f64) -> f64 {
  %y: f64 = call %f(%x)
  ret %y
}
";
    let wave = Closure { code: Code::Func(Symbol::new("wave")), captures: [].into_iter().collect() };
    let args = vec![Value::Closure(wave.into()), Value::F64(0.5)];
    let value = engine(text).overdub(&ctx().replace("sin", "cos"), "apply", args)?;
    assert_eq!(float(&value), 0.5_f64.cos());
    Ok(())
}

/// A call, with what was called in it.
#[derive(Clone, PartialEq, Debug)]
struct Node {
    call: String,
    inside: Vec<Node>,
}

fn node(call: &str, inside: &[Node]) -> Node {
    Node { call: call.to_owned(), inside: inside.to_vec() }
}

const MIXED: &str = "
fn @times(%a: f64, %b: f64) -> f64 {
  %p: f64 = mul %a, %b
  ret %p
}
fn @g(%x: f64, %y: f64, %z: f64) -> f64 {
  %a: f64 = call @times(%x, %y)
  %b: f64 = call @times(%y, %z)
  %s: f64 = add %a, %b
  ret %s
}
";

fn mixed_trace() -> Vec<Node> {
    vec![
        node("times(2.0, 3.0) = 6.0", &[node("mul(2.0, 3.0) = 6.0", &[])]),
        node("times(3.0, 4.0) = 12.0", &[node("mul(3.0, 4.0) = 12.0", &[])]),
        node("add(6.0, 12.0) = 18.0", &[]),
    ]
}

/// Traces by hooks: open calls, the innermost last.
#[derive(Clone)]
struct ByHooks;

impl Context for ByHooks {
    type Metadata = Vec<Vec<Node>>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Vec<Vec<Node>> {
        vec![Vec::new()]
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }

    fn prehook(&self, open: &mut Vec<Vec<Node>>, _: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
        open.push(Vec::new());
        Ok(())
    }

    fn posthook(
        &self,
        open: &mut Vec<Vec<Node>>,
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        let inside = open.pop().unwrap_or_default();
        let result = show(std::slice::from_ref(result));
        let call = format!("{}({}) = {result}", call.name(), show(args));
        open.last_mut().expect("the run is open").push(Node { call, inside });
        Ok(())
    }
}

#[test]
fn m8_a_trace_by_hooks_has_exactly_the_calls_arguments_and_results() -> Result<(), Failure> {
    let (_, open) = engine(MIXED).overdub(&ByHooks, "g", floats([2.0, 3.0, 4.0]))?;
    assert_eq!(open, [mixed_trace()]);
    Ok(())
}

/// Traces by methods: each call recurses in a similar context, whose metadata is what was called in it.
#[derive(Clone)]
struct ByMethods;

impl Context for ByMethods {
    type Metadata = Vec<Node>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Vec<Node> {
        Vec::new()
    }

    fn method(&self, _: &CallSite) -> Method {
        Method::Host
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Vec<Node>>) -> Result<Value<'a>, Failure> {
        let (name, shown) = (call.site().name(), show(call.args()));
        let args = call.take_args();
        let (value, inside) = call.similar_context(Vec::new(), args)?;
        let result = show(std::slice::from_ref(&value));
        call.metadata().push(Node { call: format!("{name}({shown}) = {result}"), inside });
        Ok(value)
    }
}

#[test]
fn m8_a_trace_by_methods_and_similar_contexts_is_the_trace_by_hooks() -> Result<(), Failure> {
    let (_, trace) = engine(MIXED).overdub(&ByMethods, "g", floats([2.0, 3.0, 4.0]))?;
    assert_eq!(trace, mixed_trace());
    Ok(())
}

#[test]
fn m9_calls_outside_a_filter_are_invisible_but_what_they_call_back_is_seen() -> Result<(), Failure> {
    let text = "
fn @\"m::twice\"(%x: f64) -> f64 {
  %y: f64 = add %x, %x
  ret %y
}
fn @\"lib::apply\"(%f: closure @\"m::twice\"(), %x: f64) -> f64 {
  %y: f64 = call %f(%x)
  %z: f64 = mul %y, 10.0
  ret %z
}
fn @\"m::main\"(%x: f64) -> f64 {
  %f: closure @\"m::twice\"() = closure
  %y: f64 = call @\"lib::apply\"(%f, %x)
  %z: f64 = sub %y, 1.0
  ret %z
}
";
    let engine = engine(text);
    let names = || ctx_with::<Vec<&'static str>>().before(|names, call, _| names.push(call.name()));
    let (value, seen) = engine.overdub(&names().within("m"), "m::main", floats([2.0]))?;
    assert_eq!(float(&value), 39.0);
    assert_eq!(seen, ["closure", "lib::apply", "add", "sub"]);
    let outside = names().fallback("lib::apply");
    let (value, seen) = engine.overdub(&outside, "m::main", floats([2.0]))?;
    assert_eq!(float(&value), 39.0);
    assert_eq!(seen, ["closure", "lib::apply", "add", "sub"], "called back from outside of the context");
    Ok(())
}

#[test]
fn a_method_may_be_a_function_of_the_context_itself() -> Result<(), Failure> {
    #[derive(Clone)]
    struct Halve;
    impl Context for Halve {
        type Metadata = ();
        type Outcome = ValueOnly;

        fn metadata(&self) {}
        fn method(&self, call: &CallSite) -> Method {
            if !call.calls("times") {
                return Method::Recurse;
            }
            let half = "fn @half(%a: i64, %b: i64) -> i64 {\n  %h: i64 = div %a, 2\n  ret %h\n}";
            Method::Ir(text::parse_func(half).expect("it is a function").into())
        }
    }
    assert_eq!(int(&engine(F_BY_TIMES).overdub(&Halve, "f", ints([1, 20, 3]))?), 11);
    Ok(())
}

#[test]
fn what_is_missing_is_named() {
    let engine: Engine = engine(F_BY_TIMES);
    let failure = engine.overdub(&ctx().replace("times", "nothing"), "f", ints([1, 2, 3]));
    let failure = failure.expect_err("there is no such function");
    assert!(failure.to_string().contains("nothing"), "{failure}");
    let key = Key::of::<Failure>();
    assert_eq!(key, Key::of::<Failure>());
}
