//! Bodies that passes of contexts get inlined and optimised, if they request it.

use std::sync::{Arc, Mutex};

use overdub::lower::Loaded;
use overdub::prelude::*;
use overdub_context::engine::{Body, CallSite, Key, Method, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{Callee, Func, InstKind};
use overdub_context::value::Value;

/// Runs functions as their optimised bodies, and keeps those bodies.
#[derive(Clone, Default)]
struct Optimised {
    fallback: &'static str,
    bodies: Arc<Mutex<Vec<Arc<Func>>>>,
}

impl Context for Optimised {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Optimised>().with(self.fallback)
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn method(&self, call: &CallSite) -> Method {
        if call.calls(self.fallback) { Method::Fallback } else { Method::Recurse }
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let optimised = body.optimised()?;
        self.bodies.lock().expect("nobody panicked").push(optimised.clone());
        Ok(Pass::Replace((*optimised).clone()))
    }
}

impl Optimised {
    /// What the functions seen so far call by name or by value.
    fn calls(&self) -> Vec<String> {
        let bodies = self.bodies.lock().expect("nobody panicked");
        let insts = bodies.iter().flat_map(|func| &func.blocks).flat_map(|block| &block.insts);
        insts
            .filter_map(|inst| match &inst.kind {
                InstKind::Call { callee: Callee::Func(name), .. } => Some(name.to_string()),
                InstKind::Call { callee: Callee::Value(_), .. } => Some("a value".to_owned()),
                InstKind::Const(_) | InstKind::Op { .. } | InstKind::Overdub { .. } => None,
            })
            .collect()
    }
}

#[dub]
fn square(x: f64) -> f64 {
    x * x
}

#[dub]
fn sum_of_squares(xs: &[f64]) -> f64 {
    xs.iter().map(|x| square(*x)).sum()
}

#[test]
fn a_pass_behind_the_typed_door_gets_the_body_inlined() -> Result<(), overdub::Error> {
    let cx = Optimised { fallback: "nothing", ..Optimised::default() };
    let xs = [1.0, 2.0, 4.0];
    assert_eq!(overdub(cx.clone(), sum_of_squares, (&xs[..],))?, sum_of_squares(&xs));
    assert_eq!(cx.calls(), [""; 0]);
    Ok(())
}

#[test]
fn a_pass_over_a_loaded_source_gets_the_body_inlined_but_for_calls_with_a_method() {
    let source = "
        fn square(x: f64) -> f64 { x * x }
        fn half(x: f64) -> f64 { x / 2.0 }
        pub fn f(x: f64) -> f64 { square(x) + half(x) }
    ";
    let loaded = Loaded::from_source("f.rs", source).expect("it is Rust");
    let f = loaded.function("f").expect("there is an `f`").symbol;
    let cx = Optimised { fallback: "half", ..Optimised::default() };
    let y = loaded.engine().overdub(&cx, f, vec![Value::F64(3.0)]).expect("it runs");
    assert_eq!(y.as_f64(), Some(10.5));
    let [half] = cx.calls().try_into().expect("one call is left");
    assert!(half.ends_with("half"), "{half}");
}

#[test]
fn an_optimised_body_is_made_again_when_a_function_in_it_is_defined_again() {
    let loaded =
        Loaded::from_source("f.rs", "fn g(x: f64) -> f64 { x } pub fn f(x: f64) -> f64 { g(x) + 1.0 }");
    let loaded = loaded.expect("it is Rust");
    let symbol = |name| loaded.function(name).expect("there is one").symbol;
    let (engine, cx) = (loaded.engine(), Optimised { fallback: "nothing", ..Optimised::default() });
    let run = || engine.overdub(&cx, symbol("f"), vec![Value::F64(3.0)]).expect("it runs").as_f64();
    assert_eq!(run(), Some(4.0));
    let g = format!("fn @\"{}\"(%x: f64) -> f64 {{\n  %y: f64 = mul %x, 10.0\n  ret %y\n}}", symbol("g"));
    engine.program().define(overdub_context::text::parse_func(&g).expect("it is a function"));
    assert_eq!(run(), Some(31.0));
}
