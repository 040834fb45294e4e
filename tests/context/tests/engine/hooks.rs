//! Hooks: what they see, in which order, and what becomes of a run when one fails.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use overdub_context::engine::{
    CallSite, Context, Empty, Engine, Hooks, Key, Method, WithMetadata, ctx, ctx_from, ctx_with,
};
use overdub_context::ir::TyKind;

use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};

use crate::programs::{F, F_BY_TIMES, ROSENBROCK, engine, float, floats, int, ints, show};

/// Logs calls before and after.
#[derive(Clone, Default)]
pub(crate) struct Log {
    /// Calls of this are made outside.
    pub(crate) fallback: Option<&'static str>,
    /// Marks the lines, to tell logs apart.
    pub(crate) mark: &'static str,
}

impl Context for Log {
    type Metadata = Vec<String>;
    type Outcome = WithMetadata;

    fn metadata(&self) -> Vec<String> {
        Vec::new()
    }

    fn key(&self) -> Key {
        Key::of::<Log>().with(&self.fallback)
    }

    fn method(&self, call: &CallSite) -> Method {
        match self.fallback {
            Some(name) if call.calls(name) => Method::Fallback,
            _ => Method::Recurse,
        }
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }

    fn prehook(&self, log: &mut Vec<String>, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        log.push(format!("{}pre {}({})", self.mark, call.name(), show(args)));
        Ok(())
    }

