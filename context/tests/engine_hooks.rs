//! Hooks: what they see, in which order, and what becomes of a run when one fails.

use overdub_context::engine::{CallSite, Context, Engine, Hooks, Key, Method, WithMetadata};

use overdub_context::value::Value;
use overdub_context::{Failure, text};

const F: &str = "
fn @f(%x1: i64, %x2: i64, %x3: i64) -> i64 {
  %p: i64 = mul %x2, %x3
  %s: i64 = add %x1, %p
  ret %s
}
";

const WITH_BODY: &str = "
fn @times(%a: i64, %b: i64) -> i64 {
  %p: i64 = mul %a, %b
  ret %p
}
fn @f(%x1: i64, %x2: i64, %x3: i64) -> i64 {
  %p: i64 = call @times(%x2, %x3)
  %s: i64 = add %x1, %p
  ret %s
}
";

fn engine(text: &str) -> Engine {
    Engine::new(text::parse(text).expect("the text is a program").module())
}

fn ints(ns: [i64; 3]) -> Vec<Value<'static>> {
    ns.map(Value::from).into()
}

/// What a log says of a value.
fn show(values: &[Value<'_>]) -> String {
    let shown = values.iter().map(|value| match (value.as_int(), value.as_f64()) {
        (Some((_, n)), _) => n.to_string(),
        (_, Some(x)) => x.to_string(),
        _ => "?".to_owned(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Logs calls before and after.
#[derive(Clone, Default)]
struct Log {
    method_for: Option<&'static str>,
    only: Option<&'static str>,
}

impl Context for Log {
    type Metadata = Vec<String>;
    type Outcome = WithMetadata;

    fn key(&self) -> Key {
        Key::of::<Log>().with(&self.method_for).with(&self.only)
    }

    fn method(&self, call: &CallSite) -> Method {
        match self.method_for {
            Some(name) if call.calls(name) => Method::Fallback,
            _ => Method::Recurse,
        }
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        if self.only.is_none_or(|name| call.calls(name)) { Hooks::BOTH } else { Hooks::NONE }
    }

    fn prehook(&self, log: &mut Vec<String>, call: &CallSite, args: &[Value<'_>]) -> Result<(), Failure> {
        log.push(format!("pre {}({})", call.name(), show(args)));
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
        log.push(format!("post {}({}) = {result}", call.name(), show(args)));
        Ok(())
    }
}

#[test]
fn h1_hooks_see_exactly_the_calls_in_order() -> Result<(), Failure> {
    let (value, log) = engine(F).overdub(&Log::default(), "f", ints([1, 2, 3]))?;
    assert_eq!(value.as_int().map(|(_, n)| n), Some(7));
    assert_eq!(log, ["pre mul(2, 3)", "post mul(2, 3) = 6", "pre add(1, 6)", "post add(1, 6) = 7"]);
    Ok(())
}

#[test]
fn h1_each_posthook_comes_after_all_hooks_of_what_was_called() -> Result<(), Failure> {
    let (_, log) = engine(WITH_BODY).overdub(&Log::default(), "f", ints([1, 2, 3]))?;
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
    let cx = Log { method_for: Some("times"), ..Log::default() };
    let (_, log) = engine(WITH_BODY).overdub(&cx, "f", ints([1, 2, 3]))?;
    assert_eq!(log, ["pre times(2, 3)", "post times(2, 3) = 6", "pre add(1, 6)", "post add(1, 6) = 7"]);
    Ok(())
}
