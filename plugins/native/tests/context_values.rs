//! Isolation of contexts: values that escape a context, contexts with equal keys, arguments of host methods;
//! by the interpreter and as machine code.

use overdub::lower::Loaded;
use overdub::prelude::*;
use overdub_context::Failure;
use overdub_context::engine::{
    CallSite, Context, Engine, Hooks, HostCall, Key, Method, ValueOnly, WithMetadata, ctx_with,
};
use overdub_context::value::Value;
use overdub_native::Native;

fn load(source: &str) -> Loaded {
    Loaded::from_source("f.rs", source).expect("it is Rust")
}

fn engines(loaded: &Loaded) -> [Engine; 2] {
    [loaded.engine(), loaded.engine_builder().executor(Native::new()).build()]
}

const ERASED: &str = "
    use std::any::Any;
    use std::rc::Rc;
    use std::cell::RefCell;
    pub fn one(x: f64) -> f64 {
        let t: Box<dyn Any> = Box::new(x);
        match t.downcast_ref::<f64>() { Some(y) => *y, None => -1.0 }
    }
    pub fn all(x: f64) -> f64 {
        let things: Vec<Box<dyn Any>> = vec![Box::new(x), Box::new(3_i32), Box::new(x * x)];
        things.iter().filter_map(|t| t.downcast_ref::<f64>()).product()
    }
    fn keep(t: Box<dyn Any>) -> Rc<RefCell<Vec<Box<dyn Any>>>> { Rc::new(RefCell::new(vec![t])) }
    fn first(all: &Rc<RefCell<Vec<Box<dyn Any>>>>) -> f64 { *all.borrow()[0].downcast_ref::<f64>().unwrap() }
    pub fn kept(x: f64) -> f64 { first(&keep(Box::new(x))) }
    fn made(x: f64) -> Box<dyn Any> { Box::new(x) }
    pub fn returned(x: f64) -> f64 { *made(x).downcast_ref::<f64>().unwrap() }
    fn adder(x: f64) -> Box<dyn Fn(f64) -> f64> { Box::new(move |y| x + y) }
    fn twice(f: &dyn Fn(f64) -> f64) -> f64 { f(1.0) + f(2.0) }
    pub fn called(x: f64) -> f64 { twice(&*adder(x)) }
";

/// Makes calls outside of itself, of the name or of everything with a body; directly or by a host method.
#[derive(Clone)]
struct Out {
    name: &'static str,
    host: bool,
}

impl Context for Out {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<Out>().with(self.name).with(&self.host)
    }

    fn method(&self, call: &CallSite) -> Method {
        match call.can_recurse() && (self.name.is_empty() || call.calls(self.name)) {
            true if self.host => Method::Host,
            true => Method::Fallback,
            false => Method::Recurse,
        }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, ()>) -> Result<Value<'a>, Failure> {
        let args = call.take_args();
        call.fallback(args)
    }
}

#[test]
fn values_of_dyn_any_mean_the_same_outside_of_a_context() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = load(ERASED);
    for engine in engines(&loaded) {
        for func in ["one", "all", "kept", "returned", "called"] {
            let func = loaded.function(func)?.symbol;
            let run = |cx: &Out| engine.overdub(cx, func, vec![Value::F64(2.0)]);
            let plain = engine.run(func, vec![Value::F64(2.0)])?;
            for name in ["downcast_ref", "keep", "first", "made", "adder", "twice", ""] {
                let value = run(&Out { name, host: false })?;
                assert_eq!(value.as_f64(), plain.as_f64(), "{func} with `{name}` outside");
            }
            for name in ["downcast_ref", "keep", "first", "made", "adder", "twice"] {
                let value = run(&Out { name, host: true })?;
                assert_eq!(value.as_f64(), plain.as_f64(), "{func} with `{name}` outside by the host");
            }
            let short = ctx().fallback("downcast_ref").fallback("keep");
            assert_eq!(engine.overdub(&short, func, vec![Value::F64(2.0)])?.as_f64(), plain.as_f64());
        }
    }
    Ok(())
}

#[test]
fn a_wrapper_takes_erased_closures_of_the_context() -> Result<(), Box<dyn std::error::Error>> {
    let source = format!(
        "{ERASED}
    fn thrice(f: &dyn Fn(f64) -> f64) -> f64 {{ twice(f) + f(3.0) }}
    fn also(t: Box<dyn Any>) -> Rc<RefCell<Vec<Box<dyn Any>>>> {{ keep(t) }}"
    );
    let loaded = load(&source);
    for engine in engines(&loaded) {
        let cx = ctx().wrap("twice", "thrice").wrap("keep", "also");
        let run = |func: &str| {
            let func = loaded.function(func).expect("there is one").symbol;
            engine.overdub(&cx, func, vec![Value::F64(2.0)])
        };
        assert_eq!(run("called")?.as_f64(), Some(12.0));
        assert_eq!(run("kept")?.as_f64(), Some(2.0));
    }
    Ok(())
}