    fn posthook(
        &self,
        log: &mut Vec<String>,
        call: &CallSite,
        result: &Value<'_>,
        args: &[Value<'_>],
    ) -> Result<(), Failure> {
        let result = show(std::slice::from_ref(result));
        log.push(format!("{}post {}({}) = {result}", self.mark, call.name(), show(args)));
        Ok(())
    }
}

#[test]
fn h1_hooks_see_exactly_the_calls_in_order() -> Result<(), Failure> {
    let (value, log) = engine(F).overdub(&Log::default(), "f", ints([1, 2, 3]))?;
    assert_eq!(int(&value), 7);
    assert_eq!(log, ["pre mul(2, 3)", "post mul(2, 3) = 6", "pre add(1, 6)", "post add(1, 6) = 7"]);
    Ok(())
}

#[test]
fn h1_each_posthook_comes_after_all_hooks_of_what_was_called() -> Result<(), Failure> {
    let (_, log) = engine(F_BY_TIMES).overdub(&Log::default(), "f", ints([1, 2, 3]))?;
    assert_eq!(
        log,
        [
            "pre times(2, 3)",
            "pre mul(2, 3)",
            "post mul(2, 3) = 6",
            "post times(2, 3) = 6",
            "pre add(1, 6)",
            "post add(1, 6) = 7",
        ]
    );
    Ok(())
}

#[test]
fn h2_a_method_removes_the_hooks_below_it_and_only_those() -> Result<(), Failure> {
    let cx = Log { fallback: Some("times"), ..Log::default() };
    let (_, log) = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!(log, ["pre times(2, 3)", "post times(2, 3) = 6", "pre add(1, 6)", "post add(1, 6) = 7"]);
    Ok(())
}

#[test]
fn h3_a_prehook_for_calls_on_floats_sees_only_those() -> Result<(), Failure> {
    let is_float = |call: &CallSite| call.args.iter().all(|ty| matches!(ty.kind(), TyKind::Float(_)));
    let cx = ctx_with::<Vec<&'static str>>().when(is_float).before(|seen, call, _| seen.push(call.name()));
    let (_, seen) = engine(ROSENBROCK).overdub(&cx, "rosenbrock", vec![Value::floats(vec![2.0, 3.0])])?;
    assert_eq!(seen, ["mul", "sub", "mul", "mul", "sub", "mul", "add", "add"]);
    Ok(())
}

#[test]
fn h3_a_posthook_for_one_function_sees_only_that_one() -> Result<(), Failure> {
    let cx = ctx_with::<Vec<String>>().when(|call| call.calls("times")).after(|seen, call, result, args| {
        seen.push(format!("{}({}) {}", call.name(), show(args), int(result)))
    });
    let (_, seen) = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!(seen, ["times(2, 3) 6"]);
    Ok(())
}

#[test]
fn h4_logging_rosenbrock_changes_nothing_and_both_logs_agree() -> Result<(), Failure> {
    let outside = Arc::new(Mutex::new(Vec::new()));
    let copy = outside.clone();
    let cx = ctx_with::<Vec<String>>().before(move |log, call, args| {
        let line = format!("{}({})", call.name(), show(args));
        copy.lock().expect("nobody panicked").push(line.clone());
        log.push(line);
    });
    let engine = engine(ROSENBROCK);
    let xs = || vec![Value::floats((1..=10).map(f64::from).collect::<Vec<_>>())];
    let plain = engine.run("rosenbrock", xs())?;
    let (value, log) = engine.overdub(&cx, "rosenbrock", xs())?;
    assert_eq!(float(&value).to_bits(), float(&plain).to_bits());
    assert!(log.len() > 50, "{} events", log.len());
    assert_eq!(log, *outside.lock().expect("nobody panicked"));
    Ok(())
}

#[test]
fn h5_a_context_whose_hooks_are_disabled_runs_none_and_its_ir_holds_none()
-> Result<(), Box<dyn std::error::Error>> {
    let engine = engine(F_BY_TIMES);
    let disabled = Log::default().disable_hooks();
    let (value, log) = engine.overdub(&disabled, "f", ints([1, 2, 3]))?;
    assert_eq!((int(&value), log.len()), (7, 0));
    let func = engine.overdubbed(&disabled, "f")?;
    assert!(!func.to_string().contains("cx."), "{func}");
    Ok(())
}

#[test]
fn h5_disabling_the_hooks_of_the_inner_context_leaves_the_outer_ones() -> Result<(), Failure> {
    let inner = Log::default().disable_hooks();
    let ((value, inside), outside) = engine(F).overdub(&(Log::default(), inner), "f", ints([1, 2, 3]))?;
    assert_eq!((int(&value), inside.len()), (7, 0));
    assert_eq!(outside.len(), 4);
    Ok(())
}

#[test]
fn h6_a_posthook_that_fails_stops_the_run_with_the_call_stack_at_that_call() {
    let cx = ctx().when(|call| call.calls("mul")).after(|_, _, _, _| -> Result<(), Failure> {
        Err(Failure::new(FailureKind::Host, "that is enough"))
    });
    let failure = engine(F_BY_TIMES).overdub(&cx, "f", ints([1, 2, 3])).expect_err("the hook failed");
    assert_eq!((failure.kind(), failure.report().message.as_str()), (FailureKind::Host, "that is enough"));
    assert_eq!(failure.report().span.line, 3, "the product stands in line 3");
    let stack: Vec<_> = failure.report().stack.iter().map(|entry| entry.func.as_str()).collect();
    assert_eq!(stack.len(), 2);
    assert!(stack[0].starts_with("times{") && stack[1].starts_with("f{"), "{stack:?}");
}

#[test]
fn h7_counting_by_type_keeps_products_of_floats_and_of_integers_apart() -> Result<(), Failure> {
    let text = "
fn @g(%x: f64, %n: i64) -> f64 {
  %a: f64 = mul %x, %x
  %b: f64 = mul %a, %x
  %m: i64 = mul %n, %n
  %c: f64 = cast %m
  %d: f64 = add %b, %c
  ret %d
}
";
    let cx = ctx_with::<BTreeMap<String, usize>>()
        .when(|call| call.calls("mul"))
        .before(|counts, call, _| *counts.entry(call.args[0].to_string()).or_default() += 1);
    let (_, counts) = engine(text).overdub(&cx, "g", vec![Value::F64(2.0), Value::from(3_i64)])?;
    assert_eq!(counts, BTreeMap::from([("f64".to_owned(), 2), ("i64".to_owned(), 1)]));
    Ok(())
}

#[test]
fn h8_a_posthook_that_adds_up_float_results_gives_the_known_sum() -> Result<(), Failure> {
    let text = "
fn @g(%x: f64) -> f64 {
  %a: f64 = add %x, 1.0
  %b: f64 = mul %a, 2.0
  %c: f64 = sub %b, 0.5
  ret %c
}
";
    let cx = ctx_with::<f64>().after(|sum, _, result, _| *sum += result.as_f64().unwrap_or(0.0));
    let (_, sum) = engine(text).overdub(&cx, "g", floats([3.0]))?;
    assert_eq!(sum, 4.0 + 8.0 + 7.5);
    Ok(())
}

#[test]
fn hooks_that_are_not_asked_for_leave_no_trace_in_the_ir() -> Result<(), Box<dyn std::error::Error>> {
    let cx = ctx().when(|call| call.calls("add")).before(|_, _, _| ());
    let func = engine(F).overdubbed(&cx, "f")?;
    let expected = "fn @\"f{Ctx#0}\"(%cx: opaque Context, %x1: i64, %x2: i64, %x3: i64) -> i64 {
  %p: i64 = mul %x2, %x3
  %5: unit = cx.pre %cx, 0, %x1, %p
  %s: i64 = add %x1, %p
  ret %s
}
";
    let printed = func.to_string() + "\n";
    assert_eq!(printed, expected);
    Ok(())
}

#[test]
fn an_empty_context_costs_no_engine_work() -> Result<(), Failure> {
    let engine: Engine = engine(F);
    engine.overdub(&Empty, "f", ints([1, 2, 3]))?;
    assert_eq!(engine.cached_funcs(), 0);
    Ok(())
}

#[test]
fn metadata_needs_no_default() -> Result<(), Failure> {
    struct Left(u32);
    let cx = ctx_from(|| Left(10)).before(|left, _, _| left.0 -= 1);
    let (_, left) = engine(F).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert!(left.0 < 10, "{}", left.0);
    Ok(())
}