/// Limits the result of `times`; `to` is used only while the program runs, so it is not in the key.
#[derive(Clone)]
struct Limit {
    to: f64,
}

impl Context for Limit {
    type Metadata = f64;
    type Outcome = WithMetadata;

    fn key(&self) -> Key {
        Key::of::<Limit>()
    }

    fn metadata(&self) -> f64 {
        self.to
    }

    fn method(&self, call: &CallSite) -> Method {
        if call.calls("times") { Method::Host } else { Method::Recurse }
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, f64>) -> Result<Value<'a>, Failure> {
        let args = call.take_args();
        let value = call.recurse(args)?;
        let first = *call.metadata();
        Ok(value.as_f64().map_or(value, |x| Value::F64(x.min(self.to).min(first))))
    }
}

const TIMES: &str = "
    fn times(a: f64, b: f64) -> f64 { a * b }
    pub fn f(x: f64, y: f64) -> f64 { x + times(y, y) }
";

#[test]
fn of_contexts_with_equal_keys_each_name_runs_its_own() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = load(TIMES);
    let f = loaded.function("f")?.symbol;
    let args = || vec![Value::F64(1.0), Value::F64(3.0)];
    for engine in engines(&loaded) {
        // A context with the same key has run before.
        assert_eq!(engine.overdub(&Limit { to: 2.0 }, f, args())?.0.as_f64(), Some(3.0));
        let (five, seven) = (engine.nested(&Limit { to: 5.0 }, f), engine.nested(&Limit { to: 7.0 }, f));
        for (name, expected) in [(five, 6.0), (seven, 8.0), (five, 6.0)] {
            assert_eq!(engine.run(name, args())?.as_f64(), Some(expected));
        }
        // The same under another context, and with each nested in the other.
        let count = ctx_with::<usize>().when(|call| call.calls("mul")).before(|count, _, _| *count += 1);
        let (value, products) = engine.overdub(&count, seven, args())?;
        assert_eq!((value.as_f64(), products), (Some(8.0), 1));
        assert_eq!(engine.overdub(&Limit { to: 4.0 }, seven, args())?.0.as_f64(), Some(5.0));
    }
    Ok(())
}

#[test]
fn of_contexts_with_equal_hooks_each_name_runs_its_own() -> Result<(), Box<dyn std::error::Error>> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let loaded = load(TIMES);
    let f = loaded.function("f")?.symbol;
    for engine in engines(&loaded) {
        let counted = || {
            let events = Arc::new(AtomicUsize::new(0));
            let seen = events.clone();
            let cx = ctx().before(move |(), _, _| {
                seen.fetch_add(1, Ordering::Relaxed);
            });
            (engine.nested(&cx, f), engine.nested(&cx.clone(), f), events)
        };
        let ((a, same, first), (b, _, second)) = (counted(), counted());
        assert!(a == same && a != b, "one context has one name: {a} {same} {b}");
        engine.run(b, vec![Value::F64(1.0), Value::F64(3.0)])?;
        assert_eq!((first.load(Ordering::Relaxed), second.load(Ordering::Relaxed)), (0, 3));
    }
    Ok(())
}

#[test]
fn a_host_method_that_goes_on_with_too_few_arguments_is_told_how_many()
-> Result<(), Box<dyn std::error::Error>> {
    let loaded = load(TIMES);
    for engine in engines(&loaded) {
        let cx = ctx_with::<()>().method("times", |call| call.recurse(vec![]));
        let f = loaded.function("f")?.symbol;
        let error = engine.overdub(&cx, f, vec![Value::F64(1.0), Value::F64(3.0)]).unwrap_err().to_string();
        assert!(error.contains("`times`") && error.contains("2 arguments, got 0"), "{error}");
    }
    Ok(())
}

/// A context with hooks everywhere, so that it carries a handle.
#[derive(Clone)]
struct Everything;

impl Context for Everything {
    type Metadata = usize;
    type Outcome = WithMetadata;

    fn metadata(&self) -> usize {
        0
    }

    fn hooks(&self, _: &CallSite) -> Hooks {
        Hooks::BOTH
    }

    fn prehook(&self, count: &mut usize, _: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
        *count += 1;
        Ok(())
    }
}

#[test]
fn a_replacement_for_a_call_of_an_inner_context_fits() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = load(
        "
        fn inner(x: f64) -> f64 { x.sin() }
        fn other(x: f64) -> f64 { x * 100.0 }
        pub fn outer(x: f64) -> f64 { inner(x) + 1.0 }",
    );
    let f = loaded.function("outer")?.symbol;
    for engine in engines(&loaded) {
        let cx = (ctx().replace("inner", "other"), Everything);
        let (value, count) = engine.overdub(&cx, f, vec![Value::F64(2.0)])?;
        assert_eq!((value.as_f64(), count), (Some(201.0), 3), "the call of `inner`, `mul` and `add`");
    }
    Ok(())
}
